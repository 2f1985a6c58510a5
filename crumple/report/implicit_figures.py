"""The plots of an implicit run: iterations, norms, length of steps, seconds of parts, memory and disk."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from crumple.report.figures import INK, figure, over_time
from crumple.results.convergence import PARTS, Convergence
from crumple.units import Units

if TYPE_CHECKING:
    import plotly.graph_objects as go

NORMS = {"displacement": "#1f6fb4", "energy": "#3a8f5c", "residual": "#c8452e"}
FAILED = "#c8452e"
FEW = 60  #: up to so many steps or iterations each has a mark
FEW_BARS = 12  #: up to so many steps memory is shown as bars
COLOURS = dict(
    zip(PARTS, ["#2a9d9d", "#8cc7c7", "#7c57a6", "#1f6fb4", "#8ab6dc", "#3a8f5c", "#d79a1e"], strict=False)
)
GREY = ["#b0568e", "#7a5c3e", "#c3ccd6"]
COLOURS |= dict(zip(["accept", "output", "other"], GREY, strict=True))
GB = 1e9


def whole_numbers(plot: "go.Figure", count: int) -> None:
    """Marks of the axis at whole numbers only."""
    plot.update_xaxes(range=[0.4, count + 0.6], dtick=1 if count <= 12 else None, tickformat="d")


def gap(bars: int) -> float:
    """Between bars, in parts of their distance: one bar alone shall not be a wall."""
    return 0.7 if bars <= 3 else 0.25 if bars <= FEW else 0.0


def iterations_of_steps(of: Convergence) -> "go.Figure":
    """Iterations of each step, those with a new factor apart; steps that did not converge are in red."""
    plot = figure("iterations", "step, in the order tried" if (~of.steps["converged"]).any() else "step")
    x = np.arange(1, len(of.steps) + 1)
    factors = np.minimum(of.steps["factors"], of.steps["iterations"]).to_numpy()
    others = of.steps["iterations"].to_numpy() - factors
    good = of.steps["converged"].to_numpy()
    says = [
        f"step {step} to time {time:.5g}<br>{iterations} iterations, {made} factors"
        for step, time, iterations, made in zip(
            of.steps["step"], of.steps["time"], of.steps["iterations"], of.steps["factors"], strict=True
        )
    ]
    for name, values, shown, colour in (
        ("with a new factor", factors, good, "#1f6fb4"),
        ("with the factor before", others, good, "#8ab6dc"),
        ("of steps that did not converge", of.steps["iterations"].to_numpy(), ~good, FAILED),
    ):
        if (values[shown] > 0).any():
            heights = np.where(shown, values, 0)
            plot.add_bar(
                x=x,
                y=heights,
                name=name,
                marker={"color": colour, "line": {"width": 0}},
                customdata=says,
                hovertemplate="%{customdata}<extra></extra>",
            )
    plot.update_layout(barmode="stack", bargap=gap(len(x)), hovermode="closest")
    plot.update_layout(legend={"traceorder": "normal"}, showlegend=True)
    whole_numbers(plot, len(x))
    plot.update_yaxes(
        rangemode="tozero", tickformat="d", dtick=1 if of.steps["iterations"].max() <= 8 else None
    )
    return plot


def norms(of: Convergence) -> "go.Figure":
    """The norms of all iterations over each other, with the tolerances; a line between two steps."""
    plot = figure("norm", "iteration, all steps one after the other", 400)
    rows = of.iterations
    x = np.arange(1, len(rows) + 1)
    few = len(x) <= FEW
    starts = x[(rows["iteration"] == 1).to_numpy()]
    for name, colour in NORMS.items():
        values = rows[name].astype(float).where(rows[name] > 0)
        xs, ys = with_gaps(x, values.to_numpy(), starts)
        plot.add_scatter(
            x=xs,
            y=ys,
            name={"displacement": "|Δu| / |u|", "energy": "E / E₀", "residual": "|r| / |r|max"}[name],
            mode="lines+markers" if few else "lines",
            line={"color": colour, "width": 1.8},
            marker={"size": 6},
            hovertemplate="%{y:.2e}",
        )
        limit = of.settings.get(name)
        if limit and limit < 1e3:
            plot.add_hline(y=limit, line={"color": colour, "width": 1, "dash": "dot"})
    if len(starts) <= FEW:
        for start in starts[1:]:
            plot.add_vline(x=start - 0.5, line={"color": "#e0e5ea", "width": 1})
    plot.update_yaxes(type="log", exponentformat="power", dtick=None)
    whole_numbers(plot, len(x))
    return plot


def with_gaps(x: np.ndarray, y: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A curve that is interrupted where a step begins."""
    at = starts[1:] - 1
    return np.insert(x.astype(float), at, np.nan), np.insert(y, at, np.nan)


