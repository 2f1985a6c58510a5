"""Sheets that flow in their plane and through their thickness in different ways (MAT_037)."""

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run

E, NU, YIELD, PLASTIC = 210.0, 0.3, 0.3, 2.0
SIDE, END = 10.0, 2.0  #: mm, ms


def bar(law: str, form: int) -> str:
    """One shell, pulled along x and free across, far beyond yield."""
    deck = Deck()
    deck.part(1, f"SHELL,{form},0.8333,3|1.,1.,1.,1.", law)
    grid = deck.plate(1, (1, 1), lambda u, v: (SIDE * u, SIDE * v, 0.0))
    for row in grid:
        for k, node in enumerate(row):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},1,2,{1 if k else 2}")
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},3,2,2")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{grid[0][0]},2,2,2\n{grid[0][1]},2,2,2")
    deck.add(f"*DEFINE_CURVE\n1\n0.,0.\n{END},{0.2 * SIDE}\n9.,{0.2 * SIDE}\n*DEFINE_CURVE\n2\n0.,0.\n9.,0.")
    deck.add(f"*CONTROL_TERMINATION\n{END}\n*DATABASE_ELOUT\n{END / 40},3\n*DATABASE_HISTORY_SHELL\n1")
    deck.add(f"*DATABASE_NODOUT\n{END / 40},3\n*DATABASE_HISTORY_NODE\n{grid[1][1]}\n*CONTROL_SHELL\n,,,1")
    return deck.text()


@pytest.mark.parametrize("form", [2, 16])
@pytest.mark.parametrize("ratio", [0.4, 1.0, 2.5])
def test_a_bar_narrows_by_the_ratio(ratio, form, tmp_path):
    law = f"TRANSVERSELY_ANISOTROPIC_ELASTIC_PLASTIC,7.85e-6,{E},{NU},{YIELD},{PLASTIC},{ratio}"
    (tmp_path / "deck.k").write_text(bar(law, form))
    done = run(tmp_path / "deck.k", tmp_path / "out", "--double-files")
    assert done.status == 0, done.said
    binout = Binout(str(tmp_path / "out" / "binout0000"))
    along = np.log(1 + np.asarray(binout.read("nodout", "x_displacement")).ravel() / SIDE)
    across = np.log(1 + np.asarray(binout.read("nodout", "y_displacement")).ravel() / SIDE)
    stress = np.asarray(binout.read("elout", "shell", "sig_xx"))
    stress = stress.reshape(len(stress), -1).mean(axis=1)
    flowing = along > 0.05
    plastic = along - stress / E
    np.testing.assert_allclose(stress[flowing], YIELD + PLASTIC * plastic[flowing], rtol=2e-3)
    width = across + NU * stress / E
    np.testing.assert_allclose(width[flowing], -ratio / (1 + ratio) * plastic[flowing], rtol=5e-3)
