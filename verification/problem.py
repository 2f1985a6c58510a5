"""What a verification problem is: decks, and figures measured on their results."""

from collections.abc import Callable
from dataclasses import dataclass, field

from verification.deck import Deck
from verification.results import Results


@dataclass(frozen=True)
class Figure:
    """One quantity beside its known value.

    `case` names the formulation, law or load. `expected` is a value, or the ends of a range. The error is
    relative to `scale`, which is the size of the expected value unless given. `known_wrong` says why a
    figure is out of tolerance for now; it must then be out of it.
    """

    case: str
    quantity: str
    expected: float | tuple[float, float]
    computed: float
    tolerance: float
    scale: float | None = None
    known_wrong: str = ""

    @property
    def error(self) -> float:
        """Relative; distance to the range where a range is expected."""
        low, high = self.expected if isinstance(self.expected, tuple) else (self.expected, self.expected)
        scale = self.scale if self.scale is not None else max(abs(low), abs(high))
        miss = max(low - self.computed, self.computed - high, 0.0)
        if self.computed != self.computed:
            return float("inf")
        if isinstance(self.expected, tuple):
            return miss / scale
        return abs(self.computed - self.expected) / scale

    @property
    def good(self) -> bool:
        """Within tolerance."""
        return self.error <= self.tolerance


@dataclass(frozen=True)
class Problem:
    """Decks by name, and what is measured on all their results together."""

    name: str
    title: str
    source: str
    decks: Callable[[], dict[str, Deck]]
    measure: Callable[[dict[str, Results]], list[Figure]]
    arguments: dict[str, list[str]] = field(default_factory=dict)  #: of the solver, by deck
    ranks: tuple[int, ...] = (1, 3)  #: a run of many cycles and few elements is for one
