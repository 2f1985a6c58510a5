"""The time that is left of a run."""

import time
from collections import deque
from collections.abc import Callable

WINDOW, LEAST = 180.0, 20.0  #: s of the clock, over which a pace is observed


class Pace:
    """Simulated time over the clock, as far as it has been watched."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock_ = clock
        self.seen_: deque[tuple[float, float]] = deque()

    def see(self, reached: float) -> None:
        """The run has reached this time; going back is a restart."""
        now = self.clock_()
        if self.seen_ and reached < self.seen_[-1][1]:
            self.seen_.clear()
        if not self.seen_ or reached > self.seen_[-1][1]:
            self.seen_.append((now, reached))
        while len(self.seen_) > 2 and now - self.seen_[0][0] > WINDOW:
            self.seen_.popleft()

    def left(self, to_go: float, step: float | None, seconds_a_cycle: float | None) -> float | None:
        """Seconds for a rest of simulated time.

        Args:
            to_go: simulated time
            step, seconds_a_cycle: the present step, and the mean of the run so far, for want of a longer look
        """
        if len(self.seen_) > 1:
            clock = self.seen_[-1][0] - self.seen_[0][0]
            if clock >= LEAST:
                return to_go * clock / (self.seen_[-1][1] - self.seen_[0][1])
        if not step or not seconds_a_cycle:
            return None
        return to_go / step * seconds_a_cycle
