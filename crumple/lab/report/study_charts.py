"""The charts of a study's results."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from crumple.lab.page.chart import Chart, Series
from crumple.lab.profile.profile import Profile
from crumple.lab.profile.show_profile import classes
from crumple.lab.report.file_systems import file_charts
from crumple.lab.report.measurements import Measurements
from crumple.lab.report.program_figures import figure_charts

FUNCTIONS = 8  #: number of functions of a profile that are shown


def rest_of(m: Measurements, axis: str) -> list[str]:
    """The varied axes without one."""
    return [name for name in m.varied() if name != axis]


def lines_over(
    m: Measurements, axis: str, value: Callable[[pd.Series], float], spread: bool = False
) -> list[Series]:
    """A line over an axis for each combination of the others."""
    cases, rest = m.cases(), rest_of(m, axis)
    groups = cases.groupby(rest, sort=False) if rest else [((), cases)]
    found = []
    for _, group in groups:
        ordered = group.sort_values(axis)
        name = ordered.case.iloc[0].label(tuple(rest)) if rest else "measured"
        ys = [float(value(row)) for _, row in ordered.iterrows()]
        series = Series(name, [int(x) for x in ordered[axis]], ys)
        if spread:
            series.low, series.high = [float(v) for v in ordered.low], [float(v) for v in ordered.high]
        found.append(series)
    return found


def case_names(m: Measurements) -> list[str]:
    """Names of the cases on the axis of a bar chart."""
    return [case.label(tuple(m.varied())) for case in m.cases().case]


def elapsed_charts(m: Measurements) -> list[Chart]:
    """Elapsed time, speed-up and efficiency over ranks; or bars of the cases."""
    cases = m.cases()
    seconds = "seconds (median; lowest to highest)"
    if "ranks" not in m.varied():
        bars = Series("elapsed", case_names(m), list(cases["median"]), list(cases.low), list(cases.high))
        return [Chart("elapsed", "Elapsed time", "", seconds, [bars], "bars")]
    times = lines_over(m, "ranks", lambda row: row["median"], spread=True)
    speed = [Series(s.name, s.x, [s.y[0] / y for y in s.y]) for s in times]
    share = [
        Series(s.name, s.x, [100 * y * s.x[0] / x for x, y in zip(s.x, s.y, strict=True)]) for s in speed
    ]
    ranks = sorted(int(r) for r in cases.ranks.unique())
    ideal = Series("ideal", ranks, [r / ranks[0] for r in ranks], dashed=True)
    speed += predicted_speed_up(m)
    over = f"Speed-up over {ranks[0]} rank{'s' * (ranks[0] > 1)}"
    jobs = lines_over(m, "ranks", lambda row: row["jobs a day"])
    return [
        Chart("elapsed", "Elapsed time", "ranks", seconds, times),
        Chart("speed-up", over, "ranks", "times as fast", [*speed, ideal]),
        Chart("efficiency", "Parallel efficiency", "ranks", "%", share),
        Chart("jobs", "Jobs a day", "ranks", "86400 s / elapsed time x jobs side by side", jobs),
    ]


def prediction_charts(m: Measurements) -> list[Chart]:
    """Predicted and measured seconds of the cycles, and the parts of the predicted energy."""
    p, measured = m.predictions, m.median_of("solver [s]")
    if not p.found:
        return []
    if "ranks" in m.varied():
        several, shown = predicted_lines(m, measured), "ranks"
    else:
        names = case_names(m)
        keys = list(m.cases().key)
        several = [Series("measured", names, [float(measured.get(key, 0.0)) for key in keys])]
        for title in p.clusters:
            of = {one.key: one.seconds for one in p.of(title)}
            label = f"predicted, {title}"
            several.append(Series(label, names, [of.get(key, 0.0) for key in keys], predicted=True))
        shown = ""
    kind = "lines" if shown else "bars"
    note = "Predicted: simulated from traces, for the cluster file. Cycles: without start, reading and end."
    chart = Chart("predicted", "Time of the cycles", shown, "seconds", several, kind, note=note)
    return [chart, *predicted_energy(m)]


def predicted_lines(m: Measurements, measured: pd.Series) -> list[Series]:
    """Lines over ranks, a colour for each combination of other axes: measured solid, predicted dashed."""
    cases, rest, found = m.cases(), rest_of(m, "ranks"), []
    groups = [g for _, g in cases.groupby(rest, sort=False)] if rest else [cases]
    clusters = m.predictions.clusters
    for k, group in enumerate(groups):
        ordered = group.sort_values("ranks")
        name = ordered.case.iloc[0].label(tuple(rest)) if rest else ""
        rows = [
            (int(row.ranks), float(measured[row.key])) for _, row in ordered.iterrows() if row.key in measured
        ]
        label = ", ".join(filter(None, ["measured", name]))
        found.append(Series(label, [x for x, _ in rows], [y for _, y in rows], colour=k))
        for number, title in enumerate(clusters):
            of = {p.key: p for p in m.predictions.of(title)}
            several = [of[key] for key in ordered.key if key in of]
            if not several:
                continue
            label = ", ".join(filter(None, ["predicted", title, name]))
            series = Series(
                label, [p.case.ranks for p in several], [p.seconds for p in several], predicted=True
            )
            series.low, series.high = [p.low for p in several], [p.high for p in several]
            series.colour = k if number == 0 else len(groups) * number + k
            found.append(series)
    return found


def predicted_speed_up(m: Measurements) -> list[Series]:
    """Predicted speed-up; each line starts at its own smallest number of ranks."""
    lines = predicted_lines(m, m.median_of("solver [s]")) if m.predictions.found else []
    return [
        replace(s, y=[s.y[0] / y for y in s.y], low=[], high=[])
        for s in lines
        if s.predicted and len(s.y) > 1
    ]


def predicted_energy(m: Measurements) -> list[Chart]:
    """The parts of the predicted Wh per job, for the first cluster whose power is known."""
    for title in m.predictions.clusters:
        several = [p for p in m.predictions.of(title) if p.energy]
        if several:
            x = [p.case.label(tuple(m.varied())) for p in several]
            parts = [p.energy.parts for p in several]
            series = [
                Series(name, x, [part[name] for part in parts], predicted=True)
                for name in parts[0]
                if any(part[name] for part in parts)
            ]
            heading = f"Energy of a job, predicted: {title}"
            return [Chart("predicted-energy", heading, "", "Wh a job", series, "stacked")]
    return []


def productivity_chart(m: Measurements) -> list[Chart]:
    """Jobs per day of the whole machine over the number of jobs side by side."""
    if "jobs" not in m.varied():
        return []
    bars = Series("jobs a day", case_names(m), list(m.cases()["jobs a day"]))
    title = "Jobs side by side: what the machine does a day"
    return [Chart("productivity", title, "", "jobs a day", [bars], "bars")]


def phase_chart(m: Measurements) -> list[Chart]:
    """Seconds of the phases, mean over ranks, medians over runs."""
    if m.phases.empty:
        return []
    table = m.phases.merge(m.done()[["run", "key"]], on="run")
    ranks = table.groupby(["key", "run", "job", "name"], sort=False).seconds.mean()
    each = ranks.groupby(["key", "name"]).median()
    keys, names = m.cases().key, case_names(m)
    series = [
        Series(str(phase), names, [float(each.get((key, phase), 0.0)) for key in keys])
        for phase in table.name.unique()
    ]
    return [Chart("phases", "Where the time goes: phases, mean over ranks", "", "seconds", series, "stacked")]


def balance_chart(m: Measurements) -> list[Chart]:
    """Slowest rank over the mean for each phase, medians over runs; for cases with several ranks."""
    cases = m.cases()
    if m.phases.empty or cases.ranks.max() < 2:
        return []
    table = m.phases.merge(m.done()[["run", "key", "ranks"]], on="run")
    by_run = table[table.ranks > 1].groupby(["key", "run", "job", "name"], sort=False).seconds
    each = (by_run.max() / by_run.mean()).groupby(["key", "name"]).median()
    mean = by_run.mean().groupby(["key", "name"]).median()
    chosen = [p for p in table.name.unique() if mean[:, p].max() > 0.01 * mean.groupby("key").sum().max()]
    several = [
        (name, key) for name, key, n in zip(case_names(m), cases.key, cases.ranks, strict=True) if n > 1
    ]
    series = [
        Series(name, [str(p) for p in chosen], [float(each.get((key, p), 0.0)) for p in chosen])
        for name, key in several
    ]
    note = (
        "1 means perfect balance. Waiting for other ranks is part of exchange; phases below 1 % are left out."
    )
    title = "Load balance: the slowest rank's seconds over the mean"
    return [Chart("balance", title, "", "slowest over mean", series, "bars", note=note)]


def profiles_by_case(m: Measurements) -> list[tuple[str, Profile]]:
    """The profile of each case's first run."""
    found = []
    for _, row in m.cases().iterrows():
        runs = m.done()[m.done().key == row.key].run
        first = next((m.profiles[run][0] for run in runs if m.profiles.get(run)), None)
        if first:
            found.append((row.case.label(tuple(m.varied())), first))
    return found


