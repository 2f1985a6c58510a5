"""Joints, ties by springs and rigid walls in implicit runs, against statics by hand."""

from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, plot, prescribe, residuals, solve
from small_decks import STEEL, Deck
from solver_run import Run

YOUNG = 210.0
FIXED = f"RIGID,{STEEL}|1.,7,7|"
FREE = f"RIGID,{STEEL}|0.|"


def hinge(
    deck: Deck, kind: str, bodies: tuple[int, int], places: list[tuple[float, float, float]]
) -> list[int]:
    """A joint with pairs of nodes at these places; returns its nodes."""
    nodes = []
    for place in places:
        for body in bodies:
            nodes.append(deck.node(place))
            deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n{body},{nodes[-1]}")
    deck.add(f"*CONSTRAINED_JOINT_{kind}_ID\n5,hinge\n{','.join(map(str, nodes))}\n*DATABASE_JNTFORC\n1.")
    return nodes


def joint_rows(done: Run, what: str) -> np.ndarray:
    rows = histories(done)
    return np.array([float(np.ravel(rows.read("jntforc", "joints", f"{a}_{what}")[-1])[0]) for a in "xyz"])


def pendulum(kind: str, places: list[tuple[float, float, float]]) -> tuple[Deck, list[int], int, np.ndarray]:
    """A rigid block on a hinge at the origin, with a spring and a force at its tip that turn it far."""
    deck = Deck()
    control(deck, steps=4, end=4.0)
    deck.part(1, "SOLID,1", FIXED)
    deck.part(2, "SOLID,1", FREE)
    deck.part(3, "DISCRETE,0", "SPRING_ELASTIC,0.5")
    deck.block(1, (1, 1, 1), (-3.0, -1.0, -1.0), (2.0, 2.0, 2.0))
    deck.block(2, (1, 1, 1), (1.0, -1.0, -1.0), (8.0, 2.0, 2.0))
    nodes = hinge(deck, kind, (1, 2), places)
    tip = deck.node((10.0, 0.0, 0.0))
    anchor = (11.0, 1.0 if kind == "SPHERICAL" else 0.0, -20.0)
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{tip}")
    deck.element("DISCRETE", 3, (tip, deck.node(anchor, held=7)))
    if kind == "SPHERICAL":  # its twist is free: a spring holds it
        side = deck.node((5.0, 4.0, 0.0))
        deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{side}")
        deck.element("DISCRETE", 3, (side, deck.node((5.0, 4.0, -20.0), held=7)))
        deck.element("DISCRETE", 3, (tip, deck.node((10.0, 30.0, 0.0), held=7)))
    deck.add(f"*LOAD_NODE_POINT\n{tip},3,1,5.")
    return deck, nodes, tip, np.array(anchor)


def test_revolute_pendulum(tmp_path):
    """The moment about the axis is in balance after a turn by more than 30 degrees; jntforc has the rest."""
    deck, nodes, tip, anchor = pendulum("REVOLUTE", [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)])
    done = solve(deck, tmp_path, threads=2)
    u = displacements(done)
    now = np.array([10.0, 0.0, 0.0]) + u[tip - 1]
    assert np.linalg.norm(now) == pytest.approx(10.0, rel=1e-4)
    assert np.degrees(np.arctan2(now[2], now[0])) > 30
    pull = anchor - now
    spring = 0.5 * (np.linalg.norm(pull) - np.hypot(1.0, 20.0)) * pull / np.linalg.norm(pull)
    force = spring + [0.0, 0.0, 5.0]
    assert np.cross(now, force)[1] == pytest.approx(0.0, abs=1e-5)
    for a, b in (nodes[:2], nodes[2:]):
        assert np.linalg.norm(u[a - 1] - u[b - 1]) < 1e-3
    assert joint_rows(done, "force") == pytest.approx(force, rel=1e-5, abs=1e-8)
    for step in residuals(done):
        assert len(step) < 12 and step[-1] < 1e-8
    assert solve(deck, tmp_path / "one", threads=1).hash == done.hash


