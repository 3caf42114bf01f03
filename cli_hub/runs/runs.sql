CREATE TABLE IF NOT EXISTS runs (
  id          TEXT PRIMARY KEY,
  harness     TEXT NOT NULL,
  version     TEXT NOT NULL,
  argv        TEXT NOT NULL,
  cwd         TEXT NOT NULL,
  pid         INTEGER NOT NULL,
  started_at  TEXT NOT NULL,
  seconds     REAL,
  status      TEXT NOT NULL,
  exit_code   INTEGER,
  problem     TEXT NOT NULL DEFAULT '',
  truncated   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX IF NOT EXISTS runs_by_start ON runs (started_at);
