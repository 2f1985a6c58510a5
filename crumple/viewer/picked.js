// What was picked: node, element, part, values, a history; with Shift a second node, and the distance.
import { chart } from "./chart.js";
import { element, get, withUnit } from "./numbers.js";

const far = (a, b) => Math.hypot(...a.map((x, c) => x - b[c]));

function table(rows) {
  const made = element("table"), body = made.createTBody();
  for (const [name, value, id] of rows) {
    const row = body.insertRow();
    row.append(element("td", name), element("td", value));
    if (id) row.dataset.what = id;
  }
  return made;
}

export class Picked {
  constructor(tree) {
    this.tree = tree;
    this.picks = []; // of one view
    this.charts = [];
    get("close").addEventListener("click", () => this.clear());
  }

  clear() {
    this.forget();
    this.tree.choose(-1);
    get("right").hidden = true;
  }

  forget() {
    this.picks = [];
    if (this.view) {
      this.view.marks = [];
      this.view.refreshExtra();
      this.view.scene.redraw();
    }
  }

  take(view, pick, event) {
    if (!pick) return this.clear();
    if (this.view !== view || !event.shiftKey || this.picks.length > 1) this.forget();
    this.view = view;
    this.picks.push(pick);
    view.marks = this.picks.map(({ node, nodeId }) => ({ node, text: `node ${nodeId}` }));
    view.refreshExtra();
    view.scene.redraw();
    this.tree.choose(view.parts[pick.part].id);
    get("right").hidden = false;
    this.show();
  }

  // All of it anew: the state, the field or the picks have changed.
  async show() {
    if (!this.picks.length) return;
    const { view, picks } = this, turn = (this.turn = (this.turn ?? 0) + 1), charts = [];
    const cards = await Promise.all(picks.map((pick) => this.card(view, pick, charts)));
    if (picks.length === 2) cards.unshift(await this.distance(view, picks, charts));
    if (turn !== this.turn) return;
    this.charts = charts;
    get("picks").replaceChildren(...cards, element("p", picks.length === 1 ? "Shift and click on a second node measures the distance." : "", { className: "note2" }));
    this.state();
  }

  state() {
    for (const one of this.charts) one.at?.(this.view.about.times[this.view.state]);
  }

  async card(view, pick, charts) {
    const { about } = view, part = view.parts[pick.part], long = about.units.length, x = view.at(pick.node), start = await view.initially(pick.node);
    const card = element("div", undefined, { className: "pick" }), value = view.valueAt(pick);
    const rows = [
      ["Node", String(pick.nodeId), "node"],
      ["Coordinates", x.map((c) => withUnit(c, "")).join(", ") + (long ? ` ${long}` : ""), "coordinates"],
      ["Displacement", withUnit(far(x, start), long), "displacement"],
      [pick.kind[0].toUpperCase() + pick.kind.slice(1), String(pick.element), "element"],
      ["Part", part.title ? `${part.id} ${part.title}` : String(part.id), "part"],
    ];
    if (view.field) rows.push([view.field.title, value === null ? "none" : withUnit(value, view.unit()), "value"]);
    card.append(element("h3", `Picked in state ${view.state + 1}`), table(rows));
    if (view.field) card.append(...(await this.history(view, pick, charts)));
    return card;
  }

  async history(view, pick, charts) {
    const ofNode = view.field.of === "node", name = view.fieldName;
    const values = await view.source.history(name, view.layer, ofNode ? pick.node : pick.owner);
    if (name === view.fieldName) pick.history = values; // of a field that was left meanwhile it comes too late
    if (values.every((v) => v === null)) return []; // a beam has no plastic strain
    const drawn = chart(view.about.times, values, view.about.units.time);
    charts.push(drawn);
    return [element("h3", `${view.field.title} of ${ofNode ? `node ${pick.nodeId}` : `${pick.kind} ${pick.element}`}`), drawn];
  }

  async distance(view, [a, b], charts) {
    const card = element("div", undefined, { className: "pick" }), long = view.about.units.length;
    const now = far(view.at(a.node), view.at(b.node)), start = far(await view.initially(a.node), await view.initially(b.node));
    card.append(
      element("h3", `Distance of nodes ${a.nodeId} and ${b.nodeId}`),
      table([["Now", withUnit(now, long), "distance"], ["In the first state", withUnit(start, long), "distance0"], ["Change", withUnit(now - start, long)], ...["x", "y", "z"].map((axis, c) => [`Along ${axis}`, withUnit(view.at(b.node)[c] - view.at(a.node)[c], long)])]),
    );
    const states = await Promise.all(view.about.times.map((_, k) => (view.kept.has(`s${k}`) ? view.stateData(k) : null)));
    if (states.every(Boolean)) {
      const of = (x, node) => [0, 1, 2].map((c) => x[3 * node + c]);
      const drawn = chart(view.about.times, states.map(({ positions: x }) => far(of(x, a.node), of(x, b.node))), view.about.units.time);
      charts.push(drawn);
      card.append(drawn);
    }
    return card;
  }
}
