"""Shells and beams that turn far: Sze, Liu and Lo's problems, and Bathe and Bolourchi's bend."""

from collections.abc import Callable

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SHELLS, Form, increments, sections, static
from verification.pieces import Held, Piece
from verification.problem import Figure, Problem
from verification.problems.implicit.curved_shells import sphere
from verification.results import Results

SZE = "Sze, Liu and Lo (2004), Finite Elem. Anal. Des. 40, 1551-1569"
#: Thin shells that turn far stretch before they turn: full steps, without a line search
#: (docs/implicit-reference.md).
SOLUTION = "12,1,40,1e-6,1e-12,1e-6,1e6,1e-20"
S16, S2 = SHELLS[0], SHELLS[2]
Path = dict[float, float]  #: displacement by share of the whole load
MOST_ITERATIONS = 25.0  #: where nodes turn far in a step, the symmetric stiffness makes them linear


class LargeShell:
    """One problem: its mesh, supports, loads, and the known displacements by node and axis.

    Shares of the load for which they are known are at ends of the equal steps.
    """

    def __init__(
        self,
        name: str,
        piece: Callable[[Form], Piece],
        law: tuple[float, float],
        thickness: float,
        held: Held,
        load: Callable[[Deck, Piece], None],
        known: dict[str, tuple[tuple[float, float], int, Path]],
        steps: int,
        forms: dict[Form, float],
    ) -> None:
        self.name, self.piece, self.law, self.thickness = name, piece, law, thickness
        self.held, self.load, self.known, self.steps, self.forms = held, load, known, steps, forms

    def decks(self) -> dict[str, Deck]:
        """One for each form."""
        return {form.name: self.deck(form) for form in self.forms}

    def deck(self, form: Form) -> Deck:
        """All load in equal steps, which are halved where they do not converge."""
        deck = static(self.name, self.steps, SOLUTION, automatic=True, ends=True)
        deck.elastic(1, 1.0, *self.law)
        sections(deck, [form], self.thickness)
        piece = self.piece(form)
        piece.write(deck, 1, 1, form.name)
        piece.hold(deck, self.held)
        self.load(deck, piece)
        deck.node_history({piece.nodes(*at)[0] for at, _, _ in self.known.values()})
        return deck

    def measure(self, results: dict[str, Results]) -> list[Figure]:
        """Displacements under shares of the load, relative to the largest known ones, and iterations."""
        figures = []
        for form, tolerance in self.forms.items():
            r, piece = results[form.name], self.piece(form)
            times = r.time("nodout")
            for quantity, (at, axis, path) in self.known.items():
                u = r.node(piece.nodes(*at)[0], f"{'xyz'[axis - 1]}_displacement")
                size = max(map(abs, path.values()))
                for share, expected in path.items():
                    at_share = float(u[np.argmin(np.abs(times - share))])
                    part = "" if len(path) == 1 else f", {share:g} of the load"
                    figures.append(Figure(form.name, quantity + part, expected, at_share, tolerance, size))
            figures += convergence(form.name, r)
        return figures


def convergence(case: str, r: Results) -> list[Figure]:
    """How many iterations the steps that converge take."""
    most = float(max(len(row) for row in increments(r)))
    return [Figure(case, "iterations of a step, most", (1.0, MOST_ITERATIONS), most, 0.0)]


def strip(form: Form) -> Piece:
    """10 by 1, along x."""
    return Piece(1, form, (16, 1), lambda u, v, w: (10.0 * u, v, 0.1 * w))


CANTILEVER = LargeShell(
    "cantilever under end shear",
    strip,
    (1.2e6, 0.0),
    0.1,
    lambda u, v: [u == 0] * 6,
    lambda deck, piece: piece.push_edge(deck, 3, 4.0),
    {"tip along the strip": ((1.0, 0.0), 1, {1.0: -3.286}), "tip across it": ((1.0, 0.0), 3, {1.0: 6.698})},
    10,
    {S16: 0.01},
)


ROLLED_LENGTH = 12.0


def rolled_strip(form: Form) -> Piece:
    """12 by 1, along x."""
    return Piece(1, form, (24, 1), lambda u, v, w: (ROLLED_LENGTH * u, v, 0.1 * w))


def rolled_held(u: float, v: float) -> list[bool]:
    """All move in the plane only: off it the moment about a fixed axis has no symmetric stiffness."""
    return [u == 0, True, u == 0, True, u == 0, True]


def rolled(axis: int) -> Path:
    """Of the tip along x or z where the strip is an arc of the angle t = 2 pi times the share of the load."""
    path = {}
    for share in (0.25, 0.5, 0.75, 1.0):
        t = 2 * np.pi * share
        place = np.sin(t) / t - 1 if axis == 1 else (1 - np.cos(t)) / t
        path[share] = float(ROLLED_LENGTH * place)
    return path


ROLLED = LargeShell(
    "cantilever under an end moment",
    rolled_strip,
    (1.2e6, 0.0),
    0.1,
    rolled_held,
    lambda deck, piece: piece.push_edge(deck, 6, -2 * np.pi * 1.2e6 * 0.1**3 / 12 / ROLLED_LENGTH),
    {"tip along the strip": ((1.0, 0.0), 1, rolled(1)), "tip across it": ((1.0, 0.0), 3, rolled(3))},
    40,
    {S16: 0.01},
)


