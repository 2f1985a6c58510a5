"""The command line of studies: `crumple study`."""

import re
import signal
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from crumple.lab.progress import watched
from crumple.printed_table import print_folded
from crumple.stop import stop

if TYPE_CHECKING:
    from crumple.lab.study.conductor import StudyPlan
    from crumple.lab.study.database import Database, RunOutcome
    from crumple.lab.study.where.system import Run

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Run many cases from one file, and write a report.",
)
console = Console(markup=False)  # names are printed unchanged

#: what mpirun prints between two rules when a rank fails: Open MPI's and MPICH's
LAUNCHER = re.compile(r"^(-{60,})\n(?:.*\n)*?\1\n?|^(={60,})\n(?:=.*\n)+", re.M)
LAST_LINES = 5  #: lines that are shown of the output of a failed run
INTERRUPTED = 130  #: exit status, the same as a shell's after Ctrl-C

FILE = Annotated[Path, typer.Argument(help="study file (TOML)")]
FILES = Annotated[list[Path], typer.Argument(help="study file (TOML); published studies: one or more")]
RESULTS = Annotated[Path, typer.Argument(help="database of a study, or its study file")]
DATABASE = Annotated[
    Path | None, typer.Option("--database", help="database for the results; default: NAME.db")
]


def say(text: str) -> None:
    """Print a line unchanged."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def interrupt(number: int, _frame: FrameType | None) -> None:
    """Let a signal end the study, and its runs, in the same way as Ctrl-C."""
    raise KeyboardInterrupt(signal.Signals(number).name)


def duration(seconds: float | None) -> str:
    """Seconds in words."""
    if seconds is None:
        return "unknown"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def show_plan(plan: "StudyPlan", database: "Database | None") -> None:
    """Print the cases that will run, and those that are left out."""
    from crumple.lab.study.changes import changed_files
    from crumple.lab.study.conductor import estimate, open_runs

    open_ = open_runs(database, plan.runs) if database else plan.runs
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("case", "runs", "open", "a run"):
        table.add_column(name, justify="left" if name == "case" else "right")
    for case in dict.fromkeys(run.case for run in plan.runs):
        of_case = [run for run in plan.runs if run.case == case]
        seconds = estimate(database, of_case[:1], of_case) if database else None
        count = sum(run.case == case for run in open_)
        table.add_row(case.label(plan.varied()), str(len(of_case)), str(count), duration(seconds))
    print_folded(table, console)
    for left in plan.left_out:
        console.print(
            f"left out: {left.case.label(plan.varied())}: {left.why}", highlight=False, markup=False
        )
    for path in changed_files(plan, database) if database else []:
        say(
            f"note: {path} has changed since runs were done; they still count. "
            "--database NAME starts a new database"
        )
    seconds = estimate(database, open_, plan.runs) if database else None
    limit = plan.study.study.time_limit * len(open_)
    known = (
        f"about {duration(seconds)}" if seconds is not None else f"time unknown, at most {duration(limit)}"
    )
    console.print(f"{len(open_)} of {len(plan.runs)} runs are open: {known}", highlight=False)


class Progress:
    """Prints a line for each run, and how long the rest will take."""

    def __init__(self, plan: "StudyPlan", database: "Database") -> None:
        from crumple.lab.study.conductor import open_runs

        self.plan, self.database = plan, database
        self.total = len(open_runs(database, plan.runs))
        self.count = 0

    def __call__(self, run: "Run", outcome: "RunOutcome") -> None:
        """Print the result of a run."""
        from crumple.lab.study.conductor import estimate, open_runs

        self.count += 1
        rest = estimate(self.database, open_runs(self.database, self.plan.runs), self.plan.runs)
        what = f"{run.case.label(self.plan.varied())}, repeat {run.repeat + 1}"
        style = "yellow" if outcome.reason else None
        line = f"[{self.count}/{self.total}] {what}: {outcome.state}, {outcome.elapsed:.2f} s"
        if self.count < self.total:
            line += f"; {duration(rest)} to go"
        console.print(line, highlight=False, markup=False, style=style)
        for text in told(outcome):
            console.print(f"    {text}", highlight=False, markup=False, style="yellow")


def without_launcher(log: str) -> str:
    """The output of a program without mpirun's message about its end; all of it if nothing else is left."""
    left = LAUNCHER.sub("", log)
    return left if left.strip() else log


def told(outcome: "RunOutcome") -> list[str]:
    """Lines about a run: why it failed or what is missing, and the last lines of output if it failed."""
    reason = outcome.reason.strip().splitlines()
    printed = without_launcher(outcome.log.removeprefix(outcome.reason)).strip().splitlines()
    return reason + (printed[-LAST_LINES:] if outcome.state != "done" else [])


