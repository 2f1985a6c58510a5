"""What a study needs of a program: its input, its command line, its figures."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from crumple.lab.applications.case import StudyCase
from crumple.registry import Registry

#: figures that the lab itself enters of every run; memory and energy where they are known
OF_EVERY_RUN = ("elapsed [s]", "rating", "jobs a day", "cpu [s]", "memory [MiB]", "energy [Wh]")


class Settings(BaseModel):
    """Keys of [workload] that an application takes; unknown ones are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    application: str


@dataclass
class Figures:
    """What a finished run says of itself."""

    values: dict[str, float] = field(default_factory=dict)  #: by name with unit, such as "elapsed [s]"
    phases: dict[str, list[float]] = field(default_factory=dict)  #: seconds of each rank, by phase
    texts: dict[str, str] = field(default_factory=dict)  #: such as the state hash
    failure: str = ""  #: why the run does not count, though it exited with 0
    missing: list[str] = field(default_factory=list)  #: values that are not there, each with the reason

    def not_finite(self) -> str:
        """Which value or phase is infinite or not a number, in words; empty where all are numbers."""
        seconds = [
            (f"{name} of rank {k}", s) for name, each in self.phases.items() for k, s in enumerate(each)
        ]
        for name, value in [*self.values.items(), *seconds]:
            if not math.isfinite(value):
                return f"'{name}' is {value}: not a finite number"
        return ""


class PreparationError(Exception):
    """A run could not be prepared: why, and what the program that prepares it printed."""


class Application(Protocol):
    """One program. An instance is made of the workload's settings and serves all runs of a study.

    Programs derive from it; `obstacle`, `environment` and `known_figures` need not be written.
    """

    name: ClassVar[str]
    axes: ClassVar[frozenset[str]]  #: of those that not every program has: decomposition, precision
    Settings: ClassVar[type[Settings]]

    def __init__(self, settings: Settings, base: Path) -> None:
        """Check the settings; paths in them are relative to `base`, the study file's folder.

        Raises:
            StudyError: something that they name is missing.
        """

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The program of a case. Raises StudyError where there is none."""

    def obstacle(self, case: StudyCase) -> str:
        """Why the program cannot run a case, which is then left out; empty where it can."""
        return ""

    def environment(self, case: StudyCase) -> dict[str, str]:
        """Variables that the program needs."""
        return {}

    def known_figures(self) -> list[str] | None:
        """Names of the figures that runs can have, beside those of the lab; None where only runs tell."""
        return None

    def inputs(self) -> list[Path]:
        """Files whose contents decide the result; hashed into the provenance."""

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Put into a run's own folder what the program reads; its time does not count.

        Raises:
            PreparationError: a program that prepares the run failed; the run is entered as failed.
        """

    def arguments(self, case: StudyCase) -> list[str]:
        """Behind the executable, run in that folder."""

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Read results from the folder and from what was printed."""


APPLICATIONS: Registry[type[Application]] = Registry("application")


def application(kind: type[Application]) -> type[Application]:
    """Register an application under its name; a decorator of its class.

    Raises:
        DuplicateNameError: there is an application of that name.
    """
    APPLICATIONS.add(kind.name, kind)
    return kind
