"""Installing: plan → stage → verify → switch → record, isolated and reversible."""
