"""Progress of a long command without a terminal: lines on standard error from time to time."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

EVERY = 30.0  #: s between two lines of a long stage
SETTING = "CRUMPLE_PROGRESS"  #: environment variable with other seconds


def seconds_between() -> float:
    """Seconds between two lines: from the environment, if it has a number above 0."""
    try:
        every = float(os.environ.get(SETTING, EVERY))
    except ValueError:
        return EVERY
    return every if every > 0.0 else EVERY


class Watch:
    """The present stage of a command; a thread prints it repeatedly while the stage lasts."""

    def __init__(self, stage: str) -> None:
        self.name = stage
        self.begun = self.told = time.monotonic()
        self.shares: dict[str, float] = {}
        self.over = threading.Event()
        self.terminal = sys.stderr.isatty()
        self.every = seconds_between()

    def stage(self, name: str, shown: bool = False) -> None:
        """Begin the next stage; it is printed unless the user has already seen it.

        Args:
            shown: the line was also printed to standard output
        """
        self.name, self.begun, self.shares = name, time.monotonic(), {}
        if not self.terminal and not (shown and one_file()):
            self.print(name)

    def tell(self, name: str, share: float) -> None:
        """Set how much of one part of the stage is done: 0 to 1."""
        self.shares[name] = share

    def line(self) -> str:
        """The stage and its progress."""
        said = self.name
        if count := len(self.shares):
            done = sum(share >= 1.0 for share in self.shares.values())
            said += f": {done} of {count} done, {100 * sum(self.shares.values()) / count:.0f} %"
        return f"{said}, {time.monotonic() - self.begun:.0f} s so far"

    def print(self, line: str) -> None:
        """Write a line to standard error."""
        self.told = time.monotonic()
        print(line, file=sys.stderr, flush=True)

    def repeat(self) -> None:
        """Print a line whenever none was written for a while, until the command ends."""
        while not self.over.wait(max(0.01, self.told + self.every - time.monotonic())):
            if time.monotonic() >= self.told + self.every:
                self.print(self.line())


def one_file() -> bool:
    """Whether standard output and standard error go to the same file or pipe."""
    try:
        return os.path.sameopenfile(1, 2)
    except OSError:
        return False


@contextmanager
def watched(stage: str = "") -> Iterator[Watch]:
    """Report progress until the block ends; on a terminal the command does this itself.

    Args:
        stage: the stage that begins now; "": stages are set by `Watch.stage`
    """
    watch = Watch(stage)
    if stage:
        watch.stage(stage)
    if watch.terminal:
        yield watch
        return
    thread = threading.Thread(target=watch.repeat, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.over.set()
        thread.join()
