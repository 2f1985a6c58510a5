"""MacNeal and Harder's rectangular plates, simply supported or clamped, under pressure or a central force.

The known deflections are those of thin plates by double sine series, after Timoshenko and Woinowsky-Krieger
(1959): of Navier for supported edges, with moments along the edges that hold the slope for clamped ones. The
source has 4.062, 11.60, 12.97 and 16.96 for supported plates, as the series. For clamped ones it has 1.26,
5.60, 2.56 and 7.23; the series give 1.265, 5.612, 2.604 and 7.242.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import ENHANCED, SHELLS, SOLIDS, Form, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

YOUNG, POISSON = 1.7472e7, 0.3
WIDTH, LENGTHS = 2.0, (2.0, 10.0)  #: along x, along y
PRESSURE, FORCE = 1e-4, 4e-4
SHELL_THICKNESS, SOLID_THICKNESS = 1e-4, 1e-2
#: of all loads: deflections are small beside the thickness, as those under the loads of the source are not
SHARE = 1e-8


def series(length: float, clamped: bool, force: bool, thickness: float, terms: int = 400) -> float:
    """Deflection at the centre.

    w = sum a_mn sin(m pi x / a) sin(n pi y / b) over odd m and n, a_mn = (p_mn - m f_n - n g_m) / k_mn with
    the load's p_mn and k_mn = D pi^4 (m^2 / a^2 + n^2 / b^2)^2. f_n and g_m are moments along the clamped
    edges: slopes across these are zero if sum_m m a_mn = 0 for each n, and sum_n n a_mn = 0 for each m.
    """
    a, b = WIDTH, length
    rigidity = np.pi**4 * YOUNG * thickness**3 / (12 * (1 - POISSON**2))
    m = np.arange(1.0, 2 * terms, 2)
    k = rigidity * np.add.outer((m / a) ** 2, (m / b) ** 2) ** 2
    sign = np.sin(np.pi / 2 * m)
    p = 4 * FORCE / (a * b) * np.outer(sign, sign) if force else 16 * PRESSURE / np.pi**2 / np.outer(m, m)
    if clamped:
        edges = terms // 8  # moments have fewer terms than the slopes they hold
        odd = m[:edges]
        many = np.arange(1.0, 2e5, 2)
        along = [np.sum(many**2 / (rigidity * ((many / a) ** 2 + (n / b) ** 2) ** 2)) for n in odd]
        across = [np.sum(many**2 / (rigidity * ((n / a) ** 2 + (many / b) ** 2) ** 2)) for n in odd]
        mixed = np.outer(odd, odd) / k[:edges, :edges]
        slopes = np.concatenate([(m @ (p / k))[:edges], ((p / k) @ m)[:edges]])
        moments = np.linalg.solve(np.block([[np.diag(along), mixed.T], [mixed, np.diag(across)]]), slopes)
        p[:, :edges] -= np.outer(m, moments[:edges])
        p[:edges, :] -= np.outer(moments[edges:], m)
    return float(sign @ (p / k) @ sign)


@dataclass(frozen=True)
class Case:
    """A quarter of a plate."""

    form: Form
    cells: int  #: along each side of the quarter
    layers: int
    length: float
    clamped: bool
    force: bool

    @property
    def name(self) -> str:
        """As in the table, without the mesh."""
        return (
            f"{'clamped' if self.clamped else 'supported'}, 1 : {self.length / WIDTH:g}, "
            f"{'force' if self.force else 'pressure'}"
        )

    @property
    def thickness(self) -> float:
        """That of the source."""
        return SHELL_THICKNESS if self.form.kind == "shell" else SOLID_THICKNESS

    def piece(self, part: int) -> Piece:
        """u along x and v along y, from the centre to the edges."""

        def place(u: float, v: float, w: float) -> Point:
            return (WIDTH / 2 * u, self.length / 2 * v, self.thickness * w)

        return Piece(part, self.form, (self.cells, self.cells), place, self.layers)

    def held(self, u: float, v: float) -> Sequence[bool]:
        """Symmetry at u = 0 and v = 0; edges at u = 1 and v = 1, which keep the slope along them zero."""
        shell, clamped = self.form.kind == "shell", self.clamped
        edge, x, y = u == 1 or v == 1, u == 1, v == 1
        flat = shell or (clamped and edge)  # shells bend only
        return [
            u == 0 or flat or y,
            v == 0 or flat or x,
            edge,
            v == 0 or x or (clamped and edge),
            u == 0 or y or (clamped and edge),
            True,
        ]


S16, S2 = SHELLS[0], SHELLS[2]
#: elements along the sides of a quarter and through the thickness
MESHES: list[tuple[Form, int, int]] = [
    (S16, 8, 1),
    (S16, 16, 1),
    *((form, 8, 1) for form in (SHELLS[1], S2, Form("shell", 6), Form("shell", 4))),
    *((form, 8, 1 if form.elform == 1 else 4) for form in SOLIDS),
    (ENHANCED, 8, 1),
]
FORMS = list(dict.fromkeys(form for form, _, _ in MESHES))
COARSE = "coarse: elements of 1 : 5"
LAYERS = "four layers have 31 / 32 of the bending stiffness; coarse"
TABLE = Table(
    "plates",
    0.02,
    {
        "shell 16": COARSE,
        "shell -16": COARSE,
        "shell 6": COARSE,
        "shell 4": "two shear strains a triangle: locks in plates as thin as 1 / 20000",
        "solid -2": LAYERS,
        "solid -1": LAYERS,
        "solid 2": "trilinear: locks in bending",
        "solid 1": COARSE,
        "solid 18": "flat elements: shear locks where curvatures change along them",
    },
)


def cases() -> list[Case]:
    """Each form, both ways to hold the edges, both shapes, both loads."""
    return [
        Case(form, cells, layers, length, clamped, force)
        for form, cells, layers in MESHES
        for clamped in (False, True)
        for length in LENGTHS
        for force in (False, True)
    ]


def load(deck: Deck, case: Case, piece: Piece) -> None:
    """A quarter of the force, or of the area of each node's elements under pressure."""
    if case.force:
        piece.push(deck, piece.nodes(0.0, 0.0), 3, SHARE * FORCE / 4)
        return
    n = case.cells
    area = WIDTH * case.length / 4 / n**2
    share = [0.5 if k in (0, n) else 1.0 for k in range(n + 1)]
    for i, j in np.ndindex(n + 1, n + 1):
        nodes = piece.nodes(i / n, j / n)
        piece.push(deck, nodes, 3, SHARE * PRESSURE * area * share[i] * share[j])


