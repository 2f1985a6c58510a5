"""The two programs whose runs are predicted: our solver, and a stand-in of the published program."""

import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from crumple.lab.applications.case import StudyError
from crumple.lab.simulate.volume import Volume
from crumple.places import shipped

PROFILE = shipped("benchmarks/published/programs/ls-dyna-971.toml")


@dataclass(frozen=True)
class Program:
    """Differences of a program from ours on the same decomposition; the defaults are ours."""

    name: str
    work: float = 1.0  #: seconds per element over ours
    to_each: float = 0.0  #: messages per cycle from a rank to each other rank; 0: as ours, to neighbours
    control: int = 0  #: bytes of each of them, in addition to the bytes for neighbours
    collectives: tuple[tuple[str, int, float], ...] = ()  #: operation, bytes, calls per cycle
    flow_message: float = 0.0  #: bytes of a flow solver's messages; 0: like OpenFOAM
    halves: bool = False  #: half the bytes to neighbours in single precision; ours: 8-byte integers

    def changed(self, ours: Volume, cycles: int, precision: str) -> Volume:
        """Work and messages of the program in place of those of ours."""
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
        """`pairs` and `copied` of a volume in which each rank sends to each other rank.

        Args:
            carried: bytes to neighbours, over those of ours
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
    """The published profile of the program, on one cluster."""

    name: str
    source: str
    cluster: str
    nodes: int
    model: str
    cycles: int  #: cycles of the job with these seconds
    seconds: float  #: elapsed
    profiled_elements: int  #: elements of the profiled model
    ranks: int  #: ranks of both jobs
    application: float  #: s in the program itself, all ranks
    calls: dict[str, int]  #: by MPI function, all ranks
    bytes: int  #: bytes of a reduction, and of a message to a rank that is not a neighbour
    flow_message: float  #: bytes of a message of the published flow solver


@cache
def read_profile(path: Path = PROFILE) -> PublishedProfile:
    """Read the file of the program.

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
    """The program that sends the messages of the profile, the same number to all ranks.

    The number of cycles in the profile follows from its seconds in the program itself, divided by the
    cost of the elements. Calls over cycles and ranks are the calls of a rank per cycle.

    Args:
        work: seconds per element over ours, from the elapsed time on the same cluster
        seconds_of_element: seconds per element of the program there
    """
    profiled = profile.application / (profile.profiled_elements * seconds_of_element)
    each = {name: calls / (profile.ranks * profiled) for name, calls in profile.calls.items()}
    collectives = tuple(
        (name.removeprefix("MPI_").lower(), profile.bytes, each[name])
        for name in ("MPI_Allreduce", "MPI_Bcast")
    )
    to_each = each["MPI_Recv"] / (profile.ranks - 1)
    return Program("stand-in", work, to_each, profile.bytes, collectives, profile.flow_message, halves=True)
