"""Belts of shells that are pulled: the force of the curve, whatever the mesh."""

import re

import numpy as np
import pytest
from lasso.dyna import D3plot
from shell_belts import Strip, lines_across, strip, webbing
from small_decks import Deck
from solver_run import run

LENGTH = 200.0
CURVE = "*DEFINE_CURVE\n1\n0.,0.\n0.05,1.\n0.2,10."
MESHES = {
    "one wide": (5, [1.0], 0, 5),
    "two wide": (8, [0.5, 0.5], 0, 9),
    "three wide, turned": (10, [0.2, 0.3, 0.5], 1, 5),
    "a shell's own form": (6, [0.5, 0.5], 3, 2),
}


def pulled(mesh: str, way: float) -> tuple[str, Strip]:
    """A belt along x, held at one end, and moved by `way` at the other."""
    cells, gaps, turned, elform = MESHES[mesh]
    deck = Deck()
    edges = lines_across(deck, [(LENGTH * k / cells, 0.0, 0.0) for k in range(cells + 1)], gaps)
    belt = strip(deck, 9, edges, turned)
    webbing(deck, 9, edges[0], elform=elform)
    deck.set("NODE", 1, edges[0])
    deck.set("NODE", 2, edges[-1])
    deck.add(
        f"*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n{CURVE}\n*DEFINE_CURVE\n2\n0.,0.\n4.,0.15\n8.,0.5\n12.,0.85"
    )
    deck.add(f"16.,1.\n40.,1.\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,2,2,{way}")
    deck.control(24.0, 24.0, 0.5)
    deck.add("*DATABASE_SBTOUT\n0.5")
    return deck.text(), belt


def forces(text: str, elements: list[int]) -> np.ndarray:
    """Sum of the forces of elements, by time."""
    of = {e: [float(row[1]) for row in re.findall(rf"^ *({e}) +(\S+) +\S+$", text, re.M)] for e in elements}
    return np.sum(list(of.values()), axis=0)


@pytest.mark.parametrize("mesh", list(MESHES))
def test_the_force_is_that_of_the_curve(mesh, tmp_path):
    deck = tmp_path / "deck.k"
    text, belt = pulled(mesh, 20.0)
    deck.write_text(text)
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    assert ("is read as 5" in done.said) == (MESHES[mesh][3] == 2)
    written = (tmp_path / "out" / "sbtout").read_text()
    for row in (belt.elements[0], belt.elements[-1]):
        assert forces(written, row)[-10:].mean() == pytest.approx(4.0, rel=0.02)  # at a strain of 0.1
    plot = D3plot(str(tmp_path / "out" / "d3plot"))
    moved = plot.arrays["node_displacement"][-1] - plot.arrays["node_displacement"][0]
    assert np.abs(moved[:, 1:]).max() < 1e-3  # no contraction
    assert len(plot.arrays["element_shell_ids"]) == sum(map(len, belt.elements))


@pytest.mark.parametrize(("across", "damping"), [(-0.1, 0.1), (-1.0, 0.4), (6.25, 0.05)])
def test_the_step_of_rows_and_fabric_is_stable(across, damping, tmp_path):
    """At the whole stable step (TSSFAC 1), with soft, damped and stiff fabric."""
    text, belt = pulled("two wide", 20.0)
    by_default = "*MAT_SEATBELT\n9,6e-05,1,0,4.0"
    assert by_default in text
    text = text.replace(by_default, f"*MAT_SEATBELT_2D\n9,6e-05,1,0,4.0,0,{damping}\n0,4,0.,0.,0.,{across}\n")
    deck = tmp_path / "deck.k"
    deck.write_text(text.replace("*END", "*CONTROL_TIMESTEP\n0,1.\n*END"))
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    written = (tmp_path / "out" / "sbtout").read_text()
    assert forces(written, belt.elements[0])[-10:] == pytest.approx(4.0, rel=0.02)


def test_it_does_not_resist_compression(tmp_path):
    deck = tmp_path / "deck.k"
    text, belt = pulled("two wide", -20.0)
    deck.write_text(text)
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    written = (tmp_path / "out" / "sbtout").read_text()
    shortening = forces(written, [e for row in belt.elements for e in row])[:23]  # until its end slows down
    assert np.abs(shortening).max() < 1e-3


def test_what_makes_no_belt(tmp_path):
    deck = tmp_path / "deck.k"
    text, _ = pulled("two wide", 20.0)
    cases = (
        ("0.,0.,0,9", "0.,0.,0,0", "EDGSET"),
        ("0.,0.,0,9", "0.,0.,0,2", ""),  # the other end
        ("*SET_NODE_LIST\n9\n1,2,3", "*SET_NODE_LIST\n9\n1,2,4", "no edge across a belt"),
        ("*SET_NODE_LIST\n9\n1,2,3", "*SET_NODE_LIST\n9\n1,2", "hang together"),
    )
    for k, (changed, by, said) in enumerate(cases):
        assert changed in text
        deck.write_text(text.replace(changed, by))
        done = run(deck, tmp_path / f"{k}")
        assert (done.status == 0) == (said == ""), done.said
        assert said in done.said
