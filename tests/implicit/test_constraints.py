"""Motion by elimination: rigid bodies, node sets, interpolations, tied contacts."""

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, plot, prescribe, residuals, solve
from small_decks import STEEL, Deck
from solver_run import run

YOUNG = 210.0
RIGID = "RIGID,7.85e-6,210.,0.3|0.|"


def rotation(axis, angle: float) -> np.ndarray:
    """Matrix of a turn about an axis."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def rigid_block(deck: Deck, part: int, low, size, cells=(1, 1, 1), law: str = RIGID) -> list[int]:
    deck.part(part, "SOLID,1", law)
    return deck.block(part, cells, low, size)


def test_body_turned_by_90_degrees_in_one_step(tmp_path):
    """Nodes go where the turn takes them; two springs in a row to one of them share their elongation."""
    deck = Deck()
    control(deck)
    ids = rigid_block(deck, 1, (0.0, 0.0, 0.0), (2.0, 1.0, 1.0))
    x = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 2)], float)
    for number, k in ((2, 2.0), (3, 3.0)):
        deck.part(number, "DISCRETE,0", f"SPRING_ELASTIC,{k}")
    middle, end = deck.node((5.0, 0.0, 0.0)), deck.node((8.0, 0.0, 0.0))
    deck.element("DISCRETE", 2, (ids[1], middle))
    deck.element("DISCRETE", 3, (middle, end))
    # The last spring is along x and is held there: the middle node moves along x only.
    deck.add(f"*ELEMENT_MASS\n91,{middle},1.\n92,{end},1.")
    deck.add(f"*BOUNDARY_SPC_NODE\n{end},0,1,1,1\n{middle},0,0,1,1")
    for dof in (1, 2, 3, 5, 6):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,{dof},2,2,1.0")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,7,2,1,{np.pi / 2!r}")
    deck.add("*DATABASE_RBDOUT\n1.0")
    done = solve(deck, tmp_path)
    turn = rotation((0, 0, 1), np.pi / 2)
    centre = x.mean(axis=0)
    u = displacements(done)
    assert u[:8] == pytest.approx((x - centre) @ turn.T + centre - x, abs=1e-12)
    corner = x[1] + u[1]

    def out_of_balance(a):
        first, second = np.linalg.norm([a, 0, 0] - corner), 8.0 - a
        return 2.0 * (first - 3.0) * (a - corner[0]) / first - 3.0 * (second - 3.0)

    low, high = 4.0, 8.0
    for _ in range(80):
        mid = (low + high) / 2
        low, high = (mid, high) if out_of_balance(mid) < 0 else (low, mid)
    assert 5.0 + u[middle - 1, 0] == pytest.approx(low, abs=1e-9)
    rows = histories(done)
    arm = corner - centre
    pull = np.array([low, 0, 0]) - corner
    force = 2.0 * (np.linalg.norm(pull) - 3.0) * pull / np.linalg.norm(pull)
    drive = [rows.read("bndout", "velocity", "rigidbodies", f"{c}_force")[-1] for c in "xyz"]
    assert np.ravel(drive) == pytest.approx(-force, abs=1e-9)
    moment = np.ravel(rows.read("bndout", "velocity", "rigidbodies", "zmoment")[-1])
    assert moment == pytest.approx(-np.cross(arm, force)[2], abs=1e-9)
    body = {name: np.ravel(rows.read("rbdout", name)[-1]) for name in ("global_x", "global_rdz", "global_dx")}
    assert body["global_x"] == pytest.approx(centre[0], abs=1e-12)
    assert body["global_rdz"] == pytest.approx(np.pi / 2, abs=1e-12)
    assert body["global_dx"] == pytest.approx(0.0, abs=1e-12)


def test_elements_between_two_bodies_turn_with_them(tmp_path):
    """Both ends of a bar of bricks are rigid and turn by 60 degrees about one point: no stress."""
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    ids = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    x = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 1)], float)
    deck.set("NODE", 5, ids)
    deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n77,0,5")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n77,5,2,1,{np.pi / 3!r}")
    for dof in (1, 2, 3, 6, 7):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n77,{dof},2,2,1.0")
    done = solve(deck, tmp_path)
    centre = x.mean(axis=0)
    turn = rotation((1, 0, 0), np.pi / 3)
    assert displacements(done) == pytest.approx((x - centre) @ turn.T + centre - x, abs=1e-12)
    assert np.abs(plot(done)["element_solid_stress"][-1]).max() < 1e-10 * YOUNG


@pytest.mark.parametrize("what", ["force", "moment"])
def test_cantilever_with_a_spider(what, tmp_path):
    """A nodal rigid body on the end face carries a force, or a moment, at a node in its middle."""
    length, depth = 100.0, 10.0
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", "ELASTIC,7.85e-6,210.,0.")
    nx, cells = 41, (40, 4, 4)
    ids = deck.block(1, cells, (0.0, 0.0, 0.0), (length, depth, depth))
    deck.set("NODE", 1, ids[0::nx])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    tip = deck.node((length, depth / 2, depth / 2))
    deck.set("NODE", 5, [*ids[nx - 1 :: nx], tip])
    deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n77,0,5")
    size = 1e-3 if what == "force" else 0.1
    deck.add(
        f"*LOAD_NODE_POINT\n{tip},{3 if what == 'force' else 6},1,{-size if what == 'force' else size!r}"
    )
    done = solve(deck, tmp_path)
    inertia = depth**4 / 12
    if what == "force":
        exact = size * length**3 / (3 * YOUNG * inertia) + size * length / (5 / 6 * YOUNG / 2 * depth**2)
        slope = size * length**2 / (2 * YOUNG * inertia)
    else:
        exact = size * length**2 / (2 * YOUNG * inertia)
        slope = size * length / (YOUNG * inertia)
    u = displacements(done)
    assert -u[tip - 1, 2] == pytest.approx(exact, rel=0.015)
    top, bottom = ids[-1], ids[nx - 1]
    assert (u[top - 1, 0] - u[bottom - 1, 0]) / depth == pytest.approx(slope, rel=0.01)
    rows = histories(done)
    forces = rows.read("spcforc", "z_force")[-1].sum()
    assert forces == pytest.approx(size if what == "force" else 0.0, abs=1e-9)
    work = rows.read("glstat", "external_work")[-1]
    assert work == pytest.approx(0.5 * size * (-u[tip - 1, 2] if what == "force" else slope), rel=0.01)


def hinged_lever(steps: int = 1, nodes: int = 1) -> tuple[Deck, list[int], int]:
    """A rigid lever of length 10 that turns about its end, held by a spring at its other end.

    One node of the hinge is held with two rotations, or two nodes are held without.
    """
    deck = Deck()
    control(deck, steps=steps)
    ids = rigid_block(deck, 1, (0.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    deck.part(2, "DISCRETE,0", "SPRING_ELASTIC,0.3")
    hook = deck.node((10.0, -20.0, 0.0))
    deck.element("DISCRETE", 2, (ids[1], hook))
    deck.add(f"*ELEMENT_MASS\n91,{hook},1.\n*BOUNDARY_SPC_NODE\n{hook},0,1,1,1")
    if nodes == 1:
        deck.add(f"*BOUNDARY_SPC_NODE\n{ids[0]},0,1,1,1,1,1,0")
    else:
        deck.add(f"*BOUNDARY_SPC_NODE\n{ids[0]},0,1,1,1\n{ids[4]},0,1,1,1")
    return deck, ids, hook


@pytest.mark.parametrize("nodes", [1, 2])
def test_lever_converges_quadratically_after_a_large_turn(nodes, tmp_path):
    """The angle is that of the energy's minimum; near it errors are squared."""
    deck, ids, _ = hinged_lever(nodes=nodes)
    load = 4.0
    deck.add(f"*LOAD_NODE_POINT\n{ids[1]},2,1,{load}")
    done = solve(deck, tmp_path)
    u = displacements(done)
    x = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 10)], float)

    def moment(angle):
        end = 10 * np.array([np.cos(angle), np.sin(angle)])
        pull = np.array([10.0, -20.0]) - end
        force = 0.3 * (np.linalg.norm(pull) - 20.0) * pull / np.linalg.norm(pull) + [0, load]
        return end[0] * force[1] - end[1] * force[0]

    low, high = 0.0, np.pi / 2
    for _ in range(80):
        mid = (low + high) / 2
        low, high = (mid, high) if moment(mid) > 0 else (low, mid)
    assert low > 0.5  # about 40 degrees
    turn = rotation((0, 0, 1), low)
    assert u[:8] == pytest.approx(x @ turn.T - x, abs=1e-9)
    r = residuals(done)[0]
    fast = [(a, b) for a, b in zip(r, r[1:], strict=False) if 1e-7 < a < 1e-2]
    assert fast
    assert all(b < 10 * a**2 + 1e-12 for a, b in fast)
    rows = histories(done)
    # The hinge balances spring and load.
    end = 10 * np.array([np.cos(low), np.sin(low)])
    pull = np.array([10.0, -20.0]) - end
    spring = 0.3 * (np.linalg.norm(pull) - 20.0) * pull / np.linalg.norm(pull)
    forces = [rows.read("spcforc", f"{c}_force")[-1] for c in "xy"]
    assert sum(forces[0]) == pytest.approx(0.0, abs=1e-9)
    assert sum(forces[1]) == pytest.approx(-load, abs=1e-9)
    largest = abs(spring[0])
    if nodes == 2:  # the force at z = 0 is at the first node, but the lever of the other one is its moment
        assert len(forces[0]) == 3
    assert np.abs(forces[0]).max() == pytest.approx(largest, abs=1e-9)


