"""How every command ends on an error."""

import typer
from rich.console import Console


def stop(error: Exception | str, status: int = 2, one_line: bool = False) -> typer.Exit:
    """Print an error and give the exception that ends the command.

    Args:
        one_line: lines longer than the terminal are left to it
    """
    text = f"error: {error}"
    Console().print(text, style="bold red", highlight=False, markup=False, soft_wrap=one_line)
    return typer.Exit(status)
