"""Uniform strain in a distorted patch, and a rigid rotation in one step without stress."""

import numpy as np
import pytest
from implicit_decks import control, displacements, plot, prescribe, solve
from small_decks import STEEL, Deck

SOLIDS = (1, 2, -1, -2)
SHELLS = (2, 16, 10)


def disturbed_block(form: int) -> tuple[Deck, np.ndarray, np.ndarray]:
    """2 x 2 x 2 bricks whose inner node, and nodes within faces, are moved; positions; those outside."""
    deck = Deck()
    control(deck)
    deck.part(1, f"SOLID,{form}", f"ELASTIC,{STEEL}")
    at = np.array([[i, j, k] for k in range(3) for j in range(3) for i in range(3)], float)
    outside = (np.abs(at - 1).max(axis=1) == 1) & (np.abs(at - 1).sum(axis=1) > 0)
    moved = at.copy()
    moved[13] += (0.13, -0.11, 0.17)
    moved[4] += (0.1, 0.07, 0.0)
    moved[22] += (-0.08, 0.12, 0.0)
    ids = [deck.node(tuple(p)) for p in moved]

    def node(i, j, k):
        return ids[9 * k + 3 * j + i]

    ring = ((0, 0), (1, 0), (1, 1), (0, 1))
    for k in range(2):
        for j in range(2):
            for i in range(2):
                deck.element("SOLID", 1, [node(i + a, j + b, k + c) for c in (0, 1) for a, b in ring])
    return deck, moved, outside


@pytest.mark.parametrize("form", SOLIDS)
def test_patch_of_solids(form, tmp_path):
    deck, x, outside = disturbed_block(form)
    gradient = 1e-3 * np.array([[1.0, 0.5, -0.3], [0.2, -0.7, 0.4], [0.1, 0.6, 0.8]])
    for n in np.flatnonzero(outside):
        prescribe(deck, n + 1, gradient @ x[n])
    done = solve(deck, tmp_path)
    assert displacements(done) == pytest.approx(x @ gradient.T, abs=1e-10)
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)
    assert np.ptp(stress, axis=0).max() < 1e-9 * np.abs(stress).max()


@pytest.mark.parametrize("form", SHELLS)
def test_patch_of_shells(form, tmp_path):
    deck = Deck()
    control(deck)
    deck.part(1, f"SHELL,{form},0.8333,2|0.1,0.1,0.1,0.1", f"ELASTIC,{STEEL}")
    x = np.array(
        [[0, 0], [0.24, 0], [0.24, 0.12], [0, 0.12], [0.04, 0.02], [0.18, 0.03], [0.16, 0.08], [0.08, 0.08]]
    )
    for p in x:
        deck.node((*p, 0.0))
    for quad in ((1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8), (5, 6, 7, 8)):
        deck.element("SHELL", 1, quad)
    # Frames of shells follow their sides: of strain e the patch is exact to e^2.
    gradient = 1e-7 * np.array([[1.0, 0.5], [0.5, 1.0]])
    for n in range(4):
        prescribe(deck, n + 1, (*(gradient @ x[n]), 0.0))
        prescribe(deck, n + 1, (0.0, 0.0, 0.0), (5, 6, 7))
    done = solve(deck, tmp_path)
    assert displacements(done)[:, :2] == pytest.approx(x @ gradient.T, abs=1e-14)


def turn(angle: float) -> np.ndarray:
    """Rotation about the axis (1, 2, 2) / 3."""
    a = np.array([1.0, 2.0, 2.0]) / 3
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


@pytest.mark.parametrize("form", SOLIDS)
@pytest.mark.parametrize(("degrees", "given"), [(100, 27), (10, 9)])
def test_rotation_of_solids_in_one_step(form, degrees, given, tmp_path):
    """All nodes are turned, or those of a face, and the others follow."""
    deck, x, _ = disturbed_block(form)
    rotation = turn(np.radians(degrees))
    for n in range(given):
        prescribe(deck, n + 1, (rotation - np.eye(3)) @ x[n])
    done = solve(deck, tmp_path)
    assert displacements(done) == pytest.approx(x @ (rotation - np.eye(3)).T, abs=1e-8)
    stress = plot(done)["element_solid_stress"][-1]
    assert np.abs(stress).max() < 1e-9 * 210.0


@pytest.mark.parametrize("form", SHELLS)
@pytest.mark.parametrize(("degrees", "given"), [(60, 4), (10, 2)])
def test_rotation_of_shells_in_one_step(form, degrees, given, tmp_path):
    """All nodes are turned, or those on one side, and the others follow."""
    deck = Deck()
    control(deck)
    deck.part(1, f"SHELL,{form},0.8333,2|0.1,0.1,0.1,0.1", f"ELASTIC,{STEEL}")
    grid = deck.plate(1, (3, 2), lambda u, v: (3 * u + 0.3 * v * (1 - u), 2 * v, 0.0))
    x = np.array([(i + 0.15 * j * (1 - i / 3), j, 0.0) for j in range(3) for i in range(4)])
    angle = np.radians(degrees)
    rotation = turn(angle)
    axis = np.array([1.0, 2.0, 2.0]) / 3
    for row in grid:
        for n in row[:given]:
            prescribe(deck, n, (rotation - np.eye(3)) @ x[n - 1])
            prescribe(deck, n, angle * axis, (5, 6, 7))
    done = solve(deck, tmp_path)
    assert displacements(done) == pytest.approx(
        x @ (rotation - np.eye(3)).T, abs=1e-6
    )  # turns about normals are soft
    stress = plot(done)["element_shell_stress"][-1]
    assert np.abs(stress).max() < 1e-7 * 210.0  # the deck has nine digits
