"""J2 plasticity of one element: uniaxial, biaxial and shear stress, there and back, with rate effects."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO = 210.0, 0.3, 7.8e-6
YIELD, ETAN = 0.4, 2.0
MODULUS = E * ETAN / (E - ETAN)  #: of true stress over plastic strain
RATE = 0.05  # 1/ms
TIMES, RATES = [0.0, 0.06, 0.6, 0.72, 1.12], [0.0, RATE, RATE, -RATE, -RATE]
MEASURED = 0.59  #: still at the full rate
PEAK = RATE * 0.6  #: largest strain
SIZE, TOLERANCE = 10.0, 1e-3
C, P = 0.04, 5.0
B, N, RATE_C, EPSO = 0.5, 0.4, 0.02, 1e-3  #: of MAT_098
CURVE = [(0.0, 0.4), (0.005, 0.46), (0.015, 0.5), (0.15, 0.62)]
TABLE_RATES, TABLE_FACTORS = (0.001, 0.1), (1.0, 1.3)
SLOPE = 0.12 / 0.135 * 1.15  #: of the last piece of the curve, times about the table's factor
KINDS = [Formulation("shell", 2, 0), Formulation("shell", 16, 0), Formulation("solid", 1, 0)]


@dataclass(frozen=True)
class Mode:
    """A proportional stress: strain along x = elastic * s + plastic * p, effective stress = effective * s."""

    name: str
    elastic: float
    plastic: float
    effective: float
    across: int  #: strain along y over that along x where it is driven, else 0


UNIAXIAL = Mode("", 1 / E, 1.0, 1.0, 0)
MODES = [
    UNIAXIAL,
    Mode("biaxial, ", (1 - NU) / E, 0.5, 1.0, 1),
    Mode("shear, ", (1 + NU) / E, float(np.sqrt(0.75)), float(np.sqrt(3.0)), -1),
]


@dataclass(frozen=True)
class Law:
    """A material, its flow stress over plastic strain, and how much of its hardening is kinematic."""

    name: str
    write: Callable[[Deck, int], None]
    flow: Callable[[float], float]
    kinematic: float = 0.0
    by_rate: bool = False
    modes: tuple[int, ...] = (0,)
    kinds: tuple[int, ...] = (0, 1, 2)


def linear(p: float) -> float:
    """Yield stress with linear hardening."""
    return YIELD + MODULUS * p


def curved(p: float) -> float:
    """Yield stress by the curve."""
    return float(np.interp(p, *zip(*CURVE, strict=True)))


def mat_003(beta: float) -> Callable[[Deck, int], None]:
    """MAT_003 with BETA."""
    return lambda d, n: d.add("MAT_PLASTIC_KINEMATIC", [n, RHO, E, NU, YIELD, ETAN, beta], [0.0, 0.0, 0.0, 0])


def mat_024(
    etan: float = 0.0, c: float = 0.0, p: float = 0.0, lcss: int = 0, vp: int = 0, sigy: float = YIELD
):
    """MAT_024."""
    return lambda d, n: d.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY",
        [n, RHO, E, NU, YIELD, etan],
        [c, p, lcss, 0, vp],
        [0.0] * 8,
        [0.0] * 8,
    )


def mat_012(deck: Deck, number: int) -> None:
    """MAT_012 with the same elasticity."""
    shear, bulk = E / (2 * (1 + NU)), E / (3 * (1 - 2 * NU))
    deck.add("MAT_ISOTROPIC_ELASTIC_PLASTIC", [number, RHO, shear, YIELD, MODULUS, bulk])


def mat_098(deck: Deck, number: int) -> None:
    """MAT_098."""
    deck.add("MAT_SIMPLIFIED_JOHNSON_COOK", [number, RHO, E, NU], [YIELD, B, N, RATE_C, 0.0, 0.0, 0.0, EPSO])


def johnson_cook(p: float) -> float:
    """Flow stress of MAT_098; in isochoric uniaxial flow the effective rate is the rate along."""
    return (YIELD + B * p**N) * (1 + RATE_C * float(np.log(RATE / EPSO)))


def mat_024_points(deck: Deck, number: int) -> None:
    """MAT_024 with its curve on the card."""
    points = [*CURVE, *[(0.0, 0.0)] * (8 - len(CURVE))]
    deck.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY",
        [number, RHO, E, NU, YIELD],
        [0.0, 0.0],
        [x for x, _ in points],
        [y for _, y in points],
    )


def total_rate() -> float:
    """Effective rate of total strain of the manual, sqrt(d_ij d_ij), in isochoric uniaxial flow."""
    return RATE * np.sqrt(1.5)


def table_factor(rate: float) -> float:
    """Between the table's two rates."""
    return float(np.interp(rate, TABLE_RATES, TABLE_FACTORS))


LAWS = [
    Law("MAT_003, BETA 1", mat_003(1.0), linear),
    Law("MAT_003, BETA 0", mat_003(0.0), linear, kinematic=1.0),
    Law("MAT_003, BETA 0.5", mat_003(0.5), linear, kinematic=0.5, modes=(0, 1, 2)),
    # Shells of MAT_012 are inaccurate by what it is; their closed form is in the unit tests.
    Law("MAT_012", mat_012, linear, kinds=(2,)),
    Law("MAT_098", mat_098, johnson_cook, by_rate=True),
    Law("MAT_024, ETAN", mat_024(etan=ETAN), linear),
    Law("MAT_024, EPS and ES", mat_024_points, curved),
    Law("MAT_024, LCSS curve", mat_024(lcss=11), curved, modes=(0, 1, 2)),
    Law(
        "MAT_024, Cowper-Symonds, VP 0",
        mat_024(etan=ETAN, c=C, p=P),
        lambda p: linear(p) * (1 + (total_rate() / C) ** (1 / P)),
        by_rate=True,
    ),
    Law(
        "MAT_024, Cowper-Symonds, VP 1",
        mat_024(etan=ETAN, c=C, p=P, vp=1),
        lambda p: linear(p) + YIELD * (plastic_rate() / C) ** (1 / P),
        by_rate=True,
    ),
    Law(
        "MAT_024, table, VP 0",
        mat_024(lcss=20),
        lambda p: curved(p) * table_factor(total_rate()),
        by_rate=True,
    ),
    Law(
        "MAT_024, table, VP 1",
        mat_024(lcss=20, vp=1),
        lambda p: curved(p) * table_factor(plastic_rate()),
        by_rate=True,
    ),
]


