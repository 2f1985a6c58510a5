"""The command line: `crumple submit`."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from crumple.lab.submit.advised import Layout, SubmitError, advised_layout
from crumple.lab.submit.job_script import JobWish, job_script
from crumple.lab.submit.slurm_job import SCRIPT, check_to_submit, submit_job, this_program
from crumple.stop import stop

console = Console()
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("submit", short_help="Run a deck as a job of Slurm, in as many parts as it needs.")
def submit_command(
    deck: Annotated[Path, typer.Argument(help="keyword deck")],
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="MPI ranks")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="OpenMP threads per rank; default: 1")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="nodes; default: Slurm chooses")] = None,
    advice: Annotated[
        Path | None, typer.Option(help="take ranks, nodes and time from what `crumple advise --json` printed")
    ] = None,
    output: Annotated[Path, typer.Option("-d", "--directory", help="folder for the results")] = Path("."),
    time: Annotated[
        str, typer.Option(help="limit of each job as Slurm writes it: 30, 8:00:00 or 1-12; default: Slurm's")
    ] = "",
    name: Annotated[str, typer.Option(help="name of the job; default: the deck's")] = "",
    partition: Annotated[str, typer.Option(help="partition of Slurm")] = "",
    account: Annotated[str, typer.Option(help="account of Slurm")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="jobs one after the other, at most")] = 20,
    sbatch: Annotated[
        list[str] | None, typer.Option(help="further option for sbatch, such as --exclusive; may be repeated")
    ] = None,
    setup: Annotated[
        list[str] | None, typer.Option(help="line before the run: 'module load openmpi'; may be repeated")
    ] = None,
    run: Annotated[
        str, typer.Option(help="further options for `crumple run`, quoted: '--precision single --vtkhdf'")
    ] = "",
    check: Annotated[bool, typer.Option(help="check the deck first")] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="print the script, and submit nothing")] = False,
) -> None:
    """Run a deck as a job of Slurm.

    A job that reaches its time limit ends with a dump and submits the next, which goes on from there, until
    the run has ended. The script is written to job.sh in the folder of the results.
    """
    try:
        wish = wished(deck, ranks, threads, nodes, advice, output, time, run)
        wish = replace(
            wish,
            name=name,
            partition=partition,
            account=account,
            jobs=jobs,
            options=tuple(sbatch or ()),
            setup=tuple(setup or ()),
        )
        if dry_run:
            print(job_script(wish, this_program(), wish.folder / SCRIPT), end="")
            return
        if check:
            check_to_submit(wish.deck)
        job = submit_job(wish)
        told = f"job {job.number}: {job.script}, prints to {job.log}"
        console.print(told, highlight=False, soft_wrap=True)
    except (SubmitError, OSError) as error:
        raise stop(error, one_line=True) from None


def wished(
    deck: Path,
    ranks: int | None,
    threads: int | None,
    nodes: int | None,
    advice: Path | None,
    output: Path,
    time: str,
    run: str,
) -> JobWish:
    """The run; options come before advice.

    Raises:
        SubmitError: there is no deck, or nothing says how many ranks.
    """
    if not deck.is_file():
        raise SubmitError(f"there is no deck {deck}")
    best = advised_layout(advice) if advice else Layout(0, 1, 0, "", 0)
    if not (ranks or best.ranks):
        raise SubmitError("how many ranks? give -n, or --advice with what crumple advise --json printed")
    same = ranks in (None, best.ranks)
    words = tuple(shlex.split(run))
    if best.decomposition not in ("", "rcb") and same and "--decomposition" not in words:
        words += ("--decomposition", best.decomposition)
    return JobWish(
        deck=deck.resolve(),
        folder=output.resolve(),
        ranks=ranks or best.ranks,
        threads=threads or best.threads,
        nodes=nodes or (best.nodes if same else 0),
        time=time or (str(best.minutes) if best.minutes and same else ""),
        run=words,
    )
