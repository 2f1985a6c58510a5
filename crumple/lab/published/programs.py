"""The two programs whose runs are predicted: our solver, and a stand-in for the published one."""

import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from crumple.lab.simulate.volume import Volume
from crumple.lab.study.study_file import StudyError

PROFILE = Path(__file__).resolve().parents[3] / "benchmarks" / "published" / "programs" / "ls-dyna-971.toml"


@dataclass(frozen=True)
class Program:
    """How a program differs from ours on the same decomposition; ours: 1, nothing replaced."""

    name: str
    work: float = 1.0  #: seconds of an element over ours
    exchanges: float = 1.0  #: messages to the same neighbours over ours
    collectives: tuple[tuple[str, int, float], ...] = ()  #: operation, bytes, calls a cycle, instead of ours
    flow_message: float = 0.0  #: bytes of a flow solver's messages; 0: as OpenFOAM
    halves: bool = False  #: messages are half as long in single precision; ours: 8-byte integers in both

    def length(self, precision: str) -> float:
        """Of a message over ours."""
        return 0.5 if self.halves and precision == "single" else 1.0

    def changed(self, ours: Volume, cycles: int, precision: str) -> Volume:
        """What the program would compute and say where ours does this."""
        if self.collectives:
            said = Counter({(op, size): round(each * cycles) for op, size, each in self.collectives})
        else:
            said = ours.collectives
        sent = self.exchanges * self.length(precision)
        pairs, copied = ours.pairs.copy(), ours.copied * sent
        pairs[:, 2] *= self.exchanges
        pairs[:, 3] *= sent
        return replace(
            ours,
            critical=ours.critical * self.work,
            compute=ours.compute * self.work,
            segments=ours.segments * self.work,
            pairs=pairs,
            copied=copied,
            rounds=ours.rounds * self.exchanges,
            collectives=dict(said),
        )


OURS = Program("ours")


@dataclass(frozen=True)
class Profile:
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
    bytes: int  #: of a reduction
    flow_message: float  #: bytes that the published flow solver sends at a time


@cache
def read_profile(path: Path = PROFILE) -> Profile:
    """The file of the program.

    Raises:
        StudyError: it is not there or damaged.
    """
    try:
        return Profile(**tomllib.loads(path.read_text())["program"])
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StudyError(f"{path}: damaged: {error}") from None


def stand_in(profile: Profile, work: float, seconds_of_element: float, ours: Volume, cycles: int) -> Program:
    """The program that sends what the profile says.

    The cycles of the profile follow from its seconds in the program itself: as many as those take at the
    cost of an element. Calls over cycles and ranks are calls of a rank in a cycle.

    Args:
        work: seconds of an element over ours, from the elapsed time on the same cluster
        seconds_of_element: there, of the program
        ours: on as many ranks
        cycles: of `ours`
    """
    profiled = profile.application / (profile.profiled_elements * seconds_of_element)
    each = {name: calls / (profile.ranks * profiled) for name, calls in profile.calls.items()}
    received = ours.pairs[:, 2].sum() / ours.ranks / cycles
    collectives = tuple(
        (name.removeprefix("MPI_").lower(), profile.bytes, each[name])
        for name in ("MPI_Allreduce", "MPI_Bcast")
    )
    exchanges = each["MPI_Recv"] / received
    return Program("stand-in", work, exchanges, collectives, profile.flow_message, halves=True)
