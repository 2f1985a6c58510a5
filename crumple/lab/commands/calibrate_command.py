"""The command line: `crumple calibrate`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from crumple.earlier_output import keep_earlier, told
from crumple.lab.progress import watched
from crumple.stop import stop

app = typer.Typer(add_completion=False, rich_markup_mode=None)
console = Console()


@app.command("calibrate", short_help="Measure this machine: network, memory, disk, solver.")
def calibrate_command(
    output: Annotated[Path, typer.Option("-o", "--output", help="platform file to write")] = Path(
        "platform.toml"
    ),
    quick: Annotated[
        bool, typer.Option(help="faster and less exact: short blocks, small arrays and files")
    ] = False,
    only: Annotated[
        str,
        typer.Option(
            help="measure only these parts, with commas between them; any of "
            "pairs, collectives, turns, memory, files, kernel"
        ),
    ] = "",
    directory: Annotated[
        list[Path] | None,
        typer.Option("-d", "--directory", help="folder whose file system to measure; repeat for more"),
    ] = None,
    mpirun: Annotated[
        list[Path] | None, typer.Option(help="mpirun of another MPI library; repeat for more")
    ] = None,
    hosts: Annotated[
        str,
        typer.Option(help="two nodes to measure between, such as a,b; default: the allocation's first two"),
    ] = "",
    show_only: Annotated[
        Path | None, typer.Option("--show", help="print this platform file, and measure nothing")
    ] = None,
) -> None:
    """Measure messages, collectives, memory, files and the solver on this machine; write a platform file."""
    from crumple.lab.calibrate.calibration import PARTS, CalibrationWish, calibrate
    from crumple.lab.calibrate.show_platform import show
    from crumple.lab.catalogue.platform_file import (
        CalibrationError,
        check_writing,
        read_platform,
        write_platform,
    )
    from crumple.lab.toml_table import nearest

    try:
        if show_only:
            show(read_platform(show_only), console)
            return
        check_writing(output)
        parts = [p.strip() for p in only.split(",") if p.strip()] or list(PARTS)
        for part in parts:
            if part not in PARTS:
                raise CalibrationError(f"--only: there is no part '{part}'{nearest(part, list(PARTS))}")
        wish = CalibrationWish(
            quick, parts, directory or [Path()], mpirun or [], [h for h in hosts.split(",") if h.strip()]
        )
        with watched() as watch:

            def say(line: str) -> None:
                console.print(line, highlight=False, markup=False)
                watch.stage(line, shown=True)

            platform = calibrate(wish, say)
    except CalibrationError as error:
        raise stop(str(error)) from None
    if kept := keep_earlier(output):
        console.print(told(output, kept), highlight=False, markup=False)
    write_platform(platform, output)
    show(platform, console)
    console.print(f"\n{output}", highlight=False, markup=False)
