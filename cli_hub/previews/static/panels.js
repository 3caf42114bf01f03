// Header chips, notices, facts, and the bar that tells about the step in view.

function drawChips() {
  const step = stepAt(state.at);
  const chips = [];
  if (view.kind === "session") {
    const look = state.link === "lost" ? "lost" : state.link === "live" && view.status === "active" ? "live" : "plain";
    chips.push(el("span", { class: `chip ${look}`, id: "session-state" }, sessionWord()));
    if (step) chips.push(el("span", { class: "chip plain" }, `step ${step.n} of ${view.total}`));
  }
  if (step) chips.push(badge(step.status));
  if (step && step.took) chips.push(el("span", { class: "chip plain" }, step.took));
  fill(byId("chips"), chips);
}

function sessionWord() {
  if (state.link === "lost") return state.connection;
  if (view.status === "stopped") return "stopped";
  if (view.status === "active") return state.connection || "snapshot of an active session";
  return WORDS[view.status] || "unknown";
}

function drawNotices() {
  const step = stepAt(state.at);
  const notices = bundleOf(step).warnings.map((text) => el("p", { class: "notice partial" }, el("i", { "aria-hidden": "true" }, "!"), text));
  if (step && step.status === "error") {
    notices.unshift(el("p", { class: "notice error" }, el("i", { "aria-hidden": "true" }, "✕"), "This step failed."));
  }
  if (view.problems.length) notices.push(problemList());
  fill(byId("notices"), notices);
}

function problemList() {
  const errors = view.problems.filter((problem) => problem.severity === "error").length;
  const title = `${view.problems.length} ${view.problems.length === 1 ? "problem" : "problems"} found while reading`;
  return el("details", { class: `notice ${errors ? "error" : "partial"}`, open: view.problems.length <= 2 },
    el("summary", null, title),
    el("ul", null, view.problems.slice(0, 200).map((problem) => el("li", null, problem.message, " ", el("code", null, problem.where)))));
}

function drawFacts() {
  const bundle = bundleOf(stepAt(state.at));
  const parts = [el("h2", null, bundle.headline || (bundle === NOTHING ? "No preview for this step" : "Preview"))];
  if (bundle.facts.length) {
    parts.push(el("dl", { class: "facts" }, bundle.facts.slice(0, 60).map(([label, value]) =>
      el("div", null, el("dt", null, label), el("dd", null, value)))));
  }
  if (bundle.next.length) {
    parts.push(el("h3", null, "Next"), el("ul", { class: "next" }, bundle.next.map((text) => el("li", null, text))));
  }
  const inner = el("div", { tabindex: "0", role: "group", "aria-label": "Facts" }, parts);
  fill(byId("facts"), inner);
  // Room for the longest facts seen so far; never less again, so that stepping moves nothing.
  state.tall = Math.max(state.tall, inner.scrollHeight + 2);
  byId("facts").style.setProperty("--tall", `${state.tall}px`);
}

function drawMoment() {
  const step = stepAt(state.at);
  const box = byId("moment");
  box.hidden = !step;
  if (!step) return;
  const copy = el("button", { type: "button", class: "copy", onclick: () => copyText(step.exact || step.command, copy) }, "copy");
  const told = [view.kind === "session" ? step.id : null,
    step.attempt ? `attempt ${step.attempt}` : null,
    step.took || null,
    step.when ? timeText(step.when) : null,
    step.reason ? step.reason.replace(/[-_]/g, " ") : null,
    step.cached ? "unchanged, from cache" : null,
    step.note || null].filter(Boolean);
  const changes = changesAt(state.at);
  fill(box,
    step.command ? el("div", { class: "command" }, el("code", { tabindex: "0", title: step.exact }, step.command), copy) : el("p", { class: "quiet" }, "No command was recorded for this step."),
    el("div", { class: "about" },
      el("p", { class: "told" }, told.map((text) => el("span", null, text))),
      changes.length ? el("ul", { class: "changes", "aria-label": "What changed" }, changes.slice(0, 12).map((text) => el("li", null, text))) : null));
}