def step_lengths(of: Convergence, units: Units) -> "go.Figure":
    """The length of each step at its time; tries that did not converge are crosses."""
    plot = over_time(f"step, {units['time']}", units)
    good, bad = of.taken, of.steps[~of.steps["converged"]]
    begin = (good["time"] - good["dt"]).head(1)  # so that the first step has its length
    plot.add_scatter(
        x=[*begin, *good["time"]],
        y=[*good["dt"].head(1), *good["dt"]],
        mode="lines+markers" if len(good) <= FEW else "lines",
        name="steps",
        line={"color": "#1f6fb4", "width": 1.8, "shape": "vh"},
        marker={"size": 6},
        hovertemplate="%{y:.4s}",
    )
    if len(bad):
        plot.add_scatter(
            x=bad["time"],
            y=bad["dt"],
            mode="markers",
            name="not converged",
            marker={"symbol": "x-thin", "size": 9, "line": {"color": FAILED, "width": 2}},
            text=[str(text)[:110] for text in bad["trouble"]],
            hovertemplate="%{y:.4s}<br>%{text}",
        )
        plot.update_layout(hovermode="closest")
    if len(good) and good["dt"].max() > 30 * good["dt"].min():
        plot.update_yaxes(type="log", dtick="D2")
    else:
        plot.update_yaxes(rangemode="tozero")
    plot.update_layout(showlegend=bool(len(bad)))
    return plot


def part_seconds(of: Convergence) -> "go.Figure":
    """Seconds of each part in each step, stacked."""
    plot = figure("seconds", "step, in the order tried" if (~of.steps["converged"]).any() else "step")
    x = np.arange(1, len(of.steps) + 1)
    largest = of.steps[list(PARTS)].to_numpy().sum()
    for part, name in PARTS.items():
        if of.steps[part].sum() > 1e-3 * largest:
            plot.add_bar(
                x=x,
                y=of.steps[part],
                name=name,
                marker={"color": COLOURS[part], "line": {"width": 0}},
                hovertemplate="%{y:.3s} s",
            )
    plot.update_layout(barmode="stack", bargap=gap(len(x)), legend={"traceorder": "normal"})
    whole_numbers(plot, len(x))
    return plot


def memory(of: Convergence) -> "go.Figure":
    """The process's peak memory up to each step, and what the equations were said to take."""
    disk = of.steps[["written_bytes", "read_bytes"]].to_numpy().any()
    plot = figure("memory, GB", "step")
    x = np.arange(1, len(of.steps) + 1)
    shown = {"peak memory of the process": (of.steps["memory_bytes"].to_numpy(), INK)}
    if (said := predicted(of, x)).any():
        shown["stiffness and factor, predicted"] = (said, "#1f6fb4")
    for name, (values, colour) in shown.items():
        if len(x) <= FEW_BARS:
            plot.add_bar(x=x, y=values / GB, name=name, marker={"color": colour}, hovertemplate="%{y:.3g} GB")
        else:
            line = {"color": colour, "width": 1.8, "dash": "solid" if colour == INK else "dash"}
            plot.add_scatter(
                x=x, y=values / GB, mode="lines", name=name, line=line, hovertemplate="%{y:.3g} GB"
            )
    if disk:
        for column, name, colour in (
            ("written_bytes", "written to the factor's file", "#d79a1e"),
            ("read_bytes", "read from it", "#f0d39a"),
        ):
            plot.add_bar(
                x=x,
                y=of.steps[column] / GB,
                name=name,
                yaxis="y2",
                marker={"color": colour, "line": {"width": 0}},
                hovertemplate="%{y:.3g} GB",
            )
        upper = plot.layout.yaxis.to_plotly_json() | {"domain": [0.56, 1.0], "rangemode": "tozero"}
        lower = upper | {
            "title": {"text": "disk, GB", "font": {"size": 12.5}},
            "domain": [0.0, 0.44],
            "anchor": "x",
        }
        plot.update_layout(yaxis=upper, yaxis2=lower, xaxis={"anchor": "y2"}, height=420)
    plot.update_layout(bargap=gap(len(x)), barmode="group")
    whole_numbers(plot, len(x))
    plot.update_yaxes(rangemode="tozero")
    return plot


def predicted(of: Convergence, x: np.ndarray) -> np.ndarray:
    """Bytes of the equations of each step."""
    if not len(of.equations):
        return np.zeros(len(x))
    rows = of.equations.drop_duplicates("step", keep="last")
    at = np.searchsorted(rows["step"].to_numpy(), of.steps["step"].to_numpy(), side="right") - 1
    return rows["memory_bytes"].to_numpy(dtype=float)[np.clip(at, 0, None)]


def seconds_of_parts(of: Convergence) -> pd.Series:
    """Of the whole run; of the steps so far where it has not ended."""
    if of.end:
        return pd.Series({part: float(of.end["seconds"].get(part, 0.0)) for part in PARTS})
    return of.steps[list(PARTS)].sum()
