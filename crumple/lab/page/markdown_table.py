"""Tables of Markdown, and text in them that is not taken for markup."""


def cell(text: str) -> str:
    """Text for a cell of a table: nothing in it is markup."""
    flat = " ".join(text.split())
    for mark in "\\|<>*_`[]":
        flat = flat.replace(mark, f"\\{mark}")
    return flat


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table; cells are text."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"
