"""The schema of a profile's JSON, by which files from elsewhere are checked before use."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict  # as pydantic requires before Python 3.12

Count = Annotated[int, Field(ge=-(2**63), lt=2**63)]  #: 64 bits, as the profiler counts
Unsigned = Annotated[int, Field(ge=0, lt=2**64)]
Seconds = Annotated[float, Field(allow_inf_nan=False)]
Bin = Annotated[str, Field(pattern=r"^[0-9]{1,2}$")]  #: of 64, by powers of two
Peer = Annotated[str, Field(pattern=r"^[0-9]{1,10}$")]
Traffic = Annotated[list[Count], Field(min_length=2, max_length=2)]  #: messages and bytes
Sizes = Annotated[list[Count], Field(min_length=7, max_length=7)]  #: by io_totals.SIZE_CLASSES


class Function(TypedDict):
    """Calls of one function."""

    calls: Count
    time: Seconds
    longest: Seconds
    waiting: Seconds
    bytes_out: Count
    bytes_in: Count


class Phase(TypedDict):
    """One phase that the program named."""

    entries: Count
    mpi_calls: Count
    mpi_bytes: Count
    time: Seconds
    mpi_time: Seconds
    mpi_waiting: Seconds


class FileAccess(TypedDict):
    """Reads, writes or syncs."""

    calls: Count
    time: Seconds
    bytes: Count


class Counters(TypedDict):
    """Hardware counters."""

    instructions: Count
    cycles: Count
    cache_misses: Count


class KernelIo(TypedDict):
    """Bytes, as the kernel counts them."""

    read: Count
    written: Count


class Layer(TypedDict):
    """Calls on a file by one layer: reads, writes, syncs, opens, closes, others; requests by size."""

    calls: dict[str, FileAccess]
    read_sizes: Sizes
    write_sizes: Sizes


class File(TypedDict):
    """One file of a rank: calls by phase and layer."""

    path: str
    device: Unsigned
    inode: Unsigned
    phases: dict[str, dict[Literal["posix", "stdio", "mpi_io", "beneath_mpi_io"], Layer]]


#: a file that has another name since; other ranks may have written it under its first
Rename = TypedDict("Rename", {"from": str, "to": str, "inode": Unsigned})


class Io(TypedDict):
    """Files of a rank."""

    files: list[File]
    others: bool  #: the last file is all that the table had no room for
    renames: list[Rename]
    more_renames: Count


class Rank(TypedDict):
    """One rank."""

    rank: Annotated[int, Field(ge=0, lt=2**31)]
    size: Annotated[int, Field(gt=0, lt=2**31)]
    state: str
    host: str
    pid: Count
    mpi: str
    started: Count
    elapsed: Seconds
    application: Seconds
    cpu: Seconds
    peak_memory: Count
    spawned: NotRequired[Count]  #: processes; not in profiles of earlier versions
    kernel_io: KernelIo
    counters: Counters | None
    functions: dict[str, Function]
    point_to_point: dict[Bin, Traffic]
    collective: dict[Bin, Traffic]
    one_sided: dict[Bin, Traffic]
    peers: dict[Peer, Traffic]
    unknown_peers: Traffic
    files: dict[str, FileAccess]
    phases: dict[str, Phase]
    io: NotRequired[Io]  #: not in profiles of earlier versions


class World(TypedDict):
    """Processes that MPI_Comm_spawn started together."""

    size: Annotated[int, Field(gt=0, lt=2**31)]
    ranks: Annotated[list[Rank], Field(min_length=1)]


class Whole(TypedDict):
    """The file, without its format and version."""

    command: list[str]
    exit_status: int | None
    size: Annotated[int, Field(gt=0, lt=2**31)]
    ranks: Annotated[list[Rank], Field(min_length=1)]
    spawned: NotRequired[list[World]]


WHOLE = TypeAdapter(Whole)
