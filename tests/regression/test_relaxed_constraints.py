"""What ends at a time of the run does not end for good in dynamic relaxation, before the run begins at 0."""

from pathlib import Path

import pandas as pd
import pytest
from small_decks import STEEL, Deck, tie_bricks
from solver_run import run

from crumple.results.glstat import read_glstat

DEATH = 0.01  #: ms; relaxation takes 50 steps of more than 5e-4


def history_of(deck: Deck, tmp_path: Path) -> pd.DataFrame:
    """Rows of glstat of a run that ends well, whose results are in `out`."""
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    return read_glstat(tmp_path / "out" / "glstat")


def two_bricks() -> tuple[Deck, list[int], list[int]]:
    """One over the other, of steel, not linked; the nodes of each."""
    deck = Deck()
    deck.control(2 * DEATH, 2 * DEATH, DEATH / 10)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    low = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    high = deck.block(1, (1, 1, 1), (0.0, 0.0, 11.0), (10.0, 10.0, 10.0))
    return deck, low, high


def said_soon_and_at_the_end(deck: Deck, tmp_path: Path) -> tuple[str, str]:
    """What a run says that ends well after three cycles, and what the whole one."""
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    soon = run(path, tmp_path / "soon", "ncycle=3")
    assert soon.status == 0, soon.said
    return soon.stdout, run(path, tmp_path / "whole").stdout


def test_a_constraint_that_ended_in_relaxation_holds_again(tmp_path):
    """A brick whose nodes are all held stays at rest under a load until half of them are let go."""
    deck = Deck()
    deck.control(2 * DEATH, 2 * DEATH, DEATH / 10)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, nodes[:4])
    deck.set("NODE", 2, nodes[4:])
    deck.add(f"*BOUNDARY_SPC_SET\n1,0,1,1,1\n*BOUNDARY_SPC_SET_BIRTH_DEATH\n2,0,1,1,1\n0.,{DEATH}")
    deck.add("*LOAD_NODE_SET\n2,3,1,-1.\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1")
    history = history_of(deck, tmp_path)
    held = history["time"] < DEATH
    assert (history["kinetic energy"][held] == 0.0).all()
    assert history["kinetic energy"].iloc[-1] > 0.0


def test_a_weld_fails_in_the_run_only(tmp_path):
    """TF of *CONSTRAINED_SPOTWELD, of two bricks that four of them hold together."""
    deck, low, high = two_bricks()
    for a, b in zip(low[4:], high[:4], strict=True):
        deck.add(f"*CONSTRAINED_SPOTWELD\n{a},{b},0.,0.,0.,0.,{DEATH}")
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1")
    soon, end = said_soon_and_at_the_end(deck, tmp_path)
    assert "broke" not in soon
    assert "4 welds broke" in end


def test_a_weld_beam_fails_in_the_run_only(tmp_path):
    """TFAIL of *MAT_SPOTWELD."""
    deck, low, high = two_bricks()
    deck.part(2, "BEAM,9,1.,2,1|3.,3.", f"SPOTWELD,{STEEL},0.3,1.,0.,{DEATH}|0.,0.")
    deck.element("BEAM", 2, (low[4], high[0]))
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n100,,,,,,,1")
    soon, end = said_soon_and_at_the_end(deck, tmp_path)
    assert "deleted" not in soon
    assert "1 element was deleted" in end


def test_springs_of_ties_end_in_the_run_only(tmp_path):
    """A brick that leaves another one is held back by what an _OFFSET contact ties, until its death time."""
    deck = Deck()
    deck.control(2 * DEATH, 2 * DEATH, DEATH / 10)
    tie_bricks(deck, "_OFFSET", DEATH)
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1")
    history = history_of(deck, tmp_path)
    kinetic = history["kinetic energy"]
    assert kinetic[history["time"] < DEATH].min() < 0.8 * kinetic.iloc[0]


@pytest.mark.parametrize("last", ["", "of the run", "of relaxation"])
@pytest.mark.parametrize("material", ["ELASTIC", "RIGID"])
def test_what_relaxation_displaced_stays(material, last, tmp_path):
    """A brick that a motion of relaxation pulls or takes along rests in the run, which may have its own."""
    deck = Deck()
    deck.control(DEATH, DEATH, DEATH / 10)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", f"RIGID,{STEEL}|0.|")
    low = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.block(2, (1, 1, 1), (20.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, low[:4])
    deck.set("NODE", 2, low[4:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*DEFINE_CURVE\n1,1\n0.,0.\n0.01,0.01\n1000.,0.01")
    moved, node = ("SET\n2", low[7]) if material == "ELASTIC" else ("RIGID\n2", deck.nodes)
    motions = [f"*BOUNDARY_PRESCRIBED_MOTION_{moved},3,2,{curve}" for curve in ((1, 2) if last else (1,))]
    deck.add("*DEFINE_CURVE\n2\n0.,0.\n1000.,0.\n*CONTROL_DYNAMIC_RELAXATION\n50")
    deck.add("\n".join(reversed(motions) if last == "of relaxation" else motions))
    deck.add(f"*DATABASE_HISTORY_NODE\n{node}\n*DATABASE_NODOUT\n{DEATH / 10},1")
    kinetic = history_of(deck, tmp_path)["kinetic energy"]
    assert kinetic.abs().max() < 1e-12
    rows = [line.split() for line in (tmp_path / "out" / "nodout").read_text().splitlines()]
    heights = [float(row[3]) for row in rows if len(row) == 13 and row[0] == str(node)]
    assert len(heights) > 8
    assert heights == pytest.approx([0.01] * len(heights), rel=1e-6)


@pytest.mark.parametrize(("failtm", "in_relaxation"), [(DEATH, True), (-DEATH, False)])
def test_elements_fail_at_a_time_of_the_run(failtm, in_relaxation, tmp_path):
    """FAILTM of *MAT_ADD_EROSION: of relaxation, too, unless it is negative."""
    deck = Deck()
    deck.control(2 * DEATH, 2 * DEATH, DEATH / 10)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.block(2, (1, 1, 1), (20.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.add(f"*MAT_ADD_EROSION\n2\n,,,,,,,{failtm}\n*CONTROL_DYNAMIC_RELAXATION\n50,,,,,,,1")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out", "ncycle=3")
    assert done.status == 0, done.said
    assert ("1 element was deleted" in done.stdout) == in_relaxation
    assert "1 element was deleted" in run(path, tmp_path / "whole").stdout


def test_a_rigid_body_rests_on_a_wall_after_relaxation(tmp_path):
    """A brick that gravity presses on a rigid wall while relaxation lasts, and in the run, hardly moves."""
    deck = Deck()
    deck.control(0.1, 0.1, 0.01)
    deck.part(1, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.block(2, (1, 1, 1), (20.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.add("*CONTROL_CONTACT\n0.1,1.\n*RIGIDWALL_PLANAR\n0\n0.,0.,0.,0.,0.,1.,0.3")
    deck.add("*LOAD_BODY_Z\n1,0.1\n*DEFINE_CURVE\n1,2\n0.,1.\n1000.,1.")
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n200,1e-9,,1.5,,,,1")
    history = history_of(deck, tmp_path)
    assert history["kinetic energy"].abs().max() < 1e-7  # falling freely 4e-7
    assert history["stonewall energy 1"].abs().max() < 1e-6
