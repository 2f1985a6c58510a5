// Draws a model with WebGL 2: faces, lines, shapes of the deck. Finds what is below the mouse.
import { ArrayTexture, bind, ColourTexture, program } from "./gpu.js";
import { FACE_COLOURS, FACES, LINE_COLOURS, LINES } from "./shaders.js";

const OPAQUE = 1, CLEAR = 2;
const NEAR = 9; // pixels across, in which a click is on a beam
const SLOW = 45; // ms a picture, from which a turning model is drawn with fewer faces
const QUICK = 8; // ms a picture, below which more faces are tried again
const SCALES = [0.5, 0.4, 0.3]; // pixels a side of these pictures, of those when the model stands
const STILL = 250; // ms without a move, until all faces are drawn

// Faces with textures of their own; where their nodes are and their values may be those of the model.
class FaceSet {
  constructor(gl, nodes, owners) {
    this.count = nodes.length / 4;
    this.corners = 6; // of two triangles; 3 where all faces are triangles
    this.textures = { faces: new ArrayTexture(gl, "u4x4").fill(nodes), owners: new ArrayTexture(gl, "u4x2").fill(owners), looks: new ArrayTexture(gl, "u4") };
    this.owners = owners;
    this.looks = new Uint32Array(this.count);
    this.clear = false;
  }
}

class LineSet {
  constructor(gl, segments) {
    this.count = segments.length / 4;
    this.segments = segments; // two nodes, owner, and 2 * part + whether it is shown
    this.textures = { segments: new ArrayTexture(gl, "u4x4").fill(segments) };
  }

  refresh() {
    this.textures.segments.fill(this.segments);
  }
}

