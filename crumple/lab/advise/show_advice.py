"""Prints advice as tables and sentences, or as data."""

from dataclasses import asdict

from rich.console import Console

from crumple.lab.advise.advice import Advice
from crumple.lab.advise.candidates import GAINS, MOST_THREADS
from crumple.lab.advise.question import Objective
from crumple.lab.advise.scaling import REASONS, WORTH, losses
from crumple.lab.advise.score import SIMULATED, Score
from crumple.lab.advise.search import LONGEST
from crumple.lab.advise.upgrades import SMALL, Upgrade
from crumple.lab.simulate.show_simulation import between, duration, plain

GOALS = {
    Objective.jobs_per_day: "most jobs a day",
    Objective.time: "least elapsed time of a job",
    Objective.energy: "least energy a job",
    Objective.cost: "least money a job",
}
FRONT = 16  #: number of rows of the Pareto front that are printed
BUSY = 1.0  #: load average before a recording; above it, other work took part of the processor


def layout(score: Score) -> str:
    """The placement of the jobs on the nodes, in words."""
    c, jobs, nodes = score.candidate, score.candidate.wish.jobs, nodes_of_job(score)
    ranks, where = c.ranks_in_words, f"{nodes} node{'s' * (nodes > 1)}"
    if jobs == 1:
        return f"{ranks} on {where}"
    together = on_node(score)
    if nodes == 1 and together > 1:
        return f"{jobs} jobs of {ranks}, {together} per node"
    return f"{jobs} jobs of {ranks}, {where} each" + (f", {together} per node" if together > 1 else "")


def nodes_of_job(score: Score) -> int:
    """Number of nodes on which a job has ranks."""
    return len({node for node, _ in score.placement.places[0]})


def on_node(score: Score) -> int:
    """Number of jobs that have ranks on the first node."""
    return sum(1 for job in score.placement.places if any(node == 0 for node, _ in job))


