"""Thick shells with layers in plane stress (*SECTION_TSHELL 1 and 2), and shells for linear analysis."""

import numpy as np
import pytest
from implicit_decks import control, displacements, solve
from small_decks import STEEL, Deck
from solver_run import run

LENGTH, WIDTH, THICKNESS, YOUNG = 60.0, 6.0, 1.0, 210.0


def strip(deck: Deck, form: int, cells: int, place) -> dict[tuple[int, int, int], int]:
    """A row of thick shells over u from 0 to 1, v across and w through the thickness."""
    deck.part(1, f"TSHELL,{form},0.8333333,3", f"ELASTIC,7.85e-6,{YOUNG},0.0")
    nodes = {
        (i, j, k): deck.node(place(i / cells, j, k - 0.5))
        for k in range(2)
        for j in range(2)
        for i in range(cells + 1)
    }
    for i in range(cells):
        ring = ((i, 0), (i + 1, 0), (i + 1, 1), (i, 1))
        deck.element("TSHELL", 1, [nodes[a, b, k] for k in range(2) for a, b in ring])
    for (i, _, _), n in nodes.items():
        if i == 0:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,1,1")
    return nodes


def tip(deck: Deck, nodes, cells: int, direction: int, load: float, tmp_path) -> float:
    """Displacement of the end under a force."""
    end = [n for (i, _, _), n in nodes.items() if i == cells]
    for n in end:
        deck.add(f"*LOAD_NODE_POINT\n{n},{direction},1,{load / len(end)!r}")
    u = displacements(solve(deck, tmp_path))
    return float(np.mean([u[n - 1, direction - 1] for n in end]))


@pytest.mark.parametrize("form", (1, 2))
def test_a_straight_strip_bends_as_a_beam(form, tmp_path):
    """12 elements of uniform curvature along it: 1 - 1 / (4 n^2) of the beam's deflection."""
    deck, cells, load = Deck(), 12, 1e-6
    control(deck)
    nodes = strip(deck, form, cells, lambda u, v, w: (LENGTH * u, WIDTH * v, THICKNESS * w))
    beam = load * LENGTH**3 / (3 * YOUNG * WIDTH * THICKNESS**3 / 12)
    shear = load * LENGTH / (0.8333333 * YOUNG / 2 * WIDTH * THICKNESS)
    exact = beam * (1 - 1 / (4 * cells**2)) + shear
    assert tip(deck, nodes, cells, 3, load, tmp_path) == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize("form", (1, 2))
def test_a_quarter_of_a_ring_bends_without_its_thickness(form, tmp_path):
    """Fibers lean against the normals; pi P R^3 / (4 E I) at the end of a quarter, along the load."""
    deck, cells, load, radius = Deck(), 24, 1e-6, 40.0
    control(deck)

    def place(u, v, w):
        r = radius + THICKNESS * w
        a = 0.5 * np.pi * u
        return (float(r * np.sin(a)), WIDTH * v, float(r * np.cos(a)))

    nodes = strip(deck, form, cells, place)
    exact = np.pi * load * radius**3 / (4 * YOUNG * WIDTH * THICKNESS**3 / 12)
    assert tip(deck, nodes, cells, 1, load, tmp_path) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(("form", "bound"), ((18, 6e-3), (20, 8e-3)))
@pytest.mark.parametrize(("held", "known"), (("simply", 0.01160), ("clamped", 0.005612)))
def test_a_square_plate_under_a_force_in_its_middle(form, bound, held, known, tmp_path):
    """w = known P a^2 / D (Timoshenko and Woinowsky-Krieger 1959, sections 34 and 44): a quarter, 16 x 16."""
    deck, cells, side, thickness, load = Deck(), 16, 100.0, 0.1, 1e-10
    control(deck)
    deck.part(1, f"SHELL,{form},0.8333333,2|{thickness}", f"ELASTIC,7.85e-6,{YOUNG},0.3")
    nodes = {
        (i, j): deck.node((0.5 * side * i / cells, 0.5 * side * j / cells, 0.0))
        for j in range(cells + 1)
        for i in range(cells + 1)
    }
    for j in range(cells):
        for i in range(cells):
            deck.element("SHELL", 1, [nodes[i, j], nodes[i + 1, j], nodes[i + 1, j + 1], nodes[i, j + 1]])
    for (i, j), n in nodes.items():
        clamped = held == "clamped"
        flags = [1, 1, int(cells in (i, j)), int(j == 0 or i == cells or (clamped and j == cells)),
                 int(i == 0 or j == cells or (clamped and i == cells)), 1]  # fmt: skip
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0," + ",".join(map(str, flags)))
    deck.add(f"*LOAD_NODE_POINT\n{nodes[0, 0]},3,1,{load / 4!r}")
    u = displacements(solve(deck, tmp_path))
    rigidity = YOUNG * thickness**3 / 12 / (1 - 0.3**2)
    assert u[nodes[0, 0] - 1, 2] / (load * side**2 / rigidity) == pytest.approx(known, rel=bound)


@pytest.mark.parametrize("form", (18, 20))
def test_shells_for_linear_analysis_refuse_explicit_cycles(form, tmp_path):
    deck = Deck()
    deck.control(1.0, 1.0)
    deck.part(1, f"SHELL,{form}|1.0", f"ELASTIC,{STEEL}")
    corners = [deck.node(p) for p in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))]
    deck.element("SHELL", 1, corners)
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status != 0
    assert "CR-E107" in done.said


def test_layers_of_two_materials_bend_about_their_common_axis(tmp_path):
    """A soft and a stiff half: E I by the transformed section, no Poisson's ratio."""
    deck, cells, load, soft = Deck(), 12, 1e-6, 10.0
    control(deck)
    nodes = strip(deck, 2, cells, lambda u, v, w: (LENGTH * u, WIDTH * v, THICKNESS * w))
    text = deck.text()
    start = text.index("*PART\n")
    end = text.index("*MAT_ELASTIC")
    layers = "\n".join(f"{m},0.05,0.,,{m},0.05,0." for m in [2] * 5 + [1] * 5)
    composite = (
        f"*PART_COMPOSITE_TSHELL\nstrip\n1,2,0.8333333\n{layers}\n*MAT_ELASTIC\n2,7.85e-6,{soft},0.0\n"
    )
    deck.lines = (text[:start] + composite + text[end:]).replace("*END", "").splitlines()
    # About the lower face: axial, first and second moments of E.
    h, b = THICKNESS, WIDTH
    zero = b * h / 2 * (soft + YOUNG)
    first = b * h**2 / 8 * (soft + 3 * YOUNG)
    second = b * h**3 / 24 * (soft + 7 * YOUNG)
    bending = second - first**2 / zero
    beam = load * LENGTH**3 / (3 * bending) * (1 - 1 / (4 * cells**2))
    assert tip(deck, nodes, cells, 3, load, tmp_path) == pytest.approx(beam, rel=0.02)
