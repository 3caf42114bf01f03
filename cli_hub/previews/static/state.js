// The data of the page and where the reader is in it.

const view = JSON.parse(byId("data").textContent);
const state = {
  at: Math.max(0, view.steps.length - 1), // index into view.steps
  shown: [], // indexes that pass the filter
  compare: false,
  against: null, // step number compared with, null for the step before
  playing: null,
  tab: "",
  tall: 0, // pixels the facts need
};
const NOTHING = { artifacts: [], facts: [], warnings: [], next: [], status: "unknown", headline: "" };

function stepAt(index) {
  return view.steps[index];
}

function bundleOf(step) {
  return (step && step.bundle && Object.hasOwn(view.bundles, step.bundle) && view.bundles[step.bundle]) || NOTHING;
}

function pictureOf(bundle) {
  return bundle.artifacts.find((a) => a.show === "image" && a.role === "hero" && address(a))
    || bundle.artifacts.find((a) => a.show === "image" && a.role === "after" && address(a))
    || bundle.artifacts.find((a) => a.show === "image" && address(a))
    || null;
}

function partOf(bundle, ...kinds) {
  return bundle.artifacts.filter((a) => kinds.includes(a.show));
}

function indexOfNumber(number) {
  const first = view.steps.length ? view.steps[0].n : 1;
  const guess = number - first;
  if (guess >= 0 && guess < view.steps.length && view.steps[guess].n === number) return guess;
  return view.steps.findIndex((step) => step.n === number);
}

// The last step before `index` that has a picture of its own.
function earlierWithPicture(index) {
  for (let i = index - 1; i >= 0; i -= 1) {
    if (view.steps[i].bundle !== view.steps[index].bundle && pictureOf(bundleOf(view.steps[i]))) return i;
  }
  return -1;
}

// What is different from the step before, in words.
function changesAt(index) {
  if (index <= 0) return [];
  const now = stepAt(index);
  const before = stepAt(index - 1);
  if (!now.bundle || now.bundle === before.bundle) return now.bundle ? ["nothing changed"] : [];
  const [newer, older] = [bundleOf(now), bundleOf(before)];
  if (newer === NOTHING || older === NOTHING) return [];
  const was = new Map(older.facts);
  const changes = [];
  for (const [label, value] of newer.facts) {
    if (!was.has(label)) changes.push(`${label}: ${value}`);
    else if (was.get(label) !== value) changes.push(`${label} ${was.get(label)} → ${value}`);
  }
  const names = (bundle) => new Map(bundle.artifacts.map((a) => [a.id, a]));
  const [has, had] = [names(newer), names(older)];
  for (const [id, artifact] of has) if (!had.has(id)) changes.push(`new: ${artifact.label}`);
  for (const [id, artifact] of had) if (!has.has(id)) changes.push(`gone: ${artifact.label}`);
  const redrawn = [...has].filter(([id, a]) => had.has(id) && had.get(id).bytes !== a.bytes);
  if (redrawn.length) changes.push(`${redrawn.length} of ${has.size} artifacts redone`);
  return changes;
}
