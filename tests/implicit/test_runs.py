"""What an implicit run prints, writes and refuses; steps that fail; threads."""

import re

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, plot, prescribe, residuals, solve
from small_decks import STEEL, Deck
from solver_run import Run


def bar(law: str = f"ELASTIC,{STEEL}", held: bool = True, **of_control) -> tuple[Deck, list[int]]:
    """A bar of 4 bricks along x; the nodes of its end."""
    deck = Deck()
    control(deck, **of_control)
    deck.part(1, "SOLID,2", law)
    ids = deck.block(1, (4, 1, 1), (0.0, 0.0, 0.0), (4.0, 1.0, 1.0))
    if held:
        deck.set("NODE", 1, ids[0::5])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    return deck, ids[4::5]


def pulled_bar(**of_control) -> Deck:
    deck, end = bar(**of_control)
    for n in end:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,0.05")
    return deck


def test_results_of_steps(tmp_path):
    done = solve(pulled_bar(steps=4), tmp_path)
    arrays = plot(done)
    assert arrays["timesteps"] == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    rows = histories(done)
    assert rows.read("glstat", "time") == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert not rows.read("glstat", "kinetic_energy").any()
    assert rows.read("glstat", "energy_ratio")[1:] == pytest.approx(1.0, abs=1e-4)
    assert rows.read("spcforc", "x_force").sum(axis=1) == pytest.approx(
        [0.0, -0.05, -0.1, -0.15, -0.2], abs=1e-9
    )
    assert len(re.findall(r"converged: \d+ iterations", done.stdout)) == 4
    text = (done.directory / "d3hsp").read_text()
    assert "iteration    1 *" in text
    assert "state hash: " in text
    assert "N o r m a l   t e r m i n a t i o n" in done.stdout


def test_motion_and_its_force(tmp_path):
    """bndout has the force of the moved end, and glstat its work."""
    deck, end = bar(steps=2)
    for n in end:
        prescribe(deck, n, (0.004,), (1,))
    done = solve(deck, tmp_path)
    u = displacements(done)
    assert u[[n - 1 for n in end], 0] == pytest.approx(0.004, abs=1e-15)
    rows = histories(done)
    supports = rows.read("spcforc", "x_force").sum(axis=1)
    drives = rows.read("bndout", "velocity", "nodes", "x_force").sum(axis=1)
    assert drives == pytest.approx(-supports, abs=1e-10)
    assert rows.read("glstat", "external_work")[-1] == pytest.approx(0.5 * 0.004 * drives[-1], rel=1e-3)


def test_prescribed_velocity_is_integrated_exactly(tmp_path):
    """Over the corner of its curve, within one step."""
    deck, end = bar(steps=1)
    deck.add("*DEFINE_CURVE\n7\n0.,0.\n0.3,0.02\n1.0,0.02")
    for n in end:
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},1,0,7,1.0")
    u = displacements(solve(deck, tmp_path))
    assert u[[n - 1 for n in end], 0] == pytest.approx(0.02 * (0.15 + 0.7), rel=1e-9)


def test_same_bits_on_threads(tmp_path):
    hashes = {solve(pulled_bar(steps=2), tmp_path / str(n), threads=n).hash for n in (1, 2)}
    assert len(hashes) == 1


def test_bfgs_needs_fewer_factors(tmp_path):
    """The defaults: 11 iterations with a factor; they find the same equilibrium."""
    law = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.12,10.|0.|,|,"
    full = solve(pulled_bar(law=law, steps=2), tmp_path / "full")
    bfgs = solve(pulled_bar(law=law, steps=2, solution="12,11,,1e-9,1e-18,1e-9,,1e-20"), tmp_path / "bfgs")
    assert displacements(bfgs) == pytest.approx(displacements(full), abs=1e-9)
    factors = [int(re.search(r"iterations, (\d+) factors of", done.stdout).group(1)) for done in (full, bfgs)]
    assert factors[1] < factors[0]