def cells(score: Score) -> list[str]:
    """Cells of a table for one score."""
    c, nodes = score.candidate, nodes_of_job(score)
    return [
        str(c.sharing.ranks),
        str(c.threads),
        c.sharing.decomposition if c.sharing.ranks > 1 else "-",
        str(nodes),
        str(-(-c.sharing.ranks // nodes)),
        str(c.wish.jobs),
        str(on_node(score)),
        duration(score.elapsed),
        between(score.low, score.high) if score.high > score.low else "",
        f"{score.jobs_a_day:.1f}",
        f"{score.wh:.4g}" if score.wh is not None else "-",
        f"{score.money:.4g}" if score.money else "-",
        score.label,
    ]


def head(currency: str) -> list[str]:
    """Headings of this table."""
    return [
        *("ranks", "threads", "decomp.", "nodes", "ranks/node", "jobs", "jobs/node"),
        *("elapsed", "range", "jobs a day", "Wh a job", f"{currency} a job", ""),
    ]


def goal(a: Advice) -> str:
    """The objective and the limits."""
    q = a.question
    limits = [] if q.deadline == float("inf") else [f"each within {duration(q.deadline)}"]
    limits += [f"with {q.licences} licences (one per core in use)"] if q.licences is not None else []
    return ", ".join([GOALS[q.objective], *limits])


def subject(a: Advice) -> str:
    """Deck, cluster and question."""
    cluster = a.cluster.title or a.cluster.name
    return f"{a.deck.wish.deck.name}, {a.deck.elements} elements, on {cluster}: {goal(a)}"


def alike(seconds: float, other: float) -> str:
    """A time in the unit of the longer one of two."""
    if max(seconds, other) >= 3600:
        return f"{seconds / 3600:.2f} h"
    return f"{seconds:.2f} s" if max(seconds, other) >= 0.1 else duration(seconds)


def scaling_lines(a: Advice) -> list[str]:
    """Where scaling stops, and the reason."""
    s = a.scaling
    at, ranks = s.at, s.at.candidate.sharing.ranks
    if s.next is None:
        return [
            f"one job scales up to {ranks} ranks, the most that are possible: {s.limit}; "
            f"{duration(at.elapsed)} ({at.label})"
        ]
    after = s.next.candidate.sharing.ranks
    times = at.elapsed / s.next.elapsed
    worth = (after / ranks) ** WORTH
    faster = f"{times:.2f} times as fast" if times > 1 else f"slower ({1 / times:.2f} times the time)"
    said = [
        f"stop scaling one job at {ranks} ranks, {duration(at.elapsed)} ({at.label}): {after} ranks, "
        f"{duration(s.next.elapsed)} ({s.next.label}), are {faster}; worthwhile is {worth:.2f} times or more"
    ]
    lost = losses(at, s.next)
    parts = [(name, seconds) for name, seconds in lost.items() if seconds > 0.1 * max(lost.values())]
    for name, seconds in parts[:2]:
        was, now = at.parts.get(name, 0.0), s.next.parts.get(name, 0.0)
        times = f"{alike(was, seconds)} at {ranks} ranks and {alike(now, seconds)} at {after}"
        said.append(
            f"  because of {name}: {times}, {alike(seconds, was)} more than with perfect scaling "
            f"({REASONS[name]})"
        )
    fastest = min(s.curve, key=lambda x: x.elapsed)
    if fastest.candidate.sharing.ranks not in (ranks, after):
        said.append(
            f"  the fastest with one thread per rank: {fastest.candidate.sharing.ranks} ranks, "
            f"{duration(fastest.elapsed)} ({fastest.label})"
        )
    return said


def upgrade_cells(upgrade: Upgrade) -> list[str]:
    """Cells of a table for one upgrade."""
    part = upgrade.part
    gain = f"{100 * upgrade.gain:+.1f} %"
    how = layout(upgrade.best) if upgrade.best else ""
    kind = f"{part.kind} (what if)" if part.what_if else part.kind
    year = str(part.year or "")
    return [kind, part.name, year, part.was, f"{part.better:.2f}", gain, how, upgrade.label]


UPGRADE_HEAD = ["upgrade", "to", "year", "from", "times as fast", "gain", "then best", ""]


def shown_upgrades(a: Advice) -> list[Upgrade]:
    """The upgrades that pay."""
    return [u for u in a.upgrades if u.found and u.gain >= SMALL]


def other_upgrades(a: Advice) -> list[str]:
    """The upgrades that were tried and do not pay, in words."""
    less = [u for u in a.upgrades if u.found and u.gain < SMALL]
    small = [f"{u.part.kind} {u.part.name} ({100 * u.gain:+.1f} %)" for u in less]
    late = [f"{u.part.kind} {u.part.name}" for u in a.upgrades if not u.found]
    said = [f"also tried, gain below {100 * SMALL:g} %: {', '.join(small)}"] if small else []
    return said + ([f"also tried, not within the limits: {', '.join(late)}"] if late else [])


GAINED = {
    Objective.jobs_per_day: "more jobs a day",
    Objective.time: "less time",
    Objective.energy: "less energy",
    Objective.cost: "less money",
}


def upgrade_line(a: Advice) -> str:
    """The upgrade that pays most."""
    best = next((u for u in shown_upgrades(a) if not u.part.what_if), None)
    if best is None:
        return f"no single part of the catalogue gains {100 * SMALL:g} % or more"
    gain = f"{100 * best.gain:.{0 if best.gain >= 0.1 else 1}f} % {GAINED[a.question.objective]}"
    return (
        f"the upgrade that pays most: {best.part.kind}, {best.part.name} instead of {best.part.was}: "
        f"{gain} ({best.label}; its price is not counted)"
    )


def sources(a: Advice) -> list[str]:
    """Which numbers are measured, simulated or modelled, and how accurate they are."""
    meta = a.deck.known.traces[-1].meta
    recorded = " and ".join(str(t.ranks) for t in a.deck.known.traces)
    rate = float(meta["reference"].get("element_rate", 0.0))
    figures, estimated = len(a.cluster.sources), len(a.cluster.estimated)
    said = [
        f"measured on this machine: work and messages of the solver on {recorded} ranks, cycles "
        f"{meta['window'].replace(':', ' to ')}; {rate / 1e6:.3g} M element updates/s per core",
        "simulated: by SimGrid, the window extrapolated to the whole job; range: two seeds of noise"
        if a.effort.simulate
        else "simulated: nothing (--simulate 0)",
        "modelled: by LogGP, from traces that are made from the decomposition at each number of ranks"
        + (f"; error against simulation {min(a.errors):+.1%} to {max(a.errors):+.1%}" if a.errors else ""),
    ]
    if a.effort.simulate and any(s.label != SIMULATED for s in a.best):
        said.append(
            f"some of the best are only modelled: their traces have over {LONGEST / 1e6:g} million lines"
        )
    if a.deck.load > BUSY:
        said.append(
            f"warning: the machine was busy during the recording (load {a.deck.load:.1f}), so the measured "
            "work and all times are too long; record again with --no-cache when it is idle"
        )
    rate_figure = a.cluster.sources.get("cpu.rate_double")
    rule = (
        "; its processor's rate comes from the catalogue's rule, with an error of up to 20 %"
        if rate_figure and rate_figure.estimated
        else ""
    )
    said.append(
        f"{estimated} of the cluster file's {figures} figures are estimates{rule}; "
        "the ranges do not include these errors"
    )
    said.append(
        f"threads: up to {MOST_THREADS} per rank of {GAINS[0][0]} elements or more; two are taken to be "
        f"{GAINS[0][1]} to {GAINS[-1][1]} times as fast as one, depending on the number of elements "
        "(measured, docs/performance.md)"
    )
    if a.cluster.price_per_kwh and not a.cluster.node.peak_watts:
        said.append("money: without the cost of power, because the power of the nodes is not known")
    if not a.question.written:
        said.append("writing of results and file systems: left out; --written gives the bytes of a job")
    return said


def show(a: Advice, console: Console) -> None:
    """Print advice."""

    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    currency = a.cluster.currency
    say(subject(a))
    modelled, allowed = len(a.searched.scores), len(a.searched.allowed)
    say(f"{modelled} configurations modelled, {allowed} within the limits; the best of them:")
    columns = head(currency)
    console.print(plain("", columns, [cells(s) for s in a.best]), soft_wrap=True)
    cut = f" ({FRONT} of {len(a.front)}, the fastest; all with --json)" if len(a.front) > FRONT else ""
    title = f"Pareto front of time, energy and money{cut}"
    front = plain(title, columns, [cells(s) for s in a.front[:FRONT]])
    console.print(front, soft_wrap=True)
    console.print()
    for line in scaling_lines(a):
        say(line)
    console.print()
    say(upgrade_line(a))
    if shown := shown_upgrades(a):
        console.print(plain("", UPGRADE_HEAD, [upgrade_cells(u) for u in shown]), soft_wrap=True)
    for line in other_upgrades(a):
        say(line)
    console.print()
    for line in sources(a):
        say(line)


def score_data(score: Score) -> dict:
    """One score as data; units are seconds and Wh."""
    c = score.candidate
    return {
        "label": score.label,
        "ranks": c.sharing.ranks,
        "threads": c.threads,
        "decomposition": c.sharing.decomposition,
        "jobs": c.wish.jobs,
        "placement": c.wish.share,
        "ranks_per_node": c.wish.ranks_per_node,
        "nodes": score.placement.nodes,
        "cores": c.cores,
        "elapsed": score.elapsed,
        "low": score.low,
        "high": score.high,
        "jobs_a_day": score.jobs_a_day,
        "wh_a_job": score.wh,
        "money_a_job": score.money,
        "parts": score.parts,
        "energy": asdict(score.energy) if score.energy else None,
    }


def upgrade_data(u: Upgrade) -> dict:
    """One upgrade as data; a gain of null means that it is not within the limits."""
    return {
        "kind": u.part.kind,
        "to": u.part.name,
        "year": u.part.year or None,
        "from": u.part.was,
        "what_if": u.part.what_if,
        "times_as_good": u.part.better,
        "gain": u.gain if u.found else None,
        "best": score_data(u.best) if u.best else None,
        "label": u.label,
    }


def as_data(a: Advice) -> dict:
    """The advice as data."""
    q = a.question
    return {
        "deck": str(a.deck.wish.deck),
        "elements": a.deck.elements,
        "cluster": a.cluster.name,
        "objective": q.objective.value,
        "deadline": None if q.deadline == float("inf") else q.deadline,
        "licences": q.licences,
        "pue": a.cluster.pue,
        "currency": a.cluster.currency,
        "modelled": len(a.searched.scores),
        "allowed": len(a.searched.allowed),
        "best": [score_data(s) for s in a.best],
        "front": [score_data(s) for s in a.front],
        "scaling": {
            "stop_at": score_data(a.scaling.at),
            "next": score_data(a.scaling.next) if a.scaling.next else None,
            "because": list(losses(a.scaling.at, a.scaling.next))[0] if a.scaling.next else a.scaling.limit,
            "words": scaling_lines(a),
            "curve": [score_data(s) for s in a.scaling.curve],
        },
        "upgrades": [upgrade_data(u) for u in a.upgrades],
        "model_over_simulation": a.errors,
        "sources": sources(a),
    }
