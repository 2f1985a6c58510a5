"""LS-DYNA, MPP, SMP or hybrid: its command line and its output."""

import shutil
from pathlib import Path
from typing import ClassVar

from crumple.lab.applications.application import Application, Figures, Settings, application
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.results.histories import Histories
from crumple.results.lsdyna_log import LsDynaLog, read_lsdyna_load_profile, read_lsdyna_log
from crumple.results.run_files import RunFiles

PFILE = "pfile:"


class LsDynaSettings(Settings):
    """A deck, the executables, and arguments of the command line."""

    deck: Path
    program: str = ""  #: or [versions]; the one of single precision if precision is an axis
    program_double: str = ""
    memory: str = ""  #: words, such as "700m"; memory2 is that of the other ranks
    memory2: str = ""
    files: list[Path] = []  #: copied into each run's folder, such as those that the deck includes
    options: list[str] = []  #: further arguments
    consistent: bool = True  #: threads add in the same order (ncpu with a minus)


@application
class LsDyna(Application):
    """LS-DYNA. The user must have an executable for the study's MPI library."""

    name: ClassVar[str] = "ls-dyna"
    axes: ClassVar[frozenset[str]] = frozenset({"decomposition", "precision"})
    Settings: ClassVar[type[Settings]] = LsDynaSettings

    def __init__(self, settings: LsDynaSettings, base: Path) -> None:
        self.settings = settings
        self.base = base
        for file in (settings.deck, *settings.files):
            if not (base / file).is_file():
                raise StudyError(f"there is no file {base / file}")

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The executable of the version, or the program for the case's precision."""
        if case.version:
            return versions[case.version]
        key = "program_double" if case.precision == "double" else "program"
        named = getattr(self.settings, key)
        if not named:
            raise StudyError(f"ls-dyna needs '{key}' in [workload], or an axis 'version'")
        beside = self.base / named
        found = str(beside) if beside.is_file() else shutil.which(named)
        if not found:
            raise StudyError(f"there is no program '{named}'")
        return Path(found).resolve()

    def obstacle(self, case: StudyCase) -> str:
        """The pfile must exist."""
        file = self.base / case.decomposition.removeprefix(PFILE)
        if not case.decomposition:
            return ""
        if not case.decomposition.startswith(PFILE):
            return f"LS-DYNA's decompositions are pfile:PATH, not '{case.decomposition}'"
        return "" if file.is_file() else f"there is no {file}"

    def inputs(self) -> list[Path]:
        """The deck and the copied files."""
        return [self.base / self.settings.deck, *(self.base / file for file in self.settings.files)]

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Copy the files, and the pfile if there is one."""
        for file in self.settings.files:
            shutil.copy(self.base / file, directory / file.name)
        if case.decomposition:
            shutil.copy(self.base / case.decomposition.removeprefix(PFILE), directory / "pfile")

    def arguments(self, case: StudyCase) -> list[str]:
        """i=, memory=, memory2=, p=, ncpu= and the options in the file."""
        words = [f"i={(self.base / self.settings.deck).resolve()}"]
        if self.settings.memory:
            words.append(f"memory={self.settings.memory}")
        if self.settings.memory2:
            words.append(f"memory2={self.settings.memory2}")
        if case.decomposition:
            words.append("p=pfile")
        if case.threads > 1:
            words.append(f"ncpu={'-' if self.settings.consistent else ''}{case.threads}")
        return words + self.settings.options

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Cycles, seconds, phases and version from d3hsp, mes*, load_profile.csv and glstat or binout."""
        figures = Figures()
        written = directory / "d3hsp"
        if not written.is_file():
            figures.failure = "LS-DYNA wrote no d3hsp"
            return figures
        d3hsp = read_lsdyna_log(written)
        messages = [read_lsdyna_log(p) for p in sorted(directory.glob("mes[0-9]*"))]
        if why := failure_of(case, d3hsp, messages):
            figures.failure = why
            return figures
        named = {
            "cycles": d3hsp.cycles,
            "solver [s]": d3hsp.elapsed,
            "all phases [s]": d3hsp.total,
            "zone cycle [ns]": d3hsp.zone_cycle,
            "time reached": d3hsp.time,
            "warnings": sum(m.warnings for m in messages) or d3hsp.warnings,
        }
        figures.values = {name: float(value) for name, value in named.items() if value is not None}
        figures.values |= energy_ratio(directory)
        figures.texts = {
            name: text for name in ("version", "revision", "precision") if (text := getattr(d3hsp, name))
        }
        figures.phases = {name: [seconds] for name, seconds in d3hsp.phases.items()}
        if (profile := directory / "load_profile.csv").is_file():
            figures.phases = read_lsdyna_load_profile(profile)
        return figures


def failure_of(case: StudyCase, d3hsp: LsDynaLog, messages: list[LsDynaLog]) -> str:
    """Why a run does not count; LS-DYNA always exits with 0."""
    logs = [d3hsp, *messages]
    if any(log.ending == "error" for log in logs):
        errors = [error for log in logs for error in log.errors]
        return "error termination" + (f": {errors[0]}" if errors else "")
    if not any(log.ending == "normal" for log in logs):
        return "LS-DYNA did not reach its end"
    ranks = next((log.ranks for log in logs if log.ranks), 1)
    if ranks != case.ranks:
        return f"LS-DYNA ran on {ranks} ranks, not on {case.ranks}: is it MPP, and built for this MPI?"
    return ""


def energy_ratio(directory: Path) -> dict[str, float]:
    """Total over initial energy in the last row of glstat, text or binout; empty if there is none."""
    try:
        table = Histories(RunFiles(directory)).glstat()
    except ValueError:
        return {}
    ratio = None if table is None else table.get("total energy / initial energy")
    return {} if ratio is None else {"energy ratio": float(ratio.iloc[-1])}


__all__ = ["LsDyna", "LsDynaSettings"]
