"""Sensors of forces and elements, what switches turn on and off: known times, the same bits on any ranks."""

import math
import re

import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run
from test_sensors import SPEED, ended, forces, hit


def same_on_ranks_and_after_a_dump(deck, tmp_path, one: Run) -> None:
    """Two and three ranks, and three ranks from a dump of two at half of the cycles."""
    for ranks in (2, 3):
        done = run(deck, tmp_path / str(ranks), ranks=ranks)
        assert (done.status, done.hash) == (0, one.hash), ranks
    half = str(one.progress[-1].cycle // 2)
    stopped = tmp_path / "stopped"
    assert run(deck, stopped, f"ncycle={half}", "--dump-cycles", half, ranks=2).status == 0
    again = run(deck, stopped, "--restart", "auto", ranks=3)
    assert again.status == 0, again.said
    assert again.hash == one.hash


def stretched(more: str) -> str:
    """A shell, a brick and a spring of 5 kN/mm, 10 mm long, which nodes stretch along x at 0.2 mm/ms."""
    deck = Deck()
    deck.control(1.0, 1.0, 0.1)
    deck.part(1, "SHELL,2,0.8333,2|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", "ELASTIC,7.85e-6,210.,0.")
    deck.part(3, "DISCRETE,0|0.,0.", "SPRING_ELASTIC,5.")
    grid = deck.plate(1, (2, 1), lambda u, v: (10 * u, 5 * v, 0.0))
    block = deck.block(2, (2, 1, 1), (0.0, 20.0, 0.0), (10.0, 5.0, 5.0))
    ends = [deck.node((0.0, 40.0, 0.0)), deck.node((10.0, 40.0, 0.0))]
    deck.add(f"*ELEMENT_MASS\n901,{ends[0]},1e-3\n902,{ends[1]},1e-3")
    deck.element("DISCRETE", 3, ends)
    nodes = [n for row in grid for n in row] + block + ends
    xs = (
        [c for _ in range(2) for c in (0.0, 5.0, 10.0)]
        + [c for _ in range(4) for c in (0.0, 5.0, 10.0)]
        + [0.0, 10.0]
    )
    for number, x in ((1, 0.0), (2, 5.0), (3, 10.0)):
        deck.set("NODE", number, [n for n, at in zip(nodes, xs, strict=True) if at == x])
        if x:
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n{number},1,0,7,{0.02 * x}")
        deck.add(f"*BOUNDARY_SPC_SET\n{number},0,{0 if x else 1},1,1,1,1,1")
        deck.add(
            f"*INITIAL_VELOCITY\n{number}\n{0.02 * x},0.,0."
            if x
            else f"*INITIAL_VELOCITY\n{number}\n0.,0.,0."
        )
    deck.add("*DEFINE_CURVE\n7\n0.,1.\n100.,1.\n*DATABASE_EXTENT_BINARY\n0,0,3,1,1,1,1,1")
    deck.add(more)
    return deck.text()


RATE = 0.02  # of the nominal strain, per ms
PLANE = 210.0 / (1 - 0.3**2)

# Elements 1 and 2 are shells, 3 and 4 bricks, 5 is the spring; limits and the times at which they are passed.
ELEMENTS = {
    "shell_stress": ("SHELL,2,XX,STRESS,TOP", 0.5, (math.exp(0.5 / PLANE) - 1) / RATE),
    "shell_shear": ("SHELL,1,MAXS,STRESS,1", 0.25, (math.exp(0.5 / PLANE) - 1) / RATE),
    "shell_strain": ("SHELL,1,XX,STRAIN,BOT", 0.004, (math.exp(0.004) - 1) / RATE),
    "brick_stress": ("SOLID,4,PRIN1,STRESS,,2.", 1.2, (math.exp(0.6 / 210) - 1) / RATE),
    "spring_force": ("DISC-ELE,5,,FORCE", 0.5, 0.1 / (10 * RATE)),
    "spring_length": ("DISC-ELE,5,,DLEN", 0.04, 0.04 / (10 * RATE)),
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements(name, tmp_path):
    sensor, limit, time = ELEMENTS[name]
    deck = tmp_path / "stretched.k"
    deck.write_text(
        stretched(
            f"*SENSOR_DEFINE_ELEMENT\n7,{sensor}\n*SENSOR_SWITCH\n1,SENSOR,7,GT,{limit}\n*TERMINATION_SENSOR\n1\n"
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, reason = ended(one)
    assert reason == "*TERMINATION_SENSOR: switch 1 acts"
    assert time - 1e-3 < at < time + 6e-3, (at, time)  # steps of 1e-3 ms
    same_on_ranks_and_after_a_dump(deck, tmp_path, one)


def test_logic_deletes_elements(tmp_path):
    """A set of shells is deleted when the spring is longer and the time is past."""
    deck = tmp_path / "stretched.k"
    deck.write_text(
        stretched(
            "*SENSOR_DEFINE_ELEMENT\n7,DISC-ELE,5,,DLEN\n8,SHELL,1,,FAIL\n*SENSOR_SWITCH\n1,SENSOR,7,GT,0.04\n"
            "2,TIME,,,0.35\n3,SENSOR,8,GT,0.5\n*SENSOR_SWITCH_CALC-LOGIC\n4,1,2\n*SET_SHELL_LIST\n6\n1\n"
            "*SENSOR_CONTROL\n1,ELESET,6,,,SHELL\nON,4\n*TERMINATION_SENSOR\n3\n"
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, _ = ended(one)
    assert 0.35 < at < 0.36
    assert re.search(r"\b1 element (was|is) deleted|1 elements were deleted", one.said), one.said
    same_on_ranks_and_after_a_dump(deck, tmp_path, one)


@pytest.mark.slow
def test_a_contact_begins_and_ends(tmp_path):
    """Without its contact the block passes; a contact that ends while it presses has no force afterwards."""
    switches = "*SENSOR_SWITCH\n1,TIME,,,0.104\n*SENSOR_CONTROL\n3,CONTACT,4\n{},1\n"
    ends, begins, free = tmp_path / "ends.k", tmp_path / "begins.k", tmp_path / "free.k"
    ends.write_text(hit(switches.format("ON")))
    begins.write_text(hit(switches.format("OFF")))
    free.write_text(hit(""))
    whole = forces(run(free, tmp_path / "free"))
    until = forces(one := run(ends, tmp_path / "ends_one"))
    assert one.status == 0, one.said
    before, after = until[until[:, 0] < 0.103], until[until[:, 0] > 0.105]
    assert (before == whole[whole[:, 0] < 0.103]).all()
    assert before[:, 1].any()
    assert not after[:, 1].any()
    later = forces(two := run(begins, tmp_path / "begins_one"))
    assert not later[later[:, 0] < 0.103, 1].any()
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    same_on_ranks_and_after_a_dump(ends, tmp_path / "a", one)
    same_on_ranks_and_after_a_dump(begins, tmp_path / "b", two)


WALL = (
    "*SET_NODE_LIST\n21\n"
    + "".join(",".join(str(8 * k + i) for i in range(1, 9)) + "\n" for k in range(6))
    + "*RIGIDWALL_PLANAR_ID\n6\n21\n9.6,0.,0.,8.,0.,0.\n"
)  #: of the nodes of the first block


def test_the_force_of_a_contact_and_of_a_wall(tmp_path):
    """The block touches a wall at x = 9.6, 0.2 ms after the start; its force is that of rwforc."""
    deck = tmp_path / "wall.k"
    deck.write_text(
        hit(
            WALL
            + "*SENSOR_DEFINE_FORCE\n7,RWALL,6,M\n*SENSOR_SWITCH\n1,SENSOR,7,GT,0.\n*TERMINATION_SENSOR\n1\n"
            "*SENSOR_SWITCH\n2,TIME,,,9.\n*SENSOR_CONTROL\n3,CONTACT,4\nOFF,2\n"
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, _ = ended(one)
    assert 0 < at - 0.6 / SPEED < 5e-3, at
    same_on_ranks_and_after_a_dump(deck, tmp_path, one)
    touch = tmp_path / "touch.k"
    touch.write_text(
        hit(
            "*SENSOR_DEFINE_FORCE\n7,CONTACT,4,X\n*SENSOR_SWITCH\n1,SENSOR,7,LT,-1.\n*TERMINATION_SENSOR\n1\n"
        )
    )
    at, _ = ended(run(touch, tmp_path / "touch"))
    assert 0.1 < at < 0.11


def test_a_wall_that_is_turned_off_lets_a_block_pass(tmp_path):
    deck = tmp_path / "wall.k"
    deck.write_text(
        hit(
            WALL + "*SENSOR_SWITCH\n1,TIME,,,0.1\n2,TIME,,,0.35\n"
            "*SENSOR_CONTROL\n3,RWALL,6\nON,1\n4,CONTACT,4\nON,1\n"
            "*SENSOR_DEFINE_FORCE\n7,RWALL,6,M\n*SENSOR_SWITCH\n5,SENSOR,7,GT,0.\n*TERMINATION_SENSOR\n5\n2\n"
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, reason = ended(one)
    assert reason == "*TERMINATION_SENSOR: switch 2 acts", at
    same_on_ranks_and_after_a_dump(deck, tmp_path, one)


def swung(more: str) -> str:
    """A rigid block turns on a ball in a held block, at (20, 5, 5); its corner is far from there."""
    deck = Deck()
    deck.control(2.0, 2.0, 0.02)
    deck.add("*DATABASE_JNTFORC\n0.02\n*DATABASE_RBDOUT\n0.02")
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|1.,7,7|")
    deck.part(2, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.part(3, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.block(2, (2, 1, 1), (30.0, 0.0, 0.0), (20.0, 10.0, 10.0))
    deck.block(3, (1, 1, 1), (0.0, 60.0, 0.0), (10.0, 10.0, 10.0))
    a, b = deck.node((20.0, 5.0, 5.0)), deck.node((20.0, 5.0, 5.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n1,{a}\n*CONSTRAINED_EXTRA_NODES_NODE\n2,{b}")
    deck.set("PART", 2, (2,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n2,1,2.0,0.,0.,0.\n20.,5.,5.,0.,0.,1.")
    deck.add(
        "*DEFINE_COORDINATE_SYSTEM\n7,20.,5.,5.,20.,6.,5.\n20.,5.,6.\n*DEFINE_CURVE\n9\n-90.,-9.\n90.,9."
    )
    deck.add("*DEFINE_COORDINATE_SYSTEM\n8,45.,5.,5.,46.,5.,5.\n45.,6.,5.")
    deck.add(more.format(a=a, b=b))
    return deck.text()


def joint_forces(done: Run) -> list[tuple[float, float]]:
    """Time and resultant force of the only joint."""
    rows = [re.search(r"\.{3,}\s*(\S+)$", line) for line in done.history("jntforc")]
    found = {
        key: [float(m[1]) for m in rows if m and key in m.string] for key in (" time..", "resultant force")
    }
    return list(zip(found[" time.."], found["resultant force"], strict=True))


BALL = "*CONSTRAINED_JOINT_SPHERICAL_ID{}\n5,ball\n{{a}},{{b}}\n"
MASS, OMEGA, ARM = 7.85e-6 * 2000, 2.0, 20.0


def test_a_joint_fails_by_its_force_and_a_sensor_sees_it(tmp_path):
    """The force is m w^2 r towards the centre of the body: its part along x passes the limit."""
    force = MASS * OMEGA**2 * ARM
    holds, breaks = tmp_path / "holds.k", tmp_path / "breaks.k"
    failure = "0,0.\n{},0.,0.,0.,0.,0.\n"
    holds.write_text(swung(BALL.format("_FAILURE") + failure.format(3 * force)))
    breaks.write_text(
        swung(
            BALL.format("_FAILURE") + failure.format(0.7 * force) + "*SENSOR_DEFINE_FORCE\n7,JOINT,5,M\n"
            f"*SENSOR_SWITCH\n1,SENSOR,7,GT,{0.5 * force}\n*TERMINATION_SENSOR\n1\n"
        )
    )
    free = run(holds, tmp_path / "free")
    assert free.status == 0, free.said
    late = [f for t, f in joint_forces(free) if t > 0.5]
    assert sum(late) / len(late) == pytest.approx(force, rel=0.03)
    one = run(breaks, tmp_path / "one")
    assert one.status == 0, one.said
    at, _ = ended(one)
    assert at < 0.1
    broken = tmp_path / "broken.k"
    broken.write_text(swung(BALL.format("_FAILURE") + failure.format(0.7 * force)))
    two = run(broken, tmp_path / "two")
    assert not any(f for t, f in joint_forces(two) if t > 0.5)
    same_on_ranks_and_after_a_dump(broken, tmp_path, two)


def test_a_joint_is_let_go(tmp_path):
    deck = tmp_path / "let.k"
    deck.write_text(
        swung(BALL.format("") + "*SENSOR_SWITCH\n1,TIME,,,0.5\n*SENSOR_CONTROL\n3,JOINT,5\nON,1\n")
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = joint_forces(one)
    assert all(f > 0 for t, f in rows if 0.1 < t < 0.49)
    assert not any(f for t, f in rows if t > 0.52)
    same_on_ranks_and_after_a_dump(deck, tmp_path, one)


STIFF = {
    "flexion": "*CONSTRAINED_JOINT_STIFFNESS_FLEXION-TORSION\n1,1,2,7,7\n9,0,9,9,0,9\n"
    "50.,0.02,0.5,0.02\n20.,-9.,9.\n",
    "displacement": "*CONSTRAINED_JOINT_STIFFNESS_TRANSLATIONAL\n1,1,2,8,8\n9,9,9,9,9,9\n"
    "0.5,0.01,,,0.2\n,,,,-1.,1.\n",
}


@pytest.mark.parametrize("name", STIFF)
def test_joint_stiffness(name, tmp_path):
    """With energy, and on and off by switches."""
    switches = "*SENSOR_SWITCH\n1,TIME,,,0.6\n2,TIME,,,1.2\n*SENSOR_CONTROL\n3,JOINTSTIF,1\nON,1,2\n"
    deck = tmp_path / "stiff.k"
    deck.write_text(swung(BALL.format("") + STIFF[name] + switches))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    text = (one.directory / "jntforc").read_text()
    assert ("alpha (degrees)" if name == "flexion" else "x-displacement") in text
    total = [row.total for row in one.progress]
    assert max(total) == pytest.approx(min(total), rel=2e-3)
    same_on_ranks_and_after_a_dump(deck, tmp_path, one)


@pytest.mark.parametrize("keyword", ["FLEXION-TORSION", "TRANSLATIONAL"])
def test_implicit_runs_refuse_them(keyword, tmp_path):
    name = "flexion" if keyword.startswith("F") else "displacement"
    deck = tmp_path / "implicit.k"
    deck.write_text(swung(BALL.format("") + STIFF[name] + "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n"))
    done = run(deck, tmp_path / "run")
    assert done.status != 0
    assert f"*CONSTRAINED_JOINT_STIFFNESS_{keyword} are not supported in implicit analysis" in done.said
