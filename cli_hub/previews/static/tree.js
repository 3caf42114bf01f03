// JSON as a tree that opens level by level; children are built when first opened.

const TREE_ROWS = 200;

function tree(value, label, open) {
  if (value === null || typeof value !== "object") return leaf(value, label);
  const entries = Object.entries(value);
  const list = Array.isArray(value);
  if (!entries.length) return leaf(list ? "[ ]" : "{ }", label, "empty");
  const size = list ? `${entries.length} items` : `${entries.length} fields`;
  const inner = el("ul", { class: "tree" });
  const details = el("details", { open: Boolean(open) },
    el("summary", null, label === undefined ? null : el("span", { class: "key" }, label), el("span", { class: "size" }, size)), inner);
  const build = () => {
    if (inner.childElementCount) return;
    growTree(inner, entries, 0);
  };
  details.addEventListener("toggle", () => details.open && build());
  if (open) build();
  return el("li", null, details);
}

function growTree(inner, entries, from) {
  const part = entries.slice(from, from + TREE_ROWS);
  inner.append(...part.map(([key, child]) => tree(child, key, false)));
  const left = entries.length - from - part.length;
  if (left > 0) {
    const more = el("li", null, el("button", { type: "button", class: "more", onclick: () => { more.remove(); growTree(inner, entries, from + TREE_ROWS); } }, `${left} more`));
    inner.append(more);
  }
}

function leaf(value, label, kind) {
  const type = kind || (value === null ? "null" : typeof value);
  return el("li", { class: "leaf" },
    label === undefined ? null : el("span", { class: "key" }, label),
    el("span", { class: `value ${type}` }, String(value)));
}
