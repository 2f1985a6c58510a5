"""Curves of the report that are asked for, of one run or of several, drawn by the code of `crumple plot`."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from crumple.curves.curve_figures import shown
from crumple.curves.plot_request import Drawn, Plot, PlotRequest, prepare
from crumple.curves.quantity import QuantityError
from crumple.report import facts, tables
from crumple.report.run_results import RunResults
from crumple.units import Units

OVER = " over "  #: between a quantity and the one on the horizontal axis
#: what is compared where no curve is named, if all runs have it
USUAL = ("glstat/kinetic_energy", "glstat/internal_energy", "rwforc/*/normal_force")


@dataclass(frozen=True)
class CurvesAsked:
    """The curves of a report.

    Attributes:
        names: quantities as of `crumple plot`, "rwforc/1/x_force over nodout/3/x_displacement" for a crush
        others: runs to compare with
        channel_class: CFC, or None
    """

    names: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    channel_class: int | None = None


def plots(run: Path, asked: CurvesAsked, units: Units) -> list[Plot]:
    """The curves of each name, of all runs.

    Raises:
        RunError, DamagedFile, QuantityError, SignalError: as for `crumple plot`.
    """
    found = []
    for name in asked.names or (USUAL if asked.others else ()):
        quantity, _, across = name.partition(OVER)
        request = PlotRequest(
            runs=(run, *asked.others),
            quantities=(quantity.strip(),),
            versus=across.strip(),
            channel_class=asked.channel_class,
            units=units,
        )
        try:
            found.append(prepare(request))
        except QuantityError:
            if asked.names:
                raise
    return found


def drawn_html(plot: Plot) -> str:
    """The picture, and the figures of its curves."""
    from crumple.curves.curve_picture import picture  # Matplotlib, for reports with such curves only

    data = base64.b64encode(picture(plot, ".png")).decode()
    image = f'<img alt="{escape(plot.title)}" src="data:image/png;base64,{data}">'
    return f'<div class="picture">{image}</div><div class="long">{figure_table(plot)}</div>'


def figure_table(plot: Plot) -> str:
    """Figures of each curve; of those of other runs also how far they are from the first run's."""
    away = [difference(one, plot.drawn) for one in plot.drawn]
    names = list(dict.fromkeys(figure.name for one in plot.drawn for figure in one.figures))
    head = ["Curve", *map(escape, names), *(["Largest difference"] if any(away) else [])]
    rows = []
    for one, differs in zip(plot.drawn, away, strict=True):
        values = {figure.name: f"{figure.value} {figure.note}".strip() for figure in one.figures}
        cells = [escape(values.get(name, "")) for name in names]
        rows.append([escape(one.label), *cells, *([differs] if any(away) else [])])
    return tables.table(head, rows, range(1, len(head)))


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
