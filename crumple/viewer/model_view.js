// One run in its frame: loads what is wanted, has it drawn, and says what is below the mouse.
import { element, withUnit } from "./numbers.js";
import { Scene3D } from "./scene3d.js";

const MEMORY = 1.2e9; // bytes of states and values that are kept
const BIG = 200000; // faces, from which fewer are drawn while the model turns
const LIGHT = [40000, 12000, 4000]; // triangles at most, the next ones where a picture of these is slow
const CLICK = 5; // pixels that a mouse may move in a click

// What was loaded, the oldest of it forgotten when it is too much.
class Kept {
  constructor() {
    this.found = new Map();
    this.bytes = 0;
  }

  async get(key, load, size) {
    if (!this.found.has(key)) {
      const loading = Promise.resolve(load());
      this.found.set(key, { loading, bytes: 0 });
      loading.then((content) => {
        const bytes = size(content), one = this.found.get(key);
        if (one) one.bytes = bytes;
        this.bytes += bytes;
        for (const [other, { bytes: freed }] of this.found) {
          if (this.bytes < MEMORY || other === key) break;
          this.bytes -= freed;
          this.found.delete(other);
        }
      }, () => this.found.delete(key));
    }
    return this.found.get(key).loading;
  }

  has(key) {
    return this.found.has(key);
  }
}

export class ModelView {
  constructor(place, source, camera) {
    this.source = source;
    this.place = place;
    this.canvas = place.querySelector("canvas");
    this.scene = new Scene3D(this.canvas, camera);
    this.scene.onDraw = () => this.label();
    this.scene.onResize = () => {
      if (this.camera.fitted) this.onFit();
      this.scene.redraw();
    };
    this.camera = camera;
    this.kept = new Kept();
    this.marks = []; // nodes that are marked, with their labels
    this.layer = 0;
    this.fieldName = "";
    this.onPick = () => {};
    this.onMove = () => {};
    this.onHold = () => {};
    this.onFit = () => {};
    this.listen();
  }

  async open() {
    this.about = await this.source.about();
    this.geometry = await this.source.geometry();
    this.parts = this.about.parts;
    this.scene.model(this.geometry);
    this.shown = Uint8Array.from(this.parts, () => 1);
    this.colours = this.parts.map((_, k) => this.about.colours.parts[k % this.about.colours.parts.length]);
    this.paintParts();
    const title = this.place.querySelector(".title");
    title.textContent = this.about.title || this.about.name;
    title.title = this.about.name;
    const field = this.about.fields[0];
    this.fieldName = field?.name ?? "";
    this.gone = new Uint8Array(0);
  }

  // What is not needed for the first picture.
  async more() {
    if (this.geometry.parts.length > BIG) {
      for (const most of LIGHT) {
        const light = await this.source.light(most);
        if (light) this.scene.lighter(light);
      }
    }
    const edges = await this.source.edges();
    this.scene.features(edges.nodes, edges.faces);
    this.scene.looks(this.shown, this.gone);
    this.scene.measured = true;
    this.scene.redraw();
    this.deckShapes = await this.source.shapes();
    this.place.dataset.complete = "yes";
  }

  get field() {
    return this.about.fields.find((field) => field.name === this.fieldName);
  }

  unit(field = this.field) {
    return (field && this.about.units[field.quantity]) || "";
  }

  // ---- states ------------------------------------------------------------------------------------

  stateData(state) {
    return this.kept.get(`s${state}`, () => this.source.state(state), (found) => found.positions.byteLength + found.gone.byteLength);
  }

  fieldData(state, name = this.fieldName) {
    if (!name) return null;
    const layer = this.layer;
    return this.kept.get(`${name} ${layer} ${state}`, () => this.source.field(name, layer, state), (found) => found.values.byteLength);
  }

  // Shows a state; of several that are asked for while one is loaded, only the last.
  want(state) {
    this.wanted = state;
    this.working ??= this.work().finally(() => (this.working = null));
    return this.working;
  }

