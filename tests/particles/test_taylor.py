"""A copper cylinder hits a wall (Taylor 1948): smooth particles of a real deck against a bar of bricks."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import ArrayType, D3plot
from small_decks import Deck
from solver_run import run

from crumple.results.glstat import read_glstat

RADIUS, LENGTH, SPEED, YIELD, DENSITY = 4.0, 20.0, 100.0, 180.0, 8.9e-3  #: mm, mm/ms, MPa, g/mm^3
SPACING = 0.8
COPPER = """*MAT_ELASTIC_PLASTIC_HYDRO
2,8.9e-3,37593.,180.
0.
0.
0.
0.
*EOS_GRUNEISEN
2,3958.,1.497,0.,0.,2.
0.
"""


def bricks() -> str:
    """The bar in bricks, squares bent to circles."""
    deck = Deck()
    deck.control(0.1, 0.1, 0.01)
    n, layers = 10, 25
    side = np.linspace(-1.0, 1.0, n + 1)
    grid = []
    for k in range(layers + 1):
        z = 0.05 + LENGTH * k / layers
        for v in side:
            for u in side:
                x, y = u * np.sqrt(1 - v * v / 2), v * np.sqrt(1 - u * u / 2)
                grid.append(deck.node((RADIUS * x, RADIUS * y, z)))

    def at(i: int, j: int, k: int) -> int:
        return grid[(k * (n + 1) + j) * (n + 1) + i]

    deck.add("*PART\nbar\n1,1,2,2\n*SECTION_SOLID\n1,1")
    deck.add(COPPER)
    for k in range(layers):
        for j in range(n):
            for i in range(n):
                ring = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
                deck.element("SOLID", 1, [at(*c, m) for m in (k, k + 1) for c in ring])
    deck.add("*RIGIDWALL_PLANAR\n0,0,0\n0.,0.,0.,0.,0.,1.,0.")
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n1,2,0.,0.,0.,{-SPEED}\n,")
    return deck.text()


def shape(x: np.ndarray, size: float) -> tuple[float, float]:
    """Length, and radius of the foot, of points with a size."""
    foot = x[:, 2] < x[:, 2].min() + 1.5
    return np.ptp(x[:, 2]) + size, np.hypot(x[foot, 0], x[foot, 1]).max() + size / 2


@pytest.fixture(scope="module")
def of_bricks(tmp_path_factory) -> tuple[float, float]:
    folder = tmp_path_factory.mktemp("bricks")
    deck = folder / "bricks.k"
    deck.write_text(bricks())
    done = run(deck, folder / "out")
    assert done.status == 0, done.said[-3000:]
    found = shape(D3plot(str(done.directory / "d3plot")).arrays[ArrayType.node_displacement][-1], 0.0)
    # Wilkins and Guinan (1973): ln(L / L0) = -rho v^2 / 2 Y, for a front at rest.
    assert found[0] == pytest.approx(LENGTH * np.exp(-DENSITY * SPEED**2 / (2 * YIELD)), rel=0.06)
    return found


@pytest.mark.parametrize("form", [0, 1])
def test_shape_is_that_of_bricks(form, of_bricks, real_deck, tmp_path):
    text = Path(real_deck("dynakw/taylor2.k")).read_text()
    head, tail = text.split("*CONTROL_SPH", 1)
    _, _, rest = tail.split("\n", 2)
    deck = tmp_path / "taylor2.k"
    deck.write_text(
        f"{head}*CONTROL_SPH\n1,0,1.e20,3,150,{form}\n{rest}".replace(
            " 0.2000000         0", " 0.1000000         0"
        )
    )
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said[-3000:]
    plots = D3plot(str(done.directory / "d3plot"))
    x = plots.arrays[ArrayType.node_displacement][-1][plots.arrays[ArrayType.sph_node_indexes]]
    length, foot = shape(x, SPACING)
    assert length == pytest.approx(of_bricks[0], rel=0.03)
    assert foot == pytest.approx(of_bricks[1], rel=0.12)
    energies = read_glstat(done.directory / "glstat")
    assert energies["total energy / initial energy"].between(0.97, 1.03).all()


def test_the_deck_as_it_is(real_deck, tmp_path):
    done = run(real_deck("dynakw/taylor2.k"), tmp_path / "out")
    assert done.status == 0, done.said[-3000:]
