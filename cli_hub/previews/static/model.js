// 3D models: binary glTF and STL turned into triangles, drawn with WebGL when something moves.
// Geometry, colours and placement are shown; textures and animation are not.

const TRIANGLE_LIMIT = 2000000;

function viewer(item) {
  const canvas = el("canvas", { class: "model", tabindex: "0", role: "img", "aria-label": `3D model ${item.label}: drag or use the arrow keys to turn it, + and − to zoom` });
  const note = el("p", { class: "quiet" }, "reading the model …");
  const figure = el("figure", { class: "solid" }, canvas, el("figcaption", null, item.label, el("small", null, measure(item))), note);
  modelBytes(item)
    .then((bytes) => {
      const mesh = triangles(bytes, item.path);
      scene(canvas, mesh);
      note.textContent = `${(mesh.positions.length / 9).toLocaleString("en")} triangles`;
    })
    .catch((problem) => { canvas.hidden = true; note.textContent = `${item.path} cannot be shown in 3D: ${problem.message}`; });
  return figure;
}

async function modelBytes(item) {
  if (item.data !== undefined) {
    const text = atob(item.data);
    return Uint8Array.from(text, (char) => char.charCodeAt(0)).buffer;
  }
  if (document.body.dataset.live === "yes" && address(item)) {
    const answer = await fetch(address(item));
    if (!answer.ok) throw new Error(`the server said ${answer.status}`);
    return answer.arrayBuffer();
  }
  throw new Error("it is too large to be part of this page");
}

// {positions, normals, colors}: three numbers a corner, three corners a triangle.
function triangles(buffer, path) {
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, Math.min(5, buffer.byteLength)));
  if (magic.startsWith("glTF")) return fromGlb(buffer);
  if (path.toLowerCase().endsWith(".stl")) return fromStl(buffer, magic);
  throw new Error("the format is not known");
}

function fromStl(buffer, magic) {
  const bytes = new DataView(buffer);
  const count = buffer.byteLength >= 84 ? bytes.getUint32(80, true) : 0;
  if (buffer.byteLength === 84 + count * 50 && count) {
    const positions = new Float32Array(count * 9);
    for (let i = 0; i < count; i += 1) {
      for (let j = 0; j < 9; j += 1) positions[i * 9 + j] = bytes.getFloat32(84 + i * 50 + 12 + j * 4, true);
    }
    return finished(positions, null);
  }
  if (magic !== "solid") throw new Error("the STL file is damaged");
  const numbers = [...new TextDecoder().decode(buffer).matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)].flatMap((m) => [Number(m[1]), Number(m[2]), Number(m[3])]);
  return finished(Float32Array.from(numbers.slice(0, numbers.length - (numbers.length % 9))), null);
}

function fromGlb(buffer) {
  const head = new DataView(buffer);
  const length = head.getUint32(12, true);
  const scene = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  const binary = 20 + length + 8;
  const parts = [];
  const roots = scene.scenes ? scene.scenes[scene.scene || 0].nodes : (scene.nodes || []).map((_, index) => index);
  const walk = (index, above, depth) => {
    const node = scene.nodes[index];
    if (!node || depth > 64) return;
    const here = times(above, localMatrix(node));
    if (node.mesh !== undefined) for (const shape of scene.meshes[node.mesh].primitives) parts.push(primitive(scene, buffer, binary, shape, here));
    for (const child of node.children || []) walk(child, here, depth + 1);
  };
  for (const root of roots || []) walk(root, IDENTITY, 0);
  const total = parts.reduce((sum, part) => sum + part.positions.length, 0);
  const positions = new Float32Array(total);
  const colors = new Float32Array(total);
  let at = 0;
  for (const part of parts) { positions.set(part.positions, at); colors.set(part.colors, at); at += part.positions.length; }
  return finished(positions, colors);
}

function primitive(scene, buffer, binary, shape, matrix) {
  if (shape.mode !== undefined && shape.mode !== 4) return { positions: new Float32Array(0), colors: new Float32Array(0) };
  const corners = accessor(scene, buffer, binary, shape.attributes.POSITION, 3);
  const order = shape.indices === undefined ? null : accessor(scene, buffer, binary, shape.indices, 1);
  const count = order ? order.length : corners.length / 3;
  if (count > TRIANGLE_LIMIT * 3) throw new Error("it has too many triangles");
  const material = shape.material === undefined ? {} : scene.materials[shape.material];
  const base = (material.pbrMetallicRoughness || {}).baseColorFactor || [0.75, 0.75, 0.76, 1];
  const positions = new Float32Array(count * 3);
  const colors = new Float32Array(count * 3);
  for (let i = 0; i < count; i += 1) {
    const k = (order ? order[i] : i) * 3;
    const [x, y, z] = [corners[k], corners[k + 1], corners[k + 2]];
    for (let j = 0; j < 3; j += 1) {
      positions[i * 3 + j] = matrix[j] * x + matrix[4 + j] * y + matrix[8 + j] * z + matrix[12 + j];
      colors[i * 3 + j] = Math.pow(base[j], 1 / 2.2);
    }
  }
  return { positions, colors };
}

function accessor(scene, buffer, binary, index, width) {
  const info = scene.accessors[index];
  const block = scene.bufferViews[info.bufferView];
  const readers = { 5121: ["getUint8", 1], 5123: ["getUint16", 2], 5125: ["getUint32", 4], 5126: ["getFloat32", 4] };
  const [read, size] = readers[info.componentType] || [];
  if (!read || block.buffer) throw new Error("its numbers are stored in a way that is not known here");
  const bytes = new DataView(buffer);
  const stride = block.byteStride || size * width;
  const start = binary + (block.byteOffset || 0) + (info.byteOffset || 0);
  if (info.count > TRIANGLE_LIMIT * 3) throw new Error("it has too many corners");
  const out = new Float64Array(info.count * width);
  for (let i = 0; i < info.count; i += 1) {
    for (let j = 0; j < width; j += 1) out[i * width + j] = bytes[read](start + i * stride + j * size, true);
  }
  return out;
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function localMatrix(node) {
  if (node.matrix) return node.matrix;
  const [tx, ty, tz] = node.translation || [0, 0, 0];
  const [x, y, z, w] = node.rotation || [0, 0, 0, 1];
  const [sx, sy, sz] = node.scale || [1, 1, 1];
  return [
    (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
    2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
    2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0,
    tx, ty, tz, 1,
  ];
}

function times(a, b) {
  const out = new Array(16).fill(0);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      for (let k = 0; k < 4; k += 1) out[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    }
  }
  return out;
}

// Centres the model, scales it into the unit ball, and gives every triangle its normal.
function finished(positions, colors) {
  if (!positions.length) throw new Error("it has no triangles");
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    if (!Number.isFinite(value)) throw new Error("it has corners that are not numbers");
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const middle = low.map((value, i) => (value + high[i]) / 2);
  const radius = Math.hypot(...high.map((value, i) => (value - low[i]) / 2)) || 1;
  const normals = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 1) positions[i] = (positions[i] - middle[i % 3]) / radius;
  for (let i = 0; i < positions.length; i += 9) {
    const side = (k) => [positions[i + k] - positions[i], positions[i + k + 1] - positions[i + 1], positions[i + k + 2] - positions[i + 2]];
    const [a, b] = [side(3), side(6)];
    const n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const size = Math.hypot(...n) || 1;
    for (let k = 0; k < 9; k += 1) normals[i + k] = n[k % 3] / size;
  }
  return { positions, normals, colors: colors || new Float32Array(positions.length).fill(0.72) };
}
