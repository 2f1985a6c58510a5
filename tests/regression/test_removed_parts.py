"""Parts that are removed (*LOAD_REMOVE_PART), and thickness that elastic strains leave (ISTUPD = 4)."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import Run, run

END = 0.2
PLASTIC = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.2,1.|0.|,|,"


def finished(deck: Deck, folder: Path) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(deck.text())
    done = run(folder / "deck.k", folder / "out", "--double-files")
    assert done.status == 0, done.said
    return done


def pulled(law: str, istupd: int) -> Deck:
    """A plate that is stretched by 2 % along x; its sides are free."""
    deck = Deck()
    deck.control(END, END)
    deck.add(f"*CONTROL_SHELL\n20.,1,-1,{istupd}")
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", law)
    grid = deck.plate(1, (2, 2), lambda u, v: (10.0 * u, 10.0 * v, 0.0))
    deck.add(f"*DEFINE_CURVE\n1\n0.,0.\n{END},0.2\n9.,0.2")
    for row in grid:
        deck.add(f"*BOUNDARY_SPC_NODE\n{row[0]},0,1,0,1,1,1,1")
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{row[-1]},1,2,1,1.")
    return deck


def thickness(done: Run) -> np.ndarray:
    return D3plot(str(done.directory / "d3plot")).arrays["element_shell_thickness"][-1]


def test_elastic_strains_leave_the_thickness(tmp_path: Path) -> None:
    """With ISTUPD = 4: of elastic plates it stays; plastic ones keep their volume."""
    elastic = f"ELASTIC,{STEEL}"
    np.testing.assert_array_equal(thickness(finished(pulled(elastic, 4), tmp_path / "a")), 1.0)
    assert thickness(finished(pulled(elastic, 1), tmp_path / "b")).max() < 0.998
    plastic = thickness(finished(pulled(PLASTIC, 4), tmp_path / "c"))
    np.testing.assert_allclose(plastic, 1.0 / np.sqrt(1.02), atol=2e-3)


def plates(keyword: str) -> Deck:
    deck = Deck()
    deck.control(END, END / 4)
    for part in (1, 2):
        deck.part(part, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
        deck.plate(part, (2, 1), lambda u, v, p=part: (10.0 * u, 10.0 * v + 20.0 * p, 0.0))
    deck.set("PART", 8, [2])
    deck.add(keyword)
    return deck


@pytest.mark.parametrize("keyword", ["*LOAD_REMOVE_PART\n2,0.08,0.08", "*LOAD_REMOVE_PART_SET\n8,0.08,0.08"])
def test_part_is_removed(keyword: str, tmp_path: Path) -> None:
    done = finished(plates(keyword), tmp_path)
    alive = D3plot(str(done.directory / "d3plot")).arrays["element_shell_is_alive"]
    assert (alive[:, :2] != 0).all()
    assert (alive[1, 2:] != 0).all()
    assert (alive[-1, 2:] == 0).all()


@pytest.mark.parametrize("keyword", ["*LOAD_REMOVE_PART\n2,0.05,0.08", "*LOAD_REMOVE_PART\n2,0.05,0.05,3"])
def test_slow_removal_is_refused(keyword: str, tmp_path: Path) -> None:
    (tmp_path / "deck.k").write_text(plates(keyword).text())
    refused = run(tmp_path / "deck.k", tmp_path / "out")
    assert refused.status == 2
    assert "LOAD_REMOVE_PART" in refused.said
