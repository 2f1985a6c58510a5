"""Prints simulations as tables, or as data."""

from dataclasses import asdict
from statistics import fmean

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from crumple.lab.simulate.experiment import assumed
from crumple.lab.simulate.results import Simulation
from crumple.lab.words import count

BUSY_LINKS = 5  #: number of links that are shown


def duration(seconds: float) -> str:
    """A time in a suitable unit."""
    if seconds == 0:
        return "0"
    if seconds >= 3600:
        return f"{seconds / 3600:.2f} h"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.2f} us"


def between(low: float, high: float) -> str:
    """A range of times; a common unit is printed once."""
    first, last = duration(low), duration(high)
    if first.split()[-1] == last.split()[-1]:
        first = first.split()[0]
    return f"{first} to {last}"


def plain(title: str, columns: list[str], rows: list[list[str]]) -> Table:
    """A table of text and numbers with one line per row: on a narrow screen the lines break, not the cells.

    Print it with soft_wrap; otherwise the screen cuts it.
    """
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for k, name in enumerate(columns):
        table.add_column(
            name,
            justify="right" if k else "left",
            min_width=max(map(cell_len, [name, *(row[k] for row in rows)])),
        )
    for row in rows:
        table.add_row(*row)
    return table


def headline(s: Simulation) -> list[str]:
    """What was simulated, and the result."""
    e, p = s.experiment, s.experiment.placement
    many = f"{len(s.jobs)} jobs of " if len(s.jobs) > 1 else ""
    said = [
        f"Simulated: {many}{count(e.trace.ranks, 'rank')} on {p.nodes} of {count(e.cluster.nodes, 'node')} "
        f"of {e.cluster.name}, {p.ranks_per_node} per node and job"
        + (" (cores oversubscribed)" if p.oversubscribed else "")
    ]
    window = f"{s.cycles} cycles" if s.cycles else "the trace"
    said.append(f"elapsed, {window}: {duration(s.window)} ({between(s.low, s.high)})")
    if s.factor:
        writing = f", of these {duration(s.writing)} writing (modelled)" if s.writing else ""
        how_much = (
            f"extrapolated from the window, x {s.factor:g}" if s.cycles else "the trace is the whole job"
        )
        said.append(f"elapsed, whole job: {duration(s.whole)} ({between(*s.range)}){writing}; {how_much}")
        said.append(f"jobs a day: {s.jobs_a_day:.1f}" + (" (all together)" if len(s.jobs) > 1 else ""))
    else:
        what = (
            "give its number of cycles with --job-cycles"
            if s.cycles
            else "the trace's window is not in cycles"
        )
        said.append(f"elapsed, whole job: not known; {what}")
        if s.experiment.options.written:
            said.append("--written is not in these times, because they are not of the whole job")
    return said


def assumptions(s: Simulation) -> list[str]:
    """The assumptions."""
    e = s.experiment
    return [f"assumed: {line}" for line in assumed(e.trace, e.cluster, e.options)]


def how(s: Simulation) -> str:
    """The origin of the range."""
    o, jitter = s.experiment.options, s.experiment.cluster.network.jitter
    if o.seeds == (0,):
        return "no range: simulated once, without noise"
    if len(o.seeds) == 1:
        return f"no range: simulated once, with the noise of seed {o.seeds[0]}"
    return (
        f"range: lowest and highest of {len(o.seeds)} simulations (seeds {o.seeds[0]} to {o.seeds[-1]}), "
        f"each block of compute with a standard deviation of {100 * o.noise:g} %, "
        f"messages between nodes with a mean jitter of {duration(jitter)}; "
        "errors of the cluster file's figures are not included"
    )


def spent_table(s: Simulation) -> Table:
    """The parts of the time of the window."""
    total = fmean(s.jobs)
    rows = []
    for x in s.spent:
        label = (
            "compute"
            if x.name == "compute"
            else x.name
            if x.name == "point to point"
            else f"MPI_{x.name.capitalize()}"
        )
        rows.append(
            [
                label,
                f"{x.calls:.0f}",
                duration(x.seconds),
                f"{100 * x.seconds / total:.1f}",
                f"{100 * x.waiting / total:.1f}",
                duration(x.most),
            ]
        )
    rest = total - sum(x.seconds for x in s.spent)
    rows.append(["ended early", "", duration(max(0.0, rest)), f"{100 * max(0.0, rest) / total:.1f}", "", ""])
    columns = [
        "mean of ranks",
        "calls",
        "time",
        "% of elapsed",
        "waiting [%]",
        "most",
    ]
    return plain("", columns, rows)


