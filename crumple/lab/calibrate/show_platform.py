"""Prints a platform: figures, spreads and warnings."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from crumple.lab.calibrate.this_machine import other_work
from crumple.lab.catalogue.platform_file import MeasuredFigure, Platform
from crumple.lab.words import count
from crumple.printed_table import print_whole, table_of


def spread(figure: MeasuredFigure) -> str:
    """The spread in per cent, with a mark if other work used the core."""
    return f"{100 * figure.spread:.0f} %" + (" !" if figure.contended else "")


def pivoted(title: str, first: str, rows: Iterable[tuple[str, str, str, MeasuredFigure]]) -> Table:
    """A table with a figure and its spread for each row and column.

    Args:
        rows: name of the row, name of the column, the value in words, the figure
    """
    cells: dict[str, dict[str, tuple[str, MeasuredFigure]]] = {}
    columns: dict[str, None] = {}
    for row, column, value, figure in rows:
        cells.setdefault(row, {})[column] = (value, figure)
        columns[column] = None
    table = table_of(title, first, *(name for c in columns for name in (c, "spread")))
    for row, found in cells.items():
        texts = [t for c in columns for t in ((found[c][0], spread(found[c][1])) if c in found else ("", ""))]
        table.add_row(row, *texts)
    return table


def tables(platform: Platform) -> list[Table]:
    """The tables of all measured parts."""
    p = platform
    made = []
    if p.point_to_point:
        rows = [
            (f"{x.size} B", f"{x.mpi}, {x.pair} [us]", f"{1e6 * x.median:.2f}", x) for x in p.point_to_point
        ]
        made.append(pivoted("message one way", "size", rows))
    if p.message_rate:
        rows = [
            (f"{x.mpi}, {x.pair}", "8 bytes [million/s]", f"{1e-6 * x.median:.2f}", x) for x in p.message_rate
        ]
        made.append(pivoted("message rate", "", rows))
    if p.collective:
        rows = [
            (f"{x.operation} {x.size} B", f"{x.mpi}, {x.ranks} ranks [us]", f"{1e6 * x.median:.2f}", x)
            for x in p.collective
        ]
        made.append(pivoted("collectives", "", rows))
    if p.turns:
        rows = [
            (
                f"{x.wait}, {1e6 * x.work:.0f} us, {x.mpi}",
                f"{x.ranks_per_core} a core [us]",
                f"{1e6 * x.median:.1f}",
                x,
            )
            for x in p.turns
        ]
        made.append(pivoted("extra time of a wait", "for, after work of", rows))
    if p.memory:
        rows = [(str(x.cores), "GB/s", f"{1e-9 * x.median:.2f}", x) for x in p.memory]
        made.append(pivoted("memory, triad", "cores", rows))
    if p.files:
        rows = [
            (
                f"{x.directory} ({x.file_system}), {x.access}, {x.direction}",
                f"{count(x.ranks, 'rank')} [MB/s]",
                f"{1e-6 * x.median:.0f}",
                x,
            )
            for x in p.files
        ]
        made.append(pivoted("files", "", rows))
    if p.kernel:
        rows = [
            (str(x.busy_cores), f"{x.precision} [million/s]", f"{1e-6 * x.median:.2f}", x) for x in p.kernel
        ]
        made.append(pivoted("element updates of each core", "busy cores", rows))
    return made


def warnings(platform: Platform) -> list[str]:
    """Reasons why figures may be wrong."""
    m, said = platform.machine, []
    if busy := other_work(m.load_average, m.cores):
        said.append(f"{busy}, so the figures are worse than the machine is")
    figures = [*platform.point_to_point, *platform.message_rate, *platform.collective]
    figures += [*platform.turns, *platform.memory, *platform.kernel]
    if spoiled := sum(f.contended for f in figures):
        said.append(f"{spoiled} of {len(figures)} figures, marked !, shared their core with others")
    return said


def show(platform: Platform, console: Console) -> None:
    """Print a platform."""
    m = platform.machine
    console.print(
        f"{m.host}: {m.processor}, {count(m.sockets, 'socket')}, {count(m.cores, 'core')}",
        highlight=False,
        markup=False,
    )
    for line in warnings(platform):
        console.print(f"warning: {line}", style="yellow", highlight=False)
    for table in tables(platform):
        console.print()
        print_whole(table, console)
