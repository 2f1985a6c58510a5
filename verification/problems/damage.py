"""Elements pulled in tension, shear and biaxial tension until damage deletes them: when each of them goes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, YIELD, ETAN = 210.0, 0.3, 7.8e-6, 0.4, 2.0
MODULUS = E * ETAN / (E - ETAN)
RATE, RAMP, SIZE = 0.1, 0.05, 10.0
#: failure strains by triaxiality: compression, shear, uniaxial and biaxial tension
STRAINS = {-1 / 3: 0.12, 0.0: 0.08, 1 / 3: 0.05, 2 / 3: 0.03}
FIRST = 0.04  #: plastic strain in compression before the tension of the path of two stages
SHELL, FULL, BRICK, BRICK8 = ("shell", 2), ("shell", 16), ("solid", 1), ("solid", 2)
CURVE, SIZES, TABLE = 11, 12, 13


def flow(plastic: float) -> float:
    """Flow stress."""
    return YIELD + MODULUS * plastic


@dataclass(frozen=True)
class Case:
    """What is pulled how: logarithmic strains along x and y over that which is prescribed."""

    name: str
    kind: tuple[str, int]
    strain: float  #: prescribed logarithmic strain, summed over its turns, at which it fails
    along: tuple[float, float | None] = (1.0, None)  #: x and y for each unit of it; None is free
    fields: dict[str, float] = field(default_factory=dict)
    turn: float = 0.0  #: strain at which the motion turns back
    size: float = SIZE


def uniaxial(plastic: float) -> float:
    """Strain along the tension."""
    return plastic + flow(plastic) / E


def shear(plastic: float) -> float:
    """Strain along x, minus that along y: stresses q / sqrt(3) and minus that."""
    return float(np.sqrt(0.75)) * plastic + flow(plastic) / np.sqrt(3) * (1 + NU) / E


def biaxial(plastic: float) -> float:
    """Both strains."""
    return plastic / 2 + flow(plastic) * (1 - NU) / E


def two_stages() -> tuple[float, float]:
    """Compression to FIRST, then tension until the shares of both make one: the turn, and the whole path."""
    left = STRAINS[1 / 3] * (1 - FIRST / STRAINS[-1 / 3])
    turn = uniaxial(FIRST)
    return turn, turn + (turn - FIRST) + left + flow(FIRST + left) / E


def cases() -> list[Case]:
    """All of them."""
    found = []
    for kind in (SHELL, FULL, BRICK, BRICK8):
        found += [
            Case("tension", kind, uniaxial(STRAINS[1 / 3])),
            Case("shear", kind, shear(STRAINS[0.0]), (1.0, -1.0)),
            Case("biaxial tension", kind, biaxial(STRAINS[2 / 3]), (1.0, 1.0)),
        ]
    turn, path = two_stages()
    found += [Case("compression, then tension", kind, path, turn=turn) for kind in (SHELL, BRICK)]
    softening = {"ECRIT": 0.02, "FADEXP": 2.0, "DMGEXP": 2.0}
    # The undamaged stress gives the elastic strain, so that softening does not change when it fails.
    found += [
        Case("softening, tension", kind, uniaxial(STRAINS[1 / 3]), fields=softening)
        for kind in (SHELL, BRICK)
    ]
    found += [
        Case(f"size {size:g}", kind, uniaxial(factor * STRAINS[1 / 3]), fields={"LCREGD": SIZES}, size=size)
        for kind in (SHELL, BRICK)
        for size, factor in ((5.0, 1.0), (10.0, 0.75), (15.0, 0.5))
    ]
    # A table of three curves over the Lode parameter -1, 0 and 1: half, as it is, and twice the strains.
    found.append(Case("Lode 1, tension", BRICK, uniaxial(2 * STRAINS[1 / 3]), fields={"LCSDG": TABLE}))
    found.append(
        Case("Lode -1, biaxial tension", BRICK, biaxial(STRAINS[2 / 3] / 2), (1.0, 1.0), {"LCSDG": TABLE})
    )
    return found


CASES = cases()
END = 1.1 * max(c.strain for c in CASES) / RATE + 2 * RAMP


def elements() -> list[tuple[Case, Formulation]]:
    """One for each case; parts, nodes and elements are numbered after the place in the list."""
    return [(case, Formulation(*case.kind, n)) for n, case in enumerate(CASES, 1)]


def path(case: Case, t: np.ndarray) -> np.ndarray:
    """The prescribed strain: at a constant rate after a ramp; it turns back at once."""
    gone = np.where(t < RAMP, 0.5 * RATE * t**2 / RAMP, RATE * (t - RAMP / 2))
    if case.turn == 0:
        return gone
    return np.where(gone < case.turn, -gone, gone - 2 * case.turn)


def write_material(deck: Deck, number: int, fields: dict[str, float]) -> None:
    """MAT_024 without a limit of its own, and the damage."""
    deck.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY", [number, RHO, E, NU, YIELD, ETAN], [0.0] * 5, [0.0] * 8, [0.0] * 8
    )
    f = {"LCSDG": CURVE, "ECRIT": 0.0, "DMGEXP": 1.0, "DCRIT": 1.0, "FADEXP": 1.0, "LCREGD": 0} | fields
    names = ("LCSDG", "ECRIT", "DMGEXP", "DCRIT", "FADEXP", "LCREGD")
    deck.add("MAT_ADD_DAMAGE_GISSMO", [number, 0, 1.0, 0.0, 1.0], [f[n] for n in names])


def write_curves(deck: Deck) -> None:
    """Failure strains, factors of sizes."""
    points = sorted(STRAINS.items())
    deck.curve(CURVE, points)
    deck.curve(SIZES, [(5.0, 1.0), (15.0, 0.5)])
    for k, factor in enumerate((0.5, 1.0, 2.0)):
        deck.curve(TABLE + 1 + k, [(h, factor * s) for h, s in points])
    deck.add("DEFINE_TABLE_2D", [TABLE], *([float(k - 1), TABLE + 1 + k] for k in range(3)))


def decks() -> dict[str, Deck]:
    """Elements on symmetry planes, moved along x, and y where it is not free, at a constant true rate."""
    deck = Deck("damage", END)
    deck.add("CONTROL_SHELL", [20.0, 2, -1, 1])  # shells thin as they stretch
    write_curves(deck)
    for case, f in elements():
        write_material(deck, f.number, case.fields)
        s = case.size
        mesh = (
            quadrilaterals(1, 1, s, s, f.first)
            if f.kind == "shell"
            else hexahedra((1, 1, 1), (s, s, s), f.first)
        )
        f.write(deck, mesh, material=f.number, thickness=1.0)
        turns = [1, 1, 1] if f.kind == "shell" else [0, 0, 0]
        for n, x in mesh.nodes.items():
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *(int(x[k] == 0) for k in range(3)), *turns])
        move(deck, case, f, mesh.nodes)
    deck.output(END / 4000, "glstat", "matsum")
    return {"all": deck}


def move(deck: Deck, case: Case, f: Formulation, nodes: dict[int, Sequence[float]]) -> None:
    """Prescribed displacements of the faces away from the origin."""
    t = np.linspace(0, 1.1 * END, 1500)
    for k, share in enumerate(case.along):
        if share is None:
            continue
        curve = 100 + 2 * f.number + k
        moved = case.size * np.expm1(share * path(case, t))
        deck.curve(curve, [(float(a), float(b)) for a, b in zip(t, moved, strict=True)])
        driven = [n for n, x in nodes.items() if x[k] == case.size]
        deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, k + 1, 2, curve, 1.0] for n in driven))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Times at which the parts' energies become eroded."""
    r = results["all"]
    t = r.time("matsum")
    figures = []
    for case, f in elements():
        eroded = r.part(f.number, "eroded_internal_energy")
        gone = float(t[int(np.argmax(eroded > 0))]) if eroded[-1] > 0 else float("nan")
        expected = case.strain / RATE + RAMP / 2
        # Pulled in two directions at once, a solid's thickness swings, and with it the triaxiality.
        swings = "biaxial" in case.name and f.name.startswith("solid")
        figures.append(
            Figure(
                f"{case.name}, {f.name}", "time of failure, ms", expected, gone, 0.015 if swings else 0.005
            )
        )
    return figures


PROBLEM = Problem(
    "damage",
    "Elements to failure by damage: three triaxialities, two stages, sizes",
    "closed form: plastic strain at which the summed shares of failure strains are one",
    decks,
    measure,
    ranks=(1,),
)