@app.command("run", short_help="Do all runs of a study that are not done yet.")
def run_command(
    files: FILES,
    database: DATABASE = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only list what would run")] = False,
    page: Annotated[
        list[Path] | None,
        typer.Option(help="published studies: page to write, .html or .md; repeat for both"),
    ] = None,
    simulate: Annotated[
        int,
        typer.Option(
            min=0, metavar="CYCLES", help="published studies: also simulate so many cycles of each case"
        ),
    ] = 0,
) -> None:
    """Do all runs of a study that are not done yet. After an interruption the same command continues.

    For one or more files of published studies (benchmarks/published), it predicts their findings instead.

    Exit status: 0 all done, 1 some runs failed, 2 nothing was run (errors in the file, or no case can run).
    """
    from crumple.lab.applications.case import StudyError
    from crumple.lab.study.conductor import Conductor, make_plan
    from crumple.lab.study.database import Database

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        if predicted(files, page or [], simulate):
            return
        if len(files) > 1 or page or simulate:
            raise StudyError(
                f"{files[-1]}: give one study; several files, --page and --simulate are for published studies"
            )
        plan = make_plan(files[0])
        path = database or Path(f"{plan.study.study.name}.db")
        if not plan.runs:
            show_plan(plan, None)
            raise StudyError(f"{files[0]}: nothing can run: all cases are left out")
        if dry_run:
            show_plan(plan, Database(path) if path.exists() else None)
            return
        opened = Database(path)
        console.print(
            f"{plan.study.study.title or plan.study.study.name}: {path}", highlight=False, markup=False
        )
        show_plan(plan, opened)
        progress = Progress(plan, opened)
        with watched() as watch:

            def tell(run: "Run", outcome: "RunOutcome") -> None:
                progress(run, outcome)
                watch.stage(f"{progress.count} of {progress.total} runs ended", shown=True)

            if progress.total:
                watch.stage(f"0 of {progress.total} runs ended", shown=True)
            outcomes = Conductor(plan, opened).conduct(tell, say)
    except KeyboardInterrupt:
        say("interrupted; the same command continues with the missing runs")
        raise typer.Exit(INTERRUPTED) from None
    except StudyError as error:
        raise stop(error, one_line=True) from None
    raise typer.Exit(int(any(o.state != "done" for o in outcomes)))


def predicted(files: list[Path], pages: list[Path], cycles: int) -> bool:
    """Predict the findings if all files are published studies; otherwise return False.

    Raises:
        StudyError: something in them is wrong.
    """
    from crumple.lab.published.published_file import is_published

    if not all(map(is_published, files)):
        return False
    from crumple.lab.published.run_published import run_published

    run_published(files, pages, console, cycles)
    return True


def database_of(path: Path) -> Path:
    """A study's database: the file itself, or for a study file its database, here or beside that file.

    Raises:
        StudyError: the study file cannot be read, or its database is missing.
    """
    from crumple.lab.applications.case import StudyError
    from crumple.lab.study.study_file import read_study

    if path.suffix != ".toml":
        return path
    name = f"{read_study(path).study.name}.db"
    for found in (Path(name), path.parent / name):
        if found.is_file():
            return found
    raise StudyError(f"there is no database {name}, here or beside {path}: run the study first")


@app.command("export")
def export_command(
    database: RESULTS,
    output: Annotated[Path, typer.Argument(help=".csv or .parquet to write")],
) -> None:
    """Write a table with one row per run and all its figures."""
    from crumple.lab.applications.case import StudyError
    from crumple.lab.report.export import export

    try:
        console.print(f"{output}: {export(database_of(database), output)} rows", highlight=False)
    except (StudyError, ValueError, OSError) as error:
        raise stop(error, one_line=True) from None


@app.command("report", short_help="Write a report, as HTML or Markdown.")
def report_command(
    database: RESULTS,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="page to write, .html or .md; default: NAME.html")
    ] = None,
    published: Annotated[Path | None, typer.Option(help="file of published findings (TOML)")] = None,
    paper: Annotated[str, typer.Option(help="paper in that file; default: the study's")] = "",
) -> None:
    """Write a report as an HTML page that needs no network, or as Markdown, and each chart as a PNG."""
    from crumple.lab.applications.case import StudyError
    from crumple.lab.page.picture_folder import PageError
    from crumple.lab.report.markdown import write_markdown
    from crumple.lab.report.measurements import read_measurements
    from crumple.lab.report.published import read_paper
    from crumple.lab.report.study_page import write_study_report

    def tell(line: str) -> None:
        Console(stderr=True).print(line, highlight=False, markup=False, soft_wrap=True)

    if paper and not published:
        raise stop("--paper needs the file of the paper: give --published, too", one_line=True)
    try:
        database = database_of(database)
        about = study_of(read_measurements(database).file)
        name = paper or about.get("paper", "")
        found = read_paper(published, name) if published and name else None
        page = output or database.with_suffix(".html")
        title = about.get("title", "")
        if page.suffix == ".md":
            paths = write_markdown(database, page, title, about.get("question", ""), found, tell)
        else:
            paths = write_study_report(database, page, title, found, tell)
        for path in paths:
            console.print(str(path), highlight=False)
    except (StudyError, PageError, OSError) as error:
        raise stop(error, one_line=True) from None


def study_of(text: str) -> dict[str, str]:
    """The table [study] of a study file's text."""
    import tomllib

    return tomllib.loads(text).get("study", {})
