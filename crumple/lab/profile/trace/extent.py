"""The part of a trace that all ranks have: from one collective of all ranks to another."""

from dataclasses import dataclass

from crumple.lab.profile.trace.events import CANCELLED, INTERCOMMUNICATOR, Event, EventFile, Kind, TraceError

#: kinds of most events; they do not change the extent
ON_THE_WAY = frozenset((Kind.SEND, Kind.RECEIVE, Kind.ISEND, Kind.IRECEIVE, Kind.PHASE))


def tells_what_came(event: Event) -> bool:
    """Whether an event gives the message of a receive from any source, or that it was cancelled."""
    return event.kind == Kind.COMPLETE and (event.peer >= 0 or bool(event.flags & CANCELLED))


class CollectiveCount:
    """Counts the collectives of all ranks, by which the events of different ranks can be aligned."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.everyone = {0}
        self.count = 0

    def take(self, event: Event) -> bool:
        """Whether the event is such a collective; if so, count it."""
        if event.kind == Kind.COMMUNICATOR:
            if event.tag == self.size and not event.flags & INTERCOMMUNICATOR:
                self.everyone.add(event.comm)
        elif event.kind == Kind.BEGIN:
            self.count = event.size
        elif event.kind == Kind.COLLECTIVE and event.comm in self.everyone:
            self.count += 1
            return True
        return False


@dataclass
class RankExtent:
    """What one rank recorded."""

    rank: int
    first: int | None = None  #: number of collectives of all ranks before it began
    last: int = 0  #: the same at its end
    timed: bool = False  #: the window is in seconds, so it differs between ranks
    ending: int = 0  #: kind of the last event
    threads: bool = False
    windows: bool = False  #: it has windows of one-sided operations
    arrivals: bool = False  #: it has messages of receives from any source, or cancelled receives

    @property
    def cut_off(self) -> bool:
        """Whether it ends before the program or the window."""
        return self.ending not in (Kind.END, Kind.PAUSE)


def extent_of(file: EventFile) -> RankExtent:
    """Read all events of a rank once."""
    found, collectives = RankExtent(file.rank), CollectiveCount(file.size)
    for event in file:
        found.ending = event.kind
        if event.kind in ON_THE_WAY:
            continue
        if event.kind == Kind.COMPLETE:
            found.arrivals |= tells_what_came(event)
            continue
        collectives.take(event)
        if event.kind == Kind.BEGIN:
            if found.first is None:
                found.first = event.size
            found.timed |= event.tag == 1
        elif event.kind == Kind.THREADS:
            found.threads = True
        elif event.kind == Kind.WINDOW:
            found.windows = True
    found.last = collectives.count
    return found


@dataclass
class Cut:
    """The part to convert, between two collectives of all ranks; None: from the start, or to the end."""

    after: int | None
    until: int | None
    reasons: list[str]


def common_cut(extents: list[RankExtent]) -> Cut:
    """The part that all ranks have.

    Raises:
        TraceError: there is no such part.
    """
    for e in extents:
        if e.threads:
            raise TraceError(
                f"rank {e.rank} calls MPI from more than one thread: a replay supports one thread per rank"
            )
        if e.first is None:
            raise TraceError(f"rank {e.rank} recorded nothing: was the window of the trace ever reached?")
    starts, ends = [e.first or 0 for e in extents], [e.last for e in extents]
    timed = any(e.timed for e in extents)
    reasons = [
        f"rank {e.rank} reached the size limit" if e.ending == Kind.LIMIT else f"rank {e.rank} ended early"
        for e in extents
        if e.cut_off
    ]
    after = max(starts) + 1 if timed or min(starts) != max(starts) else None
    until = min(ends) if timed or reasons or min(ends) != max(ends) else None
    if until is not None and until <= (max(starts) if after is None else after):
        raise TraceError(
            "; ".join(
                [*reasons, "the ranks have no common collective at which to cut the trace on all of them"]
            )
        )
    return Cut(after, until, reasons)


class Within:
    """Tests whether events lie in the part that all ranks have."""

    def __init__(self, size: int, cut: Cut) -> None:
        self.cut = cut
        self.collectives = CollectiveCount(size)
        self.over = False

    def __call__(self, event: Event) -> bool:
        """Whether an event lies in it."""
        if self.over:
            return False
        is_one = self.collectives.take(event)
        count = self.collectives.count
        if self.cut.after is not None and (count < self.cut.after or (is_one and count == self.cut.after)):
            return False
        if self.cut.until is not None and count >= self.cut.until:
            self.over = True
            return is_one and count == self.cut.until
        return True
