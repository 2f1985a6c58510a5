"""Base of the systems where the runs of a study go."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from crumple.lab.applications.case import StudyCase
from crumple.lab.processes import Job
from crumple.lab.study.database import now
from crumple.lab.study.study_file import StudyFile
from crumple.mpi import Mpi


@dataclass(frozen=True)
class Run:
    """One repeat of a case."""

    case: StudyCase
    key: str
    repeat: int


@dataclass
class Prepared:
    """A prepared run: its jobs, and the provenance."""

    run: Run
    folder: Path
    jobs: list[Job]  #: the jobs side by side
    source: dict  #: its provenance
    failure: str = ""  #: why it cannot start; empty if it can


@dataclass
class Ended:
    """How a run ended."""

    state: str  #: done, failed, timeout; from Slurm also cancelled, node_fail, out_of_memory and the like
    statuses: list[int]
    elapsed: float  #: s, from the start of the first job to the end of the last
    cpu: float  #: CPU time of all processes in s
    started: str
    load: float  #: cores that others used just before the start
    note: str = ""  #: message of the system about a run that failed
    memory: float | None = None  #: MiB, of the largest process
    nodes: int = 1
    joules: float | None = None  #: measured energy of all nodes
    meter: str = ""  #: the meter of this energy
    machine: dict[str, str | int] = field(default_factory=dict)  #: if it is not this machine
    texts: dict[str, str] = field(default_factory=dict)  #: such as the job number


def not_started(prepared: Prepared) -> Ended:
    """The end of a run that could not be prepared."""
    return Ended("failed", [], 0.0, 0.0, now(), 0.0, note=prepared.failure)


Prepare = Callable[[Run, Path], Prepared]  #: prepares a run's folder
Say = Callable[[str], None]  #: prints a message for the user


class RunSystem(Protocol):
    """A system for runs. An instance is used for one study."""

    def __init__(self, study: StudyFile, base: Path) -> None:
        """Find the resources of the system.

        Args:
            base: folder of the study file

        Raises:
            StudyError: the system is missing, or does not have what the study names.
        """

    def obstacle(self, case: StudyCase) -> str:
        """Why a case cannot run here; empty if it can."""

    def command(self, case: StudyCase, mpi: Mpi, job: int) -> list[str]:
        """Command line of one of the jobs side by side, up to the program."""

    def conduct(self, runs: list[Run], prepare: Prepare, say: Say) -> Iterator[tuple[Prepared, Ended]]:
        """Do runs, and yield each when it has ended; its folder stays until the next one is requested.

        If the iteration is left early, all running processes are ended.
        """
