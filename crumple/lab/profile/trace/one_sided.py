"""One-sided operations as messages.

Messages from others are received (or sent, for a get) from the start of the epoch on. So a target takes part
without a call of its own, as with real hardware. Epochs end at fences, or with the window.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from crumple.lab.profile.trace.collectives import Share
from crumple.lab.profile.trace.communicators import Communicator, Communicators
from crumple.lab.profile.trace.events import Event, EventFile, Kind
from crumple.lab.profile.trace.extent import Cut, Within
from crumple.lab.profile.trace.rank_lines import RankLines

FENCES = ("MPI_Win_fence", "MPI_Win_free")
ALL_OWN = ("MPI_Win_unlock_all", "MPI_Win_flush_all", "MPI_Win_flush_local_all", "MPI_Win_complete")
OF_A_RANK = ("MPI_Win_unlock", "MPI_Win_flush", "MPI_Win_flush_local")

#: by window, epoch and target: origin, kind of access, bytes; in the order of each origin
Inbox = dict[tuple[tuple, int, int], list[tuple[int, int, int]]]


def read_inbox(files: list[EventFile], cut: Cut) -> Inbox:
    """All accesses to windows of other ranks; empty if there are none."""
    inbox: Inbox = defaultdict(list)
    for file in files:
        communicators, inside = Communicators(file.rank, file.size), Within(file.size, cut)
        epoch: dict[int, int] = defaultdict(int)
        with file.reading():
            for event in file:
                if event.kind in (Kind.COMMUNICATOR, Kind.WINDOW):
                    communicators.add(event)
                if not inside(event):
                    continue
                if event.kind == Kind.SYNCHRONIZE and file.names[event.function] in FENCES:
                    epoch[event.comm] += 1
                elif event.kind in (Kind.PUT, Kind.GET, Kind.FETCH):
                    window = communicators.known[event.comm]
                    where = (window.key, epoch[event.comm], window.world(event.peer))
                    inbox[where].append((file.rank, event.kind, event.size))
    return inbox


@dataclass
class Window:
    """Open operations on a window."""

    group: Communicator
    epoch: int = 0
    opened: bool = False
    incoming: int = 0  #: request of the operations of other ranks
    own: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))  #: own requests, by target
    posted: tuple[int, ...] = ()
    started: tuple[int, ...] = ()


class Windows:
    """The windows of a rank."""

    def __init__(self, lines: RankLines, communicators: Communicators, inbox: Inbox) -> None:
        self.lines = lines
        self.communicators = communicators
        self.inbox = inbox
        self.known: dict[int, Window] = {}

    def add(self, number: int) -> None:
        """Add a window; its first epoch begins with the next event."""
        self.known[number] = Window(self.communicators.known[number])

    def before(self, event: Event) -> None:
        """Begin the epochs that have not begun yet."""
        for window in self.known.values():
            if not window.opened:
                self.open_epoch(window)

    def tag(self, window: Window, what: str) -> int:
        """Tag number for the window."""
        return self.lines.tags.of(window.group.key, what)

    def open_epoch(self, window: Window) -> None:
        """Post all operations of other ranks in the epoch."""
        window.opened = True
        window.incoming = self.lines.own_request()
        where = (window.group.key, window.epoch, self.lines.rank)
        for origin, kind, size in self.inbox.get(where, ()):
            if kind in (Kind.PUT, Kind.FETCH):
                self.lines.post(window.incoming, "irecv", origin, self.tag(window, "to"), size)
            if kind in (Kind.GET, Kind.FETCH):
                self.lines.post(window.incoming, "isend", origin, self.tag(window, "back"), size)

    def access(self, event: Event) -> None:
        """A put, a get, or an operation with both directions."""
        window = self.known[event.comm]
        target = window.group.world(event.peer)
        request = event.request or self.lines.own_request()
        if event.kind in (Kind.PUT, Kind.FETCH):
            self.lines.post(request, "isend", target, self.tag(window, "to"), event.size)
        if event.kind in (Kind.GET, Kind.FETCH):
            self.lines.post(request, "irecv", target, self.tag(window, "back"), event.size)
        window.own[target].append(request)

    def wait_own(self, window: Window, target: int | None = None) -> None:
        """Wait for the rank's own operations on one target, or on all."""
        targets = list(window.own) if target is None else [target]
        self.lines.wait([r for t in targets for r in window.own.pop(t, ())])

    def synchronize(self, event: Event, name: str) -> None:
        """A synchronisation call on a window."""
        window = self.known[event.comm]
        if name in FENCES:
            self.fence(window, name == "MPI_Win_fence")
        elif name in OF_A_RANK:
            self.wait_own(window, window.group.world(event.peer))
        elif name == "MPI_Win_post":
            window.posted = event.extra
            self.tell(window, event.extra, "post")
        elif name == "MPI_Win_start":
            window.started = event.extra
            self.hear(window, event.extra, "post")
        elif name in ALL_OWN:
            self.wait_own(window)
            if name == "MPI_Win_complete":
                self.tell(window, window.started, "complete")
        elif name in ("MPI_Win_wait", "MPI_Win_test"):
            self.hear(window, window.posted, "complete")

    def tell(self, window: Window, ranks: tuple[int, ...], what: str) -> None:
        """Empty messages to others."""
        for rank in ranks:
            self.lines.message("send", rank, self.tag(window, what), 0)

    def hear(self, window: Window, ranks: tuple[int, ...], what: str) -> None:
        """Empty messages from others."""
        for rank in ranks:
            self.lines.message("recv", rank, self.tag(window, what), 0)

    def fence(self, window: Window, goes_on: bool) -> None:
        """The end of an epoch: all operations are complete on all ranks."""
        self.wait_own(window)
        self.lines.wait([window.incoming])
        group = window.group
        self.lines.collective(group, Share("barrier", group.rank, len(group.members), -1, 0, (), ()), 0)
        window.epoch += 1
        window.opened = not goes_on
        if goes_on:
            self.open_epoch(window)

    def finish(self) -> None:
        """The end of the trace."""
        for window in self.known.values():
            self.wait_own(window)
