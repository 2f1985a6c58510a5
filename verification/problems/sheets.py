"""Rolled sheets pulled at 0, 45 and 90 degrees to the rolling direction: yield stresses and ratios R."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO = 210.0, 0.3, 7.8e-6
RATE, RAMP, STRAIN, SIZE = 0.05, 0.05, 0.03, 10.0
END = STRAIN / RATE + RAMP / 2
CURVE, MOTION = 11, 12
FLOW = [(0.0, 0.3), (0.2, 0.5)]
ANGLES = (0, 45, 90)
RATIOS = {0: 0.8, 45: 1.3, 90: 1.1}  #: of MAT_133, data of FIT = 1
STRESSES = {0: 0.300, 45: 0.306, 90: 0.294}
BIAXIAL, BIAXIAL_RATIO = 0.315, 0.9  #: yield stress, and strain along y over that along x
HILL = {0: 1.8, 45: 1.2, 90: 2.4}  #: of MAT_122
KINDS = (("shell", 2), ("shell", 16))


def hill_stress(angle: int) -> float:
    """Yield stress over that along the rolling direction (Hill 1948)."""
    g = 1 / (1 + HILL[0])
    h = HILL[0] * g
    f = h / HILL[90]
    n = (HILL[45] + 0.5) * (f + g)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return float(1 / np.sqrt(f * s**4 + g * c**4 + h * (c * c - s * s) ** 2 + 2 * n * (s * c) ** 2))


def rolling(angle: int) -> list[float]:
    """The rolling direction, if the tension is along x."""
    return [0.0, 0.0, 0.0, float(np.cos(np.radians(angle))), float(-np.sin(np.radians(angle))), 0.0]


def points(p: float) -> float:
    """Flow stress by the curve."""
    return float(np.interp(p, *zip(*FLOW, strict=True)))


def mat_122(hr: float = 3.0, p1: float = 0.0, p2: float = 0.0, e0: float = 0.0):
    """MAT_122 with its curve, or by P1 and P2."""
    return lambda deck, number, angle: deck.add(
        "MAT_HILL_3R",
        [number, RHO, E, NU, hr, p1, p2],
        [HILL[0], HILL[45], HILL[90], CURVE if hr == 3 else 0, e0],
        [2.0],
        rolling(angle),
        [0.0] * 7,
    )


def mat_133(hard: float = -CURVE, k: float = 0.0, e0: float = 0.0, n: float = 0.0, p4: float = 0.0):
    """MAT_133 from the data of the sheet: the ratio of biaxial tension gives a tangent."""
    return lambda deck, number, angle: deck.add(
        "MAT_BARLAT_YLD2000",
        [number, RHO, E, NU, 1.0],
        [k, e0, n, 0.0, 0.0, float(hard), 8.0],
        [*(STRESSES[w] for w in ANGLES), *(RATIOS[w] for w in ANGLES)],
        [BIAXIAL, BIAXIAL, 0.0, BIAXIAL_RATIO, -1.0, 0.0],
        [2.0, 0.0, p4],
        rolling(angle),
        [0.0] * 7,
    )


def mat_103(deck: Deck, number: int, angle: int) -> None:
    """MAT_103 with two terms of Voce."""
    deck.add(
        "MAT_ANISOTROPIC_VISCOPLASTIC",
        [number, RHO, E, NU, 0.3],
        [0.1, 20.0, 0.05, 200.0],
        [0.0, 0.0, HILL[0], HILL[45], HILL[90]],
        [2.0],
        rolling(angle),
        [0.0] * 7,
    )


@dataclass(frozen=True)
class Sheet:
    """A law, its ratios R, yield stresses over that along the rolling direction, and flow stress there."""

    name: str
    write: Callable[[Deck, int, int], None]
    ratios: dict[int, float]
    stresses: dict[int, float]
    flow: Callable[[float], float] = points
    angles: tuple[int, ...] = ANGLES
    kinds: tuple[tuple[str, int], ...] = KINDS


def hill(name: str, write, flow: Callable[[float], float]) -> Sheet:
    """Another hardening with Hill's function, across the rolling direction."""
    return Sheet(name, write, HILL, {90: hill_stress(90)}, flow, (90,), KINDS[:1])


def barlat(name: str, write, flow: Callable[[float], float]) -> Sheet:
    """The same with the data of MAT_133."""
    return Sheet(name, write, RATIOS, {90: STRESSES[90] / STRESSES[0]}, flow, (90,), KINDS[:1])


