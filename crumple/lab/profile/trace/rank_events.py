"""Converts the events of one rank into lines of the replay."""

from collections import Counter

from crumple.lab.profile.trace.collectives import Share
from crumple.lab.profile.trace.communicators import Communicator, Communicators
from crumple.lab.profile.trace.events import CANCELLED, Event, EventFile, Kind
from crumple.lab.profile.trace.extent import Cut, Within, tells_what_came
from crumple.lab.profile.trace.one_sided import Inbox, Windows
from crumple.lab.profile.trace.rank_lines import RankLines

BUFFERED = ("MPI_Bsend", "MPI_Ibsend")  #: the program goes on, and never waits for the other side


class RankEvents:
    """The conversion of one rank."""

    def __init__(
        self, file: EventFile, lines: RankLines, cut: Cut, inbox: Inbox, tells_arrivals: bool = True
    ) -> None:
        self.file = file
        self.lines = lines
        self.within = Within(file.size, cut)
        self.communicators = Communicators(file.rank, file.size)
        self.windows = Windows(lines, self.communicators, inbox)
        self.came = arrivals(file) if tells_arrivals else {}
        self.completing: list[int] = []
        self.left_out: Counter = Counter()

    def convert(self) -> None:
        """Write all lines of the rank.

        Raises:
            TraceError: a replay does not support it.
        """
        for event in self.file.read():  # extent_of has checked them
            if event.kind in (Kind.COMMUNICATOR, Kind.WINDOW, Kind.TOPOLOGY):
                self.define(event)
            if not self.within(event) or event.kind in (Kind.LIMIT, Kind.BEGIN):
                continue
            if self.completing and (event.kind != Kind.COMPLETE or event.compute):
                self.complete()
            self.lines.compute(event.compute)
            self.take(event)
        self.complete()
        self.windows.finish()
        self.lines.finish()

    def define(self, event: Event) -> None:
        """A communicator or window."""
        if event.kind == Kind.TOPOLOGY:
            self.communicators.add_topology(event)
            return
        self.communicators.add(event)
        if event.kind == Kind.WINDOW:
            self.windows.add(event.comm)

    def complete(self) -> None:
        """Wait for the requests that one call has completed."""
        if self.completing:
            self.lines.wait(self.completing)
            self.completing = []

    def take(self, event: Event) -> None:
        """One event."""
        self.windows.before(event)
        match event.kind:
            case Kind.SEND | Kind.RECEIVE | Kind.ISEND | Kind.IRECEIVE:
                self.message(event)
            case Kind.COMPLETE:
                self.completing.append(event.request)
            case Kind.LET_GO:
                self.lines.forget(event.request)
            case Kind.COLLECTIVE:
                self.collective(event)
            case Kind.PUT | Kind.GET | Kind.FETCH:
                self.windows.access(event)
            case Kind.SYNCHRONIZE:
                self.windows.synchronize(event, self.file.names[event.function])
            case Kind.PHASE:
                self.lines.phase(event.phase, event.size)
            case Kind.FILE_ACCESS:
                self.left_out[self.file.names[event.function]] += 1

    def message(self, event: Event) -> None:
        """Point to point."""
        comm = self.communicators.known[event.comm]
        peer, tag = event.peer, event.tag
        if event.kind == Kind.IRECEIVE and event.request in self.came:
            message = self.came[event.request]
            if message is None:
                return
            peer, tag = message
        if peer < 0 or tag < 0:
            self.left_out["receives whose message is not known"] += 1
            return
        world, name = comm.world(peer), self.file.names[event.function]
        if world < 0:
            self.left_out["messages to processes outside MPI_COMM_WORLD"] += 1
            return
        number = self.lines.tags.of(comm.key, tag)
        if event.kind == Kind.SEND and name not in BUFFERED:
            self.lines.message("send", world, number, event.size)
        elif event.kind == Kind.RECEIVE:
            self.lines.message("recv", world, number, event.size)
        else:
            action = "irecv" if event.kind == Kind.IRECEIVE else "isend"
            request = event.request or self.lines.own_request()
            self.lines.post(request, action, world, number, event.size)
            if name in BUFFERED:
                self.lines.forget(request)

    def collective(self, event: Event) -> None:
        """A collective, also a neighbourhood collective."""
        comm = self.communicators.known[event.comm]
        name = self.file.names[event.function].removeprefix("MPI_").lower()
        if event.request:
            name = name.removeprefix("i")
        sent, received = event.extra[: event.tag], event.extra[event.tag :]
        if name.startswith("neighbor_"):
            self.neighbours(comm, event.request, sent, received)
            return
        share = Share(name, comm.rank, len(comm.members), event.peer, event.size, sent, received)
        self.lines.collective(comm, share, event.request)

    def neighbours(
        self, comm: Communicator, request: int, sent: tuple[int, ...], received: tuple[int, ...]
    ) -> None:
        """Messages to and from all neighbours at once."""
        number = self.lines.tags.of(comm.key, "neighbours")
        own = request or self.lines.own_request()
        for source, size in zip(comm.sources, received, strict=True):
            if source >= 0:
                self.lines.post(own, "irecv", comm.world(source), number, size)
        for to, size in zip(comm.destinations, sent, strict=True):
            if to >= 0:
                self.lines.post(own, "isend", comm.world(to), number, size)
        if not request:
            self.lines.wait([own])


def arrivals(file: EventFile) -> dict[int, tuple[int, int] | None]:
    """Receives of any message, by request: rank and tag of the message that came; None: cancelled."""
    came: dict[int, tuple[int, int] | None] = {}
    for event in filter(tells_what_came, file.read()):
        came[event.request] = None if event.flags & CANCELLED else (event.peer, event.tag)
    return came
