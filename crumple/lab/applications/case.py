"""A case of a study for the programs, and the error for mistakes in a study file."""

from dataclasses import dataclass


class StudyError(Exception):
    """A study file, or a file that it names, is wrong: one line with the place and the reason."""


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

    def cores(self) -> int:
        """Cores that all jobs of the case use."""
        return self.ranks * self.threads * self.jobs

    def label(self, varied: tuple[str, ...]) -> str:
        """The varied settings in words."""
        words = {
            "ranks": f"{self.ranks} rank" + ("s" if self.ranks > 1 else ""),
            "threads": f"{self.threads} thread" + ("s" if self.threads > 1 else ""),
            "jobs": f"{self.jobs} job" + ("s" if self.jobs > 1 else ""),
            "ranks_per_node": f"{self.ranks_per_node} a node",
        }
        return ", ".join(words.get(name, str(getattr(self, name))) for name in varied) or "the case"
