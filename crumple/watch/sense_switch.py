"""Sense switches of a run, written as the file d3kil in its folder."""

import os
from pathlib import Path

#: what each does, by its name on the page
SWITCHES = {"stop": "sw1", "dump": "sw3", "plot": "sw4"}
NAME = "d3kil"


class SwitchError(Exception):
    """A switch that cannot be given."""


def give(folder: Path, switch: str) -> None:
    """Write a switch; the run reads it within half a second, or 50 cycles, and removes the file.

    Raises:
        SwitchError: there is no such switch, the last one has not been read yet, or it cannot be written.
    """
    if switch not in SWITCHES:
        raise SwitchError("there is no such switch")
    path = folder / NAME
    try:
        # Written at once: the run must not find half a word.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        with os.fdopen(descriptor, "w") as file:
            file.write(SWITCHES[switch] + "\n")
    except FileExistsError:
        raise SwitchError("the run has not read the last switch yet") from None
    except OSError as error:
        raise SwitchError(f"cannot write {NAME}: {error.strerror}") from None


def is_waiting(folder: Path) -> bool:
    """Whether a switch has not been read yet."""
    return (folder / NAME).exists()