export class Scene3D {
  constructor(canvas, camera) {
    this.canvas = canvas;
    this.camera = camera;
    this.gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true, alpha: true, powerPreference: "high-performance" });
    if (!this.gl) throw new Error("This browser has no WebGL 2.");
    const { gl } = this;
    this.faceProgram = program(gl, FACES, FACE_COLOURS);
    this.lineProgram = program(gl, LINES, LINE_COLOURS);
    this.places = new ArrayTexture(gl, "f4x3");
    this.values = new ArrayTexture(gl, "f4").fill(new Float32Array(1));
    this.palette = new ArrayTexture(gl, "colour");
    this.colours = new ColourTexture(gl);
    this.by = 0; // what colours: 0 parts, 1 values of elements, 2 values of nodes
    this.range = [0, 1];
    this.bands = 0;
    this.mesh = true;
    this.outline = true;
    this.cut = null; // normal and distance
    this.moving = false;
    this.held = false; // the mouse is down on a model
    this.cost = 0;
    this.lights = []; // sets of fewer and fewer faces
    this.level = 0; // which of them is quick enough
    this.spent = null; // ms that its pictures take
    this.onDraw = () => {};
    gl.enable(gl.DEPTH_TEST);
    this.target = this.pickTarget();
    new ResizeObserver(() => this.onResize()).observe(canvas);
  }

  onResize() {
    this.redraw();
  }

  pickTarget() {
    const { gl } = this;
    const target = { buffer: gl.createFramebuffer(), colour: gl.createRenderbuffer(), depth: gl.createRenderbuffer(), size: "" };
    return target;
  }

  // ---- what is drawn -----------------------------------------------------------------------------

  model({ faces, owners, parts, element_parts: elementParts, beams, beam_owners: beamOwners }) {
    const { gl } = this;
    this.elementParts = elementParts;
    this.full = new FaceSet(gl, faces, owners);
    this.full.parts = parts;
    this.lights = [];
    const segments = new Uint32Array(4 * beamOwners.length);
    for (let k = 0; k < beamOwners.length; ++k) segments.set([beams[2 * k], beams[2 * k + 1], beamOwners[k], 0], 4 * k);
    this.beams = new LineSet(gl, segments);
    this.edges = null;
    this.shapes = null;
  }

  // A further set, with fewer faces than the one before.
  lighter({ faces, owners, parts }) {
    const set = new FaceSet(this.gl, faces, owners);
    set.parts = parts;
    set.corners = 3;
    set.light = true;
    this.lights.push(set);
  }

  // Feature edges: two nodes and a face of each.
  features(nodes, faces) {
    const segments = new Uint32Array(4 * faces.length);
    for (let k = 0; k < faces.length; ++k) segments.set([nodes[2 * k], nodes[2 * k + 1], faces[k], 0], 4 * k);
    this.edges = new LineSet(this.gl, segments);
  }

  // Which parts are shown (0, 1, 2: clear), and which elements are deleted: what each face looks like.
  looks(shown, gone) {
    for (const set of [this.full, ...this.lights]) this.looksOf(set, shown, gone);
    const { edges, beams, full } = this;
    if (edges) {
      for (let k = 0; k < edges.count; ++k) edges.segments[4 * k + 3] = (full.looks[edges.segments[4 * k + 2]] & 3) === OPAQUE ? 1 : 0;
      edges.refresh();
    }
    for (let k = 0; k < beams.count; ++k) {
      const of = beams.segments[4 * k + 2], part = this.elementParts[of];
      beams.segments[4 * k + 3] = 2 * part + (shown[part] && !gone[of] ? 1 : 0);
    }
    if (beams.count) beams.refresh();
  }

  looksOf(set, shown, gone) {
    const { owners, looks, count } = set, of = this.elementParts, some = gone.length > 0;
    set.clear = false;
    for (let k = 0; k < count; ++k) {
      const a = owners[2 * k], b = owners[2 * k + 1], partA = of[a];
      const first = some && gone[a] ? 0 : shown[partA];
      if (b === 0xffffffff) looks[k] = first | (partA << 3);
      else {
        const second = some && gone[b] ? 0 : shown[of[b]];
        // Seen from outside only: one of the two is there, or through the clear one.
        looks[k] = first && second && first === second ? 0 : second && (!first || second < first) ? second | 4 | (of[b] << 3) : first | (partA << 3);
      }
      if ((looks[k] & 3) === CLEAR) set.clear = true;
    }
    set.textures.looks.fill(looks);
  }

  positions(content) {
    this.places.fill(content);
  }

  // Lines and faces that are no part of the model: vectors, cuts, walls.
  freeLines(points, segments, plain, width) {
    const set = new LineSet(this.gl, segments);
    return Object.assign(set, { places: new ArrayTexture(this.gl, "f4x3").fill(points), plain, width });
  }

  freeFaces(points, faces, { values = null, colours = null, clear = false } = {}) {
    const count = faces.length / 4, owners = new Uint32Array(2 * count);
    for (let k = 0; k < count; ++k) owners[2 * k] = k;
    const set = new FaceSet(this.gl, faces, owners);
    set.looks.forEach((_, k) => (set.looks[k] = (clear ? CLEAR : OPAQUE) | (k << 3)));
    set.clear = clear;
    set.textures.looks.fill(set.looks);
    set.places = new ArrayTexture(this.gl, "f4x3").fill(points);
    if (values) set.values = new ArrayTexture(this.gl, "f4").fill(values);
    if (colours) set.palette = new ArrayTexture(this.gl, "colour").fill(colours);
    return set;
  }

  // Textures of what is not drawn any more are given back at once.
  discard(set) {
    if (!set) return;
    for (const one of [...Object.values(set.textures), set.places, set.values, set.palette]) if (one) this.gl.deleteTexture(one.texture);
  }

  // ---- drawing -----------------------------------------------------------------------------------

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  // The model turns: fewer faces, if all of them are slow; then all of them.
  turning() {
    this.moving = true;
    this.wait();
    this.redraw();
  }

  // While the mouse is down nothing slow is drawn: no move would be seen until it is there.
  wait() {
    clearTimeout(this.still);
    this.still = setTimeout(() => {
      if (this.held) return this.wait();
      this.moving = false;
      this.redraw();
    }, STILL);
  }

  // Whether fewer faces are drawn now, and with fewer pixels.
  get hurried() {
    return this.moving && this.lights.length > 0 && this.cost > SLOW;
  }

  // The set is chosen by what its last pictures took.
  adapt(spent) {
    this.spent = this.spent === null ? spent : 0.5 * (this.spent + spent);
    const step = this.spent > SLOW && this.level + 1 < this.lights.length ? 1 : this.spent < QUICK && this.level ? -1 : 0;
    if (!step) return;
    this.level += step;
    this.spent = null;
  }

  size() {
    const ratio = Math.min(2, window.devicePixelRatio || 1) * (this.hurried ? SCALES[this.level] : 1), { canvas } = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    return [width, height];
  }

  view({ uniforms, made }, width, height) {
    const { gl, camera } = this;
    gl.useProgram(made);
    gl.uniform3fv(uniforms.centre, camera.centre);
    gl.uniformMatrix3fv(uniforms.turn, false, camera.turn());
    gl.uniform2f(uniforms.scale, height / width / camera.half, 1 / camera.half);
    gl.uniform2fv(uniforms.shift, camera.shift);
    gl.uniform1f(uniforms.depth, 6 * camera.radius);
    gl.uniform2fv(uniforms.range, this.range);
    gl.uniform1i(uniforms.cutting, this.cut ? 1 : 0);
    gl.uniform4fv(uniforms.cut, this.cut ?? [0, 0, 0, 0]);
  }

  paint() {
    const { gl } = this, [width, height] = this.size();
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (!this.full || !this.places.rows) return;
    const light = this.hurried;
    const begin = performance.now();
    const set = light ? this.lights[this.level] : this.full;
    this.view(this.faceProgram, width, height);
    this.faces(set, OPAQUE, 0);
    if (this.caps) this.faces(this.caps, OPAQUE, 0);
    this.view(this.lineProgram, width, height);
    if (this.beams.count && !(light && this.level)) this.lines(this.beams, [0, 0, 0, 0], 3.5, 0, width, height);
    if (this.edges && this.outline && !light) this.lines(this.edges, [0.1, 0.13, 0.17, 1], 1.4, 1.2e-3, width, height);
    for (const lines of this.extra ?? []) {
      if (lines.onTop) gl.disable(gl.DEPTH_TEST);
      this.lines(lines, lines.plain, lines.width, 2e-3, width, height);
      gl.enable(gl.DEPTH_TEST);
    }
    const clear = [set, ...(this.shapes ?? [])].filter((one) => one.clear);
    if (clear.length) this.clearFaces(clear, width, height);
    if (light || this.measured) {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for the picture
      const spent = performance.now() - begin;
      if (light) this.adapt(spent);
      else [this.cost, this.measured] = [spent, false];
    }
    this.drawn = light ? "light" : "full";
    this.onDraw();
  }

  clearFaces(sets, width, height) {
    const { gl } = this;
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    this.view(this.faceProgram, width, height);
    for (const set of sets) this.faces(set, CLEAR, 0);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  faces(set, pass, picking) {
    const { gl, faceProgram: { uniforms } } = this;
    const by = set.palette ? 0 : set.values ? 1 : this.by;
    bind(gl, this.faceProgram, { ...set.textures, places: set.places ?? this.places, values: set.values ?? this.values, palette: set.palette ?? this.palette, colours: this.colours });
    gl.uniform1ui(uniforms.pass, pass);
    gl.uniform1i(uniforms.by, set.values && !this.by ? 0 : by);
    gl.uniform1i(uniforms.picking, picking);
    gl.uniform1i(uniforms.lines, this.mesh && !set.places && !set.light ? 1 : 0);
    gl.uniform1f(uniforms.bands, this.bands);
    gl.uniform1f(uniforms.opacity, pass === CLEAR ? (set.places ? 0.35 : 0.28) : 1);
    if (set.places) gl.uniform1i(uniforms.cutting, 0);
    gl.uniform1i(uniforms.corners, set.corners);
    gl.drawArrays(gl.TRIANGLES, 0, set.corners * set.count);
    if (set.places) gl.uniform1i(uniforms.cutting, this.cut ? 1 : 0);
  }

  // For a pick, colours are numbers, counted after so many before.
  lines(set, plain, wide, closer, width, height, picking = false, before = 0) {
    const { gl, lineProgram: { uniforms } } = this, ratio = Math.min(2, window.devicePixelRatio || 1);
    bind(gl, this.lineProgram, { ...set.textures, places: set.places ?? this.places, values: this.values, palette: this.palette, colours: this.colours });
    gl.uniform4fv(uniforms.plain, plain);
    gl.uniform2f(uniforms.pixel, 2 / width, 2 / height);
    gl.uniform1f(uniforms.width, wide * ratio);
    gl.uniform1f(uniforms.closer, closer);
    gl.uniform1i(uniforms.by, set.places ? 0 : this.by);
    gl.uniform1i(uniforms.picking, picking ? 1 : 0);
    gl.uniform1ui(uniforms.before, before);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * set.count);
  }

  // Milliseconds of one picture with all faces, or with fewer, as the card draws it now.
  time(light = false) {
    const { gl } = this, before = [this.moving, this.cost];
    [this.moving, this.cost] = [light, light ? 1e9 : 0];
    const begin = performance.now();
    this.paint();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    const spent = performance.now() - begin;
    [this.moving, this.cost] = before;
    return spent;
  }

  // ---- what is below the mouse -------------------------------------------------------------------

  // The face at a point of the canvas, or after all faces the beam; -1: none.
  pick(x, y) {
    this.moving = false;
    const { gl, target } = this, [width, height] = this.size(), size = `${width} ${height}`;
    if (!this.full) return -1;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.buffer);
    if (target.size !== size) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, target.colour);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, target.colour);
      gl.bindRenderbuffer(gl.RENDERBUFFER, target.depth);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, target.depth);
      target.size = size;
    }
    const ratio = width / this.canvas.clientWidth, px = Math.round(x * ratio), py = height - 1 - Math.round(y * ratio);
    gl.viewport(0, 0, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(px, py, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.view(this.faceProgram, width, height);
    this.faces(this.full, OPAQUE, 1);
    if (this.beams.count) {
      this.view(this.lineProgram, width, height);
      this.lines(this.beams, [0, 0, 0, 0], NEAR, 0, width, height, true, this.full.count);
    }
    const found = new Uint8Array(4);
    gl.readPixels(px, py, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return found[0] + 256 * found[1] + 65536 * found[2] + 16777216 * found[3] - 1;
  }

  // Where a place of the model is on the canvas, in pixels of the page.
  onScreen(x, y, z) {
    const { canvas: { clientWidth: width, clientHeight: height }, camera } = this;
    const [a, b] = camera.seen(x, y, z), one = height / (2 * camera.half);
    return [width / 2 + (a + camera.shift[0]) * one, height / 2 - (b + camera.shift[1]) * one];
  }
}
