"""Newton's method is quadratic: increments of iterations under the published loads, in one step."""

from collections.abc import Callable

from verification.deck import Deck
from verification.implicit import SMALL, exponent, increments
from verification.problem import Figure, Problem
from verification.problems.implicit import curved_beam, nafems_stress, thick_cylinder
from verification.results import Results

#: Decks with loads of a size; other problems ask for the small share, these for all of the load.
PUBLISHED: dict[str, Callable[[float], dict[str, Deck]]] = {
    "twisted beam": curved_beam.TWISTED.decks,
    "thick cylinder": thick_cylinder.decks,
    "LE1": nafems_stress.le1_decks,
    "LE5": nafems_stress.le5_decks,
    "LE6": nafems_stress.le6_decks,
}


def decks() -> dict[str, Deck]:
    """All formulations and meshes of a problem are one run: the slowest of them counts."""
    return {name: deck for name, of in PUBLISHED.items() for deck in of(1.0 / SMALL).values()}


def measure(results: dict[str, Results]) -> list[Figure]:
    """The exponent from one increment to the next."""
    return [
        Figure(name, "exponent of increments, least", (1.7, 3.0), exponent(increments(r)), 0.0)
        for name, r in results.items()
    ]


PROBLEM = Problem(
    "implicit convergence",
    "Convergence under published loads: an increment over the displacement is the one before to this power",
    "theory of Newton's method: 2",
    decks,
    measure,
    ranks=(1,),
)
