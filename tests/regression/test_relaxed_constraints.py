"""Constraints that end in dynamic relaxation hold again when the run begins at time 0."""

from small_decks import STEEL, Deck
from solver_run import run

from crumple.results.glstat import read_glstat

DEATH = 0.01  #: ms; relaxation takes 50 steps of more than 5e-4


def test_a_constraint_that_ended_in_relaxation_holds_again(tmp_path):
    """A brick whose nodes are all held stays at rest under a load until half of them are let go."""
    deck = Deck()
    deck.control(2 * DEATH, 2 * DEATH, DEATH / 10)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, nodes[:4])
    deck.set("NODE", 2, nodes[4:])
    deck.add(f"*BOUNDARY_SPC_SET\n1,0,1,1,1\n*BOUNDARY_SPC_SET_BIRTH_DEATH\n2,0,1,1,1\n0.,{DEATH}")
    deck.add("*LOAD_NODE_SET\n2,3,1,-1.\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    history = read_glstat(tmp_path / "out" / "glstat")
    held = history["time"] < DEATH
    assert (history["kinetic energy"][held] == 0.0).all()
    assert history["kinetic energy"].iloc[-1] > 0.0
