"""Counts of a trace by rank: messages, collectives, work."""

from collections import Counter
from dataclasses import dataclass, field

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import amount, is_collective
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.work import rank_steps


@dataclass
class RankContents:
    """The counts of one rank."""

    messages: Counter[int] = field(default_factory=Counter)  #: sent, by tag
    bytes: Counter[int] = field(default_factory=Counter)  #: sent, by tag
    sizes: Counter[int] = field(default_factory=Counter)  #: number of messages of each size
    peers: set[int] = field(default_factory=set)  #: ranks to which it sends
    collectives: Counter[str] = field(default_factory=Counter)  #: by operation
    contributed: Counter[str] = field(default_factory=Counter)  #: bytes, by operation
    phases: Counter[str] = field(default_factory=Counter)  #: operations by phase
    cycles: set[int] = field(default_factory=set)

    @property
    def operations(self) -> int:
        """All operations of the rank."""
        return sum(self.phases.values())


def contents_of_rank(trace: Trace, rank: int) -> RankContents:
    """Count the lines of one rank.

    Raises:
        TraceError: a line cannot be read.
    """
    found = RankContents()
    for step in rank_steps(trace, rank):
        if step.cycle >= 0:
            found.cycles.add(step.cycle)
        if not step.action:
            found.phases[step.phase] += step.compute
            continue
        name, *rest = step.action.split(maxsplit=4)
        try:
            if name in ("send", "isend"):
                peer, tag, size = int(rest[0]), int(rest[1]), amount(rest[2])
                found.messages[tag] += 1
                found.bytes[tag] += size
                found.sizes[size] += 1
                found.peers.add(peer)
            elif is_collective(step.action):
                found.collectives[name] += 1
                found.contributed[name] += amount(rest[0]) if rest else 0
        except (ValueError, IndexError):
            raise TraceError(f"{trace.folder / trace.files[rank]}: {step.action[:60]!r} is damaged") from None
    return found


def contents_of(trace: Trace) -> list[RankContents]:
    """Counts of all ranks, one after another; their memory does not grow with the trace."""
    return [contents_of_rank(trace, rank) for rank in range(trace.ranks)]


def cycles_of(trace: Trace, ranks: list[RankContents]) -> int:
    """Number of cycles in a trace; 1 if it has no marks."""
    first, end = trace.cycles or (0, 0)
    return max(end - first, len(ranks[0].cycles), 1)
