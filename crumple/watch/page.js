// The page of a watched run: asks the server for what is new, and shows it.
import { draw, drawLoad, place } from "./plots.js";
import { Model } from "./model.js";
import { clock, number, part, rows, text, tiles } from "./tables.js";

const OFTEN = 2000, SELDOM = 10000; // ms between two questions, of a run that goes on and of one that is over
const model = new Model();
const have = {};
let over = false;
let known = null; // the last answer

async function ask() {
  const asked = Object.entries(have).map(([name, version]) => `${name}:${version}`).join(",");
  const answer = await fetch(`run.json?have=${encodeURIComponent(asked)}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

function showHead(run, state, progress) {
  text("title", run.title);
  text("subtitle", [run.deck, run.folder, run.size].filter(Boolean).join(" · "));
  document.title = `${run.title} – crumple watch`;
  const pill = text("state", state.going === "silent" ? "no sign of life" : state.going);
  pill.className = `ending ${state.going}`;
  pill.title = state.words;
  const share = progress.end && progress.time !== null ? Math.min(1, progress.time / progress.end) : null;
  document.getElementById("done").style.width = `${100 * (share ?? 0)}%`;
  document.getElementById("bar").setAttribute("aria-valuenow", share === null ? "0" : (100 * share).toFixed(0));
  text("percent", share === null ? "" : `${(100 * share).toFixed(1)} %`);
  text("left", over ? state.words : progress.left === null ? "time left: not known yet" : `${clock(progress.left)} left`);
  const message = text("message", run.message);
  message.hidden = !run.message;
  text("footer", [run.program, run.hash && `state hash ${run.hash}`, run.units ? `units ${run.units}` : "deck units"].filter(Boolean).join(" · "));
}

function showTiles(run, state, progress, step, warnings, deleted) {
  const unit = run.units ? ` ${run.time_unit}` : "";
  const hold = step.by && step.element !== null ? `held by ${step.by} ${step.element} of ${part(run, step.part)}` : step.by && `held by ${step.by}`;
  const ratioBad = progress.ratio !== null && Math.abs(progress.ratio - 1) > 0.05;
  tiles("tiles", [
    ["Simulated time", progress.time === null ? "-" : number(progress.time) + unit, progress.end ? `of ${number(progress.end)}${unit}` : ""],
    [progress.steps ? "Step" : "Cycle", progress.cycle === null ? "-" : progress.cycle.toLocaleString("en"), ""],
    ["Elapsed", progress.elapsed === null ? "-" : clock(progress.elapsed), over ? "" : `last row or state ${clock(progress.changed)} ago`],
    ["Time left", over || progress.left === null ? "-" : clock(progress.left), state.words],
    progress.steps
      ? ["Iterations", number(progress.iterations), `in ${progress.steps.toLocaleString("en")} steps${progress.refused ? `, ${progress.refused} tried again` : ""}`, progress.refused > 0]
      : ["Speed", progress.ns === null ? "-" : `${number(progress.ns)} ns`, "per zone and cycle, mean so far"],
    ["Time step", step.now === null ? "-" : number(step.now) + unit, hold || ""],
    ["Energy ratio", progress.ratio === null ? "-" : progress.ratio.toFixed(4), progress.added_mass ? `added mass ${progress.added_mass.toFixed(2)} %` : "", ratioBad],
    ["Deleted elements", deleted.count.toLocaleString("en"), "", deleted.count > 0],
    ["Warnings", warnings.count.toLocaleString("en"), "", warnings.count > 0],
  ]);
}

function showTables(run, step, warnings, deleted, load) {
  rows("held", ["Element", "Part", "Of rows", "Smallest step"], step.held.map(([element, name, share, least]) => [element, name, `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`, number(least)]), "No glstat yet, or nothing in it says what held the step.");
  text("listed", step.listed && `at ${step.listed}`);
  rows("smallest", ["Step", "Element", "Part"], step.smallest.map(([least, element, name]) => [number(least), element, name]), "Not listed yet.");
  text("warned", `Warnings (${warnings.count.toLocaleString("en")})`);
  const list = document.getElementById("warnings");
  list.replaceChildren(...warnings.rows.map((row) => Object.assign(document.createElement("li"), { textContent: row })));
  if (!warnings.rows.length) list.append(Object.assign(document.createElement("li"), { textContent: "None.", className: "none" }));
  text("deletions", `Deleted elements (${deleted.count.toLocaleString("en")})`);
  rows("deleted", ["Time", "Element", "Part", "Why"], deleted.rows, "None.");
  drawLoad(load);
}

function showCharts(charts, names) {
  place(names);
  for (const [name, chart] of Object.entries(charts)) {
    have[name] = chart.version;
    draw(name, chart);
  }
  for (const group of document.querySelectorAll("[data-charts]")) {
    const some = group.dataset.charts.split(" ").some((name) => names.includes(name));
    let none = group.querySelector(".none");
    if (!some && !none) {
      none = Object.assign(document.createElement("p"), { className: "card none", textContent: "The run has written no such history yet, or the deck asks for none." });
      group.append(none);
    } else if (some && none) none.remove();
  }
}

function show(answer) {
  const { run, state, progress, step, warnings, deleted, load, charts, names, plots } = answer;
  over = !["running", "silent"].includes(state.going);
  showHead(run, state, progress);
  showTiles(run, state, progress, step, warnings, deleted);
  showTables(run, step, warnings, deleted, load);
  showCharts(charts, names);
  model.states(plots, run);
  for (const button of document.querySelectorAll("#switch button")) button.disabled = over;
  if (answer.switch) text("said", "given; the run has not read it yet");
  else if (known?.switch) text("said", "the run has read it");
  known = answer;
}

async function turn() {
  let wait = OFTEN;
  try {
    if (!document.hidden) {
      show(await ask());
      document.getElementById("lost").hidden = true;
      wait = over && !known.behind ? SELDOM : OFTEN;
    }
  } catch (error) {
    if (!(error instanceof TypeError) && !/^[A-Z][a-z]+( [A-Z][a-z]+)*$/.test(error.message)) console.error(error);
    document.getElementById("lost").hidden = false;
  }
  setTimeout(turn, wait);
}

document.getElementById("switch").addEventListener("submit", async (event) => {
  event.preventDefault();
  const which = event.submitter?.value;
  if (which === "stop" && !confirm("Stop the run? It writes a dump and a last state, and ends.")) return;
  const body = JSON.stringify({ switch: which, token: document.getElementById("token").value.trim() });
  try {
    const answer = await fetch("switch", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const said = await answer.json();
    text("said", answer.ok ? "given" : said.error);
  } catch {
    text("said", "no answer");
  }
});

turn();
