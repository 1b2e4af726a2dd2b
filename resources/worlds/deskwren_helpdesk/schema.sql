-- Deskwren: the help desk of a maker of office software. An invented product.
CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  lead_agent_id INTEGER
);
CREATE TABLE agents (
  id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  team_id INTEGER NOT NULL REFERENCES teams (id),
  level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 3),
  languages TEXT NOT NULL
);
CREATE TABLE absences (
  id INTEGER PRIMARY KEY,
  agent_id INTEGER NOT NULL REFERENCES agents (id),
  kind TEXT NOT NULL CHECK (kind IN ('holiday', 'sick', 'training')),
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL
);
CREATE TABLE sla_plans (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  first_reply_hours INTEGER NOT NULL,
  resolve_hours INTEGER NOT NULL
);
CREATE TABLE organisations (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  sla_plan_id INTEGER NOT NULL REFERENCES sla_plans (id),
  seats INTEGER NOT NULL,
  country TEXT NOT NULL
);
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY,
  organisation_id INTEGER NOT NULL REFERENCES organisations (id),
  full_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE
);
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  organisation_id INTEGER NOT NULL REFERENCES organisations (id),
  contact_id INTEGER NOT NULL REFERENCES contacts (id),
  team_id INTEGER NOT NULL REFERENCES teams (id),
  assignee_id INTEGER REFERENCES agents (id),
  priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  status TEXT NOT NULL CHECK (status IN ('new', 'open', 'waiting', 'snoozed', 'solved', 'closed')),
  resolution TEXT,
  merged_into_id INTEGER REFERENCES tickets (id),
  snoozed_until TEXT,
  due_on TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  changed_at TEXT NOT NULL
);
CREATE INDEX tickets_by_opening ON tickets (opened_at);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id),
  author TEXT NOT NULL,
  is_public INTEGER NOT NULL,
  text TEXT NOT NULL,
  sent_at TEXT NOT NULL
);
CREATE INDEX messages_by_ticket ON messages (ticket_id, sent_at);
CREATE TABLE labels (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE ticket_labels (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id),
  label_id INTEGER NOT NULL REFERENCES labels (id),
  PRIMARY KEY (ticket_id, label_id)
);
CREATE TABLE watchers (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id),
  agent_id INTEGER NOT NULL REFERENCES agents (id),
  PRIMARY KEY (ticket_id, agent_id)
);
CREATE TABLE escalations (
  id INTEGER PRIMARY KEY,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id),
  to_level INTEGER NOT NULL CHECK (to_level IN (2, 3)),
  reason TEXT NOT NULL,
  raised_at TEXT NOT NULL
);
CREATE TABLE holidays (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL,
  country TEXT NOT NULL,
  name TEXT NOT NULL
);
