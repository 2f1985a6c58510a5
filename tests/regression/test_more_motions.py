"""Motions relative to a rigid body, about an axis, and along normals, against what follows by hand."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import Run, run

END = 0.8


def displacements(done: Run, node: int) -> np.ndarray:
    """Time and displacement of a node in each row of nodout."""
    rows, time = [], 0.0
    for line in done.history("nodout"):
        words = line.split()
        if "time" in line and words[-1] == ")":
            time = float(words[-2])
        elif len(words) == 13 and words[0] == str(node):
            rows.append([time, *(float(w) for w in words[1:4])])
    return np.array(rows)


def solve(text: str, where, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    path = where / "deck.k"
    path.write_text(text)
    done = run(path, where, ranks=ranks)
    assert done.status == 0, done.said
    return done


def two_blocks(motion: str, more: str = "") -> str:
    """Rigid blocks 1 and 2, whose centres are nodes 14 and 41; block 1 moves, 2 relative to it."""
    deck = Deck()
    deck.control(END, END, END / 8)
    for part in (1, 2):
        deck.part(part, "SOLID,1", "RIGID,7.85e-6,210.,0.3|,|")
        deck.block(part, (2, 2, 2), (20.0 * (part - 1), -4.0, -3.0), (10.0, 8.0, 6.0))
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,1.\n10.,1.\n*DEFINE_CURVE\n2\n0.,0.\n10.,10.\n*DATABASE_NODOUT\n{END / 8}"
    )
    deck.add(
        "*DATABASE_HISTORY_NODE\n14,41\n*CONTROL_TIMESTEP\n0.,0.9,0,,,3\n"
        "*DEFINE_CURVE\n3\n0.,0.002\n10.,0.002"
    )
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n{motion}\n{more}")
    return deck.text()


LEAD = "1,2,0,1,5.0\n1,1,0,1,-2.0\n"


def same_on_ranks(text: str, one: Run, where) -> None:
    hashes = {ranks: solve(text, where / str(ranks), ranks).hash for ranks in (2, 3)}
    assert set(hashes.values()) == {one.hash}, hashes


def test_moves_away_from_another_body(tmp_path):
    """Along the line between the centres the distance is what the curve says; the lead does not feel it."""
    text = two_blocks(LEAD + "2,0,4,2,3.0\n,,1")
    one = solve(text, tmp_path / "one")
    lead, other = displacements(one, 14), displacements(one, 41)
    t = lead[:, 0]
    np.testing.assert_allclose(lead[:, 1:], np.stack([-2 * t, 5 * t, 0 * t], axis=1), atol=1e-4)
    way = np.array([20.0, 0, 0]) + other[:, 1:] - lead[:, 1:]
    np.testing.assert_allclose(np.linalg.norm(way, axis=1), 20 + 3 * t, atol=2e-4)
    same_on_ranks(text, one, tmp_path)


def test_moves_along_a_vector_of_a_body(tmp_path):
    """The vector is an edge of the lead: along it only the curve counts; across it the body is free."""
    text = two_blocks(LEAD + "2,0,4,2,3.0,0,0.6,0.2\n,,1,1,4", "*INITIAL_VELOCITY_RIGID_BODY\n2,0.,0.,7.")
    one = solve(text, tmp_path / "one")
    lead, other = displacements(one, 14), displacements(one, 41)
    t = lead[:, 0]
    along = other[:, 2] - lead[:, 2]
    moving = (t > 0.21) & (t < 0.59)
    assert moving.any()
    # From birth on; before, and after death, the body keeps its velocity.
    np.testing.assert_allclose(along[moving], -5 * 0.2 + 3 * (t[moving] - 0.2), atol=0.02)
    np.testing.assert_allclose(other[:, 3], 7 * t, atol=1e-4)
    assert other[-1, 2] == pytest.approx((3 + 5) * (t[-1] - 0.6) + (3 + 5) * 0.4, abs=0.05)
    same_on_ranks(text, one, tmp_path)


REFUSED = {
    "circle": (LEAD + "2,0,4,2\n,,1\n1,0,4,2\n,,2", "LRB is itself moved relative to this body"),
    "itself": (LEAD + "2,0,4,2\n,,2", "LRB is the same rigid body"),
    "no lead": (LEAD + "2,0,4,2\n,,7", "LRB"),
    "offset": (LEAD + "2,9,0,2\n1.,1.", "which of their points it turns"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what, tmp_path):
    motion, said = REFUSED[what]
    path = tmp_path / "deck.k"
    path.write_text(two_blocks(motion))
    done = run(path, tmp_path / "run")
    assert done.status != 0
    assert said in done.said


def plate(motion: str, more: str = "") -> str:
    """A plate of 4 x 3 shells in the plane x y, nodes 1 to 20."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", "ELASTIC,7.85e-6,0.01,0.3")
    deck.plate(1, (4, 3), lambda u, v: (20 + 40 * u, 30 * v - 5, 0.0))
    deck.set("NODE", 1, range(1, 21))
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,1.\n10.,1.\n*DEFINE_CURVE\n2\n0.,0.\n10.,10.\n*DATABASE_NODOUT\n{END / 8}"
    )
    deck.add(f"*DATABASE_HISTORY_NODE\n1,20\n{motion}\n{more}")
    return deck.text()


