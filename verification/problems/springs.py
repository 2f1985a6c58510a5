"""Nonlinear springs and a damper pulled at constant speeds: the work that goes into them."""

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

K, KT, FY = 10.0, 2.0, 1.0
FARTHEST, END = 0.6, 0.4  #: elongations; at END the force of S03 is zero again
TIME, TURN = 5.0, 3.0
SPEED = FARTHEST / TURN
FORCE = [(-1.0, -2.0), (0.0, 0.0), (0.25, 1.5), (0.5, 2.0)]  #: of S04, goes on straight
SCALE = [(-1.0, 1.0), (0.0, 1.0), (1.0, 2.0)]  #: of S04 over velocity
DAMPER = [(-1.0, -0.5), (0.0, 0.0), (0.1, 0.4), (1.0, 0.9)]  #: of S05 over velocity


def decks() -> dict[str, Deck]:
    """One element of each law between a fixed node and one that goes out and back along x."""
    deck = Deck("springs", TIME)
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.curve(1, [(0.0, TIME / 2000), (100.0, TIME / 2000)])
    deck.curve(2, [(0.0, 0.0), (TURN, FARTHEST), (TIME, END), (2 * TIME, END)])
    for number, points in ((3, FORCE), (4, SCALE), (5, DAMPER)):
        deck.curve(number, points)
    deck.nodes({n: (float(n % 2 == 0), float((n - 1) // 2), 0.0) for n in range(1, 7)})
    deck.add("SECTION_DISCRETE", [1, 0], [0.0])
    deck.add("MAT_SPRING_ELASTOPLASTIC", [1, K, KT, FY])
    deck.add("MAT_SPRING_NONLINEAR_ELASTIC", [2, 3, 4])
    deck.add("MAT_DAMPER_NONLINEAR_VISCOUS", [3, 5])
    for n in (1, 2, 3):
        deck.part(n, 1, n, f"S0{n + 2}")
        deck.add("ELEMENT_DISCRETE", [n, n, 2 * n - 1, 2 * n])
    deck.add("ELEMENT_MASS", *([n, 2 * n, 1.0] for n in (1, 2, 3)))
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, 1, 1, 1, 1, 1, 1] for n in (1, 3, 5)))
    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 1, 2, 2, 1.0] for n in (2, 4, 6)))
    deck.output(TIME / 100, "matsum", "glstat")
    return {"all": deck}


def below(points: list[tuple[float, float]], end: float) -> float:
    """Integral of a curve from 0 to `end`, straight on beyond its last point."""
    area = 0.0
    pieces = list(zip(points[:-1], points[1:], strict=True))
    for n, ((x0, y0), (x1, y1)) in enumerate(pieces):
        a = max(0.0, x0)
        b = end if n == len(pieces) - 1 else min(end, x1)
        if b > a:
            slope = (y1 - y0) / (x1 - x0)
            area += (b - a) * (y0 + slope * (0.5 * (a + b) - x0))
    return area


def at(points: list[tuple[float, float]], x: float) -> float:
    """Value of a curve."""
    for (x0, y0), (x1, y1) in zip(points[:-1], points[1:], strict=True):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise ValueError(x)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Energy of each part at the turn and at the end."""
    r = results["all"]
    turn = int(abs(r.time("matsum") - TURN).argmin())
    back = -(FARTHEST - END) / (TIME - TURN)  # speed
    yielded = FY / K
    spring = [0.5 * FY * yielded + (FARTHEST - yielded) * (FY + 0.5 * KT * (FARTHEST - yielded))]
    spring.append(spring[0] - 0.5 * K * (FARTHEST - END) ** 2)
    elastic = [at(SCALE, SPEED) * below(FORCE, FARTHEST)]
    elastic.append(elastic[0] - at(SCALE, back) * (below(FORCE, FARTHEST) - below(FORCE, END)))
    damper = [at(DAMPER, SPEED) * FARTHEST]
    damper.append(damper[0] + at(DAMPER, back) * (END - FARTHEST))
    figures = []
    for n, (name, known) in enumerate((("S03", spring), ("S04", elastic), ("S05", damper)), 1):
        energy = r.part(n, "internal_energy")
        for when, k, expected in (("the turn", turn, known[0]), ("the end", -1, known[1])):
            quantity = f"internal energy at {when}"
            figures.append(Figure(name, quantity, expected, float(energy[k]), 2e-3, known[0]))
    return figures


PROBLEM = Problem(
    "springs",
    "Springs S03, S04 and damper S05, pulled and released at constant speeds",
    "closed form: area below force over elongation",
    decks,
    measure,
)
