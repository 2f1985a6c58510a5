"""Prescribed motions that sensors switch (PRESC-MOT of *SENSOR_CONTROL), of nodes and of rigid bodies."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import Run, expect_same_after_restart, run

END, AT = 1.0, 0.5  #: ms; when the switch acts


def plate(rigid: bool, vad: int, curve: str, begins: str, switches: str = "3") -> Deck:
    deck = Deck()
    deck.control(END, END / 10)
    law = f"RIGID,{STEEL}|0|" if rigid else f"ELASTIC,{STEEL}"
    deck.part(1, "SHELL,2,0.8333,2|1.,1.,1.,1.", law)
    grid = deck.plate(1, (3, 1), lambda u, v: (10.0 * u, 10.0 * v, 0.0))
    deck.set("NODE", 5, [n for row in grid for n in row])
    deck.add(f"*DEFINE_CURVE\n1\n{curve}\n*DEFINE_CURVE\n2\n0.,0.\n9.,0.")
    kind, entity = ("RIGID", 1) if rigid else ("SET", 5)
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_{kind}_ID\n7\n{entity},1,{vad},1")
    deck.add(f"*SENSOR_SWITCH\n3,TIME,,,{AT}\n*SENSOR_SWITCH\n4,TIME,,,{1.5 * AT}")
    deck.add(f"*SENSOR_CONTROL\n9,PRESC-MOT,7\n{begins},{switches}\n*CONTROL_TIMESTEP\n,0.1")
    return deck


def finished(deck: Deck, folder: Path, ranks: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(deck.text())
    done = run(folder / "deck.k", folder / f"out{ranks}", "--double-files", ranks=ranks)
    assert done.status == 0, done.said
    return done


def way(done: Run) -> tuple[np.ndarray, np.ndarray]:
    """Times of the plots, and how far the first node has moved along x."""
    plot = D3plot(str(done.directory / "d3plot")).arrays
    x = plot["node_displacement"][:, 0, 0]
    return plot["timesteps"], x - x[0]


@pytest.mark.parametrize("rigid", [False, True])
def test_motion_ends(rigid: bool, tmp_path: Path) -> None:
    """Its velocity falls from 2 to 0; after the switch the plate keeps that of the moment, 1."""
    done = finished(plate(rigid, 0, "0.,2.\n1.,0.\n9.,0.", "ON"), tmp_path)
    t, moved = way(done)
    wanted = np.where(t < AT, 2 * t - t**2, 2 * AT - AT**2 + (t - AT))
    np.testing.assert_allclose(moved, wanted, atol=0.01)


@pytest.mark.parametrize("rigid", [False, True])
def test_motion_begins(rigid: bool, tmp_path: Path) -> None:
    """By displacement: what the curve goes from the switch on, until the second switch ends it."""
    done = finished(plate(rigid, 2, "0.,0.\n9.,90.", "OFF", "3,4"), tmp_path)
    t, moved = way(done)
    np.testing.assert_allclose(moved, np.maximum(0.0, 10 * (t - AT)), atol=0.05)
    assert moved[t <= AT].max() == 0.0


def test_same_bits_of_switched_motions(tmp_path: Path) -> None:
    decks = [plate(rigid, 0, "0.,2.\n1.,0.\n9.,0.", "ON", "3,4") for rigid in (False, True)]
    for k, deck in enumerate(decks):
        one = finished(deck, tmp_path / str(k))
        assert finished(deck, tmp_path / str(k), ranks=2).hash == one.hash


@pytest.mark.parametrize("rigid", [False, True])
def test_restart_of_switched_motions(rigid: bool, tmp_path: Path) -> None:
    """The restart is at the middle of the run, where the first switch acts."""
    (tmp_path / "deck.k").write_text(plate(rigid, 2, "0.,0.\n9.,90.", "OFF", "3,4").text())
    expect_same_after_restart(tmp_path / "deck.k", tmp_path)


def test_motions_without_the_number_are_missing(tmp_path: Path) -> None:
    deck = plate(False, 0, "0.,2.\n1.,0.", "ON")
    (tmp_path / "deck.k").write_text(deck.text().replace("PRESC-MOT,7", "PRESC-MOT,8"))
    refused = run(tmp_path / "deck.k", tmp_path / "out")
    assert refused.status == 2
    assert "prescribed motion 8 does not exist" in refused.said
