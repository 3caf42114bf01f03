"""Proving entries: each is installed in a throw-away environment and its entry point started.

What cannot be tried without touching the machine (brew, scripts, commands that write anywhere) or
comes with its application is not tried; the reason is recorded instead.
"""

from __future__ import annotations

import json
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cli_hub.digests import sha256_of
from cli_hub.errors import HubError, Interrupted, Offline
from cli_hub.install.crew import Crew
from cli_hub.install.generations import remove_tree
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.room import size_of
from cli_hub.paths import Paths
from cli_hub.registry.entry import Entry
from cli_hub.strategies import Kind, Scope, Uninstallable

PROOF_SECONDS = 600.0
"""How long one installation may take."""
_REASON_LENGTH = 200
_WHERE_NPM_LOGS = "A complete log of this run can be found in"
"""npm's last line, about a file that goes with the throw-away folder."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What came out for one entry. *tried* is false where nothing was installed."""

    address: str
    name: str
    verified: Mapping[str, Any]
    """The ``verified`` object to record; ``reason`` says why it is not proven."""
    tried: bool

    @property
    def proven(self) -> bool:
        return bool(self.verified.get("entry_point"))

    def as_document(self) -> dict[str, Any]:
        return {**asdict(self), "verified": dict(self.verified), "proven": self.proven}


class Prover:
    """Proves entries below a temporary folder, sharing only the caches of the installers."""

    def __init__(
        self,
        paths: Paths,
        *,
        timeout: float = PROOF_SECONDS,
        today: Callable[[], str] = lambda: time.strftime("%Y-%m-%d", time.gmtime()),
    ) -> None:
        self._paths = paths
        self._crew = Crew()
        self._timeout = timeout
        self._today = today

    def prove(self, entry: Entry) -> Proof:
        """Install *entry*, start it, remove it. Raises :class:`Offline` without a network."""
        reason = untried_because(entry)
        if reason:
            return self._unproven(entry, reason, tried=False)
        folder = Path(tempfile.mkdtemp(prefix="cli-hub-proof-"))
        try:
            return self._install(entry, self._home(folder))
        finally:
            remove_tree(folder)

    def interrupt(self) -> None:
        """End what is being proven in other threads; nothing more is proven."""
        self._crew.end()

    def _install(self, entry: Entry, paths: Paths) -> Proof:
        installer = Installer(paths, self._crew, timeout=self._timeout)
        began = time.monotonic()
        try:
            installed = installer.install(installer.plan(entry))
        except (Interrupted, Offline):
            raise  # says nothing about the entry
        except HubError as problem:
            return self._unproven(entry, _short(problem, paths.home), tried=True)
        seconds = round(time.monotonic() - began, 1)
        verified = {
            "version": _version(installed),
            "on": self._today(),
            "entry_point": True,
            "platform": this_platform(),
            "seconds": seconds,
            "size": size_of(installed.generation),
        }
        return Proof(entry.address, entry.name, verified, tried=True)

    def _unproven(self, entry: Entry, reason: str, *, tried: bool) -> Proof:
        verified = {
            "on": self._today(),
            "entry_point": False,
            "platform": this_platform(),
            "reason": reason,
        }
        return Proof(entry.address, entry.name, verified, tried=tried)

    def _home(self, folder: Path) -> Paths:
        """A home of its own, with the download cache of the real one."""
        paths = Paths(folder)
        shared = self._paths.cache / "uv"
        shared.mkdir(parents=True, exist_ok=True)
        paths.cache.mkdir()
        (paths.cache / "uv").symlink_to(shared, target_is_directory=True)
        return paths


def untried_because(entry: Entry) -> str:
    """Why *entry* cannot be tried without touching the machine; empty when it can."""
    install = entry.install
    if isinstance(install, Uninstallable):
        return install.reason
    if install.kind is Kind.BUNDLED:
        return f"{install.needs} comes with its application, which has to be installed by hand"
    if install.consent is not None and install.kind is Kind.NPM:
        return "its package needs its own life-cycle scripts, which run only with consent"
    if install.scope is not Scope.PRIVATE:
        return f"{install.kind.value} installs outside the hub's own directories"
    if install.needs and not shutil.which(install.needs):
        return f"{install.needs} was not there to install it with"
    return ""


def prove_all(
    entries: Iterable[Entry], prover: Prover, journal: Journal, *, jobs: int
) -> Generator[Proof]:
    """Proofs as they come, *jobs* at a time; those in *journal* come first and are not repeated.

    Every proof is in the journal before it is yielded, so an interrupted run can be taken up.
    """
    waiting = []
    for entry in entries:
        done = journal.find(entry)
        if done is not None:
            yield done
        else:
            waiting.append(entry)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        running: dict[Future[Proof], Entry] = {}
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    entry = waiting.pop(0)
                    running[pool.submit(prover.prove, entry)] = entry
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for each in finished:
                    proof = each.result()
                    journal.add(running.pop(each), proof)
                    yield proof
        except BaseException:
            prover.interrupt()
            raise


class Journal:
    """What a run has proven so far: one JSON object a line, so a killed run loses one at most."""

    def __init__(self, file: Path, *, resume: bool) -> None:
        self._file = file
        self._known: dict[str, Proof] = {}
        if not resume:
            file.unlink(missing_ok=True)
        elif file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                self._read(line)

    def find(self, entry: Entry) -> Proof | None:
        return self._known.get(_recipe(entry))

    def add(self, entry: Entry, proof: Proof) -> None:
        self._known[_recipe(entry)] = proof
        line = {
            "recipe": _recipe(entry),
            "address": proof.address,
            "name": proof.name,
            "verified": dict(proof.verified),
            "tried": proof.tried,
        }
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _read(self, line: str) -> None:
        try:
            raw = json.loads(line)
            proof = Proof(raw["address"], raw["name"], raw["verified"], raw["tried"])
            self._known[raw["recipe"]] = proof
        except (ValueError, KeyError, TypeError):
            return  # the line that was being written when the run was killed


def _version(installed: Installed) -> str:
    """The version that is there; an npm package says it in its own ``package.json``."""
    manifest = installed.generation / "lib" / "node_modules" / installed.package / "package.json"
    if not manifest.is_file():
        return installed.version
    found = json.loads(manifest.read_text(encoding="utf-8"))
    return str(found.get("version", installed.version))


def _recipe(entry: Entry) -> str:
    """What a proof holds for: the entry without its proof."""
    said = {key: value for key, value in entry.raw.items() if key != "verified"}
    text = json.dumps([entry.address, said], sort_keys=True, ensure_ascii=False)
    return sha256_of(text)


def this_platform() -> str:
    """``linux-x86_64``, ``macos-arm64``: where something was proven."""
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    return f"{system}-{platform.machine().lower()}"


def _short(problem: HubError, home: Path) -> str:
    """The first telling line of *problem*, without the throw-away folder's name."""
    lines = [line.strip() for line in problem.message.replace(f"{home}/", "").splitlines()]
    output = problem.details.get("output", "").strip().splitlines()
    last = [line for line in output if _WHERE_NPM_LOGS not in line]
    text = lines[0] if lines else problem.code
    if last and last[-1].strip() not in text:
        text = f"{text}: {last[-1].strip()}"
    return text if len(text) <= _REASON_LENGTH else text[: _REASON_LENGTH - 1] + "…"
