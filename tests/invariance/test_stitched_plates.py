"""Rigid bodies that are on one rank, or cut by ranks: the same bits and histories."""

import re

import pytest
import small_decks
from solver_run import run

from crumple.results.glstat import read_glstat

LAYOUTS = [(1, 2, "rcb"), (2, 1, "metis"), (3, 2, "rcb"), (4, 1, "metis"), (7, 1, "rcb")]


@pytest.mark.parametrize("precision", ["double", "single"])
def test_stitched_plates(precision, tmp_path):
    deck = tmp_path / "plates.k"
    deck.write_text(small_decks.stitched_plates())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    energies = read_glstat(tmp_path / "one" / "glstat")
    assert energies["total energy / initial energy"].between(0.97, 1.03).all()
    assert energies["internal energy"].max() > 0.05 * energies["kinetic energy"].iloc[0]
    assert abs(energies["external work"].iloc[-1]) > 0
    assert len(re.findall(r"nodal rigid body|rigid body", "\n".join(one.history("rbdout")))) > 42
    different = []
    for ranks, threads, method in LAYOUTS:
        where = tmp_path / f"{ranks}x{threads}{method}"
        options = ("--precision", precision, "--decomposition", method)
        done = run(deck, where, *options, ranks=ranks, threads=threads)
        if done.hash != one.hash:
            different.append((ranks, threads, method))
            continue
        for file in ("rbdout", "glstat", "matsum"):
            assert done.history(file) == one.history(file), (file, ranks)
    assert not different
