"""Reads the events that the profiler wrote of one rank; the layout is that of profiler/event.h."""

import struct
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

MAGIC = b"CRUTRAC1"
HEADER = struct.Struct("<8s4i")
EVENT = struct.Struct("<BBHiiiqIIq")
CHUNK = 1 << 20


class TraceError(Exception):
    """A trace that is not there or cannot be converted."""


class Kind(IntEnum):
    """What an event is."""

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


CANCELLED = 1
INTERCOMMUNICATOR = 2


class Event(NamedTuple):
    """One event; compute in nanoseconds of processor time since the one before."""

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
        """Name of the phase that begins; "": none."""
        text = struct.pack(f"<{len(self.extra)}q", *self.extra)
        return text.split(b"\0")[0].decode(errors="replace")


class EventFile:
    """The events of one rank, read a chunk at a time."""

    def __init__(self, path: Path) -> None:
        """Read the header.

        Raises:
            TraceError: the file is no record of events.
        """
        self.path = path
        with path.open("rb") as file:
            head = file.read(HEADER.size)
            if len(head) < HEADER.size or head[:8] != MAGIC:
                raise TraceError(f"{path} has no events of a trace")
            _, self.rank, self.size, count, length = HEADER.unpack(head)
            names = file.read(count * length)
        self.names = [names[k * length : (k + 1) * length].split(b"\0")[0].decode() for k in range(count)]
        self.start = HEADER.size + count * length

    def __iter__(self) -> Iterator[Event]:
        """All whole events; what a rank that was killed left of its last is passed over."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            data, at = file.read(CHUNK), 0
            while True:
                need = EVENT.size
                if len(data) - at >= need:
                    fields = EVENT.unpack_from(data, at)
                    need += 8 * fields[8]
                    if len(data) - at >= need:
                        extra = (
                            struct.unpack_from(f"<{fields[8]}q", data, at + EVENT.size) if fields[8] else ()
                        )
                        at += need
                        yield Event(*fields[:8], extra, fields[9])
                        continue
                more = file.read(max(CHUNK, need))
                if not more:
                    return
                data, at = data[at:] + more, 0


def event_files(folder: Path) -> list[EventFile]:
    """The files of all ranks, in their order.

    Raises:
        TraceError: there are none, or one is missing.
    """
    files = sorted((EventFile(p) for p in folder.glob("events.*")), key=lambda f: f.rank)
    if not files:
        raise TraceError(f"no rank left events for a trace in {folder}")
    present = {f.rank for f in files}
    missing = [r for r in range(files[0].size) if r not in present]
    if missing:
        raise TraceError(f"rank {missing[0]} left no events for a trace in {folder}")
    return files
