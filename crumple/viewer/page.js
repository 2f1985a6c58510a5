// The page of the viewer: one run, or two side by side with one camera and one time.
import { Camera } from "./camera.js";
import { ModelView } from "./model_view.js";
import { element, get, number, withUnit } from "./numbers.js";
import { PartsTree } from "./parts_tree.js";
import { Picked } from "./picked.js";
import { PageSource, ServerSource } from "./source.js";

const AHEAD = 2e6; // nodes up to which all states are loaded ahead
const BANDS = 12;

class Page {
  async open() {
    const inside = document.getElementById("data");
    const start = inside ? JSON.parse(inside.dataset.start) : await (await fetch("start")).json();
    const sources = inside ? [await PageSource.open(inside.textContent)] : Array.from({ length: start.runs }, (_, k) => new ServerSource(k));
    this.camera = new Camera();
    this.views = sources.map((source) => this.frame(source));
    try {
      await Promise.all(this.views.map((view) => view.open()));
    } catch (error) {
      for (const view of this.views) view.place.querySelector(".nothing").textContent = error.message;
      return;
    }
    if (this.views.length > 1) for (const view of this.views) view.place.querySelector(".title").textContent = `${view.about.name}: ${view.about.title || "no title"}`;
    document.title = `${this.views[0].about.title || this.views[0].about.name} – crumple view`;
    this.times = [...new Set(this.views.flatMap((view) => view.about.times))].sort((a, b) => a - b);
    this.fill();
    this.tree = new PartsTree(this.views);
    this.tree.onChange = () => this.ranges();
    this.picked = new Picked(this.tree);
    this.listen();
    this.begin(start);
    if (start.camera) this.camera.look(start.camera);
    get("which").max = this.times.length - 1;
    const wanted = this.views[0].about.times[start.state]; // of the first run; without it the last state of both
    await this.want(wanted === undefined ? this.times.length - 1 : this.times.indexOf(wanted));
    this.fit();
    document.body.dataset.ready = Math.round(performance.now());
    for (const view of this.views) view.more().then(() => this.completed(view));
    this.loadAhead();
  }

  frame(source) {
    const place = get("frame").content.firstElementChild.cloneNode(true);
    get("frames").append(place);
    const view = new ModelView(place, source, this.camera);
    view.onMove = () => this.views.forEach((one) => one.scene.turning());
    view.onFit = () => this.fitCamera();
    view.onHold = (held) => this.views.forEach((one) => (one.scene.held = held));
    view.onPick = (pick, event) => this.picked.take(view, pick, event);
    return view;
  }

  completed(view) {
    const { planes, bags, left_out: missing } = view.deckShapes;
    if (view === this.views[0]) this.tree.bags(bags);
    const label = get("planes").parentElement;
    label.hidden = this.views.every((one) => !one.deckShapes?.planes.length);
    label.lastElementChild.textContent = `rigid walls (${planes.filter((p) => p.kind === "wall").length}) and sections (${planes.filter((p) => p.kind === "section").length})`;
    const notes = [...missing, view.about.simplified].filter(Boolean);
    if (notes.length) view.place.querySelector(".note").textContent = notes.join("; ");
  }

  // What the page starts with, from the command line.
  begin({ field, shown }) {
    if (field !== undefined && [...get("field").options].some((one) => one.value === field)) get("field").value = field;
    this.useField();
    if (shown) {
      const off = [...this.tree.rows.keys()].filter((id) => !shown.includes(id));
      for (const view of this.views) view.shown = Uint8Array.from(view.parts, ({ id }) => (shown.includes(id) ? 1 : 0));
      for (const id of off) this.tree.rows.get(id).box.checked = false;
    }
  }

  fill() {
    const [view] = this.views;
    get("field").replaceChildren(element("option", "parts", { value: "" }), ...view.about.fields.map(({ name, title }) => element("option", title, { value: name })));
    get("field").value = view.fieldName;
    const vectors = view.source.limited ? [] : view.about.fields.filter((f) => ["displacement", "velocity", "acceleration"].includes(f.name));
    get("arrows").append(...vectors.map(({ name }) => element("option", name, { value: name })));
    for (const one of this.views) {
      const shells = one.about.kinds.filter(([, count]) => count).map(([kind, count]) => `${count.toLocaleString("en")} ${kind.replace("_", " ")}s`);
      one.place.querySelector(".size").textContent = shells.join(", ");
    }
  }

