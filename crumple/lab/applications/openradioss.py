"""OpenRadioss, and OpenCourant, its successor: the starter prepares a run, the engine is timed."""

import os
import shutil
from pathlib import Path
from typing import ClassVar

from crumple.lab.applications.application import (
    Application,
    Figures,
    PreparationError,
    Settings,
    application,
)
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.applications.preparation import prepare_with, seconds_of
from crumple.results.radioss_listing import failure_in, read_listing

#: endings of executables: the platform, then the MPI library
PLATFORMS = ("_linux64_gf", "_linuxa64", "")
FAMILIES = {"mpich": "_impi"}


class RadiossSettings(Settings):
    """The input of the starter and of the engine, and the folder of the programs."""

    deck: Path  #: NAME_0000.rad, or a deck of LS-DYNA's keywords, NAME.k
    engine: Path  #: NAME_0001.rad
    files: list[Path] = []  #: copied into each run's folder, such as those that the deck includes
    folder: Path | None = None  #: folder of the executables; None: the PATH


@application
class OpenRadioss(Application):
    """OpenRadioss."""

    name: ClassVar[str] = "openradioss"
    axes: ClassVar[frozenset[str]] = frozenset({"precision"})
    Settings: ClassVar[type[Settings]] = RadiossSettings

    def __init__(self, settings: RadiossSettings, base: Path) -> None:
        self.settings = settings
        self.base = base
        for file in self.inputs():
            if not file.is_file():
                raise StudyError(f"there is no file {file}")
        if not settings.engine.name.endswith("_0001.rad"):
            raise StudyError(f"'engine' is NAME_0001.rad, not {settings.engine.name}")

    def program(self, kind: str, case: StudyCase, families: tuple[str, ...]) -> Path | None:
        """The starter or engine for a case's precision, built for one of some MPI libraries."""
        precision = "_sp" if case.precision == "single" else ""
        for platform in PLATFORMS:
            for family in families:
                name = f"{kind}{platform}{family}{precision}"
                if self.settings.folder:
                    path = self.base / self.settings.folder.expanduser() / name
                    if path.is_file():
                        return path.resolve()
                elif found := shutil.which(name):
                    return Path(found).resolve()
        return None

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The engine of the version, or the one for the case's MPI library and precision."""
        if case.version:
            return versions[case.version]
        mpi = FAMILIES.get(case.mpi, "_ompi")
        found = self.program("engine", case, (mpi, "") if case.ranks == 1 else (mpi,))
        if not found:
            where = self.settings.folder or "the PATH"
            raise StudyError(f"there is no engine for {case.mpi} in {where}: engine{PLATFORMS[0]}{mpi}")
        return found

    def obstacle(self, case: StudyCase) -> str:
        """The starter must exist, too."""
        return "" if self.program("starter", case, ("",)) else "there is no starter of this precision"

    def environment(self, case: StudyCase) -> dict[str, str]:
        """Stack size of the threads, and the folder of the input readers, beside the executables."""
        variables = {"OMP_NUM_THREADS": str(case.threads), "OMP_STACKSIZE": "400m"}
        starter = self.program("starter", case, ("",))
        root = starter.parent.parent if starter else None
        if root and (root / "hm_cfg_files").is_dir():
            libraries = [root / "extlib" / part for part in ("hm_reader/linux64", "h3d/lib/linux64")]
            paths = [*map(str, libraries), os.environ.get("LD_LIBRARY_PATH", "")]
            variables |= {
                "OPENRADIOSS_PATH": str(root),
                "RAD_CFG_PATH": str(root / "hm_cfg_files"),
                "RAD_H3D_PATH": str(libraries[1]),
                "LD_LIBRARY_PATH": ":".join(filter(None, paths)),
            }
        return variables

    def inputs(self) -> list[Path]:
        """Decks and copied files."""
        files = (self.settings.deck, self.settings.engine, *self.settings.files)
        return [self.base / file for file in files]

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Copy the input and let the starter split it into as many domains as there are ranks."""
        for file in self.inputs():
            shutil.copy(file, directory / file.name)
        starter = self.program("starter", case, ("",))
        words = ["-i", self.settings.deck.name, "-np", str(case.ranks), "-nt", str(case.threads)]
        said = prepare_with("starter", [str(starter), *words], directory, self.environment(case))
        listing = directory / f"{self.root()}_0000.out"
        if listing.is_file():
            said += listing.read_text(errors="replace")
        if failure := failure_in(said):
            raise PreparationError(f"the starter failed: {failure}\n{said}")

    def root(self) -> str:
        """NAME of NAME_0001.rad, with which the names of a run's files begin."""
        return self.settings.engine.name.removesuffix("_0001.rad")

    def arguments(self, case: StudyCase) -> list[str]:
        """The engine's input and number of threads."""
        return ["-i", self.settings.engine.name, "-nt", str(case.threads)]

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Cycles, seconds, energy error and phases of each process from the engine's listing."""
        figures = Figures()
        path = directory / f"{self.root()}_0001.out"
        if not path.is_file():
            figures.failure = f"the engine wrote no {path.name}"
            return figures
        listing = read_listing(path)
        if listing.failure:
            figures.failure = listing.failure
            return figures
        named = {
            "cycles": listing.cycles,
            "solver [s]": listing.elapsed,
            "time reached": listing.time,
            "energy error [%]": listing.energy_error,
            "mass error": listing.mass_error,
            "memory of a process [MB]": listing.memory,
        }
        figures.values = {name: float(value) for name, value in named.items() if value is not None}
        figures.values |= seconds_of("starter", directory)
        if listing.precision:
            figures.texts["precision"] = listing.precision
        figures.phases = listing.phases
        return figures


@application
class OpenCourant(OpenRadioss):
    """OpenCourant, the successor of OpenRadioss, has the same programs, input and listings."""

    name: ClassVar[str] = "opencourant"
