"""A trace at any number of ranks from the real decomposition and a pattern, without a run on these ranks."""

from collections.abc import Callable
from dataclasses import dataclass

from crumple.lab.profile.trace.convert import FORMAT, OPERATIONS_PER_SECOND, VERSION
from crumple.lab.profile.trace.steps import NO_PHASE
from crumple.lab.traces.decomposition import Decomposition
from crumple.lab.traces.pattern import (
    BLOCKS,
    Agreement,
    Blocks,
    Compute,
    Halo,
    Motion,
    PatternCycle,
    PatternStep,
    PlotRows,
    RowCounts,
    Same,
    Wait,
    messages_of_files,
    times,
)
from crumple.lab.traces.plot_messages import PLOT_FILES
from crumple.lab.traces.work import Costs, units


@dataclass
class Written:
    """Sums over the lines of a rank."""

    lines: int = 0
    messages: int = 0
    bytes: int = 0
    operations: int = 0


class Maker:
    """Writes the lines of one rank after another."""

    def __init__(self, pattern: list[PatternCycle], decomposition: Decomposition, costs: Costs) -> None:
        self.pattern = pattern
        self.decomposition = decomposition
        self.costs = costs
        exchanges = max((len(share.copies) for share in decomposition.shares), default=0)
        self.sent = decomposition.senders(0) if exchanges else [{} for _ in decomposition.shares]
        self.copies = [dict(s.copies[0]) if s.copies else {} for s in decomposition.shares]
        self.filled: dict[Motion, frozenset[tuple[int, int]]] = {}
        self.blocks: dict[Blocks, list[int]] = {}
        self.plots = messages_of_files(decomposition)

    def write(self, rank: int, out: Callable[[str], object]) -> Written:
        """Write all lines of a rank."""
        written, phase = Written(lines=2), NO_PHASE
        texts: dict[PatternStep, tuple[str, Written]] = {}
        amounts: dict[tuple[str, Compute], int] = {}
        under_way = 0  # open requests
        out(f"{rank} init\n")
        for cycle in self.pattern:
            out(f"# cycle {cycle.cycle}\n")
            for step in cycle.steps:
                if step.phase != phase:
                    phase = step.phase
                    out(f"# phase {phase}\n")
                if isinstance(step, PlotRows):
                    self.write_rows(rank, cycle.kind, step, out, written)
                    continue
                if isinstance(step, Compute):
                    key = (cycle.kind, step)
                    if key not in amounts:
                        amounts[key] = self.operations(rank, cycle.kind, step)
                    if amounts[key]:
                        out(f"{rank} compute {amounts[key]}\n")
                        written.lines += 1
                        written.operations += amounts[key]
                    continue
                if isinstance(step, Wait):
                    if under_way:
                        out(f"{rank} waitall {under_way}\n")
                        written.lines += 1
                    continue
                if step not in texts:
                    texts[step] = self.text(rank, step)
                text, of = texts[step]
                out(text)
                written.lines += of.lines
                written.messages += of.messages
                written.bytes += of.bytes
                if isinstance(step, Halo | Motion):
                    under_way = 0 if step.waits else of.lines
        out(f"{rank} finalize\n")
        return written

    def operations(self, rank: int, kind: str, step: Compute) -> int:
        """Operations of a rank in a step."""
        cost = self.costs.get((kind, step.phase))
        if cost is None:
            return 0
        return round(cost.of(units(self.decomposition.shares[rank], step.phase)) * step.fraction)

    def text(self, rank: int, step: PatternStep) -> tuple[str, Written]:
        """The lines of a step, and their sums."""
        match step:
            case Same():
                return f"{rank} {step.action}\n", Written(1)
            case Agreement():
                return f"{rank} allreduce {self.decomposition.agreement_bytes} 0 6\n", Written(1)
            case Blocks():
                return f"{rank} {self.block(rank, step)}\n", Written(1)
            case Halo():
                share = self.decomposition.shares[rank]
                nodes = share.shared if step.of == "shared" else share.tied
                sizes = {other: step.bytes * n for other, n in nodes.items()}
                return messages(rank, step.tag, sizes, sizes, step.waits)
            case Motion():
                return self.motion(rank, step)
            case RowCounts():
                return messages(rank, step.file.counts, *self.plots[step.file].counts(rank))
        raise AssertionError(step)

    def write_rows(
        self, rank: int, kind: str, step: PlotRows, out: Callable[[str], object], written: Written
    ) -> None:
        """Write the rounds of a plot state."""
        rounds, bytes_of = list(self.plots[step.file].rounds(rank)), dict(step.bytes)
        spent = sum(self.operations(rank, kind, compute) for compute in step.within)
        for number, one in enumerate(rounds or [None]):
            part = spent * (number + 1) // max(1, len(rounds)) - spent * number // max(1, len(rounds))
            if part:
                out(f"{rank} compute {part}\n")
                written.lines += 1
                written.operations += part
            if one is None:
                continue
            each = bytes_of[one.kind]
            text, of = messages(rank, step.file.rows, times(each, one.received), times(each, one.sent))
            out(text)
            written.lines += of.lines
            written.messages += of.messages
            written.bytes += of.bytes

    def motion(self, rank: int, step: Motion) -> tuple[str, Written]:
        """Motion of nodes to other ranks, or forces and requests back to the home ranks."""
        mine = {r: step.bytes * scaled(n, step.scale) for r, n in self.copies[rank].items()}
        others = {r: step.bytes * scaled(n, step.scale) for r, n in self.sent[rank].items()}
        if not step.back:
            return messages(rank, step.tag, mine, others, step.waits)
        if step.filled < 1.0:
            if step not in self.filled:
                self.filled[step] = self.pairs_filled(step.filled)
            pairs = self.filled[step]
            mine = {r: size if (rank, r) in pairs else 0 for r, size in mine.items()}
        return messages(rank, step.tag, others, mine, step.waits)

    def pairs_filled(self, part: float) -> frozenset[tuple[int, int]]:
        """Pairs of ranks with contact forces: those with the most nodes, up to a share of all bytes."""
        pairs = sorted(
            ((n, rank, home) for rank, copies in enumerate(self.copies) for home, n in copies.items()),
            key=lambda p: (-p[0], p[1], p[2]),
        )
        left, found = part * sum(n for n, _, _ in pairs), set()
        for n, rank, home in pairs:
            if n <= left * (1.0 + 1e-12):
                found.add((rank, home))
                left -= n
        return frozenset(found)

    def block(self, rank: int, step: Blocks) -> str:
        """A collective with blocks."""
        if step not in self.blocks:
            count = BLOCKS[step.of]
            shares = self.decomposition.shares
            self.blocks[step] = [round(step.bytes * count(s, self.decomposition)) for s in shares]
        all_of_them = self.blocks[step]
        own = all_of_them[rank]
        if step.root < 0:
            return f"{step.operation} {own} {' '.join(map(str, all_of_them))} 6 6"
        counts = all_of_them if rank == step.root else [0] * len(all_of_them)
        return f"{step.operation} {own} {' '.join(map(str, counts))} {step.root} 6 6"


