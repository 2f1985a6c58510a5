"""Places of the ranks of a killed run, from files that the solver writes (solver/base/at_work.hpp)."""

import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "CRUMPLE_AT_WORK"  #: environment variable with the folder, for the solver
LAYOUT = struct.Struct("=8q")
PHASES = ("elements", "contact", "loads", "exchange", "constraints", "output")
KINDS = ("none", "shell", "solid", "beam", "discrete")
MOST = 8  #: largest number of ranks that are reported


@dataclass(frozen=True)
class LastWork:
    """The last work of one rank."""

    rank: int
    asked_to_end: bool  #: by SIGTERM or SIGINT, which mpirun sends to the other ranks when one is lost
    status: int | None  #: with which the rank ended by itself
    cycle: int
    phase: int
    kind: int
    part: int
    first: int
    last: int

    def __str__(self) -> str:
        if self.cycle < 0:
            return f"rank {self.rank} was before its first cycle"
        text = f"rank {self.rank} was in cycle {self.cycle}"
        if 0 <= self.phase < len(PHASES):
            text += f", phase {PHASES[self.phase]}"
        if 0 < self.kind < len(KINDS):
            elements = f"{KINDS[self.kind]} elements {self.first} to {self.last} of part {self.part}"
            text += f"; it computed {elements} last"
        return text


@contextmanager
def kept_places() -> Iterator[dict[str, str]]:
    """The variable for a run's environment, with a temporary folder; {} if there can be none."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="crumple-", ignore_cleanup_errors=True)
    except OSError:
        yield {}
        return
    with folder as name:
        yield {VARIABLE: name}


def read_places(variable: dict[str, str]) -> list[LastWork]:
    """Places of all ranks on this machine, by rank."""
    places = []
    for path in Path(variable[VARIABLE]).iterdir() if variable else ():
        content = path.read_bytes()
        if path.name.isdecimal() and len(content) == LAYOUT.size:
            asked, ended, *rest = LAYOUT.unpack(content)
            places.append(LastWork(int(path.name), bool(asked), ended - 1 if ended else None, *rest))
    return sorted(places, key=lambda place: place.rank)


def own_status(places: list[LastWork]) -> int | None:
    """The status with which all ranks on this machine ended by themselves; None if there is none."""
    statuses = {place.status for place in places}
    return statuses.pop() if len(statuses) == 1 else None


def lost(places: list[LastWork]) -> list[LastWork]:
    """Ranks that ended neither on request nor by themselves; if none, all that did not end themselves."""
    running = [place for place in places if place.status is None]
    return ([place for place in running if not place.asked_to_end] or running)[:MOST]
