"""Curves that are all at one abscissa say nothing over time: what uses them is reported."""

import re

import pytest
from small_decks import Deck
from solver_run import run

USES = {
    "*BOUNDARY_PRESCRIBED_MOTION_SET": "*BOUNDARY_PRESCRIBED_MOTION_SET\n1,3,2,7,0.001",
    "*BOUNDARY_PRESCRIBED_MOTION_NODE": "*BOUNDARY_PRESCRIBED_MOTION_NODE\n5,3,0,7,1.",
    "*LOAD_NODE_POINT": "*LOAD_NODE_POINT\n5,3,7,1.",
    "*LOAD_BODY_Z": "*LOAD_BODY_Z\n7,1.",
    "*LOAD_SEGMENT": "*LOAD_SEGMENT\n7,1.,0.,1,2,6,5",
    "*DAMPING_GLOBAL": "*DAMPING_GLOBAL\n7",
    "*DAMPING_PART_MASS": "*DAMPING_PART_MASS\n1,7,1.",
    "*CONTROL_TIMESTEP": "*CONTROL_TIMESTEP\n0.,0.9,0,0.,0.,7",
    "*RIGIDWALL": "*RIGIDWALL_GEOMETRIC_FLAT_MOTION\n0\n0.,0.,-1.,0.,0.,0.\n0.,1.,0.,90.,90.\n7,1,0.,0.,1.",
}


def _deck(points: str, use: str) -> str:
    deck = Deck()
    deck.control(1e-3, 1e-3)
    deck.part(1, "SOLID,1", "ELASTIC,2.7e-6,70.,0.")
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, nodes[4:])
    deck.add(f"*DEFINE_CURVE\n7\n{points}\n{use}")
    return deck.text()


def _run(tmp_path, text):
    (tmp_path / "deck.k").write_text(text)
    return run(tmp_path / "deck.k", tmp_path / "out")


@pytest.mark.parametrize("points", ["0.,1.", "2.,0.\n2.,1."], ids=["one point", "one abscissa"])
@pytest.mark.parametrize("user", USES)
def test_told(tmp_path, user, points):
    done = _run(tmp_path, _deck(points, USES[user]))
    assert done.status == 2, done.said
    found = re.search(r"deck\.k:\d+.*error CR-D310: (\*\S+).*curve 7 is at [02].*two points", done.said)
    assert found and found[1].startswith(user), done.said


@pytest.mark.parametrize("user", USES)
def test_two_points_are_taken(tmp_path, user):
    done = _run(tmp_path, _deck("0.,1.\n1.,1.", USES[user]))
    assert "CR-D310" not in done.said
    assert done.status == 0, done.said


def test_materials_are_told_too(tmp_path):
    use = "*PART\nspring\n2,2,2\n*SECTION_DISCRETE\n2,0\n0.,0.\n*MAT_SPRING_NONLINEAR_ELASTIC\n2,7"
    done = _run(tmp_path, _deck("0.,1.", use + "\n*ELEMENT_DISCRETE\n9,2,1,5,0,1."))
    assert done.status == 2
    assert re.search(r"error CR-D310: \*MAT_SPRING_NONLINEAR_ELASTIC 2: .*curve 7 is at 0", done.said)


@pytest.mark.parametrize("points", ["", "1.,0.\n0.,1."], ids=["empty", "falling"])
def test_curves_that_are_none(tmp_path, points):
    done = _run(tmp_path, _deck(points, USES["*LOAD_BODY_Z"]))
    assert done.status == 2
    assert "error CR-D310: *DEFINE_CURVE 7" in done.said
