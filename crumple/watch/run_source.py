"""Where a watched run is read from: its folder, or a connection to it."""

import time
from pathlib import Path
from typing import Any, Protocol

from crumple.results.d3hsp import RunLog
from crumple.results.run_files import RunFiles
from crumple.watch.run_state import RunState, StateOfRun, is_locked
from crumple.watch.sense_switch import give, is_waiting
from crumple.watch.surface_server import SurfaceServer


class Surfaces(Protocol):
    """The states of the model, for the page."""

    def look(self) -> None:
        """Find what is new."""

    def newest_file(self) -> Path | None:
        """The file of the last state."""

    def summary(self) -> dict[str, Any]:
        """The states: generation, times, and why there are none."""

    def state(self, number: int, hurry: bool, any_other: bool = False) -> bytes:
        """A packed state."""

    def triangles(self, name: str) -> bytes:
        """A packed surface."""


class RunSource(Protocol):
    """What a watch reads."""

    files: RunFiles
    surfaces: Surfaces

    @property
    def place(self) -> str:
        """Where the run is, for people."""

    @property
    def reached(self) -> float | None:
        """The time of the last state, if it is not in the d3hsp."""

    def before(self) -> None:
        """To be called before the files are read."""

    def state(self, log: RunLog, reached_end: bool | None, changed: float) -> RunState:
        """What the run is doing, after they have been read."""

    def give(self, switch: str) -> None:
        """Give a sense switch; raises SwitchError."""

    def switch_waits(self) -> bool:
        """Whether the run has not read the last one yet."""


class FolderSource:
    """A folder of results."""

    def __init__(self, files: RunFiles, triangles: int) -> None:
        self.files = files
        self.surfaces: Surfaces = SurfaceServer(files.path("d3plot"), triangles)
        self.state_of_run_ = StateOfRun(files)
        self.held_ = False

    @property
    def place(self) -> str:
        """The folder."""
        return str(self.files.directory.resolve())

    @property
    def reached(self) -> float | None:
        """Plot states are in the d3hsp."""
        return None

    def before(self) -> None:
        """See whether a process has the run's lock."""
        self.held_ = is_locked(self.files.path("d3hsp"))

    def state(self, log: RunLog, reached_end: bool | None, changed: float) -> RunState:
        """What the run is doing."""
        return self.state_of_run_.look(self.held_, log, reached_end, changed)

    def give(self, switch: str) -> None:
        """Write a sense switch; raises SwitchError."""
        give(self.files.directory, switch)

    def switch_waits(self) -> bool:
        """Whether it is still there."""
        return is_waiting(self.files.directory)


def wait_until(condition, seconds: float) -> bool:  # noqa: ANN001 - a function that gives a bool
    """Whether a condition comes true in this time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(0.05)
    return True