  async work() {
    for (let state = -1; state !== this.wanted; ) {
      state = this.wanted;
      const [found, values] = await Promise.all([this.stateData(state), this.fieldData(state)]);
      this.put(state, found, values);
    }
  }

  put(state, found, values) {
    const before = this.gone;
    this.state = state;
    this.x = found.positions;
    this.gone = found.gone;
    this.scene.positions(this.x);
    if (values) this.values(values);
    if (before !== this.gone && (before.length || this.gone.length || !this.looked)) this.scene.looks(this.shown, this.gone);
    this.looked = true;
    const first = !this.ready;
    if (first) {
      this.ready = true;
      this.onFirst?.();
    }
    this.refreshExtra();
    const time = withUnit(this.about.times[state], this.about.units.time);
    this.place.querySelector(".time").textContent = `t = ${time}`;
    this.place.querySelector(".deleted").textContent = found.deleted ? `${found.deleted.toLocaleString("en")} elements deleted` : "";
    this.place.dataset.state = state;
    this.scene.redraw();
  }

  values({ of, values }) {
    this.shownValues = values;
    this.scene.values.fill(values);
    this.scene.by = of === "node" ? 2 : 1;
  }

  // The smallest and the largest value of the shown parts in a state.
  async limits(state) {
    const found = await this.fieldData(state);
    if (!found) return null;
    const { values } = found, of = this.geometry.element_parts;
    const gone = (await this.stateData(state)).gone;
    let low = Infinity, high = -Infinity;
    for (let k = 0; k < values.length; ++k) {
      const v = values[k];
      if (v < -1e38 || (found.of === "element" && (!this.shown[of[k]] || gone[k]))) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return high >= low ? [low, high] : null;
  }

  // Positions of the nodes of faces and beams that are shown.
  visible() {
    const { full, beams } = this.scene, step = Math.max(1, Math.floor(full.count / 20000)), points = [];
    const faces = this.geometry.faces, add = (node) => points.push(this.x[3 * node], this.x[3 * node + 1], this.x[3 * node + 2]);
    for (let k = 0; k < full.count; k += step) if (full.looks[k] & 3) for (let c = 0; c < 4; ++c) add(faces[4 * k + c]);
    for (let k = 0; k < beams.count; ++k) if (beams.segments[4 * k + 3] & 1) [0, 1].forEach((c) => add(beams.segments[4 * k + c]));
    return points.length ? points : this.x;
  }

  // ---- parts -------------------------------------------------------------------------------------

  paintParts() {
    this.scene.palette.fill(Uint8Array.from(this.colours.flatMap((rgb) => [...rgb, 255])));
  }

  show(shown) {
    this.shown = shown;
    this.scene.looks(shown, this.gone);
    this.scene.redraw();
  }

  // ---- what is below the mouse -------------------------------------------------------------------

  pick(x, y) {
    const found = this.scene.pick(x, y), { full } = this.scene;
    if (found < 0) return null;
    const { faces, owners, beams, beam_owners: beamOwners, element_parts: of, element_ids: ids, node_ids: nodeIds } = this.geometry;
    const beam = found - full.count, face = beam < 0 ? found : -1; // beams are counted after faces
    const owner = beam < 0 ? owners[2 * face + (full.looks[face] & 4 ? 1 : 0)] : beamOwners[beam];
    const corners = beam < 0 ? faces.slice(4 * face, 4 * face + 4) : beams.slice(2 * beam, 2 * beam + 2);
    let node = -1, least = Infinity;
    for (const at of corners) {
      const [px, py] = this.scene.onScreen(...this.at(at)), far = Math.hypot(px - x, py - y);
      if (far < least) [node, least] = [at, far];
    }
    let rest = owner;
    const kind = this.about.kinds.find(([, count]) => (rest < count ? true : ((rest -= count), false)))[0].replace("_", " ");
    return { face, owner, node, kind, element: ids[owner], nodeId: nodeIds[node], part: of[owner], corners: [...corners] };
  }

  at(node) {
    return [this.x[3 * node], this.x[3 * node + 1], this.x[3 * node + 2]];
  }

  async initially(node) {
    const { positions } = await this.stateData(0);
    return [positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]];
  }

