"""Writes the script of a Slurm job that runs a deck, and submits the next job until the run has ended."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from crumple.lab.submit.advised import SubmitError

#: said on the screen by a run that ended with a dump because its job was about to end
OUT_OF_TIME = "the end of the Slurm job"


@dataclass(frozen=True)
class JobWish:
    """A run as a job: what `crumple submit` was asked for."""

    deck: Path
    folder: Path  #: of the results, and of what the job prints
    ranks: int
    threads: int = 1
    nodes: int = 0  #: 0: Slurm chooses
    time: str = ""  #: limit of one job, as Slurm writes it; empty: that of the partition
    name: str = ""
    partition: str = ""
    account: str = ""
    jobs: int = 20  #: at most, one after the other
    options: tuple[str, ...] = ()  #: further ones for sbatch
    setup: tuple[str, ...] = ()  #: lines before the run, such as `module load openmpi`
    run: tuple[str, ...] = ()  #: further words for `crumple run`

    @property
    def ranks_per_node(self) -> int:
        """Ranks on the fullest node."""
        return -(-self.ranks // self.nodes)


def sbatch_options(wish: JobWish) -> list[str]:
    """The request to Slurm."""
    log = str(wish.folder / "job").replace("%", "%%") + "-%j.log"
    options = [f"--job-name={wish.name or wish.deck.stem}", f"--ntasks={wish.ranks}"]
    if wish.nodes:
        options += [f"--nodes={wish.nodes}", f"--ntasks-per-node={wish.ranks_per_node}"]
    options += [f"--cpus-per-task={wish.threads}"]
    options += [f"--time={wish.time}"] if wish.time else []
    options += [f"--partition={wish.partition}"] if wish.partition else []
    options += [f"--account={wish.account}"] if wish.account else []
    options += [f"--output={log}", *wish.options]
    return [shlex.quote(option) for option in options]


def job_script(wish: JobWish, crumple: list[str], path: Path) -> str:
    """The script for sbatch.

    The run begins with the newest whole dump, and ends with one before the end of its job, which then submits
    the next.

    Args:
        crumple: the words that start this program
        path: of the script itself

    Raises:
        SubmitError: a line break in a path.
    """
    if any(c in str(place) for place in (wish.deck, wish.folder) for c in "\n\r"):
        raise SubmitError("a path with a line break cannot be in a job")
    words = ["run", str(wish.deck), "-n", str(wish.ranks), "--threads", str(wish.threads)]
    words += ["-d", str(wish.folder), "--restart", "auto", "--auto-restart", *wish.run]
    next_job = ["sbatch", "--export=ALL,CRUMPLE_JOB=$((job + 1))", "--dependency=afterany:$SLURM_JOB_ID"]
    lines = ["#!/bin/bash", *(f"#SBATCH {option}" for option in sbatch_options(wish))]
    lines += [
        *wish.setup,
        "job=${CRUMPLE_JOB:-1}  # of this run",
        shlex.join([*crumple, *words]),
        "status=$?",
        f"log={shlex.quote(str(wish.folder / 'job'))}-$SLURM_JOB_ID.log",
        f'if [ "$status" -ne 0 ] || ! grep -q {shlex.quote(OUT_OF_TIME)} "$log"; then',
        '  exit "$status"',
        f'elif [ "$job" -ge {wish.jobs} ]; then',
        f'  echo "the run has not ended after {wish.jobs} jobs"',
        "  exit 1",
        "fi",
        f"{' '.join(next_job)} {shlex.quote(str(path))}",
        "",
    ]
    return "\n".join(lines)
