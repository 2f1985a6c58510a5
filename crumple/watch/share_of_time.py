"""Work that is repeated while a run goes on, and may take a small share of the time only."""

import time
from collections.abc import Callable
from typing import TypeVar

SHARE = 0.01  #: of one core, for each work

Result = TypeVar("Result")


class ShareOfTime:
    """Lets work be repeated only after a hundred times as long as it took of a processor the last time."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, work_clock: Callable[[], float] = time.thread_time
    ) -> None:
        self.clock_, self.work_clock_ = clock, work_clock
        self.next_ = 0.0

    def is_due(self, hurry: bool = False) -> bool:
        """Whether the work may be done now; always if there is no run that it could slow down."""
        return hurry or self.clock_() >= self.next_

    def do(self, work: Callable[[], Result]) -> Result:
        """Do the work, and note how long it takes."""
        begin = self.work_clock_()
        try:
            return work()
        finally:
            self.next_ = self.clock_() + (self.work_clock_() - begin) / SHARE
