"""The command line: `crumple submit`."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import crumple
from crumple.lab.submit.advised import Layout, SubmitError, advised_layout
from crumple.lab.submit.job_script import JobWish, job_script
from crumple.stop import stop

console = Console()
app = typer.Typer(add_completion=False, rich_markup_mode=None)
SCRIPT = "job.sh"


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
        path = wish.folder / SCRIPT
        script = job_script(wish, this_program(), path)
        if dry_run:
            print(script, end="")
            return
        if check:
            check_deck(wish.deck)
        wish.folder.mkdir(parents=True, exist_ok=True)
        path.write_text(script)
        console.print(submitted(path), highlight=False, soft_wrap=True)
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
        SubmitError: there is no deck, or nothing says how many ranks; a line break in a path.
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
    wish = JobWish(
        deck=deck.resolve(),
        folder=output.resolve(),
        ranks=ranks or best.ranks,
        threads=threads or best.threads,
        nodes=nodes or (best.nodes if same else 0),
        time=time or (str(best.minutes) if best.minutes and same else ""),
        run=words,
    )
    if any(c in str(path) for path in (wish.deck, wish.folder) for c in "\n\r"):
        raise SubmitError("a path with a line break cannot be in a job")
    return wish


def this_program() -> list[str]:
    """The words that start this program on the nodes, too."""
    return [sys.executable, "-P", str(Path(crumple.__file__).with_name("__main__.py"))]


def check_deck(deck: Path) -> None:
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


def submitted(script: Path) -> str:
    """Submit a script; a sentence with the number of the job.

    Raises:
        SubmitError: there is no Slurm, or it refuses the job; with its words.
    """
    if not shutil.which("sbatch"):
        raise SubmitError(f"there is no Slurm on this machine (sbatch); the script is {script}")
    done = subprocess.run(
        ["sbatch", "--parsable", f"--chdir={script.parent}", str(script)],
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SubmitError(f"{done.stderr.strip()}; the script is {script}")
    job = done.stdout.strip().split(";")[0]
    return f"job {job}: {script}, prints to {script.parent / f'job-{job}.log'}"