def plastic_rate(modulus: float = MODULUS) -> float:
    """Of plastic strain in steady flow; the rest is elastic, at most 1 %."""
    return RATE * E / (E + modulus)


def strain(time: float) -> float:
    """Logarithmic strain: its rate is linear between points."""
    t = np.array([x for x in TIMES if x < time] + [time])
    return float(np.trapezoid(np.interp(t, TIMES, RATES), t))


def root(miss: Callable[[float], float], low: float, high: float) -> float:
    """Of a function that grows, by bisection."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if miss(middle) < 0 else (low, middle)
    return 0.5 * (low + high)


def flow_at(law: Law, mode: Mode, e: float, plastic: float, p: float, way: int) -> tuple[float, float]:
    """Stress along x and plastic strain after yielding one way to strain `e`, from a plastic strain whose
    signed value is `plastic` and whose sum over both ways is `p`."""

    def stress(signed: float) -> float:
        total = p + way * (signed - plastic)
        radius = law.flow(total) if not law.kinematic else YIELD + (1 - law.kinematic) * MODULUS * total
        return (way * radius + law.kinematic * MODULUS * signed) / mode.effective

    ends = (plastic, 0.1) if way > 0 else (-0.1, plastic)
    signed = root(lambda s: mode.plastic * s + mode.elastic * stress(s) - e, *ends)
    return stress(signed), p + way * (signed - plastic)


def elements() -> list[tuple[Law, Mode, Formulation]]:
    """One of each law, mode and kind; parts, nodes and elements are numbered after the place in this list."""
    all_of = [
        (law, MODES[m], kind) for law in LAWS for m in law.modes for kind in (KINDS[k] for k in law.kinds)
    ]
    return [(law, m, Formulation(k.kind, k.form, n)) for n, (law, m, k) in enumerate(all_of, 1)]


def decks() -> dict[str, Deck]:
    """Elements of 10 mm on symmetry planes; faces x = 10 and, but for uniaxial stress, y = 10 are driven."""
    deck = Deck("plasticity", TIMES[-1])
    for number, law in enumerate(LAWS, 1):
        law.write(deck, number)
    deck.curve(11, CURVE)
    deck.add("DEFINE_TABLE_2D", [20], *([r, 21 + k] for k, r in enumerate(TABLE_RATES)))
    for k, factor in enumerate(TABLE_FACTORS):
        deck.curve(21 + k, [(x, factor * y) for x, y in CURVE])
    times = np.linspace(0, TIMES[-1] * 1.1, 1000)
    for way in (1, -1):
        deck.curve(2 - way, [(float(t), SIZE * float(np.expm1(way * strain(t)))) for t in times])
    for law, mode, f in elements():
        if f.kind == "shell":
            mesh = quadrilaterals(1, 1, SIZE, SIZE, f.first)
        else:
            mesh = hexahedra((1, 1, 1), (SIZE, SIZE, SIZE), f.first)
        f.write(deck, mesh, material=1 + LAWS.index(law), thickness=1.0)
        turns = [1, 1, 1] if f.kind == "shell" else [0, 0, 0]
        for n, x in mesh.nodes.items():
            held = [int(x[0] == 0), int(x[1] == 0), int(x[2] == 0)]
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *held, *turns])
        for axis, way in ((0, 1), (1, mode.across)):
            driven = mesh.where(lambda p, axis=axis: p[axis] == SIZE)
            if way:
                deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, axis + 1, 2, 2 - way, 1.0] for n in driven))
    deck.output(TIMES[-1], "glstat", plot=MEASURED)
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stress along and plastic strain, near the end of the way forward and at the end of the way back."""
    r = results["all"]
    times = [float(t) for t in r.plot.arrays["timesteps"]]
    figures = []
    for law, mode, f in elements():
        case = f"{law.name}, {mode.name}{f.name}"
        stress, plastic = flow_at(law, mode, strain(times[1]), 0.0, 0.0, 1)
        along = [r.stress(f.kind, f.first, k)[0, 0] for k in range(3)]
        figures.append(Figure(case, "stress forward", stress, along[1], TOLERANCE))
        if not law.by_rate:
            _, plastic = flow_at(law, mode, PEAK, 0.0, 0.0, 1)
            stress, plastic = flow_at(law, mode, strain(times[2]), plastic, plastic, -1)
            figures.append(Figure(case, "stress back", stress, along[2], TOLERANCE))
        computed = r.plastic_strain(f.kind, f.first, 1 if law.by_rate else 2)[0]
        figures.append(Figure(case, "plastic strain", plastic, computed, TOLERANCE))
    return figures


PROBLEM = Problem(
    "plasticity",
    "J2 plasticity: one element in uniaxial, biaxial and shear stress, forward and back",
    "closed form: stress on the yield surface at the logarithmic strain; Cowper and Symonds (1957)",
    decks,
    measure,
)
