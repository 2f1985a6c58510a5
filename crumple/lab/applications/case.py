"""A case of a study for the programs, and the error for mistakes in a study file."""

from dataclasses import dataclass
from pathlib import Path


class StudyError(Exception):
    """A study file, or a file that it names, is wrong: one line with the place and the reason."""


def is_path(file_system: str) -> bool:
    """Whether a value of the axis `file_system` is a path, not a name."""
    return "/" in file_system or file_system.startswith("~")


@dataclass(frozen=True)
class StudyCase:
    """One combination of the axes. A value is empty if the axis is not varied."""

    ranks: int = 1
    threads: int = 1
    jobs: int = 1
    mpi: str = "openmpi"
    ranks_per_node: int = 0
    binding: str = "none"
    device: str = "default"
    decomposition: str = ""
    precision: str = ""
    version: str = ""
    directory: str = ""
    file_system: str = ""  #: a name, or the path of a mount

    def cores(self) -> int:
        """Cores that all jobs of the case use."""
        return self.ranks * self.threads * self.jobs

    def folder(self) -> Path | None:
        """The folder that the case names for its runs; None: the usual one, or one that is made."""
        named = self.directory or (self.file_system if is_path(self.file_system) else "")
        return Path(named).expanduser() if named else None

    def label(self, varied: tuple[str, ...]) -> str:
        """The varied settings in words."""
        words = {
            "ranks": f"{self.ranks} rank" + ("s" if self.ranks > 1 else ""),
            "threads": f"{self.threads} thread" + ("s" if self.threads > 1 else ""),
            "jobs": f"{self.jobs} job" + ("s" if self.jobs > 1 else ""),
            "ranks_per_node": f"{self.ranks_per_node} a node",
        }
        return ", ".join(words.get(name, str(getattr(self, name))) for name in varied) or "the case"
