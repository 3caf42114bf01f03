"""The live page: how fast a publish is seen in a browser, and what a long watch costs.

    python benchmarks/preview_live.py [--publishes N] [--long N] [--json]

``publish → pixels``: a producer publishes into a watched session; the page, open in Chromium, notes
the moment after the new picture was decoded and painted. ``10,000 steps``: from opening the page on
disk to its picture, and from a key press to the next step. ``memory``: the server's process over
many publishes, with fifty clients that connect anew all the time. Needs Chromium and chromedriver.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli_hub.previews.page import write_page
from tests.previews.producer import Producer, artifact, png
from tests.previews.test_scale import long_session
from tests.support.page_reader import PageReader, page_reader

CLIENTS = 50
PAUSE = 0.25
KEPT_STEPS = 300
"""What the producer of the long watch keeps; older steps and bundles it throws away."""

# Runs in the page: notes when a picture of a label never seen before has been painted.
NOTE_PIXELS = """
window.painted = {};
const note = () => {
  const image = document.querySelector('#frame img');
  if (!image || window.painted[image.alt]) return;
  const label = image.alt;
  window.painted[label] = -1;
  image.decode().then(() => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { window.painted[label] = Date.now(); };
    channel.port2.postMessage(0);
  }));
};
const frame = document.getElementById('frame');
new MutationObserver(note).observe(frame, { childList: true, subtree: true });
note();
"""


@contextmanager
def served(session: Path) -> Iterator[tuple[str, int]]:
    """``cli-hub previews watch`` as a process of its own: its address and its process id."""
    program = str(Path(sys.executable).with_name("cli-hub"))
    process = subprocess.Popen(
        [program, "previews", "watch", str(session), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        text = ""
        while True:  # the document is printed over several lines, and the program goes on
            text += process.stdout.readline()
            if text.rstrip().endswith("}"):
                break
        yield json.loads(text)["url"], process.pid
    finally:
        process.terminate()
        process.wait(10)


def publish(producer: Producer, number: int, picture: bytes) -> float:
    """Publish step *number* with a *picture* of its own; when that began, seconds of the epoch."""
    row = artifact("hero.png", picture, label=f"picture {number}")
    bundle_id = f"b{number:05d}_quick"
    began = time.time()
    producer.bundle(bundle_id, files={"hero.png": picture}, artifacts=[row])
    producer.publish(bundle_id, step_id=f"step-{number:05d}")
    return began


def publish_to_pixels(reader: PageReader, work: Path, publishes: int) -> dict[str, float]:
    """Milliseconds from the first byte of the new bundle on disk to its painted picture."""
    producer = Producer(work / "live")
    producer.seven_steps()
    took: list[float] = []
    with served(producer.session) as (url, _):
        reader.open(url, ready="document.querySelector('#frame img')?.naturalWidth > 0")
        reader.until("document.querySelector('#session-state.live')")
        reader.js(NOTE_PIXELS)
        for number in range(100, 100 + publishes):
            picture = png((number % 256, 80, 160), width=640, height=360)
            began = publish(producer, number, picture)
            time.sleep(PAUSE)  # asking the page meanwhile would take its time
            mark = f"window.painted['picture {number}']"
            painted = reader.until(f"{mark} > 0 && {mark}")
            took.append(painted - began * 1000)
    took.sort()
    return {
        "publishes": publishes,
        "median ms": round(statistics.median(took), 1),
        "p95 ms": round(took[int(len(took) * 0.95)], 1),
        "worst ms": round(took[-1], 1),
    }


def ten_thousand_steps(reader: PageReader, work: Path) -> dict[str, float]:
    """Milliseconds until the page shows its picture, and until a key press has been answered."""
    page = write_page(long_session(Producer(work / "many"), 10_000), work / "many.html")
    opened, pressed = [], []
    for _ in range(3):
        reader.driver.get("about:blank")
        reader.driver.get(page.as_uri())
        ready = reader.until(
            "document.querySelector('#frame img')?.naturalWidth > 0"
            " && document.querySelector('.cell') && performance.now()"
        )
        opened.append(float(ready))
        pressed.append(
            reader.js(
                "const began = performance.now();"
                "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));"
                "return performance.now() - began"
            )
        )
    elements = reader.count("*")
    return {
        "picture ms": round(min(opened)),
        "key press ms": round(min(pressed), 1),
        "elements": elements,
        "page MB": round(page.stat().st_size / 10**6, 1),
    }


def long_watch(work: Path, publishes: int) -> dict[str, float]:
    """The server's memory in MB after a quarter, a half and all of the publishes."""
    producer = Producer(work / "long-watch")
    producer.seven_steps()
    memory: dict[int, float] = {}
    with served(producer.session) as (url, pid):
        over = threading.Event()
        clients = [
            threading.Thread(target=_reconnect, args=(url, over), daemon=True)
            for _ in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        for number in range(publishes):
            publish(producer, number, png((number % 256, 80, 160)))
            for step in producer.steps[:-KEPT_STEPS]:
                shutil.rmtree(producer.folder(step["bundle_id"]), ignore_errors=True)
            producer.steps = producer.steps[-KEPT_STEPS:]
            if number + 1 in {publishes // 4, publishes // 2, publishes}:
                memory[number + 1] = psutil.Process(pid).memory_info().rss / 10**6
        over.set()
        for client in clients:
            client.join(10)
        threads = psutil.Process(pid).num_threads()
    told = {f"MB after {number:,}": round(size, 1) for number, size in memory.items()}
    first, *_, last = memory.values()
    return {**told, "growth": round(last / first, 3), "threads left": threads}


def _reconnect(url: str, over: threading.Event) -> None:
    """A page that loses its connection all the time: connects, reads a little, is gone."""
    parts = urlsplit(url)
    request = f"GET {parts.path}events HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
    while not over.is_set():
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10) as line:
            line.sendall(request)
            line.recv(65536)
            over.wait(0.25)


def measure(publishes: int, long: int) -> dict[str, dict[str, float]]:
    """What was asked for; nothing where the number is 0. The load is that of the whole machine."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="preview-live-") as name:
        work = Path(name)
        with page_reader(work / "chromium") as reader:
            if publishes:
                found["publish → pixels"] = publish_to_pixels(reader, work, publishes)
                found["publish → pixels"]["load"] = round(os.getloadavg()[0], 1)
            found["10,000 steps"] = ten_thousand_steps(reader, work)
        if long:
            found["memory of the server"] = long_watch(work, long)
    return found


def missed(found: dict[str, dict[str, Any]]) -> list[str]:
    """What is not as promised."""
    limits = (
        ("publish → pixels", "p95 ms", 150),
        ("10,000 steps", "picture ms", 1000),
        ("memory of the server", "growth", 1.15),
    )
    return [
        f"{title}: {name} is {found[title][name]:g}, wanted below {limit}"
        for title, name, limit in limits
        if title in found and found[title][name] >= limit
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--publishes", type=int, default=200, help="0: leave it out")
    parser.add_argument("--long", type=int, default=2000, help="of the long watch; 0: leave it out")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    asked = parser.parse_args()
    found = measure(asked.publishes, asked.long)
    if asked.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        for title, row in found.items():
            print(f"{title:24}" + "  ".join(f"{name} {value:g}" for name, value in row.items()))
    for each in missed(found):
        print(f"missed: {each}", file=sys.stderr)
    return 1 if missed(found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
