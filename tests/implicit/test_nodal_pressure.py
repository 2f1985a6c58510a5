"""Tetrahedra with nodal pressure (ELFORM 13): patch, quadratic convergence, no locking, explicit beside
implicit, modes. One rank."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, in_free_format, plot, residuals, solve
from small_decks import Deck, Point
from solver_run import run
from ten_node_boxes import ORDERS

from crumple.results.glstat import read_glstat

YOUNG = 210.0


class TetrahedronBox:
    """Cells of a box, each cut into six along its diagonal."""

    def __init__(
        self,
        deck: Deck,
        cells: tuple[int, int, int],
        size: Point,
        place: Callable[[Point], Point] = lambda p: p,
    ) -> None:
        self.points: dict[int, Point] = {}
        self.number: dict[tuple[int, ...], int] = {}
        for at in product(*(range(n + 1) for n in cells)):
            x, y, z = (s * k / n for s, k, n in zip(size, at, cells, strict=True))
            point = (x, y, z)
            self.number[at] = deck.node(place(point))
            self.points[self.number[at]] = point
        for cell in product(*map(range, cells)):
            for k, order in enumerate(ORDERS):
                corners = [cell]
                for axis in order:
                    corners.append(tuple(c + (a == axis) for a, c in enumerate(corners[-1])))
                if k >= 3:
                    corners[1], corners[2] = corners[2], corners[1]
                numbers = [self.number[c] for c in corners]
                deck.element("SOLID", 1, [*numbers, *[numbers[3]] * 4])

    def where(self, chosen: Callable[[Point], bool]) -> list[int]:
        """Numbers of nodes at points that are chosen."""
        return [n for n, p in self.points.items() if chosen(p)]


def move(deck: Deck, node: int, to: Point) -> None:
    for dof, u in enumerate(to, 1):
        curve, scale = (1, float(u)) if u != 0.0 else (2, 1.0)  # a scale of zero is read as one
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},{dof},2,{curve},{scale!r}")


@pytest.mark.parametrize("law", (f"ELASTIC,7.85e-6,{YOUNG},0.3", "MOONEY-RIVLIN_RUBBER,1.1e-6,0.499,0.3,0.1"))
def test_a_patch_has_one_stress(law, tmp_path):
    """The node inside finds the place of an affine motion."""
    deck = Deck()
    control(deck, steps=2)
    deck.part(1, "SOLID,13", law)

    def place(p: Point) -> Point:
        return (1.05, 0.96, 1.03) if p == (1.0, 1.0, 1.0) else p

    box = TetrahedronBox(deck, (2, 2, 2), (2.0, 2.0, 2.0), place)
    gradient = 1e-2 * np.array([[2.0, 1.0, 0.5], [0.0, -1.0, 0.3], [0.4, 0.0, 1.5]])
    for n in box.where(lambda p: not all(0 < c < 2 for c in p)):
        move(deck, n, gradient @ np.array(box.points[n]))
    done = solve(deck, tmp_path)
    (inside,) = box.where(lambda p: p == (1.0, 1.0, 1.0))
    expected = gradient @ place((1.0, 1.0, 1.0))
    assert displacements(done)[inside - 1] == pytest.approx(expected, abs=1e-7)
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)
    assert np.abs(stress - stress[0]).max() < 1e-6 * np.abs(stress[0]).max()


def test_newton_converges_quadratically(tmp_path):
    """A block of nearly incompressible rubber between plates, pressed by a tenth in one step."""
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,13", "MOONEY-RIVLIN_RUBBER,1.1e-6,0.4995,0.3,0.1")
    box = TetrahedronBox(deck, (3, 3, 2), (3.0, 3.0, 1.0))
    for n in box.where(lambda p: p[2] == 0.0):
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,1,1")
    for n in box.where(lambda p: p[2] == 1.0):
        move(deck, n, (0.0, 0.0, -0.1))
    ratios = residuals(solve(deck, tmp_path))[0]
    assert len(ratios) <= 9
    assert min(np.diff(np.log10([r for r in ratios if r > 1e-13]))) < -3.0  # three digits in an iteration


def bent(deck: Deck, form: int, poisson: float) -> list[int]:
    """A cantilever of one by one by six, with a force on its end. @returns nodes of the end"""
    deck.part(1, f"SOLID,{form}", f"ELASTIC,7.85e-6,{YOUNG},{poisson}")
    box = TetrahedronBox(deck, (18, 3, 3), (6.0, 1.0, 1.0))
    for n in box.where(lambda p: p[0] == 0.0):
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,1,1")
    tip = box.where(lambda p: p[0] == 6.0)
    for n in tip:
        deck.add(f"*LOAD_NODE_POINT\n{n},3,1,1e-5")
    return tip


def test_constant_volume_does_not_lock(tmp_path):
    """The plain tetrahedron (ELFORM 10) hardly bends where the material keeps its volume."""
    ends = {}
    for form, poisson in ((10, 0.3), (10, 0.4995), (13, 0.3), (13, 0.4995)):
        deck = Deck()
        control(deck)
        tip = bent(deck, form, poisson)
        done = solve(deck, tmp_path / f"{form}-{poisson}")
        ends[form, poisson] = displacements(done)[[n - 1 for n in tip], 2].mean()
    assert ends[10, 0.4995] < 0.1 * ends[10, 0.3]
    # A beam's deflection hardly depends on Poisson's ratio: here by 14 %, in a finer mesh by 9 %.
    assert ends[13, 0.4995] > 0.8 * ends[13, 0.3]


def test_explicit_comes_to_rest_where_implicit_is(tmp_path):
    still = Deck()
    control(still)
    tip = [n - 1 for n in bent(still, 13, 0.45)]
    expected = displacements(solve(still, tmp_path / "implicit"))
    moving = Deck()
    omega = 1.8751**2 / 6.0**2 * np.sqrt(YOUNG / 12 / 7.85e-6)
    end, damping = float(12 / omega), float(2 * omega)
    moving.control(end, end)
    bent(moving, 13, 0.45)
    moving.add(
        f"*DEFINE_CURVE\n1\n0.,1.\n{10 * end},1.\n*DEFINE_CURVE\n2\n0.,{damping}\n{10 * end},{damping}"
    )
    moving.add("*DAMPING_GLOBAL\n2")
    path = Path(tmp_path) / "explicit.k"
    path.write_text("\n".join(map(in_free_format, moving.text().splitlines())) + "\n")
    done = run(path, tmp_path / "explicit", "--double-files")
    assert done.status == 0, done.said
    assert displacements(done)[tip, 2].mean() == pytest.approx(expected[tip, 2].mean(), rel=2e-3)
    glstat = read_glstat(done.directory / "glstat")
    assert glstat["total energy / initial energy"].iloc[-1] == pytest.approx(1.0, abs=5e-3)
