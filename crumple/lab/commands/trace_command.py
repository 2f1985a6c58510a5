"""The command line of traces: `crumple trace`."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from typer.core import TyperGroup

from crumple.choices import DecompositionMethod, Precision
from crumple.lab.byte_count import ByteCountError, bytes_of
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.options import cycles_of
from crumple.lab.progress import Watch, watched
from crumple.stop import stop

if TYPE_CHECKING:
    from crumple.lab.profile.trace.trace_folder import Trace


class DeckWithoutName(TyperGroup):
    """`crumple trace x.k -n 4` is `crumple trace deck x.k -n 4`, and --compare is compare."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Add the name of the command if it is missing."""
        if args and args[0] == "--compare":
            args = ["compare", *args[1:]]
        elif args and args[0] not in (*self.commands, "--help"):
            args = ["deck", *args]
        return super().parse_args(ctx, args)


class Work(StrEnum):
    """Where the amount of work comes from."""

    cpu = "cpu"
    counts = "counts"


EXPLICIT_CYCLES = "200:400"  #: traced if no others are asked for

app = typer.Typer(
    cls=DeckWithoutName,
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    short_help="Trace the solver on any number of ranks.",
    help="Trace the solver on any number of ranks: crumple trace DECK -n 192 --cycles 200:400; "
    "crumple trace show FOLDER; crumple trace --compare FOLDER FOLDER.",
)
console = Console()


def say(line: str) -> None:
    """Print a line unchanged."""
    console.print(line, highlight=False, markup=False, soft_wrap=True)


def telling(watch: Watch) -> Callable[[str], None]:
    """Return a function that prints a line and begins a stage."""

    def tell(line: str) -> None:
        say(line)
        watch.stage(line, shown=True)

    return tell


@app.command("deck", short_help="Record a trace of a deck, or make a synthetic one.")
def deck_command(
    deck: Annotated[Path, typer.Argument(help="keyword deck")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks")],
    cycles: Annotated[
        str,
        typer.Option(
            help="cycles to trace, or steps of an implicit deck, FIRST:END; END is excluded; "
            "default 200:400, 0:1 of an implicit deck"
        ),
    ] = "",
    output: Annotated[Path, typer.Option("-o", "--output", help="folder for the trace")] = Path("trace"),
    work: Annotated[Work, typer.Option(help="work as processor time, or as counts times costs")] = Work.cpu,
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="make the trace from the decomposition, without such a run")
    ] = False,
    source: Annotated[
        list[Path] | None,
        typer.Option(
            "--from", help="recorded trace for costs and the pattern of --synthetic; repeat for more"
        ),
    ] = None,
    pfile: Annotated[
        Path | None, typer.Option("-p", "--pfile", help="LS-DYNA pfile with decomp { ... }")
    ] = None,
    decomposition: Annotated[
        DecompositionMethod, typer.Option(help="method that distributes the elements to ranks")
    ] = DecompositionMethod.rcb,
    precision: Annotated[
        Precision, typer.Option(help="floating-point precision of the element computations")
    ] = Precision.double,
    platform: Annotated[
        Path | None, typer.Option(help="file of `crumple calibrate` with the speed of this machine")
    ] = None,
    mpirun: Annotated[
        Path | None, typer.Option(help="mpirun to use; default: that of the solver's MPI library")
    ] = None,
    limit: Annotated[
        str, typer.Option(help="limit on the events of each rank in bytes, such as 500M or 2G")
    ] = "1G",
) -> None:
    """Trace a deck: record a run on that many ranks, or make the trace without one (--synthetic)."""
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.traces.kinds_of_runs import make_any, record_any
    from crumple.lab.traces.record import RecordingWish
    from crumple.lab.traces.show_trace import difference_in_words, slowed_in_words

    try:
        first, end = cycles_of(cycles or EXPLICIT_CYCLES)
        for path, what in ((deck, "deck"), (pfile, "pfile")):
            if path and not path.is_file():
                raise TraceError(f"there is no {what} {path}")
        wish = RecordingWish(
            deck,
            ranks,
            first,
            end,
            work=work.value,
            method=decomposition.value,
            pfile=pfile,
            precision=precision.value,
            mpirun=mpirun,
            platform=platform,
            limit=int(bytes_of("--limit", limit)),
            costs=tuple(source or ()),
            windowed=bool(cycles),
        )
        if synthetic:
            with watched() as watch:
                made = make_any(wish, list(source or ()), output, telling(watch))
            written(made.trace, made.seconds)
        else:
            with watched() as watch:
                recorded = record_any(wish, output, telling(watch))
            if recorded.difference:
                say(difference_in_words(recorded.difference))
            if recorded.slowdown > 1.0:
                slower = f"{recorded.slowdown:.2f} times that of the fastest recording"
                say(f"processor time of the element computations is {slower}")
            if words := slowed_in_words(recorded.trace):
                say(f"warning: {words}")
            written(recorded.trace, recorded.seconds)
    except (TraceError, ProfileError, ByteCountError, OSError) as error:
        raise stop(str(error).replace("--trace-limit", "--limit"), one_line=True) from None


def written(trace: "Trace", seconds: float) -> None:
    """Print what was written."""
    size = sum((trace.folder / name).stat().st_size for name in trace.files)
    meta = trace.meta
    say(
        f"{trace.folder}: {trace.ranks} ranks, {meta['messages']} messages of {meta['bytes']} bytes, "
        f"{sum(meta['seconds']):.3g} s of work; {size / 1e6:.3g} MB, made in {seconds:.1f} s"
    )


@app.command("show", short_help="Print the contents of a trace.")
def show_command(folder: Annotated[Path, typer.Argument(help="folder of a trace")]) -> None:
    """Print the contents of a trace: messages, collectives, work, and their balance over ranks."""
    from crumple.lab.profile.trace.trace_folder import open_trace
    from crumple.lab.traces.show_trace import show

    try:
        show(open_trace(folder), console)
    except (TraceError, OSError) as error:
        raise stop(error, one_line=True) from None


@app.command("compare", short_help="Print the differences of two traces.")
def compare_command(
    first: Annotated[Path, typer.Argument(help="folder of a trace")],
    second: Annotated[Path, typer.Argument(help="folder of another trace, of as many ranks")],
) -> None:
    """Print the differences of two traces: messages, bytes, collectives, work of each rank."""
    from crumple.lab.profile.trace.trace_folder import open_trace
    from crumple.lab.traces.compare import compare
    from crumple.lab.traces.show_trace import show_comparison

    try:
        a, b = open_trace(first), open_trace(second)
        show_comparison(a, b, compare(a, b), console)
    except (TraceError, OSError) as error:
        raise stop(error, one_line=True) from None
