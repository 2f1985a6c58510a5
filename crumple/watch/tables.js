// Numbers and tables. Everything from the run is put in as text, never as HTML.

export function text(id, content) {
  const element = document.getElementById(id);
  const words = content ?? "";
  if (element.textContent !== words) element.textContent = words;
  return element;
}

// Four digits; powers of ten for what is very large or small.
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e4) return String(Number(value.toPrecision(4)));
  if (size >= 1e4 && size < 1e7) return Math.round(value).toLocaleString("en");
  const [mantissa, exponent] = value.toExponential(3).split("e");
  const raised = [...String(Number(exponent))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");
  return `${Number(mantissa)}×10${raised}`;
}

// Seconds as people say them.
export function clock(seconds) {
  if (seconds < 60) return seconds < 10 && seconds % 1 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
  if (minutes < 60 * 48) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

export function part(run, id) {
  const title = run.parts[id];
  return title ? `${id} ${title}` : `part ${id}`;
}

function cell(tag, content, right) {
  const element = document.createElement(tag);
  element.textContent = content;
  if (right) element.className = "n";
  return element;
}

const looksLikeNumber = (content) => /^[-\d]/.test(content) && !/[a-z]/i.test(content);

// A table with these rows; it is left alone where nothing has changed, so that it can be scrolled.
export function rows(id, head, body, none) {
  const place = document.getElementById(id);
  const now = JSON.stringify(body);
  if (place.dataset.shown === now) return;
  place.dataset.shown = now;
  if (!body.length) {
    place.replaceChildren(Object.assign(document.createElement("p"), { className: "none", textContent: none }));
    return;
  }
  const right = head.map((_, k) => body.every((row) => looksLikeNumber(String(row[k]))));
  const table = document.createElement("table");
  const top = table.createTHead().insertRow();
  head.forEach((name, k) => top.append(cell("th", name, right[k])));
  const rest = table.createTBody();
  for (const row of body) {
    const line = rest.insertRow();
    row.forEach((content, k) => line.append(cell("td", String(content), right[k])));
  }
  place.replaceChildren(table);
}

export function tiles(id, facts) {
  const place = document.getElementById(id);
  facts.forEach(([name, value, note, look], k) => {
    let tile = place.children[k];
    if (!tile) {
      tile = Object.assign(document.createElement("div"), { className: "tile" });
      tile.append(document.createElement("span"), document.createElement("b"), document.createElement("small"));
      place.append(tile);
    }
    [name, value, note].forEach((content, j) => {
      if (tile.children[j].textContent !== content) tile.children[j].textContent = content;
    });
    tile.children[1].className = look ? "look" : "";
  });
}
