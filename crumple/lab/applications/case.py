"""A case of a study as the programs see it, and the error of what is wrong in a study's file."""

from dataclasses import dataclass


class StudyError(Exception):
    """A study file, or something that it names, is wrong: one line that says where and what."""


@dataclass(frozen=True)
class StudyCase:
    """One combination. Empty where an axis is not varied."""

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
        """Cores that all jobs of the case keep busy."""
        return self.ranks * self.threads * self.jobs

    def label(self, varied: tuple[str, ...]) -> str:
        """The settings that are varied, in words."""
        words = {
            "ranks": f"{self.ranks} rank" + ("s" if self.ranks > 1 else ""),
            "threads": f"{self.threads} thread" + ("s" if self.threads > 1 else ""),
            "jobs": f"{self.jobs} job" + ("s" if self.jobs > 1 else ""),
            "ranks_per_node": f"{self.ranks_per_node} a node",
        }
        return ", ".join(words.get(name, str(getattr(self, name))) for name in varied) or "the case"
