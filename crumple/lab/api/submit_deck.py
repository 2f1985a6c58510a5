"""Runs of decks as jobs of Slurm from Python, as `crumple submit` makes them."""

import os
from collections.abc import Sequence
from pathlib import Path

from crumple.lab.submit.advised import SubmitError
from crumple.lab.submit.job_script import JobWish
from crumple.lab.submit.slurm_job import SubmittedJob, check_to_submit, submit_job


def submit_deck(
    deck: str | os.PathLike[str],
    ranks: int,
    folder: str | os.PathLike[str] = ".",
    threads: int = 1,
    nodes: int = 0,
    time: str = "",
    name: str = "",
    partition: str = "",
    account: str = "",
    jobs: int = 20,
    sbatch: Sequence[str] = (),
    setup: Sequence[str] = (),
    run: Sequence[str] = (),
    check: bool = True,
) -> SubmittedJob:
    """Submit a run of a deck to Slurm. A job whose time is up submits the next, which goes on with the run.

    Args:
        deck: a keyword deck
        ranks: of the run
        folder: for the results and the script of the job
        nodes: 0: Slurm chooses
        time: limit of each job as Slurm writes it, such as "8:00:00"; default: that of the partition
        name: of the job; default: the deck's
        jobs: one after the other, at most
        sbatch: further options of sbatch, such as "--exclusive"
        setup: lines before the run, such as "module load openmpi"
        run: further words for `crumple run`, such as "--precision", "single"
        check: check the deck first

    Raises:
        SubmitError: there is no deck, it has errors, there is no Slurm, or it refuses the job.
        FileNotFoundError: the solver is missing.
        OSError: the script cannot be written.
    """
    if not Path(deck).is_file():
        raise SubmitError(f"there is no deck {deck}")
    wish = JobWish(
        deck=Path(deck).resolve(),
        folder=Path(folder).resolve(),
        ranks=ranks,
        threads=threads,
        nodes=nodes,
        time=time,
        name=name,
        partition=partition,
        account=account,
        jobs=jobs,
        options=tuple(sbatch),
        setup=tuple(setup),
        run=tuple(run),
    )
    if check:
        check_to_submit(wish.deck)
    return submit_job(wish)
