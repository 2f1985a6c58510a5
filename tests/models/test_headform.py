"""The headform on the windscreen: its deck, its own drop test, the windscreen's cracks, the same bits."""

import numpy as np
import pytest
from command_line import crumple
from solver_run import expect_same_bits, run

from crumple.curves.run_curves import RunCurves
from crumple.models import Wishes, write_model
from crumple.models.headform import (
    ANGLE,
    MASS,
    RADIUS,
    SPEED,
    Headform,
    meshes_for,
    normal,
    sphere_volume,
    write_certification,
)
from crumple.models.sled_mesh import cube_sphere
from crumple.results.glstat import read_glstat

SMALL = 1700


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("headform") / "headform.k"
    assert write_model("headform", path, Wishes(SMALL)) == pytest.approx(SMALL, rel=0.05)
    return path


@pytest.fixture(scope="module")
def done(deck, tmp_path_factory):
    found = run(deck, tmp_path_factory.mktemp("run"))
    assert found.status == 0, found.said[-3000:]
    return found


def test_nothing_of_the_deck_is_refused(deck):
    checked = crumple("check", str(deck), directory=deck.parent)
    said = checked.stdout + checked.stderr
    assert checked.returncode == 0, said
    assert "error CR-" not in said


@pytest.mark.parametrize("elements", [1600, 5000, 50_000])
def test_any_size(elements):
    head, screen = meshes_for(elements)
    assert head.elements() + screen.elements() == pytest.approx(elements, rel=0.05)
    x = screen.nodes()[screen.shells()]
    out = np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])
    assert (out @ normal() > 0).all()
    assert len(screen.edge()) == 2 * (screen.rows + screen.columns)
    assert np.abs(np.linalg.norm(head.nodes()[:-3], axis=1)).max() == pytest.approx(RADIUS)


def test_volume_of_a_sphere_of_quads():
    unit, quads = cube_sphere(24)
    assert sphere_volume(unit, quads) == pytest.approx(4 / 3 * np.pi, rel=3e-3)
    head = Headform(12)
    assert head.mass_between(RADIUS - 14.0, RADIUS) == pytest.approx(1.1, rel=0.03)
    assert head.core()[0] == pytest.approx(MASS - 0.85, abs=0.03)


def test_speed_and_angle_are_those_asked_for(tmp_path):
    path = tmp_path / "m.k"
    write_model("headform", path, Wishes(SMALL, speed=8.0, angle=40.0))
    lines = path.read_text().splitlines()
    velocity = [float(v) for v in lines[lines.index("*INITIAL_VELOCITY_GENERATION") + 1].split()[3:6]]
    expected = 8.0 * np.array([np.cos(np.radians(40.0)), 0.0, -np.sin(np.radians(40.0))])
    assert velocity == pytest.approx(list(expected), abs=1e-6)
    with pytest.raises(ValueError, match="towards the screen"):
        write_model("headform", path, Wishes(SMALL, angle=-40.0))
    with pytest.raises(ValueError, match="no angle"):
        write_model("bird", path, Wishes(1000, angle=10.0))
    assert SPEED == pytest.approx(11.11, abs=0.01) and ANGLE == 65.0


def test_the_headform_passes_its_drop_test(tmp_path):
    """225 to 275 g from 376 mm on a rigid plate, one peak."""
    write_certification(tmp_path / "drop.k")
    done = run(tmp_path / "drop.k", tmp_path / "out")
    assert done.status == 0, done.said[-3000:]
    curves = RunCurves(tmp_path / "out")
    (curve,) = curves.curves("nodout/head/acceleration", 1000)
    assert 225.0 < np.max(curve.values) < 275.0
    energies = read_glstat(tmp_path / "out" / "glstat")
    assert energies["total energy / initial energy"].between(0.97, 1.03).all()


def test_the_windscreen_cracks_and_stops_the_head(done):
    energies = read_glstat(done.directory / "glstat")
    assert energies["total energy / initial energy"].between(0.97, 1.03).all()
    kinetic = energies["kinetic energy"]
    assert kinetic.iloc[0] == pytest.approx(0.5 * MASS * SPEED**2, rel=0.01)
    assert kinetic.min() < 0.3 * kinetic.iloc[0]
    (curve,) = RunCurves(done.directory).curves("nodout/head/acceleration", 1000)
    assert 40.0 < np.max(curve.values) < 400.0


def test_same_bits(deck, tmp_path):
    path = tmp_path / "short.k"
    write_model("headform", path, Wishes(SMALL, end_time=3.0))
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said
    expect_same_bits(one, path, tmp_path / "more", "double")
