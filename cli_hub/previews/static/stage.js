// The large picture, and two of them under a slider when comparing.

function drawStage() {
  const step = stepAt(state.at);
  const bundle = bundleOf(step);
  const pair = bundle.kind === "diff" || state.compare ? comparison(step, bundle) : null;
  const frame = byId("frame");
  const caption = byId("caption");
  const picture = pictureOf(bundle);
  if (picture && picture.w) frame.style.setProperty("--shape", `${picture.w} / ${picture.h}`);
  frame.classList.toggle("comparing", Boolean(pair));
  if (pair) {
    fill(frame, slider(pair));
    fill(caption, `${pair.beforeName} │ ${pair.afterName}`);
  } else if (picture) {
    showPicture(frame, picture, bundle);
    fill(caption, picture.label, " ", el("small", null, measure(picture)));
  } else {
    fill(frame, instead(step, bundle));
    fill(caption, "");
  }
  drawTools(step);
}

// The old picture stays until the new one is decoded, so stepping does not flicker.
function showPicture(frame, picture, bundle) {
  const pictures = partOf(bundle, "image").filter(address);
  const source = address(picture);
  const image = el("img", { alt: picture.label, width: picture.w, height: picture.h });
  const open = button("Enlarge the picture", { class: "picture", onclick: () => openLightbox(pictures, Math.max(0, pictures.indexOf(picture))) }, image);
  frame.dataset.wanted = source;
  image.addEventListener("error", () => {
    if (frame.dataset.wanted === source) fill(frame, el("p", { class: "instead" }, `${picture.path} could not be shown.`));
  });
  image.src = source;
  const present = () => { if (frame.dataset.wanted === source) fill(frame, open); };
  if (frame.querySelector(".picture")) image.decode().then(present, () => {});
  else present();
}

function instead(step, bundle) {
  byId("frame").dataset.wanted = "";
  const clip = partOf(bundle, "clip").find(address);
  if (clip) return el("video", { src: address(clip), controls: true, preload: "metadata", "aria-label": clip.label });
  if (!step) return el("p", { class: "instead" }, "Nothing has been published yet.");
  if (step.status === "error") return el("p", { class: "instead error" }, "✕ This step failed and left no picture.");
  return el("p", { class: "instead" }, bundle === NOTHING ? "The bundle of this step is not here." : "This preview has no picture.");
}

function comparison(step, bundle) {
  const inside = { before: bundle.artifacts.find((a) => a.role === "before" && address(a)), after: bundle.artifacts.find((a) => a.role === "after" && address(a)) };
  if (inside.before && inside.after) return { ...inside, beforeName: inside.before.label, afterName: inside.after.label };
  const index = state.against === null ? earlierWithPicture(state.at) : indexOfNumber(state.against);
  const before = index >= 0 ? pictureOf(bundleOf(stepAt(index))) : null;
  const after = pictureOf(bundle);
  if (!before || !after) return null;
  return { before, after, beforeName: `step ${stepAt(index).n}`, afterName: `step ${step.n}` };
}

function slider(pair) {
  byId("frame").dataset.wanted = "";
  const top = el("img", { src: address(pair.after), alt: pair.afterName, class: "over" });
  const line = el("span", { class: "line", "aria-hidden": "true" });
  const range = el("input", { type: "range", min: "0", max: "100", value: "50", class: "split", "aria-label": `Before and after: ${pair.beforeName}, ${pair.afterName}` });
  const split = () => {
    top.style.clipPath = `inset(0 0 0 ${range.value}%)`;
    line.style.left = `${range.value}%`;
  };
  range.addEventListener("input", split);
  split();
  return el("div", { class: "pair" }, el("img", { src: address(pair.before), alt: pair.beforeName }), top, line,
    el("span", { class: "tag left" }, pair.beforeName), el("span", { class: "tag right" }, pair.afterName), range);
}

function drawTools(step) {
  const tools = [];
  if (view.steps.length > 1 && step) {
    tools.push(el("button", { type: "button", "aria-pressed": String(state.compare), onclick: toggleCompare }, "compare"));
  }
  if (state.compare && view.steps.length > 1) {
    const before = state.against === null ? earlierWithPicture(state.at) : indexOfNumber(state.against);
    tools.push(el("label", { class: "against" }, "with step ", el("input", {
      type: "number", min: view.steps[0].n, max: stepAt(view.steps.length - 1).n, value: before >= 0 ? stepAt(before).n : "", id: "against",
      onchange: (event) => { state.against = event.target.value === "" ? null : Number(event.target.value); drawStage(); },
    })));
  }
  fill(byId("tools"), tools);
}

function toggleCompare() {
  state.compare = !state.compare;
  state.against = null;
  drawStage();
}
