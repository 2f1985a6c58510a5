// Draws triangles with WebGL 2, in parallel projection: coloured by a value or by part, turned with the mouse.

const VERTEX = `#version 300 es
in vec3 place; in float value; in float part; in float edges;
uniform vec3 low, size, centre, shift; uniform mat3 turn; uniform vec2 scale; uniform float depth;
uniform highp sampler2D shown;
out vec3 seen, corner; flat out float strain; flat out float number; flat out int drawn;
void main() {
  int c = gl_VertexID % 3;
  corner = vec3(c == 0, c == 1, c == 2); drawn = int(edges + 0.5);
  vec3 x = turn * (low + size * place - centre);
  seen = x; strain = value; number = part;
  gl_Position = vec4((x.xy + shift.xy) * scale, -x.z / depth, 1.0);
  int k = int(part + 0.5);
  bool gone = value > 65534.5 || texelFetch(shown, ivec2(k % 1024, k / 1024), 0).r < 0.5;
  if (gone) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 seen, corner; flat in float strain; flat in float number; flat in int drawn;
uniform highp sampler2D colours, palette; uniform float factor; uniform int field; uniform int picking; uniform int lines;
out vec4 colour;
void main() {
  if (picking == 1) {
    float k = number + 1.0;
    colour = vec4(mod(k, 256.0) / 255.0, floor(mod(k, 65536.0) / 256.0) / 255.0, floor(k / 65536.0) / 255.0, 1.0);
    return;
  }
  vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
  float light = 0.42 + 0.58 * abs(dot(n, normalize(vec3(-0.25, 0.35, 0.9))));
  vec3 base = field == 0 ? texture(colours, vec2(clamp(strain * factor, 0.0, 1.0), 0.5)).rgb
                         : texelFetch(palette, ivec2(int(mod(number, 20.0)), 0), 0).rgb;
  colour = vec4(base * light, 1.0);
  if (lines == 0) return;
  // The side after corner 0 is where that of corner 2 is zero, and so on. Lines fade where they would lie too close.
  vec3 wide = fwidth(corner), near = corner / max(wide, vec3(1e-9));
  float least = 1e9;
  if ((drawn & 1) != 0) least = min(least, near.z);
  if ((drawn & 2) != 0) least = min(least, near.x);
  if ((drawn & 4) != 0) least = min(least, near.y);
  float fade = 1.0 - smoothstep(0.1, 0.25, max(wide.x, max(wide.y, wide.z)));
  colour.rgb *= 1.0 - 0.45 * fade * (1.0 - smoothstep(0.3, 1.1, least));
}`;

// Light grey where nothing yields, then yellow to dark red, as in pictures of crumple view.
export const YIELDING = [[214, 222, 230], [255, 247, 188], [254, 227, 145], [254, 196, 79], [253, 141, 60], [252, 78, 42], [227, 26, 28], [189, 0, 38], [128, 0, 38]];
const PARTS = [[102, 194, 165], [252, 141, 98], [141, 160, 203], [231, 138, 195], [166, 216, 84], [255, 217, 47], [229, 196, 148], [179, 179, 179], [128, 177, 211], [251, 128, 114], [190, 186, 218], [253, 180, 98], [179, 222, 105], [252, 205, 229], [188, 128, 189], [204, 235, 197], [255, 237, 111], [141, 211, 199], [179, 205, 227], [222, 203, 228]];

const VIEWS = { iso: [-0.6, -1.3, 0.7], x: [-1, 0, 0], y: [0, -1, 0], z: [0, 0, 1] };

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) || "no shaders");
  return made;
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((x) => x / Math.hypot(...a));