def test_spherical_pendulum(tmp_path):
    """All moments about the joint are in balance."""
    deck, nodes, tip, anchor = pendulum("SPHERICAL", [(0.0, 0.0, 0.0)])
    done = solve(deck, tmp_path)
    u = displacements(done)
    moment, total = np.zeros(3), np.zeros(3)
    side = tip + 2
    springs = [(tip, (10, 0, 0), anchor), (side, (5, 4, 0), (5, 4, -20)), (tip, (10, 0, 0), (10, 30, 0))]
    for node, start, end in springs:
        now, to = np.array(start, float) + u[node - 1], np.array(end, float)
        rest = np.linalg.norm(to - start)
        f = 0.5 * (np.linalg.norm(to - now) - rest) * (to - now) / np.linalg.norm(to - now)
        moment += np.cross(now, f)
        total += f
    now = np.array([10.0, 0.0, 0.0]) + u[tip - 1]
    moment += np.cross(now, [0.0, 0.0, 5.0])
    total += [0.0, 0.0, 5.0]
    assert moment == pytest.approx(0.0, abs=1e-4)
    assert joint_rows(done, "force") == pytest.approx(total, rel=1e-4, abs=1e-6)
    assert np.linalg.norm(u[nodes[0] - 1] - u[nodes[1] - 1]) < 1e-3


def test_moment_of_a_joint_by_its_angle(tmp_path):
    """A revolute joint with a curve of its angle holds the moment of a force at the tip."""
    deck, _, tip, _ = pendulum("REVOLUTE", [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)])
    k = deck.lines.index("*ELEMENT_DISCRETE")
    del deck.lines[k : k + 2]
    deck.add("*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,0.,1.,0.\n0.,0.,1.")  # x along the hinge
    deck.add("*DEFINE_CURVE\n8\n-3.,-120.\n3.,120.")
    deck.add("*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,1,2,7,7\n8,0,0,0,0,0\n,\n,")
    done = solve(deck, tmp_path)
    now = np.array([10.0, 0.0, 0.0]) + displacements(done)[tip - 1]
    angle = np.arctan2(now[2], now[0])
    assert 40.0 * angle == pytest.approx(5.0 * now[0], rel=1e-4)
    assert angle > 0.7


