"""A node's mass is right whatever the number of elements that give it some."""

import pytest
from small_decks import STEEL, Deck
from solver_run import run

from crumple.results.glstat import read_glstat

MASSES, EACH, SPEED = 2100, 0.001, 2.0


def test_thousands_of_masses_on_a_node(tmp_path):
    """Kinetic energy of a brick with all of them on one corner."""
    deck = Deck()
    deck.control(1e-4, 1e-4)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    corner = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))[0]
    deck.add("*ELEMENT_MASS\n" + "\n".join(f"{9000 + k},{corner},{EACH}" for k in range(MASSES)))
    deck.add(f"*INITIAL_VELOCITY\n\n{SPEED},0.,0.")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    mass = float(STEEL.split(",")[0]) * 1000.0 + MASSES * EACH
    energy = read_glstat(tmp_path / "out" / "glstat")["kinetic energy"].iloc[0]
    assert energy == pytest.approx(0.5 * mass * SPEED**2, rel=1e-5)
