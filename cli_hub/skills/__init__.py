"""Skills: the ``SKILL.md`` documents that tell an agent how to use a harness."""
