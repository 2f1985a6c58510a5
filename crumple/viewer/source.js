// Where the data of a run come from: the server of `crumple view`, or the page itself.
import { unpacked } from "./arrays.js";

export class ServerSource {
  constructor(run) {
    this.run = run;
  }

  async ask(what, query = {}) {
    const answer = await fetch(`${this.run}/${what}?${new URLSearchParams(query)}`, { cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.json()).error);
    return answer;
  }

  async json(what, query) {
    return (await this.ask(what, query)).json();
  }

  async arrays(what, query) {
    return unpacked(await (await this.ask(what, query)).arrayBuffer());
  }

  about() {
    return this.json("about");
  }

  geometry() {
    return this.arrays("geometry");
  }

  light(most) {
    return this.arrays("light", { most });
  }

  edges() {
    return this.arrays("edges");
  }

  shapes() {
    return this.json("shapes");
  }

  state(number) {
    return this.arrays("state", { number });
  }

  field(name, layer, number) {
    return this.arrays("field", { name, layer, number });
  }

  vectors(name, number, most) {
    return this.arrays("vectors", { name, number, most });
  }

  cut(number, plane) {
    return this.arrays("cut", { number, plane });
  }

  async history(field, layer, place) {
    return (await this.json("history", { field, layer, place })).values;
  }
}

// A page of its own: everything is in one block of bytes, positions and values as 16-bit numbers.
export class PageSource {
  constructor(packed) {
    this.packed = packed;
    this.limited = true;
  }

  static async open(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new PageSource(unpacked(await new Response(stream).arrayBuffer()));
  }

  about() {
    return this.packed.about;
  }

  geometry() {
    return this.packed;
  }

  light() {
    return null;
  }

  edges() {
    return { edges: this.packed.edges.length / 2, nodes: this.packed.edges, faces: this.packed.edge_faces };
  }

  shapes() {
    return this.packed.shapes;
  }

  state(number) {
    const { low, size } = this.packed.boxes[number];
    const packed = this.packed[`positions${number}`], count = packed.length / 3;
    const positions = new Float32Array(packed.length);
    // The three coordinates are one behind the other, which packs better.
    for (let k = 0; k < count; ++k) for (let c = 0; c < 3; ++c) positions[3 * k + c] = low[c] + (size[c] * packed[c * count + k]) / 65535;
    const gone = this.packed[`gone${number}`];
    return { state: number, positions, gone, deleted: gone.length ? gone.reduce((sum, g) => sum + g, 0) : 0 };
  }

  field(name, layer, number) {
    const field = this.packed.about.fields.find((f) => f.name === name), k = this.packed.about.fields.indexOf(field);
    const [low, high] = this.packed.ranges[k][number];
    const packed = this.packed[`values${k}_${number}`], values = new Float32Array(packed.length);
    for (let j = 0; j < packed.length; ++j) values[j] = packed[j] === 65535 ? -3e38 : low + ((high - low) * packed[j]) / 65534;
    return { of: field.of, values };
  }

  vectors() {
    throw new Error("Vectors are not in this page: crumple view RUN shows them.");
  }

  cut() {
    return null;
  }

  history(field, layer, place) {
    return this.packed.about.times.map((_, k) => {
      const value = this.field(field, layer, k).values[place];
      return value < -1e38 ? null : value;
    });
  }
}
