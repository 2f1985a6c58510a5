"""Elements pulled until damage that a criterion begins, and displacement or energy ends, deletes them."""

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.problems.damage import (
    BRICK,
    ETAN,
    NU,
    RAMP,
    RATE,
    RHO,
    SHELL,
    STRAINS,
    YIELD,
    Case,
    E,
    flow,
    shear,
    uniaxial,
)
from verification.results import Results

TRIAXIALITY, SHEARING, SIZES = 11, 12, 13
INFLUENCE = 0.3  #: of the pressure in the criterion of shear
ONSETS = [(1.0, 0.10), (3.0, 0.02)]  #: plastic strain over (q + INFLUENCE pressure) / largest shear stress
DISPLACEMENT, ENERGY = 0.2, 0.005


def by_shear(abscissa: float) -> float:
    """Plastic strain at which damage begins."""
    return float(np.interp(abscissa, *zip(*ONSETS, strict=True)))


def cases() -> list[Case]:
    """What is pulled, and the strain at which it goes: where damage begins, and the rest over the size."""
    found = []
    first, sheared = STRAINS[1 / 3], STRAINS[0.0]
    in_tension = by_shear((1 - INFLUENCE / 3) / 0.5)
    criterion = {"DITYP": 1.0, "P1": float(SHEARING), "P2": INFLUENCE}
    for kind in (SHELL, BRICK):
        for size in (5.0, 10.0, 20.0):
            name = f"displacement, size {size:g}"
            found.append(Case(name, kind, uniaxial(first + DISPLACEMENT / size), size=size))
            plastic = first + 2 * ENERGY / flow(first) / size
            fields = {"DETYP": 1.0, "Q1": ENERGY}
            found.append(Case(f"energy, size {size:g}", kind, uniaxial(plastic), fields=fields, size=size))
        found += [
            Case("triaxiality, shear", kind, shear(sheared + DISPLACEMENT / 10), (1.0, -1.0)),
            Case("shear, tension", kind, uniaxial(in_tension + DISPLACEMENT / 10), fields=criterion),
            Case(
                "factors of size",
                kind,
                uniaxial(0.75 * first + 0.75 * DISPLACEMENT / 10),
                fields={"P5": float(SIZES), "Q4": float(SIZES)},
            ),
        ]
    return found


CASES = cases()
END = 1.1 * max(c.strain for c in CASES) / RATE + 2 * RAMP


def elements() -> list[tuple[Case, Formulation]]:
    """One for each case; parts, nodes and elements are numbered after the place in the list."""
    return [(case, Formulation(*case.kind, n)) for n, case in enumerate(CASES, 1)]


def write_material(deck: Deck, number: int, fields: dict[str, float]) -> None:
    """MAT_024 without a limit of its own, and the criterion."""
    deck.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY", [number, RHO, E, NU, YIELD, ETAN], [0.0] * 5, [0.0] * 8, [0.0] * 8
    )
    f = {"DITYP": 0.0, "P1": float(TRIAXIALITY), "P2": 0.0, "P5": 0.0} | fields
    g = {"DETYP": 0.0, "Q1": DISPLACEMENT, "Q4": 0.0} | fields
    deck.add(
        "MAT_ADD_DAMAGE_DIEM",
        [number, 1.0, 0, 0.0, 1.0],
        [f["DITYP"], f["P1"], f["P2"], 0.0, 0.0, f["P5"]],
        [g["DETYP"], 0.0, g["Q1"], 0.0, 0.0, g["Q4"]],
    )


def moved(case: Case, t: np.ndarray, share: float) -> np.ndarray:
    """Displacement of a face: the strain has a constant rate after a ramp."""
    gone = np.where(t < RAMP, 0.5 * RATE * t**2 / RAMP, RATE * (t - RAMP / 2))
    return case.size * np.expm1(share * gone)


def decks() -> dict[str, Deck]:
    """Elements on symmetry planes, moved along x, and y where it is not free."""
    deck = Deck("initiation", END)
    deck.add("CONTROL_SHELL", [20.0, 2, -1, 1])  # shells thin as they stretch
    deck.curve(TRIAXIALITY, sorted(STRAINS.items()))
    deck.curve(SHEARING, ONSETS)
    deck.curve(SIZES, [(5.0, 1.0), (15.0, 0.5)])
    t = np.linspace(0, 1.1 * END, 1500)
    for case, f in elements():
        write_material(deck, f.number, case.fields)
        s = case.size
        shell = f.kind == "shell"
        mesh = quadrilaterals(1, 1, s, s, f.first) if shell else hexahedra((1, 1, 1), (s, s, s), f.first)
        f.write(deck, mesh, material=f.number, thickness=1.0)
        turns = [1, 1, 1] if shell else [0, 0, 0]
        for n, x in mesh.nodes.items():
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *(int(x[k] == 0) for k in range(3)), *turns])
        for k, share in enumerate(case.along):
            if share is None:
                continue
            curve = 100 + 2 * f.number + k
            deck.curve(curve, [(float(a), float(b)) for a, b in zip(t, moved(case, t, share), strict=True)])
            driven = [n for n, x in mesh.nodes.items() if x[k] == s]
            deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, k + 1, 2, curve, 1.0] for n in driven))
    deck.output(END / 4000, "glstat", "matsum")
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Times at which the parts' energies become eroded."""
    r = results["all"]
    t = r.time("matsum")
    figures = []
    for case, f in elements():
        eroded = r.part(f.number, "eroded_internal_energy")
        gone = float(t[int(np.argmax(eroded > 0))]) if eroded[-1] > 0 else float("nan")
        expected = case.strain / RATE + RAMP / 2
        figures.append(Figure(f"{case.name}, {f.name}", "time of failure, ms", expected, gone, 0.002))
    return figures


PROBLEM = Problem(
    "initiation",
    "Elements to failure by damage that a criterion begins and displacement or energy ends, in several sizes",
    "closed form: plastic strain at the onset, and u / size or 2 G / (q size) after it",
    decks,
    measure,
    ranks=(1,),
)
