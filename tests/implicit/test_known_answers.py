"""Static problems with known answers: beams, a thick cylinder, plasticity."""

from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, plot, prescribe, residuals, solve
from small_decks import STEEL, Deck

YOUNG, POISSON = 210.0, 0.3
LENGTH, DEPTH = 100.0, 10.0  # of a cantilever with a square cross section


def deflection(load: float) -> float:
    """Of a cantilever's end, by bending (Euler and Bernoulli) and shear (Timoshenko, 5/6)."""
    inertia = DEPTH**4 / 12
    shear = YOUNG / (2 * (1 + POISSON))
    return load * LENGTH**3 / (3 * YOUNG * inertia) + load * LENGTH / (5 / 6 * shear * DEPTH**2)


@pytest.mark.parametrize(("form", "within"), [(1, 0.30), (2, 0.03), (-1, 0.025), (-2, 0.025)])
def test_cantilever_of_solids(form, within, tmp_path):
    """4 elements over the depth; forms -1 and -2 are softer than exact, by design."""
    deck = Deck()
    control(deck)
    deck.part(1, f"SOLID,{form}", f"ELASTIC,{STEEL}")
    nx, cells = 41, (40, 4, 4)
    ids = deck.block(1, cells, (0.0, 0.0, 0.0), (LENGTH, DEPTH, DEPTH))
    deck.set("NODE", 1, ids[0::nx])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    end = ids[nx - 1 :: nx]
    load = 1e-3
    for n in end:
        deck.add(f"*LOAD_NODE_POINT\n{n},3,1,{-load / len(end)!r}")
    done = solve(deck, tmp_path)
    w = -displacements(done)[end[len(end) // 2] - 1, 2]
    assert w == pytest.approx(deflection(load), rel=within)
    work = histories(done).read("glstat", "external_work")[-1]
    assert work == pytest.approx(0.5 * load * w, rel=1e-3)
    reaction = histories(done).read("spcforc", "z_force")[-1].sum()
    assert reaction == pytest.approx(load, rel=1e-9)


@pytest.mark.parametrize("form", [2, 16])
def test_cantilever_of_shells(form, tmp_path):
    deck = Deck()
    control(deck)
    thickness = 2.0
    deck.part(1, f"SHELL,{form},0.8333,2|2.,2.,2.,2.", "ELASTIC,7.85e-6,210.,0.")
    grid = deck.plate(1, (40, 4), lambda u, v: (LENGTH * u, DEPTH * v, 0.0))
    deck.set("NODE", 1, [row[0] for row in grid])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    load = 1e-5
    for j, row in enumerate(grid):
        share = 0.5 if j in (0, 4) else 1.0
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,1,{load * share / 4!r}")
    done = solve(deck, tmp_path)
    inertia = DEPTH * thickness**3 / 12
    exact = load * LENGTH**3 / (3 * YOUNG * inertia) + load * LENGTH / (5 / 6 * YOUNG / 2 * DEPTH * thickness)
    assert displacements(done)[grid[2][-1] - 1, 2] == pytest.approx(exact, rel=2e-3)


LOAD = 1e-6  # at the end of a cantilever of beams


def tip_of_cantilever(folder: Path, section: str, length: float, elements: int) -> float:
    """Displacement of the end along the load, of beams along x with s along y; rank 0 alone."""
    deck = Deck()
    control(deck)
    deck.part(1, section, f"ELASTIC,{STEEL}")
    nodes = [deck.node((length * k / elements, 0.0, 0.0)) for k in range(elements + 1)]
    third = deck.node((0.0, 10.0, 0.0))
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    deck.add(f"*BOUNDARY_SPC_NODE\n1,0,1,1,1,1,1,1\n*LOAD_NODE_POINT\n{nodes[-1]},3,1,{LOAD!r}")
    return displacements(solve(deck, folder))[nodes[-1] - 1, 2]


@pytest.mark.parametrize(
    "section",
    ["BEAM,1,1.,2|2.,2.,3.,3.", "BEAM,2,1.|6.,2.,4.5,4.7,5."],
    ids=["Hughes-Liu", "Belytschko-Schwer"],
)
def test_cantilever_of_beams(section, tmp_path):
    """A section of 2 by 3: it bends about its stiff or about its soft axis."""
    w = tip_of_cantilever(tmp_path, section, LENGTH, 20)
    bending = [LOAD * LENGTH**3 / (3 * YOUNG * inertia) for inertia in (2.0, 4.5)]
    assert min(abs(w / exact - 1) for exact in bending) < 0.01


@pytest.mark.parametrize("elements", [1, 3])
def test_timoshenko_beam_is_exact(elements, tmp_path):
    """P L^3 / 3 E I + P L / G A_s at the end of a cantilever, by one element as by three; rank 0 alone."""
    area, shear_area, inertia, length = 6.0, 5.0, 4.5, 5.0
    section = f"BEAM,13,1.|{area},{inertia},{inertia},4.7,{shear_area}"
    w = tip_of_cantilever(tmp_path, section, length, elements)
    shear = YOUNG / (2 * (1 + POISSON))
    exact = LOAD * length**3 / (3 * YOUNG * inertia) + LOAD * length / (shear * shear_area)
    assert w == pytest.approx(exact, rel=1e-6)


def test_springs_share_a_load(tmp_path):
    """Two in a row, stiffness 2 and 3; across them nothing is stiff."""
    deck = Deck()
    control(deck)
    for number, k in ((1, 2.0), (2, 3.0)):
        deck.part(number, "DISCRETE,0", f"SPRING_ELASTIC,{k}")
    a, b, c = (deck.node((float(x), 0.0, 0.0)) for x in range(3))
    deck.element("DISCRETE", 1, (a, b))
    deck.element("DISCRETE", 2, (b, c))
    deck.add(f"*ELEMENT_MASS\n91,{b},1.\n92,{c},1.\n*BOUNDARY_SPC_NODE\n{a},0,1,1,1")
    deck.add(f"*LOAD_NODE_POINT\n{c},1,1,0.6")
    u = displacements(solve(deck, tmp_path))
    assert u[:, 0] == pytest.approx([0.0, 0.3, 0.5])


def ring_of_pressure(
    cells: int, form: int, law: str, pressure: float, steps: int = 1
) -> tuple[Deck, list[int]]:
    """A quarter of a thick cylinder, radii 10 and 20, in plane strain, under pressure inside."""
    deck = Deck()
    control(deck, steps)
    deck.part(1, f"SOLID,{form}", law)
    nr, nt = cells + 1, 2 * cells + 1
    ids = []
    for z in (0.0, 1.0):
        for t in range(nt):
            a = np.pi / 2 * t / (nt - 1)
            for r in range(nr):
                radius = 10.0 * (1 + r / (nr - 1))
                ids.append(deck.node((radius * np.cos(a), radius * np.sin(a), z)))

    def at(r, t, z):
        return ids[(z * nt + t) * nr + r]

    for t in range(nt - 1):
        for r in range(nr - 1):
            ring = ((r, t), (r + 1, t), (r + 1, t + 1), (r, t + 1))
            deck.element("SOLID", 1, [at(*p, z) for z in (0, 1) for p in ring])
        corners = (at(0, t, 0), at(0, t, 1), at(0, t + 1, 1), at(0, t + 1, 0))
        deck.add(f"*LOAD_SEGMENT\n1,{pressure!r},0.," + ",".join(map(str, corners)))
    for name, held, nodes in (
        (1, "0,1,0", [at(r, 0, z) for r in range(nr) for z in (0, 1)]),
        (2, "1,0,0", [at(r, nt - 1, z) for r in range(nr) for z in (0, 1)]),
        (3, "0,0,1", ids),
    ):
        deck.set("NODE", name, nodes)
        deck.add(f"*BOUNDARY_SPC_SET\n{name},0,{held}")
    return deck, [at(0, 0, 0), at(nr - 1, 0, 0)]


@pytest.mark.parametrize("form", [1, 2, -1])
def test_thick_cylinder(form, tmp_path):
    """Lame 1852: u(r) = (1 + nu) p a^2 / (E (b^2 - a^2)) ((1 - 2 nu) r + b^2 / r) in plane strain."""
    pressure = 1e-4
    deck, (inner, outer) = ring_of_pressure(8, form, f"ELASTIC,{STEEL}", pressure)
    done = solve(deck, tmp_path)
    u = displacements(done)
    for node, r in ((inner, 10.0), (outer, 20.0)):
        exact = (1 + POISSON) * pressure * 100 / (YOUNG * 300) * ((1 - 2 * POISSON) * r + 400 / r)
        assert u[node - 1, 0] == pytest.approx(exact, rel=0.006)


def test_follower_pressure_has_its_stiffness(tmp_path):
    """Large strains: the stiffness of the pressure counts."""
    law = "ELASTIC,1e-6,1.0,0.3"
    deck, (inner, _) = ring_of_pressure(4, 2, law, 0.02)
    done = solve(deck, tmp_path)
    r = residuals(done)[0]
    assert displacements(done)[inner - 1, 0] > 0.3
    for before, after in zip(r[1:], r[2:], strict=False):
        assert after < 0.03 * before  # stress over Young's modulus, since stiffness is made symmetric


YIELD, TANGENT = 0.3, 10.0  # GPa


def yielding_cube(form: int, steps: int) -> Deck:
    deck = Deck()
    control(deck, steps)
    deck.part(1, f"SOLID,{form}", f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},{YIELD},{TANGENT}|0.|,|,")
    ids = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    for name, held, nodes in (
        (1, "1,0,0", ids[0::2]),
        (2, "0,1,0", [ids[k] for k in (0, 1, 4, 5)]),
        (3, "0,0,1", ids[:4]),
    ):
        deck.set("NODE", name, nodes)
        deck.add(f"*BOUNDARY_SPC_SET\n{name},0,{held}")
    return deck


@pytest.mark.parametrize("form", [1, 2, -1])
def test_uniaxial_plasticity(form, tmp_path):
    """Stretched far beyond yield in 8 steps: sigma = (sigma_y + H e) / (1 + H / E), H of plastic strain.

    e is the logarithmic strain along the axis; the sum of strains at mid step is it up to 1e-4.
    """
    deck = yielding_cube(form, 8)
    for n in (2, 4, 6, 8):
        prescribe(deck, n, (0.04,), (1,))
    done = solve(deck, tmp_path)
    hardening = YOUNG * TANGENT / (YOUNG - TANGENT)
    arrays = plot(done)
    stress = arrays["element_solid_stress"][-1].reshape(-1, 6)[0]
    plastic = arrays["element_solid_effective_plastic_strain"][-1].ravel()[0]
    strain = np.log(1.04)
    exact = (YIELD + hardening * strain) / (1 + hardening / YOUNG)
    assert stress[0] == pytest.approx(exact, rel=1e-4)
    assert np.abs(stress[1:]).max() < 1e-8
    assert plastic == pytest.approx(strain - exact / YOUNG, rel=2e-4)


def test_plasticity_converges_quadratically(tmp_path):
    """Loaded by forces to twice the yield stress: the error is squared by each iteration, but for what a
    symmetric stiffness leaves out: at most the stress over the tangent modulus after yield. At the start of a
    step the stress is on the yield surface: rounding decides whether the first stiffness is elastic.
    """
    deck = yielding_cube(2, 4)
    for n in (2, 4, 6, 8):
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,{0.45 / 4!r}")
    done = solve(deck, tmp_path)
    for step in residuals(done):
        assert len(step) <= 8
        tail = [r for r in step if 1e-13 < r < 1e-2]
        for before, after in zip(tail, tail[1:], strict=False):
            assert after < 20 * before**2 + 0.45 / TANGENT * before
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)[0, 0]
    u = displacements(done)[1]
    assert stress == pytest.approx(
        0.45 / ((1 + displacements(done)[7, 1]) * (1 + displacements(done)[7, 2])), rel=1e-9
    )
    assert u[0] > YIELD / YOUNG
