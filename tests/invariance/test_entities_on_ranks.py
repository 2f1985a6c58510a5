"""Contact entities: the same bits on ranks, and after a restart while nodes rub on them."""

import pytest
from entity_decks import ELLIPSOID, SHAPES, SPHERE, entity, hit
from solver_run import run


def rubbed() -> str:
    """Two surfaces of one body, with friction, damping, and a curve of forces."""
    more = entity(2, 2, (1, 1), (7.0, 4.0, -5.0), (0.0, 0.0, 0.0, 5.2), ",,0.4", "0.,,-9", number=8)
    curve = "*DEFINE_CURVE\n9\n0.,0.\n1.,40."
    return hit(4, ELLIPSOID, "0.5,10.,0.3").replace("*END", f"{more}\n{curve}\n*END")


@pytest.mark.parametrize("text", [rubbed(), hit(5, SHAPES["torus"][1])], ids=["two surfaces", "torus"])
def test_same_bits(text, tmp_path):
    (tmp_path / "deck.k").write_text(text)
    found = []
    for ranks in (1, 2, 3):
        done = run(tmp_path / "deck.k", tmp_path / str(ranks), ranks=ranks)
        assert done.status == 0, done.said[-4000:]
        found.append((done.hash, *(done.history(file) for file in ("rcforc", "sleout"))))
    assert found[0] == found[1] == found[2]


def test_goes_on_from_a_dump(tmp_path):
    """Friction and stiffness of nodes in contact are in the dump, which other ranks read."""
    deck = tmp_path / "deck.k"
    deck.write_text(rubbed())
    whole = run(deck, tmp_path / "whole")
    assert whole.status == 0, whole.said[-4000:]
    cycle = 50  # of about 130; the block touches from cycle 35 on
    out = tmp_path / "parts"
    first = run(deck, out, f"ncycle={cycle}", "--dump-cycles", str(cycle), ranks=2)
    assert first.status == 0, first.said[-4000:]
    done = run(None, out, f"r={out / 'runrsf'}", ranks=3)
    assert done.hash == whole.hash
    assert (out / "rcforc").read_bytes() == (tmp_path / "whole" / "rcforc").read_bytes()


def test_an_entity_after_its_death_does_nothing(tmp_path):
    """As one that is not yet born: the block flies through."""
    hashes = []
    for second in ("0.,0.001", "1."):
        deck = tmp_path / "deck.k"
        deck.write_text(hit(2, SPHERE).replace("\n0.\n4.0,", f"\n{second}\n4.0,"))
        done = run(deck, tmp_path / str(len(hashes)))
        assert done.status == 0, done.said[-4000:]
        hashes.append(done.hash)
    assert hashes[0] == hashes[1]
