"""The load of every cable on a picture of the topology."""

import math

import plotly.graph_objects as go

from crumple.lab.simulate.fabric import Fabric
from crumple.lab.simulate.results import LinkLoad, Simulation
from crumple.report.figures import figure

LEVELS = {"node": 0.0, "leaf": 1.0, "switch": 1.0, "spine": 2.0, "pod": 2.0, "core": 3.0}
#: colour by the largest busy share
COLOURS = ((0.01, "#cfd6de"), (0.1, "#8ab6dc"), (0.25, "#3a8f5c"), (0.5, "#d79a1e"), (1e9, "#c8452e"))
NAMED = 40  #: with more nodes and switches, names are shown only under the pointer
NAMES = ("under 1 %", "1 to 10 %", "10 to 25 %", "25 to 50 %", "over 50 %")


def places_of(fabric: Fabric) -> dict[str, tuple[float, float]]:
    """Places of nodes and switches in the picture: in rows; for a dragonfly on two circles."""
    nodes = [f"node {n}" for n in range(fabric.nodes)]
    if fabric.switches[0].startswith("group"):
        count = len(fabric.switches)
        angles = {name: 2 * math.pi * k / count for k, name in enumerate(fabric.switches)}
        places = {name: (math.cos(a), math.sin(a)) for name, a in angles.items()}
        for n, name in enumerate(nodes):
            angle = 2 * math.pi * ((n + 0.5) / len(nodes) - 0.5 / count)
            places[name] = (1.3 * math.cos(angle), 1.3 * math.sin(angle))
        return places
    places = {}
    rows: dict[float, list[str]] = {}
    for name in nodes + fabric.switches:
        rows.setdefault(LEVELS[name.split()[0]], []).append(name)
    for level, names in rows.items():
        for k, name in enumerate(names):
            places[name] = ((k + 0.5) / len(names), level)
    return places


def busiest(simulation: Simulation) -> dict[tuple[str, str], LinkLoad]:
    """The busiest direction of all cables between two ends."""
    fabric = simulation.experiment.fabric
    loads = {link.name: link for link in simulation.links}
    found: dict[tuple[str, str], LinkLoad] = {}
    for name, (start, end) in zip(fabric.links, fabric.ends, strict=True):
        ends = (min(start, end), max(start, end))
        if ends not in found or loads[name].busy > found[ends].busy:
            found[ends] = loads[name]
    return found


def draw_links(simulation: Simulation) -> go.Figure:
    """Cables coloured by the load of their busier direction; points have the figures."""
    places = places_of(simulation.experiment.fabric)
    plot = figure("", "", 440)
    lines: dict[int, tuple[list, list]] = {k: ([], []) for k in range(len(COLOURS))}
    middle: tuple[list, list, list] = ([], [], [])
    for (start, end), load in busiest(simulation).items():
        colour = next(k for k, (most, _) in enumerate(COLOURS) if load.busy <= most)
        (x0, y0), (x1, y1) = places[start], places[end]
        lines[colour][0].extend((x0, x1, None))
        lines[colour][1].extend((y0, y1, None))
        middle[0].append((x0 + x1) / 2)
        middle[1].append((y0 + y1) / 2)
        middle[2].append(f"{load.name}<br>{100 * load.busy:.2f} % busy, {load.bytes / 1e6:.2f} MB")
    for k, (x, y) in lines.items():
        if x:
            style = {"color": COLOURS[k][1], "width": 1.2 + 0.7 * k}
            plot.add_trace(go.Scatter(x=x, y=y, mode="lines", name=NAMES[k], line=style, hoverinfo="skip"))
    invisible = {"size": 10, "color": "rgba(0,0,0,0)"}
    plot.add_trace(
        go.Scatter(
            x=middle[0],
            y=middle[1],
            text=middle[2],
            mode="markers",
            marker=invisible,
            hoverinfo="text",
            showlegend=False,
        )
    )
    names = list(places)
    plot.add_trace(
        go.Scatter(
            x=[places[n][0] for n in names],
            y=[places[n][1] for n in names],
            text=names,
            mode="markers+text" if len(names) <= NAMED else "markers",
            textposition=["bottom center" if n.startswith("node") else "top center" for n in names],
            marker={
                "size": [8 if n.startswith("node") else 13 for n in names],
                "color": ["#1f6fb4" if n.startswith("node") else "#1d2733" for n in names],
                "symbol": ["circle" if n.startswith("node") else "square" for n in names],
            },
            hoverinfo="text",
            showlegend=False,
        )
    )
    hidden = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "showline": False}
    plot.update_layout(xaxis=hidden, yaxis=hidden, hovermode="closest")
    return plot
