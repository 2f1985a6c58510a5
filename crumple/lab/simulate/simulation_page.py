"""The report of simulations: one HTML page with everything inside."""

from html import escape
from statistics import fmean

import plotly.graph_objects as go

from crumple.lab.page.chart import Chart, Series, to_plotly
from crumple.lab.page.html_page import html_page, table
from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.show_simulation import assumptions, between, duration, energy_lines, headline, how
from crumple.lab.simulate.timeline import KINDS, Timeline, timeline_of
from crumple.lab.simulate.topology_picture import draw_links
from crumple.lab.words import count
from crumple.report.figures import PALETTE, figure
from crumple.report.run_page import Section, card, pair, plot

COLOURS = PALETTE[:3]  #: colours of KINDS, and of the same in charts
MESSAGES = ("point to point",)


def title_of(s: Simulation) -> str:
    """A short title."""
    jobs = f"{len(s.jobs)} jobs of " if len(s.jobs) > 1 else ""
    return f"{jobs}{count(s.experiment.trace.ranks, 'rank')} on {count(s.experiment.placement.nodes, 'node')}"


def answer(s: Simulation) -> str:
    """What was simulated, in words."""
    lines = [*headline(s), *assumptions(s), *energy_lines(s)]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return card("", f'<ul class="warnings">{items}</ul><p class="note">{escape(how(s))}</p>')


def draw_timeline(timeline: Timeline) -> go.Figure:
    """Ranks over time."""
    count = len(timeline.ranks)
    drawing = figure("", "simulated time, ms", max(240, min(900, 60 + 14 * count)))
    width = timeline.until / timeline.kinds.shape[1] * 1e3
    steps = len(KINDS)
    scale = [[(k + edge) / steps, COLOURS[k]] for k in range(steps) for edge in (0, 1)]
    drawing.add_trace(
        go.Heatmap(
            z=[[None if k < 0 else int(k) for k in row] for row in timeline.kinds],
            x0=width / 2,
            dx=width,
            y=timeline.ranks,
            zmin=-0.5,
            zmax=steps - 0.5,
            colorscale=scale,
            showscale=False,
            hovertemplate="%{y}, %{x:.4f} ms<extra></extra>",
        )
    )
    for kind, colour in zip(KINDS, COLOURS, strict=True):  # for the legend
        marker = {"color": colour, "symbol": "square", "size": 10}
        drawing.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=kind, marker=marker))
    drawing.update_layout(yaxis={"autorange": "reversed"}, hovermode="closest", showlegend=True)
    return drawing


def ranks_chart(s: Simulation) -> Chart:
    """Seconds of each rank of the first job."""
    ranks = s.ranks_spent[: s.experiment.trace.ranks]
    x = list(range(len(ranks)))

    def total(which: str, part: int) -> list[float]:
        """Seconds of compute or of MPI, without waiting or of waiting."""
        sums = []
        for rank in ranks:
            own = [v for name, v in rank.items() if (name == "compute") == (which == "compute")]
            waited = sum(w for _, w in own)
            sums.append(1e3 * (waited if part else sum(t for t, _ in own) - waited))
        return sums

    series = [
        Series("compute", x, total("compute", 0)),
        Series("waiting for late ranks", x, total("MPI", 1)),
        Series("transfer", x, total("MPI", 0)),
        Series("compute slowed by the memory bus", x, total("compute", 1)),
    ]
    return Chart("ranks", "Where each rank's time goes", "rank", "simulated time, ms", series, "stacked")


def energy_chart(several: list[Simulation]) -> Chart:
    """The parts of the Wh per job."""
    x = [title_of(s) for s in several if s.energy]
    parts = [s.energy.parts for s in several if s.energy]
    series = [Series(name, x, [part[name] for part in parts]) for name in parts[0]]
    return Chart("energy", "Energy of a job, simulated time x power", "", "Wh a job", series, "stacked")


def spent_card(s: Simulation) -> str:
    """The table for the window."""
    total = fmean(s.jobs)
    rows = [
        [
            escape(x.name if x.name == "compute" or x.name in MESSAGES else f"MPI_{x.name.capitalize()}"),
            f"{x.calls:.0f}",
            duration(x.seconds),
            f"{100 * x.seconds / total:.1f}",
            f"{100 * x.waiting / total:.1f}",
            duration(x.most),
        ]
        for x in s.spent
    ]
    head = ["mean of ranks", "calls", "time", "% of elapsed", "waiting [%]", "most"]
    return card("Where the window goes, simulated", table(head, rows))


def links_card(s: Simulation) -> str:
    """The busiest links."""
    rows = [
        [escape(x.name), f"{x.bytes / 1e6:.2f}", str(x.messages), f"{100 * x.busy:.2f}", duration(x.held_up)]
        for x in s.links[:12]
        if x.messages
    ]
    return card(
        "Busiest links and memory buses", table(["", "MB", "messages", "busy [%]", "held up by others"], rows)
    )


def section_of(number: int, s: Simulation) -> Section:
    """One simulation."""
    timeline = timeline_of(s)
    html = answer(s) + pair(spent_card(s), links_card(s))
    note = '<p class="note">The start of the window; in each stretch of time what takes most of it.</p>'
    html += card("Timeline, simulated", plot(draw_timeline(timeline)) + note)
    note = '<p class="note">Colour: bytes over what a cable could carry, of its busier direction.</p>'
    picture = card("Load of each cable, simulated", plot(draw_links(s)) + note)
    html += picture + card("Where each rank's time goes, simulated", plot(to_plotly(ranks_chart(s))))
    return Section(f"simulation-{number}", escape(title_of(s)), html)


def comparison(several: list[Simulation]) -> list[Section]:
    """All simulations side by side."""
    rows = [
        [
            escape(title_of(s)),
            duration(s.whole),
            between(*s.range),
            f"{s.jobs_a_day:.1f}" if s.factor else "",
            f"{s.energy.a_job:.4g}" if s.energy else "",
            f"{s.energy.money_a_job:.4g} {escape(s.energy.currency)}" if s.energy and s.energy.money else "",
        ]
        for s in several
    ]
    head = ["simulated", "elapsed", "range", "jobs a day", "Wh a job", "cost a job"]
    html = card("", table(head, rows))
    if any(s.energy for s in several):
        html += card("Energy of a job, simulated time x power", plot(to_plotly(energy_chart(several))))
    return [Section("all", "All", html)]


def page(several: list[Simulation]) -> str:
    """The page as text.

    Raises:
        SimulationError: the timeline cannot be simulated.
    """
    sections = comparison(several) + [section_of(k, s) for k, s in enumerate(several, 1)]
    first = several[0].experiment
    subtitle = f"{first.cluster.title or first.cluster.name} · trace {first.trace.folder.resolve().name}"
    return html_page(
        title="Simulated runs",
        subtitle=escape(subtitle),
        ending="simulated, not measured",
        verdict="look",
        sections=sections,
        footer="All times are simulated from a trace and a cluster file; nothing was measured there.",
    )
