"""What a study needs of the place where its runs go."""

import os
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
    """A run whose folders are made: what it will start, and where that comes from."""

    run: Run
    folder: Path
    jobs: list[Job]  #: side by side
    source: dict  #: provenance
    failure: str = ""  #: why it cannot start


@dataclass
class Ended:
    """How a run ended."""

    state: str  #: done, failed, timeout; of Slurm also cancelled, node_fail, out_of_memory and the like
    statuses: list[int]
    elapsed: float  #: s, from the start of the first job to the end of the last
    cpu: float  #: s, all processes
    started: str
    load: float  #: load average at the start
    note: str = ""  #: what the system says of a run that did not end well
    memory: float | None = None  #: MiB, of the largest process
    nodes: int = 1
    joules: float | None = None  #: measured, of all nodes
    meter: str = ""  #: that measured them
    machine: dict[str, str | int] = field(default_factory=dict)  #: where it is not this one
    texts: dict[str, str] = field(default_factory=dict)  #: such as the number of the job


def not_started(prepared: Prepared) -> Ended:
    """The end of a run that could not be prepared."""
    return Ended("failed", [], 0.0, 0.0, now(), os.getloadavg()[0], note=prepared.failure)


Prepare = Callable[[Run, Path], Prepared]  #: fills a run's folder
Say = Callable[[str], None]  #: tells the user something


class RunSystem(Protocol):
    """A place where runs go. An instance serves one study."""

    def __init__(self, study: StudyFile, base: Path) -> None:
        """Find out what there is.

        Args:
            base: the study file's folder

        Raises:
            StudyError: the system is missing, or lacks what the study names.
        """

    def obstacle(self, case: StudyCase) -> str:
        """Why a case cannot run here; empty where it can."""

    def command(self, case: StudyCase, mpi: Mpi, job: int) -> list[str]:
        """Command line of one of the jobs side by side, up to the program."""

    def conduct(self, runs: list[Run], prepare: Prepare, say: Say) -> Iterator[tuple[Prepared, Ended]]:
        """Do runs, and give each when it has ended; its folder stays until the next is asked for.

        Whatever still runs when the iteration is left is ended.
        """