def test_linear_solution(tmp_path):
    """NSOLVR = 1: one solution a step; small strains are exact to their square."""
    deck, end = bar(steps=1, solution="1")
    for n in end:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,0.0005")
    done = solve(deck, tmp_path)
    assert [len(step) for step in residuals(done)] == [1]
    full = pulled_bar(steps=1)
    full.lines = [line.replace(",1,1,0.05", ",1,1,0.0005") for line in full.lines]
    assert displacements(done) == pytest.approx(displacements(solve(full, tmp_path / "full")), abs=1e-8)


def test_a_step_that_fails_is_tried_smaller(tmp_path):
    """A bar that bends far and yields needs more iterations than it gets in one step."""
    law = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.3,5.|0.|,|,"
    deck, end = bar(law=law, steps=1, solution="12,1,6,1e-6,1e-9", automatic="1,6,3,1e-4,1.")
    for n in end:
        prescribe(deck, n, (1.0,), (3,))
    done = solve(deck, tmp_path)
    assert "not converged: no equilibrium in" in done.stdout
    tried = int(re.search(r"(\d+) steps tried again", done.stdout).group(1))
    assert tried > 0
    assert displacements(done)[end[0] - 1, 2] == pytest.approx(1.0)


def test_failure_names_the_node_and_leaves_the_last_state(tmp_path):
    deck, end = bar(steps=2, solution="12,1,1,1e-12,1e-25,1e-12,,1e-30")
    for n in end:
        deck.add(f"*LOAD_NODE_POINT\n{n},3,1,2.0")
    done = solve(deck, tmp_path, status=3)
    assert re.search(r"CR-I104: step 1 .* the largest force out of balance is \S+ at node \d+", done.stdout)
    assert "IAUTO = 0 allows no smaller step" in done.stdout
    assert "E r r o r   t e r m i n a t i o n" in done.stdout
    assert plot(done)["timesteps"] == pytest.approx([0.0])


def test_a_body_without_supports_is_singular(tmp_path):
    deck, end = bar(held=False)
    deck.add(f"*LOAD_NODE_POINT\n{end[0]},1,1,0.01")
    done = solve(deck, tmp_path, status=3)
    assert re.search(r"the stiffness has no inverse: node \d+ is free to move", done.stdout)


def truss(direction: int) -> Deck:
    """A truss along x, with a load at its end."""
    deck = Deck()
    control(deck)
    deck.part(1, "BEAM,3|3.", f"ELASTIC,{STEEL}")
    a, b = deck.node((0.0, 0.0, 0.0)), deck.node((10.0, 0.0, 0.0))
    deck.element("BEAM", 1, (a, b))
    deck.add(f"*BOUNDARY_SPC_NODE\n{a},0,1,1,1\n*LOAD_NODE_POINT\n{b},{direction},1,0.063")
    return deck


def test_directions_without_stiffness_are_held(tmp_path):
    done = solve(truss(1), tmp_path)
    assert displacements(done)[1] == pytest.approx([1e-3, 0.0, 0.0], rel=1e-3)
    assert "directions of nodes have no stiffness and are held (AUTOSPC)" in done.stdout


def test_a_load_there_is_an_error(tmp_path):
    done = solve(truss(2), tmp_path, status=3)
    assert "CR-I105: a load acts on node 2 in a direction in which nothing is stiff there" in done.stdout