def decks() -> dict[str, Deck]:
    """All plates side by side."""
    deck = static("plates")
    deck.elastic(1, 1.0, YOUNG, POISSON)
    sections(deck, FORMS, SHELL_THICKNESS)
    watched: list[int] = []
    for part, case in enumerate(cases(), 1):
        piece = case.piece(part)
        piece.write(deck, FORMS.index(case.form) + 1, 1, case.name)
        piece.hold(deck, case.held)
        load(deck, case, piece)
        watched += piece.nodes(0.0, 0.0)
    deck.node_history(watched)
    return {"plates": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection of the centre over that of the series."""
    r = results["plates"]
    figures = []
    for part, case in enumerate(cases(), 1):
        piece = case.piece(part)
        w = np.mean([r.node(n, "z_displacement")[-1] for n in piece.nodes(0.0, 0.0)]) / SHARE
        known = series(case.length, case.clamped, case.force, case.thickness)
        figures.append(
            TABLE.figure(case.form.name, f"{piece.mesh}, {case.name}", "deflection", float(w / known))
        )
    return figures


PROBLEM = Problem(
    "implicit plates",
    "Thin rectangular plates, elements of a quarter: deflection of the centre over the known one",
    "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20; values by the series of Timoshenko and "
    "Woinowsky-Krieger (1959)",
    decks,
    measure,
    ranks=(1,),
)