def ring(form: Form) -> Piece:
    """u around from the clamped to the lifted side of the slit, v from the inner to the outer edge."""

    def place(u: float, v: float, w: float) -> Point:
        a, r = 2 * np.pi * u, 6.0 + 4.0 * v
        return (float(r * np.cos(a)), float(r * np.sin(a)), 0.03 * w)

    return Piece(1, form, (60, 8), place)


SLIT_RING = LargeShell(
    "slit annular plate",
    ring,
    (21e6, 0.0),
    0.03,
    lambda u, v: [u == 0] * 6,
    lambda deck, piece: piece.push_edge(deck, 3, 3.2),
    {"inner corner": ((1.0, 0.0), 3, {1.0: 13.891}), "outer corner": ((1.0, 1.0), 3, {1.0: 17.528})},
    20,
    {S16: 0.01},
)


def hemisphere_held(u: float, v: float) -> list[bool]:
    """Symmetry; one node is held in z."""
    pulled, pushed = u == 0, u == 1
    return [pushed, pulled, pushed and v == 0, pulled, pushed, pulled or pushed]


def hemisphere_load(deck: Deck, piece: Piece) -> None:
    """400 on the whole: 200 on a quarter."""
    piece.push(deck, piece.nodes(0.0, 0.0), 1, 200.0)
    piece.push(deck, piece.nodes(1.0, 0.0), 2, -200.0)


HEMISPHERE = LargeShell(
    "hemisphere with a hole",
    lambda form: Piece(1, form, (24, 24), sphere),
    (6.825e7, 0.3),
    0.04,
    hemisphere_held,
    hemisphere_load,
    {"pulled point": ((0.0, 0.0), 1, {1.0: 4.067}), "pushed point": ((1.0, 0.0), 2, {1.0: -8.178})},
    20,
    {S16: 0.015},
)


BEND_CELLS = 16
BEND = {"x": -13.4, "y": -23.5, "z": 53.4}


def bend(form: int) -> Deck:
    """An eighth of a circle of radius 100 in the xy plane, a section of 1 by 1, 600 along z at its tip."""
    deck = static("45 degree bend", 10, SOLUTION, automatic=True)
    deck.elastic(1, 1.0, 1e7, 0.0)
    deck.part(1, 1, 1, "bend")
    deck.beam_section(1, form, 1.0, 1.0)
    points = {}
    for k in range(BEND_CELLS + 1):
        a = np.pi / 4 * k / BEND_CELLS
        points[k + 1] = (float(100 * (1 - np.cos(a))), float(100 * np.sin(a)), 0.0)
    centre = BEND_CELLS + 2
    points[centre] = (100.0, 0.0, 0.0)
    deck.nodes(points)
    deck.add("BOUNDARY_SPC_NODE", [1, 0, 1, 1, 1, 1, 1, 1], [centre, 0, 1, 1, 1, 1, 1, 1])
    deck.add("ELEMENT_BEAM", *([k, 1, k, k + 1, centre] for k in range(1, BEND_CELLS + 1)))
    deck.add("LOAD_NODE_POINT", [BEND_CELLS + 1, 3, 1, 600.0])
    deck.node_history([BEND_CELLS + 1])
    return deck


def bend_decks() -> dict[str, Deck]:
    """Two beam formulations."""
    return {f"beam {form}": bend(form) for form in (1, 2)}


def bend_measure(results: dict[str, Results]) -> list[Figure]:
    """Displacement of the tip; errors are relative to its length."""
    size = float(np.linalg.norm(list(BEND.values())))
    figures = []
    for name, r in results.items():
        for axis, expected in BEND.items():
            u = float(r.node(BEND_CELLS + 1, f"{axis}_displacement")[-1])
            figures.append(Figure(name, f"tip along {axis}", expected, u, 0.01, size))
        figures += convergence(name, r)
    return figures


def problem(name: str, title: str, shell: LargeShell) -> Problem:
    """With the source of all shells."""
    return Problem(f"implicit {name}", title, SZE, shell.decks, shell.measure, ranks=(1,))


PROBLEMS = [
    problem("end shear", "Cantilever under an end shear of 4, 16 x 1 shells: large rotations", CANTILEVER),
    Problem(
        "implicit end moment",
        "Cantilever rolled into a full circle by an end moment, 24 x 1 shells, in its plane only",
        f"{SZE}; closed form: an arc of the curvature M / E I",
        ROLLED.decks,
        ROLLED.measure,
        ranks=(1,),
    ),
    problem(
        "slit ring", "Slit annular plate lifted by 0.8 a length, 60 x 8 shells: large rotations", SLIT_RING
    ),
    problem("large hemisphere", "Hemisphere with a hole under forces of 400, 24 x 24 shells", HEMISPHERE),
    Problem(
        "implicit 45 degree bend",
        "Curved cantilever under a force of 600 across its plane, 16 beams: large rotations",
        "Bathe and Bolourchi (1979), Int. J. Numer. Methods Eng. 14, 961-986",
        bend_decks,
        bend_measure,
        ranks=(1,),
    ),
]
