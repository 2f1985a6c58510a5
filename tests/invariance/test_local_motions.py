"""Rigid bodies that move along and about their own axes, against what follows by hand."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import Run, run

TURN, SPEED, END = 2.0, 3.0, 0.8  # rad/ms, mm/ms, ms


def moved(motions: str, curve: str = "0.,1.\n10.,1.") -> str:
    """A rigid block with its centre at the origin; its axes are z, x and y. Node 14 is at its centre."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|,|5")
    deck.block(1, (2, 2, 2), (-5.0, -4.0, -3.0), (10.0, 8.0, 6.0))
    deck.add("*DEFINE_COORDINATE_VECTOR\n5,0.,0.,1.,1.,0.,0.")
    deck.add(f"*DEFINE_CURVE\n1\n{curve}\n*DATABASE_NODOUT\n{END / 8}\n*DATABASE_HISTORY_NODE\n14,1")
    deck.add(f"*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,0.002\n10.,0.002\n{motions}")
    return deck.text()


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


LOCAL = "*BOUNDARY_PRESCRIBED_MOTION_RIGID_LOCAL\n"


@pytest.mark.parametrize("kind", ["velocity", "displacement"])
def test_goes_in_a_circle(kind, tmp_path):
    """It turns about its axis 1, global z, and moves along its axis 2, global x at the start."""
    vad, curve = (0, "0.,1.\n10.,1.") if kind == "velocity" else (2, "0.,0.\n10.,10.")
    motions = "".join(f"1,{dof},{vad},1,{scale}\n" for dof, scale in ((2, SPEED), (5, TURN)))
    motions += f"1,3,{vad},3\n*DEFINE_CURVE\n3\n0.,0.\n10.,0."
    deck = tmp_path / "block.k"
    deck.write_text(moved(LOCAL + motions, curve))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = displacements(one, 14)  # at the centre
    t, radius = rows[:, 0], SPEED / TURN
    expected = np.stack([radius * np.sin(TURN * t), radius * (1 - np.cos(TURN * t)), 0 * t], axis=1)
    assert len(t) > 6
    np.testing.assert_allclose(rows[:, 1:], expected, atol=2e-3 * SPEED * END)
    hashes = {ranks: run(deck, tmp_path / str(ranks), ranks=ranks).hash for ranks in (2, 3)}
    assert set(hashes.values()) == {one.hash}, hashes


def test_turns_about_two_of_its_axes(tmp_path):
    """Constant components in the body are a constant axis in space: Rodrigues' formula (1840)."""
    motions = "".join(
        f"1,{dof},0,{lcid},{scale}\n" for dof, scale, lcid in ((5, TURN, 1), (6, 1.5, 1), (7, 1.0, 3))
    )
    deck = tmp_path / "block.k"
    deck.write_text(moved(LOCAL + motions + "*DEFINE_CURVE\n3\n0.,0.\n10.,0."))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = displacements(one, 1)
    corner, spin = np.array([-5.0, -4.0, -3.0]), np.array([1.5, 0.0, TURN])  # axis 2 is x, axis 1 is z
    axis = spin / np.linalg.norm(spin)
    for t, *moved_by in rows:
        angle = np.linalg.norm(spin) * t
        turned = (
            np.cos(angle) * corner
            + np.sin(angle) * np.cross(axis, corner)
            + (1 - np.cos(angle)) * axis * (axis @ corner)
        )
        np.testing.assert_allclose(moved_by, turned - corner, atol=0.02)
    assert run(deck, tmp_path / "two", ranks=2).hash == one.hash
