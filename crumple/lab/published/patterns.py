"""What our solver computes and says in some cycles of a benchmark model at any size, added up."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from crumple.lab.simulate.volume import Volume, volume_of_lines
from crumple.lab.traces.decomposition import FILE, Decomposition, read_decomposition
from crumple.lab.traces.pattern import PatternCycle, pattern_of
from crumple.lab.traces.synthetic import Maker
from crumple.lab.traces.trace import Trace, open_trace
from crumple.lab.traces.work import Costs, phase_times, unit_costs

RECORDINGS = Path(__file__).resolve().parents[3] / "benchmarks" / "published" / "recordings"
SMALL = 4096  #: bytes, up to which a message is small in the published studies


@dataclass(frozen=True)
class Recording:
    """What was recorded of a model of a few elements on a few ranks: docs/traces.md."""

    trace: Trace  #: on most ranks
    pattern: tuple[PatternCycle, ...]
    costs: Costs

    @property
    def cycles(self) -> int:
        """Of the window."""
        return len(self.pattern)


@cache
def recording_of(model: str) -> Recording:
    """The recordings of a model; of three-vehicle, where there are none of it.

    Raises:
        TraceError: they are damaged.
    """
    folder = RECORDINGS / model
    if not folder.is_dir():
        folder = RECORDINGS / "three-vehicle"
    traces = sorted((open_trace(f) for f in folder.iterdir() if f.is_dir()), key=lambda t: t.ranks)
    shared = [read_decomposition(t.folder / FILE) for t in traces]
    costs = unit_costs([(phase_times(t), d) for t, d in zip(traces, shared, strict=True)])
    return Recording(traces[-1], tuple(pattern_of(traces[-1], shared[-1])), costs)


def lines_of(maker: Maker, rank: int) -> Iterator[str]:
    """A rank's lines without marks, computing joined."""
    text: list[str] = []
    maker.write(rank, text.append)
    computing, operations = f"{rank} compute ", 0
    for line in "".join(text).splitlines():
        if line.startswith(computing):
            operations += int(line[len(computing) :])
        elif not line.startswith("#"):
            if operations:
                yield f"{computing}{operations}"
                operations = 0
            yield line


@dataclass(frozen=True)
class Contents:
    """Of the cycles of a recording."""

    volume: Volume
    sizes: dict[int, int]  #: how many messages between two ranks have so many bytes


def contents(recording: Recording, decomposition: Decomposition) -> Contents:
    """What all ranks compute and say."""
    maker = Maker(list(recording.pattern), decomposition, recording.costs)
    sizes: Counter[int] = Counter()

    def counted(rank: int) -> Iterator[str]:
        for line in lines_of(maker, rank):
            words = line.split(maxsplit=5)
            if words[1] == "isend":
                sizes[int(words[4])] += 1
            yield line

    found = volume_of_lines(counted(rank) for rank in range(decomposition.ranks))
    return Contents(found, dict(sizes))
