-- Loomline: teams connect apps and let workflows run on triggers and schedules. An invented product.
CREATE TABLE workspaces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL CHECK (plan IN ('team', 'business', 'enterprise')),
  timezone TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  full_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  job_title TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  is_active INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE connections (
  id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  app TEXT NOT NULL,
  label TEXT NOT NULL,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  status TEXT NOT NULL CHECK (status IN ('active', 'expired', 'revoked')),
  expires_on TEXT
);
CREATE TABLE tags (
  id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  UNIQUE (workspace_id, name)
);
CREATE TABLE workflows (
  id INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  folder TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  owner_id INTEGER NOT NULL REFERENCES users (id),
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'paused', 'archived')),
  error_policy TEXT NOT NULL DEFAULT 'stop' CHECK (error_policy IN ('stop', 'retry', 'continue')),
  max_retries INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX workflows_by_workspace ON workflows (workspace_id);
CREATE TABLE workflow_tags (
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  tag_id INTEGER NOT NULL REFERENCES tags (id),
  PRIMARY KEY (workflow_id, tag_id)
);
CREATE TABLE triggers (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL UNIQUE REFERENCES workflows (id),
  kind TEXT NOT NULL CHECK (kind IN ('schedule', 'webhook', 'app_event', 'manual')),
  source TEXT,
  is_enabled INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE schedules (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL UNIQUE REFERENCES workflows (id),
  cron TEXT NOT NULL,
  timezone TEXT NOT NULL
);
CREATE TABLE steps (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  action TEXT NOT NULL,
  connection_id INTEGER REFERENCES connections (id),
  config_json TEXT NOT NULL DEFAULT '{}',
  is_enabled INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX steps_by_workflow ON steps (workflow_id, position);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  started_by TEXT NOT NULL,
  retry_of INTEGER REFERENCES runs (id),
  started_at TEXT NOT NULL,
  finished_at TEXT
);
CREATE INDEX runs_by_workflow ON runs (workflow_id, started_at);
CREATE TABLE run_logs (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  step_id INTEGER REFERENCES steps (id),
  level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
  code TEXT,
  message TEXT NOT NULL,
  logged_at TEXT NOT NULL
);
CREATE TABLE subscriptions (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel TEXT NOT NULL CHECK (channel IN ('email', 'chat')),
  event TEXT NOT NULL CHECK (event IN ('failure', 'success', 'any')),
  is_muted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (workflow_id, user_id, event)
);
