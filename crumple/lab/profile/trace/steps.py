"""The lines of a rank as steps: compute by cycle and phase, and the actions between."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crumple.lab.profile.trace.events import TraceError

NO_PHASE = "-"
LARGEST = 1 << 62  #: of operations and bytes
POSTS = ("isend", "irecv", "send", "recv")
FILES = ("write", "flush", "read")  #: blocks of a rank's file


class RankStep(NamedTuple):
    """A compute step, or an action."""

    cycle: int  #: -1: before the first cycle
    phase: str
    compute: int  #: operations; 0: an action
    action: str = ""  #: without the rank


def steps_of(lines: Iterable[str], where: str) -> Iterator[RankStep]:
    """The steps of a rank, without init and finalize.

    Args:
        where: the file, for messages

    Raises:
        TraceError: a line cannot be read.
    """
    cycle, phase = -1, NO_PHASE
    for number, line in enumerate(lines, 1):
        try:
            first, what, *rest = line.split(maxsplit=2)
            if first == "#":
                cycle, phase = (int(rest[0]), phase) if what == "cycle" else (cycle, rest[0])
            elif what == "compute":
                yield RankStep(cycle, phase, amount(rest[0]))
            elif what not in ("init", "finalize"):
                yield RankStep(cycle, phase, 0, " ".join((what, *rest)))
        except (ValueError, IndexError):
            raise TraceError(f"{where}:{number}: {line[:60]!r} is not a line of a trace") from None


def amount(text: str) -> int:
    """A number of operations or bytes.

    Raises:
        ValueError: it is not a number, or too large.
    """
    if not 0 <= (count := int(text)) <= LARGEST:
        raise ValueError(text)
    return count


def by_cycle(steps: Iterable[RankStep]) -> Iterator[tuple[int, list[RankStep]]]:
    """The steps of each cycle, in order; steps before the first mark belong to the first cycle."""
    cycle, found = -1, []
    for step in steps:
        if step.cycle != cycle:
            if found and cycle >= 0:
                yield cycle, found
                found = []
            cycle = step.cycle
        found.append(step)
    if found:
        yield cycle, found


def is_collective(action: str) -> bool:
    """Whether an action is a collective of all ranks."""
    return action.split(maxsplit=1)[0] not in (*POSTS, *FILES, "wait", "waitall", "test", "sleep")
