// The enlarged picture: zoom with the wheel, + and −, drag to move, ← → through the gallery.

const lightbox = { pictures: [], at: 0, zoom: 1, x: 0, y: 0 };

function openLightbox(pictures, at) {
  Object.assign(lightbox, { pictures, at, zoom: 1, x: 0, y: 0 });
  drawLightbox();
  const dialog = byId("lightbox");
  if (!dialog.open) dialog.showModal();
}

function drawLightbox() {
  const picture = lightbox.pictures[lightbox.at];
  const image = el("img", { src: address(picture), alt: picture.label, draggable: "false" });
  const field = el("div", { class: "field" }, image);
  const many = lightbox.pictures.length > 1;
  fill(byId("lightbox"),
    el("div", { class: "bar" },
      el("span", null, picture.label, " ", el("small", null, measure(picture))),
      el("span", { class: "tools" },
        many ? button("Previous picture", { onclick: () => turn(-1) }, "←") : null,
        many ? button("Next picture", { onclick: () => turn(1) }, "→") : null,
        button("Smaller", { onclick: () => zoomTo(lightbox.zoom / 1.4) }, "−"),
        button("Fit", { onclick: () => zoomTo(1) }, "fit"),
        button("Larger", { onclick: () => zoomTo(lightbox.zoom * 1.4) }, "+"),
        button("Close", { onclick: () => byId("lightbox").close() }, "close"))),
    field);
  field.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomTo(lightbox.zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
  }, { passive: false });
  field.addEventListener("pointerdown", startDrag);
  image.addEventListener("dblclick", () => zoomTo(lightbox.zoom > 1 ? 1 : 3));
  place();
}

function turn(by) {
  const count = lightbox.pictures.length;
  Object.assign(lightbox, { at: (lightbox.at + by + count) % count, zoom: 1, x: 0, y: 0 });
  drawLightbox();
}

function zoomTo(zoom) {
  lightbox.zoom = Math.min(16, Math.max(1, zoom));
  if (lightbox.zoom === 1) { lightbox.x = 0; lightbox.y = 0; }
  place();
}

function place() {
  const image = byId("lightbox").querySelector("img");
  if (!image) return;
  image.style.transform = `translate(${lightbox.x}px, ${lightbox.y}px) scale(${lightbox.zoom})`;
  image.classList.toggle("pixels", lightbox.zoom >= 3);
}

function startDrag(event) {
  const from = { x: event.clientX - lightbox.x, y: event.clientY - lightbox.y };
  const field = event.currentTarget;
  field.setPointerCapture(event.pointerId);
  const move = (now) => { lightbox.x = now.clientX - from.x; lightbox.y = now.clientY - from.y; place(); };
  const end = () => { field.removeEventListener("pointermove", move); field.removeEventListener("pointerup", end); };
  field.addEventListener("pointermove", move);
  field.addEventListener("pointerup", end);
}

function lightboxKey(event) {
  const action = {
    ArrowLeft: () => lightbox.pictures.length > 1 && turn(-1),
    ArrowRight: () => lightbox.pictures.length > 1 && turn(1),
    "+": () => zoomTo(lightbox.zoom * 1.4),
    "=": () => zoomTo(lightbox.zoom * 1.4),
    "-": () => zoomTo(lightbox.zoom / 1.4),
    0: () => zoomTo(1),
  }[event.key];
  if (action) { event.preventDefault(); action(); }
}
