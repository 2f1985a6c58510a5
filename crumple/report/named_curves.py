"""Curves of the report that are asked for, of one run or of several, drawn by the code of `crumple plot`."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

import numpy as np

from crumple.curves.atd_limits import ABOVE
from crumple.curves.curve_figures import Figure, Wanted, applicable, shown
from crumple.curves.plot_request import Drawn, Plot, PlotRequest, prepare
from crumple.curves.quantity import QuantityError
from crumple.curves.signal_error import SignalError
from crumple.report import facts, tables
from crumple.report.run_results import RunResults
from crumple.units import Units

MOST_COLUMNS = 3  #: of figures beside each other, in half the width of a page
#: what is compared where no curve is named, if all runs have it
USUAL = ("glstat/kinetic_energy", "glstat/internal_energy", "rwforc/*/normal_force")


@dataclass(frozen=True)
class CurvesAsked:
    """The curves of a report.

    Attributes:
        requests: one for each picture, without runs
        others: runs to compare with
        named: the curves were named, so that one that a run does not have is an error
        wanted: figures of those curves to which they apply
        filter_test: also filter measured curves
        window: first and last time
    """

    requests: tuple[PlotRequest, ...] = ()
    others: tuple[Path, ...] = ()
    named: bool = False
    wanted: Wanted = field(default_factory=Wanted)
    filter_test: bool = False
    window: tuple[float | None, float | None] = (None, None)


def plots(run: Path, asked: CurvesAsked, units: Units) -> list[Plot]:
    """The curves of each request, of all runs.

    Raises:
        RunError, DamagedFile, QuantityError, MeasuredError, SignalError: as for `crumple plot`.
    """
    requests, found = [], []
    for request in asked.requests:
        complete = replace(
            request,
            runs=(run, *asked.others),
            filter_test=asked.filter_test,
            window=asked.window,
            units=units,
        )
        try:
            found.append(prepare(complete))
            requests.append(complete)
        except QuantityError:
            if asked.named:
                raise
    return found if asked.wanted == Wanted() else with_figures(requests, found, asked.wanted)


def with_figures(requests: list[PlotRequest], found: list[Plot], wanted: Wanted) -> list[Plot]:
    """The plots with the figures that apply to them.

    Raises:
        SignalError: a figure applies to no curve, or units are not known.
    """
    if len(requests) == 1:  # as plot does: what does not apply is an error that says why
        return [prepare(replace(requests[0], wanted=wanted))]
    fitting = [applicable(wanted, [d.curve for d in plot.drawn if not d.curve.measured]) for plot in found]
    for name in ("hic", "clip", "olc", "vpi"):
        if getattr(wanted, name) and not any(getattr(one, name) for one in fitting):
            what = {"hic": "resultant accelerations", "clip": "accelerations"}
            kind = what.get(name, "components of accelerations")
            raise SignalError(f"--{name} is of {kind}, and no --curve is one")
    return [
        plot if one == Wanted() else prepare(replace(request, wanted=one))
        for request, plot, one in zip(requests, found, fitting, strict=True)
    ]


@dataclass(frozen=True)
class DrawnHtml:
    """A plot as HTML: its title, its picture, the figures of its curves."""

    title: str
    picture: str
    figures: str


def drawn_html(plot: Plot) -> DrawnHtml:
    """The picture without title and table, which the page has as text; and the figures."""
    from crumple.curves.curve_picture import picture, title_of  # Matplotlib, for such reports only

    title = escape(title_of(plot))
    data = base64.b64encode(picture(plot, ".png", bare=True)).decode()
    image = f'<div class="picture"><img alt="{title}" src="data:image/png;base64,{data}"></div>'
    return DrawnHtml(title, image, f'<div class="long">{figure_table(plot)}</div>')


def figure_table(plot: Plot) -> str:
    """Figures of each curve; of those of other runs also how far they are from the first run's.

    A row is a curve; of a few curves with many figures it is a figure, so that the table is not too wide.
    """
    away = [difference(one, plot.drawn) for one in plot.drawn]
    names = list(dict.fromkeys(figure.name for one in plot.drawn for figure in one.figures))
    rows = [["Curve", *map(escape, names), *(["Largest difference"] if any(away) else [])]]
    for one, differs in zip(plot.drawn, away, strict=True):
        values = {figure.name: figure_cell(figure) for figure in one.figures}
        cells = [values.get(name, "") for name in names]
        rows.append([escape(one.label), *cells, *([differs] if any(away) else [])])
    turned = len(names) > MOST_COLUMNS >= len(plot.drawn)
    if turned:
        rows = [list(row) for row in zip(*rows, strict=True)]
        rows[0][0] = ""
    return tables.table(
        rows[0], rows[1:], range(1, len(rows[0])), css="figures turned" if turned else "figures"
    )


def figure_cell(figure: Figure) -> str:
    """A figure with what is said of it below; one above a limit stands out."""
    above = figure.note.startswith(ABOVE)
    value = f'<span class="warn">{escape(figure.value)}</span>' if above else escape(figure.value)
    return value + (f" <small>{escape(figure.note)}</small>" if figure.note else "")


def difference(one: Drawn, all_drawn: Sequence[Drawn]) -> str:
    """The largest difference from the same curve of the first run, over its largest value; "" without one."""
    first = all_drawn[0].curve.run
    same = [d for d in all_drawn if d.curve.run == first and alike(d, one)]
    if one.curve.run == first or len(same) != 1 or one.across is not None:
        return ""
    base, curve = same[0].curve, one.curve
    begin, end = max(base.times[0], curve.times[0]), min(base.times[-1], curve.times[-1])
    times = base.times[(base.times >= begin) & (base.times <= end)]
    values = base.values[(base.times >= begin) & (base.times <= end)]
    largest = float(np.abs(base.values).max())
    if not len(times) or largest == 0.0:
        return ""
    apart = np.abs(np.interp(times, curve.times, curve.values) - values)
    at = int(apart.argmax())
    return f"{shown(100.0 * float(apart[at]) / largest)} % at {shown(float(times[at]))} {curve.time_unit}"


def alike(a: Drawn, b: Drawn) -> bool:
    """Whether two curves are the same quantity of the same subject."""
    return (a.curve.subject, a.curve.name) == (b.curve.subject, b.curve.name)


def fact_table(runs: Sequence[RunResults]) -> str:
    """Facts of the runs beside each other."""
    of_runs = [facts.run_facts(results) for results in runs]
    head = ["", *(escape(results.files.directory.resolve().name) for results in runs)]
    endings = ["How it ended", *(escape(facts.ending(results)[0]) for results in runs)]
    decks = ["Deck", *(escape(facts.deck_name(results) or "-") for results in runs)]
    rows = [[escape(row[0].name), *(fact.value for fact in row)] for row in zip(*of_runs, strict=True)]
    return tables.table(head, [decks, endings, *rows], range(1, len(head)))