def profile_charts(m: Measurements) -> list[Chart]:
    """MPI functions, message sizes, and messages between ranks."""
    profiles = profiles_by_case(m)
    if not profiles:
        return []
    longest: dict[str, float] = {}
    for _, profile in profiles:
        for total in profile.totals():
            longest[total.name] = max(longest.get(total.name, 0.0), total.time / profile.size)
    chosen = sorted(longest, key=lambda n: -longest[n])[:FUNCTIONS]
    functions = [
        Series(name, chosen, [of.get(f, 0.0) for f in chosen])
        for name, p in profiles
        for of in [{t.name: t.time / p.size for t in p.totals()}]
    ]
    charts = [Chart("functions", "Time in MPI functions, a rank", "", "seconds", functions, "bars")]
    name, most = max(profiles, key=lambda pair: pair[1].size)
    sizes = [
        Series(what, [c for c, _, _ in rows], [float(n) for _, n, _ in rows])
        for what, kind in (("point to point", "point_to_point"), ("collective", "collective"))
        if (rows := classes(most.histogram(kind)))
    ]
    charts.append(Chart("messages", f"Messages by size: {name}", "", "messages", sizes, "bars"))
    if most.size > 1:
        matrix = [[0.0] * most.size for _ in range(most.size)]
        for rank in most.ranks:
            for to, (_, size) in rank["peers"].items():
                matrix[rank["rank"]][int(to)] = size / 1e6
        charts.append(Chart("peers", f"Who sends to whom: {name}", "to rank", "MB", [], "heat", matrix))
    return charts


def energy_charts(m: Measurements) -> list[Chart]:
    """Energy and money per job, with separate bars for each meter and for modelled figures."""
    charts = []
    labelled = m.figures[m.figures.label != ""].merge(m.done()[["run", "key"]], on="run")
    for name, table in labelled.groupby("name", sort=False):
        what, _, unit = str(name).partition(" [")
        medians = table.groupby(["label", "key"]).value.median()
        labels = [str(label) for label in table.label.unique()]
        series = [
            Series(label, case_names(m), [float(medians.get((label, key), 0.0)) for key in m.cases().key])
            for label in labels
        ]
        title = f"{what.capitalize()} a job ({'; '.join(labels)})"
        charts.append(Chart(what, title, "", unit.rstrip("]"), series, "bars"))
    return charts


def all_charts(m: Measurements) -> dict[str, list[Chart]]:
    """Charts by section of the page."""
    return {
        "Time": elapsed_charts(m) + productivity_chart(m),
        "Predicted": prediction_charts(m),
        "Program": figure_charts(m),
        "Phases": phase_chart(m) + balance_chart(m),
        "Messages": profile_charts(m),
        "Files": file_charts(m),
        "Energy and cost": energy_charts(m),
    }
