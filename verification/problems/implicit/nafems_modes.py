"""NAFEMS modes FV2, FV12, FV16, FV21, FV22, FV32 and FV52, and rigid modes of free bodies.

FV12 and FV16 are thin plates: known values are those of a series with few terms, up to 1 % above the theory
of thin plates (Leissa 1973, J. Sound Vib. 31, 257-293), and those of shells with lumped masses are as much
below it at 32 x 32. tests/implicit/test_eigenvalues.py has their limit.

Masses are lumped, and the rotary inertia of shells is that of the explicit solver, which grows with their
area: frequencies are below those of consistent masses, by the square of the size of elements. About normals
shells have little stiffness, G t^3 / 12: with that inertia such rotations have modes of their own, whose
frequency goes with thickness over area. In thin membranes (FV32) they are among the first, unless DRCPRM
raises them.

FV52 holds a thick plate at the edges of its lower face. A line holds a solid less and less as the mesh is
refined, so that its frequencies fall below the known ones, which are those of thick plates with all of their
sides held: FV21 has the same solids with such supports.
"""

from collections.abc import Callable

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SHELLS, SOLIDS, Form, Table, frequencies, modal, sections
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

STEEL = (8000.0, 200e9, 0.3)
SOURCE = "The Standard NAFEMS Benchmarks, TNSB Rev. 3 (1990)"

CROSS = [11.336, *[17.709] * 7, 45.345, *[57.390] * 7]
CROSS_CELLS = (16, 32)
CROSS_TOLERANCES = {16: 0.02, 32: 0.015}  #: known values are those of slender beams, up to 1.2 % above


def cross(form: int, cells: int) -> Deck:
    """Eight arms of 5 m that meet at a node, pinned at their ends, in their plane."""
    deck = modal("FV2", len(CROSS))
    deck.elastic(1, *STEEL)
    deck.part(1, 1, 1, "arms")
    deck.beam_section(1, form, 0.125, 0.125)
    third = 2
    deck.nodes({1: (0.0, 0.0, 0.0), third: (0.0, 0.0, 10.0)})
    deck.add("BOUNDARY_SPC_NODE", [1, 0, 0, 0, 1, 1, 1, 0], [third, 0, 1, 1, 1, 1, 1, 1])
    for arm in range(8):
        a = np.pi / 4 * arm
        row = [1]
        for k in range(1, cells + 1):
            n = 100 * (arm + 1) + k
            r = 5.0 * k / cells
            deck.nodes({n: (float(r * np.cos(a)), float(r * np.sin(a)), 0.0)})
            held = [1, 1, 1, 1, 1, 0] if k == cells else [0, 0, 1, 1, 1, 0]
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *held])
            row.append(n)
        deck.add(
            "ELEMENT_BEAM",
            *([100 * arm + k + 1, 1, row[k], row[k + 1], third] for k in range(cells)),
        )
    return deck


def cross_decks() -> dict[str, Deck]:
    """Two beam formulations in two meshes."""
    return {f"beam {form}, {n}": cross(form, n) for form in (1, 2) for n in CROSS_CELLS}


def cross_measure(results: dict[str, Results]) -> list[Figure]:
    """Of each group of equal frequencies the one that is farthest off."""
    figures = []
    for name, r in results.items():
        form, cells = name.split(", ")
        found = frequencies(r)[: len(CROSS)]
        for known in dict.fromkeys(CROSS):
            group = [f for f, k in zip(found, CROSS, strict=True) if k == known]
            worst = max(group, key=lambda f: abs(f - known))
            case = f"{form}, {cells} an arm"
            tolerance = CROSS_TOLERANCES[int(cells)]
            label = f"{len(group)} equal frequencies, Hz" if len(group) > 1 else "frequency, Hz"
            figures.append(Figure(case, label, known, float(worst), tolerance))
    return figures


