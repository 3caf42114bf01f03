"""Whatever a preview holds, its report for an agent costs no more than was asked for."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cli_hub.previews import agent
from cli_hub.previews.loading import load_bundle, load_session
from tests.previews.producer import Producer

# Quotes, line ends, control characters and letters of many bytes: what costs more than it looks.
texts = st.text(st.one_of(st.sampled_from('"\\\n\t\x01 é漢😀'), st.characters()), max_size=300)
facts = st.dictionaries(texts, st.one_of(texts, st.integers(), st.booleans()), max_size=12)


@settings(max_examples=60, deadline=None)
@given(
    budget=st.integers(agent.LEAST, 900),
    headline=texts,
    table=facts,
    warnings=st.lists(texts, max_size=5),
    command=texts,
)
def test_a_budget_is_never_exceeded_by_text_or_json(
    budget: int, headline: str, table: dict[str, object], warnings: list[str], command: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        producer = Producer(Path(folder))
        text = {"headline": headline, "facts": table, "warnings": warnings}
        producer.bundle("b0001_quick", summary=_encodable(text))
        producer.publish("b0001_quick", command=_encodable(command))
        for preview in (
            load_session(producer.session),
            load_bundle(producer.folder("b0001_quick")),
        ):
            brief, _ = agent.brief(preview, budget)
            document = agent.document(preview, budget)

            assert agent.tokens(brief) <= budget
            assert agent.tokens(json.dumps(document, indent=2, ensure_ascii=False)) <= budget
            assert document["budget"] == budget
            assert document["text"] or budget < 60


def _encodable(value: object) -> object:
    """Without lone surrogates, which no file in UTF-8 can hold."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
