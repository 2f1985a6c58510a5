// The charts, by plotly, in the style of the report.
import { number, rows } from "./tables.js";

const INK = "#1d2733";
const PALETTE = ["#1f6fb4", "#c8452e", "#3a8f5c", "#7c57a6", "#d79a1e", "#2a9d9d", "#b0568e", "#7a5c3e"];
const CONFIG = { displayModeBar: false, responsive: true };
const AXIS = { gridcolor: "#e6eaef", zerolinecolor: "#c9d1da", linecolor: "#9aa5b1", ticks: "outside", ticklen: 4, exponentformat: "power", automargin: true };

// Plotly reads names as a kind of HTML.
const plain = (name) => String(name).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function layout(x, y) {
  const title = (words) => ({ text: plain(words), standoff: 6, font: { size: 12.5 } });
  return {
    margin: { l: 60, r: 16, t: 12, b: 44 },
    paper_bgcolor: "white",
    plot_bgcolor: "white",
    colorway: PALETTE,
    font: { family: "Inter, 'Segoe UI', Helvetica, Arial, sans-serif", size: 12.5, color: INK },
    hovermode: "x unified",
    hoverlabel: { bgcolor: "white", font: { size: 12 } },
    showlegend: true,
    legend: { orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom" },
    xaxis: { ...AXIS, title: title(x) },
    yaxis: { ...AXIS, title: title(y) },
    uirevision: "same", // what the user has zoomed stays
  };
}

// A card for each of these charts, before one is drawn: how wide they are depends on how many there are.
export function place(names) {
  const count = document.querySelectorAll(".plot").length;
  names.forEach(card);
  if (document.querySelectorAll(".plot").length === count) return;
  for (const plot of document.querySelectorAll(".plot.js-plotly-plot")) Plotly.Plots.resize(plot);
}

function card(name) {
  const there = document.getElementById(`chart-${name}`);
  if (there) return there;
  const place = [...document.querySelectorAll("[data-charts]")].find((one) => one.dataset.charts.split(" ").includes(name));
  const frame = Object.assign(document.createElement("div"), { className: "card" });
  const plot = Object.assign(document.createElement("div"), { className: "plot", id: `chart-${name}` });
  frame.append(document.createElement("h3"), plot);
  const order = place.dataset.charts.split(" ");
  frame.dataset.order = order.indexOf(name);
  const after = [...place.children].find((one) => Number(one.dataset.order) > order.indexOf(name));
  place.insertBefore(frame, after ?? null);
  return plot;
}

export function draw(name, chart) {
  const plot = card(name);
  plot.previousSibling.textContent = chart.title;
  const traces = chart.curves.map((curve, k) => ({
    x: curve.x,
    y: curve.y,
    name: plain(curve.name),
    mode: "lines",
    line: { width: 1.8, color: curve.colour ?? PALETTE[k % PALETTE.length], dash: curve.dash },
    hovertemplate: "%{y:.4s}",
  }));
  const look = layout(chart.x, chart.y);
  if (traces.length > 5) look.legend = { x: 1.01, xanchor: "left", y: 1, yanchor: "top", font: { size: 11 } };
  if (chart.zero) look.yaxis.rangemode = "tozero";
  if (chart.most !== undefined) look.yaxis.range = [0, chart.most];
  if (chart.band) {
    const [low, high] = chart.band;
    const values = chart.curves.flatMap((curve) => curve.y);
    const reach = Math.max(0.06, 1.15 * Math.max(0, ...values.map((y) => Math.abs(y - 1))));
    look.yaxis.range = [1 - reach, 1 + reach];
    look.shapes = [{ type: "rect", xref: "paper", x0: 0, x1: 1, y0: low, y1: high, fillcolor: "#3a8f5c", opacity: 0.07, line: { width: 0 } }];
  }
  Plotly.react(plot, traces, look, CONFIG);
}

let drawn = "";

export function drawLoad(load) {
  const now = JSON.stringify(load);
  if (now === drawn) return;
  drawn = now;
  const place = document.getElementById("loads");
  if (!load) {
    place.className = "none";
    place.textContent = "The run has written no load_profile yet; it does so every few seconds.";
    rows("balance", [], [], "Not known yet.");
    return;
  }
  if (place.className !== "plot") {
    place.className = "plot";
    place.textContent = "";
  }
  const used = load.phases.map((name, k) => ({ name, seconds: load.seconds[k] })).filter((phase) => Math.max(...phase.seconds) > 0);
  const traces = used.map((phase) => ({ type: "bar", x: load.ranks, y: phase.seconds, name: plain(phase.name), marker: { color: PALETTE[load.phases.indexOf(phase.name) % PALETTE.length] }, hovertemplate: "%{y:.2f} s" }));
  const look = layout("rank", "seconds");
  Object.assign(look, { barmode: "stack", bargap: 0.3 });
  look.legend.traceorder = "normal";
  if (load.ranks.length <= 32) look.xaxis.type = "category";
  Plotly.react(place, traces, look, CONFIG);
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const whole = sum(load.seconds.map(sum)) || 1;
  const count = load.ranks.length;
  rows(
    "balance",
    ["Phase", "Mean, s", "Largest, s", "Over mean", "Of all"],
    used.map(({ name, seconds }) => {
      const mean = sum(seconds) / count, most = Math.max(...seconds);
      return [name, number(mean), number(most), mean > 0 ? `${(100 * (most / mean - 1)).toFixed(0)} %` : "-", `${((100 * sum(seconds)) / whole).toFixed(0)} %`];
    }),
    "Nothing measured yet.",
  );
}
