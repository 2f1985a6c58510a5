"""Does what reads a d3plot in a process of its own: VTK's reader may end its process on a damaged file."""

import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import ParamSpec, TypeVar

from crumple.view.plot_file import ResultError

P = ParamSpec("P")
Result = TypeVar("Result")


def tell(result: Connection, work: Callable[..., object], arguments: tuple) -> None:
    """Do the work, and send what it returned or raised."""
    try:
        result.send((True, work(*arguments)))
    except Exception as error:
        result.send((False, error))


def in_own_process(path: Path, work: Callable[P, Result], *arguments: P.args) -> Result:
    """What a function of a module returns or raises, done in a new process.

    Args:
        path: what it reads

    Raises:
        ResultError: the process ended before it was done.
    """
    # Not a fork: the threads of what draws would be missing in it.
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=tell, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    try:
        done, value = ours.recv()
    except EOFError:
        process.join()
        raise ResultError(f"{path} is damaged: its reader ended with {ending(process.exitcode)}") from None
    process.join()
    if not done:
        raise value
    return value


def ending(status: int | None) -> str:
    """An exit status, in words."""
    if status is not None and status < 0:
        return signal.Signals(-status).name
    return f"status {status}"
