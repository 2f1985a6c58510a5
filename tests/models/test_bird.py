"""The bird: its deck, and on a rigid plate the pressures and the impulse that Wilbeck (1978) gives."""

import numpy as np
import pytest
from command_line import crumple
from lasso.dyna import ArrayType, D3plot
from solver_run import run

from crumple.models import Wishes, write_model
from crumple.models.bird import DENSITY, MASS, SLOPE, SOUND, SPEED, THICKNESS, diameter
from crumple.results.glstat import read_glstat

ALUMINIUM = "*MAT_PLASTIC_KINEMATIC\n2,2.78e-6,73.1,0.33,0.345,0.7,1.0"
RIGID = "*MAT_RIGID\n2,2.78e-6,73.1,0.33\n1.,7,7\n,"


@pytest.mark.parametrize("elements", [500, 5000, 50_000])
def test_any_size(elements, tmp_path):
    path = tmp_path / "bird.k"
    assert write_model("bird", path, Wishes(elements)) == pytest.approx(elements, rel=0.05)
    mass = [float(line[16:32]) for line in section(path, "ELEMENT_SPH")]
    assert sum(mass) == pytest.approx(MASS, rel=1e-6)


def section(path, keyword):
    lines = path.read_text().splitlines()
    first = lines.index(f"*{keyword}") + 1
    return lines[first : next(k for k in range(first, len(lines)) if lines[k].startswith("*"))]


def test_the_same_bytes(tmp_path):
    for name in ("a.k", "b.k"):
        write_model("bird", tmp_path / name, Wishes(1000))
    assert (tmp_path / "a.k").read_bytes() == (tmp_path / "b.k").read_bytes()


def test_nothing_of_the_deck_is_refused(tmp_path):
    path = tmp_path / "bird.k"
    write_model("bird", path, Wishes(1000))
    checked = crumple("check", str(path), directory=tmp_path)
    said = checked.stdout + checked.stderr
    assert checked.returncode == 0, said
    assert "error CR-" not in said and "SPH particles" in said


def contact_force(path):
    """Times and forces along x on the plate."""
    text = path.read_text().splitlines()
    rows = [line.split() for line in text if line.strip().startswith("master")]
    assert rows, "rcforc has no side B"
    return np.array([[float(r[3]), float(r[5])] for r in rows]).T


@pytest.mark.slow
def test_on_a_rigid_plate(tmp_path):
    path = tmp_path / "bird.k"
    write_model("bird", path, Wishes(6000, end_time=2.6, plots=130))
    text = path.read_text().replace(ALUMINIUM, RIGID)
    text = text[: text.index("*BOUNDARY_SPC_NODE")] + "*END\n"
    assert RIGID in text
    path.write_text(text)
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said[-3000:]
    time, force = contact_force(done.directory / "rcforc")
    impulse = np.trapezoid(np.abs(force), time) if hasattr(np, "trapezoid") else np.trapz(np.abs(force), time)
    assert impulse == pytest.approx(MASS * SPEED, rel=0.1)  # all of its momentum, and what bounces
    area = np.pi / 4 * diameter() ** 2
    steady = (time > 0.8) & (time < 1.4)  # of 1.96 ms: half spheres have passed
    assert np.abs(force[steady]).mean() == pytest.approx(DENSITY * area * SPEED**2, rel=0.15)
    plots = D3plot(str(done.directory / "d3plot"))
    particles = plots.arrays[ArrayType.sph_node_indexes]
    x = plots.arrays[ArrayType.node_displacement][:, particles]
    pressure = plots.arrays[ArrayType.sph_pressure]
    hugoniot = DENSITY * (SOUND + SLOPE * SPEED) * SPEED
    assert 0.4 * hugoniot < pressure.max() < 1.5 * hugoniot  # of single particles, which ring
    near = (np.hypot(x[..., 1], x[..., 2]) < 12.0) & (x[..., 0] > -THICKNESS / 2 - 20.0)
    states = plots.arrays[ArrayType.global_timesteps]
    later = [pressure[k][near[k]].mean() for k in np.flatnonzero((states > 0.8) & (states < 1.4))]
    assert np.mean(later) == pytest.approx(0.5 * DENSITY * SPEED**2, rel=0.3)
    energies = read_glstat(done.directory / "glstat")
    assert energies["total energy / initial energy"].between(0.95, 1.03).all()
