"""Any MPI program with its command line; figures by regular expressions on its printed output."""

import re
import shutil
from pathlib import Path
from typing import ClassVar

from pydantic import field_validator

from crumple.lab.applications.application import OF_EVERY_RUN, Application, Figures, Settings, application
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.results.printed_number import NoNumber, printed_number


class CommandSettings(Settings):
    """A program, its arguments, and the figures to read."""

    program: str
    arguments: list[str] = []
    files: list[Path] = []  #: copied into each run's folder
    figures: dict[str, str] = {}  #: name -> expression with one group; the last match counts

    @field_validator("figures")
    @classmethod
    def one_group(cls, expressions: dict[str, str]) -> dict[str, str]:
        """An expression must compile and have one group; its name must not be a name of the lab."""
        for name, expression in expressions.items():
            try:
                groups = re.compile(expression).groups
            except re.error as error:
                raise ValueError(f"'{name}' is not a regular expression: {error}") from None
            if name in OF_EVERY_RUN:
                raise ValueError(f"'{name}' is a figure of the lab itself: choose another name")
            if groups != 1:
                raise ValueError(f"'{name}' must have one group, and has {groups}")
        return expressions


@application
class Command(Application):
    """A program that the study file names."""

    name: ClassVar[str] = "command"
    axes: ClassVar[frozenset[str]] = frozenset()
    Settings: ClassVar[type[Settings]] = CommandSettings

    def __init__(self, settings: CommandSettings, base: Path) -> None:
        self.settings = settings
        self.base = base
        for file in settings.files:
            if not (base / file).is_file():
                raise StudyError(f"there is no file {base / file}")

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The executable of the version, the file beside the study, or the program on the PATH."""
        if case.version:
            return versions[case.version]
        beside = self.base / self.settings.program
        found = str(beside) if beside.is_file() else shutil.which(self.settings.program)
        if not found:
            raise StudyError(f"there is no program '{self.settings.program}'")
        return Path(found).resolve()

    def known_figures(self) -> list[str]:
        """The names in the study file."""
        return list(self.settings.figures)

    def inputs(self) -> list[Path]:
        """The copied files."""
        return [self.base / file for file in self.settings.files]

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Copy the files."""
        for file in self.settings.files:
            shutil.copy(self.base / file, directory / file.name)

    def arguments(self, case: StudyCase) -> list[str]:
        """The arguments in the file, with {ranks} and the like replaced."""
        filled = {name: str(getattr(case, name)) for name in ("ranks", "threads", "jobs", "precision")}
        return [
            re.sub(r"\{(\w+)\}", lambda m: filled.get(m[1], m[0]), word) for word in self.settings.arguments
        ]

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """The last match of each expression; a run does not count if none is found."""
        figures = Figures()
        for name, expression in self.settings.figures.items():
            found = re.findall(expression, log, re.M)
            if not found:
                figures.missing.append(f"'{name}' was not found in what the program printed")
                continue
            try:
                figures.values[name] = printed_number(found[-1])
            except NoNumber as error:
                figures.missing.append(f"'{name}': {error}")
        if figures.missing and not figures.values:
            figures.failure = "; ".join(figures.missing)
        return figures
