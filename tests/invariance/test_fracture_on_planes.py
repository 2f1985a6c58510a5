"""Laminae of MAT_261 that break: the same bits on any ranks, and after a restart."""

import small_decks
from solver_run import expect_same_after_restart, expect_same_bits, run

from crumple.results.glstat import read_glstat

CONSTANTS = "1.6e-6,140.,10.,10.,0.02,0.02,0.4|5.,3.5,5."
LAW = (
    f"LAMINATED_FRACTURE_DAIMLER_PINHO,{CONSTANTS},0.,0.,0.,0.,0.3|,|,,,,,,{{beta}}"
    "|0.08,0.1,0.001,0.02,0.008|1.5,2.,0.2,0.05,0.1|53.,0.02,3,0.5"
)
SECTIONS = {1: "SHELL,2,0.8333,3", 2: "SHELL,16,0.8333,2"}


def strips(end: float = 0.06) -> str:
    """Plates of two elements' formulations, held at one end and pulled at the other until layers fail."""
    deck = small_decks.Deck()
    deck.control(end, end / 2, end / 10)
    held, pulled = [], []
    for part, section in SECTIONS.items():
        deck.part(part, f"{section}|1.,1.,1.,1.", LAW.format(beta=30.0 * part))
        y = 20.0 * part
        grid = deck.plate(part, (6, 4), lambda u, v, y=y: (12 * u, y + 8 * v, 0.3 * u * v))
        held += [row[0] for row in grid]
        pulled += [row[-1] for row in grid]
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.005,20.\n10.,20.")
    deck.add("*DEFINE_CURVE\n3\n0.,0.\n0.004,0.02\n0.02,0.05\n0.1,0.13")
    for direction, scale in ((1, 1.0), (2, 0.3), (3, 0.5)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{scale}")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "strips.k"
    deck.write_text(strips())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        energies = read_glstat(one.directory / "glstat")
        assert energies["total energy / initial energy"].between(0.97, 1.03).all()
        assert energies["eroded internal energy"].iloc[-1] > 0.001
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_restart_of_failing_layers(tmp_path):
    """From the middle, where some layers have failed, on another number of ranks."""
    deck = tmp_path / "strips.k"
    deck.write_text(strips())
    expect_same_after_restart(deck, tmp_path)
