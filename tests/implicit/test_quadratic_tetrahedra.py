"""Tetrahedra with ten nodes: bending, also nearly incompressible, frequencies, explicit beside implicit."""

from pathlib import Path

import dynain_file
import numpy as np
import pytest
import pyvista
from implicit_decks import control, displacements, in_free_format, plot, solve
from small_decks import Deck
from solver_run import Run, run
from ten_node_boxes import EDGES, TenNodeBox

from crumple.results.glstat import read_glstat

LENGTH, YOUNG = 10.0, 210.0


def clamp(deck: Deck, box: TenNodeBox) -> None:
    """The end may contract across; its middle and one direction of turning are held."""
    for n in box.where(lambda p: p[0] == 0.0):
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,0,0")
    for n in box.where(lambda p: p == (0.0, 0.5, 0.5)):
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,0,1,1")
    for n in box.where(lambda p: p == (0.0, 0.5, 1.0)):
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,0,1,0")


def cantilever(deck: Deck, poisson: float, force: float) -> TenNodeBox:
    """A square section of 1, with a force along z spread over its end."""
    deck.part(1, "SOLID,16", f"ELASTIC,7.85e-6,{YOUNG},{poisson}")
    box = TenNodeBox(deck, 1, (10, 2, 2), (LENGTH, 1.0, 1.0))
    clamp(deck, box)
    for n, share in box.shares_of_end().items():
        deck.add(f"*LOAD_NODE_POINT\n{n},3,1,{share * force!r}")
    return box


def deflection(poisson: float, force: float) -> float:
    """Timoshenko's beam with Cowper's shear coefficient."""
    shear = YOUNG / (2 * (1 + poisson)) * 10 * (1 + poisson) / (12 + 11 * poisson)
    return force * LENGTH**3 / (3 * YOUNG / 12) + force * LENGTH / shear


def explicit(deck: Deck, folder: Path) -> Run:
    """Run a deck to its end by cycles."""
    path = folder / "explicit.k"
    path.write_text("\n".join(map(in_free_format, deck.text().splitlines())) + "\n")
    done = run(path, folder / "explicit", "--double-files")
    assert done.status == 0, done.said
    return done


@pytest.mark.parametrize("poisson", (0.0, 0.3, 0.499))
def test_cantilever(poisson, tmp_path):
    deck = Deck()
    control(deck)
    box = cantilever(deck, poisson, 1e-4)
    done = solve(deck, tmp_path)
    tip = [n - 1 for n in box.where(lambda p: p[0] == LENGTH)]
    assert displacements(done)[tip, 2].mean() == pytest.approx(deflection(poisson, 1e-4), rel=0.01)


def test_explicit_comes_to_rest_where_implicit_is(tmp_path):
    still = Deck()
    control(still)
    box = cantilever(still, 0.3, 1e-4)
    expected = displacements(solve(still, tmp_path / "implicit"))
    moving = Deck()
    omega = 1.8751**2 / LENGTH**2 * np.sqrt(YOUNG / 12 / 7.85e-6)
    end = float(12 / omega)
    moving.control(end, end)
    cantilever(moving, 0.3, 1e-4)
    damping = float(2 * omega)
    moving.add(
        f"*DEFINE_CURVE\n1\n0.,1.\n{10 * end},1.\n*DEFINE_CURVE\n2\n0.,{damping}\n{10 * end},{damping}"
    )
    moving.add("*DAMPING_GLOBAL\n2")
    done = explicit(moving, tmp_path)
    tip = [n - 1 for n in box.where(lambda p: p[0] == LENGTH)]
    assert displacements(done)[tip, 2].mean() == pytest.approx(expected[tip, 2].mean(), rel=2e-3)
    glstat = read_glstat(done.directory / "glstat")
    assert glstat["total energy / initial energy"].iloc[-1] == pytest.approx(1.0, abs=5e-3)


def test_a_bar_swings_with_its_frequency(tmp_path):
    """A bar that is fixed at one end, in its lowest mode: half a period is 2 L / c."""
    deck = Deck()
    sound = np.sqrt(YOUNG / 7.85e-6)
    half = float(2 * LENGTH / sound)
    deck.control(half, half, half / 200)
    deck.part(1, "SOLID,16", f"ELASTIC,7.85e-6,{YOUNG},0.0")
    box = TenNodeBox(deck, 1, (10, 1, 1), (LENGTH, 1.0, 1.0))
    for at, n in box.nodes.items():
        x = box.point(at)[0]
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{int(x == 0)},1,1")
        if x > 0:
            speed = float(1e-3 * np.sin(np.pi * x / (2 * LENGTH)))
            deck.add(f"*INITIAL_VELOCITY_NODE\n{n},{speed!r},0.,0.")
    done = explicit(deck, tmp_path)
    tip = [n - 1 for n in box.where(lambda p: p[0] == LENGTH)]
    arrays = plot(done)
    order = np.argsort(arrays["node_ids"])
    u = (arrays["node_displacement"][-1] - arrays["node_coordinates"])[order][tip, 0].mean()
    v = arrays["node_velocity"][-1][order][tip, 0].mean()
    omega = np.pi / (2 * LENGTH) * sound
    # u / v is the tangent of the phase that it is ahead of half a period
    phase = np.arctan2(u * omega, v)
    assert abs(abs(phase) - np.pi) < 0.01 * np.pi
    kinetic = read_glstat(done.directory / "glstat")["kinetic energy"]
    first = 0.25 * 7.85e-6 * LENGTH * 1e-6
    assert kinetic.iloc[0] == pytest.approx(first, rel=2e-3)
    assert arrays["part_kinetic_energy"][0].sum() == pytest.approx(kinetic.iloc[0], rel=1e-6)
    assert arrays["part_mass"][0].sum() == pytest.approx(7.85e-6 * LENGTH, rel=1e-6)


