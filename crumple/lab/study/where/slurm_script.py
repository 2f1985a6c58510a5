"""Writes the scripts for Slurm: one for an array of jobs, and one for each of its runs."""

import math
import os
import shlex
from pathlib import Path

from crumple.lab.applications.case import StudyCase
from crumple.lab.processes import GRACE, Job
from crumple.lab.study.study_file import StudyFile
from crumple.lab.study.where.ranks_on_nodes import nodes_of

BEGUN = r"""busy() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat; }  # 0.01 s of all cores
before=$(busy); sleep 0.2; after=$(busy)
{
  echo "host $(uname -n)"
  echo "kernel $(uname -r)"
  echo "processor $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
  echo "cores $(nproc --all)"
  echo "memory $(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)"
  echo "load $(awk "BEGIN { printf \"%.2f\", ($after - $before) / 20 }")"
  echo "started $(date -u +%FT%T+00:00)"
} > begun.txt"""

ENDED = r"""statuses=()
for pid in "${pids[@]}"; do
  wait "$pid"
  statuses+=($?)
done
end=${EPOCHREALTIME/,/.}
times > times.txt
{
  echo "statuses ${statuses[*]}"
  echo "elapsed $(awk "BEGIN { printf \"%.6f\", $end - $start }")"
  echo "cpu $(tail -n 1 times.txt)"
} > ended.part && mv ended.part ended.txt"""


def run_script(folder: Path, jobs: list[Job], study: StudyFile) -> str:
    """The script of one run: it starts the jobs side by side, and notes how they ended."""
    added = {k: v for k, v in jobs[0].environment.items() if os.environ.get(k) != v}
    lines = ["#!/bin/bash", f"cd {shlex.quote(str(folder))} || exit 1", BEGUN, *study.where.setup]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in sorted(added.items())]
    lines += ["pids=()", "start=${EPOCHREALTIME/,/.}"]
    limit = ["timeout", "-k", f"{GRACE:g}", f"{study.study.time_limit:g}"]
    for job in jobs:
        command = shlex.join([*limit, *job.command])
        inside = f"cd {shlex.quote(str(job.directory))} && exec {command}"
        lines += [
            f"({inside}) </dev/null >{shlex.quote(str(job.directory / 'log.txt'))} 2>&1 &",
            "pids+=($!)",
        ]
    return "\n".join([*lines, ENDED, ""])


def shape(case: StudyCase) -> tuple[str, ...]:
    """The request of a case to Slurm; runs with the same request share an array."""
    options = [f"--cpus-per-task={case.threads}"]
    if nodes := nodes_of(case):
        options += [f"--nodes={nodes}", f"--ntasks-per-node={case.ranks_per_node * case.jobs}"]
    else:
        options.append(f"--ntasks={case.ranks}")
    return tuple(options)


def minutes(study: StudyFile) -> str:
    """Time limit of a Slurm job in minutes: that of a run, plus a minute to start and end."""
    return study.where.time or str(math.ceil(study.study.time_limit / 60.0) + 1)


def array_script(folder: Path, asked: tuple[str, ...], count: int, study: StudyFile) -> str:
    """The script for sbatch.

    Args:
        folder: folder of the array; its file `tasks` has the folder of each run
        asked: options for the request of its cases
        count: number of runs
    """
    where = study.where
    at_once = f"%{where.at_once}" if where.at_once else ""
    options = [
        f"--job-name=crumple-{study.study.name}",
        f"--array=0-{count - 1}{at_once}",
        f"--output={folder}/%a.out",
        f"--time={minutes(study)}",
        "--no-requeue",
        *asked,
    ]
    options += ["--exclusive"] if where.exclusive else []
    options += ["--overcommit"] if study.study.oversubscribe else []
    options += [f"--partition={where.partition}"] if where.partition else []
    options += [f"--account={where.account}"] if where.account else []
    head = "\n".join(f"#SBATCH {option}" for option in [*options, *where.options])
    tasks = shlex.quote(str(folder / "tasks"))
    return (
        f"#!/bin/bash\n{head}\n"
        f'run=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {tasks})\n'
        'exec bash "$run/run.sh"\n'
    )
