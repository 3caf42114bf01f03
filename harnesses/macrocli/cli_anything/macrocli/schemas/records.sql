CREATE TABLE IF NOT EXISTS runs (
    id          TEXT PRIMARY KEY,
    session     TEXT NOT NULL,
    macro       TEXT NOT NULL,
    version     TEXT NOT NULL,
    started_at  TEXT NOT NULL,
    duration_ms REAL NOT NULL,
    status      TEXT NOT NULL,
    success     INTEGER NOT NULL,
    exit_code   INTEGER NOT NULL,
    parameters  TEXT NOT NULL,  -- JSON, secrets masked
    answer      TEXT NOT NULL   -- JSON, the answer document, secrets masked
);

CREATE INDEX IF NOT EXISTS runs_by_session ON runs (session, started_at);
