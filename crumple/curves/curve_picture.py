"""Pictures of curves: PNG and SVG, with a table of figures below the axes."""

import io
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from crumple.curves.plot_request import Drawn, Plot
from crumple.plain_matplotlib import matplotlib, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK, FAINT, RED, BAND = "#1d2733", "#e3e8ee", "#b3261e", "#cfe6d8"
PALETTE = ("#1f6fb4", "#c8452e", "#3a8f5c", "#7c57a6", "#d79a1e", "#2a9d9d", "#b0568e", "#7a5c3e")
STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.edgecolor": "#8a96a3",
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "crumple",
    "axes.unicode_minus": True,
}
WIDTH, PANEL, HEAD, ROW = 9.0, 3.9, 1.15, 0.27  #: inches
BARE, LEGENDS = 7.2, 0.6  #: inches: width of a picture without title, and room for its legend
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)))  #: after eight curves the next kind of line
LEGEND = 60  #: characters of a label
MOST = 10  #: curves of a picture, those that go farthest from zero
EXTREMES = {"max", "min"}  #: figures that alone are not worth a table


def picture(plot: Plot, suffix: str, bare: bool = False) -> bytes:
    """The picture as PNG or SVG; the same bytes each time.

    Args:
        plot: what is drawn
        suffix: .png or .svg
        bare: narrower, without title and table, for a page that has them as text
    """
    with matplotlib.rc_context(STYLE):
        canvas = drawing(plot, bare)
        out = io.BytesIO()
        metadata = {"Date": None} if suffix == ".svg" else {"Software": "crumple"}
        canvas.savefig(out, format=suffix[1:], dpi=150, facecolor="white", metadata=metadata)
    return out.getvalue()


def drawing(plot: Plot, bare: bool) -> "Canvas":
    """Panels of one unit each below each other, and the table."""
    title = "" if bare else "\n".join(textwrap.wrap(title_of(plot), 80)[:2])
    plot = at_most(plot)
    panels = plot.units
    rows = [] if bare else table_rows(plot.drawn)
    below = ROW * (len(rows) + 1) + 0.25 if len(rows) > 1 else 0.0
    height = (HEAD if title else LEGENDS) + PANEL * (1 if len(panels) == 1 else 0.72 * len(panels)) + below
    canvas = new_figure(BARE if bare else WIDTH, height)
    ratios = [(height - below) / len(panels)] * len(panels) + [below] * bool(below)
    grid = canvas.add_gridspec(len(ratios), 1, height_ratios=ratios)
    axes = [canvas.add_subplot(grid[0])]
    axes += [canvas.add_subplot(grid[k], sharex=axes[0]) for k in range(1, len(panels))]
    styles = curve_styles(plot.drawn)
    for (kind, unit), panel in zip(panels, axes, strict=True):
        here = [d for d in plot.drawn if (d.curve.kind, d.curve.unit) == (kind, unit)]
        draw_panel(panel, here, plot, styles)
        panel.set_ylabel(axis_label(here, unit))
    for panel in axes[:-1]:
        panel.tick_params(labelbottom=False)
    axes[-1].set_xlabel(across_label(plot.drawn))
    if title:
        canvas.suptitle(title, x=0.012, ha="left", fontsize=12.5, weight="bold")
    if below:
        draw_table(canvas.add_subplot(grid[-1]), rows, styles)
    return canvas


def title_of(plot: Plot) -> str:
    """The title, which says if curves are left out."""
    return plot.title + (f" (the {MOST} largest of {len(plot.drawn)})" if len(plot.drawn) > MOST else "")


def at_most(plot: Plot) -> Plot:
    """The curves that go farthest from zero, in their order."""
    if len(plot.drawn) <= MOST:
        return plot
    ranked = sorted(plot.drawn, key=lambda d: (not d.curve.measured, -float(np.abs(d.curve.values).max())))
    kept = [d for d in plot.drawn if any(d is k for k in ranked[:MOST])]
    return replace(plot, drawn=kept)