  // ---- states ------------------------------------------------------------------------------------

  async want(k) {
    this.at = k;
    get("which").value = k;
    const time = this.times[k];
    get("when").textContent = `${k + 1} of ${this.times.length}, t = ${withUnit(time, this.views[0].about.units.time)}`;
    await Promise.all(this.views.map((view) => view.want(nearest(view.about.times, time))));
    await this.ranges();
    this.picked?.state();
    if (this.picked?.picks.length && !this.playing) this.picked.show();
    for (const view of this.views) {
      view.place.querySelector(".nothing").textContent = view.scene.full.count + view.scene.beams.count ? "" : "The model has nothing to show.";
      view.place.dataset.drawn = view.state;
    }
    this.drawn = k;
  }

  async play() {
    if (this.playing) {
      this.playing = false;
      return;
    }
    this.playing = true;
    get("play").textContent = "Stop";
    for (let k = this.at + 1 >= this.times.length ? 0 : this.at + 1; this.playing && k < this.times.length; ++k) {
      const pause = new Promise((done) => setTimeout(done, 1000 / Number(get("pace").value)));
      await Promise.all([this.want(k), pause]);
    }
    this.playing = false;
    get("play").textContent = "Play";
    this.picked.show();
  }

  async loadAhead() {
    for (const view of this.views) {
      if (view.about.nodes * view.about.times.length > AHEAD * 20) continue;
      for (let k = 0; k < view.about.times.length; ++k) await Promise.all([view.stateData(k), view.fieldData(k)]);
    }
    document.body.dataset.loaded = Math.round(performance.now());
  }

  // ---- colours -----------------------------------------------------------------------------------

  useField() {
    const name = get("field").value;
    for (const view of this.views) {
      view.fieldName = name;
      view.layer = Number(get("layer").value || 0);
      view.shownValues = null;
      if (!name) view.scene.by = 0;
    }
    const field = this.views[0].field, layers = field?.layers ?? 0;
    get("layers").hidden = layers < 2;
    const names = ["largest", ...Array.from({ length: layers }, (_, k) => (field.name.startsWith("strain/") ? ["inner surface", "outer surface"][k] : `point ${k + 1}`))];
    if (layers > 1 && get("layer").options.length !== names.length) get("layer").replaceChildren(...names.map((text, k) => element("option", text, { value: k })));
    if (layers < 2) for (const view of this.views) view.layer = 0;
    const table = !field ? "rainbow" : field.name === "plastic_strain" ? "yielding" : field.signed ? "signed" : "rainbow";
    for (const view of this.views) view.scene.colours.fill(view.about.colours[table]);
    this.table = table;
    if (field) get("symmetric").checked = field.signed;
  }

  async ranges() {
    const mode = get("mode").value, [first] = this.views;
    for (const view of this.views) view.scene.bands = get("banded").checked ? BANDS : 0;
    get("low").disabled = get("high").disabled = mode !== "fixed";
    if (first.field) {
      let range = [Number(get("low").value), Number(get("high").value)];
      if (mode !== "fixed" || !range.every(Number.isFinite)) range = await this.found(mode);
      if (mode !== "fixed") [get("low").value, get("high").value] = range.map((v) => String(Number(v.toPrecision(5))));
      for (const view of this.views) view.scene.range = range;
      this.scale(range);
    }
    for (const view of this.views) {
      view.place.querySelector(".scale").hidden = !view.field || view !== first; // the range is that of all
      view.scene.redraw();
    }
  }

  // The range of all runs, in this state or in all; symmetric about zero if that is wanted.
  async found(mode) {
    let low = Infinity, high = -Infinity;
    for (const view of this.views) {
      const states = mode === "all" ? view.about.times.keys() : [view.state];
      for (const state of states) {
        const limits = await view.limits(state);
        if (limits) [low, high] = [Math.min(low, limits[0]), Math.max(high, limits[1])];
      }
    }
    if (!(high >= low)) return [0, 1];
    if (get("symmetric").checked) {
      const most = Math.max(Math.abs(low), Math.abs(high));
      [low, high] = [-most, most];
    }
    return high > low ? [low, high] : [low, low + (Math.abs(low) || 1e-4)];
  }

