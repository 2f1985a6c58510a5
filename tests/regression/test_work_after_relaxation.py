"""The energy balance of a run that follows dynamic relaxation counts the run's work alone, and all of it."""

import re
from pathlib import Path

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import same_on_two_ranks

from crumple.results.glstat import read_glstat

STEP, CYCLES, RELAXED, SPEED = 1e-3, 12, 20.5, 2.0  #: ms, of the run, of relaxation, mm/ms


def bricks() -> Deck:
    """A fixed rigid brick, one that will move along x, and an elastic one; relaxation stops in mid-motion."""
    deck = Deck()
    deck.control(CYCLES * STEP, CYCLES * STEP, 0.99 * STEP)
    deck.part(1, "SOLID,1", f"RIGID,{STEEL}|1.,7,7|")
    deck.part(2, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.part(3, "SOLID,1", f"ELASTIC,{STEEL}")
    for part in (1, 2, 3):
        deck.block(part, (1, 1, 1), (20.0 * part, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.add(f"*CONTROL_TIMESTEP\n0.,0.9,0,0.,0.,9\n*DEFINE_CURVE\n9,2\n0.,{STEP}\n1000.,{STEP}")
    deck.add(
        f"*CONTROL_DYNAMIC_RELAXATION\n10,1e-12,,{RELAXED * STEP},,,,1\n*DEFINE_CURVE\n1,2\n0.,1.\n1000.,1."
    )
    return deck


def loaded() -> Deck:
    """*LOAD_RIGID_BODY against the motion."""
    deck = bricks()
    deck.add("*LOAD_RIGID_BODY\n2,1,1,-0.5\n*LOAD_RIGID_BODY\n2,5,1,-1.")
    return deck


def jointed() -> Deck:
    """A joint that a load has stretched, which the motion stretches on."""
    deck = bricks()
    nodes = [deck.node((35.0, 5.0, 5.0)) for _ in range(2)]
    for part, node in zip((1, 2), nodes, strict=True):
        deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n{part},{node}")
    deck.add(f"*CONSTRAINED_JOINT_SPHERICAL\n{nodes[0]},{nodes[1]}\n*LOAD_RIGID_BODY\n2,1,1,0.4")
    return deck


def stiffened() -> Deck:
    """A moment between the bricks that slows the second one's spin."""
    deck = bricks()
    deck.add("*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,1.,0.,0.\n0.,1.,0.\n*DEFINE_CURVE\n2,2\n-9.,40.\n9.,80.")
    deck.add("*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,1,2,7,7\n2,0,0,0,0,0\n,\n,")
    return deck


def pushed() -> Deck:
    """Forces on the nodes of the elastic brick, which still accelerates when relaxation ends."""
    deck = bricks()
    deck.set("NODE", 8, range(17, 25))
    deck.add("*LOAD_NODE_SET\n8,1,1,0.5")
    return deck


def driven() -> Deck:
    """Forces, a pressure and motions that act in both phases, of nodes and of a body."""
    deck = pushed()
    deck.set("NODE", 9, range(21, 25))
    deck.add("*LOAD_SEGMENT\n1,0.01,0.,18,20,24,22\n*DEFINE_CURVE\n3,2\n0.,0.5\n1000.,0.5")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n9,2,0,3\n*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,3,0,1")
    return deck


def run_on(deck: Deck, tmp_path):
    """Rows of glstat: the second brick starts with a velocity and a spin. 2 ranks."""
    deck.set("PART", 5, (2,))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n5,1,0.2,{SPEED},0.,0.\n40.,0.,0.,1.,0.,0.")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    history = read_glstat(same_on_two_ranks(path, tmp_path).directory / "glstat")
    assert len(history) > CYCLES / 2
    kinetic = history["kinetic energy"]
    assert kinetic.max() - kinetic.min() > 0.01 * kinetic.max()  # something acts
    return history


@pytest.mark.parametrize("case", [loaded, jointed, stiffened])
def test_energy_is_what_it_was_and_the_work_since(case, tmp_path):
    """From the first cycle on, to the digits of glstat."""
    history = run_on(case(), tmp_path)
    work, total = history["external work"], history["total energy"]
    assert work.iloc[0] == 0.0
    np.testing.assert_allclose(total - work, total.iloc[0], rtol=2e-5)


def test_work_of_the_last_step_of_relaxation_is_not_the_run_s(tmp_path):
    """Forces on nodes have done work on the way to where the run begins."""
    history = run_on(pushed(), tmp_path)
    work, total = history["external work"], history["total energy"]
    assert work.iloc[0] == 0.0
    # The trapezoidal rule takes the velocity after the first half step for that of the first step.
    np.testing.assert_allclose((total - work)[1:], (total - work)[1], rtol=2e-5)


def sums_of(path: Path, value: str) -> list[float]:
    """Of the values of this label, at each time of a text file."""
    sums: dict[str, float] = {}
    time = ""
    for match in re.finditer(rf"(?:\bt=|\btime\.+) *(\S+)|\b{value}[.=]* *(\S+)", path.read_text()):
        if match[1]:
            time = match[1]
            sums.setdefault(time, 0.0)
        else:
            sums[time] += float(match[2])
    return list(sums.values())


def test_bndout_has_the_run_s_work_too(tmp_path):
    """Its energies add up to the external work of glstat, where these loads and motions are all there is."""
    deck = driven()
    deck.add(f"*DATABASE_BNDOUT\n{0.99 * STEP}")
    work = run_on(deck, tmp_path)["external work"]
    energies = sums_of(tmp_path / "out1" / "bndout", "etotal")
    assert energies[0] == 0.0
    assert abs(work).max() > 0.0
    np.testing.assert_allclose(energies, work, rtol=0, atol=1e-3 * abs(work).max())


@pytest.mark.parametrize("case", [jointed, stiffened])
def test_jntforc_begins_with_what_glstat_does(case, tmp_path):
    """Energy that relaxation has left in joints is in both."""
    deck = case()
    deck.add(f"*DATABASE_JNTFORC\n{0.99 * STEP}")
    energy = run_on(deck, tmp_path)["joint internal energy"]
    assert abs(energy.iloc[0]) > 0.0
    np.testing.assert_allclose(sums_of(tmp_path / "out1" / "jntforc", "joint energy"), energy, rtol=1e-4)
