// Drawing triangles on a canvas and turning them by pointer and keys. Nothing moves by itself.

const VERTEX = `
attribute vec3 position; attribute vec3 normal; attribute vec3 color;
uniform mat4 turn; uniform mat4 lens; varying vec3 shade;
void main() {
  vec3 n = normalize((turn * vec4(normal, 0.0)).xyz);
  float light = 0.34 + 0.52 * abs(dot(n, normalize(vec3(0.4, 0.7, 0.9)))) + 0.2 * max(0.0, n.y);
  shade = color * light;
  gl_Position = lens * turn * vec4(position, 1.0);
}`;
const FRAGMENT = "precision mediump float; varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }";

function scene(canvas, mesh) {
  const gl = canvas.getContext("webgl", { antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (!gl) throw new Error("this browser has no WebGL");
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  for (const [name, values] of [["position", mesh.positions], ["normal", mesh.normals], ["color", mesh.colors]]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    const place = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  }
  gl.enable(gl.DEPTH_TEST);
  const look = { yaw: 0.6, pitch: 0.35, distance: 3.1 };
  const paint = () => {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(gl.getUniformLocation(program, "turn"), false, turned(look));
    gl.uniformMatrix4fv(gl.getUniformLocation(program, "lens"), false, lens(canvas.width / canvas.height, look.distance));
    gl.drawArrays(gl.TRIANGLES, 0, mesh.positions.length / 3);
  };
  orbit(canvas, look, paint);
  new ResizeObserver(paint).observe(canvas);
  paint();
}

function turned({ yaw, pitch }) {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return [cy, sp * sy, -cp * sy, 0, 0, cp, sp, 0, sy, -sp * cy, cp * cy, 0, 0, 0, 0, 1];
}

// Near plane 0.1, far plane 20: the third row is (f + n) / (n - f) and 2 f n / (n - f).
function lens(aspect, distance) {
  const f = 1 / Math.tan(0.36);
  const wide = Math.min(1, aspect);
  return [f * wide / aspect, 0, 0, 0, 0, f * wide, 0, 0, 0, 0, -1.01, -1, 0, 0, 1.01 * distance - 0.201, distance];
}

function orbit(canvas, look, paint) {
  const turn = (yaw, pitch) => {
    look.yaw += yaw;
    look.pitch = Math.max(-1.5, Math.min(1.5, look.pitch + pitch));
    paint();
  };
  const zoom = (factor) => { look.distance = Math.max(1.3, Math.min(12, look.distance * factor)); paint(); };
  canvas.addEventListener("pointerdown", (down) => {
    let [x, y] = [down.clientX, down.clientY];
    canvas.setPointerCapture(down.pointerId);
    const move = (event) => {
      turn((event.clientX - x) * 0.008, (event.clientY - y) * 0.008);
      [x, y] = [event.clientX, event.clientY];
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", () => canvas.removeEventListener("pointermove", move), { once: true });
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY < 0 ? 0.9 : 1.1); }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const action = {
      ArrowLeft: () => turn(-0.15, 0), ArrowRight: () => turn(0.15, 0), ArrowUp: () => turn(0, -0.15), ArrowDown: () => turn(0, 0.15),
      "+": () => zoom(0.9), "=": () => zoom(0.9), "-": () => zoom(1.1),
    }[event.key];
    if (action) { event.preventDefault(); event.stopPropagation(); action(); }
  });
}
