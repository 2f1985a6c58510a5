"""What `crumple run` was asked for, and the solver's words for it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from crumple.choices import DecompositionMethod, Precision


class DumpLayout(StrEnum):
    """How the ranks write a dump."""

    files = "files"
    shared = "shared"


@dataclass(frozen=True)
class RunOptions:
    """The options of `crumple run`; its help describes them."""

    deck: Path | None
    ranks: int
    threads: int
    output: Path
    end_time: float | None
    precision: Precision
    decomposition: DecompositionMethod
    pfile: Path | None
    costs: list[str]  #: the solver's words
    mpi: str
    launcher: str
    memory: str
    memory2: str
    units: str
    vtkhdf: bool
    vtkhdf_compression: int  #: 0: none
    allow_unsupported: bool
    overwrite: bool
    restart: str
    auto_restart: int
    dump_cycles: int | None
    error_dump: int | None
    dump_layout: DumpLayout
    walltime: str
    listen: str = ""  #: the solver's address for `crumple watch`
    listen_interval: float | None = None
    case: int | None = None  #: of a deck with *CASE
    prefix: str = ""  #: of the names of that case's results

    def words(self) -> list[str]:
        """The solver's command line, but for what differs from one attempt to the next."""
        words = [f"i={self.deck}"] if self.deck else []
        words += ["--directory", str(self.output), "--precision", self.precision.value]
        words += ["--decomposition", self.decomposition.value]
        given = {"endtime": self.end_time, "p": self.pfile, "memory": self.memory, "memory2": self.memory2}
        given |= {"case": self.case}
        words += [f"{name}={value}" for name, value in given.items() if value not in (None, "")]
        words += self.costs
        if self.units:
            words += ["--units", self.units]
        flags = {"vtkhdf": self.vtkhdf, "allow-unsupported": self.allow_unsupported}
        words += [f"--{name}" for name, given in flags.items() if given]
        if self.vtkhdf_compression:
            words += ["--vtkhdf-compression", str(self.vtkhdf_compression)]
        if self.dump_cycles is not None:
            words += ["--dump-cycles", str(self.dump_cycles)]
        if self.error_dump is not None:
            words += ["--error-dump", str(self.error_dump)]
        if self.dump_layout != DumpLayout.files:
            words += ["--dump-layout", self.dump_layout.value]
        if self.listen:
            words += ["--listen", self.listen]
            if self.listen_interval is not None:
                words += ["--listen-interval", str(self.listen_interval)]
        if self.auto_restart:
            words.append("--expect-dumps")
        return words
