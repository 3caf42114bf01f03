"""The whole loop on this machine: from a capability in words to a picture of what was made.

Each stage is one of the hub's own promises, asked for the way an agent would ask: nothing here
knows more about the harness than its registry entry, its manifest and its answers say.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli_hub.config import Settings
from cli_hub.errors import CapabilityGap, CommandFailed, HubError, RequirementMissing
from cli_hub.install import application, batch
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.macros.dispatch import RUNTIME, MacroRunner
from cli_hub.paths import Paths
from cli_hub.previews.page import write_page
from cli_hub.registry.entry import Entry
from cli_hub.registry.index import open_index
from cli_hub.registry.matching import Filters
from cli_hub.registry.resolve import resolve
from cli_hub.registry.search import search
from cli_hub.runs.dispatch import Dispatcher
from cli_hub.runs.record import RunRecord
from cli_hub.skills.installed import require_skill

STAGES = ("search", "install", "skill", "application", "macro", "verify", "preview", "page")
CAPABILITY = "edit video titles"
MACRO = "ffmpeg/title_clip"
DURATION = 4.0
SIZE = (1280, 720)
FPS = 30


@dataclass(slots=True)
class Stage:
    """One stage of the loop: what it is called, how long it took, and what it found out."""

    name: str
    seconds: float = 0.0
    summary: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "seconds": round(self.seconds, 3),
            "summary": self.summary,
            **self.facts,
        }


@dataclass(slots=True)
class Outcome:
    """What the loop left behind: paths of the video, the bundle and the page, and the run's id."""

    stages: list[Stage] = field(default_factory=list)
    artifact: Path = Path()
    bundle: Path = Path()
    html: Path = Path()
    run: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "stages": [stage.as_document() for stage in self.stages],
            "artifact": str(self.artifact),
            "bundle": str(self.bundle),
            "html": str(self.html),
            "run": self.run,
        }


OnStage = Callable[[int, Stage], None]
"""Called with the stage's number, before it starts (no summary yet) and when it is done."""


