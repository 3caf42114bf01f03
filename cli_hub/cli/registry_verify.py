"""``cli-hub registry verify``: prove entries by installing them where it does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import surface
from cli_hub.cli.surface import Surface
from cli_hub.install.proving import PROOF_SECONDS, Journal, Proof, Prover, prove_all
from cli_hub.registry import open_catalogue
from cli_hub.registry.catalogue import Catalogue
from cli_hub.registry.entry import Entry
from cli_hub.registry.recording import record_proofs
from cli_hub.registry.resolve import resolve
from cli_hub.registry.sources import SourceKind


def verify(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]…", help="Which; all without it.", autocompletion=completing.entries
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, help="How many at a time.")] = 2,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what the run before has proven already.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Write the outcome into the registry files.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds one installation may take.")
    ] = PROOF_SECONDS,
) -> int:
    """Install each entry in a throw-away environment and prove that its command starts.

    Nothing of it stays. An interrupted run is taken up with --resume.
    Exits 1 when an entry that was tried could not be proven.

    Example: cli-hub registry verify ffmpeg blender --record
    """
    out = surface(ctx)
    catalogue = open_catalogue(out.paths, out.settings)
    for warning in catalogue.warnings:
        out.warn(warning)
    chosen = [resolve(name, catalogue) for name in names] if names else list(catalogue.entries)
    journal = Journal(out.paths.cache / "registry-verify.jsonl", resume=resume)
    prover = Prover(out.paths, timeout=timeout)
    proofs: list[Proof] = []
    try:
        with closing(prove_all(chosen, prover, journal, jobs=jobs)) as coming:
            for proof in coming:
                proofs.append(proof)
                out.note(f"[{len(proofs)}/{len(chosen)}] {_told(proof)}")
    finally:
        recorded = _record(catalogue, chosen, proofs) if record else []
    document = _document(proofs, recorded)
    out.show(document, lambda: _print(out, proofs, recorded))
    return 1 if document["failed"] else 0


def _document(proofs: Sequence[Proof], recorded: Sequence[str]) -> dict[str, Any]:
    return {
        "proven": sum(proof.proven for proof in proofs),
        "failed": sum(proof.tried and not proof.proven for proof in proofs),
        "not_tried": sum(not proof.tried for proof in proofs),
        "recorded": list(recorded),
        "entries": [proof.as_document() for proof in sorted(proofs, key=lambda one: one.name)],
    }


def _record(catalogue: Catalogue, chosen: Sequence[Entry], proofs: Sequence[Proof]) -> list[str]:
    found = {proof.address: proof for proof in proofs}
    recorded: list[str] = []
    for held in catalogue.held:
        if held.source.kind is SourceKind.URL:
            continue
        wanted = {
            entry.name: found[entry.address].verified
            for entry in chosen
            if entry.source == held.source.name and entry.address in found
        }
        for file in held.source.files:
            recorded += record_proofs(Path(file), wanted)
    return recorded


def _print(out: Surface, proofs: Sequence[Proof], recorded: Sequence[str]) -> None:
    for proof in sorted(proofs, key=lambda one: (one.proven, one.tried, one.name)):
        if not proof.proven:
            out.line(f"{proof.name}: {proof.verified['reason']}", "bad" if proof.tried else "dim")
    proven = sum(proof.proven for proof in proofs)
    failed = sum(proof.tried and not proof.proven for proof in proofs)
    out.line()
    out.line(
        f"{proven} proven, {failed} failed, {len(proofs) - proven - failed} not tried; "
        f"{len(recorded)} recorded",
        "good" if not failed else "bad",
    )


def _told(proof: Proof) -> str:
    if proof.proven:
        found = proof.verified
        size = found["size"] / 1e6
        return f"{proof.name} {found['version']} starts ({found['seconds']} s, {size:.0f} MB)"
    return f"{proof.name}: {proof.verified['reason']}"
