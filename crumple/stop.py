"""The end of a command on an error, for all commands."""

import errno

import typer
from rich.console import Console

WRONG_INPUT, SYSTEM = 2, 4  #: exit statuses, the same as the solver's
SYSTEM_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.ENOMEM, errno.EMFILE}
)


def is_of_system(error: BaseException) -> bool:
    """Whether the system failed (a full disk, no memory), not the input."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in SYSTEM_ERRORS)


def stop(error: Exception | str, status: int | None = None, one_line: bool = False) -> typer.Exit:
    """Print an error, and return the exception that ends the command.

    Args:
        status: exit status; default: 4 if the system failed, otherwise 2
        one_line: do not wrap lines that are longer than the terminal
    """
    if status is None:
        status = SYSTEM if isinstance(error, Exception) and is_of_system(error) else WRONG_INPUT
    text = f"error: {error}"
    Console().print(text, style="bold red", highlight=False, markup=False, soft_wrap=one_line)
    return typer.Exit(status)