  // The value at a pick, in the field that is shown.
  valueAt({ owner, node }) {
    const value = this.field && this.shownValues ? this.shownValues[this.field.of === "node" ? node : owner] : null;
    return value === null || value < -1e38 ? null : value;
  }

  listen() {
    const { canvas, camera } = this;
    let last = null, far = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      last = [event.offsetX, event.offsetY];
      far = 0;
      this.onHold(true);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const [dx, dy] = [event.offsetX - last[0], event.offsetY - last[1]];
      far += Math.abs(dx) + Math.abs(dy);
      last = [event.offsetX, event.offsetY];
      if (event.shiftKey || event.buttons & 6) camera.moveBy(dx, dy, canvas.clientHeight);
      else camera.turnBy(dx, dy);
      this.onMove();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (last && far < CLICK && this.x) this.onPick(this.pick(event.offsetX, event.offsetY), event);
      last = null;
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(end, () => this.onHold(false));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { clientWidth: width, clientHeight: height } = canvas;
      camera.zoomBy(Math.exp(0.0012 * event.deltaY), (2 * event.offsetX) / width - 1, 1 - (2 * event.offsetY) / height, width / height);
      this.onMove();
    }, { passive: false });
  }

  // ---- beside the model --------------------------------------------------------------------------

  // Labels of marked nodes, where they are now.
  label() {
    const place = this.place.querySelector(".marks");
    while (place.children.length > this.marks.length) place.lastChild.remove();
    this.marks.forEach(({ node, text }, k) => {
      const mark = place.children[k] ?? place.appendChild(element("span"));
      const [x, y] = this.scene.onScreen(...this.at(node));
      if (mark.textContent !== text) mark.textContent = text;
      mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  // Vectors, sides of what is measured, cuts: anew for each state.
  refreshExtra() {
    for (const one of [...(this.scene.extra ?? []), ...(this.scene.shapes ?? [])]) this.scene.discard(one);
    this.scene.extra = [];
    this.scene.shapes = null;
    if (this.marks.length === 2) {
      const points = Float32Array.from(this.marks.flatMap(({ node }) => this.at(node)));
      this.scene.extra.push(Object.assign(this.scene.freeLines(points, Uint32Array.of(0, 1, 0, 1), [0.85, 0.1, 0.35, 1], 2), { onTop: true }));
    }
    if (this.planeShown && this.deckShapes) this.drawPlanes();
    this.refreshArrows();
    this.refreshCaps();
  }

  async refreshArrows() {
    const state = this.state, name = this.arrows;
    if (!name) return;
    try {
      const { nodes, vectors } = await this.kept.get(`v ${name} ${state}`, () => this.source.vectors(name, state, 4000), (found) => found.vectors.byteLength);
      if (state === this.state && name === this.arrows) this.drawArrows(nodes, vectors);
    } catch (error) {
      this.place.querySelector(".note").textContent = error.message;
    }
  }

  // Arrows whose longest is a twelfth of the model's size.
  drawArrows(nodes, vectors) {
    let longest = 0;
    for (let k = 0; k < nodes.length; ++k) longest = Math.max(longest, Math.hypot(vectors[3 * k], vectors[3 * k + 1], vectors[3 * k + 2]));
    const factor = (this.camera.radius / 6) / (longest || 1), points = new Float32Array(12 * nodes.length), segments = new Uint32Array(12 * nodes.length);
    for (let k = 0; k < nodes.length; ++k) {
      const x = this.at(nodes[k]), v = [0, 1, 2].map((c) => vectors[3 * k + c] * factor), tip = x.map((a, c) => a + v[c]);
      // The head: two strokes across, in a plane with the vector.
      const across = Math.abs(v[2]) < 0.9 * Math.hypot(...v) ? [-v[1], v[0], 0] : [0, -v[2], v[1]];
      points.set(x, 12 * k);
      points.set(tip, 12 * k + 3);
      points.set(tip.map((a, c) => a - 0.25 * v[c] + 0.12 * across[c]), 12 * k + 6);
      points.set(tip.map((a, c) => a - 0.25 * v[c] - 0.12 * across[c]), 12 * k + 9);
      for (let s = 0; s < 3; ++s) segments.set([s ? 4 * k + 1 : 4 * k, s ? 4 * k + 1 + s : 4 * k + 1, 0, 1], 4 * (3 * k + s));
    }
    this.scene.extra.filter((one) => one.arrows).forEach((one) => this.scene.discard(one));
    this.scene.extra = [...this.scene.extra.filter((one) => !one.arrows), Object.assign(this.scene.freeLines(points, segments, [0.1, 0.2, 0.55, 1], 1.5), { arrows: true })];
    this.place.querySelector(".note").textContent = `longest ${this.arrows}: ${withUnit(longest, this.unit(this.about.fields.find((f) => f.name === this.arrows)))}`;
    this.scene.redraw();
  }

  async refreshCaps() {
    const { cut } = this.scene, state = this.state;
    if (!cut) {
      this.scene.discard(this.scene.caps);
      this.scene.caps = null;
      return;
    }
    const found = await this.source.cut(state, cut.join(","));
    if (!found || state !== this.state || cut !== this.scene.cut) return;
    const { points, owners } = found, count = owners.length, faces = new Uint32Array(4 * count), colours = new Uint8Array(4 * count), values = new Float32Array(count);
    let kept = 0;
    for (let k = 0; k < count; ++k) {
      const part = this.geometry.element_parts[owners[k]];
      if (!this.shown[part]) continue;
      faces.set([3 * k, 3 * k + 1, 3 * k + 2, 3 * k + 2], 4 * kept);
      colours.set([...this.colours[part], 255], 4 * kept);
      if (this.scene.by === 1) values[kept] = this.shownValues[owners[k]];
      ++kept;
    }
    this.scene.discard(this.scene.caps);
    this.scene.caps = kept ? this.scene.freeFaces(points, faces.subarray(0, 4 * kept), this.scene.by === 1 ? { values } : { colours }) : null;
    this.scene.redraw();
  }

  drawPlanes() {
    const points = [], colours = [];
    for (const plane of this.deckShapes.planes) {
      const move = plane.moves ? plane.moves[this.state] : [0, 0, 0];
      for (const corners of plane.faces ?? [this.rectangle(plane, move)]) {
        points.push(...(plane.faces ? corners.map((x, k) => x + move[k % 3]) : corners));
        colours.push(...(plane.kind === "wall" ? [120, 130, 145, 255] : [230, 130, 40, 255]));
      }
    }
    const count = points.length / 12, faces = Uint32Array.from({ length: 4 * count }, (_, k) => k);
    const places = Float32Array.from(points), sides = [];
    for (let k = 0; k < 4 * count; ++k) sides.push(k, k % 4 === 3 ? k - 3 : k + 1, 0, 1);
    this.scene.shapes = count ? [this.scene.freeFaces(places, faces, { colours: Uint8Array.from(colours), clear: true })] : null;
    if (count) this.scene.extra.push(this.scene.freeLines(places, Uint32Array.from(sides), [0.35, 0.38, 0.42, 1], 1.5));
  }

  // The corners of a plane; one that goes on for ever is drawn where the model is.
  rectangle({ point: start, normal, sides }, move) {
    const point = start.map((x, c) => x + move[c]), [a, b] = sides ?? sidesOf(normal, 2.2 * this.camera.radius);
    const far = normal.reduce((sum, n, c) => sum + n * (this.camera.centre[c] - point[c]), 0);
    const from = sides ? point : this.camera.centre.map((x, c) => x - far * normal[c] - (a[c] + b[c]) / 2);
    return [...from, ...from.map((x, c) => x + a[c]), ...from.map((x, c) => x + a[c] + b[c]), ...from.map((x, c) => x + b[c])];
  }
}

// Two vectors of a length along a plane.
function sidesOf(normal, length) {
  const axis = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const first = cross(normal, axis), one = first.map((x) => (x * length) / Math.hypot(...first));
  return [one, cross(normal, one)];
}
