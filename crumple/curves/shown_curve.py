"""A curve of a run or of a test, in the units in which it is shown."""

from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class ShownCurve:
    """Values over time, with what is said about them.

    Attributes:
        run: the run's name, or the file of a measured curve
        subject: what it is of: "node 1234 B-pillar"
        name: the quantity: "x acceleration, CFC 60"
        times: (n,), in ms, or in deck units
        values: (n,)
        kind: "acceleration", "force", ...; empty without
        unit: of the values, as shown
        seconds: the size of a unit of time in s; None: not known
        size: the size of the unit of the values in SI units; None: not known
        signed: whether it is a component, not a magnitude
        measured: whether it comes from a test
    """

    run: str
    subject: str
    name: str
    times: np.ndarray
    values: np.ndarray
    kind: str = ""
    unit: str = ""
    seconds: float | None = None
    size: float | None = None
    signed: bool = True
    measured: bool = False
    notes: tuple[str, ...] = field(default=())

    def with_values(self, times: np.ndarray, values: np.ndarray, **changes: object) -> "ShownCurve":
        """The same with other values."""
        return replace(self, times=times, values=values, **changes)

    @property
    def time_unit(self) -> str:
        """The unit of the times, as shown."""
        return "ms" if self.seconds else "deck units"
