"""Meshes that are finer on one side of a line: hanging nodes of *CONSTRAINED_ADAPTIVITY on two levels."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import Run, run

ELASTIC = "ELASTIC,7.85e-6,210.,0."


def strip(form: str, more: str, end: float) -> tuple[str, dict[tuple[float, float], int]]:
    """Squares of 4, 2 and 1 mm side, side by side along x, and their nodes by place."""
    deck = Deck()
    deck.control(end, end, end / 20)
    deck.part(1, f"SHELL,{form},0.8333,3|1.,1.,1.,1.", ELASTIC)
    nodes: dict[tuple[float, float], int] = {}
    for left, side, right in ((0, 4, 4), (4, 2, 8), (8, 1, 10)):
        for x in range(left, right, side):
            for y in range(0, 4, side):
                corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
                for x_c, y_c in corners:
                    if (x_c, y_c) not in nodes:
                        nodes[x_c, y_c] = deck.node((float(x_c), float(y_c), 0.0))
                deck.element("SHELL", 1, [nodes[c] for c in corners])
    hanging = [((4, 2), (4, 0), (4, 4)), ((8, 1), (8, 0), (8, 2)), ((8, 3), (8, 2), (8, 4))]
    deck.add("*CONSTRAINED_ADAPTIVITY")
    for node, *ends in hanging:
        deck.add(f"{nodes[node]},{nodes[ends[0]]},{nodes[ends[1]]}")
    for number, x in ((1, 0), (2, 10)):
        deck.set("NODE", number, [n for place, n in nodes.items() if place[0] == x])
    deck.add("*DATABASE_NODOUT\n" + str(end / 20))
    deck.add("*DATABASE_HISTORY_NODE\n" + ",".join(str(nodes[c]) for c in ((4, 2), (4, 0), (4, 4))))
    deck.add(more)
    return deck.text(), nodes


def positions(done: Run) -> np.ndarray:
    """(states, 3 nodes, 3) coordinates of nodout, whose rows go by the numbers of nodes: both ends first."""
    rows = []
    for line in done.history("nodout"):
        words = line.split()
        if len(words) == 13 and words[0].isdigit():
            rows.append([float(w) for w in words[-3:]])
    return np.array(rows).reshape(-1, 3, 3)


def same_on_ranks(deck, tmp_path, one: Run) -> None:
    for ranks in (2, 3):
        assert run(deck, tmp_path / f"ranks{ranks}", ranks=ranks).hash == one.hash


@pytest.mark.parametrize("form", ["2", "16"])
def test_stretched_strip(form, tmp_path):
    """Uniform strain: the energy is E e^2 V / 2, and the node that hangs stays in the middle."""
    pull = "*DEFINE_CURVE\n1\n0.,0.\n0.2,0.01\n1.,0.01\n*DAMPING_GLOBAL\n0,60.\n"
    pull += "*BOUNDARY_SPC_SET\n1,0,1,0,1,1,1,1\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,2,1\n"
    text, _ = strip(form, pull, 0.6)
    deck = tmp_path / "strip.k"
    deck.write_text(text)
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    x = positions(one)
    np.testing.assert_allclose(x[:, 2], 0.5 * (x[:, 0] + x[:, 1]), atol=1e-5)
    assert x[-1, 2, 0] == pytest.approx(4.004, abs=1e-5)
    assert one.progress[-1].internal == pytest.approx(0.5 * 210.0 * 1e-6 * 40.0, rel=0.01)
    same_on_ranks(deck, tmp_path, one)


def test_spinning_strip(tmp_path):
    """A free strip that turns about an axis in its plane and flies has no strain."""
    spin = "*SET_PART_LIST\n5\n1\n*INITIAL_VELOCITY_GENERATION\n5,1,20.,3.,0.,1.\n5.,2.,0.,0.6,0.8,0.\n"
    text, _ = strip("16", spin, 0.3)
    deck = tmp_path / "strip.k"
    deck.write_text(text)
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    last = one.progress[-1]
    assert last.internal < 2e-3 * last.kinetic
    assert last.kinetic == pytest.approx(one.progress[0].kinetic, rel=2e-3)
    same_on_ranks(deck, tmp_path, one)
