"""Contact of shells with offsets (CNTCO): the same bits on any number of ranks."""

import math

import pytest
from small_decks import STEEL, Deck
from solver_run import run

LAYOUTS = [(1, 2, "rcb"), (2, 1, "metis"), (3, 2, "rcb")]


def two_sheets(soft: int) -> str:
    """A curved sheet with an offset turns and falls on a flat one with another, and tears."""
    deck = Deck()
    end = 0.08
    deck.control(end, end / 4, end / 20)
    steel = "PLASTIC_KINEMATIC," + STEEL + ",0.25,1.0,0.5|40.,5.,0.04,0."
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.,1.", steel)
    deck.part(2, "SHELL,16,0.8333,3|0.8,0.8,0.8,0.8,-1.", steel)
    deck.plate(1, (10, 9), lambda u, v: (30 * u, 30 * v, 0.0))

    def curved(u: float, v: float) -> tuple[float, float, float]:
        angle = math.radians(-50 + 100 * u)
        return 15 + 12 * math.sin(angle), 4 + 20 * v, 12.4 - 12 * math.cos(angle)

    deck.plate(2, (9, 8), curved)
    deck.set("PART", 2, (2,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n2,1,0.02,0.,5.,-60.\n15.,14.,5.,0.,1.,0.")
    deck.add("*CONTROL_SHELL\n\n\n,,1")
    deck.add(f"*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n0.2,0.1,0.01,0.,10.\n\n{soft},,,,,3")
    return deck.text()


@pytest.mark.parametrize("soft", [0, 1, 2])
def test_same_bits(soft, tmp_path):
    deck = tmp_path / "sheets.k"
    deck.write_text(two_sheets(soft))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    assert one.progress[-1].internal > 0.0
    for ranks, threads, method in LAYOUTS:
        where = tmp_path / f"{ranks}x{threads}{method}"
        done = run(deck, where, "--decomposition", method, ranks=ranks, threads=threads)
        assert done.hash == one.hash, (ranks, threads, method)
        for file in ("rcforc", "glstat"):
            assert done.history(file) == one.history(file), (file, ranks)
