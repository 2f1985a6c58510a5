"""The command line: `crumple catalogue`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from crumple.stop import stop

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    short_help="List and check processors, networks, switches, clusters.",
    help="Hardware as data: processors, nodes, networks, switches, file systems, MPI libraries.",
)
console = Console()


@app.command("list")
def list_command(
    kind: Annotated[
        str, typer.Argument(help="one of cpu, node, network, topology, file_system, mpi; all by default")
    ] = "",
) -> None:
    """List the entries with their main figures."""
    from crumple.lab.catalogue.entries import KINDS
    from crumple.lab.catalogue.figure import CatalogueError
    from crumple.lab.catalogue.show_catalogue import ESTIMATES, show_kind
    from crumple.lab.toml_table import nearest

    if kind and kind not in KINDS:
        raise stop(f"there is no kind '{kind}'{nearest(kind, list(KINDS))}")
    try:
        for each in [kind] if kind else KINDS:
            show_kind(each, console)
    except CatalogueError as error:
        raise stop(str(error)) from None
    console.print(ESTIMATES, highlight=False, markup=False)


@app.command("show")
def show_command(name: Annotated[str, typer.Argument(help="name of an entry")]) -> None:
    """Show every figure of an entry with its source."""
    from crumple.lab.catalogue.entries import KINDS, entries_of
    from crumple.lab.catalogue.figure import CatalogueError
    from crumple.lab.catalogue.show_catalogue import show_entry
    from crumple.lab.toml_table import nearest

    try:
        catalogue = {kind: entries_of(kind) for kind in KINDS}
    except CatalogueError as error:
        raise stop(str(error)) from None
    found = [(kind, entries[name]) for kind, entries in catalogue.items() if name in entries]
    if not found:
        names = [entry for entries in catalogue.values() for entry in entries]
        raise stop(f"the catalogue has no '{name}'{nearest(name, names)}")
    for kind, entry in found:
        show_entry(kind, name, entry, console)


@app.command("check", short_help="Check a cluster file, and show its cluster.")
def check_command(file: Annotated[Path, typer.Argument(help="cluster file")]) -> None:
    """Check a cluster file, and show the cluster that it describes.

    Exit status: 0 no errors, 2 errors.
    """
    from crumple.lab.catalogue.cluster import read_cluster
    from crumple.lab.catalogue.figure import CatalogueError
    from crumple.lab.catalogue.show_catalogue import show_cluster

    try:
        cluster = read_cluster(file)
    except CatalogueError as error:
        raise stop(str(error)) from None
    show_cluster(cluster, console)
