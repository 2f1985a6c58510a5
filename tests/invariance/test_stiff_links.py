"""Links by springs between rigid bodies, held nodes and others: the same bits on any number of ranks."""

import pytest
from small_decks import Deck
from solver_run import run

END = 0.2


def joined() -> Deck:
    """Two rigid blocks and a soft one on a plate whose edge moves; welds, rods, sets and a seam join them."""
    deck = Deck()
    deck.control(END, END / 4, END / 20)
    rigid, soft = "RIGID,7.85e-6,210.,0.3|0.|", "PLASTIC_KINEMATIC,7.85e-6,210.,0.3,0.25,1.0,0.5|0.,0.,0.,0."
    deck.part(1, "SHELL,16,0.8333,3|1.,1.,1.,1.", soft)
    deck.part(2, "SOLID,1", rigid)
    deck.part(3, "SOLID,1", rigid)
    rows = deck.plate(1, (12, 6), lambda u, v: (48.0 * u, 24.0 * v, 0.0))
    first = deck.block(2, (2, 2, 1), (4.0, 4.0, 0.0), (8.0, 8.0, 4.0))
    second = deck.block(3, (2, 2, 1), (28.0, 8.0, 3.0), (8.0, 8.0, 4.0))
    deck.set("NODE", 1, (first[0], rows[1][1], first[2], rows[1][3]))
    deck.add("*CONSTRAINED_TIED_NODES_FAILURE\n1,0.002")
    deck.add(
        f"*CONSTRAINED_SPOTWELD\n{first[8]},{rows[4][4]},0.4,0.4,2.,2.\n{second[0]},{rows[2][7]},2.,2.,2.,2."
    )
    deck.add(f"*CONSTRAINED_SPOTWELD\n{first[17]},{second[9]},5.,5.,1.,1.,0.1")
    deck.add(f"*CONSTRAINED_RIVET\n{second[8]},{rows[5][10]}\n{rows[5][10]},{rows[6][11]}")
    deck.set("NODE", 2, (second[2], rows[2][9], rows[3][11]))
    deck.add("*CONSTRAINED_NODE_SET\n2,7,0.15")
    edge = [row[0] for row in rows]
    deck.set("NODE", 3, edge)
    deck.add("*DEFINE_CURVE\n1\n0.,0.\n1.,2.\n*BOUNDARY_PRESCRIBED_MOTION_SET\n3,3,2,1,1.")
    deck.add(f"*CONSTRAINED_SPOTWELD\n{edge[3]},{rows[3][2]},0.,0.,0.,0.,0.18")
    deck.set("PART", 3, (3,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n3,1,0.,10.,5.,20.\n0.,0.,0.")
    return deck


@pytest.mark.parametrize("ranks", [2, 3])
def test_same_bits_of_joined_bodies(ranks, tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(joined().text())
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said
    assert "broke" in one.said
    other = run(path, tmp_path / "other", "--decomposition", "rcb" if ranks == 2 else "metis", ranks=ranks)
    assert other.hash == one.hash
    assert one.progress[-1].ratio == pytest.approx(1.0, abs=0.02)
