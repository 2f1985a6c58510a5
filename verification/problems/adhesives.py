"""Layers of adhesive, bricks of MAT_169, broken on straight paths between tension and shear: their work."""

import math

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

GCTEN, GCSHR, TENMAX, SHRMAX, YOUNG, POISSON = 1.5e-3, 4e-3, 0.03, 0.02, 2.0, 0.35
AREA, FAR, END = 6.0, 0.5, 1.0
ANGLES = (0, 40, 75, 90)
PLATEAUS = (0.0, 0.4)
# Thickness, ELFORM, THKDIR; with 0 the layer is turned so that its thickness is along side 1-4.
LAYERS = ((0.3, 1, 1), (0.6, 1, 0), (0.3, 2, 1), (0.6, 2, 0))
CASES = [(layer, plateau, angle) for layer in LAYERS for plateau in PLATEAUS for angle in ANGLES]


def decks() -> dict[str, Deck]:
    """A brick for each layer, plateau and path."""
    deck = Deck("adhesives", END, 0.5)
    deck.curve(1, [(0.0, 0.0), (2 * END, 2 * FAR)])
    corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 3.0), (0.0, 3.0)]
    for number, ((thickness, form, direction), plateau, angle) in enumerate(CASES, 1):
        deck.add(
            "MAT_169",
            [number, 1e-6, YOUNG, POISSON, TENMAX, GCTEN, SHRMAX, GCSHR],
            [2.0, 2.0, plateau, 0.0, 1.0, 0.0, direction, 0],
        )
        deck.add("SECTION_SOLID", [number, form])
        deck.part(number, number, number, f"layer {number}")
        low = 10 * number
        deck.nodes(
            {
                low + k + 4 * side: (x + low, y, thickness * side)
                for side in (0, 1)
                for k, (x, y) in enumerate(corners)
            }
        )
        order = range(8) if direction == 1 else (0, 3, 7, 4, 1, 2, 6, 5)
        deck.solids(number, {low: [low + k for k in order]})
        deck.add("BOUNDARY_SPC_NODE", *([low + k, 0, 1, 1, 1, 0, 0, 0] for k in range(4)))
        upper = range(low + 4, low + 8)
        deck.add("BOUNDARY_SPC_NODE", *([n, 0, 0, 1, 0, 0, 0, 0] for n in upper))
        for axis, share in ((1, _sine(angle)), (3, _sine(90 - angle))):
            if share > 0:
                deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, axis, 2, 1, share] for n in upper))
            else:
                deck.add("BOUNDARY_SPC_NODE", *([n, 0, int(axis == 1), 1, int(axis == 3)] for n in upper))
    deck.output(END / 10, "glstat", "matsum")
    return {"bonds": deck}


def _sine(angle: float) -> float:
    return math.sin(math.radians(angle)) if angle % 180 else 0.0


def work(angle: float) -> float:
    """Per area, where the works of both modes are shares of GCTEN and GCSHR that add up to 1."""
    wave = YOUNG * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON))
    one, two = wave * _sine(90 - angle) ** 2, YOUNG / (2 * (1 + POISSON)) * _sine(angle) ** 2
    return (one + two) / (one / GCTEN + two / GCSHR)


def measure(results: dict[str, Results]) -> list[Figure]:
    """The energies of the deleted elements."""
    return [
        Figure(
            f"{thickness} mm, solid {form}, SHRP = {plateau}",
            f"work at {angle} degrees, kN/mm",
            work(angle),
            float(results["bonds"].part(number, "eroded_internal_energy")[-1]) / AREA,
            0.005,
        )
        for number, ((thickness, form, _), plateau, angle) in enumerate(CASES, 1)
    ]


PROBLEM = Problem(
    "adhesives",
    "Layers of adhesive (MAT_169): work to failure",
    "closed form: energies per area of tension and shear, which add up in mixed modes",
    decks,
    measure,
)
