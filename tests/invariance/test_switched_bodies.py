"""Parts that become rigid and deformable again: the same bits on any number of ranks, and after a restart."""

from pathlib import Path

import pytest
from small_decks import STEEL, Deck
from solver_run import expect_same_after_restart, run

END = 0.2


def tumbling_parts(end_time: float = END) -> str:
    """Two blocks that a lead joins, and a plate, spin on their way to a wall, rigid for most of it."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    soft = "PLASTIC_KINEMATIC,2.7e-6,70.,0.33,0.10,0.1,1.0"
    deck.part(1, "SOLID,1", soft)
    deck.part(2, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.part(3, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0|40.,5.|,|,")
    deck.part(4, "SOLID,1", soft)
    deck.block(1, (4, 3, 3), (0.0, 0.0, 11.0), (10.0, 9.0, 8.0))
    deck.block(2, (3, 3, 2), (12.0, 0.0, 11.0), (9.0, 9.0, 5.0))
    deck.plate(3, (6, 6), lambda u, v: (30 * u, 30 * v + 12.0, 12.0 + u))
    deck.block(4, (2, 2, 2), (40.0, 0.0, 11.0), (5.0, 5.0, 5.0))
    deck.set("PART", 5, (1, 2, 3))
    deck.set("PART", 6, (1, 2, 3, 4))
    deck.add("*INITIAL_VELOCITY_GENERATION\n6,1,3.0,5.,0.,-60.\n10.,10.,8.,0.2,0.3,1.")
    deck.add("*RIGIDWALL_PLANAR_ID\n7\n0\n0.,0.,0.,0.,0.1,1.,0.2")
    deck.add("*LOAD_BODY_Z\n1,9.81e-3\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    first, again = 0.1 * end_time, 0.2 * end_time
    deck.add(f"*DEFORMABLE_TO_RIGID_AUTOMATIC\n20,0,{first}\n0,0,0,0.,2,0\n1,0,PART\n2,1,PART")
    deck.add(f"*DEFORMABLE_TO_RIGID_AUTOMATIC\n21,0,{again}\n0,0,0,0.,1,0\n3,0,PART")
    deck.add(f"*DEFORMABLE_TO_RIGID_AUTOMATIC\n22,3,{again},,,7\n0,0,0,0.,0,1\n5,PSET")
    return deck.text()


@pytest.mark.parametrize("precision", ["double", "single"])
def test_same_bits_of_switched_bodies(precision: str, tmp_path: Path) -> None:
    deck = tmp_path / "deck.k"
    deck.write_text(tumbling_parts())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    for ranks in (2, 3):
        other = run(deck, tmp_path / f"on{ranks}", "--precision", precision, ranks=ranks)
        assert other.status == 0, other.said
        assert other.hash == one.hash
        assert other.history("glstat") == one.history("glstat")


def test_restart_while_parts_are_rigid(tmp_path: Path) -> None:
    deck = tmp_path / "deck.k"
    deck.write_text(tumbling_parts())
    expect_same_after_restart(deck, tmp_path)
