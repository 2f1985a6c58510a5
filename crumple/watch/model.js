// The model on the page: asks for plot states, and has them drawn.
import { Scene, YIELDING } from "./scene.js";
import { number, part, text } from "./tables.js";

const KEPT = 40; // states
const AGAIN = 1500; // ms before a state is asked for again that the server has put off
const PLAY = 120; // ms a state

const get = (id) => document.getElementById(id);

async function packed(url) {
  const answer = await fetch(url, { cache: "no-store" });
  if (answer.status === 503) return null;
  if (!answer.ok) throw new Error((await answer.json()).error);
  const content = await answer.arrayBuffer();
  const length = new DataView(content).getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(content, 4, length)));
  return { about, content, at: 4 + length };
}

const up4 = (bytes) => bytes + ((4 - (bytes % 4)) % 4);

export class Model {
  constructor() {
    this.plots = { generation: 0, times: [], why: "" };
    this.kept = new Map();
    this.surfaces = new Map();
    this.limit = 1e-4;
    this.wanted = -1;
    try {
      this.scene = new Scene(get("scene"));
    } catch (error) {
      text("nothing", error.message);
      get("scale").hidden = true;
      return;
    }
    this.scene.onPick = (k) => this.picked(k);
    get("colours").style.background = `linear-gradient(to top, ${YIELDING.map((rgb, k) => `rgb(${rgb}) ${k === 0 ? 0 : 1 + (99 * (k - 1)) / (YIELDING.length - 2)}%`).join(", ")})`;
    this.listen();
  }

