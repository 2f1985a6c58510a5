"""Joints and ties by springs in runs that change between implicit and explicit: their loads go on."""

import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, histories, solve
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import Run, run
from test_dynamics import energy, watch
from test_links import FIXED, FREE, hinge
from test_phases import curve, switch, until

AXIS = [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)]
PLACES = {
    "SPHERICAL": AXIS[:1],
    "REVOLUTE": AXIS,
    "CYLINDRICAL": AXIS,
    "TRANSLATIONAL": [*AXIS, (2.0, 0.0, 0.0)],
    "UNIVERSAL": AXIS,
}


#: increments end at 1e-12 of the size: under constant loads what is left is rounding
SOLUTION = "12,1,,1e-9,1e-18,1e-9,,1e-12"
CONSTANT = [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)]


def series(done: Run, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Times, and (times, 3) of jntforc."""
    rows = histories(done)
    time = np.ravel(rows.read("jntforc", "joints", "time"))
    return time, np.stack(
        [np.asarray(rows.read("jntforc", "joints", f"{a}_{what}")).reshape(len(time)) for a in "xyz"], axis=1
    )


def jointed(kind: str, points: list[tuple[float, float]], end: float) -> tuple[Deck, int]:
    """A rigid arm on a joint at the origin, held by springs, with a force at its tip by these points."""
    deck = Deck()
    control(deck, steps=4, solution=SOLUTION)
    deck.part(1, "SOLID,1", FIXED)
    deck.part(2, "SOLID,1", FREE)
    deck.part(3, "DISCRETE,0", "SPRING_ELASTIC,0.5")
    deck.block(1, (1, 1, 1), (-3.0, -1.0, -1.0), (2.0, 2.0, 2.0))
    deck.block(2, (1, 1, 1), (1.0, -1.0, -1.0), (8.0, 2.0, 2.0))
    nodes = hinge(deck, kind, (1, 2), PLACES[kind])
    if kind == "UNIVERSAL":  # its second axis is across the first one
        last = deck.node((0.0, 0.0, 2.0))
        deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{last}")
        k = next(k for k, line in enumerate(deck.lines) if line.startswith("*CONSTRAINED_JOINT"))
        deck.lines[k + 2] = ",".join(map(str, [*nodes[:3], last]))
    tip = deck.node((10.0, 0.0, 0.0))
    side = deck.node((5.0, 4.0, 1.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{tip}\n*CONSTRAINED_EXTRA_NODES_NODE\n2,{side}")
    for node, anchor in (
        (tip, (11.0, 1.0, -20.0)),
        (tip, (12.0, 30.0, 3.0)),
        (side, (5.0, 4.0, -20.0)),
        (side, (5.0, -20.0, 1.0)),
        (side, (5.0, 4.0, 25.0)),
    ):
        deck.element("DISCRETE", 3, (node, deck.node(anchor, held=7)))
    curve(deck, 7, *points)
    for dof, load in ((1, 0.7), (2, 0.4), (3, 3.0)):
        deck.add(f"*LOAD_NODE_POINT\n{tip},{dof},7,{load}")
    watch(deck, tip)
    until(deck, end, end / 40)
    return deck, tip


@pytest.mark.parametrize("kind", PLACES)
def test_a_loaded_joint_keeps_its_force(kind: str, tmp_path: Path) -> None:
    """Statics, explicit cycles, statics: the same force and moment, and nothing moves."""
    deck, _ = jointed(kind, [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)], 2.0)
    switch(deck, 1.0, 1.5)
    done = solve(deck, tmp_path)
    assert len(re.findall("(?:explicit|implicit) from time", done.stdout)) == 2
    for what in ("force", "moment"):
        time, f = series(done, what)
        later = f[time > 0.99]
        assert np.isin(True, (time > 1.01) & (time < 1.49)) and len(later) > 12
        scale = np.abs(later[0]).max()
        if scale > 1e-6:
            assert later == pytest.approx(np.tile(later[0], (len(later), 1)), abs=1e-5 * scale)
    time = histories(done).read("glstat", "time")
    for name in ("joint_internal_energy", "total_energy", "external_work"):
        e = energy(done, name)[time > 0.99]
        assert e == pytest.approx(e[0], abs=1e-6 * energy(done, "total_energy").max()), name
    assert energy(done, "kinetic_energy").max() < 1e-9 * energy(done, "total_energy").max()


def test_energy_is_kept_when_a_jointed_arm_is_released(tmp_path: Path) -> None:
    """The force at the tip ends with statics: the arm swings, and the sum of energies stays."""
    deck, _ = jointed("REVOLUTE", [(0.0, 0.0), (1.0, 1.0), (1.000001, 0.0), (100.0, 0.0)], 1.4)
    deck.add("*CONTROL_TIMESTEP\n,0.1")  # the joint is as stiff as the step allows: its energy goes with dt^2
    switch(deck, 1.0)
    done = solve(deck, tmp_path)
    time = histories(done).read("glstat", "time")
    total = energy(done, "total_energy")[time > 0.99]
    kinetic = energy(done, "kinetic_energy").max()
    assert kinetic > 0.3 * total[0]
    assert total == pytest.approx(total[0], rel=2e-3)
    assert np.abs(energy(done, "joint_internal_energy")).max() < 1e-2 * total[0]


def test_friction_of_a_joint_holds_on(tmp_path: Path) -> None:
    """Friction below its limit and a curve of the angle hold the arm in all phases."""
    deck, _ = jointed("REVOLUTE", [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)], 2.0)
    deck.add("*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,0.,1.,0.\n0.,0.,1.")
    deck.add("*DEFINE_CURVE\n8\n-3.,-60.\n3.,60.")
    deck.add("*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,1,2,7,7\n8\n60.,9.\n,")
    switch(deck, 1.0, 1.5)
    done = solve(deck, tmp_path)
    time, f = series(done, "force")
    later = f[time > 0.99]
    assert later == pytest.approx(np.tile(later[0], (len(later), 1)), abs=1e-5 * np.abs(later[0]).max())
    time = histories(done).read("glstat", "time")
    joint = energy(done, "joint_internal_energy")[time > 0.99]
    assert joint[0] > 0.1 and joint == pytest.approx(joint[0], rel=1e-6)
    assert energy(done, "kinetic_energy").max() < 1e-9 * energy(done, "total_energy").max()


def test_a_body_that_a_node_holds_keeps_its_reaction(tmp_path: Path) -> None:
    """Explicit cycles hold it there by a penalty, which has the force from the first one on."""
    deck = Deck()
    control(deck, steps=4, solution=SOLUTION)
    deck.part(2, "SOLID,1", FREE)
    deck.part(3, "DISCRETE,0", "SPRING_ELASTIC,0.5")
    deck.block(2, (1, 1, 1), (1.0, -1.0, -1.0), (8.0, 2.0, 2.0))
    pivot, tip, side = (deck.node(x) for x in ((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (5.0, 4.0, 1.0)))
    for n in (pivot, tip, side):
        deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{n}")
    deck.add(f"*BOUNDARY_SPC_NODE\n{pivot},0,1,1,1,0,0,0")
    for node, anchor in ((tip, (11.0, 1.0, -20.0)), (tip, (12.0, 30.0, 3.0)), (side, (5.0, 4.0, -20.0))):
        deck.element("DISCRETE", 3, (node, deck.node(anchor, held=7)))
    curve(deck, 7, *CONSTANT)
    deck.add(f"*LOAD_NODE_POINT\n{tip},3,7,3.")
    watch(deck, pivot)
    until(deck, 1.5, 0.05)
    switch(deck, 1.0, 1.3)
    done = solve(deck, tmp_path)
    rows = histories(done)
    time = rows.read("spcforc", "time")
    for axis in "xyz":
        f = np.asarray(rows.read("spcforc", f"{axis}_force"))[time > 0.99]
        # The row with which implicit steps begin is before their first balance.
        f = f[np.abs(time[time > 0.99] - 1.3) > 1e-3]
        assert f == pytest.approx(np.tile(f[0], (len(f), 1)), abs=1e-5), axis
        u = np.ravel(rows.read("nodout", f"{axis}_displacement"))
        assert np.abs(u).max() < 1e-8, axis
    assert energy(done, "kinetic_energy").max() < 1e-9 * energy(done, "total_energy").max()


def tied_blocks(points: list[tuple[float, float]], end: float, steps: int = 2) -> Deck:
    """A block at a gap above another one, tied by springs, pulled at one corner by these points."""
    deck = Deck()
    control(deck, steps, solution=SOLUTION)
    for number in (1, 2):
        deck.part(number, "SOLID,2", f"ELASTIC,{STEEL}")
    below = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    above = deck.block(2, (2, 2, 1), (0.2, 0.3, 1.1), (1.5, 1.6, 1.0))
    deck.set("PART", 1, (1,))
    deck.set("PART", 2, (2,))
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE_OFFSET\n2,1,2,2\n,\n,,-0.5,-0.5")
    deck.set("NODE", 9, below[:4])
    deck.add("*BOUNDARY_SPC_SET\n9,0,1,1,1")
    curve(deck, 7, *points)
    for dof, load in ((1, 0.05), (3, 0.2)):
        deck.add(f"*LOAD_NODE_POINT\n{above[-5]},{dof},7,{load!r}")
    deck.add("*DATABASE_RCFORC\n1.\n*DATABASE_SLEOUT\n1.")
    watch(deck, above[-1])
    until(deck, end, end / 200)
    return deck


def tied_shells(points: list[tuple[float, float]], end: float) -> Deck:
    """A cantilever of two plates tied by springs of displacements and rotations, bent at its tip."""
    deck = Deck()
    control(deck, 2, solution=SOLUTION)
    for number in (1, 2):
        deck.part(number, "SHELL,16,0.8333,2|2.,2.,2.,2.", "ELASTIC,7.85e-6,210.,0.")
    first = deck.plate(1, (5, 2), lambda u, v: (10 * u, 4 * v, 0.0))
    last = deck.plate(2, (5, 2), lambda u, v: (10 + 10 * u, 4 * v, 0.0))
    deck.set("NODE", 7, [row[0] for row in last])
    deck.set("PART", 8, (1,))
    deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_OFFSET\n7,8,4,2\n,\n,")
    deck.set("NODE", 1, [row[0] for row in first])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    curve(deck, 7, *points)
    for row in last:
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,7,1e-2\n{row[-1]},2,7,3e-3")
    deck.add("*DATABASE_RCFORC\n1.\n*DATABASE_SLEOUT\n1.")
    watch(deck, last[1][-1])
    until(deck, end, end / 200)
    return deck


@pytest.mark.parametrize("kind", ["solids", "shells"])
def test_loaded_ties_keep_their_forces(kind: str, tmp_path: Path) -> None:
    """Statics, explicit cycles, statics: the same forces, nothing moves, and energies stay."""
    deck = (tied_blocks if kind == "solids" else tied_shells)(CONSTANT, 1.1)
    switch(deck, 1.0, 1.05)
    done = solve(deck, tmp_path)
    assert len(re.findall("(?:explicit|implicit) from time", done.stdout)) == 2
    rows = histories(done)
    time = rows.read("rcforc", "time")
    scale = 0.2 if kind == "solids" else 3e-2
    assert np.abs(rows.read("rcforc", "z_force")[time > 0.99]) == pytest.approx(scale, rel=1e-5)
    for axis in "xyz":
        f = rows.read("rcforc", f"{axis}_force")[time > 0.99]
        assert len(f) > 10 and f == pytest.approx(np.tile(f[0], (len(f), 1)), abs=1e-5 * scale), axis
    time = rows.read("glstat", "time")
    internal = energy(done, "internal_energy")[time > 0.99]
    assert internal == pytest.approx(internal[0], rel=1e-6)
    assert energy(done, "kinetic_energy").max() < 1e-9 * internal[0]
    for name in ("sliding_interface_energy", "total_energy", "external_work"):
        e = energy(done, name)[time > 0.99]
        assert e == pytest.approx(e[0], abs=1e-6 * internal[0]), name


@pytest.mark.parametrize("kind", ["solids", "shells"])
def test_energy_is_kept_when_tied_parts_are_released(kind: str, tmp_path: Path) -> None:
    released = [(0.0, 0.0), (1.0, 1.0), (1.00000001, 0.0), (100.0, 0.0)]
    end = 1.004 if kind == "solids" else 1.3
    deck = (tied_blocks if kind == "solids" else tied_shells)(released, end)
    until(deck, end, (end - 1.0) / 50)
    deck.add("*CONTROL_TIMESTEP\n,0.45")  # the error of a sum in a step goes with dt^2
    switch(deck, 1.0)
    done = solve(deck, tmp_path)
    time = histories(done).read("glstat", "time")
    total = energy(done, "total_energy")[time > 1.0]
    kinetic = energy(done, "kinetic_energy")
    assert kinetic.max() > 0.1 * total[0]
    assert total == pytest.approx(total[0], rel=0.01)


def everything() -> Deck:
    """A joint with friction, and tied blocks, all loaded, in one deck."""
    deck = tied_blocks([(0.0, 0.0), (0.6, 1.0), (1.0, 0.5), (100.0, 0.5)], 1.0, 10)
    for number, law in ((11, FIXED), (12, FREE)):
        deck.part(number, "SOLID,1", law)
    deck.part(13, "DISCRETE,0", "SPRING_ELASTIC,0.5")
    deck.block(11, (1, 1, 1), (-3.0, 9.0, -1.0), (2.0, 2.0, 2.0))
    deck.block(12, (1, 1, 1), (1.0, 9.0, -1.0), (8.0, 2.0, 2.0))
    hinge(deck, "REVOLUTE", (11, 12), [(0.0, 10.0, 0.0), (0.0, 12.0, 0.0)])
    tip = deck.node((10.0, 10.0, 0.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n12,{tip}")
    deck.element("DISCRETE", 13, (tip, deck.node((11.0, 11.0, -20.0), held=7)))
    deck.add("*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,0.,1.,0.\n0.,0.,1.")
    deck.add("*DEFINE_CURVE\n8\n-3.,-6.\n3.,6.")
    deck.add("*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,11,12,7,7\n8\n6.,0.5\n,")
    deck.add(f"*LOAD_NODE_POINT\n{tip},3,7,0.5")
    until(deck, 1.0, 0.05)
    switch(deck, 0.5, 0.503)
    return deck


@pytest.mark.parametrize("where", ["first", "explicit", "last", "at the change"])
def test_stopped_in_any_phase(where: str, tmp_path: Path) -> None:
    """Loads of joints and ties are in dumps: a run of three phases goes on with the same bits."""
    whole = solve(everything(), tmp_path)
    plan = [int(c) for c in re.findall(r"^ step +(\d+)  converged", whole.stdout, re.M)]
    gap = max(range(1, len(plan)), key=lambda k: plan[k] - plan[k - 1])
    first, last = plan[gap - 1], plan[gap]
    assert last - first > 10
    cycle = {"first": first - 1, "explicit": (first + last) // 2, "last": last, "at the change": first}[where]
    given = ("--double-files", f"ncycle={cycle}", "--dump-cycles", str(cycle))
    out = run(tmp_path / "deck.k", tmp_path / "parts", *given).directory
    rest = run(None, out, f"r={out / 'runrsf'}")
    assert rest.status == 0, rest.said[-3000:]
    assert rest.hash == whole.hash
    assert different_files(out, whole.directory) == []
