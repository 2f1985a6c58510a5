"""Bodies without supports in statics: loads are balanced by accelerations."""

import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, solve
from small_decks import Deck

YOUNG, DENSITY = 210.0, 7.85e-6


def free_beam(
    fields: str = "1", cells: int = 40, solution: str = "12,1,30,1e-9,1e-18,1e-9,,1e-20"
) -> tuple[Deck, list[int]]:
    length, side = 100.0, 2.0
    deck = Deck()
    control(deck, solution=solution)
    deck.add(f"*CONTROL_IMPLICIT_INERTIA_RELIEF\n{fields}")
    second = side**4 / 12
    deck.part(1, f"BEAM,2,0.8333|{side**2},{second},{second},{2 * second}", f"ELASTIC,{DENSITY},{YOUNG},0.")
    nodes = [deck.node((length * i / cells, 0.0, 0.0)) for i in range(cells + 1)]
    third = deck.node((0.0, 0.0, 10.0), 7)
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    return deck, nodes


def means(u: np.ndarray, cells: int) -> np.ndarray:
    """Of displacements, weighted with the masses of nodes."""
    weight = np.array([0.5, *[1.0] * (cells - 1), 0.5]) / cells
    return weight @ u[: cells + 1]


@pytest.mark.parametrize("fields", ["1", "1,,6", "1\n1,2,3,4,5,6", "2,0.01"])
def test_force_in_the_middle_of_a_free_beam(fields: str, tmp_path: Path) -> None:
    """Half of it is a cantilever under its inertia F / L: the ends lag behind by F L^3 / (128 E I)."""
    cells, force, length, second = 40, 1e-4, 100.0, 2.0**4 / 12
    deck, nodes = free_beam(fields, cells)
    deck.add(f"*LOAD_NODE_POINT\n{nodes[cells // 2]},3,1,{force}")
    done = solve(deck, tmp_path)
    assert re.search(r"inertia relief along 6 modes", done.stdout)
    u = displacements(done)
    exact = force * length**3 / (128 * YOUNG * second)
    shear = force * length / (8 * 5 / 6 * YOUNG / 2 * 4.0)
    lag = u[cells // 2, 2] - u[[0, cells], 2]
    assert lag == pytest.approx(exact + shear, rel=5e-3) or lag == pytest.approx(exact, rel=5e-3)
    assert means(u, cells) == pytest.approx(0.0, abs=1e-8 * exact)


def test_pull_at_one_end(tmp_path: Path) -> None:
    """The force falls linearly to the other end: half of the stretch of a bar that is held there."""
    cells, force = 40, 1e-3
    deck, nodes = free_beam("1", cells)
    deck.add(f"*LOAD_NODE_POINT\n{nodes[-1]},1,1,{force}")
    done = solve(deck, tmp_path)
    u = displacements(done)
    assert u[cells, 0] - u[0, 0] == pytest.approx(0.5 * force * 100.0 / (YOUNG * 4.0), rel=1e-5)
    assert means(u, cells) == pytest.approx(0.0, abs=1e-12)


def test_a_couple_turns_it(tmp_path: Path) -> None:
    """Two opposite forces at the ends: M(x) of the angular acceleration, w'' = M / (E I)."""
    cells, force, length, second = 40, 1e-4, 100.0, 2.0**4 / 12
    deck, nodes = free_beam("1", cells)
    deck.add(f"*LOAD_NODE_POINT\n{nodes[0]},3,1,{-force}\n{nodes[-1]},3,1,{force}")
    done = solve(deck, tmp_path)
    u = displacements(done)[: cells + 1, 2]
    # inertia load q = 12 F x / L^2 about the middle against F at x = L / 2; E I w'''' = -q
    x = np.linspace(-0.5, 0.5, cells + 1) * length
    # E I w''' = -6 F x^2 / L^2 + F / 2, which is -F at the end
    shape = (-12 * force / length**2 * x**5 / 120 + (0.5 * force) * x**3 / 6) / (YOUNG * second)
    weight = np.array([0.5, *[1.0] * (cells - 1), 0.5])
    shape -= x * (weight @ (shape * x)) / (weight @ (x * x))
    assert u - means(displacements(done), cells)[2] == pytest.approx(shape, abs=0.02 * np.abs(shape).max())


def test_a_rigid_body_has_inertia(tmp_path: Path) -> None:
    """A pull on one end, a heavy rigid body at the other: the force at the body is its share of the mass."""
    cells, force, depth = 40, 1e-3, 4.0
    deck, nodes = free_beam("1", cells)
    deck.part(2, "SOLID,1", "RIGID,1e-4,210.,0.3|0.|")
    deck.block(2, (1, 1, 1), (-depth, -2.0, -2.0), (depth, depth, depth))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{nodes[0]}\n*LOAD_NODE_POINT\n{nodes[-1]},1,1,{force}")
    done = solve(deck, tmp_path)
    u = displacements(done)
    body, beam = 1e-4 * depth**3, DENSITY * 400.0
    at_body = force * body / (body + beam)
    stretch = 0.5 * (force + at_body) * 100.0 / (YOUNG * 4.0)
    assert u[cells, 0] - u[0, 0] == pytest.approx(stretch, rel=1e-3)


def test_one_linear_solution_is_enough(tmp_path: Path) -> None:
    """NSOLVR = 1: the same as Newton's method for small loads."""
    found = []
    for solution in ("1", "12,1,30,1e-9,1e-18,1e-9,,1e-20"):
        deck, nodes = free_beam("1", solution=solution)
        deck.add(f"*LOAD_NODE_POINT\n{nodes[20]},3,1,1e-7")
        found.append(displacements(solve(deck, tmp_path / solution[:2])))
    assert found[0] == pytest.approx(found[1], abs=1e-6 * np.abs(found[1]).max())


def test_a_body_with_supports_has_no_rigid_mode(tmp_path: Path) -> None:
    deck, nodes = free_beam("1")
    deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,1,1,1,1,1,1\n*LOAD_NODE_POINT\n{nodes[-1]},3,1,1e-4")
    assert "CR-I307" in solve(deck, tmp_path, status=3).said


def test_dynamics_is_refused(tmp_path: Path) -> None:
    deck, _ = free_beam("1")
    deck.add("*CONTROL_IMPLICIT_DYNAMICS\n1")
    assert "inertia relief in dynamics" in solve(deck, tmp_path, status=2).said