class Plate:
    """A body of one formulation in one mesh: supports by its parameters."""

    def __init__(
        self,
        form: Form,
        cells: tuple[int, int],
        place,
        thickness: float,
        hold,
        layers: int = 1,
        drill: float = 1.0,
    ) -> None:
        self.drill = drill  #: DRCPRM
        self.piece = Piece(1, form, cells, place, layers)
        self.thickness = thickness
        self.hold: Callable[[float, float, float], list[bool]] = hold

    def deck(self, title: str, modes: int) -> Deck:
        """Its lowest modes."""
        deck = modal(title, modes)
        deck.add("CONTROL_IMPLICIT_SOLVER", [None] * 5 + [self.drill])
        deck.elastic(1, *STEEL)
        sections(deck, [self.piece.form], self.thickness)
        self.piece.write(deck, 1, 1, title)
        for n, p in self.piece.flat.nodes.items():
            held = [bool(h) for h in self.hold(*p)]
            if self.piece.form.kind == "solid":
                held[3:] = [False] * 3
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held)])
        return deck

    @property
    def name(self) -> str:
        """As in the tables."""
        return f"{self.piece.form.name}, {self.piece.mesh}"


def rhombus(u: float, v: float, w: float) -> Point:
    """Sides of 10 m, an angle of 45 degrees, 1 m thick."""
    c = float(np.sqrt(0.5))
    return (10.0 * (u + c * v), 10.0 * c * v, w)


def clamped(u: float, v: float, w: float) -> list[bool]:
    """All four sides; nothing moves in the plane."""
    side = u in (0, 1) or v in (0, 1)
    return [True, True, side, side, side, True]


def taper(u: float, v: float, w: float) -> Point:
    """10 m long, 5 m high where it is clamped and 1 m at its tip."""
    return (10.0 * u, (5.0 - 4.0 * u) * (v - 0.5), 0.05 * w)


def in_plane(u: float, v: float, w: float) -> list[bool]:
    """Clamped at u = 0, and nothing moves out of the plane."""
    return [u == 0, u == 0, True, True, True, u == 0]


def square(u: float, v: float, w: float) -> Point:
    """10 m by 10 m, 1 m thick."""
    return (10.0 * u, 10.0 * v, w)


def on_edges(u: float, v: float, w: float) -> list[bool]:
    """The edges of the lower face stay in their plane."""
    return [False, False, w == -0.5 and (u in (0, 1) or v in (0, 1)), False, False, False]


def hard(u: float, v: float, w: float) -> list[bool]:
    """No motion of sides along z, nor along the side."""
    along_v, along_u = u in (0, 1), v in (0, 1)
    return [along_u, along_v, along_v or along_u, along_v, along_u, True]


def hard_shell(u: float, v: float, w: float) -> list[bool]:
    """The same, and nothing moves in the plane."""
    return [True, True, *hard(u, v, w)[2:]]


def free(u: float, v: float, w: float) -> list[bool]:
    """Nothing is held."""
    return [False] * 6


def out_of_plane(u: float, v: float, w: float) -> list[bool]:
    """Nothing moves in the plane."""
    return [True, True, False, False, False, True]


def cantilevered(u: float, v: float, w: float) -> list[bool]:
    """Clamped at u = 0; nothing moves in the plane."""
    return [True, True, u == 0, u == 0, u == 0, True]


RHOMBUS = [133.95, 201.41, 265.81, 283.68, 334.45]
TAPER = [44.623, 130.03, 162.70, 246.05, 379.90, 391.44]
SQUARE = [45.897, 109.44, 109.44, 167.89, 193.59, 206.19, 206.19]
S16, S2 = SHELLS[0], SHELLS[2]
LINE = {form.name: "a line holds a solid less than a plate's edge" for form in SOLIDS} | {
    "solid 2": "trilinear: stiff in bending"
}
THICK = [45.897, 109.44, 109.44, 167.89, 204.51, 204.51, 256.50, 256.50]
RHOMBUS_CASES = [Plate(form, (n, n), rhombus, 1.0, clamped) for form, n in ((S16, 16), (S16, 32), (S2, 32))]
TAPER_CASES = [Plate(form, (32, 16), taper, 0.05, in_plane, drill=100.0) for form in (S16, S2)]
SQUARE_CASES = [Plate(form, (8, 8), square, 1.0, on_edges, 3) for form in SOLIDS]
THICK_CASES = [
    *(Plate(form, (32, 32), square, 1.0, hard_shell) for form in (S16, S2)),
    *(Plate(form, (16, 16), square, 1.0, hard, 4) for form in SOLIDS),
]
THIN = 0.05
FREE_PLATE = [1.622, 2.360, 2.922, 4.233, 4.233, 7.416]
CANTILEVERED = [0.421, 1.029, 2.582, 3.306, 3.753, 6.555]
FREE_PLATE_CASES = [Plate(form, (32, 32), square, THIN, out_of_plane) for form in SHELLS[:3]]
CANTILEVERED_CASES = [Plate(form, (32, 32), square, THIN, cantilevered) for form in SHELLS[:3]]
FREE_CASES = [Plate(form, (6, 6), square, 1.0, free, 2) for form in (*SHELLS, *SOLIDS)]


