-- The tables over all words, once every entry is in.

CREATE VIRTUAL TABLE temp.counted USING fts5vocab ('main', 'stem', 'row');
INSERT INTO vocabulary SELECT term, doc FROM counted;
DROP TABLE temp.counted;

-- In the order of the table: written one after the other, not each at a place of its own.
INSERT OR IGNORE INTO spelling
WITH RECURSIVE place (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM place WHERE at < 24)
SELECT substr(word, 1, at - 1) || substr(word, at + 1) AS shape, word, name
FROM known JOIN place ON at <= length(word)
UNION ALL SELECT word, word, name FROM known
ORDER BY shape, word;
