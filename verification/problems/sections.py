"""Forces through cross sections, of constraints and of motions: bars pulled and hit, cantilevers bent."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

E, RHO = 210.0, 7.8e-6
WAVE = np.sqrt(E / RHO)  # mm/ms
# bars, pulled
LENGTH, SIDE, CELLS = 100.0, 10.0, 10
AREA = SIDE**2
STRETCH, RISE = 0.1, 2.0
SPRING = 100.0
PULL = E * AREA * STRETCH / LENGTH
FIRST = {"solid 1": 1000, "shell 2": 2000, "beam 1": 3000, "spring": 4000}
APART = 20.0  #: between bars
# a bar, hit
ROD_CELLS, SPEED = 100, 1.0
# cantilevers, bent
THICK, LOAD = 5.0, 1e-3
INERTIA = THICK**4 / 12
FREQUENCY = 1.8751**2 / (2 * np.pi * LENGTH**2) * np.sqrt(E * INERTIA / (RHO * THICK**2))


def _spread(first: int, across: list[tuple[float, float]], offset: float, cells: int, side: float) -> dict:
    """Nodes of a bar along x, number `first` + 10 i + k at cell end i and corner k."""
    return {
        first + 10 * i + k: (LENGTH * i / cells, offset + side * y, side * z)
        for i in range(cells + 1)
        for k, (y, z) in enumerate(across)
    }


def _plane(
    deck: Deck,
    number: int,
    parts: int,
    x: float,
    edge: tuple[float, ...] = (),
    axes: tuple[int, int] = (0, 0),
) -> None:
    """A plane across x that looks along it; `edge`: y, z of a corner and two lengths; `axes`: ID, ITYPE."""
    y, z, *lengths = edge or (0.0, 0.0)
    deck.add(
        "DATABASE_CROSS_SECTION_PLANE_ID",
        f"{number:10d}section {number}",
        [parts, x, y, z, x + 1.0, y, z],
        [x, y + 1.0, z, *(lengths or [0.0, 0.0]), *axes],
    )


def pulled() -> Deck:
    """One bar each of solids, shells, beams, and a spring, stretched slowly by the same way."""
    deck = Deck("bars pulled", 1.05 * RISE, 0.8)
    deck.elastic(1, RHO, E, 0.0)
    deck.solid_section(1, 1)
    deck.shell_section(2, 2, SIDE)
    deck.beam_section(3, 1, SIDE, SIDE)
    deck.add("SECTION_DISCRETE", [4])
    deck.add("MAT_SPRING_ELASTIC", [2, SPRING])
    for part, name in enumerate(FIRST, 1):
        deck.part(part, part, 2 if name == "spring" else 1, name)
    solid, shell, beam, spring = FIRST.values()
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    deck.nodes(_spread(solid, square, 0.0, CELLS, SIDE))
    deck.nodes(_spread(shell, square[:2], APART, CELLS, SIDE))
    deck.nodes(_spread(beam, square[:1], 2 * APART, CELLS, SIDE))
    deck.nodes({beam + 5: (0.0, 2 * APART + 1.0, 0.0)})
    deck.nodes({spring: (0.0, 3 * APART, 0.0), spring + 10: (LENGTH, 3 * APART, 0.0)})
    at = range(CELLS)
    deck.solids(1, {i + 1: [solid + 10 * (i + e) + k for e in (0, 1) for k in range(4)] for i in at})
    deck.shells(
        2, {i + 1: [shell + 10 * (i + e) + k for e, k in ((0, 0), (1, 0), (1, 1), (0, 1))] for i in at}
    )
    deck.add("ELEMENT_BEAM", *([i + 1, 3, beam + 10 * i, beam + 10 * i + 10, beam + 5] for i in at))
    deck.add("ELEMENT_DISCRETE", [1, 4, spring, spring + 10])
    deck.add("ELEMENT_MASS", [1, spring + 10, 1e-3], [2, spring, 1e-3])
    ends = {0: [], CELLS: []}
    for i, nodes in ends.items():
        nodes += [solid + 10 * i + k for k in range(4)] + [shell + 10 * i + k for k in range(2)]
        nodes += [beam + 10 * i, spring + (10 if i else 0)]
    deck.node_set(1, ends[0])
    deck.node_set(2, ends[CELLS])
    deck.add("BOUNDARY_SPC_SET_ID", f"{7:10d}held", [1, 0, 1, 1, 1, 1, 1, 1])
    deck.curve(
        1, [(t, 0.5 * STRETCH * (1 - np.cos(np.pi * min(t / RISE, 1.0)))) for t in np.linspace(0, 3, 301)]
    )
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [2, 1, 2, 1])
    deck.add("SET_PART_LIST", [1], [1])
    middle = CELLS // 2
    deck.node_set(3, [shell + 10 * middle, shell + 10 * middle + 1])
    deck.add("SET_SHELL_LIST", [1], [middle])
    deck.node_set(4, [beam + 10 * middle])
    deck.add("SET_BEAM_GENERAL", [1], "ELEM, 5, 6", "DELEM, 6")
    deck.node_set(5, [spring + 10])
    deck.add("SET_DISCRETE", [1], [1])
    x = LENGTH * (middle - 0.5) / CELLS
    _plane(deck, 1, 1, x)
    _plane(deck, 2, 0, x, (-1.0, -1.0, SIDE + 2, SIDE + 2))
    _plane(deck, 3, 0, x)
    deck.add("DEFINE_COORDINATE_VECTOR", [1, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0])
    _turned_body(deck)
    _plane(deck, 7, 1, x, axes=(1, 2))
    _plane(deck, 8, 1, x, axes=(5, 0))
    deck.add("DATABASE_CROSS_SECTION_SET_ID", f"{4:10d}shells", [3, 0, 0, 1])
    deck.add("DATABASE_CROSS_SECTION_SET_ID", f"{5:10d}beams", [4, 0, 1])
    deck.add("DATABASE_CROSS_SECTION_SET_ID", f"{6:10d}spring", [5, 0, 0, 0, 0, 1])
    deck.output(RISE / 20, "secforc", "spcforc", "bndout", "glstat")
    return deck


def _turned_body(deck: Deck) -> None:
    """A rigid plate that turns a quarter about z while the bars are stretched."""
    deck.shell_section(5, 2, 1.0)
    deck.add("MAT_RIGID", [3, RHO, E, 0.3], [1, 7, 4])
    deck.part(5, 5, 3, "turned")
    corners = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)]
    deck.nodes({5001 + k: (x, 5 * APART + y, 0.0) for k, (x, y) in enumerate(corners)})
    deck.shells(5, {5001: [5001, 5002, 5003, 5004]})
    deck.curve(2, [(0.0, 0.0), (RISE, np.pi / 2), (1e3, np.pi / 2)])
    deck.add("BOUNDARY_PRESCRIBED_MOTION_RIGID", [5, 7, 2, 2])


def hit() -> Deck:
    """A rod of solids whose free end is moved at once with constant speed."""
    deck = Deck("bar hit", 1.5 * LENGTH / WAVE)
    deck.elastic(1, RHO, E, 0.0)
    deck.solid_section(1, 1)
    deck.part(1, 1, 1, "rod")
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    deck.nodes(_spread(1, square, 0.0, ROD_CELLS, 1.0))
    deck.solids(
        1, {i + 1: [1 + 10 * (i + e) + k for e in (0, 1) for k in range(4)] for i in range(ROD_CELLS)}
    )
    deck.node_set(1, range(1, 5))
    deck.node_set(2, range(1 + 10 * ROD_CELLS, 5 + 10 * ROD_CELLS))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1])
    deck.curve(1, [(0.0, -SPEED), (1e3, -SPEED)])
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [2, 1, 0, 1])
    _plane(deck, 1, 0, 0.5 * LENGTH + 0.25)
    deck.output(0.01 * LENGTH / WAVE, "secforc", "bndout", "glstat")
    return deck


def bent() -> Deck:
    """Cantilevers of two beams and of shells under a tip load that comes to rest."""
    deck = Deck("cantilevers bent", 2.5 / FREQUENCY)
    deck.elastic(1, RHO, E, 0.0)
    deck.beam_section(1, 1, THICK, THICK)
    deck.beam_section(2, 2, THICK, THICK)
    deck.shell_section(3, 2, THICK)
    for part in (1, 2, 3):
        deck.part(part, part, 1, f"cantilever {part}")
    at = range(CELLS)
    for part in (1, 2):
        deck.nodes(_spread(1000 * part, [(0.0, 0.0)], APART * part, CELLS, THICK))
        deck.nodes({1000 * part + 5: (0.0, APART * part + 1.0, 0.0)})
        deck.add(
            "ELEMENT_BEAM",
            *(
                [100 * part + i, part, 1000 * part + 10 * i, 1000 * part + 10 * i + 10, 1000 * part + 5]
                for i in at
            ),
        )
    deck.nodes(_spread(3000, [(0.0, 0.0), (1.0, 0.0)], 3 * APART, CELLS, THICK))
    deck.shells(
        3, {i + 1: [3000 + 10 * (i + e) + k for e, k in ((0, 0), (1, 0), (1, 1), (0, 1))] for i in at}
    )
    deck.node_set(1, [1000, 2000, 3000, 3001])
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1, 1, 1, 1])
    tip = 10 * CELLS
    deck.curve(1, [(0.0, 1.0), (1e9, 1.0)])
    deck.curve(2, [(0.0, 4 * np.pi * FREQUENCY), (1e9, 4 * np.pi * FREQUENCY)])
    deck.add("DAMPING_GLOBAL", [2])
    deck.add(
        "LOAD_NODE_POINT",
        [1000 + tip, 3, 1, LOAD],
        [2000 + tip, 3, 1, LOAD],
        [3000 + tip, 3, 1, LOAD / 2],
        [3001 + tip, 3, 1, LOAD / 2],
    )
    for part in (1, 2, 3):
        deck.add("SET_PART_LIST", [part], [part])
        _plane(deck, part, part, 0.45 * LENGTH)
    deck.output(0.02 / FREQUENCY, "secforc", "spcforc", "bndout", "glstat")
    return deck


def decks() -> dict[str, Deck]:
    """Three loads."""
    return {"pulled": pulled(), "hit": hit(), "bent": bent()}


def _pulled_figures(r: Results) -> list[Figure]:
    figures = []
    for number, (case, force, area) in enumerate(
        [
            ("solid 1, plane through a part", PULL, AREA),
            ("solid 1, plane with edges", PULL, AREA),
            ("plane through three bars", 3 * PULL, 3 * AREA),
            ("shell 2, sets", PULL, AREA),
            ("beam 1, sets", PULL, AREA),
            ("spring, sets", SPRING * STRETCH, 0.0),
        ],
        1,
    ):
        figures.append(Figure(case, "axial force, kN", force, float(r.section(number, "x_force")[-1]), 0.003))
        computed = float(r.section(number, "area")[-1])
        figures.append(Figure(case, "area, mm2", area, computed, 0.003, max(area, 1.0)))
    for number, case in ((7, "axes of a coordinate system"), (8, "axes of a rigid body")):
        for quantity, expected in (("x_force", 0.0), ("y_force", -PULL)):
            computed = float(r.section(number, quantity)[-1])
            figures.append(Figure(case, quantity.replace("_", " ") + ", kN", expected, computed, 0.003, PULL))
    total = 3 * PULL + SPRING * STRETCH
    centre = 2 * APART / 3 + SIDE / 2 * 2 / 3  # of a solid, a shell strip and a beam on its axis
    y = float(r.section(3, "y_centroid")[-1])
    figures += [
        Figure("plane through three bars", "centroid, mm", (APART * 3 + 2 * SIDE / 2) / 3, y, 0.001, centre),
        Figure("all", "resultant of constraints, kN", -total, float(r.constraints("x_resultant")[-1]), 0.003),
        Figure("all", "force of the motion, kN", total, float(r.moved("x_total")[-1]), 0.003),
        Figure("all", "energy of the motion, kJ", 0.5 * total * STRETCH, float(r.moved("etotal")[-1]), 0.003),
    ]
    return figures


def _hit_figures(r: Results) -> list[Figure]:
    t = r.time("secforc")
    behind = (t > 0.65 * LENGTH / WAVE) & (t < 1.45 * LENGTH / WAVE)
    force = r.section(1, "x_force")
    level = RHO * WAVE * SPEED
    before = t < 0.4 * LENGTH / WAVE
    return [
        Figure("rod", "force behind the wave, kN", -level, float(force[behind].mean()), 0.01),
        Figure("rod", "force before the wave, kN", 0.0, float(np.abs(force[before]).max()), 0.01, level),
    ]


def _bent_figures(r: Results) -> list[Figure]:
    figures = []
    arm = 0.5 * LENGTH  # to the nodes on the section's far side
    for part, name in enumerate(("beam 1", "beam 2", "shell 2"), 1):
        shear, moment = (float(r.section(part, q)[-1]) for q in ("z_force", "y_moment"))
        figures += [
            Figure(name, "shear force, kN", LOAD, shear, 0.005),
            Figure(name, "bending moment, kN mm", -LOAD * arm, moment, 0.005),
        ]
    moment = float(r.constraint_moment(1000, "y_moment")[-1])
    figures.append(Figure("beam 1", "moment at the clamp, kN mm", LOAD * LENGTH, moment, 0.005))
    figures.append(
        Figure(
            "all", "resultant of constraints, kN", -3 * LOAD, float(r.constraints("z_resultant")[-1]), 0.005
        )
    )
    return figures


def measure(results: dict[str, Results]) -> list[Figure]:
    """Forces, moments, areas and energies of histories."""
    return _pulled_figures(results["pulled"]) + _hit_figures(results["hit"]) + _bent_figures(results["bent"])


PROBLEM = Problem(
    "sections",
    "Forces through cross sections, of constraints and of motions",
    "closed form: E A u / L, rho c A v, F (L - x)",
    decks,
    measure,
)
