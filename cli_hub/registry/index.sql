-- The index of one catalogue: built once, read-only afterwards, thrown away when a source changes.

CREATE TABLE fact (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE entry (
  id          INTEGER PRIMARY KEY,
  source      TEXT NOT NULL,
  name        TEXT NOT NULL,
  folded      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  base        TEXT NOT NULL,     -- the folder its relative paths start from
  strategy    TEXT NOT NULL,     -- empty when it cannot be installed
  tool        TEXT NOT NULL,     -- the program that installing it needs on PATH
  reason      TEXT NOT NULL,     -- why it cannot be installed
  category    TEXT NOT NULL,
  verified    INTEGER NOT NULL,
  shadowed    INTEGER NOT NULL,  -- 1 when a source of higher priority has the name too
  raw         TEXT NOT NULL
) STRICT;

CREATE TABLE alias (
  folded TEXT NOT NULL,          -- of names and aliases
  id     INTEGER NOT NULL,
  PRIMARY KEY (folded, id)
) WITHOUT ROWID, STRICT;

-- Stems, not text: both sides are stemmed by the hub, so the tokenizer only splits at spaces.
CREATE VIRTUAL TABLE stem USING fts5 (
  name, capability, category, description, requires,
  mark,                          -- of verified entries
  tokenize = "unicode61 remove_diacritics 0 tokenchars '+#'"
);

-- In how many entries each stem is. FTS5's own vocabulary would count them anew for each question.
CREATE TABLE vocabulary (
  term    TEXT PRIMARY KEY,
  entries INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- Every word with one letter left out, so that a misspelt one meets it.
CREATE TABLE spelling (
  shape TEXT NOT NULL,
  word  TEXT NOT NULL,
  name  INTEGER NOT NULL,        -- 1 when the word is part of a name
  PRIMARY KEY (shape, word)
) WITHOUT ROWID, STRICT;

CREATE TABLE thesaurus (
  key    TEXT NOT NULL,
  phrase TEXT NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (key, phrase)
) WITHOUT ROWID, STRICT;

-- While it is built: every word worth correcting towards, and 1 when it is part of a name.
CREATE TEMP TABLE known (
  word TEXT PRIMARY KEY,
  name INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
