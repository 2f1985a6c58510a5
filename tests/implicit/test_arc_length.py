"""Steps along the path of equilibrium, past limit points (NSOLVR 6 to 9, ARCMTH 3). 1 rank."""

import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, plot, solve
from small_decks import Deck

RISE, HALF_SPAN, STIFFNESS, LOAD = 1.0, 10.0, 100.0, 1.0


def loads(done) -> np.ndarray:
    """The time of the load curves after each step."""
    return np.array([float(t) for t in re.findall(r"^ step +\d+  loads of time (\S+)", done.stdout, re.M)])


def truss(steps: int, **of_control) -> tuple[Deck, int]:
    """Two springs that meet at a top, which a load pushes down (von Mises 1923)."""
    deck = Deck()
    control(deck, steps, **of_control)
    deck.part(1, "DISCRETE,0", f"SPRING_ELASTIC,{STIFFNESS}")
    a, b = (deck.node((x, 0.0, 0.0)) for x in (-HALF_SPAN, HALF_SPAN))
    top = deck.node((0.0, 0.0, RISE))
    for number, end in enumerate((a, b), 1):
        deck.element("DISCRETE", 1, (end, top))
        deck.add(f"*BOUNDARY_SPC_NODE\n{end},0,1,1,1")
        deck.add(f"*ELEMENT_MASS\n{90 + number},{end},1.")
    deck.add(f"*ELEMENT_MASS\n93,{top},1.\n*BOUNDARY_SPC_NODE\n{top},0,1,1,0")
    deck.add(f"*LOAD_NODE_POINT\n{top},3,1,{-LOAD!r}")
    return deck, top


def force_of_truss(down: np.ndarray) -> np.ndarray:
    """What holds the top down there: 2 k (L0 - L) sin."""
    height = RISE - down
    length, free = np.hypot(HALF_SPAN, height), np.hypot(HALF_SPAN, RISE)
    return 2 * STIFFNESS * (free - length) * height / length


@pytest.mark.parametrize("method", [6, 12])
def test_truss_snaps_through(method: int, tmp_path: Path) -> None:
    """The load rises, falls below zero and rises again; every step lies on the closed form."""
    deck, top = truss(40, end=4.0, solution=f"{method},1,,1e-9,1e-18,1e-9,,1e-20", arc=",,5.,3")
    done = solve(deck, tmp_path)
    down = RISE - plot(done)["node_displacement"][1:, top - 1, 2]
    force = LOAD * loads(done) / 4.0  # curve 1 reaches 1 at the end
    assert down[-1] > 2 * RISE and (np.diff(down) > 0).all()
    assert force == pytest.approx(force_of_truss(down), abs=1e-6)
    signs = np.sign(np.diff(force))
    assert (np.diff(signs) != 0).sum() == 2  # two limit points


def test_load_steps_end_at_the_limit_load(tmp_path: Path) -> None:
    """The same truss, without arc lengths: k (1 - z^2) z / b^2 has its limit near 0.385."""
    deck, _ = truss(40)
    done = solve(deck, tmp_path, status=3)
    reached = re.search(r"error CR-I104: step \d+ from time (\S+) has not converged", done.said)
    assert float(reached[1]) == pytest.approx(0.375)


def test_lees_frame(tmp_path: Path) -> None:
    """The first limit load of two hinged bars of 120 with a load near their corner.

    Lee, Manuel and Rossow (1968). The value is that of the extensible elastica, by shooting with Runge
    and Kutta's method: 1.8557, where the load has gone down by 48.75.
    """
    unit = 0.2  #: load of one unit of time
    deck = Deck()
    control(deck, 60, end=60.0, solution="12,1,40,1e-6,1e-12,,,1e-20", arc=",,,3")
    deck.part(1, "BEAM,2,1.|6.,2.,2.,4.,5.", "ELASTIC,1e-6,720.,0.3")
    points = [(0.0, 0.0, 12.0 * k) for k in range(11)] + [(12.0 * k, 0.0, 120.0) for k in range(1, 11)]
    nodes = [deck.node(p) for p in points]
    third = deck.node((60.0, 50.0, 60.0))
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    for n in nodes:
        hinge = n in (nodes[0], nodes[-1])
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{int(hinge)},1,{int(hinge)},1,0,1")
    deck.add(f"*LOAD_NODE_POINT\n{nodes[12]},3,1,{-60 * unit!r}")  # curve 1 reaches 1 at the end
    done = solve(deck, tmp_path)
    load = unit * loads(done)
    down = 120.0 - plot(done)["node_displacement"][1:, nodes[12] - 1, 2]
    top = load.argmax()
    assert 0 < top < len(load) - 5
    assert load[top] == pytest.approx(1.8557, rel=0.01)
    assert down[top] == pytest.approx(48.75, abs=2.0)
    assert load[-1] < load[top]


@pytest.mark.parametrize(
    ("arc", "word"),
    [
        ("7,,,3", "ARCCTL"),
        (",,,2", "Ramm"),
        (",,,3,1", "ARCDMP"),
        (",,,3,2,1.", "ARCPSI"),
        (",,,3,2,,1.", "ARCALF"),
    ],
)
def test_other_methods_are_refused(arc: str, word: str, tmp_path: Path) -> None:
    """By the name of their field."""
    deck, _ = truss(10, solution="6,1", arc=arc)
    assert word in solve(deck, tmp_path, status=2).said


def test_prescribed_motion_is_refused(tmp_path: Path) -> None:
    """The load is a force that the path finds."""
    deck, top = truss(10, arc=",,,3")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{top},1,2,1,1.")
    assert "path of equilibrium" in solve(deck, tmp_path, status=2).said
