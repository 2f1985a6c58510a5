"""Runs the programs that prepare a run by meshing or decomposition; their time is counted separately."""

import os
import re
from pathlib import Path

from crumple.lab.applications.application import PreparationError
from crumple.lab.processes import Job, run_jobs

LIMIT = 3600.0  #: s
TOOK = re.compile(r"^took (\S+) s$", re.M)


def prepare_with(
    name: str, command: list[str], directory: Path, environment: dict[str, str], limit: float = LIMIT
) -> str:
    """Run one program in a folder, with environment variables in addition to those of this process.

    Its output and its seconds are written to NAME.txt there, and returned.

    Raises:
        PreparationError: it failed or took too long.
    """
    ended = run_jobs([Job(command, directory, dict(os.environ) | environment)], limit)
    log = (directory / "log.txt").read_text(errors="replace")
    if ended.timed_out:
        raise PreparationError(f"{name} took more than {limit:g} s\n{log}")
    if ended.statuses[0]:
        raise PreparationError(f"{name} failed: exit status {ended.statuses[0]}\n{log}")
    (directory / "log.txt").unlink()
    (directory / f"{name}.txt").write_text(f"{log}\ntook {ended.elapsed:.3f} s\n")
    return log


def seconds_of(name: str, directory: Path) -> dict[str, float]:
    """The figure "NAME [s]": the seconds of a preparing program; empty if it was not run."""
    path = directory / f"{name}.txt"
    found = TOOK.findall(path.read_text(errors="replace")) if path.is_file() else []
    return {f"{name} [s]": float(found[-1])} if found else {}