@pytest.mark.parametrize("vad, curve", [(0, 1), (2, 2)])
def test_turns_about_an_axis(vad, curve, tmp_path):
    """All nodes turn about z through (10, 2): the plate is not strained, the angle is exact."""
    rate = 2.0
    text = plate(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n1,11,{vad},{curve},{rate}\n10.,2.")
    one = solve(text, tmp_path / "one")
    for node, start in ((1, np.array([20.0, -5.0])), (20, np.array([60.0, 25.0]))):
        rows = displacements(one, node)
        t, arm = rows[:, 0], start - [10.0, 2.0]
        c, s = np.cos(rate * t), np.sin(rate * t)
        turned = np.stack([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]], axis=1)
        np.testing.assert_allclose(rows[:, 1:3], turned - arm, atol=1e-3)
    same_on_ranks(text, one, tmp_path)


def test_moves_freely_along_a_turning_ray(tmp_path):
    """A mass on a ray that turns at a constant rate: r = r0 cosh(w t) from rest along the ray."""
    rate = 2.0
    text = f"""*KEYWORD
*CONTROL_TERMINATION
{END}
*CONTROL_TIMESTEP
0.,0.9,0,,,3
*DEFINE_CURVE
3
0.,0.0005
10.,0.0005
*DEFINE_CURVE
1
0.,1.
10.,1.
*DATABASE_NODOUT
{END / 8}
*DATABASE_HISTORY_NODE
1
*NODE
1,5,0,0
2,100,0,0
3,101,0,0
*ELEMENT_MASS
1,1,0.5
*PART
spring
1,1,1
*SECTION_DISCRETE
1,0
0,0
*MAT_SPRING_ELASTIC
1,1e-6
*ELEMENT_DISCRETE
1,1,2,3
*ELEMENT_MASS
2,2,0.5
3,3,0.5
*INITIAL_VELOCITY_NODE
1,0,{5 * rate},0
*BOUNDARY_PRESCRIBED_MOTION_NODE
1,-11,0,1,{rate}
0.,0.
*DATABASE_BINARY_D3PLOT
{END}
*END
"""
    one = solve(text, tmp_path / "one")
    rows = displacements(one, 1)
    t, r = rows[:, 0], 5 * np.cosh(rate * rows[:, 0])
    place = np.stack([r * np.cos(rate * t), r * np.sin(rate * t)], axis=1)
    np.testing.assert_allclose(rows[:, 1:3] + [5, 0], place, rtol=2e-3, atol=1e-3)


def test_moves_along_the_normals_of_segments(tmp_path):
    """A plate, turned out of the axes, moves along its normal; a corner of two faces is refused."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", "ELASTIC,7.85e-6,0.01,0.3")
    grid = deck.plate(1, (3, 3), lambda u, v: (30 * u, 30 * v, 15 * u))
    rows = [
        f"{grid[j][i]},{grid[j][i + 1]},{grid[j + 1][i + 1]},{grid[j + 1][i]}"
        for j in range(3)
        for i in range(3)
    ]
    deck.add("*SET_SEGMENT\n1\n" + "\n".join(rows) + "\n*DEFINE_CURVE\n1\n0.,1.\n10.,1.")
    deck.add(
        f"*DATABASE_NODOUT\n{END / 8}\n*DATABASE_HISTORY_NODE\n6\n"
        "*BOUNDARY_PRESCRIBED_MOTION_SET_SEGMENT\n1,12,0,1,4."
    )
    text = deck.text()
    one = solve(text, tmp_path / "one")
    moved = displacements(one, 6)
    normal = np.array([-15.0, 0, 30]) / np.hypot(15, 30)
    np.testing.assert_allclose(moved[:, 1:], 4 * moved[:, :1] * normal, atol=1e-4)
    same_on_ranks(text, one, tmp_path)
    corner = text.replace("*DEFINE_CURVE\n1", "*NODE\n99,0.,0.,40.\n*DEFINE_CURVE\n1", 1)
    corner = corner.replace(rows[0], f"{rows[0]}\n{grid[0][0]},{grid[1][0]},99,99")
    path = tmp_path / "corner.k"
    path.write_text(corner)
    done = run(path, tmp_path / "corner")
    assert done.status != 0
    assert "the segments at node 1 are at an angle" in done.said