def test_block_on_a_wall(tmp_path):
    """A gap closes, and the wall presses a column of bricks together; the forces at both ends are equal."""
    deck = Deck()
    control(deck, steps=4, end=4.0)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.")
    ids = deck.block(1, (2, 2, 4), (0.0, 0.0, 0.02), (5.0, 5.0, 10.0))
    deck.set("NODE", 1, ids[-9:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,0")
    for n in ids[-9:]:
        prescribe(deck, n, (-0.05,), (3,))
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,0.,0.,0.,1.,0.")
    done = solve(deck, tmp_path)
    force = float(np.ravel(histories(done).read("rwforc", "forces", "normal_force")[-1])[0])
    u = displacements(done)
    bottom = u[np.array(ids[:9]) - 1, 2]
    inside = -(bottom.mean() + 0.02)
    assert 0 < inside < 0.005
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)[:, 2]
    assert stress.mean() * 25.0 == pytest.approx(-force, rel=1e-3)
    assert stress.mean() == pytest.approx(YOUNG * np.log(1 - (0.05 + bottom.mean()) / 10.0), rel=1e-2)
    assert max(len(step) for step in residuals(done)) < 12


def test_block_rubs_on_a_wall(tmp_path):
    """A rigid plate is pressed down and drawn along: the wall answers with FRIC times the force."""
    deck = Deck()
    control(deck, steps=8, end=8.0, solution="12,1,40,1e-7,1e-12,1e-6")
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.part(2, "SHELL,2,0.8333,2|1.,1.,1.,1.", FREE.replace("|0.|", "|1.,0,7|"))
    ids = deck.block(1, (2, 2, 1), (0.0, 0.0, 0.0), (4.0, 4.0, 2.0))
    deck.plate(2, (1, 1), lambda u, v: (4 * u, 4 * v, 3.0))
    deck.set("NODE", 1, ids[-9:])
    deck.add("*CONSTRAINED_EXTRA_NODES_SET\n2,1\n*RIGIDWALL_PLANAR\n0\n0.,0.,0.,0.,0.,1.,0.3")
    deck.add("*DEFINE_CURVE\n8\n0.,0.\n1.,1.\n9.,1.\n*DEFINE_CURVE\n9\n0.,0.\n1.,0.\n9.,1.")
    deck.add("*LOAD_RIGID_BODY\n2,3,8,-0.5\n*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,1,2,9,0.5")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,2,2,2,1.")
    done = solve(deck, tmp_path)
    rows = histories(done)
    forces = [float(np.ravel(rows.read("rwforc", "forces", f"{a}_force")[-1])[0]) for a in "xyz"]
    assert forces[2] == pytest.approx(0.5, rel=1e-6)
    assert forces[0] == pytest.approx(-0.3 * 0.5, rel=1e-5)


def rotation(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    n = np.array(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def two_blocks(load: float) -> tuple[Deck, list[int], list[int]]:
    """A block at a gap above another one, tied by springs."""
    deck = Deck()
    control(deck)
    for number in (1, 2):
        deck.part(number, "SOLID,2", f"ELASTIC,{STEEL}")
    below = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    above = deck.block(2, (2, 2, 1), (0.2, 0.3, 1.1), (1.5, 1.6, 1.0))
    deck.set("PART", 1, (1,))
    deck.set("PART", 2, (2,))
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE_OFFSET\n2,1,2,2\n,\n,,-0.5,-0.5")
    if load:
        deck.add(f"*LOAD_NODE_POINT\n{above[-5]},3,1,{load!r}")
    return deck, below, above


def coordinates(deck: Deck) -> np.ndarray:
    rows = [deck.lines[k + 1].split(",")[1:4] for k, line in enumerate(deck.lines) if line == "*NODE"]
    return np.array(rows, float)


def test_spring_ties_turn_with_their_segment(tmp_path):
    """The lower block is turned by 10 degrees in one step: no stress, no force."""
    deck, below, _ = two_blocks(0.0)
    x = coordinates(deck)
    turn = rotation((1, 2, 2), np.radians(10))
    for n in below:
        prescribe(deck, n, (turn - np.eye(3)) @ x[n - 1])
    done = solve(deck, tmp_path)
    assert displacements(done) == pytest.approx(x @ turn.T - x, abs=1e-7)
    assert np.abs(plot(done)["element_solid_stress"][-1]).max() < 1e-8 * YOUNG


def test_spring_ties_carry_a_load(tmp_path):
    """rcforc has the load, and the gap opens by a hundredth of what a brick stretches."""
    deck, below, _ = two_blocks(0.2)
    deck.set("NODE", 9, below[:4])
    deck.add("*BOUNDARY_SPC_SET\n9,0,1,1,1")
    done = solve(deck, tmp_path)
    force = histories(done).read("rcforc", "z_force")[-1]
    assert np.abs(force) == pytest.approx(0.2, rel=1e-9)
    assert len(residuals(done)[0]) < 8


def test_shell_edge_tied_by_springs(tmp_path: Path):
    """A cantilever of two plates that are tied side to side, against one plate."""
    length, width, load = 100.0, 10.0, 1e-5

    def tip(tied: bool) -> float:
        deck = Deck()
        control(deck, solution="12,1,,1e-7,1e-12,1e-6")
        for number in (1, 2) if tied else (1,):
            deck.part(number, "SHELL,16,0.8333,2|2.,2.,2.,2.", "ELASTIC,7.85e-6,210.,0.")
        if tied:
            first = deck.plate(1, (20, 4), lambda u, v: (50 * u, width * v, 0.0))
            last = deck.plate(2, (20, 4), lambda u, v: (50 + 50 * u, width * v, 0.0))
            deck.set("NODE", 7, [row[0] for row in last])
            deck.set("PART", 8, (1,))
            deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_OFFSET\n7,8,4,2\n,\n,")
        else:
            first = last = deck.plate(1, (40, 4), lambda u, v: (length * u, width * v, 0.0))
        deck.set("NODE", 1, [row[0] for row in first])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
        for j, row in enumerate(last):
            deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,1,{load * (0.5 if j in (0, 4) else 1.0) / 4!r}")
        done = solve(deck, tmp_path / str(tied))
        return float(displacements(done)[last[2][-1] - 1, 2])

    assert tip(True) == pytest.approx(tip(False), rel=1e-3)


@pytest.mark.parametrize("tied", ["SURFACE_TO_SURFACE", "SURFACE_TO_SURFACE_OFFSET"])
def test_ties_end_at_their_death(tied, tmp_path):
    """Two blocks that are drawn apart: stress until the first step that begins after DEATH, then none."""
    deck = Deck()
    control(deck, steps=4, end=4.0)
    for number in (1, 2):
        deck.part(number, "SOLID,1", "ELASTIC,7.85e-6,210.,0.")
    below = deck.block(1, (2, 2, 1), (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    above = deck.block(2, (2, 2, 1), (0.0, 0.0, 1.0), (2.0, 2.0, 1.0))
    deck.set("PART", 1, (1,))
    deck.set("PART", 2, (2,))
    deck.add(f"*CONTACT_TIED_{tied}\n2,1,2,2\n0.,0.,0.,0.,0.,0,0.,2.5\n,")
    deck.set("NODE", 9, below[:9])
    deck.add("*BOUNDARY_SPC_SET\n9,0,1,1,1")
    for n in above[-9:]:
        prescribe(deck, n, (0.0, 0.0, 0.004))
    done = solve(deck, tmp_path)
    stress = plot(done)["element_solid_stress"].mean(axis=2)[-4:, :, 2]
    for k, part in enumerate((0.25, 0.5, 0.75)):
        assert stress[k] == pytest.approx(part * YOUNG * 0.002, rel=0.02)
    assert np.abs(stress[3]).max() < 1e-8


def test_common_motion_ends_at_tf(tmp_path):
    """Two bars whose ends move together, one of which is loaded; after TF only that one is stretched."""
    deck = Deck()
    control(deck, steps=4, end=4.0)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.")
    bars = [deck.block(1, (1, 1, 1), (0.0, 3.0 * p, 0.0), (2.0, 1.0, 1.0)) for p in (1, 2)]
    deck.set("NODE", 1, [n for bar in bars for n in bar[0::2]])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    ends = [n for bar in bars for n in bar[1::2]]
    deck.set("NODE", 5, ends)
    deck.add("*CONSTRAINED_NODE_SET\n5,1,2.")
    for n in ends[:4]:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,0.1")
    done = solve(deck, tmp_path)
    stress = plot(done)["element_solid_stress"].mean(axis=2)[-4:, :, 0]
    assert stress[:2] == pytest.approx(np.outer([0.25, 0.5], [0.2, 0.2]), rel=0.01)
    assert stress[2:] == pytest.approx(np.outer([0.75, 1.0], [0.4, 0.0]), rel=0.01, abs=1e-9)


def test_gravity_on_a_part(tmp_path):
    """The supports hold the weight of the part that is pulled, and not that of the other."""
    deck = Deck()
    control(deck)
    for number in (1, 2):
        deck.part(number, "SOLID,1", f"ELASTIC,{STEEL}")
    low = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    other = deck.block(2, (1, 1, 1), (5.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    deck.set("NODE", 1, [*low[:4], *other[:4]])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*LOAD_GRAVITY_PART\n1,3,1,9.81e-3")
    done = solve(deck, tmp_path)
    force = histories(done).read("spcforc", "z_force")[-1]
    assert force.sum() == pytest.approx(7.85e-6 * 4.0 * 9.81e-3, rel=1e-9)
    assert displacements(done)[other[-1] - 1] == pytest.approx(0.0, abs=1e-12)
