"""Tetrahedra with ten nodes in contact, on a wall and in plastic flow: the same bits, and after a restart."""

import small_decks
from solver_run import expect_same_after_restart, expect_same_bits, run
from ten_node_boxes import TenNodeBox

from crumple.results.glstat import read_glstat


def blocks(end: float = 0.02) -> str:
    """A plastic block of tetrahedra falls onto a wall, a rigid one onto it, and bricks onto that."""
    deck = small_decks.Deck()
    deck.control(end, end / 2, end / 10)
    plastic = "PLASTIC_KINEMATIC,2.7e-6,70.,0.33,0.10,0.1,1.0|0.,0.,0.,0."
    deck.part(1, "SOLID,16", plastic)
    deck.part(2, "SOLID,16", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.part(3, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    TenNodeBox(deck, 1, (3, 3, 3), (6.0, 6.0, 6.0), (0.0, 0.0, 0.1))
    TenNodeBox(deck, 2, (2, 2, 1), (4.0, 4.0, 2.0), (1.0, 1.2, 6.3))
    deck.block(3, (3, 3, 2), (0.7, 0.9, 8.5), (4.0, 4.0, 2.0))
    deck.set("PART", 9, (1, 2, 3))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.3,0.3,0.,0.,5.\n,")
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,0.,0.,0.,1.,0.3")
    deck.add("*INITIAL_VELOCITY_GENERATION\n9,1,0.,10.,20.,-150.\n0.,0.,0.")
    deck.add("*DATABASE_EXTENT_BINARY\n2,0,3,1")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "blocks.k"
    deck.write_text(blocks())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        energies = read_glstat(one.directory / "glstat")
        assert energies["total energy / initial energy"].between(0.97, 1.03).all()
        assert energies["sliding interface energy"].abs().max() > 0
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_same_after_a_restart(tmp_path):
    deck = tmp_path / "blocks.k"
    deck.write_text(blocks())
    expect_same_after_restart(deck, tmp_path)
