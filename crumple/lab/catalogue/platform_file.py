"""The platform file (TOML): measured figures of a machine, how they were measured, and their spread."""

import os
import tomllib
from pathlib import Path
from statistics import median
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveFloat, PositiveInt, ValidationError

from crumple.whole_file import write_whole

FORMAT = "crumple-platform"
VERSION = 1
LEAST_SHARE = 0.9  #: share of the elapsed time that a process had its core; below, other work ran on it


class CalibrationError(Exception):
    """A platform file cannot be read, or a measurement cannot be made."""


class PlatformTable(BaseModel):
    """A table of the file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class MeasuredFigure(PlatformTable):
    """A number: the median of some samples, with the lowest and the highest."""

    median: float
    low: float
    high: float
    samples: PositiveInt
    cpu_share: float | None = None  #: processor time over elapsed time, lowest of all samples
    contended: bool = False  #: other work ran on the core during the measurement

    @property
    def spread(self) -> float:
        """Highest minus lowest sample, over the median."""
        return (self.high - self.low) / self.median if self.median else 0.0


class PairFigure(MeasuredFigure):
    """A figure of a pair of cores."""

    mpi: str
    pair: Literal["same core", "same socket", "other socket", "other node"]
    cores: list[NonNegativeInt]
    hosts: list[str] = []


class PointToPoint(PairFigure):
    """Seconds of a message one way: half of a round trip."""

    size: PositiveInt


class Link(PlatformTable):
    """Figures for a simulator's network from those above, for one kind of pair."""

    mpi: str
    pair: str
    latency: float  #: s, one way, of the smallest message
    bandwidth: float  #: bytes/s, of the largest message
    message_rate: float  #: small messages per second, one way


class MeasuredCollective(MeasuredFigure):
    """Seconds of a collective on some ranks, one per core."""

    mpi: str
    operation: Literal["allreduce", "bcast"]
    ranks: PositiveInt
    size: PositiveInt


class Turn(MeasuredFigure):
    """Extra seconds of a wait, beyond the work of all ranks over the number of cores."""

    mpi: str
    wait: Literal["neighbours", "all"]  #: for messages of two neighbours; in MPI_Allreduce
    ranks_per_core: PositiveInt
    work: PositiveFloat  #: s of a rank between two waits


class Memory(MeasuredFigure):
    """Bytes per second of all busy cores together."""

    cores: PositiveInt
    array_bytes: PositiveInt


class MeasuredFiles(MeasuredFigure):
    """Bytes per second of all ranks together."""

    mpi: str
    directory: str
    file_system: str
    access: Literal["shared file", "file per rank"]
    direction: Literal["write", "read"]
    ranks: PositiveInt
    bytes_per_rank: PositiveInt


class Kernel(MeasuredFigure):
    """Element updates per second of each busy core, in the solver's element computations."""

    busy_cores: PositiveInt
    precision: str
    elements: PositiveInt


class Machine(PlatformTable):
    """The machine, and the time of the measurement."""

    host: str
    processor: str
    sockets: PositiveInt
    cores: PositiveInt
    memory_bytes: PositiveInt
    last_cache_bytes: NonNegativeInt
    kernel: str
    measured: str  #: date and time
    load_average: float  #: in the minute before
    contended: bool  #: there was other work: the figures are worse than the machine is
    quick: bool


class Platform(PlatformTable):
    """The whole file."""

    format: Literal["crumple-platform"] = FORMAT
    version: Literal[1] = VERSION
    machine: Machine
    how: dict[str, str] = Field(default_factory=dict)  #: how each table was measured
    link: list[Link] = []
    point_to_point: list[PointToPoint] = []
    message_rate: list[PairFigure] = []
    collective: list[MeasuredCollective] = []
    turns: list[Turn] = []
    memory: list[Memory] = []
    files: list[MeasuredFiles] = []
    kernel: list[Kernel] = []


def summarized(values: list[float], shares: list[float], needs_core: bool = True) -> dict:
    """Median, range and processor share of some samples, as keys of a figure.

    Args:
        values: of all samples
        shares: shares of the elapsed time that the process was on a core
        needs_core: whether it should be on a core all the time
    """
    least = min(shares) if shares else None
    return {
        "median": median(values),
        "low": min(values),
        "high": max(values),
        "samples": len(values),
        "cpu_share": None if least is None else round(least, 4),
        "contended": bool(needs_core and least is not None and least < LEAST_SHARE),
    }


def check_writing(path: Path) -> None:
    """Check that a file can be written, before measurements of minutes begin.

    Raises:
        CalibrationError: it cannot be written.
    """
    try:
        import tomli_w  # noqa: F401
    except ImportError:
        raise CalibrationError(
            "tomli-w is missing, which writes platform files: python -m pip install tomli-w"
        ) from None
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CalibrationError(f"{path} cannot be written; -o names another file")


def write_platform(platform: Platform, path: Path) -> None:
    """Write the file."""
    import tomli_w  # not needed for reading

    write_whole(path, tomli_w.dumps(platform.model_dump(exclude_none=True)))


def read_platform(path: Path) -> Platform:
    """Read and check a file.

    Raises:
        CalibrationError: it is missing, or not a platform file of this version.
    """
    try:
        return Platform.model_validate(tomllib.loads(path.read_text()))
    except OSError as error:
        raise CalibrationError(f"{path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise CalibrationError(f"{path}: {where}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:  # from TOML, UTF-8, or infinite numbers
        raise CalibrationError(f"{path}: {error}") from None
