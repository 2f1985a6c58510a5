"""Base of all meters: sampling in the background while a program runs."""

import threading
from types import TracebackType
from typing import Self


class MeterError(Exception):
    """A meter is missing, or cannot be read."""


class Meter:
    """Counts the joules used inside its `with` block; None if it could not."""

    name = ""  #: what it measures; used in labels
    interval = 1.0  #: s between samples

    def __init__(self) -> None:
        self.joules: float | None = None
        self.failure = ""  #: why there is no measurement, if there should be one
        self.stopped = threading.Event()
        self.thread: threading.Thread | None = None

    def begin(self) -> None:
        """Take the first sample."""

    def sample(self) -> None:
        """Take another sample, and add the energy since the last one."""

    def __enter__(self) -> Self:
        self.joules, self.failure = None, ""
        self.stopped.clear()
        try:
            self.begin()
        except MeterError as error:
            self.failure = str(error)
            return self  # the run goes on without a measurement
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def watch(self) -> None:
        """Sample until the end, and once more at the end."""
        try:
            while not self.stopped.wait(self.interval):
                self.sample()
            self.sample()
        except MeterError as error:
            self.joules, self.failure = None, str(error)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopped.set()
        if self.thread:
            self.thread.join()
            self.thread = None


class NoMeter(Meter):
    """The meter for machines where nothing can be measured."""

    def __enter__(self) -> Self:
        return self


def no_meter() -> Meter:
    """Return the meter that measures nothing."""
    return NoMeter()
