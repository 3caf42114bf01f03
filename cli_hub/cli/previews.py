"""``cli-hub previews …``: read what harnesses publish. Nothing here ever writes into a bundle."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli import preview_text
from cli_hub.cli.app import HubApp, surface
from cli_hub.errors import NotFound
from cli_hub.previews import report
from cli_hub.previews.loading import load_bundle, load_session
from cli_hub.previews.models import Bundle, Session
from cli_hub.previews.places import Kind, locate
from cli_hub.previews.trajectory import Window

app = HubApp("previews", help="Look at what harnesses published: bundles and live sessions.")

Reference = Annotated[
    Path, typer.Argument(help="A bundle, a session, one of their files, or a project folder.")
]
Limit = Annotated[int, typer.Option("--limit", min=0, help="How many steps, the newest first.")]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Leave out that many newest.")]


class Reader(StrEnum):
    """Who the report is for."""

    PERSON = "person"
    AGENT = "agent"


@app.command("inspect")
def inspect(
    ctx: typer.Context,
    ref: Reference,
    limit: Limit = 20,
    offset: Offset = 0,
    step: Annotated[
        int | None, typer.Option("--step", min=1, help="Only this step, counted from 1.")
    ] = None,
    reader: Annotated[
        Reader, typer.Option("--for", help="Who reads: an agent gets the most useful lines first.")
    ] = Reader.PERSON,
    budget: Annotated[
        int, typer.Option("--budget", min=40, help="With --for agent: at most this many tokens.")
    ] = 400,
) -> None:
    """Say what a preview shows: headline, facts, artifacts, the last steps and all problems.

    Exits 1 when a document of the preview is damaged; what can be read is shown all the same.
    Example: cli-hub previews inspect my-project --limit 5
    """
    out = surface(ctx)
    place = locate(ref)
    preview: Bundle | Session
    if place.kind is Kind.BUNDLE:
        preview = load_bundle(place.folder)
    else:
        preview = load_session(place.folder, Window(limit, offset, step))
    if reader is Reader.AGENT:
        from cli_hub.previews import agent

        out.show(agent.document(preview, budget), lambda: out.line(agent.brief(preview, budget)[0]))
    else:
        document = report.preview_document(preview)
        out.show(document, lambda: preview_text.print_report(out, document))
    _exit_for(any(problem.code.malformed for problem in preview.problems))


@app.command("validate")
def validate(ctx: typer.Context, ref: Reference) -> None:
    """Check a preview strictly: schemas, paths, sizes, every bundle of a session.

    Exits 1 when there is an error; warnings alone do not.
    Example: cli-hub previews validate my-project
    """
    from cli_hub.previews import validation

    out = surface(ctx)
    verdict = validation.validate(locate(ref))
    document = report.verdict_document(verdict)
    out.show(document, lambda: preview_text.print_verdict(out, document))
    _exit_for(not verdict.valid)


@app.command("list")
def list_(
    ctx: typer.Context,
    root: Annotated[Path, typer.Argument(help="Where to look; by default, here.")] = Path(),
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many, newest first.")] = 50,
    offset: Offset = 0,
    page: Annotated[
        Path | None,
        typer.Option("--page", help="Also write an index page here, with a page for each beside."),
    ] = None,
) -> None:
    """List the sessions and bundles below a folder, newest first.

    Example: cli-hub previews list ~/projects --limit 10
    """
    from cli_hub.previews.listing import listing

    out = surface(ctx)
    if not root.expanduser().is_dir():
        raise NotFound(f"{root} is not a folder")
    if page is not None:
        from cli_hub.previews.gallery import write_gallery

        gallery = write_gallery(root, page)
        out.note(f"{gallery.index} leads to {len(gallery.pages)} pages")
    found = listing(root)
    document = [report.listed_document(item) for item in found[offset : offset + limit]]
    out.show(document, lambda: preview_text.print_list(out, document, total=len(found)))


@app.command("diff")
def diff(
    ctx: typer.Context,
    first: Annotated[Path, typer.Argument(metavar="A", help="A bundle, or a session.")],
    second: Annotated[Path | None, typer.Argument(metavar="[B]", help="Another bundle.")] = None,
    start: Annotated[int | None, typer.Option("--from", min=1, help="A step of A.")] = None,
    end: Annotated[int | None, typer.Option("--to", min=1, help="Another step of A.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder for the difference images.")
    ] = None,
    tolerance: Annotated[
        int, typer.Option("--tolerance", min=0, max=254, help="Levels of 255 that do not count.")
    ] = 4,
) -> None:
    """Say what changed between two bundles, or between two steps of a session.

    Pictures are compared pixel by pixel: share, bounding box, and an image with the change in red.
    Example: cli-hub previews diff my-project --from 3 --to 7
    """
    from cli_hub.previews.difference import bundles_to_compare, difference

    out = surface(ctx)
    before, after = bundles_to_compare(first, second, start=start, end=end)
    pictures = (
        output or out.paths.pages / "differences" / f"{before.folder.name}-{after.folder.name}"
    )
    found = difference(before, after, tolerance=tolerance, pictures=pictures)
    document = report.difference_document(found)
    out.show(document, lambda: preview_text.print_difference(out, document))


@app.command("export")
def export(
    ctx: typer.Context,
    ref: Reference,
    output: Annotated[Path, typer.Option("-o", "--output", help="The zip file to write.")],
) -> None:
    """Put a preview with all its bundles and its page into one zip file that works anywhere.

    What was written is unpacked again and checked as validate does; exits 1 when that fails.
    Example: cli-hub previews export my-project -o preview.zip
    """
    from cli_hub.previews.export import export as export_preview

    out = surface(ctx)
    done = export_preview(ref, output.expanduser().absolute())
    document = {
        "path": str(done.path),
        "bytes": done.path.stat().st_size,
        "files": len(done.names),
        "valid": done.verdict.valid,
        "problems": [report.problem_document(problem) for problem in done.verdict.problems],
    }
    out.show(document, lambda: preview_text.print_export(out, document))
    _exit_for(not done.verdict.valid)


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


@app.command("watch")
def watch(
    ctx: typer.Context,
    ref: Reference,
    port: Annotated[
        int | None, typer.Option("--port", help="By default the first free one from 18765 on.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve a live page on this machine; changes appear at once. Ends with Ctrl-C.

    Only this machine can reach it, and only with the address that is printed.
    Example: cli-hub previews watch my-project --open
    """
    import threading

    from cli_hub.previews import browser
    from cli_hub.previews.server import FIRST_PORT
    from cli_hub.previews.watch import watching

    out = surface(ctx)
    with watching(ref, port=port) as server:
        if port is None and server.server_port != FIRST_PORT:
            out.note(f"port {FIRST_PORT} is in use, taking {server.server_port}")
        document = {
            "url": server.url,
            "port": server.server_port,
            "path": str(server.feed.place.folder),
        }
        out.show(document, lambda: out.line(server.url))
        sys.stdout.flush()
        if show and not browser.show(server.url):
            out.note("there is no browser to open here; the address is above")
        out.note("watching; Ctrl-C ends it")
        with suppress(KeyboardInterrupt):  # the way a watch is meant to end
            threading.Event().wait()


@app.command("open")
def open_(ctx: typer.Context, ref: Reference) -> None:
    """Show a preview's page in a browser; where there is none, say where the page is.

    Example: cli-hub previews open my-project
    """
    from cli_hub.previews import browser
    from cli_hub.previews.page import default_output, write_page

    out = surface(ctx)
    written = write_page(ref, default_output(ref, out.paths.pages))
    opened = browser.show(str(written))
    document = {"path": str(written), "url": written.as_uri(), "opened": opened}
    out.show(document, lambda: out.line(str(written)))
    if not opened:
        out.note("there is no browser here; open the file yourself")


def _exit_for(failed: bool) -> None:
    """The answer is printed; the exit code tells that not all is well."""
    if failed:
        raise typer.Exit(1)
