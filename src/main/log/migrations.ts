// Owns: the schema, one step per entry. A step that has shipped is never edited; a new one is added at the end.

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (stream, n)
  ) STRICT;
  CREATE TABLE texts (
    sha256 TEXT PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE episodes (
    id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    condition TEXT NOT NULL,
    haystack TEXT NOT NULL,
    row TEXT NOT NULL
  ) STRICT;
  CREATE INDEX episodes_newest ON episodes (started_at DESC, id DESC);
  CREATE INDEX episodes_status ON episodes (status, started_at DESC);
  CREATE TABLE waiting (
    consultation TEXT PRIMARY KEY,
    episode TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    item TEXT NOT NULL
  ) STRICT;
  CREATE INDEX waiting_episode ON waiting (episode);
  CREATE TABLE seen (
    seat TEXT NOT NULL,
    scenario TEXT NOT NULL,
    task_idx INTEGER NOT NULL,
    saw TEXT NOT NULL,
    PRIMARY KEY (seat, scenario, task_idx, saw)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE holds (
    key TEXT PRIMARY KEY,
    episode TEXT NOT NULL,
    since INTEGER NOT NULL,
    item TEXT NOT NULL
  ) STRICT;
  CREATE INDEX holds_episode ON holds (episode);
  CREATE INDEX events_decisions ON events (at) WHERE kind IN (
    'advice.approved', 'advice.declined', 'call.approved', 'call.edited', 'call.rejected', 'call.answered'
  );
  `,
];
