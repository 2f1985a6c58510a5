"""The plots of the report, all in one style: plotly figures without their script."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from crumple.report.facts import column, hourglass_percent, last_of_parts
from crumple.report.names import name_of, sides
from crumple.report.run_results import RunResults
from crumple.results.forces import Forces
from crumple.units import Units

if TYPE_CHECKING:
    import plotly.graph_objects as go

INK, FAINT = "#1d2733", "#e6eaef"
PALETTE = ["#1f6fb4", "#c8452e", "#3a8f5c", "#7c57a6", "#d79a1e", "#2a9d9d", "#b0568e", "#7a5c3e"]
POINTS = 2000  #: largest number of points of a curve; extremes are kept
PARTS = 8  #: number of curves of parts, those with the most energy
CURVES = 8  #: largest number of interfaces in one plot

#: column of glstat, name in the legend, colour; an energy has the same colour on the whole page
ENERGIES = [
    ("kinetic energy", "kinetic", "#1f6fb4"),
    ("internal energy", "internal", "#c8452e"),
    ("hourglass energy", "hourglass", "#3a8f5c"),
    ("sliding interface energy", "contact", "#7c57a6"),
    ("stonewall energy", "rigid walls", "#7a5c3e"),
    ("spring and damper energy", "springs", "#b0568e"),
    ("system damping energy", "damping", "#d79a1e"),
    ("eroded kinetic energy", "eroded kinetic", "#8ab6dc"),
    ("eroded internal energy", "eroded internal", "#e5a598"),
    ("eroded hourglass energy", "eroded hourglass", "#9cc9ae"),
    ("external work", "external work", "#2a9d9d"),
    ("total energy", "total", INK),
]


def thin(x: np.ndarray, y: np.ndarray, limit: int = POINTS) -> tuple[np.ndarray, np.ndarray]:
    """At most `limit` points of a curve: the lowest and the highest of each of equal stretches."""
    if len(x) <= limit:
        return x, y
    edges = np.linspace(0, len(x), limit // 2 + 1).astype(int)
    known, lengths = np.nan_to_num(y), np.diff(edges)
    stretch = np.repeat(np.arange(len(lengths)), lengths)
    keep = [np.array([0, len(x) - 1])]
    for extreme in (np.minimum, np.maximum):
        places = np.flatnonzero(known == extreme.reduceat(known, edges[:-1])[stretch])
        keep.append(places[np.unique(stretch[places], return_index=True)[1]])  # the first of each stretch
    chosen = np.unique(np.concatenate(keep))
    return x[chosen], y[chosen]


def figure(y_title: str, x_title: str, height: int = 340) -> "go.Figure":
    """An empty plot in the page's style, its legend above the axes."""
    import plotly.graph_objects as go

    plot = go.Figure()
    axis = {
        "gridcolor": FAINT,
        "zerolinecolor": "#c9d1da",
        "linecolor": "#9aa5b1",
        "ticks": "outside",
        "ticklen": 4,
        "exponentformat": "power",
        "automargin": True,
    }
    plot.update_layout(
        height=height,
        margin={"l": 60, "r": 16, "t": 12, "b": 44},
        paper_bgcolor="white",
        plot_bgcolor="white",
        colorway=PALETTE,
        font={"family": "Inter, 'Segoe UI', Helvetica, Arial, sans-serif", "size": 12.5, "color": INK},
        hovermode="x unified",
        hoverlabel={"bgcolor": "white", "font": {"size": 12}},
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        xaxis=axis | {"title": {"text": x_title, "standoff": 6, "font": {"size": 12.5}}},
        yaxis=axis | {"title": {"text": y_title, "standoff": 6, "font": {"size": 12.5}}},
    )
    return plot