def flexural(plate: Plate, found: np.ndarray) -> np.ndarray:
    """Without the modes in the plane of FV21's solids: the first is the shear G / rho, twice."""
    if plate.piece.form.kind == "shell":
        return found
    shear = np.sqrt(STEEL[1] / (2 * (1 + STEEL[2])) / STEEL[0]) / 20.0
    return found[np.abs(found / shear - 1) > 0.01]


def measure_plates(
    results: dict[str, Results], plates: list[Plate], known: list[float], table: Table, rigid: int = 0
) -> list[Figure]:
    """Frequencies of each plate, after `rigid` modes without energy."""
    figures = []
    for plate in plates:
        found = frequencies(results[plate.name])
        if rigid:
            figures.append(rigid_modes(plate.name, found, rigid))
        if table.problem == "FV21":
            found = flexural(plate, found)
        for k, expected in enumerate(known[: len(found) - rigid]):
            label = f"frequency {k + 1 + rigid}, Hz"
            value = float(found[k + rigid])
            figures.append(table.figure(plate.piece.form.name, plate.piece.mesh, label, value, expected))
    return figures


def rigid_modes(name: str, found: np.ndarray, number: int) -> Figure:
    """The largest eigenvalue of rigid modes over the first elastic one."""
    share = float(np.abs(found[:number]).max() ** 2 / found[number] ** 2)
    return Figure(name, f"{number} rigid modes: eigenvalue over the first elastic one", 0.0, share, 1e-9, 1.0)


def plate_problem(
    title: str, plates: list[Plate], known: list[float], table: Table, rigid: int = 0
) -> Problem:
    """Modes of plates in each form and mesh."""
    modes = len(known) + rigid

    def decks() -> dict[str, Deck]:
        return {plate.name: plate.deck(table.problem, modes) for plate in plates}

    def measure(results: dict[str, Results]) -> list[Figure]:
        return measure_plates(results, plates, known, table, rigid)

    name = table.problem
    return Problem(f"implicit NAFEMS {name}", title, f"{SOURCE}, test {name}", decks, measure, ranks=(1,))


def free_decks() -> dict[str, Deck]:
    """A plate without supports, of each form."""
    return {plate.name: plate.deck("free body", 7) for plate in FREE_CASES}


def free_measure(results: dict[str, Results]) -> list[Figure]:
    """Six modes without energy."""
    return [rigid_modes(plate.name, frequencies(results[plate.name]), 6) for plate in FREE_CASES]


PROBLEMS = [
    Problem(
        "implicit NAFEMS FV2",
        "Pin-ended double cross in its plane, beams an arm",
        f"{SOURCE}, test FV2",
        cross_decks,
        cross_measure,
        ranks=(1,),
    ),
    plate_problem("Free thin square plate", FREE_PLATE_CASES, FREE_PLATE, Table("FV12", 0.025), 3),
    plate_problem("Cantilevered thin square plate", CANTILEVERED_CASES, CANTILEVERED, Table("FV16", 0.025)),
    plate_problem(
        "Simply supported thick square plate",
        THICK_CASES,
        THICK[:4],
        Table("FV21", 0.02, {"solid 2": "trilinear: stiff in bending"}),
    ),
    plate_problem("Clamped thick rhombic plate", RHOMBUS_CASES, RHOMBUS, Table("FV22", 0.015)),
    plate_problem("Cantilevered tapered membrane, DRCPRM = 100", TAPER_CASES, TAPER, Table("FV32", 0.006)),
    plate_problem(
        "Solid square plate on the edges of its lower face",
        SQUARE_CASES,
        SQUARE,
        Table("FV52", 0.03, LINE),
        3,
    ),
    Problem(
        "implicit free body",
        "Rigid modes of a free square plate",
        "closed form: six modes without energy",
        free_decks,
        free_measure,
        ranks=(1,),
    ),
]