def curve_styles(drawn: list[Drawn]) -> list[dict[str, object]]:
    """Colour and line of each curve; measured ones are black and thin."""
    styles, k = [], 0
    for one in drawn:
        if one.curve.measured:
            styles.append({"color": INK, "linestyle": "-", "linewidth": 1.2})
            continue
        line = DASHES[(k // len(PALETTE)) % len(DASHES)]
        styles.append({"color": PALETTE[k % len(PALETTE)], "linestyle": line, "linewidth": 1.7})
        k += 1
    return [style | {"owner": one} for style, one in zip(styles, drawn, strict=True)]


def draw_panel(panel: "Axes", here: list[Drawn], plot: Plot, styles: list[dict[str, object]]) -> None:
    """Curves, limits and corridor of one unit."""
    panel.grid(True, color=FAINT, linewidth=0.8)
    panel.set_axisbelow(True)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    if plot.corridor is not None:
        when, low, high = plot.corridor
        panel.fill_between(when, low, high, color=BAND, linewidth=0, label="corridor", zorder=0.5)
    for one in here:
        style = {k: v for s in styles if s["owner"] is one for k, v in s.items() if k != "owner"}
        panel.plot(one.x, one.curve.values, label=short(one.label), **style)
    lowest = min(float(d.curve.values.min()) for d in here)
    highest = max(float(d.curve.values.max()) for d in here)
    for value, words in plot.limits:
        panel.axhline(value, color=RED, linewidth=1.1, linestyle=(0, (5, 3)), zorder=1.5)
        text = f"{words} {value:g}" if words else f"limit {value:g}"
        panel.annotate(
            text,
            (1.0, value),
            xycoords=("axes fraction", "data"),
            xytext=(-4, 3),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color=RED,
            fontsize=8.5,
        )
        lowest, highest = min(lowest, value), max(highest, value)
    if lowest < 0 < highest:
        panel.axhline(0, color="#8a96a3", linewidth=0.8, zorder=1)
    panel.margins(x=0)
    room = 0.06 * (highest - lowest) or 1.0
    panel.set_ylim(lowest - room if lowest < 0 or lowest > 0.3 * highest else 0.0, highest + room)
    if len(here) > 1 or plot.corridor is not None:
        widest = max(len(short(d.label)) for d in here)
        columns = 1 if widest > 44 else 2 if widest > 24 else min(4, len(here) + (plot.corridor is not None))
        panel.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1.0),
            ncols=columns,
            frameon=False,
            borderaxespad=0.2,
            handlelength=2.4,
            columnspacing=1.6,
            labelspacing=0.3,
        )


def short(label: str) -> str:
    """A label that fits."""
    return label if len(label) <= LEGEND else label[: LEGEND - 1].rstrip() + "…"


def axis_label(here: list[Drawn], unit: str) -> str:
    """The quantity, if all curves of a panel have the same, or its kind; with the unit."""
    names = {d.curve.name.partition(", CFC")[0] for d in here if not d.curve.measured}
    kinds = {d.curve.kind for d in here}
    text = names.pop() if len(names) == 1 else kinds.pop() or "value"
    return f"{text}, {unit}" if unit else text


def across_label(drawn: list[Drawn]) -> str:
    """What is on the horizontal axis."""
    first = drawn[0]
    if first.across is None:
        return f"time, {first.curve.time_unit}"
    subjects = {d.across.subject for d in drawn if d.across is not None}
    subject = f"{subjects.pop()}: " if len(subjects) == 1 else ""
    return f"{subject}{first.across.name}, {first.across.unit}"


def table_rows(drawn: list[Drawn]) -> list[list[str]]:
    """A head, and a row for each curve; empty if no curve has figures."""
    names = list(dict.fromkeys(figure.name for one in drawn for figure in one.figures))
    if set(names) <= EXTREMES:
        return []
    rows = [["", *names]]
    for one in drawn:
        values = {figure.name: figure.value for figure in one.figures}
        rows.append([short(one.label), *(values.get(name, "") for name in names)])
    return rows


def draw_table(panel: "Axes", rows: list[list[str]], styles: list[dict[str, object]]) -> None:
    """The figures, with a stroke of each curve's colour."""
    panel.set_axis_off()
    panel.set_xlim(0, 1)
    panel.set_ylim(len(rows), 0)
    widest = max(len(row[0]) for row in rows)
    first = min(0.5, 0.045 + 0.0095 * widest)
    step = (1.0 - first) / max(1, len(rows[0]) - 1)
    for k, row in enumerate(rows):
        middle = k + 0.5
        if k:
            style = {n: v for n, v in styles[k - 1].items() if n != "owner"}
            panel.plot([0.0, 0.028], [middle, middle], **style)
        panel.text(0.038, middle, row[0], va="center", fontsize=9)
        for j, cell in enumerate(row[1:], 1):
            weight = "bold" if k == 0 else "normal"
            panel.text(first + j * step, middle, cell, va="center", ha="right", fontsize=9, weight=weight)
        panel.axhline(k + 1.0, color=FAINT, linewidth=0.9)
