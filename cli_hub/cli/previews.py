"""``cli-hub previews …``: read what harnesses publish. Nothing here ever writes into a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.preview_text import print_report
from cli_hub.previews import report
from cli_hub.previews.loading import load_bundle, load_session
from cli_hub.previews.places import Kind, locate
from cli_hub.previews.trajectory import Window

app = HubApp("previews", help="Look at what harnesses published: bundles and live sessions.")

Reference = Annotated[
    Path, typer.Argument(help="A bundle, a session, one of their files, or a project folder.")
]
Limit = Annotated[int, typer.Option("--limit", min=0, help="How many steps, the newest first.")]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Leave out that many newest steps.")]


@app.command("inspect")
def inspect(
    ctx: typer.Context,
    ref: Reference,
    limit: Limit = 20,
    offset: Offset = 0,
    step: Annotated[
        int | None, typer.Option("--step", min=1, help="Only this step, counted from 1.")
    ] = None,
) -> None:
    """Say what a preview shows: headline, facts, artifacts, the last steps and all problems.

    Exits 1 when a document of the preview is damaged; what can be read is shown all the same.
    Example: cli-hub previews inspect my-project --limit 5
    """
    out = surface(ctx)
    place = locate(ref)
    if place.kind is Kind.BUNDLE:
        bundle = load_bundle(place.folder)
        document, problems = report.bundle_document(bundle), bundle.problems
    else:
        session = load_session(place.folder, Window(limit, offset, step))
        document, problems = report.session_document(session), session.problems
    out.show(document, lambda: print_report(out, document))
    if any(problem.code.malformed for problem in problems):
        raise typer.Exit(1)


@app.command("html")
def html(
    ctx: typer.Context,
    ref: Reference,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The page; by default it is kept outside the bundle."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="At most this many steps, the newest.")
    ] = 10_000,
    self_contained: Annotated[
        bool, typer.Option("--self-contained", help="Put what fits into the page itself.")
    ] = False,
) -> None:
    """Write one page that shows a bundle or a whole session and works without a server.

    Example: cli-hub previews html my-project -o preview.html
    """
    from cli_hub.previews.page import default_output, write_page

    out = surface(ctx)
    target = output or default_output(ref, out.paths.pages)
    written = write_page(ref, target, self_contained=self_contained, limit=limit)
    document = {
        "path": str(written),
        "url": written.as_uri(),
        "bytes": written.stat().st_size,
        "self_contained": self_contained,
    }
    out.show(document, lambda: out.line(str(written)))
