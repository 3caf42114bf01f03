CREATE TABLE IF NOT EXISTS installed (
  name       TEXT PRIMARY KEY,
  generation TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('ready', 'removing')),
  pinned     INTEGER NOT NULL DEFAULT 0,
  receipt    TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS approvals (
  sha256      TEXT PRIMARY KEY,
  what        TEXT NOT NULL,
  approved_at TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS unfinished (
  name    TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  problem TEXT NOT NULL
) STRICT;
