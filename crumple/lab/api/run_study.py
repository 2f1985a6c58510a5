"""Studies of programs over ranks, MPI libraries, ... from Python, as `crumple study` runs them."""

import os
from collections.abc import Callable
from pathlib import Path

from crumple.lab.applications.case import StudyError
from crumple.lab.report.measurements import Measurements, read_measurements
from crumple.lab.study.conductor import Conductor, make_plan
from crumple.lab.study.database import Database, RunOutcome
from crumple.lab.study.where.system import Run


def nothing(_run: Run, _outcome: RunOutcome) -> None:
    """Tells nothing of a run."""


def run_study(
    file: str | os.PathLike[str],
    database: str | os.PathLike[str] | None = None,
    on_run: Callable[[Run, RunOutcome], object] = nothing,
    say: Callable[[str], object] = lambda _: None,
) -> Measurements:
    """Do all runs of a study file that are not done yet, and return all its results as tables.

    Args:
        file: a study file (docs/studies.md)
        database: for the results; default: NAME.db in the current folder
        on_run: told of each run that has ended

    Raises:
        StudyError: the file is wrong, or none of its cases can run. Runs that fail are rows of `runs`.
    """
    plan = make_plan(Path(file))
    if not plan.runs:
        raise StudyError(f"{file}: nothing can run: all cases are left out")
    path = Path(database) if database else Path(f"{plan.study.study.name}.db")
    Conductor(plan, Database(path)).conduct(on_run, say)
    return read_measurements(path)
