"""Values that mean something else than their size are refused where that is not supported."""

import pytest
from small_decks import STEEL, Deck
from solver_run import run

CARDS = {
    "TSSFAC": "*CONTROL_TIMESTEP\n0.,-5.",
    "TSSFDR": "*CONTROL_DYNAMIC_RELAXATION\n50,,,,-5.,,,1",
    "DRFCTR": "*CONTROL_DYNAMIC_RELAXATION\n50,,-0.9,,,,,1",
    "DT": "*DATABASE_BINARY_D3PLOT\n-1.,",
    "FD": "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n2.,77.\n,",
    "VDC": "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,,,,-5.\n,",
}


@pytest.mark.parametrize("field", CARDS)
def test_is_refused(field, tmp_path):
    deck = Deck()
    deck.control(0.01, 0.01)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.add(CARDS[field])
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out", "ncycle=3")
    assert done.status == 2, done.said
    assert f"field {field}: error" in done.stdout
