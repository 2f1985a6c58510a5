"""The lines by which the solver tells its progress."""

import re
from dataclasses import dataclass

ROW = re.compile(r"^ *(\d+)" + r" +(\S+e\S+)" * 5 + r" +(\S+) +(\S+) +(\S+)$")
STEP = re.compile(r"^ step +(\d+)  time (\S+)  dt (\S+)$")
CONVERGED = re.compile(
    r"^ step +(\d+)  converged: .*internal energy ([^\s,]+)(?:, kinetic energy ([^\s,]+))?"
)


@dataclass(frozen=True)
class RunProgress:
    """Where a run is; in units of the deck. Of an implicit run, energies that it does not print are 0."""

    cycle: int
    time: float
    step: float
    kinetic: float
    internal: float
    total: float
    end_time: float | None = None  #: of the run

    @property
    def share(self) -> float | None:
        """The part of the run that is done, from 0 to 1; None while its end is not known."""
        return min(1.0, self.time / self.end_time) if self.end_time else None


class ProgressLines:
    """Reads lines of the output one by one."""

    def __init__(self) -> None:
        self.step_: tuple[int, float, float] = (0, 0.0, 0.0)  #: number, end, length of an implicit step

    def read(self, line: str, end_time: float | None) -> RunProgress | None:
        """The progress in a line; None if it tells none."""
        if match := ROW.match(line):
            try:
                return RunProgress(int(match[1]), *(float(match[k]) for k in range(2, 7)), end_time=end_time)
            except ValueError:
                return None
        if match := STEP.match(line):
            self.step_ = (int(match[1]), float(match[2]), float(match[3]))
        elif (match := CONVERGED.match(line)) and int(match[1]) == self.step_[0]:
            internal, kinetic = float(match[2]), float(match[3] or 0.0)
            return RunProgress(*self.step_, kinetic, internal, kinetic + internal, end_time)
        return None
