"""Reads a d3plot in a separate process: on a damaged file VTK may crash, or never end."""

import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import ParamSpec, TypeVar

from crumple.view.plot_file import ResultError, family_bytes, find_d3plot

PATIENCE = 600.0  #: s, for a small result
SLOWEST = 5e6  #: lowest bytes per second for reading and drawing a large one

P = ParamSpec("P")
Result = TypeVar("Result")


def tell(result: Connection, work: Callable[..., object], arguments: tuple) -> None:
    """Do the work, and send its result or its exception."""
    try:
        result.send((True, work(*arguments)))
    except Exception as error:
        result.send((False, error))


def in_own_process(path: Path, work: Callable[P, Result], *arguments: P.args) -> Result:
    """Return or raise what a function does in a new process.

    Args:
        path: the file that it reads

    Raises:
        ResultError: the process ended before it was done, or does not end.
    """
    # Not a fork: threads of the drawing libraries would be missing in it.
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=tell, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    limit = patience(path)
    if not ours.poll(limit):
        process.kill()
        process.join()
        raise ResultError(f"{path} is damaged: its reader found no end in {limit:.0f} s")
    try:
        done, value = ours.recv()
    except EOFError:
        process.join()
        raise ResultError(f"{path} is damaged: its reader ended with {ending(process.exitcode)}") from None
    process.join()
    if not done:
        raise value
    return value


def patience(path: Path) -> float:
    """How long to wait for what reads a result, in seconds."""
    try:
        return PATIENCE + family_bytes(find_d3plot(path)) / SLOWEST
    except ResultError:  # the reader reports this itself
        return PATIENCE


def ending(status: int | None) -> str:
    """An exit status, in words."""
    if status is not None and status < 0:
        return signal.Signals(-status).name
    return f"status {status}"
