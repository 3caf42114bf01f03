// A page served by `watch`: changes arrive as server-sent events and are drawn at once.

const PAGE_STEPS = 10000;

function connect() {
  if (document.body.dataset.live !== "yes") return;
  const source = new EventSource(`./events?v=${view.version}`);
  source.addEventListener("open", () => setConnection("live"));
  source.addEventListener("error", () => setConnection("lost"));
  source.addEventListener("patch", (event) => receive(JSON.parse(event.data), true));
  source.addEventListener("view", (event) => receive(JSON.parse(event.data), false));
}

function setConnection(word) {
  state.connection = word === "live" ? "live" : "connection lost, last known state";
  state.link = word;
  drawChips();
}

function receive(fresh, isPatch) {
  const following = state.at >= view.steps.length - 1;
  const number = view.steps.length ? stepAt(state.at).n : 0;
  const steps = isPatch ? merged(fresh.steps, fresh.first) : fresh.steps;
  const bundles = isPatch ? { ...view.bundles, ...fresh.bundles } : fresh.bundles;
  Object.assign(view, fresh, { steps, bundles });
  forget();
  const index = indexOfNumber(number);
  state.at = following || index < 0 ? Math.max(0, view.steps.length - 1) : index;
  if (!strip.box && view.steps.length > 1) buildHistory();
  else refilter();
  draw();
  if (following && view.steps.length) history.replaceState(null, "", `#step-${stepAt(state.at).n}`);
}

function merged(fresh, first) {
  const steps = view.steps.filter((step) => step.n >= first || view.steps.length < PAGE_STEPS);
  for (const step of fresh) {
    const index = indexOfNumber(step.n);
    const known = index >= 0 ? steps.findIndex((old) => old.n === step.n) : -1;
    if (known >= 0) steps[known] = step;
    else steps.push(step);
  }
  return steps.slice(-PAGE_STEPS);
}

// Bundles that no step shows any more are let go.
function forget() {
  if (Object.keys(view.bundles).length <= PAGE_STEPS) return;
  const used = new Set(view.steps.map((step) => step.bundle));
  for (const id of Object.keys(view.bundles)) if (!used.has(id)) delete view.bundles[id];
}
