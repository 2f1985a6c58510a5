"""Body forces on parts that share nodes with others: the same bits and histories on any number of ranks."""

import pytest
import small_decks
from solver_run import expect_same_bits, run

from crumple.results.glstat import read_glstat

# A plate, a beam, the block at one end of this beam, and a tetrahedral part with its neighbour as a set.
LOADS = (
    "*LOAD_GRAVITY_PART\n2,3,1,300.\n21,2,2,-200.\n11,1,1,-150.\n"
    "*SET_PART_LIST\n41\n13,22\n*LOAD_GRAVITY_PART_SET\n41,1,2,100."
)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_loaded_parts(precision, tmp_path):
    deck = tmp_path / "loaded.k"
    deck.write_text(small_decks.all_forms(0.03, extra=LOADS))
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    energies = read_glstat(tmp_path / "one" / "glstat")
    assert energies["total energy / initial energy"].between(0.97, 1.03).all()
    other = tmp_path / "unloaded.k"
    other.write_text(small_decks.all_forms(0.03))
    without = run(other, tmp_path / "without", "--precision", precision)
    work, before = (
        read_glstat(done.directory / "glstat")["external work"].iloc[-1] for done in (one, without)
    )
    assert abs(work - before) > 0.1 * abs(before)
    expect_same_bits(one, deck, tmp_path, precision)
