"""Laminae off their axes and laminates in static runs, against closed forms (Jones 1975)."""

import math
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, solve
from small_decks import Deck

E1, E2, NU12, G12, G23, G31 = 140.0, 10.0, 0.3, 5.0, 3.5, 5.0
SIDE, THICKNESS, STRESS = 10.0, 2.0, 1e-6
#: *MAT_002 up to GCA; PRBA is the minor ratio
CONSTANTS = f"1.6e-6,{E1},{E2},{E2},{NU12 * E2 / E1!r},{NU12 * E2 / E1!r},0.4|{G12},{G23},{G31}"
STRENGTHS = "5.,5.,5.,5.,5."


def orthotropic(aopt: float, point: str, vector: str = ",") -> str:
    return f"ORTHOTROPIC_ELASTIC,{CONSTANTS},{aopt}|{point}|{vector}"


def composite(beta: float) -> str:
    return f"COMPOSITE_DAMAGE,{CONSTANTS},0.,0.|,|,,,,,,{beta}|5.,5.,5.,5."


def enhanced(mangle: float) -> str:
    return f"ENHANCED_COMPOSITE_DAMAGE,{CONSTANTS},0.,0.|,,,,,,{mangle}|,|,|5.,5.,5.,5.,5."


def off_axis(degrees: float) -> tuple[float, float, float]:
    """Strains x, y, xy of a unit stress along x, by the compliance of a lamina (Jones, eq. 2.84)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    s11, s22, s12, s66 = 1 / E1, 1 / E2, -NU12 / E1, 1 / G12
    xx = s11 * c**4 + (2 * s12 + s66) * s**2 * c**2 + s22 * s**4
    yy = s12 * (s**4 + c**4) + (s11 + s22 - s66) * s**2 * c**2
    xy = (2 * s11 - 2 * s12 - s66) * s * c**3 - (2 * s22 - 2 * s12 - s66) * s**3 * c
    return xx, yy, xy


def supported(deck: Deck, origin: int, along: int, beside: int) -> None:
    """Rigid motions are held at three corners."""
    for node, held in ((origin, "1,1,1"), (along, "0,1,1"), (beside, "0,0,1")):
        deck.add(f"*BOUNDARY_SPC_NODE\n{node},0,{held}")


def pull_edges(deck: Deck, grid: list[list[int]], force: float) -> None:
    """A force per length along x on the edges of a plate."""
    rows = len(grid) - 1
    for j, row in enumerate(grid):
        share = force * SIDE / rows * (0.5 if j in (0, rows) else 1.0)
        deck.add(f"*LOAD_NODE_POINT\n{row[0]},1,1,{-share!r}\n{row[-1]},1,1,{share!r}")


def strains_of_sheet(form: int, law: str, folder: Path, angle: str = "", more: str = "", section: str = ""):
    """Strains x, y, xy of 2 x 2 shells under a stress along x; `angle` is a card of the elements."""
    deck = Deck()
    control(deck)
    deck.part(1, section or f"SHELL,{form},0.8333,2|2.,2.,2.,2.", law)
    grid = deck.plate(1, (2, 2), lambda u, v: (SIDE * u, SIDE * v, 0.0))
    if angle:
        keyword, card = angle.split("|")
        lines = []
        for line in deck.lines:
            lines.append(line.replace("*ELEMENT_SHELL", f"*ELEMENT_SHELL_{keyword}"))
            if lines[-2:-1] == [f"*ELEMENT_SHELL_{keyword}"]:
                lines.append(card)
        deck.lines = lines
    if more:
        deck.add(more)
    supported(deck, grid[0][0], grid[0][-1], grid[-1][0])
    if form == 5:  # membranes have no stiffness across their plane
        deck.add("\n".join(f"*BOUNDARY_SPC_NODE\n{n},0,0,0,1,1,1,1" for row in grid for n in row))
    pull_edges(deck, grid, STRESS * THICKNESS)
    u = displacements(solve(deck, folder))
    a, b, c = (u[n - 1] for n in (grid[0][0], grid[0][-1], grid[-1][0]))
    return (b[0] - a[0]) / SIDE, (c[1] - a[1]) / SIDE, (c[0] - a[0] + b[1] - a[1]) / SIDE


def expect_off_axis(strains, degrees: float) -> None:
    exact = off_axis(degrees)
    for got, known in zip(strains, exact, strict=True):
        assert got / STRESS == pytest.approx(known, rel=1e-4, abs=1e-4 * exact[0])


@pytest.mark.parametrize("form", [2, 16, -16, 5])
@pytest.mark.parametrize("degrees", [0.0, 15.0, 30.0, 45.0, 60.0, 90.0])
def test_lamina(form, degrees, tmp_path):
    expect_off_axis(strains_of_sheet(form, orthotropic(0, ",", f",,,,,,{degrees}"), tmp_path), degrees)


WAYS = {
    "vector": (orthotropic(2, f",,,{math.cos(math.pi / 6)!r},0.5,0.7"), "", "", ""),
    "vector and normal": (orthotropic(3, ",", "0.,1.,0.,,,,30."), "", "", ""),
    "coordinate system": (
        orthotropic(-4, ","),
        "",
        f"*DEFINE_COORDINATE_VECTOR\n4,{math.cos(math.pi / 6)!r},0.5,0.,-0.5,1.,0.",
        "",
    ),
    "angle of elements": (orthotropic(0, ",", ",,,,,,77."), "BETA|0.,0.,0.,0.,30.", "", ""),
    "system of elements": (
        orthotropic(0, ",", ",,,,,,77."),
        "MCID|0.,0.,0.,0.,9",
        "*DEFINE_COORDINATE_SYSTEM\n9,0.,0.,0.,1.7320508,1.,0.\n0.,1.,0.",
        "",
    ),
    "angles of layers": (
        orthotropic(0, ",", ",,,,,,10."),
        "",
        "",
        "SHELL,16,0.8333,2,0,0,1|2.,2.,2.,2.|20.,20.",
    ),
    "composite damage": (composite(30.0), "", "", ""),
    "enhanced": (enhanced(30.0), "", "", ""),
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_say_30_degrees(way, tmp_path):
    law, angle, more, section = WAYS[way]
    expect_off_axis(strains_of_sheet(16, law, tmp_path, angle, more, section), 30.0)


@pytest.mark.parametrize("form", [1, 2, -1, -2])
@pytest.mark.parametrize("degrees", [0.0, 30.0, 70.0])
def test_block(form, degrees, tmp_path):
    """Solids off their axes: the same strains, and that of the thickness."""
    deck = Deck()
    control(deck)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    deck.part(1, f"SOLID,{form}", orthotropic(2, f",,,{c!r},{s!r}", f",,,{-s!r},{c!r}"))
    ids = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (SIDE, SIDE, SIDE))
    supported(deck, ids[0], ids[1], ids[2])
    for k, n in enumerate(ids):
        share = STRESS * SIDE**2 / 4 * (1 if k % 2 else -1)
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,{share!r}")
    u = displacements(solve(deck, tmp_path))
    u = u - u[0]
    strains = (u[1][0] / SIDE, u[2][1] / SIDE, (u[2][0] + u[1][1]) / SIDE)
    expect_off_axis(strains, degrees)
    across = -NU12 / E1 * c**2 - 0.4 / E2 * s**2
    assert u[4][2] / SIDE / STRESS == pytest.approx(across, rel=1e-3)


def stiffness(plies: list[tuple[float, float]]) -> np.ndarray:
    """A, B, B, D of plies (thickness, degrees) with one point in the middle of each."""
    d = 1 - NU12**2 * E2 / E1
    q = np.array([[E1 / d, NU12 * E2 / d, 0], [NU12 * E2 / d, E2 / d, 0], [0, 0, G12]])
    abd = np.zeros((6, 6))
    z = -0.5 * sum(t for t, _ in plies)
    for t, degrees in plies:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        cs = c * s
        turn = np.array([[c * c, s * s, cs], [s * s, c * c, -cs], [-2 * cs, 2 * cs, c * c - s * s]])
        of_ply, middle = t * turn.T @ q @ turn, z + 0.5 * t
        abd += np.block([[of_ply, middle * of_ply], [middle * of_ply, middle**2 * of_ply]])
        z += t
    return abd


LAMINATES = {
    "cross-ply": [(0.5, 0.0), (0.5, 0.0), (1.0, 90.0)],
    "angle-ply": [(0.5, 30.0), (0.5, 30.0), (0.5, -30.0), (0.5, -30.0)],
    "any": [(0.3, 0.0), (0.7, 45.0), (0.4, 90.0), (0.6, -20.0)],
}


@pytest.mark.parametrize("law", ["ORTHOTROPIC_ELASTIC", "COMPOSITE_DAMAGE", "ENHANCED_COMPOSITE_DAMAGE"])
@pytest.mark.parametrize("name", LAMINATES)
def test_unsymmetric_laminate(name, law, tmp_path):
    """Pulled, it bends and twists: strains and curvatures are (A, B, D)^-1 N (Jones, eq. 4.22 to 4.24)."""
    plies = LAMINATES[name]
    deck = Deck()
    control(deck)
    pairs = [plies[k : k + 2] for k in range(0, len(plies), 2)]
    lines = [",".join(f"7,{t},{b},0" for t, b in pair) for pair in pairs]
    deck.add("\n".join(["*PART_COMPOSITE", "laminate", "1,16,0.8333", *lines]))
    cards = {
        "ORTHOTROPIC_ELASTIC": "0.|,|,",
        "COMPOSITE_DAMAGE": "0.,0.|,|,|5.,5.,5.,5.",
        "ENHANCED_COMPOSITE_DAMAGE": "0.,0.|,|,|,|5.,5.,5.,5.,5.",
    }
    first, *rest = f"7,{CONSTANTS},{cards[law]}".split("|")
    deck.add("\n".join([f"*MAT_{law}", first, *rest]))
    grid = deck.plate(1, (4, 4), lambda u, v: (SIDE * u, SIDE * v, 0.0))
    supported(deck, grid[0][0], grid[0][-1], grid[-1][0])
    pull_edges(deck, grid, STRESS)
    u = displacements(solve(deck, tmp_path))
    exx, eyy, exy, kxx, kyy, kxy = np.linalg.solve(stiffness(plies), [STRESS, 0, 0, 0, 0, 0])
    for j, row in enumerate(grid):
        for i, n in enumerate(row):
            x, y = SIDE * i / 4, SIDE * j / 4
            w = 0.5 * (kxx * x * (SIDE - x) + kyy * y * (SIDE - y) - kxy * x * y)
            known = (exx * x + exy * y, eyy * y, w)
            size = max(SIDE * exx, SIDE**2 * max(abs(kxx), abs(kyy), abs(kxy)))
            assert u[n - 1] == pytest.approx(known, abs=1e-4 * size), (x, y)
