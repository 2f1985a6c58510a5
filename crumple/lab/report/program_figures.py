"""Figures of the program: a table of medians, and charts of those that the study names."""

import tomllib
from html import escape

from crumple.lab.applications.case import StudyError
from crumple.lab.page.chart import Chart, Series
from crumple.lab.report.measurements import Measurements
from crumple.lab.study.chart_names import check_names
from crumple.report.run_page import Section, card

#: figures that the lab itself enters; they are shown elsewhere
OWN = ("elapsed [s]", "rating", "jobs a day", "cpu [s]")


def names(m: Measurements) -> list[str]:
    """Names of the program's figures, in its order, without modelled ones."""
    if m.figures.empty:
        return []
    plain = m.figures[m.figures.label == ""]
    return [str(name) for name in plain.name.unique() if name not in OWN]


def check_charts(m: Measurements) -> None:
    """Check that all names in `charts` of the study file are figures.

    A figure that the file reads from the printed output may be missing in all runs.

    Raises:
        StudyError: one is not a figure; with the names of all figures.
    """
    if m.figures.empty:
        return
    tables = tomllib.loads(m.file)
    read = tables.get("workload", {}).get("figures", {})
    try:
        check_names(tables.get("study", {}).get("charts", []), [*map(str, m.figures.name.unique()), *read])
    except StudyError as error:
        raise StudyError(f"{m.path}: {error}") from None


def figures_section(m: Measurements) -> list[Section]:
    """A table with a row per figure and a column per case."""
    cases = m.cases()
    if cases.empty or not names(m):
        return []
    varied = tuple(m.varied())
    head = "".join(f"<th class=n>{escape(case.label(varied))}</th>" for case in cases.case)
    rows = []
    for name in names(m):
        medians = m.median_of(name)
        cells = [f"{medians[key]:.6g}" if key in medians else "" for key in cases.key]
        rows.append(
            f"<tr><td>{escape(name)}</td>" + "".join(f"<td class=n>{c}</td>" for c in cells) + "</tr>"
        )
    table = f"<table><thead><tr><th>figure</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    note = '<p class="note">Medians of what the program printed or wrote, and of its memory.</p>'
    return [Section("program", "What the program says", card("", f'<div class="long">{table}</div>{note}'))]


def figure_charts(m: Measurements) -> list[Chart]:
    """A chart for each figure in `charts` of the study file: over ranks or threads, otherwise bars."""
    wanted = tomllib.loads(m.file).get("study", {}).get("charts", [])
    axis = next((axis for axis in ("ranks", "threads") if axis in m.varied()), "")
    cases = m.cases()
    found = []
    for name in wanted:
        medians = m.median_of(name)
        if medians.empty:
            continue
        what, _, unit = name.partition(" [")
        if axis:
            rest = [other for other in m.varied() if other != axis]
            groups = cases.groupby(rest, sort=False) if rest else [((), cases)]
            series = []
            for _, group in groups:
                rows = group[group.key.isin(medians.index)].sort_values(axis)
                if rows.empty:
                    continue
                label = rows.case.iloc[0].label(tuple(rest)) if rest else "measured"
                series.append(
                    Series(label, [int(x) for x in rows[axis]], [float(medians[k]) for k in rows.key])
                )
        else:
            having = cases[cases.key.isin(medians.index)]
            labels = [case.label(tuple(m.varied())) for case in having.case]
            series = [Series(what, labels, [float(medians[key]) for key in having.key])]
        file = "".join(c if c.isalnum() else "-" for c in what.lower()).strip("-")
        kind = "lines" if axis else "bars"
        found.append(Chart(file, name, axis, unit.rstrip("]") or what, series, kind))
    return found