def load_table(s: Simulation) -> Table:
    """The busiest links."""
    rows = [
        [
            link.name,
            f"{link.bytes / 1e6:.2f}",
            f"{link.messages}",
            f"{100 * link.busy:.2f}",
            duration(link.held_up),
        ]
        for link in s.links[:BUSY_LINKS]
        if link.messages
    ]
    return plain("", ["busiest links", "MB", "messages", "busy [%]", "held up by others"], rows)


def energy_lines(s: Simulation) -> list[str]:
    """Energy and money."""
    e = s.energy
    if e is None:
        return ["energy: the node's power is not known"]
    what = "the job" if s.factor else "the window"
    pue, switches = s.experiment.cluster.pue, count(e.switches, "switch", "switches")
    said = [
        f"energy of {what} (simulated time x power): {e.a_job:.4g} Wh a job; nodes in use {e.busy:.4g}, "
        f"unused nodes {e.idle:.4g}, {switches} {e.network:.4g}, adapters {e.adapters:.4g} Wh"
        + (f", x PUE {pue:g}" if pue != 1 else "")
    ]
    if e.money:
        said.append(f"cost of {what}: {e.money_a_job:.4g} {e.currency} a job")
    return said


def show(s: Simulation, console: Console) -> None:
    """Print one simulation."""

    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    for line in headline(s):
        say(line)
    for line in assumptions(s):
        say(line)
    say(how(s))
    console.print(spent_table(s), soft_wrap=True)
    bus = "memory bus and shared cores" if s.experiment.placement.oversubscribed else "memory bus"
    say(
        f"imbalance: the rank with the most compute has {100 * (s.imbalance - 1):.1f} % more than the mean; "
        f"{bus}: compute takes {100 * (s.memory_slowdown - 1):.1f} % longer than on cores alone; "
        f"CPU time of messages: {duration(s.overhead)} per rank"
    )
    left_out = s.experiment.trace.meta.get("left_out") or {}
    if left_out:
        what = ", ".join(f"{n} {name}" for name, n in left_out.items())
        say(f"not in the trace, so not in these times: {what}")
    console.print(load_table(s), soft_wrap=True)
    for line in energy_lines(s):
        say(line)


def show_all(several: list[Simulation], console: Console) -> None:
    """Print a row for each simulation."""
    rows = []
    for s in several:
        p = s.experiment.placement
        compute = next((x for x in s.spent if x.name == "compute"), None)
        share = 100 * compute.seconds / fmean(s.jobs) if compute else 0.0
        rows.append(
            [
                f"{len(s.jobs)} x {s.experiment.trace.ranks}",
                str(p.nodes),
                duration(s.whole),
                between(*s.range),
                f"{s.jobs_a_day:.1f}" if s.factor else "",
                f"{share:.1f}",
                f"{s.energy.a_job:.4g}" if s.energy else "",
            ]
        )
    columns = [
        "jobs",
        "nodes",
        "elapsed",
        "range",
        "jobs a day",
        "compute %",
        "Wh a job",
    ]
    console.print(plain("Simulated, all", columns, rows), soft_wrap=True)


def as_data(s: Simulation) -> dict:
    """The same as data in seconds, bytes, Wh; everything is simulated except what is named modelled."""
    e = s.experiment
    low, high = s.range
    return {
        "label": "simulated",
        "cluster": e.cluster.name,
        "trace": str(e.trace.folder),
        "trace_sha256": e.trace.digest,
        "ranks": e.trace.ranks,
        "jobs": len(s.jobs),
        "nodes": e.placement.nodes,
        "ranks_per_node": e.placement.ranks_per_node,
        "oversubscribed": e.placement.oversubscribed,
        "window": {"cycles": s.cycles, "elapsed": s.window, "low": s.low, "high": s.high, "jobs": s.jobs},
        "job": {"elapsed": s.whole, "low": low, "high": high, "factor": s.factor, "jobs_a_day": s.jobs_a_day}
        if s.factor
        else None,
        "assumed": assumed(e.trace, e.cluster, e.options),
        "range": how(s),
        "modelled_writing": s.writing,
        "spent": [asdict(x) for x in s.spent],
        "imbalance": s.imbalance,
        "message_cpu_time": s.overhead,
        "memory_slowdown": s.memory_slowdown,
        "links": [asdict(link) for link in s.links if link.messages],
        "energy": asdict(s.energy) | {"a_job": s.energy.a_job, "money_a_job": s.energy.money_a_job}
        if s.energy
        else None,
    }
