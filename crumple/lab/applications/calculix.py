"""CalculiX: a static model of six nested cylinders, of any size, with a known answer."""

import math
import re
import shutil
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from crumple.lab.applications.application import Application, Figures, Settings, application
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.models.cylinders_calculix import INNER, Joint, divisions, lame, write_cylinders
from crumple.results.printed_number import printed_number

NAME = "cylinders"
SOLVERS = {
    "spooles": "SPOOLES",
    "iterative-cholesky": "ITERATIVE CHOLESKY",
    "iterative-scaling": "ITERATIVE SCALING",
}
EQUATIONS = re.compile(r"^\s*number of equations\s+(\d+)", re.M)
NONZEROS = re.compile(r"^\s*number of nonzero lower triangular matrix elements\s+(\d+)", re.M)
ITERATION = re.compile(r"^\s*iteration \d+\s*$", re.M)
TOTAL = re.compile(r"^Total CalculiX Time: (\S+)", re.M)
ERROR = re.compile(r"^\s*(\*ERROR.*(?:\n\s+\S.*)*)", re.M)
BORE = re.compile(r"displacements .* for set BORE .*\n\s*\n((?:\s*\d+(?:\s+\S+){3}\n)+)")


class CalculixSettings(Settings):
    """Size of the model, and the solver for it."""

    elements: int = Field(20_000, ge=200)
    joint: Joint = "tied"
    linear_solver: Literal["spooles", "iterative-cholesky", "iterative-scaling"] = "spooles"


@application
class Calculix(Application):
    """ccx, on one rank, with threads."""

    name: ClassVar[str] = "calculix"
    axes: ClassVar[frozenset[str]] = frozenset()
    Settings: ClassVar[type[Settings]] = CalculixSettings

    def __init__(self, settings: CalculixSettings, base: Path) -> None:
        self.settings = settings

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The executable of the version, or ccx on the PATH."""
        if case.version:
            return versions[case.version]
        found = shutil.which("ccx")
        if not found:
            raise StudyError("there is no ccx: install CalculiX (Debian: calculix-ccx)")
        return Path(found).resolve()

    def obstacle(self, case: StudyCase) -> str:
        """MPI is not supported."""
        return "CalculiX runs on one rank; it has threads" if case.ranks > 1 else ""

    def environment(self, case: StudyCase) -> dict[str, str]:
        """The numbers of threads for the assembly, the equation solver and the stresses."""
        names = ("OMP_NUM_THREADS", "CCX_NPROC_STIFFNESS", "CCX_NPROC_EQUATION_SOLVER", "CCX_NPROC_RESULTS")
        return dict.fromkeys(names, str(case.threads))

    def inputs(self) -> list[Path]:
        """No files: the model is made by this code."""
        return []

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Write the deck."""
        solver = SOLVERS[self.settings.linear_solver]
        write_cylinders(directory / f"{NAME}.inp", self.settings.elements, self.settings.joint, solver)

    def arguments(self, case: StudyCase) -> list[str]:
        """The deck's name."""
        return ["-i", NAME]

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Equations, iterations, the time printed by ccx, and the error against Lame's answer."""
        figures = Figures()
        results = directory / f"{NAME}.dat"
        total, equations, nonzeros = TOTAL.search(log), EQUATIONS.search(log), NONZEROS.search(log)
        bore = BORE.search(results.read_text()) if results.is_file() else None
        if error := ERROR.search(log):
            figures.failure = " ".join(error[1].split())
        elif not (total and equations and nonzeros and bore):
            figures.failure = "CalculiX did not reach its end"
        if figures.failure:
            return figures
        across = [[printed_number(w) for w in line.split()[1:3]] for line in bore[1].splitlines()]
        moved = [math.hypot(*each) for each in across]
        exact = lame(INNER)
        figures.values = {
            "elements": divisions(self.settings.elements).elements,
            "equations": float(equations[1]),
            "nonzeros": float(nonzeros[1]),
            "iterations": float(max(1, len(ITERATION.findall(log)))),
            "CalculiX [s]": printed_number(total[1]),
            "error against Lame [%]": 100.0 * max(abs(u - exact) for u in moved) / exact,
        }
        return figures
