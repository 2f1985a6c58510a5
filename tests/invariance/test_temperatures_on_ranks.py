"""Heated parts that share nodes with others: the same bits on any number of ranks, and after a restart."""

import re

import pytest
import small_decks
from same_results import different_files
from solver_run import expect_same_bits, run

# Bricks, tetrahedra, both kinds of quadrilaterals, triangles, a beam and a truss expand; two by a curve.
EXPANSIONS = (
    "*MAT_ADD_THERMAL_EXPANSION\n11,0,3e-5\n12,71,2.\n13,0,2e-5\n1,0,3e-5\n2,71,1.\n3,0,1e-5\n21,0,5e-5\n23,0,4e-5\n"
    "*DEFINE_CURVE\n71\n0.,1e-5\n100.,3e-5\n200.,2e-5\n"
    "*DEFINE_CURVE\n72\n0.,0.\n0.02,180.\n0.05,60.\n10.,60.\n"
)


def nodes_of_their_own(count: int) -> str:
    rows = "\n".join(f"{n},{0.5 + 0.01 * (n % 60)!r},0.,72" for n in range(1, count + 1))
    return f"*LOAD_THERMAL_VARIABLE_NODE\n{rows}\n"


#: law 4, whose constants fall with the temperature, in place of the law of bricks and of shells of ELFORM 16
LAW = "7.85e-6\n-10.,300.\n210.,150.\n0.3,0.33\n0.,0.\n0.25,0.1\n1.,0.5"


def deck_text(end_time: float = 0.04) -> str:
    text = small_decks.all_forms(end_time, extra=EXPANSIONS + nodes_of_their_own(150))
    for part in (2, 12):
        text, count = re.subn(
            rf"\*MAT_PLASTIC_KINEMATIC\n{part},.*\n.*\n",
            f"*MAT_ELASTIC_PLASTIC_THERMAL\n{part},{LAW}\n",
            text,
        )
        assert count == 1
    return text


@pytest.mark.parametrize("precision", ["double", "single"])
def test_heated_parts(precision, tmp_path):
    deck = tmp_path / "heated.k"
    deck.write_text(deck_text())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    cold = tmp_path / "cold.k"
    cold.write_text(small_decks.all_forms(0.04))
    assert run(cold, tmp_path / "cold", "--precision", precision).hash != one.hash
    expect_same_bits(one, deck, tmp_path, precision)


def test_goes_on_in_the_middle_of_the_heating(tmp_path):
    deck = tmp_path / "heated.k"
    deck.write_text(deck_text())
    whole = run(deck, tmp_path / "whole")
    assert whole.status == 0, whole.said
    cycles = whole.progress[-1].cycle
    stop = cycles // 3
    part = run(deck, tmp_path / "parts", f"ncycle={stop}", "--dump-cycles", str(stop), ranks=2)
    assert part.status == 0, part.said
    rest = run(None, tmp_path / "parts", f"r={tmp_path / 'parts' / 'runrsf'}", ranks=3)
    assert rest.status == 0, rest.said
    assert rest.hash == whole.hash
    assert different_files(tmp_path / "parts", tmp_path / "whole") == []