  scale(range) {
    const rows = this.views[0].about.colours[this.table], bands = get("banded").checked ? BANDS : 0;
    const at = (t) => `rgb(${rows[Math.round(t * (rows.length - 1))]})`;
    const stops = bands
      ? Array.from({ length: bands }, (_, k) => `${at((k + 0.5) / bands)} ${(100 * k) / bands}% ${(100 * (k + 1)) / bands}%`)
      : rows.map((rgb, k) => `rgb(${rgb}) ${(100 * k) / (rows.length - 1)}%`);
    for (const view of this.views) {
      const place = view.place.querySelector(".scale"), unit = view.unit();
      place.querySelector("i").style.background = `linear-gradient(to top, ${stops.join(", ")})`;
      place.querySelector("b").textContent = unit ? `${view.field.title}, ${unit}` : view.field.title;
      place.querySelector(".ticks").replaceChildren(...[1, 0.75, 0.5, 0.25, 0].map((t) => element("span", number(Number((range[0] + t * (range[1] - range[0])).toPrecision(3))))));
    }
  }

  // ---- view --------------------------------------------------------------------------------------

  // All runs fill the frame together, as they have one camera.
  fitCamera() {
    const shown = this.views.filter((view) => view.x), { clientWidth, clientHeight } = this.views[0].canvas;
    const points = shown.length > 1 ? shown.flatMap((view) => Array.from(view.visible())) : shown[0]?.visible();
    if (points) this.camera.fit(points, clientWidth / Math.max(1, clientHeight));
  }

  fit() {
    this.fitCamera();
    for (const one of this.views) one.scene.redraw();
    this.cut();
  }

  cut() {
    const axis = get("cut").value, side = get("flip").checked ? -1 : 1;
    get("cutting").hidden = axis === "";
    const { centre, radius } = this.camera;
    for (const view of this.views) {
      const normal = [0, 0, 0];
      if (axis !== "") normal[Number(axis)] = side;
      const place = axis === "" ? 0 : centre[Number(axis)] + (Number(get("cutAt").value) / 500 - 1) * radius;
      view.scene.cut = axis === "" ? null : [...normal, side * place];
      view.refreshCaps();
      view.scene.redraw();
    }
  }

  listen() {
    const all = (change) => {
      this.views.forEach(change);
      this.views.forEach((view) => view.scene.redraw());
    };
    const field = async () => {
      this.useField();
      await this.want(this.at);
      this.picked.show();
    };
    get("field").addEventListener("change", field);
    get("layer").addEventListener("change", field);
    for (const id of ["mode", "low", "high", "symmetric", "banded"]) get(id).addEventListener("change", () => this.ranges());
    for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => {
      this.camera.look(button.dataset.view);
      this.fit();
    });
    get("fit").addEventListener("click", () => this.fit());
    get("mesh").addEventListener("change", () => all((view) => (view.scene.mesh = get("mesh").checked)));
    get("outline").addEventListener("change", () => all((view) => (view.scene.outline = get("outline").checked)));
    for (const id of ["cut", "cutAt", "flip"]) get(id).addEventListener("input", () => this.cut());
    get("arrows").addEventListener("change", () => all((view) => {
      view.arrows = get("arrows").value;
      view.place.querySelector(".note").textContent = "";
      view.refreshExtra();
    }));
    get("planes").addEventListener("change", () => all((view) => {
      view.planeShown = get("planes").checked;
      view.refreshExtra();
    }));
    get("which").addEventListener("input", () => this.step(Number(get("which").value)));
    get("before").addEventListener("click", () => this.step(this.at - 1));
    get("after").addEventListener("click", () => this.step(this.at + 1));
    get("play").addEventListener("click", () => this.play());
    document.addEventListener("keydown", (event) => {
      if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
      if (event.key === "ArrowRight") this.step(this.at + 1);
      else if (event.key === "ArrowLeft") this.step(this.at - 1);
      else if (event.key === " ") this.play();
      else if (event.key === "Escape") this.picked.clear();
      else return;
      event.preventDefault();
    });
  }

  step(k) {
    this.playing = false;
    if (k >= 0 && k < this.times.length) this.want(k);
  }
}

// The number of the state that is nearest to a time.
function nearest(times, time) {
  let found = 0;
  times.forEach((t, k) => {
    if (Math.abs(t - time) < Math.abs(times[found] - time)) found = k;
  });
  return found;
}

window.viewer = new Page();
window.viewer.open();
