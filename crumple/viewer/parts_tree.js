// The tree of parts: on, clear, off, colours, by kind and by airbag.
import { element, get } from "./numbers.js";

const KINDS = { solid: "Solids", shell: "Shells", thick_shell: "Thick shells", beam: "Beams", particle: "Particles", "": "Without elements" };
const hex = (rgb) => `#${rgb.map((c) => c.toString(16).padStart(2, "0")).join("")}`;

export class PartsTree {
  // All views are of runs whose parts have the same numbers, or they are matched by them.
  constructor(views) {
    this.views = views;
    this.rows = new Map(); // by number of the part
    this.onChange = () => {};
    get("find").addEventListener("input", () => this.filter(get("find").value.trim().toLowerCase()));
    get("all").addEventListener("click", () => this.set([...this.rows.keys()], 1));
    this.build();
  }

  build() {
    const tree = get("tree"), known = new Map();
    for (const view of this.views) view.parts.forEach((part, k) => known.has(part.id) || known.set(part.id, { part, rgb: view.colours[k] }));
    tree.replaceChildren();
    this.rows.clear();
    for (const [kind, name] of Object.entries(KINDS)) {
      const ids = [...known.keys()].filter((id) => known.get(id).part.kind === kind);
      if (!ids.length || (kind === "" && ids.every((id) => !known.get(id).part.elements))) continue;
      tree.append(this.group(name, ids, ids.map((id) => this.row(known.get(id)))));
    }
  }

  // Airbags of the deck, once it has been read.
  bags(bags) {
    for (const { name, parts } of bags) {
      const ids = parts.filter((id) => this.rows.has(id));
      const group = this.group(`Airbag ${name}`, ids, []);
      group.open = false;
      get("tree").append(group);
    }
  }

  group(name, ids, rows) {
    const group = element("details"), head = element("summary"), box = element("input", undefined, { type: "checkbox", checked: true });
    box.setAttribute("aria-label", name);
    box.addEventListener("click", (event) => event.stopPropagation());
    box.addEventListener("change", () => this.set(ids, box.checked ? 1 : 0));
    head.append(box, element("span", `${name} (${ids.length})`));
    group.append(head, ...rows);
    group.open = rows.length <= 200;
    return group;
  }

  row({ part, rgb }) {
    const row = element("div", undefined, { className: "part" });
    const box = element("input", undefined, { type: "checkbox", checked: true });
    const colour = element("input", undefined, { type: "color", value: hex(rgb), title: "colour of the part" });
    const name = element("span", part.title ? `${part.id} ${part.title}` : `part ${part.id}`, { className: "name" });
    name.title = `${name.textContent}: ${part.elements.toLocaleString("en")} elements. Double click: only this part`;
    const clear = element("button", "◐", { type: "button", title: "transparent" });
    box.setAttribute("aria-label", `part ${part.id}`);
    box.addEventListener("change", () => this.set([part.id], box.checked ? 1 : 0));
    clear.addEventListener("click", () => this.set([part.id], row.classList.contains("clear") ? 1 : 2));
    name.addEventListener("dblclick", () => {
      this.set([...this.rows.keys()], 0, false);
      this.set([part.id], 1);
    });
    colour.addEventListener("input", () => {
      const chosen = [1, 3, 5].map((k) => parseInt(colour.value.slice(k, k + 2), 16));
      for (const view of this.views) {
        view.parts.forEach((p, k) => p.id === part.id && (view.colours[k] = chosen));
        view.paintParts();
        view.scene.redraw();
      }
    });
    row.append(box, colour, name, element("span", part.elements.toLocaleString("en"), { className: "count" }), clear);
    row.dataset.part = part.id;
    this.rows.set(part.id, { row, box });
    return row;
  }

  // 0: off, 1: on, 2: clear.
  set(ids, how, tell = true) {
    const wanted = new Set(ids);
    for (const id of ids) {
      const { row, box } = this.rows.get(id);
      box.checked = how > 0;
      row.classList.toggle("clear", how === 2);
    }
    if (!tell) {
      for (const view of this.views) view.parts.forEach(({ id }, k) => wanted.has(id) && (view.shown[k] = how));
      return;
    }
    for (const view of this.views) view.show(view.shown.map((now, k) => (wanted.has(view.parts[k].id) ? how : now)));
    this.onChange();
  }

  choose(id) {
    for (const [other, { row }] of this.rows) row.classList.toggle("chosen", other === id);
    this.rows.get(id)?.row.scrollIntoView({ block: "nearest" });
  }

  filter(words) {
    for (const { row } of this.rows.values()) row.hidden = !row.querySelector(".name").textContent.toLowerCase().includes(words);
  }
}
