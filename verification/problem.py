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
    figure is out of tolerance for now; it must then be out of it. `reached` is what a formulation gives that
    cannot reach the known value, and `why` says why: the tolerance is then around it.
    """

    case: str
    quantity: str
    expected: float | tuple[float, float]
    computed: float
    tolerance: float
    scale: float | None = None
    known_wrong: str = ""
    reached: float | None = None
    why: str = ""

    @property
    def error(self) -> float:
        """Relative to the known value; distance to the range where a range is expected."""
        return self._error_of(self.computed)

    def _error_of(self, computed: float) -> float:
        low, high = self.expected if isinstance(self.expected, tuple) else (self.expected, self.expected)
        scale = self.scale if self.scale is not None else max(abs(low), abs(high))
        miss = max(low - computed, computed - high, 0.0)
        if computed != computed:
            return float("inf")
        if isinstance(self.expected, tuple):
            return miss / scale
        return abs(computed - self.expected) / scale

    @property
    def good(self) -> bool:
        """Within tolerance."""
        if self.reached is not None:
            return abs(self.computed - self.reached) <= self.tolerance * abs(self.reached)
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
    slow: bool = False  #: takes more than fifteen seconds: tests mark it slow
