"""Which cores the ranks and threads of a run are pinned to, and what else uses this machine."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from crumple.mpi import placed_by_user
from crumple.other_load import OTHER_LOAD, busy_threads
from crumple.topology import PhysicalCore, TopologyError, cores_of_this_machine


@dataclass(frozen=True)
class Pinning:
    """The cores of a run on this machine."""

    #: of each rank, by the numbers of the operating system; empty: ranks are not pinned
    pinned: list[list[int]] = field(default_factory=list)
    why_not: str = ""  #: why the cores are not known
    allowed: int = 1  #: cores that the run may use
    other_load: float = 0.0  #: cores that other processes used just before the run

    @property
    def warning(self) -> str:
        """A sentence on other load; empty if there is none."""
        if self.other_load < OTHER_LOAD:
            return ""
        cores = f"{self.allowed} cores" if self.allowed > 1 else "one core"
        unpinned = "" if self.pinned else ", and ranks are not pinned to cores"
        return (
            f"other processes use {self.other_load:.1f} of this machine's {cores}: "
            f"times are not those of an idle machine{unpinned}"
        )


def tell_of(pinning: Pinning) -> None:
    """Print what a user should know of a pinning, on stderr."""
    if pinning.warning:
        print(f"warning CR-S005: {pinning.warning}", file=sys.stderr)
    elif pinning.why_not:
        print(f"ranks are not pinned to cores: {pinning.why_not}", file=sys.stderr)


def place(ranks: int, threads: int, launcher: Sequence[str] = ()) -> Pinning:
    """Choose cores for a run, after a look at what else runs here (which takes 0.15 s).

    Args:
        launcher: the user's options for mpirun; if they place ranks, ranks are not pinned here
    """
    busy = busy_threads(os.sched_getaffinity(0))
    try:
        cores = cores_of_this_machine()
    except TopologyError as error:
        return Pinning([], str(error), len(busy), sum(busy.values()))
    if placed_by_user(launcher, os.environ):
        return Pinning([], "", len(cores), sum(busy.values()))
    return Pinning(choose(cores, busy, ranks, threads), "", len(cores), sum(busy.values()))


def choose(
    cores: Sequence[PhysicalCore], busy: Mapping[int, float], ranks: int, threads: int
) -> list[list[int]]:
    """The hardware threads of each rank; none if they do not suffice, or others use them.

    Cores at work for others are left out, and a core gets a second thread after all have one. Ranks are
    spread over the sockets, those with successive numbers beside each other. Threads of a rank are on
    neighbouring cores of one socket, if they fit.

    Args:
        busy: part of the time that others use, by hardware thread
    """
    wanted = ranks * threads
    if wanted == 1:
        return []  # the system places one thread as well, and may move it
    free = [core for core in cores if max(busy.get(unit, 0.0) for unit in core.threads) < OTHER_LOAD]
    if wanted > sum(len(core.threads) for core in cores) or len(free) < min(wanted, len(cores)):
        return []
    rounds = max(len(core.threads) for core in cores)
    slots: list[tuple[int, int]] = []
    for k in range(rounds):
        if len(slots) < wanted:
            slots += [(core.package, unit) for core in free for unit in core.threads[k : k + 1]]
    return spread(slots, ranks, threads)


def spread(slots: Sequence[tuple[int, int]], ranks: int, threads: int) -> list[list[int]]:
    """Hardware threads of each rank, from (socket, hardware thread) in the order of preference."""
    by_package: dict[int, list[int]] = {}
    for package, unit in slots:
        by_package.setdefault(package, []).append(unit)
    room = {package: len(units) // threads for package, units in by_package.items()}
    if sum(room.values()) < ranks:  # a rank has threads on two sockets
        units = [unit for units in by_package.values() for unit in units]
        return [units[r * threads : (r + 1) * threads] for r in range(ranks)]
    share = dict.fromkeys(room, 0)
    for _ in range(ranks):
        most = max(room, key=lambda package: room[package] - share[package])
        share[most] += 1
    return [
        by_package[package][k * threads : (k + 1) * threads]
        for package in sorted(share)
        for k in range(share[package])
    ]
