"""Limit loads by arc lengths: Lee's frame, and hinged roofs after Sze, Liu and Lo."""

from dataclasses import dataclass

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SHELLS, path_loads, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

#: Newton's method along the path, with the arc length of the first step (Crisfield 1981).
SOLUTION, ARC = "12,1,40,1e-6,1e-12,,,1e-20", ",,,3"

FRAME_STEPS, FRAME_FIRST = 60, 0.2  #: the load of the first step
BAR, FRAME_CELLS = 120.0, 20  #: of each bar
FRAME_LOADED = FRAME_CELLS + 1 + FRAME_CELLS // 5  #: 24 from the corner


def frame() -> Deck:
    """Two bars that are hinged at their far ends; the load is near their corner."""
    deck = static("Lee's frame", FRAME_STEPS, SOLUTION, size=FRAME_STEPS * FRAME_FIRST, arc=ARC)
    deck.elastic(1, 1.0, 720.0, 0.3)
    deck.part(1, 1, 1, "frame")
    deck.add("SECTION_BEAM", [1, 2], [6.0, 2.0, 2.0, 4.0, 5.0])
    cells, length = FRAME_CELLS, BAR / FRAME_CELLS
    points: dict[int, Point] = {k + 1: (0.0, 0.0, length * k) for k in range(cells + 1)}
    points |= {cells + 1 + k: (length * k, 0.0, BAR) for k in range(1, cells + 1)}
    third = len(points) + 1
    deck.nodes(points | {third: (60.0, 50.0, 60.0)})
    deck.add("ELEMENT_BEAM", *([k, 1, k, k + 1, third] for k in range(1, 2 * cells + 1)))
    for n in points:
        hinge = int(n in (1, len(points)))
        deck.add("BOUNDARY_SPC_NODE", [n, 0, hinge, 1, hinge, 1, 0, 1])
    deck.add("BOUNDARY_SPC_NODE", [third, 0, 1, 1, 1, 1, 1, 1])
    deck.add("LOAD_NODE_POINT", [FRAME_LOADED, 3, 1, -1.0])
    deck.node_history([FRAME_LOADED])
    return deck


def frame_measure(results: dict[str, Results]) -> list[Figure]:
    """The first limit point, between steps by a parabola; the path beyond it falls."""
    r = results["frame"]
    load = FRAME_STEPS * FRAME_FIRST * path_loads(r)
    down = -r.node(FRAME_LOADED, "z_displacement")[-len(load) :]
    most, where = limit_point(load, down)
    return [
        Figure("beam 2, 20 a bar", "limit load", 1.8557, most, 0.005),
        Figure("beam 2, 20 a bar", "displacement at the limit load", 48.75, where, 0.02),
        Figure("beam 2, 20 a bar", "load at the end over the limit load", (-1.0, 0.9), load[-1] / most, 0.0),
    ]


def limit_point(load: np.ndarray, moved: np.ndarray) -> tuple[float, float]:
    """The first largest load and where it is: of a parabola through the step and its neighbours.

    Returns NaN where the load only rises.
    """
    falls = np.flatnonzero(np.diff(load) < 0)
    if not len(falls) or falls[0] == 0:
        return float("nan"), float("nan")
    k = falls[0]
    a, b, c = np.polyfit(moved[k - 1 : k + 2] - moved[k], load[k - 1 : k + 2], 2)
    top = -b / (2 * a)
    return float(c - b * b / (4 * a)), float(moved[k] + top)


@dataclass(frozen=True)
class Roof:
    """A hinged roof under a force at its centre, of which a quarter is meshed.

    `limit` is the largest load over 3,000 of the published path before it falls, and `at` where it is. The
    table has some 15 points a path, so that the largest load itself is a little above it.
    """

    thickness: float
    limit: float
    at: float
    first: float  #: load of the first step, on the whole roof
    steps: int

    @property
    def name(self) -> str:
        """As in the table."""
        return f"thickness {self.thickness}"

    @property
    def deck(self) -> Deck:
        """Radius 2540, half length 254, half angle 0.1; straight edges are hinged, curved ones free."""
        deck = static(
            f"roof, {self.name}", self.steps, SOLUTION, size=0.25 * self.steps * self.first, arc=ARC
        )
        deck.elastic(1, 1.0, 3102.75, 0.3)
        sections(deck, [SHELLS[0]], self.thickness)
        piece = quarter_roof()
        piece.write(deck, 1, 1, "roof")
        piece.hold(deck, roof_held)
        piece.push(deck, piece.nodes(0.0, 0.0), 3, -1.0)
        deck.node_history(piece.nodes(0.0, 0.0))
        return deck

    def measure(self, r: Results) -> list[Figure]:
        """The first limit point of the force on the whole roof."""
        load = self.steps * self.first * path_loads(r)
        down = -r.node(quarter_roof().nodes(0.0, 0.0)[0], "z_displacement")[-len(load) :]
        most, where = limit_point(load, down)
        return [
            Figure(self.name, "limit load over 3000", self.limit, most / 3000.0, 0.02),
            Figure(self.name, "displacement at the limit load", self.at, where, 0.06),
            Figure(self.name, "load at the end over the limit load", (-3.0, 0.99), load[-1] / most, 0.0),
        ]


def quarter_roof() -> Piece:
    """u from the centre to the hinge along the arc, v from the centre to the free edge along y."""

    def place(u: float, v: float, w: float) -> Point:
        a = 0.1 * u
        return (float(2540.0 * np.sin(a)), 254.0 * v, float(2540.0 * (np.cos(a) - np.cos(0.1))) + w)

    return Piece(1, SHELLS[0], (16, 16), place)


def roof_held(u: float, v: float) -> list[bool]:
    """Symmetry at u = 0 and v = 0; no displacement at the hinge."""
    hinge = u == 1
    return [u == 0 or hinge, v == 0 or hinge, hinge, v == 0, u == 0, u == 0 or v == 0]


ROOFS = [Roof(12.7, 0.7421, 11.293, 200.0, 30), Roof(6.35, 0.1953, 12.892, 50.0, 40)]


PROBLEMS = [
    Problem(
        "implicit Lee frame",
        "Two bars that are hinged at their ends snap through: the first limit load, by arc lengths",
        "Lee, Manuel and Rossow (1968), J. Eng. Mech. Div. 94, 521-547; values of the extensible elastica, "
        "by shooting with the method of Runge and Kutta",
        lambda: {"frame": frame()},
        frame_measure,
        ranks=(1,),
    ),
    Problem(
        "implicit hinged roofs",
        "Hinged cylindrical roofs under a central force, 16 x 16 shells 16 on a quarter: limit loads",
        "Sze, Liu and Lo (2004), Finite Elem. Anal. Des. 40, 1551-1569, table 9, isotropic: first largest "
        "load",
        lambda: {roof.name: roof.deck for roof in ROOFS},
        lambda results: [f for roof in ROOFS for f in roof.measure(results[roof.name])],
        ranks=(1,),
    ),
]