SHEETS = (
    Sheet("MAT_122", mat_122(), HILL, {w: hill_stress(w) for w in ANGLES}),
    Sheet("MAT_133, FIT 1", mat_133(), RATIOS, {w: STRESSES[w] / STRESSES[0] for w in ANGLES}),
    hill("MAT_122, HR 1", mat_122(1.0, 5.0, 0.3), lambda p: 0.3 + E * 5 / (E - 5) * p),
    hill("MAT_122, HR 2", mat_122(2.0, 0.6, 0.2, 0.004), lambda p: 0.6 * (0.004 + p) ** 0.2),
    barlat("MAT_133, HARD 1", mat_133(1, 0.6, 0.01, 0.2), lambda p: 0.6 * (0.01 + p) ** 0.2),
    barlat("MAT_133, HARD 2", mat_133(2, 0.5, 0.2, 9.0), lambda p: 0.5 - 0.2 * float(np.exp(-9 * p))),
    barlat("MAT_133, HARD 4", mat_133(4, 0.6, 0.01, 0.2, 0.05), lambda p: 0.6 * (0.01 + p) ** 0.2 - 0.05),
    barlat(
        "MAT_133, HARD 5",
        mat_133(5, 0.5, 0.2, 5.0, 0.7),
        lambda p: 0.5 - 0.2 * float(np.exp(-5 * p**0.7)),
    ),
    hill(
        "MAT_103",
        mat_103,
        lambda p: 0.45 - 0.1 * float(np.exp(-20 * p)) - 0.05 * float(np.exp(-200 * p)),
    ),
)


def elements() -> list[tuple[Sheet, int, Formulation]]:
    """One of each law, angle and kind; parts, nodes and elements have the number of the place here."""
    all_of = [(sheet, w, kind) for sheet in SHEETS for w in sheet.angles for kind in sheet.kinds]
    return [(sheet, w, Formulation(*kind, n)) for n, (sheet, w, kind) in enumerate(all_of, 1)]


def strain(t: np.ndarray) -> np.ndarray:
    """The logarithmic strain along x: at a constant rate after a ramp."""
    return np.where(t < RAMP, 0.5 * RATE * t**2 / RAMP, RATE * (t - RAMP / 2))


def stress_at(sheet: Sheet, angle: int) -> float:
    """Stress along x at the end: the flow stress is at the plastic strain along the rolling direction with
    the same work."""
    part = sheet.stresses[angle]
    low, high = 0.0, STRAIN
    for _ in range(100):
        plastic = 0.5 * (low + high)
        stress = part * sheet.flow(part * plastic)
        low, high = (plastic, high) if plastic + stress / E < STRAIN else (low, plastic)
    return stress


def decks() -> dict[str, Deck]:
    """Elements of 10 mm. The edges x = 0 and x = 10 stay along y and slide: so they may shear."""
    deck = Deck("sheets", END)
    deck.add("CONTROL_SHELL", [20.0, 2, -1, 1])  # shells thin as they stretch
    deck.curve(CURVE, FLOW)
    t = np.linspace(0, 1.1 * END, 1500)
    moved = SIZE * np.expm1(strain(t))
    deck.curve(MOTION, [(float(a), float(b)) for a, b in zip(t, moved, strict=True)])
    for sheet, angle, f in elements():
        sheet.write(deck, f.number, angle)
        mesh = quadrilaterals(1, 1, SIZE, SIZE, f.first)
        f.write(deck, mesh, material=f.number, thickness=1.0)
        for n, x in mesh.nodes.items():
            held = [int(x[0] == 0), int(x[0] == 0 and x[1] == 0), 1]
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *held, 1, 1, 1])
        driven = mesh.where(lambda p: p[0] == SIZE)
        deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 1, 2, MOTION, 1.0] for n in driven))
    deck.output(END, "glstat", plot=END)
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stress along x and the ratio R of plastic strains, from the displacements at the end."""
    r = results["all"]
    figures = []
    ids = list(r.plot.arrays["node_ids"])
    moved = r.plot.arrays["node_displacement"][-1] - r.plot.arrays["node_coordinates"]
    for sheet, angle, f in elements():
        case = f"{sheet.name}, {angle} degrees, {f.name}"
        stress = stress_at(sheet, angle)
        along = float(r.stress(f.kind, f.first, -1)[0, 0])
        figures.append(Figure(case, "stress along x", stress, along, 0.001))
        # Strains are means of both edges: only hourglass control keeps an element of one point from becoming
        # a trapezoid.
        x = quadrilaterals(1, 1, SIZE, SIZE, f.first).nodes
        longer, wider = (
            sum(moved[ids.index(n)][k] * (1 if p[k] else -1) for n, p in x.items()) / 2 for k in (0, 1)
        )
        plastic = float(np.log(1 + longer / SIZE)) - along / E
        across = float(np.log(1 + wider / SIZE)) + NU * along / E
        figures.append(Figure(case, "ratio R", sheet.ratios[angle], -across / (across + plastic), 0.003))
    return figures


PROBLEM = Problem(
    "sheets",
    "Rolled sheets: tension at three angles to the rolling direction",
    "closed form: Hill (1948); the data of which the constants of Yld2000 are made, Barlat and others (2003)",
    decks,
    measure,
)
