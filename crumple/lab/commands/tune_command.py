"""The command line: `crumple tune`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from crumple.lab.progress import watched
from crumple.lab.tune.costs_file import Costs, stored_costs
from crumple.printed_table import print_whole
from crumple.stop import stop

app = typer.Typer(add_completion=False, rich_markup_mode=None)
console = Console()


@app.command("tune", short_help="Measure the cost of elements, so that ranks get equal work.")
def tune(
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="file to write; default: the file that runs read"),
    ] = None,
    quick: Annotated[bool, typer.Option(help="faster and less exact: few laws, short runs")] = False,
) -> None:
    """Measure the cost of elements on this machine. Decompositions use it to give all ranks equal work.

    The results of runs do not depend on it, bit for bit; only their speed does.
    """
    from crumple.lab.calibrate.this_machine import cores
    from crumple.lab.tune.measure import TuneError, measure

    path = output or stored_costs()
    try:
        with watched() as watch:

            def say(line: str) -> None:
                console.print(line, highlight=False, markup=False)
                watch.stage(line, shown=True)

            costs = measure(quick, say)
        costs.write(path)
    except (TuneError, OSError) as error:
        raise stop(error) from None
    show(costs)
    for words in warnings(costs, len(cores())):
        console.print(f"warning: {words}", style="yellow", highlight=False, markup=False)
    console.print(f"\n{path}", highlight=False, markup=False)


def warnings(costs: Costs, n_cores: int) -> list[str]:
    """Reasons why the costs may be wrong."""
    from crumple.lab.calibrate.this_machine import other_work

    busy = other_work(costs.load, n_cores)
    return [f"{busy}, so the ratios of the costs may differ from those on an idle machine"] if busy else []


def show(costs: Costs) -> None:
    """Print the costs as a table, with the precisions beside each other."""
    title = "ns per element and cycle; layer: added for each layer; yields: added for each layer that yields"
    table = Table(title=title, title_justify="left")
    for column in ("element", "ELFORM", "law"):
        table.add_column(column)
    for precision in costs.of:
        for column in (precision, "layer", "yields"):
            table.add_column(column, justify="right")
    for rows in zip(*costs.of.values(), strict=True):
        cells = [f"{x:.1f}" for cost in rows for x in (cost.element, cost.point, cost.yield_)]
        table.add_row(rows[0].kind, str(rows[0].elform), str(rows[0].law), *cells)
    print_whole(table, console)
