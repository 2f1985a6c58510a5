"""Birth and death times of contacts: negative ones are of the run, or are refused in dynamic relaxation."""

from pathlib import Path

import pytest
from small_decks import STEEL, Deck, tie_bricks
from solver_run import Run, run

from crumple.results.glstat import read_glstat

END = 0.02  #: ms; the bricks meet at 0.005 and the contact ends at 0.007


def collide(times: str, directory: Path, more: str = "") -> Run:
    """A brick hits another one, through a contact with these BT and DT."""
    deck = Deck()
    deck.control(END, END, END / 40)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    top = deck.block(1, (1, 1, 1), (1.0, 2.0, 11.0), (8.0, 8.0, 8.0))
    deck.add(f"*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,,,,,,{times}\n,")
    deck.set("NODE", 1, top)
    deck.add(f"*INITIAL_VELOCITY\n1\n0.,0.,-200.\n{more}")
    directory.mkdir()
    path = directory / "deck.k"
    path.write_text(deck.text())
    return run(path, directory / "out")


def test_a_negative_death_is_that_of_the_run(tmp_path):
    """DT < 0: |BT| and |DT|."""
    times = ("0.,0.007", "0.,-0.007", "0.,0.", "-0.007,0.", "0.006,0.1", "-0.006,-0.1")
    hashes = [collide(t, tmp_path / str(k)).hash for k, t in enumerate(times)]
    assert hashes[0] == hashes[1]
    assert hashes[2] == hashes[3]
    assert hashes[4] == hashes[5]
    assert len(set(hashes)) == 3


def test_energy_is_kept_where_a_contact_ends(tmp_path):
    """In the cycle in which it lets go, the last forces still do half of the step's work."""
    done = collide("0.,0.0085", tmp_path / "deck")
    history = read_glstat(done.directory / "glstat")
    total = history["total energy"][(history["time"] > 0.008) & (history["time"] < 0.0095)]
    assert len(total) >= 2
    assert total.max() - total.min() < 2e-4 * total.max()


@pytest.mark.parametrize(
    ("times", "more"), [("0.,-0.007", "*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1"), ("7,-9999.", "")]
)
def test_other_times_in_relaxation_are_refused(times, more, tmp_path):
    done = collide(times, tmp_path / "deck", more)
    assert done.status == 2, done.said
    assert "DT = -" in done.stdout


@pytest.mark.parametrize("offset", ["", "_OFFSET"])
def test_ties_with_a_negative_death_hold_until_then(offset, tmp_path):
    hashes = []
    for death in ("0.01", "-0.01", ""):
        deck = Deck()
        deck.control(END, END)
        tie_bricks(deck, offset, death)
        path = tmp_path / f"deck{death}.k"
        path.write_text(deck.text())
        hashes.append(run(path, tmp_path / death).hash)
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]
