// The history: a strip that only has elements for what is in view, however long it is.

const CELL = 116;
const strip = { box: null, run: null, cells: new Map(), drawn: "" };

function buildHistory() {
  const box = byId("history");
  box.hidden = view.steps.length < 2;
  if (box.hidden) return;
  const scrub = el("input", { type: "range", id: "scrub", min: "0", "aria-label": "Step", oninput: (event) => go(state.shown[Number(event.target.value)]) });
  const play = button("Play", { id: "play", onclick: togglePlay }, "▶");
  const search = el("input", { type: "search", id: "filter", placeholder: "filter steps", "aria-label": "Filter steps by text", oninput: applyFilter });
  const words = [["", "any status"], ["ok", "ok"], ["partial", "partial"], ["error", "failed"]];
  const status = el("select", { id: "status", "aria-label": "Filter steps by status", onchange: applyFilter }, words.map(([value, text]) => el("option", { value }, text)));
  strip.run = el("div", { class: "run", role: "presentation" });
  strip.box = el("div", { class: "strip", id: "strip", role: "listbox", tabindex: "0", "aria-label": "Steps", onscroll: drawStrip }, strip.run);
  fill(box,
    el("div", { class: "transport" },
      el("span", { class: "buttons" }, button("Step back", { onclick: () => move(-1) }, "◀"), play, button("Step forward", { onclick: () => move(1) }, "▶︎")),
      scrub, el("span", { class: "count", id: "count" }), search, status),
    strip.box);
  box.querySelector(".buttons").lastChild.textContent = "▸";
  box.querySelector(".buttons").firstChild.textContent = "◂";
  new ResizeObserver(drawStrip).observe(strip.box);
  applyFilter();
}

function applyFilter() {
  refilter();
  drawHistory();
}

function refilter() {
  const field = byId("filter");
  const words = field ? field.value.trim().toLowerCase().split(/\s+/).filter(Boolean) : [];
  const status = byId("status") ? byId("status").value : "";
  state.shown = [];
  view.steps.forEach((step, index) => {
    if (status && step.status !== status) return;
    if (words.length) {
      const text = `${step.n} ${step.id} ${step.command || ""} ${step.note || ""} ${step.reason || ""} ${bundleOf(step).headline}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return;
    }
    state.shown.push(index);
  });
  strip.drawn = "";
}

function drawHistory() {
  if (!strip.box) return;
  const place = state.shown.indexOf(state.at);
  const scrub = byId("scrub");
  scrub.max = String(Math.max(0, state.shown.length - 1));
  scrub.value = String(Math.max(0, place));
  const step = stepAt(state.at);
  scrub.setAttribute("aria-valuetext", `step ${step.n}, ${WORDS[step.status] || step.status}`);
  const all = view.steps.length;
  const shown = state.shown.length === all ? "" : `${state.shown.length} match · `;
  byId("count").textContent = shown + (all < view.total ? `showing ${all} of ${view.total} steps` : `${all} steps`);
  strip.run.style.width = `${state.shown.length * CELL}px`;
  if (place >= 0) reveal(place);
  drawStrip();
}

function reveal(place) {
  const { box } = strip;
  const left = place * CELL;
  if (left < box.scrollLeft || left + CELL > box.scrollLeft + box.clientWidth) {
    box.scrollLeft = Math.max(0, left - (box.clientWidth - CELL) / 2);
  }
}

function drawStrip() {
  const { box, run, cells } = strip;
  const first = Math.max(0, Math.floor(box.scrollLeft / CELL) - 3);
  const last = Math.min(state.shown.length, Math.ceil((box.scrollLeft + box.clientWidth) / CELL) + 3);
  const drawn = `${first} ${last} ${state.at} ${state.shown.length}`;
  if (drawn === strip.drawn) return;
  strip.drawn = drawn;
  const wanted = new Set();
  for (let place = first; place < last; place += 1) {
    const index = state.shown[place];
    wanted.add(index);
    const old = cells.get(index);
    const look = lookOf(index);
    if (!old || old.look !== look) {
      const made = Object.assign(cell(index), { look });
      cells.set(index, made);
      if (old) old.replaceWith(made);
      else run.append(made);
    }
    cells.get(index).style.transform = `translateX(${place * CELL}px)`;
    cells.get(index).setAttribute("aria-selected", String(index === state.at));
  }
  for (const [index, node] of cells) if (!wanted.has(index)) { node.remove(); cells.delete(index); }
  if (cells.has(state.at)) box.setAttribute("aria-activedescendant", `cell-${stepAt(state.at).n}`);
  else box.removeAttribute("aria-activedescendant");
}

// All that a cell shows: a cell of the same look is kept, so that its picture is not decoded again.
function lookOf(index) {
  const step = stepAt(index);
  const picture = pictureOf(bundleOf(step));
  return JSON.stringify([step, picture ? address(picture).slice(0, 2000) : ""]);
}

function cell(index) {
  const step = stepAt(index);
  const picture = pictureOf(bundleOf(step));
  const known = Object.hasOwn(MARKS, step.status) ? step.status : "unknown";
  const inner = picture
    ? el("img", { src: address(picture), alt: "", decoding: "async" })
    : el("span", { class: "blank", "aria-hidden": "true" }, MARKS[known]);
  const words = [WORDS[known], step.took, step.attempt ? `attempt ${step.attempt}` : "", step.cached ? "unchanged" : ""].filter(Boolean).join(", ");
  return el("div", { class: `cell ${known}${step.cached ? " cached" : ""}`, id: `cell-${step.n}`, role: "option", "aria-label": `Step ${step.n}, ${words}`, title: step.command || step.id, onclick: () => go(index) },
    inner, el("span", { class: "foot-line" }, el("b", null, String(step.n)), step.attempt ? el("small", null, `try ${step.attempt}`) : null, el("i", { "aria-hidden": "true" }, MARKS[known])));
}

function move(by) {
  if (!state.shown.length) return;
  const place = state.shown.indexOf(state.at);
  const next = place < 0 ? nearest(by) : place + by;
  if (next >= 0 && next < state.shown.length) go(state.shown[next]);
}

function nearest(by) {
  const after = state.shown.findIndex((index) => index > state.at);
  if (by > 0) return after;
  return (after < 0 ? state.shown.length : after) - 1;
}

function togglePlay() {
  if (state.playing) return stopPlay();
  if (state.at === state.shown[state.shown.length - 1]) go(state.shown[0]);
  state.playing = setInterval(() => {
    if (state.at === state.shown[state.shown.length - 1]) stopPlay();
    else move(1);
  }, 900);
  drawPlay();
}

function stopPlay() {
  clearInterval(state.playing);
  state.playing = null;
  drawPlay();
}

function drawPlay() {
  const play = byId("play");
  if (!play) return;
  play.textContent = state.playing ? "❚❚" : "▶";
  const label = state.playing ? "Pause" : "Play";
  play.setAttribute("aria-label", label);
  play.title = label;
}
