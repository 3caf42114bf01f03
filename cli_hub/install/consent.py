"""Foreign code runs only when somebody agreed to exactly that code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cli_hub.digests import sha256_of
from cli_hub.errors import ConsentNeeded, IntegrityError
from cli_hub.fetch import Answer, fetch
from cli_hub.install.ledger import Ledger
from cli_hub.install.plan import Plan
from cli_hub.strategies import Consent, Download
from cli_hub.values import dataclass

Fetcher = Callable[[str], Answer]


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked. *file* holds what would run, when it was fetched."""

    name: str
    source: str
    consent: Consent
    sha256: str
    file: Path | None = None


Ask = Callable[[Question], bool]


def refuse(question: Question) -> bool:
    """The answer of nobody: no."""
    del question
    return False


def download(wanted: Download, folder: Path, get: Fetcher = fetch) -> str:
    """Fetch *wanted* into *folder* and return its SHA-256.

    Raises :class:`IntegrityError` when it is not what was pinned; then no file stays.
    """
    body = get(wanted.url).body
    digest = sha256_of(body)
    if wanted.sha256 and digest != wanted.sha256:
        raise IntegrityError(
            f"{wanted.url} is not what the entry pins",
            hint="it changed since it was reviewed; tell the maintainer of the entry",
            details={"url": wanted.url, "pinned": wanted.sha256, "fetched": digest},
        )
    (folder / wanted.file_name).write_bytes(body)
    return digest


def require(plan: Plan, digests: tuple[str, ...], ledger: Ledger, ask: Ask) -> None:
    """Return when *plan* may run; raise :class:`ConsentNeeded` when nobody agreed.

    An approval is remembered by the hash of what it was given for: fetched bytes, else the command
    itself. Changed bytes ask again, whatever was agreed before.
    """
    consent = plan.consent
    if consent is None:
        return
    digest = digests[0] if digests else sha256_of(consent.text)
    if ledger.approved(digest):
        return
    fetched = plan.target.root / plan.downloads[0].file_name if plan.downloads else None
    question = Question(plan.name, plan.entry.source, consent, digest, fetched)
    if not (plan.wish.allow_scripts or ask(question)):
        raise ConsentNeeded(
            f"installing {plan.name} {consent.risk}: {consent.text}",
            hint=f"look at it, then: cli-hub install {plan.name} --allow-scripts",
            details={"text": consent.text, "sha256": digest, "source": plan.entry.source},
        )
    ledger.approve(digest, f"{plan.name}: {consent.text}")