class Quickstart:
    """Runs the loop once, leaving its results in *folder* and nothing else outside the hub."""

    def __init__(
        self,
        paths: Paths,
        settings: Settings,
        installer: Installer,
        folder: Path,
        on_stage: OnStage,
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._installer = installer
        self._dispatcher = Dispatcher(paths)
        self._folder = folder
        self._on_stage = on_stage
        self._outcome = Outcome()

    def run(self) -> Outcome:
        """Go through all stages. Raises what a stage raises; the later ones then do not run."""
        with self._stage("search") as stage:
            entry, runtime = self._find(stage)
        with self._stage("install") as stage:
            harness = self._install(stage, entry, runtime)
        with self._stage("skill") as stage:
            skill = require_skill(harness)
            stage.summary = f"{skill.name}: {len(skill.body.splitlines())} lines for the agent"
            stage.facts = {"path": str(skill.path)}
        with self._stage("application") as stage:
            self._find_application(stage, harness)
        with self._stage("macro") as stage:
            project = self._run_macro(stage)
        with self._stage("verify") as stage:
            self._verify(stage, harness)
        with self._stage("preview") as stage:
            self._publish(stage, harness, project)
        with self._stage("page") as stage:
            self._outcome.html = write_page(self._outcome.bundle, self._folder / "preview.html")
            stage.summary = str(self._outcome.html)
        return self._outcome

    @contextmanager
    def _stage(self, name: str) -> Iterator[Stage]:
        stage = Stage(name)
        number = len(self._outcome.stages) + 1
        self._on_stage(number, stage)
        began = time.monotonic()
        try:
            yield stage
        except HubError as problem:
            problem.details["stage"] = name
            raise
        stage.seconds = time.monotonic() - began
        self._outcome.stages.append(stage)
        self._on_stage(number, stage)

    def _find(self, stage: Stage) -> tuple[Entry, Entry]:
        """The best installable harness with macros for the capability, and the macro runtime."""
        index = open_index(self._paths, self._settings)
        hits = search(index, CAPABILITY, filters=Filters(kind="harness", installable=True))
        for hit in hits:
            entry = resolve(f"{hit.source}/{hit.name}", index)
            if entry.macros and entry.recipes:
                stage.summary = (
                    f"“{CAPABILITY}” → {entry.display_name} ({entry.address}, {hit.score:.2f})"
                )
                stage.facts = {"query": CAPABILITY, "entry": entry.address, "score": hit.score}
                return entry, resolve(RUNTIME, index)
        raise CapabilityGap(
            f"no harness of the registry can {CAPABILITY} with macros and previews",
            hint="unset CLI_HUB_REGISTRY to use the embedded registry",
        )

    def _install(self, stage: Stage, *entries: Entry) -> Installed:
        """Install the harness and the runtime side by side; returns the harness."""
        wanted = {entry.name: entry for entry in entries}

        def install(name: str) -> batch.Outcome:
            plan = self._installer.plan(wanted[name])
            return batch.Outcome(name, batch.OF_ACTION[plan.action], self._installer.install(plan))

        outcomes = batch.for_each(list(wanted), install, interrupt=self._installer.interrupt)
        for outcome in outcomes:
            if outcome.problem is not None:
                raise outcome.problem
        stage.summary = ", ".join(f"{each.name} {each.status}" for each in outcomes)
        stage.facts = {"installed": [outcome.as_document() for outcome in outcomes]}
        return self._installer.find(entries[0].name)

    def _find_application(self, stage: Stage, harness: Installed) -> None:
        findings = application.probe(harness)
        for finding in findings:
            if finding.blocks:
                raise RequirementMissing(
                    f"{harness.name} needs {finding.name}, which is not here", hint=finding.hint
                )
        stage.summary = ", ".join(
            f"{each.name} {each.version} at {each.path}" for each in findings if each.found
        )
        stage.facts = {"findings": [finding.as_document() for finding in findings]}

    def _run_macro(self, stage: Stage) -> Path:
        """Run the macro; returns the project that it made the artifact from."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._outcome.artifact = self._folder / "title.mp4"
        width, height = SIZE
        parameters = {
            "output": str(self._outcome.artifact),
            "title": "Hello from CLI-Hub",
            "subtitle": "one command, one verified file",
            "duration": f"{DURATION:g}",
            "width": str(width),
            "height": str(height),
            "fps": str(FPS),
        }
        runner = MacroRunner(self._paths, self._installer.installed(), self._dispatcher)
        answer = runner.ask("run", MACRO, [f"{name}={value}" for name, value in parameters.items()])
        self._outcome.run = answer.record.id
        if answer.exit_code:
            error = answer.document.get("error") or {}
            raise _failure(answer.record, str(error.get("message", "")), str(error.get("hint", "")))
        steps = answer.document["steps"]
        stage.summary = f"{MACRO}: {len(steps)} steps, {answer.document['status']}"
        stage.facts = {"macro": MACRO, "parameters": parameters, "steps": steps}
        return Path(str(answer.document["output"]["project"]["path"]))

    def _verify(self, stage: Stage, harness: Installed) -> None:
        """Ask the harness what the file is, and hold that against what was wanted."""
        found = self._ask(harness, "media", "probe", str(self._outcome.artifact))
        problems = list(differences(found))
        if problems:
            raise HubError(
                f"{self._outcome.artifact} is not what was asked for: {'; '.join(problems)}",
                hint=f"cli-hub runs show {self._outcome.run}",
                details={"found": found},
            )
        stage.summary = "size, frame rate and duration are what was asked for"
        stage.facts = {"found": found}

    def _publish(self, stage: Stage, harness: Installed, project: Path) -> None:
        published = self._ask(
            harness, "--project", str(project), "preview", "capture", "--recipe", "quick"
        )
        self._outcome.bundle = Path(str(published["bundle_dir"]))
        stage.summary = f"{published['status']}: {self._outcome.bundle.name}"
        stage.facts = {"bundle": str(self._outcome.bundle)}

    def _ask(self, harness: Installed, *arguments: str) -> Mapping[str, Any]:
        """One JSON answer of the harness, recorded as a run."""
        record = self._dispatcher.run(harness, (*arguments, "--json"), cwd=self._folder)
        try:
            document = json.loads(record.stdout)
        except ValueError:
            document = None
        if record.exit_code or not isinstance(document, dict):
            raise _failure(record)
        return document


def differences(found: Mapping[str, Any]) -> Iterator[str]:
    """What of a probed file differs from what the quickstart asked for, to within a frame."""
    video = found.get("video") or {}
    if (video.get("width"), video.get("height")) != SIZE:
        yield f"its size is {video.get('width')}x{video.get('height')}, not {SIZE[0]}x{SIZE[1]}"
    if abs(float(video.get("fps") or 0) - FPS) > 0.01:
        yield f"its frame rate is {video.get('fps')}, not {FPS}"
    duration = float(found.get("duration_s") or 0)
    if abs(duration - DURATION) > 1 / FPS:
        yield f"it lasts {duration:.3f} s, not {DURATION:g} s"


def _failure(record: RunRecord, message: str = "", hint: str = "") -> HubError:
    return CommandFailed(
        " ".join(record.argv),
        exit_code=record.exit_code,
        output=message or record.stderr or record.stdout,
        hint=hint or f"cli-hub runs show {record.id}",
    )
