"""Sums of our solver's work and messages in some cycles of a benchmark model of any size."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace, open_trace
from crumple.lab.simulate.volume import Volume, volume_of_lines
from crumple.lab.traces.decomposition import FILE, Decomposition, read_decomposition
from crumple.lab.traces.displacements import Displacements, kept
from crumple.lab.traces.pattern import PatternCycle, pattern_of
from crumple.lab.traces.synthetic import Maker
from crumple.lab.traces.work import Costs, phase_times, unit_costs
from crumple.places import shipped

RECORDINGS = shipped("benchmarks/published/recordings")
SMALL = 4096  #: largest bytes of a small message in the published studies


@dataclass(frozen=True)
class Recording:
    """One window of a job, recorded with a small model on a few ranks: docs/traces.md."""

    trace: Trace  #: the one with the most ranks
    pattern: tuple[PatternCycle, ...]
    costs: Costs  #: of all windows together
    displacements: Displacements | None  #: at its end; None: with contacts before the first cycle

    @property
    def cycles(self) -> int:
        """Number of cycles of the window."""
        return len(self.pattern)


@cache
def recordings_of(model: str) -> tuple[Recording, ...]:
    """The windows of a model's job, of equally many cycles, in the middle of equal parts of its time.

    The cost of a unit of work is the same in all of them; it is fitted to all together. One window has few
    cycles of a kind (of those that sort contacts one), and ranks that differ little.

    Raises:
        TraceError: they are damaged, or not of as many cycles each.
    """
    folder = RECORDINGS / model
    windows = sorted((f for f in folder.iterdir() if f.is_dir()), key=lambda f: int(f.name))
    of_windows = [recorded_in(window) for window in windows]
    costs = unit_costs([(phase_times(t, d), d) for window in of_windows for t, d in window])
    fastest = max(trace.element_rate for window in of_windows for trace, _ in window)
    found = tuple(recording_of(window, costs, fastest) for window in of_windows)
    if len({one.cycles for one in found}) != 1:
        raise TraceError(f"{folder}: its windows have different numbers of cycles")
    return found


def recorded_in(folder: Path) -> list[tuple[Trace, Decomposition]]:
    """The traces of one window, by number of ranks.

    Raises:
        TraceError: they are damaged.
    """
    traces = sorted((open_trace(f) for f in folder.iterdir() if f.is_dir()), key=lambda t: t.ranks)
    return [(trace, read_decomposition(trace.folder / FILE)) for trace in traces]


def recording_of(window: list[tuple[Trace, Decomposition]], costs: Costs, element_rate: float) -> Recording:
    """A window; its pattern is that of the trace with the most ranks.

    Args:
        costs: fitted costs at the fastest speed of the machine
        element_rate: element updates per second at that speed
    """
    last, shared = window[-1]
    moved = kept(last.folder, last.meta)
    return Recording(replace(last, element_rate=element_rate), tuple(pattern_of(last, shared)), costs, moved)


def makers_of(
    recordings: Sequence[Recording], states: Sequence[Decomposition], cycles: int | None = None
) -> list[Maker]:
    """The makers of the lines of the windows.

    Args:
        states: the decomposition with the contacts of each window
        cycles: number of first cycles of each window; None: all
    """
    return [Maker(list(r.pattern[:cycles]), d, r.costs) for r, d in zip(recordings, states, strict=True)]


def lines_of(windows: Sequence[Maker], rank: int) -> Iterator[str]:
    """The lines of a rank in several windows, one after another, without marks, with joined compute."""
    text: list[str] = []
    for window in windows:
        window.write(rank, text.append)
    first, last = f"{rank} init", f"{rank} finalize"
    computing, operations = f"{rank} compute ", 0
    yield first
    for line in "".join(text).splitlines():
        if line.startswith(computing):
            operations += int(line[len(computing) :])
        elif not line.startswith("#") and line not in (first, last):
            if operations:
                yield f"{computing}{operations}"
                operations = 0
            yield line
    if operations:
        yield f"{computing}{operations}"
    yield last


@dataclass(frozen=True)
class WindowContents:
    """Sums over the cycles of all windows."""

    volume: Volume
    sizes: dict[int, int]  #: number of messages between two ranks, by their bytes


def contents(recordings: Sequence[Recording], states: Sequence[Decomposition]) -> WindowContents:
    """Work and messages of all ranks in the windows."""
    makers = makers_of(recordings, states)
    sizes: Counter[int] = Counter()

    def counted(rank: int) -> Iterator[str]:
        for line in lines_of(makers, rank):
            words = line.split(maxsplit=5)
            if words[1] == "isend":
                sizes[int(words[4])] += 1
            yield line

    found = volume_of_lines(counted(rank) for rank in range(states[0].ranks))
    return WindowContents(found, dict(sizes))
