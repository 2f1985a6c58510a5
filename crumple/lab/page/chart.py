"""A chart as data: drawn by plotly on the page and by matplotlib as a PNG."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import plotly.graph_objects as go

from crumple.report.figures import INK, PALETTE, figure

MOST_INSIDE = 4  #: largest number of series with the legend inside the chart
LINE = 19  #: height of a name in pixels
GREY = "#8a94a0"  #: colour of series that are not measured

Kind = Literal["lines", "bars", "stacked", "heat"]


@dataclass
class Series:
    """A line or a set of bars. `low` and `high` are the lowest and highest measured values."""

    name: str
    x: list
    y: list[float]
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    dashed: bool = False  #: grey, for series that are neither measured nor predicted
    predicted: bool = False  #: dashed in its own colour, with open markers
    points: bool = False  #: only points, no line
    faint: bool = False  #: small and grey, for many points
    colour: int | None = None  #: index in the palette; None: a colour of its own
    words: list[str] = field(default_factory=list)  #: text of each point, shown under the pointer


@dataclass
class Chart:
    """One chart."""

    name: str  #: file name of the PNG
    title: str
    x_title: str
    y_title: str
    series: list[Series]
    kind: Kind = "lines"
    matrix: list[list[float]] = field(default_factory=list)  #: values of a heat map, by row
    from_zero: bool = True
    logarithmic: bool = False  #: both axes
    note: str = ""


def colour_of(series: Series, number: int) -> str:
    """Colour of a series, by its index in the chart."""
    if series.dashed or series.faint:
        return GREY
    return PALETTE[(number if series.colour is None else series.colour) % len(PALETTE)]


def errors(series: Series) -> dict | None:
    """Error bars from the lowest to the highest value, for plotly."""
    if not series.low:
        return None
    up = [h - y for h, y in zip(series.high, series.y, strict=True)]
    down = [y - v for v, y in zip(series.low, series.y, strict=True)]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1.2, "width": 4}


def spread(series: Series) -> list[list[float]] | None:
    """The same for matplotlib."""
    found = errors(series)
    return [found["arrayminus"], found["array"]] if found else None


def to_plotly(chart: Chart) -> go.Figure:
    """The chart on the page."""
    plot = figure(chart.y_title, chart.x_title)
    if chart.kind == "heat":
        plot.add_trace(go.Heatmap(z=chart.matrix, colorscale="YlOrRd", colorbar={"title": chart.y_title}))
        whole = {"tickmode": "linear", "dtick": max(1, len(chart.matrix) // 16)}
        plot.update_layout(
            yaxis={"autorange": "reversed", "title": "from rank", **whole}, xaxis=whole, hovermode="closest"
        )
        return plot
    for k, s in enumerate(chart.series):
        colour = colour_of(s, k)
        if chart.kind == "lines":
            line = {"color": colour, "width": 2, "dash": "dash" if s.dashed or s.predicted else "solid"}
            mode = "markers" if s.points else "lines" if s.dashed else "lines+markers"
            symbol = "circle-open" if s.predicted else "circle"
            marker = {"color": colour, "symbol": symbol, "size": 4 if s.faint else 8}
            hover = {"text": s.words, "hovertemplate": "%{text}<extra></extra>"} if s.words else {}
            plot.add_trace(
                go.Scatter(
                    x=s.x, y=s.y, name=s.name, mode=mode, line=line, marker=marker, error_y=errors(s), **hover
                )
            )
        else:
            shape = {"pattern": {"shape": "/", "fgcolor": "white", "size": 6}} if s.predicted else {}
            marker = {"color": colour, **shape}
            plot.add_trace(go.Bar(x=s.x, y=s.y, name=s.name, marker=marker, error_y=errors(s)))
    if chart.kind == "stacked":
        plot.update_layout(barmode="stack")
    if chart.logarithmic:
        plot.update_xaxes(type="log")
        plot.update_yaxes(type="log")
        plot.update_layout(hovermode="closest")
    elif chart.kind == "lines" and all(isinstance(x, int) for s in chart.series for x in s.x):
        plot.update_xaxes(tickvals=sorted({x for s in chart.series for x in s.x}))
    if chart.from_zero and not chart.logarithmic:
        plot.update_yaxes(rangemode="tozero")
    plot.update_layout(showlegend=len(chart.series) > 1)
    if len(chart.series) > MOST_INSIDE:  # the legend is above, with one long name per line
        plot.update_layout(height=plot.layout.height + LINE * len(chart.series))
    return plot


def to_png(chart: Chart, folder: Path) -> Path:
    """The chart as a PNG in a folder."""
    from crumple.plain_matplotlib import new_figure

    drawing = new_figure(8, 4.5)
    axes = drawing.subplots()
    if chart.kind == "heat":
        image = axes.imshow(chart.matrix, cmap="YlOrRd")
        drawing.colorbar(image, label=chart.y_title)
        axes.set(xlabel=chart.x_title, ylabel="from rank")
    elif chart.kind == "lines":
        draw_lines(axes, chart)
    else:
        draw_bars(axes, chart)
    axes.set_title(chart.title, loc="left", fontsize=11, color=INK)
    path = folder / f"{chart.name}.png"
    drawing.savefig(path)
    return path


def draw_lines(axes: object, chart: Chart) -> None:
    """Lines with their spread."""
    for k, s in enumerate(chart.series):
        colour = colour_of(s, k)
        if s.dashed:
            axes.plot(s.x, s.y, "--", color=colour, label=s.name)
            continue
        looks = {"linestyle": "--", "markerfacecolor": "white"} if s.predicted else {}
        if s.points:
            looks = {"linestyle": "none"} | ({"markersize": 2.5} if s.faint else {"zorder": 5})
        axes.errorbar(s.x, s.y, yerr=spread(s), marker="o", capsize=3, label=s.name, color=colour, **looks)
    axes.set(xlabel=chart.x_title, ylabel=chart.y_title)
    if chart.logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
    elif all(isinstance(x, int) for s in chart.series for x in s.x):
        axes.set_xticks(sorted({x for s in chart.series for x in s.x}))
    finish(axes, chart)


def draw_bars(axes: object, chart: Chart) -> None:
    """Bars side by side, or stacked."""
    labels = list(dict.fromkeys(x for s in chart.series for x in s.x))
    width = 0.8 if chart.kind == "stacked" else 0.8 / max(1, len(chart.series))
    base = [0.0] * len(labels)
    for k, s in enumerate(chart.series):
        at = [labels.index(x) for x in s.x]
        colour = colour_of(s, k)
        if chart.kind == "stacked":
            axes.bar(at, s.y, width, bottom=[base[i] for i in at], label=s.name, color=colour)
            for i, y in zip(at, s.y, strict=True):
                base[i] += y
            continue
        places = [i + (k - (len(chart.series) - 1) / 2) * width for i in at]
        looks = {"color": colour} | ({"hatch": "//", "edgecolor": "white"} if s.predicted else {})
        axes.bar(places, s.y, width, yerr=spread(s), capsize=3, label=s.name, **looks)
    axes.set_xticks(range(len(labels)), [str(x) for x in labels], rotation=20 if len(labels) > 5 else 0)
    axes.set(xlabel=chart.x_title, ylabel=chart.y_title)
    finish(axes, chart)


def finish(axes: object, chart: Chart) -> None:
    """Grid, legend and origin."""
    axes.grid(color="#e6eaef")
    axes.set_axisbelow(True)
    if chart.from_zero and not chart.logarithmic:
        axes.set_ylim(bottom=0)
    if len(chart.series) > MOST_INSIDE:
        below = {"loc": "outside lower left", "ncols": 2}
        axes.figure.set_figheight(axes.figure.get_figheight() + 0.2 * -(-len(chart.series) // 2))
        axes.figure.legend(*axes.get_legend_handles_labels(), frameon=False, fontsize=9, **below)
    elif len(chart.series) > 1:
        axes.legend(frameon=False, fontsize=9)
