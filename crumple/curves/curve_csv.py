"""Curves as CSV, as `--against` reads it again: headings with units in brackets, numbers with all digits."""

import csv
import io

import numpy as np

from crumple.curves.plot_request import Drawn, Plot


def heading(name: str, unit: str) -> str:
    """A name with its unit in brackets."""
    return f"{name} [{unit}]" if unit and unit != "deck units" else name


def curve_csv(plot: Plot) -> str:
    """All curves: one column of times if they are the same for all, otherwise one before each curve."""
    first = plot.drawn[0]
    shared = all(same(first.x, one.x) for one in plot.drawn)
    columns: list[tuple[str, np.ndarray]] = []
    for one in plot.drawn:
        if not columns or not shared:
            columns.append((across_heading(one, shared), one.x))
        columns.append((heading(f"{one.label} {one.curve.name}".strip(), one.curve.unit), one.curve.values))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    for k in range(max(len(values) for _, values in columns)):
        writer.writerow([repr(float(v[k])) if k < len(v) else "" for _, v in columns])
    return out.getvalue()


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two rows of numbers are equal."""
    return len(a) == len(b) and bool(np.array_equal(a, b))


def across_heading(one: Drawn, shared: bool) -> str:
    """The heading of the horizontal axis."""
    name, unit = ("time", one.curve.time_unit) if one.across is None else (one.across.name, one.across.unit)
    return heading(name if shared else f"{name} of {one.label}", unit)
