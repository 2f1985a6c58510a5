"""Tables of numbers on a terminal."""

from rich.console import Console
from rich.table import Table

WIDEST = 200  #: columns of a table at most, whatever the terminal has


def table_of(title: str, *columns: str) -> Table:
    """A table whose columns but for the first are numbers."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for k, name in enumerate(columns):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    return table


def print_whole(table: Table, console: Console) -> None:
    """Print a table with all its digits: a narrow terminal breaks lines, and cuts no numbers off."""
    width = console.width
    console.width = max(width, WIDEST)
    console.print(table, crop=False, markup=False)
    console.width = width
