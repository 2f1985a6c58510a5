"""Linear constraints by elimination: a lever between springs, and a periodic block that is stretched."""

import numpy as np
import pytest
from implicit_decks import control, displacements, prescribe, solve
from small_decks import Deck
from solver_run import run


def springs(terms: str) -> Deck:
    """Node 2 on a spring along x, node 4 on one along y; a force pulls node 2."""
    deck = Deck()
    control(deck)
    for number, k in ((1, 2.0), (2, 3.0)):
        deck.part(number, "DISCRETE,0", f"SPRING_ELASTIC,{k}")
    nodes = [deck.node(p) for p in ((0, 0, 0), (1, 0, 0), (0, 5, 0), (0, 6, 0))]
    deck.element("DISCRETE", 1, nodes[:2])
    deck.element("DISCRETE", 2, nodes[2:])
    deck.add("*ELEMENT_MASS\n91,2,1.\n92,4,1.")
    deck.add("*BOUNDARY_SPC_NODE\n1,0,1,1,1\n2,0,0,1,1\n3,0,1,1,1\n4,0,1,0,1")
    deck.add(f"*CONSTRAINED_LINEAR_GLOBAL\n7\n{terms}")
    deck.add("*LOAD_NODE_POINT\n2,1,1,0.04")
    return deck


@pytest.mark.parametrize("terms", ["2,1,1.\n4,2,-2.", "4,2,-3.\n2,1,1.5"])
def test_lever(terms, tmp_path):
    """u_2 = 2 u_4; virtual work gives 2 F = (4 k_1 + k_2) u_4. Either node may be the first."""
    u = displacements(solve(springs(terms), tmp_path))
    expected = 2 * 0.04 / (4 * 2.0 + 3.0)
    assert u[3, 1] == pytest.approx(expected, rel=1e-9)
    assert u[1, 0] == pytest.approx(2 * expected, rel=1e-9)


def periodic_block() -> tuple[Deck, np.ndarray]:
    """A block whose ends differ by the displacement of a node that stands for the stretch."""
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", "ELASTIC,7.85e-6,210.,0.3")
    cells, size = (3, 2, 2), (6.0, 3.0, 4.0)
    ids = np.array(deck.block(1, cells, (0.0, 0.0, 0.0), size)).reshape(3, 3, 4)
    free = deck.node((20.0, 0.0, 0.0))
    number = 0
    for left, right in zip(ids[:, :, 0].ravel(), ids[:, :, -1].ravel(), strict=True):
        for dof in (1, 2, 3):
            number += 1
            deck.add(
                f"*CONSTRAINED_LINEAR_GLOBAL\n{number}\n{right},{dof},1.\n{left},{dof},-1.\n{free},{dof},-1."
            )
    prescribe(deck, free, (0.006, 0.0, 0.0))
    corner, along_y, along_z = ids[0, 0, 1], ids[0, -1, 1], ids[-1, 0, 1]
    deck.add(f"*BOUNDARY_SPC_NODE\n{corner},0,1,1,1\n{along_y},0,1,0,1\n{along_z},0,1,1,0")
    return deck, np.array([[i * 2.0, j * 1.5, k * 2.0] for k in range(3) for j in range(3) for i in range(4)])


def test_periodic_block(tmp_path):
    """A uniform strain, with free contraction across; the same on two ranks."""
    deck, x = periodic_block()
    done = solve(deck, tmp_path)
    u = displacements(done)[: len(x)]
    strain = 0.001
    np.testing.assert_allclose(u[:, 0], strain * (x[:, 0] - 2.0), atol=1e-6)
    np.testing.assert_allclose(u[:, 1], -0.3 * strain * x[:, 1], atol=1e-6)
    np.testing.assert_allclose(u[:, 2], -0.3 * strain * x[:, 2], atol=1e-6)
    assert run(tmp_path / "deck.k", tmp_path / "two", ranks=2).hash == done.hash


def test_a_chain_of_constraints_is_refused(tmp_path):
    deck = springs("2,1,1.\n4,2,-2.")
    deck.add("*CONSTRAINED_LINEAR_GLOBAL\n8\n3,1,1.\n2,1,-1.\n*ELEMENT_MASS\n93,3,1.")
    assert "CR-I101" in solve(deck, tmp_path, status=2).said
