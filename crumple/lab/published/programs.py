"""The two programs whose runs are predicted: our solver, and a stand-in for the published one."""

import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from crumple.lab.applications.case import StudyError
from crumple.lab.simulate.volume import Volume

PROFILE = Path(__file__).resolve().parents[3] / "benchmarks" / "published" / "programs" / "ls-dyna-971.toml"


@dataclass(frozen=True)
class Program:
    """How a program differs from ours on the same decomposition; ours: 1, nothing replaced."""

    name: str
    work: float = 1.0  #: seconds of an element over ours
    to_each: float = 0.0  #: messages that a rank sends to each other rank a cycle; 0: as ours, to neighbours
    control: int = 0  #: bytes of each of them, beside what neighbours are sent
    collectives: tuple[tuple[str, int, float], ...] = ()  #: operation, bytes, calls a cycle, instead of ours
    flow_message: float = 0.0  #: bytes of a flow solver's messages; 0: as OpenFOAM
    halves: bool = False  #: neighbours are sent half the bytes in single precision; ours: 8-byte integers

    def changed(self, ours: Volume, cycles: int, precision: str) -> Volume:
        """What the program would compute and say where ours does this."""
        if self.collectives:
            said = Counter({(op, size): round(each * cycles) for op, size, each in self.collectives})
        else:
            said = ours.collectives
        same = replace(
            ours,
            critical=ours.critical * self.work,
            compute=ours.compute * self.work,
            segments=ours.segments * self.work,
            collectives=dict(said),
        )
        if not self.to_each:
            return same
        pairs, copied = self.to_all(ours, cycles, 0.5 if self.halves and precision == "single" else 1.0)
        return replace(same, pairs=pairs, copied=copied, rounds=self.to_each * cycles)

    def to_all(self, ours: Volume, cycles: int, carried: float) -> tuple[np.ndarray, np.ndarray]:
        """`pairs` and `copied` of a volume in which each rank sends to each other one.

        Args:
            carried: bytes to ours' neighbours, over ours
        """
        count = self.to_each * cycles
        size = np.full((ours.ranks, ours.ranks), self.control * count)
        copied = size.copy()
        source, target = ours.pairs[:, 0].astype(int), ours.pairs[:, 1].astype(int)
        size[source, target] += carried * ours.pairs[:, 3]
        copied[source, target] += carried * ours.copied
        source, target = np.nonzero(~np.eye(ours.ranks, dtype=bool))
        each = np.full(len(source), count)
        return np.column_stack([source, target, each, size[source, target]]), copied[source, target]


OURS = Program("ours")


@dataclass(frozen=True)
class PublishedProfile:
    """What was published of the program, on one cluster."""

    name: str
    source: str
    cluster: str
    nodes: int
    model: str
    cycles: int  #: of the job whose seconds these are
    seconds: float  #: elapsed
    profiled_elements: int  #: of the model whose profile it is
    ranks: int  #: of both
    application: float  #: s in the program itself, all ranks
    calls: dict[str, int]  #: by MPI function, all ranks
    bytes: int  #: of a reduction, and of what a rank sends to one that is no neighbour
    flow_message: float  #: bytes that the published flow solver sends at a time


@cache
def read_profile(path: Path = PROFILE) -> PublishedProfile:
    """The file of the program.

    Raises:
        StudyError: it is missing or damaged.
    """
    try:
        return PublishedProfile(**tomllib.loads(path.read_text())["program"])
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StudyError(f"{path}: damaged: {error}") from None


def stand_in(profile: PublishedProfile, work: float, seconds_of_element: float) -> Program:
    """The program that sends what the profile says, to all ranks alike.

    The cycles of the profile follow from its seconds in the program itself: as many as those take at the
    cost of an element. Calls over cycles and ranks are calls of a rank in a cycle.

    Args:
        work: seconds of an element over ours, from the elapsed time on the same cluster
        seconds_of_element: there, of the program
    """
    profiled = profile.application / (profile.profiled_elements * seconds_of_element)
    each = {name: calls / (profile.ranks * profiled) for name, calls in profile.calls.items()}
    collectives = tuple(
        (name.removeprefix("MPI_").lower(), profile.bytes, each[name])
        for name in ("MPI_Allreduce", "MPI_Bcast")
    )
    to_each = each["MPI_Recv"] / (profile.ranks - 1)
    return Program("stand-in", work, to_each, profile.bytes, collectives, profile.flow_message, halves=True)
