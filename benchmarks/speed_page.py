"""The page of figures: the same tables on the terminal, in Markdown and in HTML."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from crumple.report import tables as html_tables

CSS = Path(html_tables.__file__).with_name("page.css")


@dataclass(frozen=True)
class Table:
    """Rows of text."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    note: str = ""
    numbers: bool = True  #: in all columns but the first


@dataclass(frozen=True)
class Page:
    """What was measured, where."""

    title: str
    machine: str
    tables: list[Table]


def to_terminal(page: Page, console: Console) -> None:
    """Print it."""
    console.print(f"[bold]{page.title}[/bold]\n{page.machine}\n", highlight=False)
    for table in page.tables:
        shown = RichTable(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        shown.padding, shown.pad_edge = (0, 1, 0, 0), False
        for k, column in enumerate(table.columns):
            shown.add_column(column, justify="right" if k and table.numbers else "left", overflow="fold")
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown)
        if table.note:
            console.print(f"{table.note}\n", highlight=False)


def rows_in_markdown(table: Table) -> str:
    """A table without its title and note."""
    right = "---:|" if table.numbers else "---|"
    lines = [f"| {' | '.join(table.columns)} |", "|---|" + right * (len(table.columns) - 1)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in table.rows)])


def to_markdown(page: Page) -> str:
    """As text."""
    lines = [f"# {page.title}", "", page.machine, ""]
    for table in page.tables:
        lines += [f"## {table.title}", "", rows_in_markdown(table), ""]
        lines += [table.note, ""] if table.note else []
    return "\n".join(lines)


def to_html(page: Page) -> str:
    """As a page that needs nothing else."""
    body = ""
    for table in page.tables:
        rows = [[escape(cell) for cell in row] for row in table.rows]
        head = [escape(column) for column in table.columns]
        of_rows = html_tables.table(head, rows, range(1, len(head)) if table.numbers else ())
        note = f"<p>{escape(table.note)}</p>" if table.note else ""
        body += f'<section><h2>{escape(table.title)}</h2><div class="card">{of_rows}{note}</div></section>'
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(page.title)}</title>'
        f"<style>{CSS.read_text()}</style></head><body><header><div class=inside><div>"
        f"<h1>{escape(page.title)}</h1><p>{escape(page.machine)}</p></div></div></header>"
        f"<main>{body}</main></body></html>\n"
    )