def test_plot_files_have_all_nodes(tmp_path):
    """VTKHDF has quadratic cells; d3plot the tetrahedra of the corners and the motion of all nodes."""
    deck = Deck()
    control(deck)
    box = cantilever(deck, 0.3, 1e-4)
    done = solve(deck, tmp_path, "--vtkhdf")
    grid = pyvista.read(done.directory / "results.vtkhdf")
    assert set(grid.celltypes) == {int(pyvista.CellType.QUADRATIC_TETRA)}
    assert grid.compute_cell_sizes()["Volume"].sum() == pytest.approx(LENGTH, rel=1e-6)
    for cell in (0, 17, 100):
        x = grid.get_cell(cell).points
        for k, (a, b) in enumerate(EDGES):
            assert x[4 + k] == pytest.approx((x[a] + x[b]) / 2)
    nodes = plot(done)["element_solid_node_indexes"]
    assert len(nodes) == len(box.elements)
    assert (nodes[:, 3:] == nodes[:, 3:4]).all()
    assert len(displacements(done)) == len(box.nodes)


def test_dynain_has_all_nodes_and_stresses(tmp_path):
    """What is read is what was written, to rounding."""
    request = "*SET_PART_LIST\n901\n1\n*INTERFACE_SPRINGBACK_LSDYNA\n901\n*DATABASE_EXTENT_BINARY\n0,0,3,1"
    deck = Deck()
    control(deck)
    cantilever(deck, 0.3, 1e-4)
    deck.add(request)
    written = solve(deck, tmp_path / "first").directory / "dynain"
    again = Deck()
    again.control(1e-4, 1e-4)
    again.part(1, "SOLID,16", f"ELASTIC,7.85e-6,{YOUNG},0.3")
    again.add(f"*INCLUDE\n{written}\n*SET_NODE_GENERAL\n77\nALL\n*BOUNDARY_SPC_SET\n77,0,1,1,1\n{request}")
    read = explicit(again, tmp_path).directory / "dynain"
    before, after = (dynain_file.other_stresses(path, "SOLID") for path in (written, read))
    assert before.keys() == after.keys()
    assert {len(points) for points in before.values()} == {4}
    largest = max(np.abs(points).max() for points in before.values())
    assert max(np.abs(after[e] - before[e]).max() for e in before) < 1e-12 * largest
    one, two = (dynain_file.blocks(path)["*ELEMENT_SOLID"] for path in (written, read))
    assert one == two
    assert len(one[1]) == 10


@pytest.mark.parametrize("cells", ((2, 2, 1), (4, 3, 1)))
def test_plastic_flow_at_constant_volume_does_not_lock(cells, tmp_path):
    """A thick ring, pushed from inside: the limit of perfect plasticity in plane strain (Hill 1950)."""
    sigma, inner, outer, push, height = 0.3, 1.0, 2.0, 0.02, 0.2
    deck = Deck()
    control(deck, steps=10, automatic="1")
    deck.part(1, "SOLID,16", f"PLASTIC_KINEMATIC,7.85e-6,{YOUNG},0.3,{sigma},0.,1.0|0.,0.,0.,0.")

    def place(p):
        angle = np.pi / 6 * p[1]
        return (float(p[0] * np.cos(angle)), float(p[0] * np.sin(angle)), float(p[2]))

    box = TenNodeBox(deck, 1, cells, (outer - inner, 1.0, height), (inner, 0.0, 0.0), place)
    deck.add("*DEFINE_COORDINATE_VECTOR\n7,0.8660254037844386,0.5,0.,-0.5,0.8660254037844386,0.")
    for at, n in box.nodes.items():
        r, v, _ = box.point(at)
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,0,{int(v == 0.0)},1")
        if v == 1.0 and r > inner:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},7,0,1,0")
        if r == inner:
            angle = np.pi / 6 * v
            for dof, c in ((1, np.cos(angle)), (2, np.sin(angle))):
                if abs(c) > 1e-12:
                    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},{dof},2,1,{float(push * c)!r}")
    done = solve(deck, tmp_path)
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)
    deviator = stress[:, :3] - stress[:, :3].mean(axis=1, keepdims=True)
    mises = np.sqrt(1.5 * ((deviator**2).sum(axis=1) + 2 * (stress[:, 3:] ** 2).sum(axis=1)))
    assert 0.9 * sigma < mises.min() and mises.max() < sigma * 1.001  # all of it flows
    # The pressure inside is 2 / sqrt(3) sigma ln(outer / inner), on the volume that the last step sweeps.
    rows = read_glstat(done.directory / "glstat")
    ends = inner + push * rows["time"].to_numpy()[-2:]
    now = ends.mean()
    outside = np.sqrt(outer**2 + now**2 - inner**2)
    swept = (ends[1] - ends[0]) * now * np.pi / 6 * height
    pressure = float(np.diff(rows["internal energy"].to_numpy()[-2:])[0] / swept)
    assert pressure == pytest.approx(2 / np.sqrt(3) * sigma * np.log(outside / now), rel=0.01)
