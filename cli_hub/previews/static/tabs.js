// Everything the bundle holds: gallery, clips, models, data, files.

function drawParts() {
  const bundle = bundleOf(stepAt(state.at));
  const parts = [
    ["gallery", "Gallery", partOf(bundle, "image"), gallery],
    ["clip", "Clip", partOf(bundle, "clip", "sound"), clips],
    ["solid", "3D", partOf(bundle, "model"), (items) => items.map(viewer)],
    ["page", "Pages", partOf(bundle, "page"), pages],
    ["data", "Data", partOf(bundle, "json", "text"), data],
    ["files", "Files", bundle.artifacts, files],
  ].filter(([name, , items]) => items.length || (name === "data" && bundle.details));
  const box = byId("parts");
  box.hidden = !parts.length;
  if (!parts.length) return;
  const open = parts.find(([name]) => name === state.tab) || parts[0];
  const tabs = parts.map(([name, title, items]) => el("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === open[0]), "aria-controls": "panel", tabindex: name === open[0] ? "0" : "-1",
    onclick: () => { state.tab = name; drawParts(); byId(`tab-${name}`).focus(); },
  }, title, items.length ? el("small", null, String(items.length)) : null));
  const panel = el("div", { class: `panel ${open[0]}`, id: "panel", role: "tabpanel", "aria-labelledby": `tab-${open[0]}`, tabindex: "0" }, open[3](open[2], bundle));
  fill(box, el("div", { class: "tabs", role: "tablist", "aria-label": "Artifacts", onkeydown: (event) => tabKey(event, parts, open[0]) }, tabs), panel);
}

function tabKey(event, parts, now) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const names = parts.map(([name]) => name);
  state.tab = names[(names.indexOf(now) + by + names.length) % names.length];
  drawParts();
  byId(`tab-${state.tab}`).focus();
}

function gallery(items) {
  const pictures = items.filter(address);
  return items.map((picture) => el("figure", null,
    address(picture)
      ? button(`Enlarge ${picture.label}`, { class: "thumb", onclick: () => openLightbox(pictures, pictures.indexOf(picture)) }, el("img", { src: address(picture), alt: picture.label, loading: "lazy", width: picture.w, height: picture.h }))
      : el("p", { class: "gone" }, "not here"),
    el("figcaption", null, picture.label, el("small", null, measure(picture)))));
}

function clips(items) {
  return items.map((clip) => el("figure", null,
    address(clip)
      ? el(clip.show === "clip" ? "video" : "audio", { src: address(clip), controls: true, preload: "metadata", "aria-label": clip.label })
      : el("p", { class: "gone" }, "not here"),
    el("figcaption", null, clip.label, el("small", null, measure(clip)))));
}

// Documents that may carry script are shown in a frame that lets nothing run.
function pages(items) {
  return items.map((page) => el("figure", null,
    address(page)
      ? el("iframe", { sandbox: "", src: address(page), title: page.label, referrerpolicy: "no-referrer" })
      : el("p", { class: "gone" }, "not here"),
    el("figcaption", null, page.label, el("small", null, "shown without scripts"))));
}

function data(items, bundle) {
  const blocks = items.map((item) => el("section", { class: "datum" }, el("h3", null, item.label, el("small", null, measure(item))), datum(item)));
  if (bundle.details) {
    blocks.push(el("section", { class: "datum" }, el("h3", null, "About this bundle"), el("ul", { class: "tree" }, Object.entries(bundle.details).map(([name, value]) => tree(value, name, false)))));
  }
  return blocks;
}

const FETCHED_TEXT = 256 * 1024;

// On a live page small texts are fetched when they are looked at.
function fetchText(item) {
  const box = el("div", null, el("p", { class: "quiet" }, "…"));
  fetch(address(item))
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`the server said ${answer.status}`))))
    .then((text) => { item.text = text; fill(box, datum(item)); })
    .catch((problem) => fill(box, el("p", { class: "quiet" }, `${item.path} could not be read: ${problem.message}`)));
  return box;
}

function datum(item) {
  if (item.text === undefined && document.body.dataset.live === "yes" && address(item) && item.bytes <= FETCHED_TEXT) return fetchText(item);
  if (item.text === undefined) return el("p", { class: "quiet" }, item.missing ? "not here: " : "Too large to show here: ", el("code", null, item.path));
  if (item.show === "json") {
    try {
      return el("ul", { class: "tree" }, tree(JSON.parse(item.text), undefined, true));
    } catch (problem) {
      return el("div", null, el("p", { class: "quiet" }, `Not valid JSON: ${problem.message}`), el("pre", { tabindex: "0" }, item.text));
    }
  }
  return el("pre", { tabindex: "0" }, item.text);
}

function files(items) {
  const rows = items.map((item) => el("tr", null,
    el("td", null, item.label), el("td", null, item.role || "—"), el("td", null, measure(item)),
    el("td", null, el("code", null, item.path), item.missing ? el("em", { class: "gone" }, " not here") : null)));
  return el("table", null, el("thead", null, el("tr", null, ["Name", "Role", "Size", "File"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", null, rows));
}
