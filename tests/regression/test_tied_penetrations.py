"""Ties hold nodes where contact has put them, out of the thickness of what they are tied to."""

import numpy as np
from small_decks import STEEL, Deck
from solver_run import run

END = 1.57  #: ms: a quarter turn at 1 rad/ms


def test_a_tied_plate_turns_with_its_segments(tmp_path):
    """Two elastic plates, of which initial penetrations move nodes, turn as one: all distances stay."""
    deck = Deck()
    deck.control(END, END)
    for part in (1, 2):
        deck.part(part, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    low = deck.plate(1, (2, 2), lambda u, v: (20 * u - 10, 20 * v - 10, 0.0))
    high = deck.plate(2, (1, 1), lambda u, v: (6 * u - 3, 6 * v - 3, 0.5))
    deck.set("PART", 1, (2,))
    deck.set("PART", 2, (1,))
    deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_CONSTRAINED_OFFSET\n1,2,2,2\n,\n,,-1.,-1.")
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,,,,,,0.,1e-9\n,")  # only moves nodes
    deck.add("*INITIAL_VELOCITY_GENERATION\n0,0,1.\n0.,0.,0.,1.,0.,0.")
    nodes = [high[0][0], low[0][0], low[0][1], low[1][1], low[1][0]]
    deck.add(f"*DATABASE_HISTORY_NODE\n{','.join(map(str, nodes))}\n*DATABASE_NODOUT\n{END / 8},1")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    assert "CR-C013" in done.stdout
    rows = [line.split() for line in (tmp_path / "out" / "nodout").read_text().splitlines()]
    places = {
        n: np.array([row[10:] for row in rows if len(row) == 13 and row[0] == str(n)], float) for n in nodes
    }
    for n in nodes[1:]:
        distance = np.linalg.norm(places[nodes[0]] - places[n], axis=1)
        assert len(distance) > 7
        assert np.abs(distance - distance[0]).max() < 0.03
