"""Communicators and windows of one rank, and tags that separate their messages."""

from collections import Counter
from dataclasses import dataclass

from crumple.lab.profile.trace.events import INTERCOMMUNICATOR, Event

FIRST_OWN_TAG = 1 << 24


@dataclass
class Communicator:
    """A communicator, or a window's group."""

    key: tuple  #: the same on all of its ranks
    members: tuple[int, ...]  #: ranks of MPI_COMM_WORLD (-1: outside); of an intercommunicator the others
    rank: int
    inter: bool = False
    everyone: bool = False  #: all ranks of MPI_COMM_WORLD, in any order
    sources: tuple[int, ...] = ()
    destinations: tuple[int, ...] = ()
    started: int = 0  #: number of collectives so far

    def world(self, rank: int) -> int:
        """Rank in MPI_COMM_WORLD."""
        return self.members[rank]


class Tags:
    """Tag numbers, the same on all ranks: those of MPI_COMM_WORLD stay, all others get new ones."""

    def __init__(self) -> None:
        self.given: dict[tuple, int] = {}

    def of(self, key: tuple, tag: int | str) -> int:
        """The number of a tag in a communicator."""
        if not key and isinstance(tag, int) and tag < FIRST_OWN_TAG:
            return tag
        return self.given.setdefault((key, tag), FIRST_OWN_TAG + len(self.given))


class Communicators:
    """All communicators of a rank, by the numbers that the profiler gave them."""

    def __init__(self, rank: int, size: int) -> None:
        self.size = size
        self.known = {0: Communicator((), tuple(range(size)), rank, everyone=True)}
        self.alike: Counter = Counter()

    def add(self, event: Event) -> Communicator:
        """Add a communicator. Those with the same members are distinguished by the order of creation."""
        members = event.extra
        inter = bool(event.flags & INTERCOMMUNICATOR)
        what = (event.kind, "inter" if inter else members)
        self.alike[what] += 1
        everyone = not inter and sorted(members) == list(range(self.size))
        made = Communicator((*what, self.alike[what]), members, event.peer, inter, everyone)
        self.known[event.comm] = made
        return made

    def add_topology(self, event: Event) -> None:
        """Add the neighbours of a known communicator."""
        comm = self.known[event.comm]
        comm.sources, comm.destinations = event.extra[: event.peer], event.extra[event.peer :]
