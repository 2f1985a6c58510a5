"""The option --launcher of commands that start mpirun: further options for it."""

import shlex
from typing import Annotated

import typer

from crumple.stop import stop

LauncherOption = Annotated[
    str, typer.Option(help='further options of mpirun, in quotes, such as "--map-by socket"')
]


def launcher_words(text: str) -> list[str]:
    """The option's words.

    Raises:
        typer.Exit: a quotation in it does not end; this is said.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise stop(f"--launcher: {error}") from None
