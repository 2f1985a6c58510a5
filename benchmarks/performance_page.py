"""Writes the tables of docs/performance.md from the committed figures: python benchmarks/performance_page.py.

`make bench OPTIONS="--record NAME"` does it, too. What is between `<!-- figures: NAME -->` and
`<!-- end of figures -->` was written by this; all else by hand.
"""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import speed_summary  # noqa: E402
from speed_page import Table, rows_in_markdown  # noqa: E402
from speed_record import Record, committed  # noqa: E402

PAGE = ROOT / "docs" / "performance.md"
WIDTH = 140  #: of its lines
BLOCK = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def block(table: Table) -> str:
    """What is between the marks."""
    if not table.rows:
        return "\nNot measured yet.\n\n"
    note = f"{textwrap.fill(table.note, WIDTH)}\n\n" if table.note else ""
    return f"\n{rows_in_markdown(table)}\n\n{note}"


def with_tables(text: str, records: list[Record]) -> str:
    """A page with its tables made anew.

    Raises:
        ValueError: it asks for a table that there is not.
    """
    tables = speed_summary.tables(records)

    def made(found: re.Match[str]) -> str:
        start, name, end = found.groups()
        if name not in tables:
            raise ValueError(f"there is no table '{name}'; there are: {', '.join(tables)}")
        return f"{start}{block(tables[name])}{end}"

    return BLOCK.sub(made, text)


def write_page() -> None:
    """Make the tables of docs/performance.md anew."""
    PAGE.write_text(with_tables(PAGE.read_text(), committed()))


if __name__ == "__main__":
    write_page()
