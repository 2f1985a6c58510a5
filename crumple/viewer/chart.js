// A curve over time as SVG, with the time that is shown.
import { number } from "./numbers.js";

const WIDE = 310, HIGH = 150, LEFT = 52, RIGHT = 8, TOP = 8, BOTTOM = 22;

function svg(tag, settings, content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(settings)) made.setAttribute(name, value);
  if (content !== undefined) made.textContent = content;
  return made;
}

export function chart(times, values, timeUnit) {
  const some = values.filter((v) => v !== null);
  const made = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "history" });
  if (!some.length) return made;
  let low = Math.min(...some), high = Math.max(...some);
  if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
  const [first, last] = [times[0], times[times.length - 1]], across = WIDE - LEFT - RIGHT, up = HIGH - TOP - BOTTOM;
  const x = (t) => LEFT + (last > first ? ((t - first) / (last - first)) * across : 0), y = (v) => TOP + up - ((v - low) / (high - low)) * up;
  for (const part of [0, 0.5, 1]) {
    const v = low + part * (high - low), t = first + part * (last - first);
    made.append(svg("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(v), y2: y(v), stroke: "#e3e7ec" }));
    made.append(svg("text", { x: LEFT - 4, y: y(v) + 3, "text-anchor": "end" }, number(Number(v.toPrecision(3)))));
    made.append(svg("text", { x: x(t), y: HIGH - 8, "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle" }, number(Number(t.toPrecision(3))) + (part === 1 && timeUnit ? ` ${timeUnit}` : "")));
  }
  const path = values.map((v, k) => (v === null ? "" : `${k && values[k - 1] !== null ? "L" : "M"}${x(times[k]).toFixed(1)} ${y(v).toFixed(1)}`)).join("");
  made.append(svg("path", { d: path, fill: "none", stroke: "#17457a", "stroke-width": 1.6 }));
  const now = svg("line", { y1: TOP, y2: TOP + up, stroke: "#d91a5a", "stroke-dasharray": "3 3" });
  made.append(now);
  made.at = (time) => [1, 2].forEach((k) => now.setAttribute(`x${k}`, x(time)));
  made.at(first);
  return made;
}
