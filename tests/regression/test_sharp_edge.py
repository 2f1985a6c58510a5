"""A contact never gives energy away: a sheet that comes down beside the sharp edge of a wedge bounces off."""

import math

from small_decks import STEEL, Deck
from solver_run import run

from crumple.results.glstat import read_glstat

HALF_ANGLE = math.radians(5.0)


def sheet_beside_edge() -> str:
    """The edge is the x axis and the wedge lies behind it; the sheet's rim is 0.3 mm in front and above."""
    deck = Deck()
    deck.control(0.10, 0.05, 0.001)
    deck.part(1, "SOLID,15", "ELASTIC," + STEEL)
    deck.part(2, "SHELL,2,0.8333,2|1.,1.,1.,1.", "ELASTIC," + STEEL)
    y, z = 10.0 * math.cos(HALF_ANGLE), 10.0 * math.sin(HALF_ANGLE)
    base = [deck.node(p, held=7) for p in ((-3.0, y, z), (-3.0, y, -z), (3.0, y, -z), (3.0, y, z))]
    edge = [deck.node((x, 0.0, 0.0), held=7) for x in (-3.0, 3.0)]
    deck.element("SOLID", 1, (*base, edge[0], edge[0], edge[1], edge[1]))
    deck.plate(2, (1, 1), lambda u, v: (2.0 * u - 1.0, 2.0 * v - 2.3, 0.6))
    deck.set("PART", 1, (2,))
    deck.set("PART", 2, (1, 2))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,1,0.,0.,0.,-10.\n0.,0.,0.")
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n2,0,2,0\n0.,0.\n,")
    return deck.text()


def test_sliding_energy_is_not_negative(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(sheet_beside_edge())
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    history = read_glstat(tmp_path / "out" / "glstat")
    sliding, start = history["sliding interface energy"], history["total energy"].iloc[0]
    assert sliding.max() > 0.01 * start, "they touch"
    assert sliding.min() > -0.01 * start
