"""What a study needs from a program: its input, its command line, its figures."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from crumple.lab.applications.case import StudyCase
from crumple.registry import Registry

#: figures that the lab itself enters for every run; memory and energy only if they are known
OF_EVERY_RUN = ("elapsed [s]", "rating", "jobs a day", "cpu [s]", "memory [MiB]", "energy [Wh]")


class Settings(BaseModel):
    """The keys of [workload] that an application has; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    application: str


@dataclass
class Figures:
    """The results of a run that has ended."""

    values: dict[str, float] = field(default_factory=dict)  #: by name with unit, such as "elapsed [s]"
    phases: dict[str, list[float]] = field(default_factory=dict)  #: seconds of each rank, by phase
    texts: dict[str, str] = field(default_factory=dict)  #: such as the state hash
    failure: str = ""  #: why the run does not count, although it exited with 0
    missing: list[str] = field(default_factory=list)  #: values that are missing, each with the reason

    def not_finite(self) -> str:
        """The value or phase that is infinite or not a number, in words; empty if all are numbers."""
        seconds = [
            (f"{name} of rank {k}", s) for name, each in self.phases.items() for k, s in enumerate(each)
        ]
        for name, value in [*self.values.items(), *seconds]:
            if not math.isfinite(value):
                return f"'{name}' is {value}: not a finite number"
        return ""


class PreparationError(Exception):
    """A run could not be prepared. The message has the reason and the output of the preparing program."""


class Application(Protocol):
    """One program. An instance is made from the workload's settings and is used for all runs of a study.

    Programs derive from this class. They need not define `obstacle`, `environment` and `known_figures`.
    """

    name: ClassVar[str]
    axes: ClassVar[frozenset[str]]  #: axes that it supports, of decomposition and precision
    Settings: ClassVar[type[Settings]]

    def __init__(self, settings: Settings, base: Path) -> None:
        """Check the settings. Paths in them are relative to `base`, the folder of the study file.

        Raises:
            StudyError: a file that they name is missing.
        """

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The executable of a case. Raises StudyError if there is none."""

    def obstacle(self, case: StudyCase) -> str:
        """Why the program cannot run a case, which is then left out; empty if it can."""
        return ""

    def environment(self, case: StudyCase) -> dict[str, str]:
        """Environment variables that the program needs."""
        return {}

    def known_figures(self) -> list[str] | None:
        """Names of the figures that runs can have, besides those of the lab; None if not known in advance."""
        return None

    def inputs(self) -> list[Path]:
        """Files on whose contents the result depends; their hashes are in the provenance."""

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Write the program's input into the folder of a run; the time of this does not count.

        Raises:
            PreparationError: a preparing program failed; the run is entered as failed.
        """

    def arguments(self, case: StudyCase) -> list[str]:
        """The arguments of the executable, which runs in that folder."""

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Read the results from the folder and the printed output."""


APPLICATIONS: Registry[type[Application]] = Registry("application")


def application(kind: type[Application]) -> type[Application]:
    """Register an application under its name (a decorator of its class).

    Raises:
        DuplicateNameError: there is an application of this name already.
    """
    APPLICATIONS.add(kind.name, kind)
    return kind
