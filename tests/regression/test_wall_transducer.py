"""Force transducers of rigid walls: parts of the wall's force, deformable and rigid, the same on ranks."""

from pathlib import Path

import pytest
from small_decks import STEEL, Deck
from solver_run import run

from crumple.results.forces import read_rwforc


def thrown(rigid: bool) -> str:
    """A block onto a wall, which measures the nodes at x = 0, all others, and one that never touches."""
    deck = Deck()
    deck.control(0.02, 0.02, 0.0005)
    material = f"RIGID,{STEEL}|0.|" if rigid else f"ELASTIC,{STEEL}"
    deck.part(1, "SOLID,1", material)
    nodes = deck.block(1, (4, 3, 3), (0.0, 0.0, 0.05), (12.0, 9.0, 9.0))
    left = nodes[::5]
    deck.set("NODE", 1, left)
    deck.set("NODE", 2, [n for n in nodes if n not in left])
    deck.set("NODE", 3, nodes[-1:])
    deck.set("PART", 4, (1,))
    deck.add("*CONTROL_CONTACT\n0.1,1.0")
    deck.add("*INITIAL_VELOCITY_GENERATION\n4,1,0.,1.,0.,-10.\n0.,0.,0.")
    deck.add("*RIGIDWALL_PLANAR_ID\n9\n0\n0.,0.,0.,0.,0.,1.,0.3")
    for number in (1, 2, 3):
        deck.add(f"*RIGIDWALL_FORCE_TRANSDUCER\n{20 + number},9\nnodes {number}\n{number}")
    return deck.text()


@pytest.mark.parametrize("rigid", [False, True], ids=["deformable", "rigid"])
def test_transducers_have_their_part(rigid, tmp_path):
    found = []
    for ranks in (1, 2, 3):
        where: Path = tmp_path / str(ranks)
        where.mkdir()
        (where / "deck.k").write_text(thrown(rigid))
        done = run(where / "deck.k", where, ranks=ranks)
        assert done.status == 0, done.said[-4000:]
        rows = read_rwforc(where / "rwforc").rows
        of = {number: one[["x", "y", "z"]].to_numpy() for number, one in rows.groupby("id")}
        assert sorted(of) == [9, 21, 22, 23]
        assert (of[21][:, 2] > 0).any() and (of[22][:, 2] > 0).any()
        assert of[21] + of[22] == pytest.approx(of[9], rel=1e-5, abs=1e-6 * abs(of[9]).max())
        assert (of[23] == 0).all()
        found.append((done.hash, rows.to_numpy().tolist()))
    assert found[0] == found[1] == found[2]


def test_goes_on_from_a_dump(tmp_path):
    """rwforc of a run that was stopped while the wall presses is that of one that was not."""
    deck = tmp_path / "deck.k"
    deck.write_text(thrown(False))
    whole = run(deck, tmp_path / "whole")
    out = tmp_path / "parts"
    first = run(deck, out, "ncycle=20", "--dump-cycles", "20", ranks=2)
    assert first.status == 0, first.said[-4000:]
    done = run(None, out, f"r={out / 'runrsf'}")
    assert done.hash == whole.hash
    assert (out / "rwforc").read_bytes() == (tmp_path / "whole" / "rwforc").read_bytes()
