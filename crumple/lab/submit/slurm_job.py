"""Submits a run to Slurm: writes the script of its job, and gives it to sbatch."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import crumple
from crumple.lab.submit.advised import SubmitError
from crumple.lab.submit.job_script import JobWish, job_script

SCRIPT = "job.sh"


@dataclass(frozen=True)
class SubmittedJob:
    """A job that Slurm has taken."""

    number: str
    script: Path
    log: Path  #: what it prints


def this_program() -> list[str]:
    """The words that start this program on the nodes, too."""
    return [sys.executable, "-P", str(Path(crumple.__file__).with_name("__main__.py"))]


def check_to_submit(deck: Path) -> None:
    """Find errors now, not when the job has waited for its nodes.

    Raises:
        SubmitError: the deck has errors; with what `crumple check` says.
        FileNotFoundError: the solver is missing.
    """
    from crumple import solver

    done = subprocess.run(
        solver.mpirun(1, ["--check", f"i={deck}"], 1),
        env=solver.environment(1),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if ": error CR-" in line]
        raise SubmitError("\n".join([f"{deck} has errors, nothing was submitted:", *errors]))


def submit_job(wish: JobWish) -> SubmittedJob:
    """Write the script of a job into the folder of its results, and submit it.

    Raises:
        SubmitError: there is no Slurm, or it refuses the job, with its words; a line break in a path.
        OSError: the script cannot be written.
    """
    script = wish.folder / SCRIPT
    text = job_script(wish, this_program(), script)
    wish.folder.mkdir(parents=True, exist_ok=True)
    script.write_text(text)
    if not shutil.which("sbatch"):
        raise SubmitError(f"there is no Slurm on this machine (sbatch); the script is {script}")
    done = subprocess.run(
        ["sbatch", "--parsable", f"--chdir={wish.folder}", str(script)],
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SubmitError(f"{done.stderr.strip()}; the script is {script}")
    number = done.stdout.strip().split(";")[0]
    return SubmittedJob(number, script, wish.folder / f"job-{number}.log")
