"""Prints a trace, or the differences of two."""

from rich.console import Console
from rich.table import Table

from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.compare import TraceComparison
from crumple.lab.traces.contents import RankContents, contents_of, cycles_of
from crumple.lab.traces.decomposition import Decomposition, of_trace
from crumple.lab.traces.displacements import kept
from crumple.lab.traces.work import Difference
from crumple.printed_table import print_whole

MUCH = 2.0  #: slow-down that is reported; ranks of few elements are slower than those of many


def grid(*columns: str) -> Table:
    """A plain table; all columns except the first are right-aligned."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for k, name in enumerate(columns):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    return table


def scaled(value: float) -> str:
    """A number of bytes with a unit."""
    for unit in ("B", "KB", "MB", "GB"):
        if abs(value) < 1000 or unit == "GB":
            return f"{value:.4g} {unit}"
        value /= 1000
    raise AssertionError


def spread(values: list[float]) -> tuple[str, ...]:
    """Smallest, mean, largest, largest over mean."""
    mean = sum(values) / len(values)
    over = f"{max(values) / mean:.3f}" if mean else "-"
    return (*(f"{v:.4g}" for v in (min(values), mean, max(values))), over)


def show(trace: Trace, console: Console) -> None:
    """Print a trace.

    Raises:
        TraceError: it cannot be read to the end, or the files beside it are damaged.
    """
    shared_out = of_trace(trace)
    kept(trace.folder, trace.meta)
    ranks = contents_of(trace)
    cycles = cycles_of(trace, ranks)
    size = sum((trace.folder / name).stat().st_size for name in trace.files)
    how = "processor time" if trace.work == "cpu" else "counts"
    said = [
        f"{trace.folder}: {trace.origin}, {trace.ranks} ranks, {cycles_in_words(trace, cycles)}, "
        f"{scaled(size)}"
    ]
    rate = (
        f", {trace.element_rate / 1e6:.2f} million element updates per second and core"
        if trace.element_rate
        else ""
    )
    said.append(f"work by {how}, of {trace.machine or 'a machine unknown'}{rate}")
    for line in said:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    console.print()
    print_whole(per_rank(ranks, cycles, shared_out), console)
    console.print()
    print_whole(collectives(ranks, cycles), console)
    if any(phase != "-" for phase in ranks[0].phases):
        console.print()
        print_whole(phases(ranks, cycles), console)
    if words := slowed_in_words(trace):
        console.print(words, style="yellow", highlight=False, markup=False, soft_wrap=True)
    for what, n in trace.meta.get("left_out", {}).items():
        console.print(f"left out: {n} {what}", style="yellow", highlight=False, markup=False)


def cycles_in_words(trace: Trace, cycles: int) -> str:
    """The window, and the length of the job."""
    if not trace.cycles:
        return "all of the run" if not trace.meta["window"] else f"window {trace.meta['window']}"
    first, end = trace.cycles
    job = f" of {trace.job_cycles}" if trace.job_cycles else ""
    return f"{cycles} cycles ({first} to {end - 1}){job}"


def per_rank(ranks: list[RankContents], cycles: int, shared_out: Decomposition | None) -> Table:
    """Table of elements, nodes, messages and work per rank and cycle."""
    table = grid("a rank and cycle", "least", "mean", "most", "most/mean")
    if shared_out:
        table.add_row("elements", *spread([float(sum(s.elements)) for s in shared_out.shares]))
        table.add_row("nodes", *spread([float(s.nodes) for s in shared_out.shares]))
    table.add_row("messages sent", *spread([sum(r.messages.values()) / cycles for r in ranks]))
    table.add_row("bytes sent", *spread([sum(r.bytes.values()) / cycles for r in ranks]))
    table.add_row("neighbours", *spread([float(len(r.peers)) for r in ranks]))
    table.add_row("ms of work", *spread([r.operations / cycles / 1e6 for r in ranks]))
    return table


def collectives(ranks: list[RankContents], cycles: int) -> Table:
    """Table of collectives and messages of all ranks."""
    table = grid("all ranks, a cycle", "number", "bytes")
    messages, sent = (sum(sum(getattr(r, k).values()) for r in ranks) for k in ("messages", "bytes"))
    table.add_row("messages", f"{messages / cycles:.6g}", scaled(sent / cycles))
    for name, n in ranks[0].collectives.most_common():
        of_all = sum(r.contributed[name] for r in ranks)
        table.add_row(name, f"{n / cycles:.4g}", scaled(of_all / cycles))
    return table


def phases(ranks: list[RankContents], cycles: int) -> Table:
    """Table of work by phase."""
    table = grid("ms of work in", "least", "mean", "most", "most/mean")
    names = {p for r in ranks for p in r.phases}
    for name in sorted(names, key=lambda p: -sum(r.phases[p] for r in ranks)):
        values = [r.phases[name] / cycles / 1e6 for r in ranks]
        table.add_row("no phase" if name == "-" else name, *spread(values))
    return table


def show_comparison(a: Trace, b: Trace, found: TraceComparison, console: Console) -> None:
    """Print two traces side by side."""
    table = grid("all ranks, a cycle", str(a.folder), str(b.folder), "difference")
    for row in found.rows:
        differs = "" if row.relative == 0.0 else f"{100 * row.relative:+.2f} %"
        table.add_row(row.what, f"{row.first:.6g}", f"{row.second:.6g}", differs)
    print_whole(table, console)
    console.print(
        f"\nwork of a rank differs by {100 * found.median_work:.1f} % (median), "
        f"{100 * found.worst_work:+.1f} % on rank {found.worst_rank} (worst); largest over mean "
        f"{found.balance[0]:.3f} and {found.balance[1]:.3f}",
        highlight=False,
    )
    if found.other_peers:
        console.print(f"{found.other_peers} ranks have other neighbours", style="yellow", highlight=False)


def slowed_in_words(trace: Trace) -> str:
    """A sentence that processor time is too long because ranks shared caches; "" if it is not."""
    slower = trace.meta.get("slowed", 1.0)
    if trace.work != "cpu" or not isinstance(slower, int | float) or not MUCH <= slower < float("inf"):
        return ""
    return (
        f"the element computations take {slower:.1f} times the processor time of a large model with a core "
        "per rank, because ranks that share a core lose their data from its caches; times simulated from "
        "this trace are too long; --work counts and --synthetic use the costs from few ranks"
    )


def difference_in_words(d: Difference) -> str:
    """A sentence on work by counts against processor time."""
    return (
        f"work of a rank by counts differs from processor time by {100 * d.median:.1f} % (median), "
        f"{100 * d.worst:+.1f} % on rank {d.rank} (worst); largest over mean "
        f"{d.imbalance_cpu:.3f} by processor time, {d.imbalance_counts:.3f} by counts"
    )
