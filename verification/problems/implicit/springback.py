"""A strip that is bent beyond its elastic limit by a moment that is then taken off."""

import numpy as np

from verification.deck import Deck
from verification.implicit import static
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

YOUNG, POISSON, YIELD, TANGENT = 210.0, 0.3, 0.3, 10.0  # GPa
LENGTH, WIDTH, THICKNESS, POINTS = 40.0, 4.0, 1.0, 9
CELLS = (20, 2)
STEPS, BENT, RELEASE = 40, 0.5, 0.6  #: times until which the moment grows, and from which it falls to zero
RADIUS = 50.0


def strip() -> Mesh:
    """Along x from 0, across around y = 0."""
    return quadrilaterals(*CELLS, LENGTH, WIDTH).moved(lambda p: (p[0], p[1] - WIDTH / 2, p[2]))


def moment(curvature: float) -> float:
    """Per width, of a narrow strip: the integral of stress times height over the points of the elements.

    Elastic up to the yield strain, then linear hardening (Marciniak, Duncan and Hu 2002, chapter 6).
    """
    z, weight = np.polynomial.legendre.leggauss(POINTS)
    strain = np.abs(curvature * z * THICKNESS / 2)
    first = YIELD / YOUNG
    stress = np.where(strain < first, YOUNG * strain, YIELD + TANGENT * (strain - first))
    return float((stress * np.abs(z) * weight).sum()) * THICKNESS**2 / 4


def deck(form: int) -> Deck:
    """The end has the moment of the curvature 1 / RADIUS, then none: the strip springs back."""
    deck = static(f"springback, shell {form}", STEPS, "12,1,50,1e-7,1e-9,,1e6,1e-13", automatic=True)
    deck.curve(2, [(0.0, 0.0), (BENT, 1.0), (RELEASE, 1.0), (1.0, 0.0), (2.0, 0.0)])
    deck.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY",
        [1, 7.85e-6, YOUNG, POISSON, YIELD, TANGENT],
        [None],
        [None],
        [None],
    )
    deck.shell_section(1, form, THICKNESS, POINTS)
    kind = 8 if form in (16, -16) else 4
    deck.add("HOURGLASS", [1, kind, 0.05, 0, 1.5, 0.06, 0.05, 0.05])
    deck.part(1, 1, 1, "strip", hourglass=1)
    mesh = strip()
    deck.nodes(mesh.nodes)
    deck.shells(1, mesh.elements)
    for n, (x, y, _) in mesh.nodes.items():
        if x == 0:
            middle = int(y == 0)
            deck.add("BOUNDARY_SPC_NODE", [n, 0, 1, middle, middle, middle, 1, middle])
    whole = -WIDTH * moment(1 / RADIUS)
    for n, (x, y, _) in mesh.nodes.items():
        if x == LENGTH:
            deck.add("LOAD_NODE_POINT", [n, 6, 2, whole * (0.5 if y == 0 else 0.25)])
    deck.add("DATABASE_BINARY_D3PLOT", [1.0 / STEPS])
    return deck


def curvature(r: Results, state: int) -> float:
    """Angle between the first and the last element along the middle, over their distance."""
    row = [n for n, p in strip().nodes.items() if p[1] == 0]
    x = [r.position(n, state) for n in row]
    first, last = x[1] - x[0], x[-1] - x[-2]
    angle = np.arctan2(last[2], last[0]) - np.arctan2(first[2], first[0])
    return abs(float(angle)) / (LENGTH * (CELLS[0] - 1) / CELLS[0])


#: Form, and tolerance of what is lost: the hourglass stiffness of form 2 acts against the strip's twist.
FORMS = {16: 0.002, 2: 0.02}


def measure(results: dict[str, Results]) -> list[Figure]:
    """The curvature before, and what it loses, M / (E I)."""
    figures = []
    for form, tolerance in FORMS.items():
        r = results[f"shell {form}"]
        times = np.asarray(r.plot.arrays["timesteps"])
        bent = curvature(r, int(np.abs(times - RELEASE).argmin()))
        lost = bent - curvature(r, -1)
        figures += [
            Figure(f"shell {form}", "curvature when bent, 1/mm", 1 / RADIUS, bent, 0.02),
            Figure(
                f"shell {form}",
                "curvature lost, 1/mm",
                moment(bent) * 12 / (YOUNG * THICKNESS**3),
                lost,
                tolerance,
            ),
        ]
    return figures


PROBLEM = Problem(
    "implicit springback",
    "Narrow strip bent to a radius of 50 thicknesses by a moment and let go, 20 x 2 shells",
    "closed form: Marciniak, Duncan and Hu (2002), Mechanics of Sheet Metal Forming, chapter 6",
    lambda: {f"shell {form}": deck(form) for form in FORMS},
    measure,
    ranks=(1,),
)
