"""Foams of MAT_154, 163 and soil of MAT_014, crushed: the same bits on any ranks, and after a restart."""

import small_decks
from solver_run import expect_same_after_restart, expect_same_bits, run

LAWS = {
    1: "DESHPANDE_FLECK_FOAM,5e-7,1.,0.1,1.8,0.02|1.5,0.03,3.,0.01,0.,0.05,0.03,20",
    2: "MODIFIED_CRUSHABLE_FOAM,5e-7,1.,0.,7,0.005,0.,6|20.,1",
    3: "SOIL_AND_FOAM_FAILURE,5e-7,0.4,1.,1e-4,0.01,0.,-0.004|0.,0.,8",
}


def blocks(end: float = 0.4) -> str:
    """Blocks that are crushed and sheared, then pulled."""
    deck = small_decks.Deck()
    deck.control(end, end / 2, end / 10)
    held, pushed = [], []
    for part, law in LAWS.items():
        deck.part(part, f"SOLID,{1 if part != 2 else 2}", law)
        ids = deck.block(part, (3, 2, 2), (0.0, 20.0 * part, 0.0), (12.0, 7.0, 6.0))
        held += ids[::4]
        pushed += ids[3::4]
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pushed)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.2,-4.\n0.4,2.\n9.,2.")
    for direction, scale in ((1, 1.0), (2, 0.3), (3, 0.2)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},2,1,{scale}")
    deck.add("*DEFINE_CURVE\n5\n0.,0.01\n0.4,0.02\n0.7,0.2\n*DEFINE_CURVE\n6\n0.,0.02\n0.4,0.04\n0.7,0.4")
    deck.add("*DEFINE_TABLE_2D\n7\n0.,5\n2.,6\n*DEFINE_CURVE\n8\n0.,0.\n0.1,0.02\n1.,0.6")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "blocks.k"
    deck.write_text(blocks())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_restart_of_crushed_foams(tmp_path):
    deck = tmp_path / "blocks.k"
    deck.write_text(blocks())
    expect_same_after_restart(deck, tmp_path)