def not_in(pattern: list[PatternCycle], decomposition: Decomposition) -> str:
    """Messages that a decomposition needs but that are not in the pattern, in words; "": none.

    For example, if each of two cars is on one rank, no nodes are shared.
    """
    steps = {step for cycle in pattern for step in cycle.steps}
    halos = {step.of for step in steps if isinstance(step, Halo)}
    shares = decomposition.shares
    if "shared" not in halos and any(share.shared for share in shares):
        return "shared nodes"
    if "tied" not in halos and any(share.tied for share in shares):
        return "ties"
    if not any(isinstance(step, Motion) for step in steps) and any(any(share.copies) for share in shares):
        return "contact"
    plots = messages_of_files(decomposition)
    for file in PLOT_FILES:
        rows = [step for step in steps if isinstance(step, PlotRows) and step.file == file]
        known = [{kind for kind, _ in step.bytes} for step in rows]
        if known and (unknown := plots[file].kinds_sent() - set.intersection(*known)):
            return f"{min(unknown)} rows of plot states"
    return ""


def scaled(nodes: int, scale: float) -> int:
    """A number of nodes, scaled because more or fewer are near than before the first cycle."""
    return max(1, round(nodes * scale))


def messages(
    rank: int, tag: int, received: dict[int, int], sent: dict[int, int], waits: bool = True
) -> tuple[str, Written]:
    """Receives and sends by rank, and the wait for them, unless it comes later."""
    lines = [f"{rank} irecv {r} {tag} {size} 6\n" for r, size in sorted(received.items())]
    lines += [f"{rank} isend {r} {tag} {size} 6\n" for r, size in sorted(sent.items())]
    if lines and waits:
        lines.append(f"{rank} waitall {len(lines)}\n")
    return "".join(lines), Written(len(lines), len(sent), sum(sent.values()))


def summary_of(ranks: int, written: list[Written], window: str) -> dict:
    """The keys of trace.json that every trace has."""
    return {
        "ranks": ranks,
        "command": [],
        "format": FORMAT,
        "version": VERSION,
        "operations_per_second": OPERATIONS_PER_SECOND,
        "window": window,
        "cut": "",
        "origin": "synthetic",
        "work": "counts",
        "seconds": [round(w.operations * 1e-9, 9) for w in written],
        "lines": sum(w.lines for w in written),
        "messages": sum(w.messages for w in written),
        "bytes": sum(w.bytes for w in written),
        "counted": {},
        "dropped": 0,
        "left_out": {},
    }