def curve(
    plot: "go.Figure", x: np.ndarray, y: np.ndarray, name: str, colour: str | None = None, **line: object
) -> None:
    """Add a curve to a plot."""
    x, y = thin(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    style = {"width": 1.8, **line} | ({"color": colour} if colour else {})
    plot.add_scatter(x=x, y=y, name=name, mode="lines", line=style, hovertemplate="%{y:.4s}")


def over_time(y_title: str, units: Units, height: int = 340) -> "go.Figure":
    """An empty plot over time."""
    return figure(y_title, f"time, {units['time']}", height)


def energies(history: pd.DataFrame, units: Units) -> "go.Figure":
    """All energies that are not zero throughout."""
    plot = over_time(f"energy, {units['energy']}", units, 400)
    times = history["time"].to_numpy()
    walls = [name for name in history if name.startswith("stonewall energy")]
    table = history.assign(**{"stonewall energy": history[walls].sum(axis=1)}) if walls else history
    largest = max(float(table[name].abs().max()) for name, _, _ in ENERGIES if name in table)
    for name, label, colour in ENERGIES:
        values = column(table, name)
        if values is not None and np.abs(values).max() > 1e-6 * largest:
            dash = {"dash": "dash"} if name in ("total energy", "external work") else {}
            curve(plot, times, values, label, colour, **dash)
    return plot


def balance(history: pd.DataFrame, units: Units) -> "go.Figure":
    """Energy ratio, and hourglass in percent of internal energy, below each other."""
    plot = over_time("energy ratio", units, 400)
    times = history["time"].to_numpy()
    ratio, share = column(history, "total energy / initial energy"), hourglass_percent(history)
    if ratio is not None:
        curve(plot, times, ratio, "total / initial energy", INK)
        reach = max(0.06, 1.15 * float(np.abs(ratio - 1.0).max()))
        plot.update_yaxes(range=[1.0 - reach, 1.0 + reach])
        plot.add_hrect(y0=0.95, y1=1.05, fillcolor="#3a8f5c", opacity=0.07, line_width=0)
    lower = plot.layout.yaxis.to_plotly_json() | {"title": {"text": "hourglass, %", "font": {"size": 12.5}}}
    plot.update_layout(
        yaxis={"domain": [0.56, 1.0]},
        yaxis2=lower | {"domain": [0.0, 0.44], "anchor": "x", "range": None, "rangemode": "tozero"},
        xaxis={"anchor": "y2"},
    )
    if np.isfinite(share).any():
        x, y = thin(times, share)
        line = {"color": "#3a8f5c", "width": 1.8}
        plot.add_scatter(
            x=x,
            y=y,
            yaxis="y2",
            name="hourglass / internal energy",
            line=line,
            hovertemplate="%{y:.2f} %",
            mode="lines",
        )
        plot.add_shape(
            type="line",
            xref="paper",
            x0=0,
            x1=1,
            yref="y2",
            y0=10,
            y1=10,
            line={"color": "#c8452e", "width": 1, "dash": "dot"},
        )
    return plot


def force_curves(table: Forces, what: str, units: Units) -> "go.Figure":
    """Resultants of all interfaces; if there is only one, its components, too."""
    plot = over_time(f"force, {units['force']}", units)
    all_sides = list(sides(table))
    if len(all_sides) == 1:
        rows = all_sides[0][1]
        for name, colour in zip("xyz", PALETTE, strict=False):
            curve(plot, rows["time"], rows[name], name, colour, width=1.3)
        curve(plot, rows["time"], rows["resultant"], "resultant", INK)
        return plot
    largest = sorted(all_sides, key=lambda side: -side[1]["resultant"].max())[:CURVES]
    for key, rows in sorted(largest, key=lambda side: side[0]):
        curve(plot, rows["time"], rows["resultant"], name_of(table.titles, key, what))
    return plot


def part_curves(results: RunResults) -> "go.Figure":
    """Internal energy of the parts that have the most at the end."""
    assert results.parts is not None
    units = results.units
    plot = over_time(f"internal energy, {units['energy']}", units, 400)
    table = last_of_parts(results)
    rows = results.parts.rows
    for part in table.index[:PARTS]:
        mine = rows[rows["part"] == part]
        curve(plot, mine["time"], mine["inten"], name_of({part: table.loc[part, "title"]}, part, "part"))
    return plot


def part_bars(results: RunResults) -> "go.Figure":
    """Internal and hourglass energy at the end, for the parts with the most internal energy."""
    table = last_of_parts(results)
    table = table[(table["internal"] > 0) | (table["hourglass"] > 0)].head(2 * PARTS)[::-1]
    plot = figure("", f"energy at the end, {results.units['energy']}", height=min(400, 150 + 30 * len(table)))
    labels = [name_of({part: title}, part, "part") for part, title in table["title"].items()]
    for name, colour in (("internal", "#c8452e"), ("hourglass", "#3a8f5c")):
        plot.add_bar(
            y=labels,
            x=table[name],
            orientation="h",
            name=name,
            marker={"color": colour},
            hovertemplate="%{x:.4s}",
        )
    plot.update_layout(barmode="stack", hovermode="y unified", bargap=0.25, legend={"traceorder": "normal"})
    plot.update_yaxes(ticks="", tickfont={"size": 11}, type="category")
    return plot


def time_step(history: pd.DataFrame, units: Units) -> "go.Figure":
    """The time step, coloured by the part that set it."""
    plot = over_time(f"time step, {units['time']}", units)
    times, steps = history["time"].to_numpy(), history["time step"].to_numpy()
    x, y = thin(times, steps)
    plot.add_scatter(
        x=x, y=y, mode="lines", line={"color": "#c3ccd6", "width": 1.2}, showlegend=False, hoverinfo="skip"
    )
    plot.update_layout(hovermode="closest")
    plot.update_yaxes(rangemode="tozero")
    if "controlling part" not in history:
        return plot
    known = history.dropna(subset=["controlling part"])
    counts = known["controlling part"].value_counts()
    for k, part in enumerate(counts.index):
        rows = known[known["controlling part"] == part]
        rows = rows.iloc[:: max(1, len(rows) // 600)]
        few = k < len(PALETTE) - 1
        says = [
            f"{kind} {element:.0f} of part {part:.0f}"
            for kind, element in zip(rows["controlled by"], rows["controlling element"], strict=True)
        ]
        plot.add_scatter(
            x=rows["time"],
            y=rows["time step"],
            mode="markers",
            name=f"part {part:.0f}" if few else "other parts",
            legendgroup=f"{part}" if few else "other",
            showlegend=k <= len(PALETTE) - 1,
            marker={"size": 5, "color": PALETTE[k] if few else "#8a94a0"},
            text=says,
            hovertemplate="%{y:.4s} at %{x:.4s}<br>%{text}<extra></extra>",
        )
    return plot


def load_bars(load: pd.DataFrame) -> "go.Figure":
    """Seconds of each phase, stacked, rank by rank."""
    plot = figure("seconds", "rank")
    for k, phase in enumerate(load.columns):
        if load[phase].max() > 0:
            plot.add_bar(
                x=load.index,
                y=load[phase],
                name=phase,
                marker={"color": PALETTE[k % len(PALETTE)]},
                hovertemplate="%{y:.2f} s",
            )
    plot.update_layout(barmode="stack", bargap=0.3, legend={"traceorder": "normal"})
    if len(load) <= 32:
        plot.update_xaxes(type="category")
    return plot
