"""Reads the profiler's record of one rank; profiler/record.h has the layout."""

from pathlib import Path

import numpy as np

MAGIC = b"CRUPROF2"
BINS = 64
PHASES = 64
STATES = {1: "running", 2: "finalized", 3: "aborted"}
COUNTERS = ("instructions", "cycles", "cache_misses")
NO_PHASE = "(none)"
FILE_KINDS = ("reads", "writes", "syncs")

TRAFFIC = np.dtype([("messages", "<i8"), ("bytes", "<i8")])
PHASE = np.dtype(
    [
        ("name", "S40"),
        *((n, "<i8") for n in ("entries", "time", "mpi_calls", "mpi_time", "mpi_waiting", "mpi_bytes")),
    ]
)
FUNCTION = np.dtype(
    [("name", "S40"), *((n, "<i8") for n in ("calls", "time", "longest", "waiting", "bytes_out", "bytes_in"))]
)
FILES = np.dtype([("calls", "<i8"), ("time", "<i8"), ("bytes", "<i8")])
RANK = np.dtype(
    [
        ("magic", "S8"),
        *((n, "<i4") for n in ("rank", "size", "functions", "state", "thread_level", "counters_available")),
        ("pid", "<i8"),
        ("host", "S64"),
        ("library", "S128"),
        *(
            (n, "<i8")
            for n in (
                "started",
                "elapsed",
                "application",
                "cpu",
                "peak_memory",
                "read_bytes",
                "written_bytes",
                "spawned",
            )
        ),
        ("counter", "<i8", len(COUNTERS)),
        ("point_to_point", TRAFFIC, BINS),
        ("collective", TRAFFIC, BINS),
        ("one_sided", TRAFFIC, BINS),
        ("unknown_peer", TRAFFIC),
        ("file", FILES, len(FILE_KINDS)),
        ("phase", PHASE, PHASES),
    ]
)


class ProfileError(Exception):
    """A profile that is missing or cannot be read."""


def seconds(nanoseconds: int) -> float:
    """Seconds of a count of nanoseconds."""
    return round(int(nanoseconds) * 1e-9, 9)


def text(value: bytes) -> str:
    """A text of fixed length in the record."""
    return bytes(value).split(b"\0")[0].decode(errors="replace")


def traffic(bins: np.ndarray) -> dict[str, list[int]]:
    """Messages and bytes of the entries that are not empty, by index."""
    return {
        str(k): [int(bins[k]["messages"]), int(bins[k]["bytes"])] for k in np.flatnonzero(bins["messages"])
    }


def functions(table: np.ndarray) -> dict[str, dict]:
    """The functions that were called, by name."""
    return {
        text(f["name"]): {
            "calls": int(f["calls"]),
            **{k: seconds(f[k]) for k in ("time", "longest", "waiting")},
            **{k: int(f[k]) for k in ("bytes_out", "bytes_in")},
        }
        for f in table[table["calls"] > 0]
    }


def phases(table: np.ndarray) -> dict[str, dict]:
    """The phases that the program named; the rest is "(none)"."""
    used = [(k, p) for k, p in enumerate(table) if p["time"] > 0 or p["mpi_calls"] > 0 or p["entries"] > 0]
    if [k for k, _ in used] == [0]:
        return {}
    return {
        text(p["name"]) if k else NO_PHASE: {
            **{n: int(p[n]) for n in ("entries", "mpi_calls", "mpi_bytes")},
            **{n: seconds(p[n]) for n in ("time", "mpi_time", "mpi_waiting")},
        }
        for k, p in used
    }


def record_bytes(path: Path) -> bytes:
    """What a rank has written.

    Raises:
        ProfileError: the file cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror}") from None


def names_of_phases(path: Path) -> list[str]:
    """The phases of a record that read_rank has read, by their place."""
    table = np.frombuffer(record_bytes(path), RANK, 1)[0]["phase"]
    return [text(p["name"]) if k else NO_PHASE for k, p in enumerate(table)]


def read_rank(path: Path) -> dict:
    """All non-zero values of a rank's record, as in the JSON file; times in seconds.

    Raises:
        ProfileError: the file is not a whole record.
    """
    data = record_bytes(path)
    if len(data) < RANK.itemsize or data[:8] != MAGIC:
        raise ProfileError(f"{path} is not a rank's profile")
    r = np.frombuffer(data, RANK, 1)[0]
    count, size = int(r["functions"]), int(r["size"])
    whole = RANK.itemsize + count * FUNCTION.itemsize + size * TRAFFIC.itemsize
    if count < 0 or not 0 <= int(r["rank"]) < size or len(data) != whole:
        raise ProfileError(f"{path} is cut or damaged")
    table = np.frombuffer(data, FUNCTION, count, RANK.itemsize)
    peers = np.frombuffer(data, TRAFFIC, size, RANK.itemsize + count * FUNCTION.itemsize)
    return {
        "rank": int(r["rank"]),
        "size": size,
        "state": STATES.get(int(r["state"]), "unknown"),
        "host": text(r["host"]),
        "pid": int(r["pid"]),
        "mpi": text(r["library"]),
        "started": int(r["started"]),
        "elapsed": seconds(r["elapsed"]),
        "application": seconds(r["application"]),
        "cpu": seconds(r["cpu"]),
        "peak_memory": int(r["peak_memory"]),
        "spawned": int(r["spawned"]),
        "kernel_io": {"read": int(r["read_bytes"]), "written": int(r["written_bytes"])},
        "counters": {n: int(r["counter"][k]) for k, n in enumerate(COUNTERS)}
        if r["counters_available"]
        else None,
        "functions": functions(table),
        "point_to_point": traffic(r["point_to_point"]),
        "collective": traffic(r["collective"]),
        "one_sided": traffic(r["one_sided"]),
        "peers": traffic(peers),
        "unknown_peers": [int(r["unknown_peer"]["messages"]), int(r["unknown_peer"]["bytes"])],
        "files": {
            n: {"calls": int(f["calls"]), "time": seconds(f["time"]), "bytes": int(f["bytes"])}
            for n, f in zip(FILE_KINDS, r["file"], strict=True)
            if f["calls"]
        },
        "phases": phases(r["phase"]),
    }
