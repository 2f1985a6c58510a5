"""Porous metal: cubes of one element whose voids grow, nucleate and join, in strains of several kinds."""

from dataclasses import dataclass, field

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, YIELD, ETAN = 210.0, 0.3, 7.8e-6, 0.3, 2.0
BULK, SHEAR = E / (3 * (1 - 2 * NU)), E / (2 * (1 + NU))
MODULUS = E * ETAN / (E - ETAN)
Q1, Q2, F0, FF, EN, SN = 1.5, 1.0, 0.01, 0.25, 0.1, 0.05
END, RAMP, SIZE = 2.0, 0.1, 10.0
KINDS = (("solid", 1), ("solid", 2))


@dataclass(frozen=True)
class Case:
    """Logarithmic strains: of the volume, and the equivalent one of an elongation along x."""

    name: str
    volume: float
    shape: float
    fields: dict[str, float] = field(default_factory=dict)

    def along(self, axis: int) -> float:
        """Strain along an axis."""
        return self.volume / 3 + (self.shape if axis == 0 else -self.shape / 2)


CASES = (
    Case("hydrostatic tension", 0.03, 0.0),
    Case("tension", 0.05, 0.05),
    Case("elongation", 0.02, 0.2),
    Case("nucleation", 0.01, 0.15, {"FN": 0.04}),
    Case("nucleation without tension", 0.0, 0.3, {"FN": 0.04}),
    Case("coalescence", 0.06, 0.0, {"FC": 0.03}),
    Case("coalescence with elongation", 0.07, 0.07, {"FC": 0.03}),
)


class Model:
    """Mean and equivalent stress, plastic strain, void fraction: their rates (Tvergaard, Needleman 1984)."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.fc, self.fn = case.fields.get("FC", 0.1), case.fields.get("FN", 0.0)
        self.slope = (1 / Q1 - self.fc) / (FF - self.fc)

    def effective(self, f: float) -> float:
        """Void fraction with those that join."""
        return min(f, self.fc) + self.slope * max(f - self.fc, 0.0)

    def surface(self, m: float, q: float, k: float, f: float) -> float:
        """Gurson's yield function."""
        c = Q1 * self.effective(f)
        return (q / k) ** 2 + 2 * c * float(np.cosh(1.5 * Q2 * m / k)) - 1 - c * c

    def rate(self, state: np.ndarray) -> np.ndarray:
        """By the share of the strain."""
        m, q, p, f = state
        k, c = YIELD + MODULUS * p, Q1 * self.effective(f)
        h = 1.5 * Q2 * m / k
        of_q, of_m = 2 * q / k**2, 3 * c * Q2 * np.sinh(h) / k
        of_k = -2 * q * q / k**3 - 2 * c * np.sinh(h) * h / k
        of_f = (2 * np.cosh(h) - 2 * c) * Q1 * (1.0 if f <= self.fc else self.slope)
        dp = (m * of_m + q * of_q) / ((1 - f) * k)
        nucleates = self.fn / (SN * np.sqrt(2 * np.pi)) * np.exp(-0.5 * ((p - EN) / SN) ** 2)
        df = (1 - f) * of_m + nucleates * dp
        drives = of_m * BULK * self.case.volume + of_q * 3 * SHEAR * self.case.shape
        resists = of_m**2 * BULK + of_q**2 * 3 * SHEAR - of_k * MODULUS * dp - of_f * df
        flow = drives / resists
        return np.array(
            [
                BULK * (self.case.volume - flow * of_m),
                3 * SHEAR * (self.case.shape - flow * of_q),
                flow * dp,
                flow * df,
            ]
        )

    def at(self, share: float) -> np.ndarray:
        """Mean stress, equivalent stress, plastic strain, void fraction at a share of the strain."""
        low, high = 0.0, 1.0
        for _ in range(100):
            x = 0.5 * (low + high)
            m, q = BULK * self.case.volume * x, 3 * SHEAR * self.case.shape * x
            low, high = (x, high) if self.surface(m, q, YIELD, F0) < 0 else (low, x)
        state = np.array([BULK * self.case.volume * low, 3 * SHEAR * self.case.shape * low, 0.0, F0])
        steps = 400
        h = (share - low) / steps
        for _ in range(steps):  # Runge and Kutta's method of the fourth order
            a = self.rate(state)
            b = self.rate(state + h / 2 * a)
            c = self.rate(state + h / 2 * b)
            d = self.rate(state + h * c)
            state = state + h / 6 * (a + 2 * b + 2 * c + d)
        return state