export class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("This browser has no WebGL 2.");
    this.count = 0;
    this.field = 0;
    this.lines = 1;
    this.limit = 1;
    this.onPick = () => {};
    this.prepare();
    this.view("iso");
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  prepare() {
    const { gl } = this;
    this.program = program(gl);
    gl.useProgram(this.program);
    this.uniforms = Object.fromEntries(
      ["low", "size", "centre", "shift", "turn", "scale", "depth", "colours", "palette", "shown", "factor", "field", "picking", "lines"].map((name) => [name, gl.getUniformLocation(this.program, name)]),
    );
    this.buffers = Object.fromEntries(["place", "value", "part", "edges"].map((name) => [name, gl.createBuffer()]));
    const colours = new Uint8Array(256 * 4);
    for (let k = 0; k < 256; ++k) {
      const at = k === 0 ? 0 : 1 + ((k - 1) / 255) * (YIELDING.length - 2);
      const low = Math.floor(at), high = Math.min(low + 1, YIELDING.length - 1);
      for (let c = 0; c < 3; ++c) colours[4 * k + c] = YIELDING[low][c] + (at - low) * (YIELDING[high][c] - YIELDING[low][c]);
      colours[4 * k + 3] = 255;
    }
    this.texture(0, "colours", gl.RGBA, gl.RGBA, 256, 1, colours, gl.LINEAR);
    this.texture(1, "palette", gl.RGBA, gl.RGBA, 20, 1, new Uint8Array(PARTS.flatMap((rgb) => [...rgb, 255])), gl.NEAREST);
    gl.enable(gl.DEPTH_TEST);
  }

  texture(unitOf, name, inside, format, width, height, content, filter) {
    const { gl } = this;
    this.textures ??= {};
    gl.activeTexture(gl.TEXTURE0 + unitOf);
    gl.bindTexture(gl.TEXTURE_2D, (this.textures[name] ??= gl.createTexture()));
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, inside, width, height, 0, format, gl.UNSIGNED_BYTE, content);
    for (const [what, how] of [[gl.TEXTURE_MIN_FILTER, filter], [gl.TEXTURE_MAG_FILTER, filter], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, what, how);
    gl.uniform1i(this.uniforms[name], unitOf);
  }

  fill(name, content, width, type, normalized) {
    const { gl } = this;
    const at = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, content, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, width, type, normalized, 0, 0);
  }

  // Each triangle has three corners of its own, so that its value is not shared with its neighbours.
  surface(triangles, parts, edges, partCount) {
    this.triangles = triangles;
    this.count = triangles.length;
    const of = new Float32Array(this.count), drawn = new Uint8Array(this.count);
    for (let k = 0; k < this.count; ++k) {
      of[k] = parts[(k / 3) | 0];
      drawn[k] = edges[(k / 3) | 0];
    }
    this.fill("part", of, 1, this.gl.FLOAT, false);
    this.fill("edges", drawn, 1, this.gl.UNSIGNED_BYTE, false);
    if (this.shown?.length !== partCount) this.show(new Uint8Array(partCount).fill(255));
  }

  show(shown) {
    this.shown = shown;
    const height = Math.max(1, Math.ceil(shown.length / 1024));
    const content = new Uint8Array(1024 * height);
    content.set(shown);
    this.texture(2, "shown", this.gl.R8, this.gl.RED, 1024, height, content, this.gl.NEAREST);
    this.redraw();
  }

  state(positions, values, low, size) {
    const { triangles, count, gl } = this;
    const place = new Uint16Array(4 * count), value = new Float32Array(count);
    for (let k = 0; k < count; ++k) {
      const from = 3 * triangles[k], to = 4 * k;
      place[to] = positions[from];
      place[to + 1] = positions[from + 1];
      place[to + 2] = positions[from + 2];
      value[k] = values[(k / 3) | 0];
    }
    this.fill("place", place, 4, gl.UNSIGNED_SHORT, true);
    this.fill("value", value, 1, gl.FLOAT, false);
    this.low = low;
    this.size = size;
    if (!this.centre) this.frame();
    this.redraw();
  }

  // The whole state in the middle.
  frame() {
    this.centre = this.low.map((x, k) => x + 0.5 * this.size[k]);
    this.radius = 0.5 * Math.hypot(...this.size) || 1;
    this.zoom = 1;
    this.shift = [0, 0];
  }

  view(name) {
    const [x, y, z] = unit(VIEWS[name]);
    this.yaw = Math.hypot(x, y) > 1e-6 ? Math.atan2(y, x) : -Math.PI / 2;
    this.pitch = Math.asin(z);
    if (this.low) this.frame();
    this.redraw();
  }

  turnMatrix() {
    const eye = [Math.cos(this.pitch) * Math.cos(this.yaw), Math.cos(this.pitch) * Math.sin(this.yaw), Math.sin(this.pitch)];
    const right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    const up = cross(eye, right);
    return [right[0], up[0], eye[0], right[1], up[1], eye[1], right[2], up[2], eye[2]]; // by columns
  }

  // Half the width and height that just hold the box, seen from here.
  reach() {
    const turn = this.turnMatrix();
    const [width, height] = [0, 1].map((row) => 0.5 * this.size.reduce((sum, x, k) => sum + x * Math.abs(turn[3 * k + row]), 0));
    return Math.max(height, (width * this.canvas.height) / Math.max(1, this.canvas.width), 1e-30) * 1.08;
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint(0);
    });
  }

  paint(picking) {
    const { gl, canvas, uniforms } = this;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!this.count || !this.low || !this.shown) return;
    const half = this.reach() / this.zoom;
    gl.uniform3fv(uniforms.low, this.low);
    gl.uniform3fv(uniforms.size, this.size);
    gl.uniform3fv(uniforms.centre, this.centre);
    gl.uniform3f(uniforms.shift, this.shift[0], this.shift[1], 0);
    gl.uniformMatrix3fv(uniforms.turn, false, this.turnMatrix());
    gl.uniform2f(uniforms.scale, height / width / half, 1 / half);
    gl.uniform1f(uniforms.depth, 4 * this.radius);
    gl.uniform1f(uniforms.factor, this.factor ?? 0);
    gl.uniform1i(uniforms.field, this.field);
    gl.uniform1i(uniforms.picking, picking);
    gl.uniform1i(uniforms.lines, this.lines);
    gl.drawArrays(gl.TRIANGLES, 0, this.count);
  }

  // The part at a point of the canvas, by its place in the list; -1: none.
  pick(x, y) {
    const { gl, canvas } = this;
    this.paint(1);
    const ratio = canvas.width / canvas.clientWidth;
    const found = new Uint8Array(4);
    gl.readPixels(Math.round(x * ratio), canvas.height - 1 - Math.round(y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
    this.paint(0);
    return found[3] < 255 ? -1 : found[0] + 256 * found[1] + 65536 * found[2] - 1;
  }

  listen() {
    const { canvas } = this;
    let last = null, far = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      last = [event.offsetX, event.offsetY];
      far = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last || !this.low) return;
      const [dx, dy] = [event.offsetX - last[0], event.offsetY - last[1]];
      far += Math.abs(dx) + Math.abs(dy);
      last = [event.offsetX, event.offsetY];
      if (event.shiftKey || event.buttons & 6) {
        const one = (2 * this.reach()) / this.zoom / canvas.clientHeight;
        this.shift = [this.shift[0] + dx * one, this.shift[1] - dy * one];
      } else {
        this.yaw -= 0.008 * dx;
        this.pitch = Math.max(-1.5707, Math.min(1.5707, this.pitch + 0.008 * dy));
      }
      this.redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (last && far < 4 && this.low) this.onPick(this.pick(event.offsetX, event.offsetY));
      last = null;
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      if (!this.low) return;
      event.preventDefault();
      this.zoom = Math.max(0.2, Math.min(200, this.zoom * Math.exp(-0.0012 * event.deltaY)));
      this.redraw();
    }, { passive: false });
  }
}
