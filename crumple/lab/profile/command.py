"""The command line of profiles: `crumple profile`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from typer.core import TyperGroup

from crumple.lab.profile.launch import run_profiled
from crumple.lab.profile.profile import read_profile, write_profile
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.profile.show import show, show_difference


class RunWithoutName(TyperGroup):
    """`crumple profile -n 4 -- program` is `crumple profile run -n 4 -- program`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Put the name of the command in where there is none."""
        if args and args[0] not in (*self.commands, "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=RunWithoutName,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Profile any MPI program: crumple profile -n 4 -- program arguments; crumple profile show FILE.",
)
console = Console()


def stop(error: ProfileError) -> typer.Exit:
    """Print an error and give the exception that ends the command."""
    console.print(f"error: {error}", style="bold red", highlight=False, markup=False)
    return typer.Exit(2)


@app.command("run", context_settings={"ignore_unknown_options": True})
def run_command(
    command: Annotated[list[str], typer.Argument(help="program and arguments, behind --")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks")] = 2,
    output: Annotated[Path, typer.Option("-o", "--output", help="file to write")] = Path("profile.json"),
    mpirun: Annotated[
        Path | None, typer.Option(help="launcher; that of the program's MPI without it")
    ] = None,
    collective_wait: Annotated[
        bool, typer.Option(help="measure waiting in collectives, by a barrier before each")
    ] = True,
) -> None:
    """Run any MPI program and record what it does: calls, seconds, bytes, message sizes, memory, files."""
    try:
        profile = run_profiled(command, ranks, mpirun, collective_wait)
    except ProfileError as error:
        raise stop(error) from None
    write_profile(profile, output)
    console.print()
    show(profile, console)
    console.print(f"\n{output}", highlight=False)
    raise typer.Exit(profile.exit_status or 0)


@app.command("show")
def show_command(
    profile: Annotated[Path, typer.Argument(help="profile, or a folder of ranks' records")],
    diff: Annotated[Path | None, typer.Option("--diff", help="another profile, to print beside it")] = None,
) -> None:
    """Print a profile, or two side by side."""
    try:
        first = read_profile(profile)
        if diff:
            show_difference(first, read_profile(diff), console)
        else:
            show(first, console)
    except ProfileError as error:
        raise stop(error) from None