def elements() -> list[tuple[Case, Formulation]]:
    """One of each case and kind; parts, nodes and elements have the number of the place here."""
    all_of = [(case, kind) for case in CASES for kind in KINDS]
    return [(case, Formulation(*kind, n)) for n, (case, kind) in enumerate(all_of, 1)]


def share(t: np.ndarray) -> np.ndarray:
    """Of the strain: at a constant rate after a ramp."""
    rate = 1 / (END - RAMP / 2)
    return np.where(t < RAMP, 0.5 * rate * t**2 / RAMP, rate * (t - RAMP / 2))


def decks() -> dict[str, Deck]:
    """Cubes on three planes, whose other faces move."""
    deck = Deck("voids", END)
    t = np.linspace(0, 1.1 * END, 2000)
    for case, f in elements():
        values = {"FC": 0.1, "FN": 0.0} | case.fields
        deck.add(
            "MAT_GURSON",
            [f.number, RHO, E, NU, YIELD, 0.0, Q1, Q2],
            [values["FC"], F0, EN, SN, values["FN"], ETAN, 2.0, FF],
            *[[0.0] * 8] * 4,
        )
        mesh = hexahedra((1, 1, 1), (SIZE, SIZE, SIZE), f.first)
        f.write(deck, mesh, material=f.number)
        for n, x in mesh.nodes.items():
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *(int(x[k] == 0) for k in range(3)), 0, 0, 0])
        for axis in range(3):
            curve = 10 * f.number + axis
            moved = SIZE * np.expm1(case.along(axis) * share(t))
            deck.curve(curve, [(float(a), float(b)) for a, b in zip(t, moved, strict=True)])
            driven = [n for n, x in mesh.nodes.items() if x[axis] == SIZE]
            deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, axis + 1, 2, curve, 1.0] for n in driven))
    deck.add("DATABASE_EXTENT_BINARY", [4, 0, 3])
    deck.output(END, "glstat", plot=END)
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stresses, plastic strain and void fraction at the end."""
    r = results["all"]
    at = float(share(np.array([float(r.plot.arrays["timesteps"][-1])]))[0])
    ids = list(r.plot.arrays["element_solid_ids"])
    kept = r.plot.arrays["element_solid_history_variables"][-1]
    known = {case.name: Model(case).at(at) for case in CASES}
    figures = []
    for case, f in elements():
        mean, equivalent, plastic, voids = known[case.name]
        s = r.stress(f.kind, f.first, -1)[0]
        d = s[:3] - s[:3].mean()
        q = float(np.sqrt(1.5 * (d @ d) + 3 * (s[3:] @ s[3:])))
        grown = float(np.asarray(kept[ids.index(f.first)]).reshape(-1)[1])
        name = f"{case.name}, {f.name}"
        scale = YIELD
        figures += [
            Figure(name, "mean stress", mean, float(s[:3].mean()), 0.005, scale),
            Figure(name, "equivalent stress", equivalent, q, 0.005, scale),
            Figure(name, "plastic strain", plastic, float(r.plastic_strain(f.kind, f.first)[0]), 0.005),
            Figure(name, "void fraction", voids, F0 + grown, 0.005),
        ]
    return figures


PROBLEM = Problem(
    "voids",
    "Porous metal: voids that grow, nucleate and join in cubes of given strains",
    "the equations of the model, integrated with small steps (Gurson 1977; Tvergaard and Needleman 1984)",
    decks,
    measure,
)
