// Building elements. Text is always set as text; attributes come from this code, never from data
// alone, and addresses pass through `address` first.

function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else if (value === true) node.setAttribute(key, "");
    else node.setAttribute(key, String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter(Boolean));
  return node;
}

function byId(id) {
  return document.getElementById(id);
}

// Relative links and embedded pictures only: a scheme that could run something is dropped.
function address(artifact) {
  const source = artifact.src || "";
  const embedded = /^data:(image|video|audio)\/[a-z0-9.+-]+;base64,/i.test(source);
  return embedded || /^(\.{1,2}\/|\/|\?)/.test(source) ? source : "";
}

function bytesText(count) {
  if (count === undefined || count === null) return "";
  let amount = count;
  for (const unit of ["B", "KB", "MB"]) {
    if (amount < 1000) return `${unit === "B" || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${unit}`;
    amount /= 1000;
  }
  return `${amount.toFixed(1)} GB`;
}

function measure(artifact) {
  const parts = [];
  if (artifact.w) parts.push(`${artifact.w} × ${artifact.h}`);
  if (artifact.seconds) parts.push(`${artifact.seconds.toFixed(1)} s`);
  if (artifact.bytes !== null) parts.push(bytesText(artifact.bytes));
  return parts.join(" · ");
}

function timeText(iso) {
  const when = new Date(iso);
  return Number.isNaN(when.getTime()) ? iso : `${when.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const MARKS = { ok: "✓", partial: "!", error: "✕", unknown: "·" };
const WORDS = { ok: "ok", partial: "partial", error: "failed", active: "active", stopped: "stopped", unknown: "no status" };

function badge(status, text) {
  const known = Object.hasOwn(WORDS, status) ? status : "unknown";
  const mark = MARKS[known];
  return el("span", { class: `badge ${known}` }, mark ? el("i", { "aria-hidden": "true" }, mark) : null, text || WORDS[known]);
}

function button(label, attributes, ...content) {
  return el("button", { type: "button", title: label, "aria-label": label, ...attributes }, ...content);
}

async function copyText(text, from) {
  const label = from.textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may have no clipboard: select the text so that a key press copies it.
    done = false;
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" }, text);
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    from.focus();
  }
  from.textContent = done ? "copied" : "press Ctrl+C";
  setTimeout(() => { from.textContent = label; }, 1200);
}
