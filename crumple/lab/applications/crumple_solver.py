"""Our solver: a deck, or a model that `crumple model` makes for the run."""

import re
import shutil
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import PositiveFloat, PositiveInt, model_validator

from crumple.lab.applications.application import Application, Figures, Settings, application
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.models import Wishes, find_model, write_model
from crumple.results.load_profile import read_load_profile
from crumple.solver import solver_for

SPEED = re.compile(r"^\s*(\d+) cycles in ([\d.]+) s, ([\d.]+) ns per zone and cycle", re.M)
ELEMENTS = re.compile(r"^ (\d+) elements, mass ", re.M)
DUMP = re.compile(r"^\s*\S+ written, cycle \d+: ([\d.]+) MB in ([\d.]+) s", re.M)
HASH = re.compile(r"^\s*state hash: ([0-9a-f]{16})", re.M)


class SolverSettings(Settings):
    """Deck or model, and its end time."""

    deck: Path | None = None
    model: str = ""
    elements: PositiveInt = 20_000
    end_time: PositiveFloat | None = None  #: instead of the deck's end time
    plot_states: PositiveInt | None = (
        None  #: number of d3plot states in a run of a model, instead of those at the deck's times
    )
    dump_cycles: PositiveInt | None = None  #: cycles between dumps to runrsf, instead of the deck's
    dump_layout: Literal["files", "shared"] | None = None  #: of dumps: a file for each rank, or one of all

    @model_validator(mode="after")
    def one_of_both(self) -> "SolverSettings":
        """There must be either a deck or a model."""
        if bool(self.deck) == bool(self.model):
            raise ValueError("give either 'deck' or 'model'")
        if self.plot_states and not self.model:
            raise ValueError("'plot_states' is for models: a deck has its own output times")
        return self


@application
class CrumpleSolver(Application):
    """crumple-solver."""

    name: ClassVar[str] = "crumple"
    axes: ClassVar[frozenset[str]] = frozenset({"decomposition", "precision"})
    Settings: ClassVar[type[Settings]] = SolverSettings

    def __init__(self, settings: SolverSettings, base: Path) -> None:
        self.settings = settings
        self.base = base
        if settings.model:
            try:
                find_model(settings.model)
            except ValueError as error:
                raise StudyError(str(error)) from None
        if settings.deck and not (base / settings.deck).is_file():
            raise StudyError(f"there is no deck {base / settings.deck}")

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The executable of the version, or that of the checkout, built for the case's MPI library."""
        if case.version:
            return versions[case.version]
        try:
            return solver_for(case.mpi)
        except FileNotFoundError as error:
            raise StudyError(str(error)) from None

    def inputs(self) -> list[Path]:
        """The deck; a model is made by this code."""
        return [self.base / self.settings.deck] if self.settings.deck else []

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Write the model, and the pfile if the decomposition is one."""
        if self.settings.model:
            s = self.settings
            wishes = Wishes(s.elements)
            if s.plot_states:  # distributed over this run, not over the model's own end time
                wishes = Wishes(s.elements, end_time=s.end_time, plots=s.plot_states)
            write_model(s.model, directory / "model.k", wishes)
        if case.decomposition.startswith("pfile:"):
            shutil.copy(self.base / case.decomposition.removeprefix("pfile:"), directory / "pfile")

    def arguments(self, case: StudyCase) -> list[str]:
        """LS-DYNA's arguments, and our own."""
        deck = "model.k" if self.settings.model else str((self.base / self.settings.deck).resolve())
        words = [f"i={deck}", "--threads", str(case.threads)]
        if self.settings.end_time is not None:
            words.append(f"endtime={self.settings.end_time}")
        if self.settings.dump_cycles is not None:
            words += ["--dump-cycles", str(self.settings.dump_cycles)]
        if self.settings.dump_layout is not None:
            words += ["--dump-layout", self.settings.dump_layout]
        if case.precision:
            words += ["--precision", case.precision]
        if case.decomposition.startswith("pfile:"):
            words.append("p=pfile")
        elif case.decomposition:
            words += ["--decomposition", case.decomposition]
        return words

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Speed, dumps, phases and state hash, from the printed output and load_profile."""
        figures = Figures()
        if not (speed := SPEED.search(log)):
            figures.failure = "the solver did not reach its end"
            return figures
        figures.values = {
            "cycles": float(speed[1]),
            "solver [s]": seconds_of(log, speed),
            "zone cycle [ns]": float(speed[3]),
        }
        if dumps := DUMP.findall(log):
            figures.values["dumps"] = float(len(dumps))
            figures.values["dumped [MB]"] = sum(float(size) for size, _ in dumps)
            figures.values["dumping [s]"] = sum(float(seconds) for _, seconds in dumps)
        if found := HASH.search(log):
            figures.texts["state hash"] = found[1]
        if (profile := directory / "load_profile").is_file():
            table = read_load_profile(profile)
            figures.phases = {str(name): [float(x) for x in table[name]] for name in table.columns}
        return figures


def seconds_of(log: str, speed: re.Match[str]) -> float:
    """Seconds of the cycles, from the ns per element and cycle: seconds are printed only to a tenth."""
    if elements := ELEMENTS.search(log):
        return round(1e-9 * float(speed[3]) * int(elements[1]) * int(speed[1]), 4)
    return float(speed[2])
