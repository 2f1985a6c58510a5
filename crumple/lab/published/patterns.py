"""What our solver computes and says in some cycles of a benchmark model at any size, added up."""

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

RECORDINGS = Path(__file__).resolve().parents[3] / "benchmarks" / "published" / "recordings"
SMALL = 4096  #: bytes, up to which a message is small in the published studies


@dataclass(frozen=True)
class Recording:
    """One window of a job, recorded of a model of a few elements on a few ranks: docs/traces.md."""

    trace: Trace  #: on most ranks
    pattern: tuple[PatternCycle, ...]
    costs: Costs  #: of all windows together
    displacements: Displacements | None  #: at its end; None: contacts are those before the first cycle

    @property
    def cycles(self) -> int:
        """Of the window."""
        return len(self.pattern)


@cache
def recordings_of(model: str) -> tuple[Recording, ...]:
    """The windows of a model's job, each of as many cycles, in the middle of equal parts of its time.

    What a unit of work costs is the same in all of them: it is fitted to all together. A window alone has few
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
        raise TraceError(f"{folder}: its windows are not of as many cycles each")
    return found


def recorded_in(folder: Path) -> list[tuple[Trace, Decomposition]]:
    """The traces of one window, by their ranks.

    Raises:
        TraceError: they are damaged.
    """
    traces = sorted((open_trace(f) for f in folder.iterdir() if f.is_dir()), key=lambda t: t.ranks)
    return [(trace, read_decomposition(trace.folder / FILE)) for trace in traces]


def recording_of(window: list[tuple[Trace, Decomposition]], costs: Costs, element_rate: float) -> Recording:
    """A window, whose pattern is that of most ranks.

    Args:
        costs: of the machine at its fastest, as they are fitted
        element_rate: that of its fastest moment
    """
    last, shared = window[-1]
    moved = kept(last.folder, last.meta)
    return Recording(replace(last, element_rate=element_rate), tuple(pattern_of(last, shared)), costs, moved)


def makers_of(
    recordings: Sequence[Recording], states: Sequence[Decomposition], cycles: int | None = None
) -> list[Maker]:
    """What writes the windows' lines.

    Args:
        states: the decomposition, with the contacts of each window
        cycles: of each window, its first; None: all
    """
    return [Maker(list(r.pattern[:cycles]), d, r.costs) for r, d in zip(recordings, states, strict=True)]


def lines_of(windows: Sequence[Maker], rank: int) -> Iterator[str]:
    """A rank's lines of several windows, one after the other, without marks, computing joined."""
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
    """Of the cycles of all windows."""

    volume: Volume
    sizes: dict[int, int]  #: how many messages between two ranks have so many bytes


def contents(recordings: Sequence[Recording], states: Sequence[Decomposition]) -> WindowContents:
    """What all ranks compute and say in the windows."""
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
