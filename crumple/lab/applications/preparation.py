"""Runs the programs that prepare a run: they mesh and decompose, and their time is counted apart."""

import os
from pathlib import Path

from crumple.lab.applications.application import PreparationError
from crumple.lab.study.processes import Job, run_jobs

LIMIT = 3600.0  #: s


def prepare_with(command: list[str], directory: Path, environment: dict[str, str]) -> float:
    """Run one program in a folder, with variables beside those of this process; returns its seconds.

    Raises:
        PreparationError: it failed or took too long.
    """
    ended = run_jobs([Job(command, directory, dict(os.environ) | environment)], LIMIT)
    log = (directory / "log.txt").read_text(errors="replace")
    if ended.timed_out:
        raise PreparationError(f"{log}\n{command[0]} took more than {LIMIT:.0f} s")
    if ended.statuses[0]:
        raise PreparationError(f"{log}\n{command[0]} failed: exit status {ended.statuses[0]}")
    return ended.elapsed
