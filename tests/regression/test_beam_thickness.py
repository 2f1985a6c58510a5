"""Beams of *ELEMENT_BEAM_THICKNESS are as thick in contact as they say."""

from small_decks import STEEL, Deck
from solver_run import run

from crumple.results.glstat import read_glstat


def test_beam_touches_by_its_own_thickness(tmp_path):
    """A bar of 6 mm whose section says 1 mm meets a rigid plate 4 mm below its axis at 3.5 mm."""
    deck = Deck()
    deck.control(0.2, 0.2, 0.01)
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"RIGID,{STEEL}|1.,7.,7.")
    deck.part(2, "BEAM,1,1.0,2,1|1.,1.,0.,0.", f"ELASTIC,{STEEL}")
    deck.plate(1, (4, 4), lambda u, v: (40 * u - 20, 40 * v - 20, 0.0))
    a, b, up = deck.node((-5.0, 1.0, 4.0)), deck.node((5.0, 1.0, 4.0)), deck.node((0.0, 50.0, 4.0), 7)
    deck.add(f"*ELEMENT_BEAM_THICKNESS\n99,2,{a},{b},{up}\n6.,6.,0.,0.,0.")
    deck.set("NODE", 1, (a, b))
    deck.add("*INITIAL_VELOCITY\n1\n0.,0.,-10.\n*CONTACT_AUTOMATIC_GENERAL\n0\n,\n,")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    history = read_glstat(tmp_path / "out" / "glstat")
    touched = history["sliding interface energy"] != 0.0
    assert not touched[history["time"] < 0.05].any()
    assert touched[history["time"] > 0.07].all()
