"""Hostile previews in a real browser: nothing runs, nothing outside is read, nothing is asked for.

Every hostile text tries to set ``window.taken``; every test asks afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli_hub.previews.page import inert_json, write_page
from cli_hub.previews.watch import watching
from tests.previews.producer import Producer, artifact, png
from tests.support.page_reader import PageReader

RUN = "window.taken=1;top.taken=1;parent.taken=1;"
TEXTS = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"--></style></title><img src=x onerror='{RUN}'>",
    f'" onmouseover="{RUN}" x="',
    f"javascript:{RUN}",
    "{{ 7*7 }}{% for x in y %}",
    "\u202egnp.exe\u0000\u2028",
    "]]><svg onload=alert(1)>",
)


def everything(text: str) -> dict[str, Any]:
    """Every field of a manifest that a page might show, saying *text*."""
    return {
        "software": text,
        "recipe": text,
        "created_at": text,
        "labels": [text],
        "warnings": [text],
        "context": {text: {text: [text]}},
        "metrics": {text: text},
        "generator": {"command": text, text: text},
        "source": {"project_name": text},
        "x-unknown": {text: text},
    }


def hostile_session(producer: Producer, text: str) -> Path:
    rows = [
        artifact("hero.png", png())
        | {"label": text, "role": text, "artifact_id": text, "kind": text, "media_type": text}
    ]
    producer.bundle(
        "b0001_quick",
        artifacts=rows,
        summary={
            "headline": text,
            "facts": {text: text},
            "warnings": [text],
            "next_actions": [text],
        },
        **everything(text),
    )
    producer.publish("b0001_quick")
    producer.publish(
        "b0001_quick",
        step_id=text,
        command=text,
        publish_reason=text,
        note=text,
        status=text,
        stage_label=text,
        command_finished_at=text,
        bundle_dir=text,
    )
    return producer.write_session(
        session_name=text, project_name=text, status=text, current_link=text, updated_at=text
    )


def look_around(reader: PageReader) -> None:
    """Open everything there is to open, then make sure that nothing ran."""
    for tab in ("gallery", "solid", "page", "data", "files"):
        reader.js("document.getElementById('tab-' + arguments[0])?.click()", tab)
        reader.js("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    reader.press("\ue012", "\ue014", "c", "c")
    reader.js("return new Promise((done) => setTimeout(done, 60))")
    assert reader.js("return window.taken") is None
    assert reader.js("return document.scripts.length") == 2
    assert reader.count("[onerror], [onload], [onmouseover], a[href]") == 0


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_of_a_preview_becomes_markup_or_code(
    reader: PageReader, producer: Producer, tmp_path: Path, text: str
) -> None:
    page = write_page(hostile_session(producer, text), tmp_path / "page.html")

    reader.open(page)
    look_around(reader)

    assert reader.js("return document.querySelector('h1').textContent.length") > 0
    assert all(url.startswith("file://") for url in reader.requests())


def test_no_text_of_a_preview_runs_in_the_live_page_either(
    reader: PageReader, producer: Producer
) -> None:
    hostile_session(producer, "".join(TEXTS))
    with watching(producer.session) as server:
        reader.open(server.url)
        producer.publish("b0001_quick", command=TEXTS[1], note=TEXTS[2])
        reader.until("document.querySelector('#chips').innerText.includes('step 3 of 3')")
        look_around(reader)
        assert all(url.startswith(server.url) for url in reader.requests())


PATHS = (
    "javascript:window.taken=1",
    'x" onerror="window.taken=1',
    "data:text/html,<script>1</script>",
    "http://127.0.0.1:9/x.png",
    "//127.0.0.1:9/x.png",
    "file:///etc/hostname",
    "../../../x.png",
    "/etc/hostname",
    "artifacts/\u0000.png",
    "artifacts/linked.png",
    "%2e%2e/%2e%2e/x.png",
)


@pytest.mark.parametrize("path", PATHS)
def test_no_path_of_a_manifest_leads_out_of_the_bundle(
    reader: PageReader, producer: Producer, tmp_path: Path, path: str
) -> None:
    folder = producer.bundle(artifacts=[artifact("hero.png", b"") | {"path": path}])
    (folder / "artifacts" / "linked.png").symlink_to("/etc/hostname")
    page = write_page(folder, tmp_path / "page.html")

    reader.open(page)
    look_around(reader)

    assert reader.requests() == [page.as_uri()]
    assert "etc/hostname" not in reader.js("return document.documentElement.innerHTML").replace(
        path.replace("&", "&amp;"), ""
    )


SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" '
    b'onload="top.taken=1"><script>top.taken=1;parent.taken=1</script>'
    b'<image href="http://127.0.0.1:9/x.png"/><rect width="40" height="40"/></svg>'
)
HTML = (
    b"<h1>framed</h1><script>top.taken=1;parent.taken=1</script>"
    b"<img src=x onerror='parent.taken=1'><form action='http://127.0.0.1:9/'></form>"
)


@pytest.mark.parametrize("live", [False, True])
def test_pictures_and_pages_that_carry_script_are_shown_without_it(
    reader: PageReader, producer: Producer, tmp_path: Path, live: bool
) -> None:
    folder = producer.bundle(files={"hero.svg": SVG, "page.html": HTML})

    with watching(folder) as server:
        reader.open(server.url if live else write_page(folder, tmp_path / "page.html"))
        reader.until("document.querySelector('#frame img')?.naturalWidth === 40")
        reader.click("#tab-page")
        assert reader.js("return document.querySelector('iframe').getAttribute('sandbox')") == ""
        reader.driver.switch_to.frame(reader.driver.find_element("css selector", "iframe"))
        assert "framed" in reader.driver.find_element("css selector", "body").text
        reader.driver.switch_to.default_content()
        look_around(reader)
        assert not [url for url in reader.requests() if ":9/" in url]


def test_a_session_that_lies_about_itself_opens_all_the_same(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    deep = '{"a":' * 900 + "1" + "}" * 900
    producer.bundle(
        files={"hero.png": png(), "deep.json": deep.encode(), "nan.json": b"[NaN]"},
        metrics={"big": 10**18, "huge": 1e308, "no": None},
    )
    for step_id in ("__proto__", "constructor", "toString"):
        producer.publish("b0001_quick", step_id=step_id, bundle_dir=step_id)
    producer.publish("__proto__")
    page = write_page(producer.session, tmp_path / "page.html")

    reader.open(page)
    look_around(reader)

    assert "step 4 of 4" in reader.text("#chips") or "step 3 of 4" in reader.text("#chips")
    assert "bundle __proto__ was not found" in reader.js("return document.body.textContent")


def test_data_inside_the_page_cannot_end_its_element() -> None:
    text = inert_json({"x": "</script><!-- <script> & \u2028"})

    assert not set(text) & set("<>&\u2028")


def test_the_policy_allows_no_inline_script_and_no_connection(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    page = write_page(producer.bundle(), tmp_path / "page.html")
    reader.open(page)

    reader.js(
        "const s = document.createElement('script');"
        "try { s.textContent = 'window.taken = 1'; } catch { window.refused = true; }"
        "document.body.append(s);"
    )
    blocked = reader.js("return fetch('http://127.0.0.1:9/').then(() => 'asked', (e) => String(e))")

    assert reader.js("return window.refused") is True
    assert reader.js("return window.taken") is None
    assert "Failed to fetch" in blocked
    assert any("Content Security Policy" in line for line in reader.console())
