"""Queries to Slurm: nodes of a partition, states of jobs, and their resources."""

import re
import subprocess
from dataclasses import dataclass

from crumple.lab.applications.case import StudyError
from crumple.lab.toml_table import nearest

#: states of jobs that have not ended
ACTIVE = {
    "PENDING",
    "CONFIGURING",
    "RUNNING",
    "COMPLETING",
    "SUSPENDED",
    "REQUEUED",
    "RESIZING",
    "SIGNALING",
    "STAGE_OUT",
    "STOPPED",
    "REQUEUE_FED",
    "REQUEUE_HOLD",
    "SPECIAL_EXIT",
    "RESV_DEL_HOLD",
}


@dataclass
class Record:
    """Slurm's record of a job that has ended."""

    state: str  #: Slurm's name, such as NODE_FAIL
    nodes: str = ""  #: by name, such as n[1-4]
    count: int = 1  #: number of nodes
    joules: float | None = None


def ask(*command: str) -> str:
    """The output of a Slurm command.

    Raises:
        StudyError: it is missing, or fails; with its message.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except FileNotFoundError:
        raise StudyError(f"there is no Slurm on this machine: {command[0]} is not on the PATH") from None
    except subprocess.TimeoutExpired:
        raise StudyError(f"{command[0]} did not answer within two minutes") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise StudyError(f"{command[0]}: {lines[-1].removeprefix(f'{command[0]}: ')}")
    return done.stdout


def capacity(partition: str) -> tuple[int, int]:
    """Number of nodes of a partition (without a name: the default one), and cores of the smallest node.

    Raises:
        StudyError: there is no such partition, or no Slurm.
    """
    rows = [line.split("|") for line in ask("sinfo", "-h", "-o", "%R|%P|%D|%c").splitlines()]
    names = [row[0] for row in rows]
    if partition and partition not in names:
        raise StudyError(f"Slurm has no partition '{partition}'{nearest(partition, sorted(set(names)))}")
    mine = [r for r in rows if (r[0] == partition if partition else r[1].endswith("*"))]
    if not mine:
        raise StudyError(f"Slurm has no default partition: name one of {', '.join(sorted(set(names)))}")
    return sum(int(r[2]) for r in mine), min(int(r[3].rstrip("+")) for r in mine)


def queued(jobs: list[str]) -> dict[str, str]:
    """States of those tasks ("12_3") of array jobs that are in the queue, by squeue."""
    said = ask("squeue", "-h", "-r", "--me", "-t", "all", "-o", "%i|%T")
    states = dict(line.split("|") for line in said.splitlines())
    return {task: s for task, s in states.items() if task.split("_")[0] in jobs and s in ACTIVE}


def record(task: str) -> Record | None:
    """Slurm's record of a task that has left the queue; None while there is none, or the task still runs."""
    for source in (by_sacct, by_scontrol):
        found = source(task)
        if found and found.state not in ACTIVE:
            return found
    return None


def by_sacct(task: str) -> Record | None:
    """The record in the accounting database, if there is one."""
    columns = "JobID,State,NNodes,NodeList,ConsumedEnergyRaw"
    try:
        said = ask("sacct", "-n", "-P", "-j", task, f"--format={columns}")
    except StudyError:
        return None
    rows = [line.split("|") for line in said.splitlines()]
    job = next((row for row in rows if row[0] == task), None)
    if not job:
        return None
    count = int(job[2] or 1)
    steps = [row for row in rows if row is not job]
    state = job[1].split(" ")[0]
    # A script that continues after its step hides the end of the step.
    if state in ("COMPLETED", "FAILED") and any(row[1] == "OUT_OF_MEMORY" for row in steps):
        state = "OUT_OF_MEMORY"
    return Record(state, job[3], count, joules(steps, count))


def joules(steps: list[list[str]], nodes: int) -> float | None:
    """Energy of a job from its steps; None if Slurm does not measure it.

    A step counts the energy of its nodes while it runs. A step on all nodes has the job's energy; otherwise
    mpirun's step has that of the other nodes, and the batch step that of the first.
    """
    known = [(int(row[2] or 1), float(row[4])) for row in steps if row[4].isdigit() and int(row[4])]
    whole = [energy for count, energy in known if count == nodes]
    if whole:
        return max(whole)
    return sum(energy for _, energy in known) or None


def by_scontrol(task: str) -> Record | None:
    """The record of the controller, which keeps jobs for some minutes."""
    try:
        said = ask("scontrol", "-o", "show", "job", task)
    except StudyError:
        return None
    found = dict(re.findall(r"(\w+)=(\S*)", said))
    if "JobState" not in found:
        return None
    return Record(found["JobState"], found.get("NodeList", ""), int(found.get("NumNodes", "1").split("-")[0]))


def submit(script: str) -> str:
    """Submit a script with sbatch; returns the number of the job.

    Raises:
        StudyError: Slurm refuses it; with its message.
    """
    return ask("sbatch", "--parsable", script).strip().split(";")[0]


def cancel(jobs: list[str]) -> None:
    """Cancel jobs or tasks that Slurm still has."""
    try:
        ask("scancel", *jobs)
    except StudyError:
        return
