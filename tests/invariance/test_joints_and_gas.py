"""Joints, gas and weighted means give the same bits on any number of ranks, and keep the energy."""

import pytest
import small_decks
from solver_run import MORE_RANKS, expect_same_bits, run

from crumple.results.glstat import read_glstat


@pytest.mark.parametrize("precision", ["double", "single"])
def test_jointed_tyre(precision, tmp_path):
    deck = tmp_path / "tyre.k"
    deck.write_text(small_decks.jointed_tyre())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    history = read_glstat(tmp_path / "one" / "glstat")
    assert history["total energy / initial energy"].between(0.99, 1.01).all()
    assert history["joint internal energy"].max() > 1e-3 * history["kinetic energy"].max()
    assert history["internal energy"].max() > 0.05 * history["kinetic energy"].iloc[0]
    expect_same_bits(one, deck, tmp_path, precision, ("jntforc", "rbdout", "abstat"), MORE_RANKS)
