"""Reads the profiler's events of one rank; profiler/event.h has the layout."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

MAGIC = b"CRUTRAC1"
HEADER = struct.Struct("<8s4i")
EVENT = struct.Struct("<BBHiiiqIIq")
CHUNK = 1 << 20


class TraceError(Exception):
    """A trace that is missing or cannot be converted."""


class Kind(IntEnum):
    """The kind of an event."""

    SEND = 1
    RECEIVE = 2
    ISEND = 3
    IRECEIVE = 4
    COMPLETE = 5
    LET_GO = 6
    COLLECTIVE = 7
    PUT = 8
    GET = 9
    FETCH = 10
    SYNCHRONIZE = 11
    FILE_ACCESS = 12
    COMMUNICATOR = 13
    TOPOLOGY = 14
    WINDOW = 15
    BEGIN = 16
    PAUSE = 17
    LIMIT = 18
    THREADS = 19
    END = 20
    PHASE = 21


KINDS = frozenset(Kind)
CANCELLED = 1
INTERCOMMUNICATOR = 2


class Event(NamedTuple):
    """One event; compute is the processor time in ns since the previous event."""

    kind: int
    flags: int
    function: int
    comm: int
    peer: int
    tag: int
    size: int
    request: int
    extra: tuple[int, ...]
    compute: int

    @property
    def phase(self) -> str:
        """Name of the phase that begins; "": no phase."""
        text = struct.pack(f"<{len(self.extra)}q", *self.extra)
        return text.split(b"\0")[0].decode(errors="replace")


class EventFile:
    """The events of one rank, read in chunks."""

    def __init__(self, path: Path) -> None:
        """Read the header.

        Raises:
            TraceError: the file is not a record of events.
        """
        self.path = path
        with path.open("rb") as file:
            head = file.read(HEADER.size)
            if len(head) < HEADER.size or head[:8] != MAGIC:
                raise TraceError(f"{path} has no events of a trace")
            _, self.rank, self.size, count, length = HEADER.unpack(head)
            self.length = file.seek(0, 2)
            file.seek(HEADER.size)
            if min(count, length) < 1 or count * length > self.length or not 0 <= self.rank < self.size:
                raise TraceError(f"{path} is damaged: its header is not valid")
            names = [file.read(length).split(b"\0")[0] for _ in range(count)]
        self.names = [name.decode(errors="replace") for name in names]
        self.start = HEADER.size + count * length

    def check(self, event: Event) -> None:
        """Check that an event is possible.

        Raises:
            TraceError: it is not.
        """
        unsized = event.kind == Kind.PHASE  # its step is -1 if the program does not count steps
        if event.kind not in KINDS or event.function >= len(self.names) or (event.size < 0 and not unsized):
            raise TraceError(f"{self.path} is damaged: it has an event that is not valid")
        if event.kind in (Kind.COMMUNICATOR, Kind.WINDOW):
            ranks = event.extra
            if event.tag != len(ranks) or any(not -1 <= rank < self.size for rank in ranks):
                raise TraceError(f"{self.path} is damaged: it has a communicator of ranks that do not exist")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Report inconsistencies in the use of the events as damage of this file.

        Raises:
            TraceError: the events are inconsistent.
        """
        try:
            yield
        except TraceError:
            raise
        except (LookupError, ValueError, OverflowError) as error:
            raise TraceError(f"{self.path} is damaged: {error!r}") from None

    def __iter__(self) -> Iterator[Event]:
        """All whole events, each checked."""
        for event in self.read():
            self.check(event)
            yield event

    def read(self) -> Iterator[Event]:
        """All complete events; an incomplete last event of a killed rank is ignored."""
        unpack, size = EVENT.unpack_from, EVENT.size
        with self.path.open("rb") as file:
            file.seek(self.start)
            data, at = file.read(CHUNK), 0
            while True:
                need, left = size, len(data) - at
                if left >= size:
                    *fields, words, compute = unpack(data, at)
                    need += 8 * words
                    if need > self.length:
                        raise TraceError(f"{self.path} is damaged: an event longer than the file")
                    if left >= need:
                        extra = struct.unpack_from(f"<{words}q", data, at + size) if words else ()
                        at += need
                        yield Event(*fields, extra, compute)
                        continue
                more = file.read(max(CHUNK, need))
                if not more:
                    return
                data, at = data[at:] + more, 0


def event_files(folder: Path) -> list[EventFile]:
    """The files of all ranks, in the order of ranks.

    Raises:
        TraceError: there are none, or one is missing.
    """
    files = sorted((EventFile(p) for p in folder.glob("events.*")), key=lambda f: f.rank)
    if not files:
        raise TraceError(f"no rank left events for a trace in {folder}")
    for rank, file in enumerate(files):
        if file.size != files[0].size:
            raise TraceError(f"{file.path} is of {file.size} ranks, and {files[0].path} of {files[0].size}")
        if file.rank < rank:
            raise TraceError(f"{file.path} is of rank {file.rank}, as another file is")
        if file.rank > rank:
            raise TraceError(f"rank {rank} left no events for a trace in {folder}")
    if len(files) < files[0].size:
        raise TraceError(f"rank {len(files)} left no events for a trace in {folder}")
    return files
