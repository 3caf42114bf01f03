"""The preview for an agent with a few hundred tokens to spend: the most useful facts first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cli_hub.previews import wording
from cli_hub.previews.difference import difference
from cli_hub.previews.loading import load_bundle
from cli_hub.previews.models import Artifact, Bundle, Problem, Session
from cli_hub.previews.pictures import Unreadable, colours
from cli_hub.previews.view import showing

BYTES_PER_TOKEN = 3
"""A careful estimate: English and paths take nearer four bytes a token."""


_PICTURES_TOLD = 2

LEAST = 40
"""The smallest budget that is always kept."""


def tokens(text: str) -> int:
    """About how many tokens *text* costs, rounded up."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def brief(preview: Bundle | Session, budget: int) -> tuple[str, int]:
    """The most useful lines that fit *budget* tokens, and how many lines did not.

    A line that does not fit is left out whole, except the first, which is cut.
    """
    return _fitting(_lines(preview), budget)


def _fitting(lines: Iterable[str], budget: int) -> tuple[str, int]:
    kept: list[str] = []
    left_out = 0
    for line in lines:
        flat = " ".join(line.split())
        if tokens("\n".join([*kept, flat])) <= budget:
            kept.append(flat)
        elif not kept:
            kept.append(flat.encode()[: budget * BYTES_PER_TOKEN].decode(errors="ignore"))
        else:
            left_out += 1
    return "\n".join(kept), left_out


def document(preview: Bundle | Session, budget: int) -> dict[str, Any]:
    """:func:`brief` as ``inspect --for agent --json`` prints it, keys and escapes in the budget.

    *budget* is at least :data:`LEAST`, what the keys alone may cost.
    """
    lines = list(_lines(preview))
    room = budget
    while True:
        text, left_out = _fitting(lines, room)
        found = {"budget": budget, "tokens": tokens(text), "left_out": left_out, "text": text}
        over = tokens(f"{json.dumps(found, indent=2, ensure_ascii=False)}\n") - budget
        if over <= 0 or room == 0:
            return found
        room = max(0, room - over)


def _lines(preview: Bundle | Session) -> Iterator[str]:
    """Everything worth saying, the most useful first."""
    bundle = preview if isinstance(preview, Bundle) else preview.current
    yield _title(preview)
    if bundle is not None:
        if bundle.headline:
            yield bundle.headline
        yield from (f"warning: {text}" for text in bundle.warnings)
    yield from _problems(preview.problems)
    if bundle is None:
        return
    if isinstance(preview, Session):
        yield from _since_last_step(preview, bundle)
    shown = [artifact for artifact in bundle.artifacts if artifact.file is not None]
    if shown:
        yield _artifact(shown[0], look=True)
    facts = wording.filled({**bundle.metrics, **bundle.facts})
    if facts:
        told = (f"{name}={wording.shown(name, value)}" for name, value in facts.items())
        yield "; ".join(told)[:600]
    yield from (_artifact(artifact, look=True) for artifact in shown[1:4])
    yield from (f"next: {text}" for text in bundle.next_actions)
    if isinstance(preview, Session):
        yield from _steps(preview)
    yield from (_artifact(artifact, look=False) for artifact in shown[4:])


def _title(preview: Bundle | Session) -> str:
    if isinstance(preview, Bundle):
        return (
            f"bundle {preview.bundle_id} {preview.software}/{preview.recipe} {preview.status} "
            f"{preview.created_at}"
        )
    last = preview.steps[-1] if preview.steps else None
    state = f"step {last.number}/{preview.step_count} {last.status}" if last else "no steps"
    took = f" {wording.duration(last.duration_s)}" if last and last.duration_s else ""
    return (
        f"session {preview.name} {preview.software}/{preview.recipe} {preview.status}, "
        f"{state}{took}"
    )


def _problems(problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems[:5]:
        yield f"{problem.severity}: {problem.message} [{problem.where}]"
    if len(problems) > 5:
        yield f"… {len(problems) - 5} more problems"


def _since_last_step(session: Session, bundle: Bundle) -> Iterator[str]:
    earlier = next(
        (
            step
            for step in reversed(session.steps)
            if step.bundle_folder is not None and step.bundle_id != bundle.bundle_id
        ),
        None,
    )
    if earlier is None or earlier.bundle_folder is None:
        return
    found = difference(load_bundle(earlier.bundle_folder), bundle)
    parts = [
        f"{change.name} {wording.shown(change.name, change.old)}→"
        f"{wording.shown(change.name, change.new)}"
        for change in {c.name: c for c in (*found.facts, *found.metrics)}.values()
    ]
    redrawn = [
        f"{changed.after.artifact_id} {picture.share:.1%} of pixels in {picture.box}"
        for changed in found.changed
        if (picture := changed.picture) is not None and picture.box is not None
    ]
    parts += redrawn[:_PICTURES_TOLD]
    if len(redrawn) > _PICTURES_TOLD:
        parts.append(f"{len(redrawn) - _PICTURES_TOLD} more pictures")
    parts += [f"new {artifact.artifact_id}" for artifact in found.added]
    parts += [f"gone {artifact.artifact_id}" for artifact in found.removed]
    if parts:
        yield f"changed since step {earlier.number}: {'; '.join(parts)[:600]}"


def _artifact(artifact: Artifact, *, look: bool) -> str:
    parts = [artifact.role or artifact.kind, artifact.label]
    if artifact.width and artifact.height:
        parts.append(f"{artifact.width}x{artifact.height}")
    parts.append(wording.duration(artifact.duration_s))
    parts.append(wording.size(artifact.bytes))
    if look and artifact.file is not None and showing(artifact) == "image":
        try:
            parts.append(f"({colours(artifact.file)})")
        except Unreadable as problem:
            parts.append(f"({problem})")
    return " ".join(part for part in [*parts, str(artifact.file)] if part)


def _steps(session: Session) -> Iterator[str]:
    for step in reversed(session.steps[-8:]):
        retry = f" attempt {step.attempt}" if step.attempt > 1 else ""
        yield f"step {step.number} {step.status}{retry}: {step.command or '(no command recorded)'}"
