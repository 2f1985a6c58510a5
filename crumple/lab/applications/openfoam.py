"""OpenFOAM: coolant flow through a jacket, any number of cells, a fixed number of iterations."""

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from crumple.lab.applications.application import Application, Figures, PreparationError, Settings, application
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.applications.preparation import prepare_with, seconds_of
from crumple.lab.toml_table import nearest
from crumple.models.coolant import START, write_coolant, write_decomposition
from crumple.results.printed_number import printed_number

#: in Debian, scotch, metis and kahip are empty libraries
METHODS = ("hierarchical", "simple")

DEBIAN = Path("/usr/share/openfoam")
CELLS = re.compile(r"^\s*nCells: (\d+)", re.M)
TIMES = re.compile(r"^ExecutionTime = (\S+) s  ClockTime = (\S+) s", re.M)
RESIDUAL = re.compile(r"Solving for (\w+), Initial residual = ([^,]+),")
FLOW = re.compile(r"sum\((\w+)\) of phi = (\S+)")


class OpenFoamSettings(Settings):
    """Size of the case, and the OpenFOAM solver for it."""

    cells: int = Field(20_000, ge=500)
    solver: Literal["simpleFoam", "pisoFoam"] = "simpleFoam"
    iterations: int = Field(20, gt=START)  #: for pisoFoam: time steps


@application
class OpenFoam(Application):
    """simpleFoam or pisoFoam. The mesh is made once per study, and so is each decomposition."""

    name: ClassVar[str] = "openfoam"
    axes: ClassVar[frozenset[str]] = frozenset({"decomposition"})
    Settings: ClassVar[type[Settings]] = OpenFoamSettings

    def __init__(self, settings: OpenFoamSettings, base: Path) -> None:
        self.settings = settings
        self.base = base
        self.meshed: Path | None = None
        self.decomposed: dict[tuple[int, str], Path] = {}
        self.folder: tempfile.TemporaryDirectory | None = None

    def executable(self, case: StudyCase, versions: dict[str, Path]) -> Path:
        """The executable of the version, or the OpenFOAM solver on the PATH."""
        if case.version:
            return versions[case.version]
        found = shutil.which(self.settings.solver)
        if not found:
            raise StudyError(f"there is no {self.settings.solver}: install OpenFOAM (Debian: openfoam)")
        return Path(found).resolve()

    def obstacle(self, case: StudyCase) -> str:
        """One rank has no decomposition; threads are not supported."""
        if case.decomposition and case.decomposition not in METHODS:
            known = nearest(case.decomposition, list(METHODS))
            return f"there is no decomposition '{case.decomposition}'{known}"
        if case.threads > 1:
            return "OpenFOAM has no threads"
        if case.mpi == "mpich" and not case.version:
            return "Debian's OpenFOAM is built for Open MPI"
        return ""

    def environment(self, case: StudyCase) -> dict[str, str]:
        """The folder of OpenFOAM's own files; Debian's package has no bashrc that sets it."""
        return {"WM_PROJECT_DIR": os.environ.get("WM_PROJECT_DIR", str(DEBIAN))}

    def inputs(self) -> list[Path]:
        """No files: the case is made by this code."""
        return []

    def run_in(self, directory: Path, program: str, case: StudyCase) -> Path:
        """Run one of OpenFOAM's programs in a folder; the folder is removed if the program fails."""
        try:
            prepare_with(program, [program], directory, self.environment(case))
        except PreparationError:
            shutil.rmtree(directory)
            raise
        return directory

    def mesh(self, case: StudyCase) -> Path:
        """The case with its mesh; it is made on first use."""
        if not self.meshed:
            self.folder = tempfile.TemporaryDirectory(prefix="crumple-openfoam-")
            directory = Path(self.folder.name) / "mesh"
            write_coolant(directory, self.settings.cells, self.settings.solver, self.settings.iterations)
            self.meshed = self.run_in(directory, "blockMesh", case)
        return self.meshed

    def decompose(self, case: StudyCase) -> Path:
        """The case in as many parts as there are ranks; it is made on first use."""
        meshed, method = self.mesh(case), case.decomposition or METHODS[0]
        if case.ranks == 1:
            return meshed
        key = (case.ranks, method)
        if key not in self.decomposed:
            directory = meshed.with_name(f"{method}-{case.ranks}")
            shutil.copytree(meshed, directory, dirs_exist_ok=True)
            write_decomposition(directory, case.ranks, method)
            self.run_in(directory, "decomposePar", case)
            # ranks read only the files below processor*; the others need no copy
            shutil.rmtree(directory / "constant" / "polyMesh")
            shutil.rmtree(directory / "0")
            self.decomposed[key] = directory
        return self.decomposed[key]

    def prepare(self, case: StudyCase, directory: Path) -> None:
        """Copy the case that is prepared for this number of ranks."""
        shutil.copytree(self.decompose(case), directory, dirs_exist_ok=True)

    def arguments(self, case: StudyCase) -> list[str]:
        """-parallel, if there are several parts."""
        return ["-parallel"] if case.ranks > 1 else []

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """Rating, seconds per iteration, OpenFOAM's own times, residuals, and mass flow."""
        figures = Figures()
        times, flow = TIMES.findall(log), dict(FLOW.findall(log))
        if len(times) != self.settings.iterations or not {"inlet", "outlet"} <= flow.keys():
            figures.failure = f"{len(times)} of {self.settings.iterations} iterations were done"
            return figures
        mesh = CELLS.search((directory / "blockMesh.txt").read_text(errors="replace"))
        if not mesh:
            figures.failure = "blockMesh did not say how many cells the mesh has"
            return figures
        # OpenFOAM's ClockTime has whole seconds. The times at which its files were last written are finer:
        # the one after iteration START and the other after the last.
        begin, end = (
            (directory / "postProcessing" / name / "0" / "surfaceFieldValue.dat").stat().st_mtime
            for name in ("begin", "outflow")
        )
        counted = end - begin
        iteration = counted / (self.settings.iterations - START)
        cells = int(mesh[1])
        inflow, outflow = -printed_number(flow["inlet"]), printed_number(flow["outlet"])
        figures.values = {
            "mesh cells": cells,
            "iteration [s]": iteration,
            "CFD rating": 86400.0 / counted,
            "iteration [ns a cell]": 1e9 * iteration / cells,
            "ExecutionTime [s]": printed_number(times[-1][0]),
            "ClockTime [s]": printed_number(times[-1][1]),
            "mass balance [%]": 100.0 * abs(outflow - inflow) / inflow,
        }
        figures.values |= seconds_of("blockMesh", directory) | seconds_of("decomposePar", directory)
        for name, value in dict(RESIDUAL.findall(log)).items():
            figures.values[f"residual of {name}"] = printed_number(value)
        return figures
