"""Births and deaths of contacts: negative ones are those of the run, or are refused in dynamic relaxation."""

from pathlib import Path

import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run

END = 0.02  #: ms; the bricks meet at 0.005 and the contact ends at 0.007


def collide(times: str, directory: Path, more: str = "") -> Run:
    """A brick hits another one, through a contact with these BT and DT."""
    deck = Deck()
    deck.control(END, END)
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


@pytest.mark.parametrize(
    ("times", "more"), [("0.,-0.007", "*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1"), ("7,-9999.", "")]
)
def test_other_times_in_relaxation_are_refused(times, more, tmp_path):
    done = collide(times, tmp_path / "deck", more)
    assert done.status == 2, done.said
    assert "DT = -" in done.stdout
