"""Pictures of the decompositions that a study of our solver compares."""

import contextlib
import subprocess
import tempfile
import tomllib
from pathlib import Path

from crumple import solver
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.applications.crumple_solver import CrumpleSolver, SolverSettings
from crumple.lab.report.measurements import Measurements


def workload_of(m: Measurements) -> CrumpleSolver | None:
    """The study's program, if it is our solver and its input files still exist."""
    workload = tomllib.loads(m.file).get("workload", {})
    if workload.get("application", "crumple") != CrumpleSolver.name:
        return None
    with contextlib.suppress(StudyError, ValueError):
        settings = SolverSettings.model_validate({**workload, "application": CrumpleSolver.name})
        return CrumpleSolver(settings, m.path.parent)
    return None


def draw(program: CrumpleSolver, case: StudyCase, folder: Path, output: Path) -> bool:
    """Decompose the workload as in a case, and draw it; returns whether this succeeded."""
    program.prepare(case, folder)
    words = [*program.arguments(case), "--decompose", str(case.ranks), "-d", str(folder)]
    command = solver.mpirun(1, words)
    done = subprocess.run(command, env=solver.environment(), cwd=folder, capture_output=True, check=False)
    if done.returncode or not (folder / "d3plot").exists():  # an implicit model stays whole
        return False
    from crumple.view.ranks import draw_ranks

    draw_ranks(folder, output)
    return True


def draw_decompositions(m: Measurements, folder: Path) -> dict[str, Path]:
    """Pictures by their subject; none if the study varies no decomposition, or nothing can be drawn."""
    program = workload_of(m) if "decomposition" in m.varied() else None
    if program is None:
        return {}
    cases = m.cases()
    found = {}
    for number, (name, group) in enumerate(cases.groupby("decomposition", sort=False)):
        case = group.loc[group.ranks.idxmax()].case
        path = folder / f"decomposition-{number + 1}.png"
        with tempfile.TemporaryDirectory(prefix="crumple-decomposition-") as scratch:
            with contextlib.suppress(OSError, StudyError):
                if draw(program, case, Path(scratch), path):
                    found[f"{name}: {case.ranks} ranks"] = path
    return found
