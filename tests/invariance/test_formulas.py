"""Motions by formulas of the time, against the formula."""

from math import pi

import numpy as np
from small_decks import Deck
from solver_run import run
from test_local_motions import displacements

END = 0.8


def driven(more: str) -> str:
    """A rigid block whose node 14 is at its centre."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3")
    deck.block(1, (2, 2, 2), (-5.0, -4.0, -3.0), (10.0, 8.0, 6.0))
    deck.add(f"*DATABASE_NODOUT\n{END / 8}\n*DATABASE_HISTORY_NODE\n14")
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,0.002\n10.,0.002")
    deck.add(more)
    return deck.text()


def test_a_body_follows_its_formulas(tmp_path):
    deck = tmp_path / "block.k"
    deck.write_text(
        driven(
            "*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,1,2,5\n1,2,0,6\n"
            f"*DEFINE_CURVE_FUNCTION\n5\n2.0*(1.0-COS(2.0*PI*TIME/\n{END}))\n"
            "*DEFINE_CURVE_FUNCTION\n6\nIF(TIME-0.4,3.0,3.0,-3.0)\n"
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = displacements(one, 14)
    t = rows[:, 0]
    assert len(t) > 6
    np.testing.assert_allclose(rows[:, 1], 2 * (1 - np.cos(2 * pi * t / END)), atol=6e-5)  # digits of nodout
    np.testing.assert_allclose(rows[:, 2], np.where(t < 0.4, 3 * t, 2.4 - 3 * t), atol=3 * 0.002)
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}


def test_a_restart_does_not_go_beyond_a_formula(tmp_path):
    deck, longer, results = tmp_path / "block.k", tmp_path / "longer.k", tmp_path / "results"
    deck.write_text(driven("*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,1,2,5\n*DEFINE_CURVE_FUNCTION\n5\nTIME\n"))
    assert run(deck, results, "ncycle=20", "--dump-cycles", "20").status == 0
    longer.write_text(f"*KEYWORD\n*CONTROL_TERMINATION\n{2 * END}\n*END\n")
    again = run(longer, results, "--restart", "auto")
    assert again.status != 0
    assert "curve 5 is a formula, known up to the end of the first run, 0.8" in again.said