  listen() {
    get("field").addEventListener("change", () => {
      this.scene.field = Number(get("field").value);
      get("scale").hidden = this.scene.field !== 0;
      this.scene.redraw();
    });
    get("lines").addEventListener("change", () => {
      this.scene.lines = get("lines").checked ? 1 : 0;
      this.scene.redraw();
    });
    get("which").addEventListener("input", () => {
      get("follow").checked = false;
      this.want(Number(get("which").value));
    });
    get("follow").addEventListener("change", () => this.want(this.newest()));
    for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => this.scene.view(button.dataset.view));
    get("play").addEventListener("click", () => this.play());
    get("all").addEventListener("click", () => this.show(() => true));
    get("hide").addEventListener("click", () => this.show((k) => this.scene.shown[k] && k !== this.chosen));
    get("only").addEventListener("click", () => this.show((k) => k === this.chosen));
  }

  newest() {
    return this.plots.times.length - 1;
  }

  states(plots, run) {
    this.run = run;
    if (!this.scene) return;
    if (plots.generation !== this.plots.generation) {
      this.kept.clear();
      this.surfaces.clear();
      this.limit = 1e-4;
      this.shown = null;
    }
    const before = this.plots;
    this.plots = plots;
    text("nothing", plots.times.length ? "" : plots.why);
    get("which").max = Math.max(0, this.newest());
    get("play").disabled = plots.times.length < 2;
    const replaced = this.shown && plots.times[this.shown.state] !== before.times[this.shown.state];
    if (replaced) this.kept.clear();
    if (plots.times.length && (get("follow").checked || replaced || this.wanted > this.newest())) this.want(this.newest());
    this.label();
  }

  want(state) {
    if (state < 0 || !this.scene) return;
    this.wanted = state;
    get("which").value = state;
    this.label();
    if (!this.busy) this.busy = this.work().finally(() => (this.busy = null));
  }

  // Loads what is wanted, until nothing else is.
  async work() {
    while (this.shown?.state !== this.wanted || this.shown.time !== this.plots.times[this.wanted]) {
      const wanted = this.wanted, generation = this.plots.generation;
      try {
        const found = await this.load(wanted);
        if (!found) {
          text("nothing", this.shown ? "" : "The run comes first: the state is read in a while.");
          await new Promise((done) => setTimeout(done, AGAIN));
        } else if (generation === this.plots.generation) {
          this.put(found);
          if (found.state === this.wanted) return;
        }
      } catch (error) {
        text("nothing", this.shown ? "" : error.message);
        return;
      }
    }
  }

  async load(state) {
    const time = this.plots.times[state];
    const there = this.kept.get(`${state}:${time}`);
    if (there) return there;
    // Better an earlier state than none.
    const answer = await packed(`state?number=${state}${this.shown ? "" : "&any=1"}`);
    if (!answer) return null;
    const { about, content, at } = answer;
    if (!this.surfaces.has(about.surface)) {
      const of = await packed(`surface?name=${encodeURIComponent(about.surface)}`);
      const { triangles: count, parts } = of.about;
      this.surfaces.set(about.surface, { about: of.about, triangles: new Uint32Array(of.content, of.at, 3 * count), parts: new Uint32Array(of.content, of.at + 12 * count, count), edges: new Uint8Array(of.content, of.at + 16 * count, count), ids: parts });
      if (this.surfaces.size > 6) this.surfaces.delete(this.surfaces.keys().next().value);
    }
    const positions = new Uint16Array(content, at, 3 * about.points);
    const values = new Uint16Array(content, at + up4(6 * about.points), about.triangles);
    const found = { ...about, time: this.plots.times[about.state], positions, values };
    this.kept.set(`${found.state}:${found.time}`, found);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    return found;
  }

  put(state) {
    const surface = this.surfaces.get(state.surface);
    if (!surface) return;
    if (this.surface !== surface) {
      this.surface = surface;
      this.scene.surface(surface.triangles, surface.parts, surface.edges, surface.ids.length);
      const { triangles, whole } = surface.about;
      text("size", triangles < whole ? `${triangles.toLocaleString("en")} triangles, simplified from ${whole.toLocaleString("en")}.` : `${triangles.toLocaleString("en")} triangles.`);
    }
    this.limit = Math.max(this.limit, this.mostly(state));
    this.scene.factor = state.highest / 65534 / this.limit;
    text("highest", number(Number(this.limit.toPrecision(2))));
    this.scene.state(state.positions, state.values, state.low, state.size);
    this.shown = state;
    get("scene").dataset.drawn = `${state.state}`;
    text("nothing", state.triangles ? "" : "The model has no shells and no solids to show.");
    this.label();
  }

  // The value that 99 % of those above zero are below: a few crushed elements would leave the rest in one colour.
  mostly({ values, highest }) {
    const some = values.filter((value) => value > 0 && value < 65535).sort();
    return some.length ? (some[Math.floor(0.99 * (some.length - 1))] / 65534) * highest : 0;
  }

  label() {
    const times = this.plots.times;
    if (!times.length) return text("when", "");
    const unit = this.run?.units ? ` ${this.run.time_unit}` : "";
    const here = this.wanted >= 0 ? `${this.wanted + 1} of ${times.length}, t = ${number(times[this.wanted])}${unit}` : "";
    text("when", this.shown && this.shown.state !== this.wanted ? `${here} …` : here);
  }

  async play() {
    if (this.playing) {
      this.playing = false;
      return;
    }
    get("follow").checked = false;
    this.playing = true;
    text("play", "Stop");
    for (let k = this.wanted >= this.newest() ? 0 : this.wanted + 1; this.playing && k <= this.newest(); ++k) {
      this.want(k);
      await Promise.all([this.busy, new Promise((done) => setTimeout(done, PLAY))]);
    }
    this.playing = false;
    text("play", "Play");
  }

  picked(k) {
    get("picked").hidden = k < 0;
    if (k < 0 || !this.surface) return;
    this.chosen = k;
    text("part", part(this.run, this.surface.ids[k]));
  }

  show(wanted) {
    if (!this.scene.shown) return;
    this.scene.show(Uint8Array.from(this.scene.shown, (_, k) => (wanted(k) ? 255 : 0)));
    get("all").hidden = this.scene.shown.every(Boolean);
    get("picked").hidden = true;
  }
}
