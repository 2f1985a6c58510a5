"""Tables of numbers on a terminal."""

import re
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table

UNLIMITED = 100_000  #: columns, to measure how wide a table is if nothing limits it
NUMBER = re.compile(r"[-+~<>(]*\d[\d.,:]*(e[-+]?\d+)?[%),;]*", re.IGNORECASE)


def table_of(title: str, *columns: str) -> Table:
    """A table in which all columns except the first are numbers."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for k, name in enumerate(columns):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    return table


def natural_width(what: RenderableType, console: Console) -> int:
    """Columns that something takes if nothing limits it; words in brackets are text, as in print."""
    options = console.options.update(max_width=UNLIMITED, markup=False)
    return Measurement.get(console, options, what).maximum


def print_whole(table: Table, console: Console, highlight: bool = True) -> None:
    """Print a table with all of each cell: a narrow terminal breaks lines, but nothing is cut off.

    Args:
        table: any
        console: where
        highlight: numbers in colour
    """
    width = console.width
    console.width = max(width, natural_width(table, console))
    console.print(table, crop=False, highlight=highlight, markup=False)
    console.width = width


def longest_number(texts: Iterable[object]) -> int:
    """Characters of the longest number among the words of texts."""
    words = (word for text in texts if isinstance(text, str) for word in text.split())
    return max((len(word) for word in words if NUMBER.fullmatch(word)), default=0)


def print_folded(table: Table, console: Console, highlight: bool = True) -> None:
    """Print a table whose texts go on in the next line where needed; no number is cut or broken.

    A table that cannot be as narrow as the terminal is wider than it: the terminal breaks its lines.

    Args:
        table: any; texts of columns with no_wrap are cut, others are folded, to `min_width` at least
        console: where
        highlight: numbers in colour
    """
    # Rich narrows columns without regard to their least widths, and so makes others too wide.
    widths = [max(natural_width(cell, console) for cell in (c.header, *c.cells)) for c in table.columns]
    least = [max(1, c.min_width or 0, longest_number(c.cells)) for c in table.columns]
    for column in table.columns:
        column.min_width = None
    for _ in range(natural_width(table, console) - console.width):
        wide = [k for k in range(len(widths)) if widths[k] > least[k]]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    if not table.pad_edge:  # Rich pads the outer columns if their widths are given
        widths[0] -= table.padding[3]
        widths[-1] -= table.padding[1]
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
        if not column.no_wrap:
            column.overflow = "fold"
    print_whole(table, console, highlight)
