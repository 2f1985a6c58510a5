"""Bars pulled until a criterion of failure deletes them: when each of them goes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, YIELD, ETAN = 210.0, 0.3, 7.8e-6, 0.4, 2.0
MODULUS = E * ETAN / (E - ETAN)
RATE, RAMP, SIZE = 0.1, 0.05, 10.0
LIMIT = 0.04
BELYTSCHKO_TSAY, FULLY_INTEGRATED = ("shell", 2), ("shell", 16)
ONE_POINT, EIGHT_POINTS = ("solid", 1), ("solid", 2)


@dataclass(frozen=True)
class Bar:
    """A law with a criterion, its element, and the logarithmic strain at which the criterion is met."""

    name: str
    write: Callable[[Deck, int], None]
    kind: tuple[str, int]
    strain: float


def stress(plastic: float) -> float:
    """Flow stress."""
    return YIELD + MODULUS * plastic


def strain_at(plastic: float) -> float:
    """Total strain in uniaxial stress."""
    return plastic + stress(plastic) / E


def mat_123(fail: float = 0, thinning: float = 0, major: float = 0) -> Callable[[Deck, int], None]:
    """MAT_123 with its three limits."""
    return lambda deck, number: deck.add(
        "MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY",
        [number, RHO, E, NU, YIELD, ETAN, fail],
        [0.0, 0.0, 0, 0, 0, thinning, major, 2],
        [0.0] * 8,
        [0.0] * 8,
    )


def eroding(fields: dict[str, float]) -> Callable[[Deck, int], None]:
    """MAT_024 without a limit of its own, and *MAT_ADD_EROSION."""
    first = ["EXCL", "MXPRES", "MNEPS", "EFFEPS", "VOLEPS", "NUMFIP", "NCS"]
    second = ["MNPRES", "SIGP1", "SIGVM", "MXEPS", "EPSSH", "SIGTH", "IMPULSE", "FAILTM"]

    def write(deck: Deck, number: int) -> None:
        deck.add(
            "MAT_PIECEWISE_LINEAR_PLASTICITY",
            [number, RHO, E, NU, YIELD, ETAN],
            [0.0] * 5,
            [0.0] * 8,
            [0.0] * 8,
        )
        deck.add(
            "MAT_ADD_EROSION",
            [number, *(fields.get(name, 0.0) for name in first)],
            [fields.get(name, 0.0) for name in second],
        )

    return write


def mat_081(deck: Deck, number: int) -> None:
    """MAT_081, softening from a plastic strain of LIMIT / 2 to rupture at LIMIT."""
    deck.add(
        "MAT_PLASTICITY_WITH_DAMAGE",
        [number, RHO, E, NU, YIELD, ETAN, LIMIT / 2],
        [0.0, 0.0, 0, 0, LIMIT, 0, 0, 1],
        [0.0] * 8,
        [0.0] * 8,
    )


FLOW, ALONG = stress(LIMIT), strain_at(LIMIT)
ACROSS = -(LIMIT / 2 + NU * FLOW / E)  #: strain; plastic flow keeps the volume
IMPULSE = MODULUS**2 * LIMIT**3 / 3 * (1 + MODULUS / E) / RATE  #: of the stress above YIELD
#: Criteria that are all met at a plastic strain of LIMIT.
CRITERIA: list[dict[str, float]] = [
    {"MNPRES": -FLOW / 3},
    {"SIGP1": FLOW},
    {"SIGVM": FLOW},
    {"MXEPS": ALONG},
    {"MNEPS": ACROSS},
    {"EPSSH": (ALONG - ACROSS) / 2},
    {"EFFEPS": (ALONG - ACROSS) * 2 / 3},
    {"EFFEPS": -LIMIT},
    {"VOLEPS": (1 - 2 * NU) * FLOW / E},
    {"SIGTH": YIELD, "IMPULSE": IMPULSE},
    {"FAILTM": ALONG / RATE + RAMP / 2},
    {"SIGVM": FLOW / 2, "MXEPS": ALONG, "NCS": 2},
]


def criterion(fields: dict[str, float]) -> str:
    """Its name."""
    sign = " < 0" if fields.get("EFFEPS", 0) < 0 else ""
    return "ADD_EROSION, " + " and ".join(n for n in fields if n != "NCS") + sign


BARS = [
    Bar("MAT_123, FAIL", mat_123(fail=LIMIT), BELYTSCHKO_TSAY, strain_at(LIMIT)),
    Bar("MAT_123, FAIL", mat_123(fail=LIMIT), ONE_POINT, strain_at(LIMIT)),
    # Plastic flow keeps the volume, so that half of the plastic strain goes into the thickness.
    Bar("MAT_123, EPSTHIN", mat_123(thinning=LIMIT / 2), BELYTSCHKO_TSAY, strain_at(LIMIT)),
    Bar("MAT_123, EPSTHIN", mat_123(thinning=LIMIT / 2), FULLY_INTEGRATED, strain_at(LIMIT)),
    Bar("MAT_123, EPSMAJ", mat_123(major=LIMIT), BELYTSCHKO_TSAY, LIMIT),
    Bar("MAT_123, EPSMAJ", mat_123(major=LIMIT), FULLY_INTEGRATED, LIMIT),
    # Softening stretches nothing but the flow: the undamaged stress gives the elastic strain.
    Bar("MAT_081, EPPFR", mat_081, BELYTSCHKO_TSAY, ALONG),
    Bar("MAT_081, EPPFR", mat_081, ONE_POINT, ALONG),
    *(Bar(criterion(c), eroding(c), kind, ALONG) for c in CRITERIA for kind in (BELYTSCHKO_TSAY, ONE_POINT)),
    *(
        Bar(criterion(c), eroding(c), kind, ALONG)
        for c in CRITERIA[3:4]
        for kind in (FULLY_INTEGRATED, EIGHT_POINTS)
    ),
]
END = (1.5 * LIMIT + 2 * YIELD / E) / RATE + RAMP


def elements() -> list[tuple[Bar, Formulation]]:
    """One for each bar; parts, nodes and elements are numbered after the place in the list."""
    return [(bar, Formulation(*bar.kind, n)) for n, bar in enumerate(BARS, 1)]


def decks() -> dict[str, Deck]:
    """Elements of 10 mm on symmetry planes, pulled along x at a constant true rate after a ramp."""
    deck = Deck("failure", END)
    t = np.linspace(0, 1.1 * END, 1000)
    strain = np.where(t < RAMP, 0.5 * RATE * t**2 / RAMP, RATE * (t - RAMP / 2))
    deck.curve(1, [(float(a), float(b)) for a, b in zip(t, SIZE * np.expm1(strain), strict=True)])
    deck.add("CONTROL_SHELL", [20.0, 2, -1, 1])  # shells thin as they stretch
    for bar, f in elements():
        bar.write(deck, f.number)
        if f.kind == "shell":
            mesh = quadrilaterals(1, 1, SIZE, SIZE, f.first)
        else:
            mesh = hexahedra((1, 1, 1), (SIZE, SIZE, SIZE), f.first)
        f.write(deck, mesh, material=f.number, thickness=1.0)
        turns = [1, 1, 1] if f.kind == "shell" else [0, 0, 0]
        for n, x in mesh.nodes.items():
            held = [int(x[0] == 0), int(x[1] == 0), int(x[2] == 0)]
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *held, *turns])
        driven = mesh.where(lambda p: p[0] == SIZE)
        deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 1, 2, 1, 1.0] for n in driven))
    deck.output(END / 2000, "glstat", "matsum")
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Times at which the parts' energies become eroded."""
    r = results["all"]
    t = r.time("matsum")
    figures = []
    for bar, f in elements():
        eroded = r.part(f.number, "eroded_internal_energy")
        gone = float(t[int(np.argmax(eroded > 0))]) if eroded[-1] > 0 else float("nan")
        expected = bar.strain / RATE + RAMP / 2
        figures.append(Figure(f"{bar.name}, {f.name}", "time of failure, ms", expected, gone, 0.005))
    return figures


PROBLEM = Problem(
    "failure",
    "Uniaxial bars to what makes them fail",
    "closed form: strain at which the criterion is met",
    decks,
    measure,
)
