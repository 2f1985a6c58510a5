"""Tables of Markdown, with escaped text."""


def cell(text: str) -> str:
    """Text for a cell of a table, with markup escaped."""
    flat = " ".join(text.split())
    for mark in "\\|<>*_`[]":
        flat = flat.replace(mark, f"\\{mark}")
    return flat


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table; the cells are escaped text."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"
