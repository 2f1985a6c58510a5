"""Joints, gas and weighted means give the same bits on any number of ranks, and keep the energy."""

import pytest
import small_decks
from solver_run import run

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
    different = []
    for ranks, threads, method in ((2, 1, "metis"), (3, 2, "rcb"), (7, 1, "metis")):
        where = tmp_path / f"{ranks}{method}"
        options = ("--precision", precision, "--decomposition", method)
        done = run(deck, where, *options, ranks=ranks, threads=threads)
        if done.hash != one.hash:
            different.append((ranks, threads, method))
            continue
        for file in ("jntforc", "rbdout", "abstat"):
            assert done.history(file) == one.history(file), file
    assert not different
