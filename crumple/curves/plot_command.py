"""What `crumple plot` does: pictures and tables of curves, written and printed."""

from pathlib import Path

import numpy as np

from crumple.curves.curve_csv import curve_csv
from crumple.curves.plot_request import Plot, PlotRequest, opened, prepare
from crumple.curves.quantity import QuantityError
from crumple.curves.run_curves import NOUNS, RunCurves
from crumple.whole_file import write_whole

SUFFIXES = (".png", ".svg", ".csv")
LISTED = 12  #: entities of a history that --list names


def read_limit(text: str) -> tuple[float, str]:
    """A limit such as "80" or "80:head".

    Raises:
        QuantityError: it is no number.
    """
    value, _, words = text.partition(":")
    try:
        return float(value), words.strip()
    except ValueError:
        raise QuantityError(
            f"'{text}' is no limit: a number in the unit that is shown, such as 80:head"
        ) from None


def output_files(asked: list[Path], request: PlotRequest) -> list[Path]:
    """The files to write; by default one PNG with the name of the first quantity.

    Raises:
        QuantityError: a name ends in something else.
    """
    for path in asked:
        if path.suffix not in SUFFIXES:
            raise QuantityError(f"'{path}' ends in none of {', '.join(SUFFIXES)}")
    if asked or not request.quantities:
        return asked
    plain = "".join(c if c.isalnum() or c in "_-." else "-" for c in request.quantities[0])
    return [Path(plain.strip("-") + ".png")]


def write_plot(request: PlotRequest, asked: list[Path]) -> tuple[Plot, list[Path]]:
    """Prepare the curves and write the files; returns both.

    Raises:
        RunError, DamagedFile, QuantityError, MeasuredError, SignalError, OSError
    """
    files = output_files(asked, request)
    plot = prepare(request)
    for path in files:
        if path.suffix == ".csv":
            write_whole(path, curve_csv(plot))
        else:
            from crumple.curves.curve_picture import picture

            write_whole(path, picture(plot, path.suffix))
    return plot, files


def figure_lines(plot: Plot) -> list[str]:
    """The figures as lines of text."""
    lines = []
    for one in plot.drawn:
        lines.append(one.label)
        width = max((len(figure.name) for figure in one.figures), default=0)
        for figure in one.figures:
            note = f"  ({figure.note})" if figure.note else ""
            lines.append(f"    {figure.name:{width}}  {figure.value}{note}")
    return lines


def contents(request: PlotRequest) -> list[str]:
    """What the runs have: histories, entities, components."""
    return [line for run in opened(request) for line in contents_of(run)]


def contents_of(run: RunCurves) -> list[str]:
    """Histories of one run."""
    lines = [f"{run.name}: units {run.units.name or 'not known'}"]
    for name in run.histories():
        table = run.tables.table(name)
        keys = [key for key in table.keys if key]
        lines.append(f"  {name}  ({len(table.times)} rows, {run_of_times(table.times)})")
        if keys:
            listed = [f"{key} {table.title(key)}".strip() for key in keys[:LISTED]]
            more = f", ... {len(keys) - LISTED} more" if len(keys) > LISTED else ""
            lines.append(f"    {NOUNS.get(name, 'entity')}: {', '.join(listed)}{more}")
        lines.append(f"    {' '.join(table.columns)}")
    lines += [f"  {name}: text only; for curves set BINARY = 3 in the deck" for name in run.tables.unread]
    return lines


def run_of_times(times: np.ndarray) -> str:
    """First and last time."""
    return f"{times[0]:g} to {times[-1]:g}" if len(times) else "none"
