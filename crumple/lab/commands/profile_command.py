"""The command line of profiles: `crumple profile`."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from typer.core import TyperGroup

from crumple.earlier_output import keep_earlier, told
from crumple.lab.byte_count import ByteCountError, bytes_of
from crumple.mpi import LauncherOptionError, launcher_words
from crumple.stop import stop


class RunWithoutName(TyperGroup):
    """`crumple profile -n 4 -- program` is `crumple profile run -n 4 -- program`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Add the name of the command if it is missing."""
        if args and args[0] not in (*self.commands, "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=RunWithoutName,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    short_help="Profile any MPI program.",
    help="Profile any MPI program: crumple profile -n 4 -- program arguments; crumple profile show FILE.",
)
console = Console(markup=False)  # names of functions and hosts are printed unchanged


@app.command(
    "run",
    context_settings={"ignore_unknown_options": True},
    short_help="Run an MPI program with the profiler.",
)
def run_command(
    command: Annotated[list[str], typer.Argument(help="program and its arguments, after --")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks")] = 2,
    output: Annotated[Path, typer.Option("-o", "--output", help="file to write")] = Path("profile.json"),
    mpirun: Annotated[
        Path | None, typer.Option(help="mpirun to use; default: that of the program's MPI library")
    ] = None,
    launcher: Annotated[
        str, typer.Option(help="further options for mpirun, quoted: '--map-by socket --bind-to core'")
    ] = "",
    collective_wait: Annotated[
        bool, typer.Option(help="measure the waiting in collectives, by a barrier before each")
    ] = True,
    trace: Annotated[bool, typer.Option("--trace", help="also write a trace for SimGrid's replay")] = False,
    trace_folder: Annotated[Path, typer.Option(help="folder for the trace")] = Path("trace"),
    trace_window: Annotated[
        str, typer.Option(help="trace only this part: cycles, such as 200:400, or seconds, such as 2s:5s")
    ] = "",
    trace_limit: Annotated[
        str, typer.Option(help="limit on the events of each rank in bytes, such as 500M or 2G")
    ] = "1G",
) -> None:
    """Run any MPI program and record its MPI calls, seconds, bytes, message sizes, memory and files."""
    from crumple.lab.profile.launch import TraceWish, run_profiled
    from crumple.lab.profile.profile import write_profile
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.profile.show_profile import show
    from crumple.lab.profile.trace.convert import in_words
    from crumple.lab.profile.trace.events import TraceError
    from crumple.lab.profile.trace.options import window_of

    try:
        check_writable(output)
        limit = int(bytes_of("--trace-limit", trace_limit))
        wish = TraceWish(trace_folder, window_of(trace_window), limit) if trace or trace_window else None
        words = launcher_words(launcher)
        profile = run_profiled(command, ranks, mpirun, collective_wait, wish, launcher=words)
    except (ProfileError, TraceError, ByteCountError, LauncherOptionError) as error:
        raise stop(error) from None
    kept = keep_earlier(output)
    write_profile(profile, output)
    console.print()
    show(profile, console)
    console.print(f"\n{output}", highlight=False)
    if kept:
        say([told(output, kept)])
    if wish and wish.error:
        raise stop(TraceError(f"no trace: {wish.error}"))
    if wish and wish.summary:
        say(in_words(wish.summary, trace_folder))
    raise typer.Exit(profile.exit_status or 0)


def check_writable(output: Path) -> None:
    """Check before the run that the profile can be written after it.

    Raises:
        ProfileError: it cannot be written.
    """
    from crumple.lab.profile.rank_file import ProfileError

    folder = output.resolve().parent
    if output.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ProfileError(f"{output} cannot be written: nothing was run")
    if output.is_file() and output.stat().st_size > 0 and not looks_like_profile(output):
        raise ProfileError(f"{output} exists and is not a profile: nothing was run")


def looks_like_profile(path: Path) -> bool:
    """Whether a file begins like a profile."""
    from crumple.lab.profile.profile import FORMAT

    with path.open("rb") as file:
        return FORMAT.encode() in file.read(200)


def say(lines: list[str]) -> None:
    """Print lines, with warnings in colour."""
    for line in lines:
        console.print(
            line, style="yellow" if line.startswith("warning") else None, highlight=False, markup=False
        )


@app.command("trace", short_help="Convert recorded events into a trace.")
def trace_command(
    records: Annotated[Path, typer.Argument(help="folder of the records, as in CRUMPLE_PROFILE")],
    output: Annotated[Path, typer.Option("-o", "--output", help="folder for the trace")] = Path("trace"),
) -> None:
    """Convert events recorded with CRUMPLE_TRACE=1 into a trace for SimGrid's replay."""
    from crumple.lab.profile.trace.convert import convert, in_words
    from crumple.lab.profile.trace.events import TraceError

    try:
        say(in_words(convert(records, output, []), output))
    except (TraceError, OSError) as error:
        raise stop(error) from None


@app.command("show")
def show_command(
    profile: Annotated[Path, typer.Argument(help="profile, or a folder with the records of ranks")],
    diff: Annotated[
        Path | None, typer.Option("--diff", help="second profile, printed beside the first")
    ] = None,
) -> None:
    """Print a profile, or two side by side."""
    from crumple.lab.profile.profile import read_profile
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.profile.show_profile import show, show_difference

    try:
        first = read_profile(profile)
        if diff:
            show_difference(first, read_profile(diff), console)
        else:
            show(first, console)
    except ProfileError as error:
        raise stop(error) from None
