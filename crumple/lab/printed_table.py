"""Tables of numbers on a terminal."""

from rich.console import Console
from rich.table import Table

WIDEST = 200  #: largest width of a table in columns


def table_of(title: str, *columns: str) -> Table:
    """A table in which all columns except the first are numbers."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for k, name in enumerate(columns):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    return table


def print_whole(table: Table, console: Console) -> None:
    """Print a table with all digits: a narrow terminal breaks lines, but no numbers are cut off."""
    width = console.width
    console.width = max(width, WIDEST)
    console.print(table, crop=False, markup=False)
    console.width = width
