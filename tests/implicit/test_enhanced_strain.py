"""Solids of ELFORM 18: MacNeal and Harder's beam, and what is refused."""

import numpy as np
import pytest
from implicit_decks import control, displacements, solve
from small_decks import STEEL, Deck
from solver_run import run


def grid(deck: Deck, cells: tuple[int, int], thickness: float, place) -> dict[tuple[int, int, int], int]:
    """A layer of bricks over the unit square as `place` puts it."""
    nx, ny = cells
    nodes = {
        (i, j, k): deck.node((*place(i / nx, j / ny), k * thickness))
        for k in range(2)
        for j in range(ny + 1)
        for i in range(nx + 1)
    }
    ring = ((0, 0), (1, 0), (1, 1), (0, 1))
    for j in range(ny):
        for i in range(nx):
            deck.element("SOLID", 1, [nodes[i + a, j + b, k] for k in (0, 1) for a, b in ring])
    return nodes


#: in the plane, by another program of the same element; so have other bricks with incompatible modes
SHAPES = {"regular": 0.9782, "trapezoids": 0.04734, "parallelograms": 0.6236}


@pytest.mark.parametrize("shape", SHAPES)
def test_macneal_and_harders_beam(shape, tmp_path):
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,18", "ELASTIC,1.,1.e7,0.3")

    def place(u, v):
        line = round(6 * u)
        tilt = 0.0 if line in (0, 6) or shape == "regular" else 1.0
        if shape == "trapezoids" and line % 2:
            tilt = -tilt
        y = 0.2 * (v - 0.5)
        return (6.0 * u + tilt * y, y)

    nodes = grid(deck, (6, 1), 0.1, place)
    small = 1e-4
    for (i, _, _), node in nodes.items():
        if i == 0:
            deck.add(f"*BOUNDARY_SPC_NODE\n{node},0,1,1,1")
        if i == 6:
            deck.add(f"*LOAD_NODE_POINT\n{node},2,1,{small / 4!r}")
    u = displacements(solve(deck, tmp_path))
    tip = np.mean([u[node - 1, 1] for (i, _, _), node in nodes.items() if i == 6])
    assert tip / (small * 0.1081) == pytest.approx(SHAPES[shape], abs=1e-3)


def test_explicit_runs_are_refused(tmp_path):
    deck = Deck()
    deck.control(1.0, 1.0)
    deck.part(1, "SOLID,18", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status != 0
    assert "CR-E210" in done.said
    assert "implicit analysis only" in done.said
