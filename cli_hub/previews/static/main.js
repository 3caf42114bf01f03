// Putting it together: drawing a step, the address bar, the keyboard.

function go(index) {
  if (index === undefined || index < 0 || index >= view.steps.length) return;
  state.at = index;
  history.replaceState(null, "", `#step-${stepAt(index).n}`);
  draw();
}

function draw() {
  drawChips();
  drawNotices();
  drawStage();
  drawFacts();
  drawMoment();
  drawHistory();
  drawParts();
}

function fromAddress() {
  const found = /^#step-(\d{1,9})$/.exec(location.hash);
  if (!found) return false;
  const index = indexOfNumber(Number(found[1]));
  if (index >= 0) state.at = index;
  return index >= 0;
}

const KEYS = {
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  Home: () => go(state.shown[0]),
  End: () => go(state.shown[state.shown.length - 1]),
  " ": () => view.steps.length > 1 && togglePlay(),
  c: () => view.steps.length > 1 && toggleCompare(),
  "/": () => byId("filter") && byId("filter").focus(),
  Enter: () => { const picture = document.querySelector(".picture"); if (picture) picture.click(); },
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (byId("lightbox").open) { lightboxKey(event); return; }
  const target = event.target;
  const typing = target.closest("input, select, textarea, [contenteditable]");
  if (typing) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if ((event.key === " " || event.key === "Enter") && target.closest("button, summary, a, video, audio")) return;
  if (target.closest("video, audio")) return;
  const action = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (action) { event.preventDefault(); action(); }
}

function start() {
  byId("desk").hidden = false;
  byId("history").hidden = false;
  byId("foot").textContent = view.updated ? `${view.kind === "session" ? "Session" : "Bundle"} as of ${timeText(view.updated)}` : "";
  state.shown = view.steps.map((_, index) => index);
  fromAddress();
  buildHistory();
  draw();
  document.addEventListener("keydown", onKey);
  connect();
  window.addEventListener("hashchange", () => fromAddress() && draw());
}

start();
