"""Small decks of the kinds that public repositories have: see docs/implicit.md, "Decks of others".

A column that asks for a frequency response, of which its modes remain; a pulled rod with a section that no
element has.
"""

import math
import re

import numpy as np
import pytest
from implicit_decks import histories, prescribe, solve
from scipy.sparse import diags, lil_matrix
from scipy.sparse.linalg import eigsh
from small_decks import Deck

#: kg, mm, ms, kN: density, Young's modulus, Poisson's ratio of the lower and the upper half
HALVES = ((4.99e-7, 11.37, 0.32), (4.99e-7, 110.37, 0.32))
CELLS, SIZE = (2, 3, 8), (30.0, 40.0, 400.0)
CORNERS = np.array([(x, y, z) for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], dtype=float)
FREQUENCY_RESPONSE = "*FREQUENCY_DOMAIN_FRF\n,,1,1,,20.\n0.01\n2,1,1,1\n0.01,10.,1000"


class Column:
    """A column that leans and is distorted, on a clamped base, of bricks of ELFORM 18."""

    def __init__(self) -> None:
        self.places: list[np.ndarray] = []
        self.bricks: list[tuple[int, list[int]]] = []
        nx, ny, nz = CELLS
        for k in range(nz + 1):
            for j in range(ny + 1):
                for i in range(nx + 1):
                    x = np.array([i / nx, j / ny, k / nz]) * SIZE
                    x[0] += 0.1 * x[2] + 2.0 * math.sin(3 * i + 5 * j + 7 * k)
                    self.places.append(x.round(4))
        at = lambda i, j, k: (k * (ny + 1) + j) * (nx + 1) + i  # noqa: E731
        for k in range(nz):
            for j in range(ny):
                for i in range(nx):
                    nodes = [at(i + (a > 0), j + (b > 0), k + (c > 0)) for a, b, c in CORNERS]
                    self.bricks.append((int(k >= nz // 2), nodes))
        self.held = [at(i, j, 0) for j in range(ny + 1) for i in range(nx + 1)]

    def deck(self, material: str) -> Deck:
        """Modes of the column, and no end time. `material` has places for the constants."""
        deck = Deck()
        for part, constants in enumerate(HALVES, 1):
            deck.part(part, "SOLID,18", material.format(*constants))
        for n, x in enumerate(self.places):
            deck.node(tuple(float(c) for c in x), 7 if n in self.held else 0)
        for part, nodes in self.bricks:
            deck.element("SOLID", part + 1, [n + 1 for n in nodes])
        deck.add("*CONTROL_IMPLICIT_GENERAL\n1,1.\n*CONTROL_IMPLICIT_EIGENVALUE\n30")
        return deck

    def frequencies(self, count: int) -> np.ndarray:
        """By ARPACK, of matrices that are assembled here."""
        size = 3 * len(self.places)
        k, m = lil_matrix((size, size)), np.zeros(size)
        for part, nodes in self.bricks:
            of_brick, volume = stiffness(np.array([self.places[n] for n in nodes]), *HALVES[part][1:])
            unknowns = np.add.outer(3 * np.array(nodes), np.arange(3)).ravel()
            k[np.ix_(unknowns, unknowns)] += of_brick
            m[unknowns] += HALVES[part][0] * volume / 8
        free = np.setdiff1d(np.arange(size), np.add.outer(3 * np.array(self.held), np.arange(3)).ravel())
        found, _ = eigsh(k.tocsc()[free][:, free], count, diags(m[free]).tocsc(), sigma=0.0, tol=1e-12)
        return np.sqrt(np.sort(found)) / (2 * math.pi)


def strains(gradients: np.ndarray) -> np.ndarray:
    """Matrix from vectors, one for each gradient, to six strains (shears engineering)."""
    b = np.zeros((6, 3 * len(gradients)))
    for a, (x, y, z) in enumerate(gradients):
        b[:, 3 * a : 3 * a + 3] = [(x, 0, 0), (0, y, 0), (0, 0, z), (y, x, 0), (0, z, y), (z, 0, x)]
    return b


def stiffness(x: np.ndarray, young: float, poisson: float) -> tuple[np.ndarray, float]:
    """Of a brick whose nine enhanced strains are condensed (Simo and Rifai 1990, section 3); its volume."""
    shear = young / 2 / (1 + poisson)
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += young * poisson / (1 + poisson) / (1 - 2 * poisson)

    def slopes(at: np.ndarray) -> np.ndarray:
        f = 1 + CORNERS * at
        return np.stack([CORNERS[:, i] * np.prod(np.delete(f, i, 1), 1) / 8 for i in range(3)], 1)

    centre = x.T @ slopes(np.zeros(3))
    uu, ua, aa, volume = np.zeros((24, 24)), np.zeros((24, 9)), np.zeros((9, 9)), 0.0
    for at in CORNERS / math.sqrt(3):
        jacobian = x.T @ slopes(at)
        j = float(np.linalg.det(jacobian))
        b = strains(slopes(at) @ np.linalg.inv(jacobian))
        more = strains(at[:, None] * np.linalg.inv(centre) * (np.linalg.det(centre) / j))
        uu, ua, aa = uu + j * b.T @ law @ b, ua + j * b.T @ law @ more, aa + j * more.T @ law @ more
        volume += j
    return uu - ua @ np.linalg.solve(aa, ua.T), volume


def table_of_modes(done) -> list[list[str]]:
    """Rows of eigout: mode, eigenvalue, radians, cycles, period."""
    text = (done.directory / "eigout").read_text()
    return [row.split() for row in text[text.index("MODE    EIGENVALUE") :].split("\n\n")[0].splitlines()[1:]]


#: Laws that are elastic until they yield, at 0.0468 or near it
METALS = {
    3: "PLASTIC_KINEMATIC,{},{},{},0.0468,1.,0.5|,",
    18: "POWER_LAW_PLASTICITY,{},{},{},0.1,0.2|0.0468,",
    24: "PIECEWISE_LINEAR_PLASTICITY,{},{},{},0.0468|,|,|,",
    81: "PLASTICITY_WITH_DAMAGE,{},{},{},0.0468,1.,0.1|,,,,0.2|,|,",
    98: "SIMPLIFIED_JOHNSON_COOK,{},{},{}|0.0468,0.1,0.3,0.01,,,,1.",
    123: "MODIFIED_PIECEWISE_LINEAR_PLASTICITY,{},{},{},0.0468|,|,|,",
}


@pytest.fixture(scope="module")
def elastic(tmp_path_factory):
    """Modes of the elastic column."""
    return table_of_modes(solve(Column().deck("ELASTIC,{},{},{}"), tmp_path_factory.mktemp("elastic")))


def test_modes_of_bricks_with_enhanced_strains(elastic):
    found = np.array([float(row[3]) for row in elastic])
    assert found == pytest.approx(Column().frequencies(30), rel=1e-6)


@pytest.mark.parametrize("law", METALS)
def test_metals_are_elastic_in_a_run_of_modes_alone(law, elastic, tmp_path):
    """Such a run needs no end time, and of a deck that asks for a frequency response it finds the modes."""
    deck = Column().deck(METALS[law])
    deck.add(FREQUENCY_RESPONSE)
    assert table_of_modes(solve(deck, tmp_path, "--allow-unsupported")) == elastic


def test_a_frequency_response_is_refused_by_name(tmp_path):
    deck = Column().deck(METALS[24])
    deck.add(FREQUENCY_RESPONSE)
    assert "*FREQUENCY_DOMAIN_FRF" in solve(deck, tmp_path, status=2).said


@pytest.mark.parametrize(
    ("more", "law"),
    (
        ("*CONTROL_TERMINATION\n1.", "MOONEY-RIVLIN_RUBBER,4.99e-7,0.49,0.01,0.01"),
        (
            "*CONTROL_TERMINATION\n1.\n*CONTROL_IMPLICIT_EIGENVALUE\n0",
            METALS[24],
        ),
    ),
    ids=("a law that is not elastic", "steps"),
)
def test_enhanced_strains_stay_linear(more, law, tmp_path):
    deck = Column().deck(law)
    deck.add(more)
    assert "CR-E210" in solve(deck, tmp_path, status=2).said


def test_a_rod_with_a_section_that_no_element_has(tmp_path):
    """ELFORM 15, axisymmetric, is not supported: a warning where nothing uses it, else an error.

    The load of a bar with linear hardening over logarithmic strain e: the stress is Y + Et (e - Y / E), and
    sides shrink by nu of the elastic and half of the plastic strain.
    """
    young, poisson, yields, slope, length, pulled = 207.0, 0.3, 0.235, 50.0, 10.0, 1.5
    deck = Deck()
    deck.add(
        "*CONTROL_TERMINATION\n1.\n*CONTROL_IMPLICIT_GENERAL\n1,0.02\n*CONTROL_IMPLICIT_SOLUTION\n12,1,,1e-6,1e-12\n"
        "*DATABASE_BNDOUT\n1.\n*DEFINE_CURVE\n1\n0.,0.\n1.,1.\n*DEFINE_CURVE\n2\n0.,0.\n1.,0."
    )
    deck.part(1, "SOLID,2", f"PIECEWISE_LINEAR_PLASTICITY,7.83e-6,{young},{poisson},{yields},{slope},1e21")
    nodes = deck.block(1, (1, 1, 3), (0.0, 0.0, 0.0), (4.0, 4.0, length))
    for n, node in enumerate(nodes):
        deck.add(f"*BOUNDARY_SPC_NODE\n{node},0,{int(n % 2 == 0)},{int(n % 4 < 2)},{int(n < 4)}")
        if n >= 12:
            prescribe(deck, node, (pulled,), (3,))
    deck.add("*SECTION_SHELL\n2,15,1.,2,3.\n0.1,0.1,0.1,0.1")
    done = solve(deck, tmp_path / "pulled")
    assert re.search(
        r"warning CR-D330: \*SECTION_SHELL 2: .*ELFORM = 15.*but no element has this section", done.said
    )
    load = np.array(histories(done).read("bndout", "velocity", "nodes", "z_force"))[-1].sum()
    e = math.log(1 + pulled / length)
    stress = yields + slope * (e - yields / young)
    across = poisson * stress / young + 0.5 * (e - stress / young)
    assert load == pytest.approx(16.0 * math.exp(-2 * across) * stress, rel=2e-3)

    deck.add("*PART\nof that section\n2,2,1")
    deck.plate(2, (1, 1), lambda u, v: (4 * u, 4 * v, -5.0))
    assert "ELFORM = 15" in solve(deck, tmp_path / "used", status=2).said
