"""The page of advice: the best few, Pareto front, scaling, upgrades, energy; PNGs of the charts beside it."""

from html import escape
from pathlib import Path

from crumple.lab.advise.advice import Advice
from crumple.lab.advise.score import MODELLED, PARTS, SIMULATED, Score
from crumple.lab.advise.show_advice import (
    GAINED,
    UPGRADE_HEAD,
    cells,
    head,
    layout,
    other_upgrades,
    scaling_lines,
    shown_upgrades,
    sources,
    subject,
    upgrade_cells,
    upgrade_line,
)
from crumple.lab.page.chart import Chart, Series, to_png
from crumple.lab.page.html_page import chart_card, html_page, table
from crumple.lab.page.picture_folder import folder_beside
from crumple.report.run_page import Section, card, pair
from crumple.whole_file import write_whole


def front_chart(a: Advice, name: str, y_title: str, of: str) -> list[Chart]:
    """All allowed ways as points, the front as a line, and the chosen ones; over elapsed time."""

    def value(score: Score) -> float:
        return getattr(score, of) or 0.0

    if not all(value(s) for s in a.front):
        return []

    def series(label: str, scores: list[Score], **looks: object) -> Series:
        words = [f"{layout(s)}, {s.candidate.sharing.decomposition} ({s.label})" for s in scores]
        return Series(label, [s.elapsed for s in scores], [value(s) for s in scores], words=words, **looks)

    lowest, edge = float("inf"), []
    for score in a.front:  # of three that are compared, the two that are drawn
        if value(score) < lowest:
            edge.append(score)
            lowest = value(score)
    several = [
        series("all that was modelled", a.searched.allowed, points=True, faint=True),
        series("Pareto front", edge, predicted=True, colour=0),
        series(f"the best few, {a.best[0].label}", a.best, points=True, colour=1),
    ]
    title = f"Elapsed time against {y_title} a job"
    note = "Each point is a way to run jobs. On the front are those that no other way beats in both."
    return [Chart(name, title, "elapsed, s", f"{y_title} a job", several, logarithmic=True, note=note)]


def scaling_charts(a: Advice) -> list[Chart]:
    """One job: elapsed time over ranks, and its parts."""
    curve, at = a.scaling.curve, a.scaling.at.candidate.sharing.ranks
    ranks = [s.candidate.sharing.ranks for s in curve]
    ideal = [curve[0].elapsed * ranks[0] / n for n in ranks]
    exact = [s for s in (a.scaling.at, a.scaling.next) if s and s.label == SIMULATED]
    several = [
        Series(MODELLED, ranks, [s.elapsed for s in curve], predicted=True, colour=0),
        Series("ideal", ranks, ideal, dashed=True),
    ]
    if exact:
        x = [s.candidate.sharing.ranks for s in exact]
        several.insert(1, Series(SIMULATED, x, [s.elapsed for s in exact], points=True, colour=1))
    title = f"One job: worth scaling up to {at} ranks"
    parts = [
        Series(part, [str(n) for n in ranks], [s.parts.get(part, 0.0) for s in curve])
        for part in PARTS
        if any(s.parts.get(part, 0.0) for s in curve)
    ]
    where = "Where the time of a rank goes, modelled"
    return [
        Chart("scaling", title, "ranks", "elapsed, s", several, logarithmic=True),
        Chart("parts", where, "ranks", "s, of the slowest", parts, "stacked"),
    ]


def energy_charts(a: Advice) -> list[Chart]:
    """The parts of the energy of a job, for the best few."""
    several = [s for s in a.best if s.energy]
    if not several:
        return []
    x = [f"{s.candidate.wish.jobs} x {s.candidate.sharing.ranks} on {s.placement.nodes}" for s in several]
    parts = [s.energy.parts for s in several]
    found = [Series(name, x, [part[name] for part in parts]) for name in parts[0]]
    title = f"Energy of a job, {several[0].label} time x power"
    return [
        Chart("energy", title, "jobs x ranks on nodes", "Wh a job", [s for s in found if any(s.y)], "stacked")
    ]


def upgrade_charts(a: Advice) -> list[Chart]:
    """The gain of each upgrade."""
    several = shown_upgrades(a)
    if not several:
        return []
    x = [f"{u.part.kind}: {u.part.name.split(',')[0].split(' with ')[0]}" for u in several]
    gains = Series("gain", x, [100 * u.gain for u in several], predicted=True)
    exact = sum(u.label == SIMULATED for u in several)
    which = {0: MODELLED, len(several): SIMULATED}.get(exact, f"{exact} simulated, others modelled")
    title = f"One part better: what it would give, {which}"
    return [Chart("upgrades", title, "", f"% {GAINED[a.question.objective]}", [gains], "bars")]


def charts_of(a: Advice) -> dict[str, list[Chart]]:
    """Charts by section."""
    return {
        "Pareto front": front_chart(a, "time-energy", "Wh", "wh")
        + front_chart(a, "time-cost", a.cluster.currency, "money"),
        "Scaling": scaling_charts(a),
        "Upgrades": upgrade_charts(a),
        "Energy": energy_charts(a),
    }


def sentences(lines: list[str]) -> str:
    """A card of lines."""
    return card(
        "", '<ul class="warnings">' + "".join(f"<li>{escape(x.strip())}</li>" for x in lines) + "</ul>"
    )


def rows_of(scores: list[Score]) -> list[list[str]]:
    """Cells of a table, escaped."""
    return [[escape(cell) for cell in cells(s)] for s in scores]


def body(a: Advice, charts: dict[str, list[Chart]]) -> list[Section]:
    """Sections of the page."""
    columns = [escape(c) for c in head(a.cluster.currency)]
    upgrades = [[escape(c) for c in upgrade_cells(u)] for u in shown_upgrades(a)]
    html = {
        "Pareto front": card("", table(columns, rows_of(a.front))),
        "Scaling": sentences(scaling_lines(a)),
        "Upgrades": sentences([upgrade_line(a), *other_upgrades(a)])
        + (card("", table(UPGRADE_HEAD, upgrades, 4)) if upgrades else ""),
        "Energy": "",
    }
    best = [Section("best", "The best few", card("", table(columns, rows_of(a.best))))]
    for title, several in charts.items():
        cards = [chart_card(chart) for chart in several]
        text = html[title] + "".join(pair(*cards[k : k + 2]) for k in range(0, len(cards), 2))
        if text:
            best.append(Section(title.lower().replace(" ", "-"), title, text))
    return [*best, Section("sources", "How far to trust it", sentences(sources(a)))]


def page(a: Advice, charts: dict[str, list[Chart]]) -> str:
    """The page as text."""
    sections = body(a, charts)
    return html_page(
        title="How to run it",
        subtitle=escape(subject(a)),
        ending=f"best: {escape(layout(a.best[0]))}",
        verdict="good",
        sections=sections,
        footer="All figures are simulated or modelled, as marked. Nothing was measured on that cluster.",
    )


def write_page(a: Advice, output: Path) -> Path:
    """Write the page, and a PNG of each chart into the folder beside it, which is returned."""
    charts = charts_of(a)
    folder = folder_beside(output)
    write_whole(output, page(a, charts))
    for several in charts.values():
        for chart in several:
            to_png(chart, folder)
    return folder
