// The schema of a log, made whole where there is none yet. Whoever changes it raises its version.

export const SCHEMA_VERSION = 25;

export const SCHEMA = `
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
  -- Nearly every event was written by no person. Asked of every one that is written, so it is cheap: a text, not the actor.
  CREATE INDEX events_by_people ON events (at) WHERE instr(actor, '"human"');
  CREATE INDEX events_expired ON events (at) WHERE kind = 'consultation.expired';
  -- What was copied into a fork is nobody's work there, and no other advice than that of the first episode.
  CREATE INDEX events_forked ON events (stream, n) WHERE kind = 'episode.forked';
  CREATE INDEX events_told_name ON events (json_extract(body, '$.trainer.episode'))
    WHERE kind = 'episode.started' AND json_extract(body, '$.trainer.episode') IS NOT NULL;
  -- Questions that went to an expert of a roster.
  CREATE INDEX events_routed ON events (stream) WHERE kind = 'consultation.asked'
    AND json_extract(body, '$.routed') IS NOT NULL;
  -- Whether a key of the gateway ever began more than one episode.
  CREATE INDEX events_tap_key ON events (json_extract(body, '$.key_id')) WHERE kind = 'tap.opened';

  CREATE TABLE texts (
    sha256 TEXT PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    value REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Episodes of which a part is written.
  CREATE TABLE half_imported (stream TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Episodes that wait for a place, each with what its log would begin with.
  CREATE TABLE queued (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    opening TEXT NOT NULL
  ) STRICT;

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
  -- Rollouts of one prompt are looked at side by side.
  CREATE INDEX episodes_group ON episodes (json_extract(row, '$.group'), started_at)
    WHERE json_extract(row, '$.group') IS NOT NULL;

  -- What the list of episodes is narrowed and ordered by. An imported episode's place in its file is counted downwards: the
  -- newest first are in the order of the file. leaked: values in advice that its agent could not know; NULL where none was
  -- measured.
  CREATE TABLE episode_list (
    id TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    scenario TEXT,
    task_idx INTEGER,
    condition TEXT,
    outcome TEXT,
    reward_type TEXT,
    reward REAL,
    advised INTEGER NOT NULL,
    human_acts INTEGER NOT NULL,
    labels INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    consultations INTEGER NOT NULL,
    tool_errors INTEGER NOT NULL,
    run TEXT,
    haystack TEXT NOT NULL,
    place INTEGER NOT NULL DEFAULT 0,
    help_unknown INTEGER NOT NULL DEFAULT 0,
    leaked INTEGER,
    environment TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX list_started ON episode_list (started_at, place, id);
  CREATE INDEX list_status ON episode_list (status, started_at, id);
  -- What a second filter asks stands in the index of the first, so that the list's lines need not be read to be counted.
  CREATE INDEX list_scenario ON episode_list (scenario, task_idx, started_at, place, id,
    outcome, condition, advised, help_unknown, human_acts, reward);
  CREATE INDEX list_condition ON episode_list (condition, started_at, place, id,
    scenario, outcome, advised, help_unknown, human_acts, reward);
  CREATE INDEX list_outcome ON episode_list (outcome, started_at, place, id,
    scenario, condition, advised, help_unknown, human_acts, reward);
  CREATE INDEX list_reward ON episode_list (reward, started_at, place, id);
  CREATE INDEX list_reward_type ON episode_list (reward_type, started_at, id);
  CREATE INDEX list_turns ON episode_list (turns, started_at, place, id);
  CREATE INDEX list_consultations ON episode_list (consultations, started_at, place, id);
  CREATE INDEX list_errors ON episode_list (tool_errors, started_at, place, id);
  CREATE INDEX list_acts ON episode_list (human_acts, started_at, place, id);
  CREATE INDEX list_run ON episode_list (run, started_at, id) WHERE run IS NOT NULL;

  CREATE TABLE tags (
    episode TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (episode, tag)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_tag ON tags (tag, episode);

  CREATE TABLE imported (
    sha256 TEXT NOT NULL,
    source_index INTEGER NOT NULL,
    episode TEXT NOT NULL,
    PRIMARY KEY (sha256, source_index)
  ) STRICT, WITHOUT ROWID;

  -- A crowd's desk is read from its oldest on, as often as something changes.
  CREATE TABLE waiting (
    consultation TEXT PRIMARY KEY,
    episode TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    item TEXT NOT NULL
  ) STRICT;
  CREATE INDEX waiting_episode ON waiting (episode);
  CREATE INDEX waiting_asked ON waiting (asked_at, consultation);
  CREATE TABLE holds (
    key TEXT PRIMARY KEY,
    episode TEXT NOT NULL,
    since INTEGER NOT NULL,
    item TEXT NOT NULL
  ) STRICT;
  CREATE INDEX holds_episode ON holds (episode);
  CREATE INDEX holds_since ON holds (since, key);

  -- Two environments may have a scenario of the same name.
  CREATE TABLE seen (
    seat TEXT NOT NULL,
    environment TEXT NOT NULL,
    scenario TEXT NOT NULL,
    task_idx INTEGER NOT NULL,
    saw TEXT NOT NULL,
    PRIMARY KEY (seat, scenario, task_idx, environment, saw)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE past_advice (
    id INTEGER PRIMARY KEY,
    episode TEXT NOT NULL,
    consultation TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (episode, consultation)
  ) STRICT;
  CREATE VIRTUAL TABLE past_advice_words USING fts5 (asked, tried, advice, tokenize = 'porter unicode61');

  -- What became of drafts.
  CREATE TABLE draft_fates (
    episode TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    fate TEXT NOT NULL,
    kept REAL,
    PRIMARY KEY (episode, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_fates_newest ON draft_fates (at DESC, episode DESC, n DESC);

  -- Reviews to be made without knowing how the episode went.
  CREATE TABLE review_covered (
    episode TEXT NOT NULL,
    item TEXT NOT NULL,
    seat TEXT NOT NULL,
    PRIMARY KEY (episode, item, seat)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX review_covered_item ON review_covered (item);
  CREATE TABLE review_finished (
    item TEXT NOT NULL,
    seat TEXT NOT NULL,
    PRIMARY KEY (item, seat)
  ) STRICT, WITHOUT ROWID;

  -- Which episodes reviewers judged, and who.
  CREATE TABLE judged (
    episode TEXT NOT NULL,
    judgement TEXT NOT NULL,
    seat TEXT,
    PRIMARY KEY (episode, judgement)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX judged_judgement ON judged (judgement);
  CREATE INDEX judged_seat ON judged (seat, episode);

  -- The words of everything.
  CREATE VIRTUAL TABLE search_words USING fts5 (
    kind, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
`;
