"""Cohesive elements pulled apart on straight paths between mode I and mode II: the energy that each takes."""

import math

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

GIC, GIIC, T, S, EN, ET, EXPONENT = 0.5e-3, 2e-3, 0.03, 0.05, 100.0, 60.0, 1.5
AREA, FAR, END, UNDER_CURVE = 6.0, 0.15, 1.0, 0.69
THICK, RATE = 0.2, FAR / END / 0.2  # of MAT_240: rate of all paths
ANGLES = (0, 25, 50, 75, 90)
LAWS = {
    "MAT_138, power law": ("MAT_138", [EN, ET, GIC, GIIC], [EXPONENT, T, S]),
    "MAT_138, Benzeggagh-Kenane": ("MAT_138", [EN, ET, GIC, GIIC], [-EXPONENT, T, S]),
    "MAT_186, power law": ("MAT_186", [0.0, 7, GIC, GIIC], [EXPONENT, T, S]),
    "MAT_186, Benzeggagh-Kenane": ("MAT_186", [1.0, 7, GIC, GIIC], [EXPONENT, T, S]),
    "MAT_186, dimensionless": ("MAT_186", [2.0, 7, GIC, GIIC], [EXPONENT, T, S]),
    "MAT_185": ("MAT_185", [T, 0.04, 0.05], [0.02, 0.4, 1.0]),
    "MAT_240": (
        "MAT_240",
        [THICK * EN, THICK * ET, THICK],
        [GIC, 0.0, 0.0, T, 0.0, 0.0, 0.4],
        [GIIC, 0.0, 0.0, S, 0.0, 0.0, -0.5],
    ),
    "MAT_240, rates": (
        "MAT_240",
        [THICK * EN, THICK * ET, THICK],
        [-GIC, 3 * GIC, RATE, -T, 0.01, 0.1 * RATE, 0.4],
        [-GIIC, 2 * GIIC, RATE, -S, -0.01, 0.1 * RATE, -0.5],
    ),
}
CASES = [(law, angle, form) for law in LAWS for angle in ANGLES for form in (19, 21)]


def decks() -> dict[str, Deck]:
    """An element for each law, path and form, without thickness."""
    deck = Deck("mixed modes", END, 0.1)
    deck.curve(7, [(0, 0), (0.02, 1), (0.4, 1), (1, 0)])
    deck.curve(1, [(0.0, 0.0), (2 * END, 2 * FAR)])
    corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 3.0), (0.0, 3.0)]
    for number, (law, angle, form) in enumerate(CASES, 1):
        keyword, first, *more = LAWS[law]
        deck.add(keyword, [number, 1e-3, 1, 1.0, *first], *more)
        deck.add("SECTION_SOLID", [number, form])
        deck.part(number, number, number, f"{law}, {angle}")
        low = 10 * number
        deck.nodes(
            {low + k + 4 * side: (x + low, y, 0.0) for side in (0, 1) for k, (x, y) in enumerate(corners)}
        )
        for k, face in enumerate([(0, 1, 2, 3)] if form == 19 else [(0, 1, 2, 2), (0, 2, 3, 3)]):
            deck.solids(number, {low + k: [low + c + 4 * side for side in (0, 1) for c in face]})
        deck.add("BOUNDARY_SPC_NODE", *([low + k, 0, 1, 1, 1, 0, 0, 0] for k in range(4)))
        upper = range(low + 4, low + 8)
        deck.add("BOUNDARY_SPC_NODE", *([n, 0, 0, 1, 0, 0, 0, 0] for n in upper))
        for direction, share in ((1, _sin(angle)), (3, _sin(90 - angle))):
            if share > 0:
                deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, direction, 2, 1, share] for n in upper))
            else:
                deck.add(
                    "BOUNDARY_SPC_NODE", *([n, 0, int(direction == 1), 1, int(direction == 3)] for n in upper)
                )
    deck.output(END / 10, "glstat", "matsum")
    return {"layers": deck}


def _sin(angle: float) -> float:
    return math.sin(math.radians(angle)) if angle % 180 else 0.0


def energy(law: str, angle: float) -> float:
    """Per area, of the criterion of the law; `share` is that of mode II."""
    c, s = _sin(90 - angle) ** 2, _sin(angle) ** 2
    if law == "MAT_185":
        return T * 0.04 * 0.5 * (1 - 0.02 + 0.4)
    first, second = (EN, ET) if law.startswith(("MAT_138", "MAT_240")) else (T, S)
    share = second * s / (first * c + second * s)
    if law.startswith("MAT_240"):
        one, two = (3, 2) if law.endswith("rates") else (1, 1)
        last = math.exp(-1)
        return 1 / ((1 - share) / (GIC * (1 + (one - 1) * last)) + share / (GIIC * (1 + (two - 1) * last)))
    if "power" in law:
        return ((1 - share) ** EXPONENT / GIC**EXPONENT + share**EXPONENT / GIIC**EXPONENT) ** (-1 / EXPONENT)
    if "Benzeggagh" in law:
        return GIC + (GIIC - GIC) * share**EXPONENT
    one, two = c * (UNDER_CURVE * T / GIC) ** 2, s * (UNDER_CURVE * S / GIIC) ** 2
    return (GIC * one + GIIC * two) / (one + two)


def measure(results: dict[str, Results]) -> list[Figure]:
    """The energies of the deleted elements."""
    return [
        Figure(
            f"{law}, solid {form}",
            f"energy at {angle} degrees, kN/mm",
            energy(law, angle),
            float(results["layers"].part(number, "eroded_internal_energy")[-1]) / AREA,
            0.001,
        )
        for number, (law, angle, form) in enumerate(CASES, 1)
    ]


PROBLEM = Problem(
    "mixed_modes",
    "Cohesive laws in mixed modes: energy to failure",
    "closed form: power law; Benzeggagh and Kenane 1996; Tvergaard and Hutchinson 1992; Marzi et al. 2009",
    decks,
    measure,
)
