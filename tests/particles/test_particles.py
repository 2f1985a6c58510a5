"""Smooth particles: the Hugoniot, conservation, what is refused, plot files, the same bits."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import ArrayType, D3plot
from particle_decks import DENSITY, SLOPE, SOUND, STEEL, WATER, Particles, lattice, slabs
from solver_run import Run, expect_same_after_restart, expect_same_bits, run

from crumple.api.results_folder import Results
from crumple.models.bird import write_bird
from crumple.results.d3plot_file import PlotFamily
from crumple.results.glstat import read_glstat
from crumple.view.fields import plastic_strain
from crumple.view.plot_states import read_state


def finished(text: str, directory: Path, *options: str) -> Run:
    directory.mkdir(parents=True, exist_ok=True)
    deck = directory / "deck.k"
    deck.write_text(text)
    done = run(deck, directory / "out", *options)
    assert done.status == 0, done.said[-3000:]
    return done


def plot(done: Run) -> D3plot:
    return D3plot(str(done.directory / "d3plot"))


@pytest.mark.parametrize("form, iavis, speed", [(0, 0, 150.0), (1, 0, 150.0), (1, 1, 150.0), (1, 0, 400.0)])
def test_hugoniot(form, iavis, speed, tmp_path):
    """p = rho0 (c + s u) u and rho0 / rho = 1 - u / (c + s u) behind both shocks, energy conserved."""
    done = finished(slabs(speed, (30, 9, 9), form, 0.012, iavis), tmp_path)
    plots = plot(done)
    x = plots.arrays[ArrayType.node_displacement][-1]
    middle = (np.abs(x[:, 0]) < 8.0) & (np.abs(x[:, 1:] - 4.5).max(axis=1) < 1.1)
    pressure = plots.arrays[ArrayType.sph_pressure][-1][middle]
    density = plots.arrays[ArrayType.sph_density][-1][middle]
    shock = SOUND + SLOPE * speed
    expected = DENSITY * shock * speed
    assert middle.sum() > 50
    assert pressure.mean() == pytest.approx(expected, rel=0.01)
    assert np.abs(pressure / expected - 1.0).max() < 0.06
    assert DENSITY / density.mean() == pytest.approx(1.0 - speed / shock, rel=0.003)
    energies = read_glstat(done.directory / "glstat")
    assert energies["total energy / initial energy"].between(0.985, 1.015).all()


@pytest.mark.parametrize("form, material", [(0, WATER), (1, WATER), (1, STEEL), (0, STEEL)])
def test_a_body_that_turns_and_flies(form, material, tmp_path):
    """Momenta and energy. FORM 0 does not conserve the angular momentum of solids: it strains what turns."""
    x = lattice((-3.0, -2.5, -2.0), (6, 5, 4), 1.0)
    body = Particles(1.0)
    body.add(1, x, np.cross([3.0, -2.0, 15.0], x) + np.array([30.0, -20.0, 10.0]))
    control = f"1,0,1.e20,3,150,{form}"
    done = finished(body.text(0.1, material, control, "*CONTROL_BULK_VISCOSITY\n0.,0."), tmp_path)
    plots = plot(done)
    x, v = plots.arrays[ArrayType.node_displacement], plots.arrays[ArrayType.node_velocity]
    x, v = x.astype(float), v.astype(float)
    assert v.mean(axis=1) == pytest.approx(np.tile([30.0, -20.0, 10.0], (len(v), 1)), rel=1e-5)
    spin = np.cross(x - x.mean(axis=1, keepdims=True), v).sum(axis=1)
    kept = np.abs(spin - spin[0]).max() / np.abs(spin[0]).max()
    print(f"form {form}: angular momentum changes by {kept:.1e}")
    if form == 1 or material == WATER:
        assert kept < 1e-4
    energies = read_glstat(done.directory / "glstat")
    assert energies["total energy / initial energy"].between(0.999, 1.001).all()


def test_rigid_rotation_has_no_strain(tmp_path):
    """FORM 1: a soft, heavy body keeps its volume and has next to no stress while it turns slowly."""
    x = lattice((-2.0, -2.0, -2.0), (4, 4, 4), 1.0)
    body = Particles(1.0)
    body.add(1, x, np.cross([0.0, 0.0, 0.5], x))
    done = finished(body.text(1.0, STEEL, "1,0,1.e20,3,150,1"), tmp_path)
    plots = plot(done)
    turned = plots.arrays[ArrayType.node_displacement][-1]
    angle = np.arctan2(turned[:, 1], turned[:, 0]) - np.arctan2(x[:, 1], x[:, 0])
    assert (angle + np.pi) % (2 * np.pi) - np.pi == pytest.approx(np.full(len(x), 0.5), abs=0.002)
    centrifugal = 7.85e-6 * (0.5 * 2.8) ** 2  # the stress that is there, GPa
    assert np.abs(plots.arrays[ArrayType.sph_stress][-1]).max() < 3 * centrifugal
    assert plots.arrays[ArrayType.sph_density][-1] == pytest.approx(np.full(len(x), 7.85e-6), rel=1e-5)


def test_plot_states(tmp_path):
    """What lasso and VTK read."""
    done = finished(slabs(50.0, (6, 5, 4), 0, 0.002), tmp_path, "--vtkhdf")
    plots = plot(done)
    n = 2 * 6 * 5 * 4
    assert plots.arrays[ArrayType.sph_node_indexes].tolist() == list(range(n))
    assert plots.arrays[ArrayType.sph_node_material_index].tolist() == [0] * (n // 2) + [1] * (n // 2)
    assert plots.arrays[ArrayType.sph_mass][-1] == pytest.approx(np.full(n, 1e-6), rel=1e-5)
    assert plots.arrays[ArrayType.sph_radius][0] == pytest.approx(np.full(n, 2.4), rel=1e-5)
    neighbours = plots.arrays[ArrayType.sph_n_neighbors][-1]
    assert neighbours.min() >= 15 and neighbours.max() <= 80
    stress = plots.arrays[ArrayType.sph_stress][-1]
    assert plots.arrays[ArrayType.sph_pressure][-1] == pytest.approx(-stress[:, :3].mean(axis=1), rel=1e-4)
    assert not plots.arrays[ArrayType.sph_deletion].any()
    vtk = pytest.importorskip("pyvista")
    grid = vtk.read(done.directory / "results.vtkhdf")
    assert set(grid.celltypes) == {1} and grid.n_cells == n


def test_too_fast_particles_are_deleted(tmp_path):
    body = Particles(1.0)
    body.add(1, lattice((0.0, 0.0, 0.0), (4, 4, 4), 1.0), np.array([50.0, 0.0, 0.0]))
    body.add(1, lattice((0.0, 0.0, 4.0), (4, 4, 1), 1.0), np.array([250.0, 0.0, 0.0]))
    done = finished(body.text(0.01, control="1,0,1.e20,3,150,0,0.,200."), tmp_path)
    gone = plot(done).arrays[ArrayType.sph_deletion][-1]
    assert gone[64:].all() and not gone[:64].any()


def test_particles_that_leave_the_box_are_deleted(tmp_path):
    """Two bodies that fly apart; the box ends in the way of one of them."""
    body = Particles(1.0)
    body.add(1, lattice((0.0, 0.0, 0.0), (3, 3, 3), 1.0), np.array([-50.0, 0.0, 0.0]))
    body.add(1, lattice((20.0, 0.0, 0.0), (3, 3, 3), 1.0), np.array([50.0, 0.0, 0.0]))
    box = "*DEFINE_BOX\n7,-9.,25.,-9.,9.,-9.,9."
    done = finished(body.text(0.08, control="1,7", more=box), tmp_path)
    gone = plot(done).arrays[ArrayType.sph_deletion][-1]
    beyond = np.isclose(lattice((20.0, 0.0, 0.0), (3, 3, 3), 1.0)[:, 0], 21.5) | (
        lattice((20.0, 0.0, 0.0), (3, 3, 3), 1.0)[:, 0] > 22.0
    )
    assert not gone[:27].any()
    assert (gone[27:] == beyond).all()
    assert "BOXID of *CONTROL_SPH" in (done.directory / "d3hsp").read_text()
    again = body.text(0.08, control="1,8", more=box)
    (tmp_path / "deck.k").write_text(again)
    assert "box 8 does not exist" in run(tmp_path / "deck.k", tmp_path / "none").said


@pytest.mark.parametrize(
    "control, field",
    [
        ("1,0,1.e20,2", "IDIM"),
        ("1,0,1.e20,3,150,5", "FORM"),
        ("1,0,1.e20,3,150,0\n0,1", "DERIV"),
        ("1,0,1.e20,3,150,0\n0,0,2", "INI"),
        ("1,0,1.e20,3,150,0\n0,0,0,0,3", "IEROD"),
        ("1,0,1.e20,3,150,0\n0,0,0,0,0,1", "ICONT"),
        ("1,0,1.e20,3,150,0\n0\n1", "ITHK"),
    ],
)
def test_what_is_refused(control, field, tmp_path):
    deck = tmp_path / "deck.k"
    body = Particles(1.0)
    body.add(1, lattice((0.0, 0.0, 0.0), (2, 2, 2), 1.0), np.zeros(3))
    deck.write_text(body.text(0.01, control=control))
    done = run(deck, tmp_path / "out")
    assert done.status != 0
    assert field in done.said


@pytest.fixture(scope="module")
def bird(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("bird") / "bird.k"
    write_bird(path, 500, 8, 200.0, 0.4, 4)
    return path


@pytest.mark.parametrize("precision", ["double", "single"])
def test_same_bits(bird, precision, tmp_path):
    one = run(bird, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said[-3000:]
    expect_same_bits(one, bird, tmp_path, precision, files=("glstat", "matsum", "rcforc"))


def test_same_bits_of_corrected_gradients(tmp_path):
    path = tmp_path / "bird.k"
    write_bird(path, 400, 8, 200.0, 0.3, 4, form=1)
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said[-3000:]
    expect_same_bits(one, path, tmp_path, "double", files=("glstat",))


def test_restart(bird, tmp_path):
    expect_same_after_restart(bird, tmp_path)


def test_our_reader_finds_the_states(tmp_path):
    """Beside lasso: the reader of `crumple plot` and of the Python interface."""
    done = finished(slabs(50.0, (4, 4, 4), 0, 0.002), tmp_path)
    family = PlotFamily(done.directory / "d3plot")
    times = [state.time for state in family.states]
    assert times[0] == 0.0 and times == sorted(times) and times[-1] == pytest.approx(0.002, rel=0.2)
    assert family.layout.particle_words == 14
    particles, arrays = Results(done.directory).particles, plot(done).arrays
    assert particles.ids.tolist() == list(range(1, 129))
    assert particles.part_ids.tolist() == [1] * 64 + [2] * 64
    for ours, theirs in (
        ("pressure", ArrayType.sph_pressure),
        ("stress", ArrayType.sph_stress),
        ("plastic_strain", ArrayType.sph_effective_plastic_strain),
        ("density", ArrayType.sph_density),
        ("neighbours", ArrayType.sph_n_neighbors),
    ):
        assert np.asarray(particles[ours]).reshape(arrays[theirs].shape) == pytest.approx(arrays[theirs]), (
            ours
        )
    assert family.particles[:, 0].tolist() == list(range(128))
    assert family.part_titles == {1: "particles 1", 2: "particles 2"}


def test_contact_of_one_surface_leaves_particles_out(tmp_path):
    deck = tmp_path / "bird.k"
    write_bird(deck, 300, 4, 100.0, 0.001, 1)
    card = "*CONTACT_AUTOMATIC_NODES_TO_SURFACE\n1,2,3,3"
    text = deck.read_text()
    assert card in text
    deck.write_text(text.replace(card, "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,0,5,0"))
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    assert "SPH particles do not take part in contact" in done.said


@pytest.mark.parametrize("kind, side", [("ERODING", 3), ("AUTOMATIC", 2), ("AUTOMATIC", 4)])
def test_contact_by_part_part_set_and_node_set(kind, side, tmp_path):
    """A block of water flies onto a plate, which takes its momentum; eroding contact sees the same."""
    write_bird(tmp_path / "bird.k", 300, 6, 100.0, 0.4, 2)
    text = (tmp_path / "bird.k").read_text()
    particles = text[text.index("*ELEMENT_SPH") : text.index("*ELEMENT_SHELL")].count("\n") - 1
    nodes = "\n".join(
        ",".join(map(str, range(k, min(k + 8, particles + 1)))) for k in range(1, particles + 1, 8)
    )
    cards = f"*CONTACT_{kind}_NODES_TO_SURFACE\n{1 if side == 3 else 9},2,{side},3\n0.\n1.,1.\n"
    if kind == "ERODING":
        cards += "0,1,1\n"
    sets = f"*SET_PART_LIST\n9\n1\n*SET_NODE_LIST\n9\n{nodes}\n"
    first = text.index("*CONTACT_AUTOMATIC")
    last = text.index("*INITIAL_VELOCITY")
    deck = tmp_path / "deck.k"
    deck.write_text(text[:first] + cards + "1\n" + sets + text[last:])
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said[-3000:]
    arrays = plot(done).arrays
    x = arrays[ArrayType.node_displacement][-1][arrays[ArrayType.sph_node_indexes]]
    plate = arrays[ArrayType.node_displacement][-1][particles:, 0].max()
    assert 0.5 < plate < 20.0  # it is pushed
    assert x[:, 0].max() < plate + 1.0  # and nothing goes through


@pytest.mark.parametrize(
    "control",
    ["1,0,1.e20,3,150,0\n1", "1,0,1.e20,3,150,0,1.0", "1,0,1.e-9,3,150,0"],
    ids=["CONT", "START", "DT"],
)
def test_slabs_that_do_not_see_each_other(control, tmp_path):
    """CONT = 1; before START; after DT: the slabs pass through each other."""
    text = slabs(50.0, (4, 3, 3), 0, 0.06, gap=3.0)
    first = text.index("*CONTROL_SPH\n")
    last = text.index("*MAT_NULL")
    done = finished(text[:first] + f"*CONTROL_SPH\n{control}\n" + text[last:], tmp_path)
    v = plot(done).arrays[ArrayType.node_velocity][-1][:, 0]
    assert v == pytest.approx(np.repeat([50.0, -50.0], 36), rel=1e-4)


@pytest.mark.parametrize("erode", [0, 2])
def test_particles_that_fail(erode, tmp_path):
    """A bar that is pulled apart: its law fails, and IEROD = 2 deletes particles."""
    x = lattice((-5.0, -2.0, -2.0), (10, 4, 4), 1.0)
    body = Particles(1.0)
    body.add(1, x, np.stack([20.0 * x[:, 0], 0.0 * x[:, 0], 0.0 * x[:, 0]], axis=1))
    material = "*MAT_PIECEWISE_LINEAR_PLASTICITY\n1,7.85e-6,210.,0.3,0.3,1.0,0.05\n,\n,\n,"
    control = f"1,0,1.e20,3,150,1\n0,0,0,0,{erode}"
    done = finished(body.text(0.01, material, control), tmp_path)
    arrays = plot(done).arrays
    strain = arrays[ArrayType.sph_effective_plastic_strain][-1]
    gone = arrays[ArrayType.sph_deletion][-1]
    assert strain.max() > 0.05
    assert gone.any() == (erode == 2)
    there = Results(done.directory).particles.alive[-1]
    assert there.tolist() == np.logical_not(gone).tolist()
    (block,) = read_state(done.directory).blocks
    assert block.n_cells == there.sum(), "all that are left are in pictures"
    assert float(plastic_strain(block).max()) == pytest.approx(float(strain[there].max()))
    energies = read_glstat(done.directory / "glstat")
    assert (energies["eroded internal energy"].iloc[-1] > 0) == (erode == 2)
