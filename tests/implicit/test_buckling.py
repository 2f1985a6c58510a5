"""Buckling loads against closed forms: columns of solids, shells and beams, a plate."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, solve
from small_decks import Deck
from solver_run import Run

YOUNG = 210.0
STEEL = "ELASTIC,7.85e-6,210.,0."


def factors(done: Run) -> np.ndarray:
    """Eigenvalues of eigout; those of the Sturm count must be as many."""
    text = (done.directory / "eigout").read_text()
    assert "b u c k l i n g" in text
    table = text[text.index("MODE    EIGENVALUE") :].split("\n\n")[0].splitlines()[1:]
    found = np.array([float(row.split()[1]) for row in table])
    counted = re.search(r"^ (\d+) factors .* Sturm count, (\d+) found$", done.stdout, re.MULTILINE)
    assert counted, done.stdout[-2000:]
    assert counted.group(1) == counted.group(2) == str(len(found))
    return found


def buckle(deck: Deck, modes: int) -> None:
    control(deck)
    deck.add(f"*CONTROL_IMPLICIT_BUCKLE\n{modes}")


def euler(second: float, length: float, factor: float) -> float:
    """factor is 1 for pinned ends, 1/4 fixed and free, 4 both fixed."""
    return factor * math.pi**2 * YOUNG * second / length**2


@pytest.mark.parametrize("elform", [1, 2])
@pytest.mark.parametrize(("ends", "factor"), [("pinned", 1.0), ("free", 0.25), ("fixed", 4.0)])
def test_column_of_beams(elform: int, ends: str, factor: float, tmp_path: Path) -> None:
    """In two planes; the second factor of pinned ends is four times the first."""
    length, cells, side, load = 100.0, 40, 2.0, 1e-3
    deck = Deck()
    buckle(deck, 4)
    section = f"BEAM,1,0.8333,2,0|{side},{side},{side},{side}"
    if elform == 2:
        second = side**4 / 12
        section = f"BEAM,2,0.8333|{side**2},{second},{second},{2 * second}"
    deck.part(1, section, STEEL)
    nodes = [deck.node((length * i / cells, 0.0, 0.0)) for i in range(cells + 1)]
    third = deck.node((0.0, 0.0, 10.0), 7)
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    first = {"pinned": "1,1,1,1,0,0", "free": "1,1,1,1,1,1", "fixed": "1,1,1,1,1,1"}[ends]
    last = {"pinned": "0,1,1,0,0,0", "free": "0,0,0,0,0,0", "fixed": "0,1,1,1,1,1"}[ends]
    deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,{first}\n{nodes[-1]},0,{last}")
    deck.add(f"*LOAD_NODE_POINT\n{nodes[-1]},1,1,-{load}")
    found = factors(solve(deck, tmp_path)) * load
    exact = euler(side**4 / 12, length, factor)
    assert found[:2] == pytest.approx(exact, rel=0.01)
    second_mode = {"pinned": 4.0, "free": 9.0, "fixed": 2.0457}[ends]
    assert found[2:] == pytest.approx(second_mode * exact, rel=0.02)


@pytest.mark.parametrize("elform", [2, 16])
def test_column_of_shells(elform: int, tmp_path: Path) -> None:
    """A strip between hinges."""
    length, width, thickness, load = 100.0, 10.0, 1.0, 1e-4
    deck = Deck()
    buckle(deck, 2)
    deck.part(1, f"SHELL,{elform},0.8333,5|1.,1.,1.,1.", STEEL)
    cells = 40
    grid = deck.plate(1, (cells, 4), lambda u, v: (length * u, width * v, 0.0))
    for j, row in enumerate(grid):
        deck.add(f"*BOUNDARY_SPC_NODE\n{row[0]},0,1,{int(j == 2)},1\n{row[-1]},0,0,{int(j == 2)},1")
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},1,1,{-load / 4 * (0.5 if j in (0, 4) else 1.0)!r}")
    found = factors(solve(deck, tmp_path)) * load
    exact = euler(width * thickness**3 / 12, length, 1.0)
    assert found[0] == pytest.approx(exact, rel=0.01)
    assert found[1] == pytest.approx(4 * exact, rel=0.02)


@pytest.mark.parametrize("elform", [-1, -2])
def test_column_of_solids(elform: int, tmp_path: Path) -> None:
    """Fixed and free; shear makes it softer by P / (k G A)."""
    length, width, thickness, load = 80.0, 6.0, 4.0, 1e-3
    deck = Deck()
    buckle(deck, 2)
    deck.part(1, f"SOLID,{elform}", STEEL)
    nx, ny, nz = 40, 3, 4
    ids = np.array(deck.block(1, (nx, ny, nz), (0.0, 0.0, 0.0), (length, width, thickness)))
    ids = ids.reshape(nz + 1, ny + 1, nx + 1)
    deck.set("NODE", 1, ids[:, :, 0].ravel().tolist())
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    for k in range(nz + 1):
        for j in range(ny + 1):
            share = (0.5 if j in (0, ny) else 1.0) * (0.5 if k in (0, nz) else 1.0) / (ny * nz)
            deck.add(f"*LOAD_NODE_POINT\n{ids[k, j, -1]},1,1,{-load * share!r}")
    found = factors(solve(deck, tmp_path)) * load
    shear = 5 / 6 * YOUNG / 2 * width * thickness
    for value, second in zip(found, (width * thickness**3 / 12, thickness * width**3 / 12), strict=True):
        exact = euler(second, length, 0.25)
        assert value == pytest.approx(exact / (1 + exact / shear), rel=0.04)


@pytest.mark.parametrize("elform", [2, 16])
def test_plate_in_compression(elform: int, tmp_path: Path) -> None:
    """Simply supported: k = 4, then 6.25 with two half waves (Timoshenko and Gere 1961, 9.2)."""
    side, thickness, poisson, cells, stress = 100.0, 1.0, 0.3, 24, 1e-5
    deck = Deck()
    buckle(deck, 2)
    deck.part(1, f"SHELL,{elform},0.8333,3|1.,1.,1.,1.", f"ELASTIC,7.85e-6,210.,{poisson}")
    grid = deck.plate(1, (cells, cells), lambda u, v: (side * u, side * v, 0.0))
    middle = cells // 2
    for j, row in enumerate(grid):
        share = stress * thickness * side / cells * (0.5 if j in (0, cells) else 1.0)
        deck.add(f"*LOAD_NODE_POINT\n{row[0]},1,1,{share!r}\n{row[-1]},1,1,{-share!r}")
        for i, n in enumerate(row):
            on_side = i in (0, cells) or j in (0, cells)
            held = (int(i == middle), int(j == middle), int(on_side))
            if any(held):
                deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{held[0]},{held[1]},{held[2]}")
    found = factors(solve(deck, tmp_path)) * stress
    unit = math.pi**2 * YOUNG / (12 * (1 - poisson**2)) * (thickness / side) ** 2
    assert found[0] == pytest.approx(4.0 * unit, rel=0.015)
    assert found[1] == pytest.approx(6.25 * unit, rel=0.03)


def test_loads_of_either_sign_and_the_plot_file(tmp_path: Path) -> None:
    """Two columns, one pulled and one pressed: a negative and a positive factor; d3eigv has both shapes."""
    from lasso.dyna import D3plot

    length, cells, load = 100.0, 20, 1e-3
    deck = Deck()
    buckle(deck, 2)
    second = 2.0**4 / 12
    deck.part(1, f"BEAM,2,0.8333|4.,{second},{3 * second},{2 * second}", STEEL)
    for column, sign in enumerate((1.0, -2.0)):
        nodes = [deck.node((length * i / cells, 30.0 * column, 0.0)) for i in range(cells + 1)]
        third = deck.node((0.0, 30.0 * column, 10.0), 7)
        for a, b in zip(nodes, nodes[1:], strict=False):
            deck.element("BEAM", 1, (a, b, third))
        deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,1,1,1,1,1,1")
        deck.add(f"*LOAD_NODE_POINT\n{nodes[-1]},1,1,{sign * load}")
    done = solve(deck, tmp_path)
    found = factors(done)
    exact = euler(second, length, 0.25) / load
    assert found == pytest.approx([exact / 2, -exact], rel=0.01)
    arrays = D3plot(str(done.directory / "d3eigv")).arrays
    assert arrays["timesteps"] == pytest.approx(found, rel=1e-5)
    moved = np.linalg.norm(arrays["node_displacement"] - arrays["node_coordinates"], axis=2)
    order = np.argsort(arrays["node_ids"])
    moved = moved[:, order]
    assert moved[0, : cells + 1].max() < 0.05 * moved[0].max()  # the column that is pulled rests
    assert moved[1, cells + 2 :].max() < 0.05 * moved[1].max()


def test_a_tip_body_carries_the_load(tmp_path: Path) -> None:
    """A dead load P at the end of a rigid arm a behind the tip: tan(k L) = 1 / (k a), k^2 = P / EI."""
    length, arm, cells, load, side = 80.0, 20.0, 40, 1e-3, 2.0
    deck = Deck()
    buckle(deck, 2)
    second = side**4 / 12
    deck.part(1, f"BEAM,2,0.8333|{side**2},{second},{second},{2 * second}", STEEL)
    nodes = [deck.node((length * i / cells, 0.0, 0.0)) for i in range(cells + 1)]
    third, tip = deck.node((0.0, 0.0, 10.0), 7), deck.node((length + arm, 0.0, 0.0))
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    deck.set("NODE", 5, (nodes[-1], tip))
    deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n77,0,5")
    deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,1,1,1,1,1,1\n*LOAD_NODE_POINT\n{tip},1,1,-{load}")
    found = factors(solve(deck, tmp_path)) * load
    low, high = 1e-6, math.pi / 2 / length
    for _ in range(80):
        k = (low + high) / 2
        low, high = (k, high) if math.tan(k * length) < 1 / (k * arm) else (low, k)
    assert found == pytest.approx(YOUNG * second * low**2, rel=0.01)


REFUSED = {
    "between steps": ("*CONTROL_IMPLICIT_BUCKLE\n-3", "NMODE = -3"),
    "power method": ("*CONTROL_IMPLICIT_BUCKLE\n3,2", "BCKMTH = 2"),
    "both": ("*CONTROL_IMPLICIT_BUCKLE\n3\n*CONTROL_IMPLICIT_EIGENVALUE\n3", "in one run"),
    "dynamics": ("*CONTROL_IMPLICIT_BUCKLE\n3\n*CONTROL_IMPLICIT_DYNAMICS\n1", "in dynamics"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_missing_is_refused_by_name(what: str, tmp_path: Path) -> None:
    keywords, said = REFUSED[what]
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", STEEL)
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    deck.add(keywords)
    assert said in solve(deck, tmp_path, status=2).said
