"""Discrete beams and cables give the same bits on any number of ranks, and keep the energy."""

import pytest
import small_decks
from solver_run import MORE_RANKS, expect_same_bits, run

from crumple.results.glstat import read_glstat


@pytest.mark.parametrize("precision", [pytest.param("double", marks=pytest.mark.slow), "single"])
def test_mounted_block(precision, tmp_path):
    deck = tmp_path / "mounts.k"
    deck.write_text(small_decks.mounted_block())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    history = read_glstat(tmp_path / "one" / "glstat")
    assert history["total energy / initial energy"].between(0.98, 1.02).all()
    assert history["internal energy"].max() > 0.05 * history["kinetic energy"].iloc[0]
    expect_same_bits(one, deck, tmp_path, precision, ("elout", "glstat"), MORE_RANKS)


def test_a_dump_goes_on_with_the_same_bits(tmp_path):
    deck = tmp_path / "mounts.k"
    text = small_decks.mounted_block().replace("*END", "*DATABASE_BINARY_D3DUMP\n500\n*END")
    deck.write_text(text)
    whole = run(deck, tmp_path / "whole")
    assert whole.status == 0, whole.said
    for ranks in (1, 3):
        gone_on = run(None, tmp_path / "whole", f"r={tmp_path / 'whole' / 'd3dump01'}", ranks=ranks)
        assert gone_on.status == 0, gone_on.said
        assert gone_on.hash == whole.hash