WALL = "*RIGIDWALL_PLANAR_MOVING\n0\n9.,0.,0.,8.,0.,0.,0.\n1.,0."
CONTACT = "*SET_PART_LIST\n9\n1\n*CONTACT_ERODING_SINGLE_SURFACE\n9,0,2,0\n0.2\n1.\n0,1,0"
REFUSED = {
    "contacts": (CONTACT, "eroding contacts (*CONTACT_ERODING_...) are not supported in implicit analysis"),
    "walls": (WALL, "rigid walls that move freely (_MOVING) are not supported in implicit analysis"),
    "modes between cycles": (
        "*CONTROL_IMPLICIT_GENERAL\n6,0.1",
        "IMFLAG = 6 of *CONTROL_IMPLICIT_GENERAL needs NEIG < 0",
    ),
    "other iterations": ("*CONTROL_IMPLICIT_SOLUTION\n-1", "NSOLVR = -1"),
    "key points of its own": (
        "*CONTROL_IMPLICIT_AUTO\n1,,,-0.01",
        "DTMIN = -0.01: key points that the program chooses",
    ),
    "no step": ("*CONTROL_IMPLICIT_GENERAL\n1,0.", "implicit analysis needs the first one"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_there_is_refused(what, tmp_path):
    text, said = REFUSED[what]
    deck = pulled_bar()
    deck.add(text)
    done = solve(deck, tmp_path, status=2)
    assert said in done.stdout
    assert not (done.directory / "d3plot").exists()


def steps_of(done: Run) -> list[tuple[float, float]]:
    """Times and lengths of the steps that the screen shows."""
    found = re.findall(r"^ step +\d+  time (\S+)  dt (\S+)$", done.stdout, re.MULTILINE)
    return [(float(time), float(dt)) for time, dt in found]


def test_largest_steps_by_a_curve_reach_its_points(tmp_path):
    """0.15 at most, then 0.4: steps grow, and one ends at each point of the curve; rank 0 alone."""
    deck = pulled_bar()
    deck.add("*CONTROL_IMPLICIT_AUTO\n1,11,5,0.001,-9.")
    deck.add("*DEFINE_CURVE\n9\n0.,0.15\n0.35,0.15\n0.36,0.4\n1.,0.4")
    steps = steps_of(solve(deck, tmp_path))
    times = [time for time, _ in steps]
    assert {0.35, 0.36, 1.0} <= set(times)
    assert max(dt for time, dt in steps if time <= 0.35) <= 0.15 + 1e-9
    assert 0.15 < max(dt for _, dt in steps) <= 0.4 + 1e-9


def test_steps_by_a_curve(tmp_path):
    """Steps are the ordinates at the times where they begin; rank 0 alone."""
    deck = pulled_bar()
    deck.add("*CONTROL_IMPLICIT_AUTO\n-9,11,5,0.001,0.3\n*DEFINE_CURVE\n9\n0.,0.1\n0.5,0.6")
    steps = steps_of(solve(deck, tmp_path))
    assert steps[:3] == [(0.1, 0.1), (0.3, 0.2), (0.6, 0.3)]
    assert steps[-1][0] == 1.0


def test_accelerations_are_refused(tmp_path):
    deck, end = bar()
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{end[0]},1,1,1,1.0")
    done = solve(deck, tmp_path, status=2)
    assert "CR-I101: prescribed acceleration" in done.said


def test_explicit_decks_keep_running_with_cards_that_have_no_effect(tmp_path):
    deck = Deck()
    deck.control(0.01, 0.01)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    deck.add("*CONTROL_IMPLICIT_AUTO\n-5,3\n*CONTROL_IMPLICIT_DYNAMICS\n1,0.6,0.38")
    done = solve(deck, tmp_path)
    assert "*CONTROL_IMPLICIT_AUTO has no effect" in done.stdout
    assert "implicit:" not in done.stdout


def test_viscous_hourglass_control_becomes_stiff(tmp_path):
    """One-point bricks with type 2 would have modes without stiffness."""
    deck, end = bar()
    deck.lines = [line.replace("1,1,1", "1,1,1,0,3") if line == "1,1,1" else line for line in deck.lines]
    deck.lines = [line.replace("1,2", "1,1") if line == "1,2" else line for line in deck.lines]
    deck.add("*HOURGLASS\n3,2")
    for n in end:
        deck.add(f"*LOAD_NODE_POINT\n{n},3,1,0.001")
    done = solve(deck, tmp_path)
    assert "hourglass type 2 is viscous; implicit analysis takes type 6" in done.stdout
    assert np.abs(displacements(done)).max() < 1.0