def test_rollers_on_a_body_that_turns_are_refused(tmp_path):
    deck = Deck()
    control(deck)
    ids = rigid_block(deck, 1, (0.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    deck.add(f"*BOUNDARY_SPC_NODE\n{ids[0]},0,1,1,1\n{ids[1]},0,0,1,0")
    done = solve(deck, tmp_path, status=2)
    assert "CR-I101: the rigid body of part 1: translations of its nodes (4 of them" in done.said


def test_half_a_turn_in_a_step_is_made_in_smaller_ones(tmp_path):
    deck = Deck()
    control(deck, automatic="1,11,5,1e-3,1.")
    ids = rigid_block(deck, 1, (0.0, 0.0, 0.0), (2.0, 1.0, 1.0))
    for dof in (1, 2, 3, 5, 6):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,{dof},2,2,1.0")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,7,2,1,{np.pi!r}")
    deck.part(2, "DISCRETE,0", "SPRING_ELASTIC,2.")
    hook = deck.node((5.0, 0.0, 0.0))
    deck.element("DISCRETE", 2, (ids[1], hook))
    deck.add(f"*ELEMENT_MASS\n91,{hook},1.\n*BOUNDARY_SPC_NODE\n{hook},0,1,1,1")
    done = solve(deck, tmp_path)
    assert "the rigid body of part 1 is to turn by 180 degrees" in done.stdout
    assert displacements(done)[ids[0] - 1] == pytest.approx([2.0, 1.0, 0.0], abs=1e-9)


def body_on_springs(steps: int, couple: bool) -> tuple[Deck, list[int], list]:
    """A rigid block of 4 x 3 x 2 on six springs, with forces and a couple, or a moment of fixed axis."""
    deck = Deck()
    control(deck, steps=steps, solution="12,1,40,1e-9,1e-18,1e-9,,1e-20")
    ids = rigid_block(deck, 1, (0.0, 0.0, 0.0), (4.0, 3.0, 2.0))
    deck.part(2, "DISCRETE,0", "SPRING_ELASTIC,1.")
    hooks = [(-5.0, -1.0, 0.0), (8.0, -3.0, 1.0), (2.0, 9.0, -2.0)]
    hooks += [(1.0, 2.0, 9.0), (9.0, 5.0, 5.0), (-4.0, 5.0, 3.0)]
    for hook, corner in zip(hooks, HOOKED, strict=True):
        n = deck.node(hook)
        deck.element("DISCRETE", 2, (n, ids[corner]))
        deck.add(f"*ELEMENT_MASS\n{900 + n},{n},1.\n*BOUNDARY_SPC_NODE\n{n},0,1,1,1")
    deck.add(f"*LOAD_RIGID_BODY\n1,1,1,1.5\n1,3,1,-1.0\n*DATABASE_RBDOUT\n{1 / steps}")
    if couple:
        deck.add(f"*LOAD_NODE_POINT\n{ids[0]},2,1,-1.5\n{ids[7]},2,1,1.5")
    else:
        deck.add("*LOAD_RIGID_BODY\n1,7,1,6.0\n1,5,1,3.0")
    return deck, ids, hooks


HOOKED = (0, 1, 2, 5, 7, 6)  #: corners of the block


@pytest.mark.parametrize("couple", [True, False])
def test_work_on_a_body_is_the_energy_of_its_springs(couple, tmp_path):
    rows = histories(solve(body_on_springs(40, couple)[0], tmp_path))
    work, energy = (rows.read("glstat", name)[-1] for name in ("external_work", "total_energy"))
    assert work == pytest.approx(energy, rel=0.005)


@pytest.mark.parametrize("couple", [True, False])
def test_free_body_in_space_turns_about_all_axes(couple, tmp_path):
    """A rigid block on springs turns far under forces: quadratic. A moment of fixed axis has no potential."""
    deck, _, hooks = body_on_springs(2, couple)
    done = solve(deck, tmp_path)
    rows = histories(done)
    turned = np.array([np.ravel(rows.read("rbdout", f"global_rd{c}")[-1])[0] for c in "xyz"])
    assert np.linalg.norm(turned) > 0.3
    x = np.array([[i, j, k] for k in (0, 2) for j in (0, 3) for i in (0, 4)], float)
    now = x + displacements(done)[:8]
    assert np.linalg.norm(now[7] - now[0]) == pytest.approx(np.linalg.norm(x[7] - x[0]), abs=1e-12)
    forces = np.zeros((6, 3))
    arms = np.zeros((6, 3))
    for k, (hook, corner) in enumerate(zip(hooks, HOOKED, strict=True)):
        pull = np.array(hook) - now[corner]
        rest = np.linalg.norm(np.array(hook) - x[corner])
        forces[k] = (np.linalg.norm(pull) - rest) * pull / np.linalg.norm(pull)
        arms[k] = now[corner] - now.mean(axis=0)
    assert forces.sum(axis=0) == pytest.approx([-1.5, 0.0, 1.0], abs=1e-8)
    load = np.cross(now[7] - now[0], [0.0, 1.5, 0.0]) if couple else np.array([3.0, 0.0, 6.0])
    assert np.cross(arms, forces).sum(axis=0) == pytest.approx(-load, abs=1e-7)
    for r in residuals(done) if couple else []:
        fast = [(a, b) for a, b in zip(r, r[1:], strict=False) if 1e-7 < a < 1e-3]
        assert fast
        assert all(b < 100 * a**2 + 1e-12 for a, b in fast), r


def test_weight_of_a_rigid_body(tmp_path):
    """CMO holds it but along z, where a spring carries its weight; its mass is given by its elements."""
    deck = Deck()
    control(deck)
    ids = rigid_block(deck, 1, (0.0, 0.0, 0.0), (2.0, 2.0, 2.0), law="RIGID,7.85e-6,210.,0.3|1.,4,7|")
    deck.part(2, "DISCRETE,0", "SPRING_ELASTIC,0.5")
    hook = deck.node((0.0, 0.0, 10.0))
    deck.element("DISCRETE", 2, (ids[4], hook))
    deck.add(f"*ELEMENT_MASS\n91,{hook},1.\n*BOUNDARY_SPC_NODE\n{hook},0,1,1,1\n*LOAD_BODY_Z\n1,100.")
    done = solve(deck, tmp_path)
    weight = 100.0 * 8 * 7.85e-6
    u = displacements(done)[:8]
    assert u[:, 2] == pytest.approx(-weight / 0.5, rel=1e-9)
    assert u[:, :2] == pytest.approx(0.0, abs=1e-15)
    assert histories(done).read("glstat", "external_work")[-1] == pytest.approx(
        0.5 * weight**2 / 0.5, rel=1e-9
    )


def two_blocks(
    upper: tuple[int, int, int], lower: tuple[int, int, int], tied: str
) -> tuple[Deck, list, list]:
    """Blocks of 2 x 2 x 1, one on the other, tied; nodes of both."""
    deck = Deck()
    control(deck)
    for number in (1, 2):
        deck.part(number, "SOLID,2", f"ELASTIC,{STEEL}")
    below = deck.block(1, lower, (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    above = deck.block(2, upper, (0.0, 0.0, 1.0), (2.0, 2.0, 1.0))
    deck.set("PART", 1, (1,))
    deck.set("PART", 2, (2,))
    deck.add(f"*CONTACT_TIED_{tied}\n2,1,2,2\n,\n,")
    return deck, below, above


def coordinates(deck: Deck) -> np.ndarray:
    lines = deck.lines
    rows = [lines[k + 1].split(",")[1:4] for k, line in enumerate(lines) if line == "*NODE"]
    return np.array(rows, float)


def test_tied_blocks_pass_the_patch_test(tmp_path):
    """A finer mesh on a coarser one that its nodes fit into: the field is linear, the stress uniform."""
    deck, below, above = two_blocks((4, 4, 2), (2, 2, 2), "SURFACE_TO_SURFACE")
    x = coordinates(deck)
    gradient = 1e-3 * np.array([[1.0, 0.5, -0.3], [0.2, -0.7, 0.4], [0.1, 0.6, 0.8]])
    for n in [*below, *above]:
        on_side = np.isclose(x[n - 1, :2] % 2.0, 0.0).any() or np.isclose(x[n - 1, 2] % 2.0, 0.0)
        tied = n in above and x[n - 1, 2] == 1.0
        if on_side and not tied:
            prescribe(deck, n, gradient @ x[n - 1])
    done = solve(deck, tmp_path)
    assert displacements(done) == pytest.approx(x @ gradient.T, abs=1e-10)
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)
    assert np.ptp(stress, axis=0).max() < 1e-8 * np.abs(stress).max()


@pytest.mark.parametrize("upper", [(3, 3, 2), (4, 4, 2)])
def test_tied_blocks_under_tension(upper, tmp_path):
    """Non-matching meshes, against the exact stretch; the tie's force is the load."""
    deck, below, above = two_blocks(upper, (2, 2, 2), "SURFACE_TO_SURFACE")
    deck.lines = [line.replace(STEEL, "7.85e-6,210.,0.") for line in deck.lines]
    x = coordinates(deck)
    held = [n for n in below if x[n - 1, 2] == 0.0]
    deck.set("NODE", 9, held)
    deck.add("*BOUNDARY_SPC_SET\n9,0,1,1,1")
    top = np.array([n for n in above if x[n - 1, 2] == 2.0])
    stress = 0.21
    cell = 4.0 / (upper[0] * upper[1])
    for n in top:
        share = cell * float(np.prod([0.5 if v in (0.0, 2.0) else 1.0 for v in x[n - 1, :2]]))
        deck.add(f"*LOAD_NODE_POINT\n{n},3,1,{stress * share!r}")
    done = solve(deck, tmp_path)
    u = displacements(done)
    assert u[top - 1, 2].mean() == pytest.approx(2.0 * stress / YOUNG, rel=0.01 if upper[0] == 4 else 0.03)
    force = histories(done).read("rcforc", "z_force")[-1]
    assert np.abs(force) == pytest.approx(4.0 * stress, rel=1e-9)


@pytest.mark.parametrize(("across", "within"), [(4, 1e-6), (2, 0.02)])
def test_tied_shell_edge_carries_moments(across, within, tmp_path):
    """A cantilever of two plates that meet side to side, tied with rotations, against one plate.

    Where only every other node of the edge is tied, the others are free to bend: a local softness.
    """
    length, width = 100.0, 10.0
    load = 1e-5

    def plates(tied: bool) -> float:
        deck = Deck()
        control(deck)
        for number in (1, 2) if tied else (1,):
            deck.part(number, "SHELL,16,0.8333,2|2.,2.,2.,2.", "ELASTIC,7.85e-6,210.,0.")
        if tied:
            first = deck.plate(1, (20, 4), lambda u, v: (50 * u, width * v, 0.0))
            last = deck.plate(2, (20, across), lambda u, v: (50 + 50 * u, width * v, 0.0))
            deck.set("NODE", 7, [row[0] for row in last])
            deck.set("PART", 8, (1,))
            deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE\n7,8,4,2\n,\n,")
        else:
            first = last = deck.plate(1, (40, 4), lambda u, v: (length * u, width * v, 0.0))
        deck.set("NODE", 1, [row[0] for row in first])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
        n = len(last) - 1
        for j, row in enumerate(last):
            deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,1,{load * (0.5 if j in (0, n) else 1.0) / n!r}")
        done = solve(deck, tmp_path / str(tied))
        return displacements(done)[last[n // 2][-1] - 1, 2]

    assert plates(True) == pytest.approx(plates(False), rel=within)


def test_tie_with_an_arm_turns_with_its_segment(tmp_path):
    """A block at a gap above another one, whose nodes are turned by 10 degrees in one step: no stress."""
    deck = Deck()
    control(deck)
    for number in (1, 2):
        deck.part(number, "SOLID,2", f"ELASTIC,{STEEL}")
    below = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    deck.block(2, (2, 2, 1), (0.2, 0.3, 1.1), (1.5, 1.6, 1.0))
    deck.set("PART", 1, (1,))
    deck.set("PART", 2, (2,))
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE_CONSTRAINED_OFFSET\n2,1,2,2\n,\n,,-0.5,-0.5")
    x = coordinates(deck)
    turn = rotation((1, 2, 2), np.radians(10))
    for n in below:
        prescribe(deck, n, (turn - np.eye(3)) @ x[n - 1])
    done = solve(deck, tmp_path)
    assert displacements(done) == pytest.approx(x @ turn.T - x, abs=1e-8)
    assert np.abs(plot(done)["element_solid_stress"][-1]).max() < 1e-9 * YOUNG


def test_body_that_may_not_turn_about_one_axis(tmp_path):
    """CON2 = 1 holds turns about x, with a moment; about the other axes springs and forces are in balance."""
    deck, _, hooks = body_on_springs(4, True)
    deck.lines = [
        "1.,0,1" if before.startswith("1,7.85e-6") and line.startswith("0.") else line
        for before, line in zip(["", *deck.lines], deck.lines, strict=False)
    ]
    done = solve(deck, tmp_path)
    x = np.array([[i, j, k] for k in (0, 2) for j in (0, 3) for i in (0, 4)], float)
    now = x + displacements(done)[:8]
    moment, force = np.cross(now[7] - now[0], [0.0, 1.5, 0.0]), np.array([1.5, 0.0, -1.0])
    for hook, corner in zip(hooks, HOOKED, strict=True):
        pull = np.array(hook) - now[corner]
        rest = np.linalg.norm(np.array(hook) - x[corner])
        spring = (np.linalg.norm(pull) - rest) * pull / np.linalg.norm(pull)
        force += spring
        moment += np.cross(now[corner] - now.mean(axis=0), spring)
    assert force == pytest.approx(0.0, abs=1e-8)
    assert moment[1:] == pytest.approx(0.0, abs=1e-7)
    assert abs(moment[0]) > 0.01


def test_interpolation_spreads_a_load(tmp_path):
    """A force and a moment on a node that is the mean of a beam's end face: the deflection of a beam."""
    length, depth = 100.0, 10.0
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", "ELASTIC,7.85e-6,210.,0.")
    nx = 41
    ids = deck.block(1, (40, 4, 4), (0.0, 0.0, 0.0), (length, depth, depth))
    deck.set("NODE", 1, ids[0::nx])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    tip = deck.node((length + 20.0, depth / 2, depth / 2))
    deck.set("NODE", 5, ids[nx - 1 :: nx])
    deck.add(f"*CONSTRAINED_INTERPOLATION\n1,{tip},123456,0,1\n5,123,1.")
    load = 1e-3
    deck.add(f"*LOAD_NODE_POINT\n{tip},3,1,{-load}")
    done = solve(deck, tmp_path)
    inertia = depth**4 / 12
    bending, moment = YOUNG * inertia, load * 20.0
    w = load * length**3 / (3 * bending) + moment * length**2 / (2 * bending)
    w += load * length / (5 / 6 * YOUNG / 2 * depth**2)
    slope = load * length**2 / (2 * bending) + moment * length / bending
    assert -displacements(done)[tip - 1, 2] == pytest.approx(w + 20.0 * slope, rel=0.01)
    assert histories(done).read("spcforc", "z_force")[-1].sum() == pytest.approx(load, rel=1e-9)


def test_set_with_a_common_motion(tmp_path):
    """Two bars side by side share the stretch of their ends, so the stiffer one takes more of the load."""
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", "ELASTIC,7.85e-6,210.,0.")
    deck.part(2, "SOLID,2", "ELASTIC,7.85e-6,70.,0.")
    bars = [deck.block(p, (2, 1, 1), (0.0, 3.0 * p, 0.0), (2.0, 1.0, 1.0)) for p in (1, 2)]
    deck.set("NODE", 1, [n for bar in bars for n in bar[0::3]])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    ends = [n for bar in bars for n in bar[2::3]]
    deck.set("NODE", 5, ends)
    deck.add("*CONSTRAINED_NODE_SET\n5,1")
    deck.add(f"*LOAD_NODE_POINT\n{ends[3]},1,1,0.28")
    done = solve(deck, tmp_path)
    u = displacements(done)[np.array(ends) - 1, 0]
    assert np.ptp(u) < 1e-15
    assert u[0] == pytest.approx(0.28 * 2.0 / 280.0, rel=2e-3)


def test_welded_plates(tmp_path):
    """A cantilever of two plates, whose nodes at the joint are apart by a gap and welded in pairs."""
    length, width, thickness, gap = 100.0, 10.0, 2.0, 3.0
    deck = Deck()
    control(deck)
    deck.part(1, "SHELL,16,0.8333,2|2.,2.,2.,2.", "ELASTIC,7.85e-6,210.,0.")
    first = deck.plate(1, (20, 4), lambda u, v: (50 * u, width * v, 0.0))
    last = deck.plate(1, (20, 4), lambda u, v: (50 + 50 * u, width * v, gap))
    for a, b in zip(first, last, strict=True):
        deck.add(f"*CONSTRAINED_SPOTWELD\n{a[-1]},{b[0]}")
    deck.set("NODE", 1, [row[0] for row in first])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    load = 1e-5
    for j, row in enumerate(last):
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,1,{load * (0.5 if j in (0, 4) else 1.0) / 4!r}")
    u = displacements(solve(deck, tmp_path))
    inertia = width * thickness**3 / 12
    exact = load * length**3 / (3 * YOUNG * inertia) + load * length / (5 / 6 * YOUNG / 2 * width * thickness)
    assert u[last[2][-1] - 1, 2] == pytest.approx(exact, rel=5e-3)


def test_same_bits_on_threads(tmp_path):
    deck, ids, _ = hinged_lever(steps=2)
    deck.add(f"*LOAD_NODE_POINT\n{ids[1]},2,1,4.0")
    hashes = {solve(deck, tmp_path / str(n), threads=n).hash for n in (1, 2)}
    assert len(hashes) == 1


def test_same_equilibrium_as_the_explicit_solver(tmp_path):
    """A plate tied to a plate, with a loaded rigid plate at its end; explicit until it rests."""

    def deck_of(implicit: bool) -> tuple[Deck, int, int]:
        deck = Deck()
        end = 1.0 if implicit else 40.0
        if implicit:
            control(deck)
        else:
            deck.control(end, end)
            deck.add("*DEFINE_CURVE\n1\n0.,0.\n5.,1.\n1000.,1.\n*DAMPING_GLOBAL\n0,4.")
            deck.add("*DATABASE_NODOUT\n1.0")
        for number in (1, 2):
            deck.part(number, "SHELL,16,0.8333,2|2.,2.,2.,2.", f"ELASTIC,{STEEL}")
        deck.part(3, "SHELL,16,0.8333,2|2.,2.,2.,2.", RIGID)
        first = deck.plate(1, (6, 4), lambda u, v: (30 * u, 20 * v, 0.0))
        second = deck.plate(2, (6, 3), lambda u, v: (30 + 30 * u, 20 * v, 0.0))
        third = deck.plate(3, (2, 3), lambda u, v: (60 + 10 * u, 20 * v, 0.0))
        deck.set("NODE", 6, [row[-1] for row in second])
        deck.set("NODE", 7, [row[0] for row in second])
        deck.set("PART", 8, (1,))
        deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE\n7,8,4,2\n,\n,")
        deck.add("*CONSTRAINED_EXTRA_NODES_SET\n3,6")
        deck.set("NODE", 1, [row[0] for row in first])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
        tip = third[0][-1]
        deck.add(f"*LOAD_NODE_POINT\n{tip},3,1,0.04\n{tip},2,1,0.04")
        return deck, tip, second[1][3]

    deck, *shown = deck_of(True)
    statics = displacements(solve(deck, tmp_path / "implicit"))
    deck, *_ = deck_of(False)
    path = tmp_path / "explicit.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "explicit", "--double-files")
    assert done.status == 0, done.said[-3000:]
    dynamics = displacements(done)
    assert np.abs(statics[shown[0] - 1, 2]) > 0.5
    for n in shown:
        assert dynamics[n - 1] == pytest.approx(statics[n - 1], abs=0.005 * np.abs(statics).max())
