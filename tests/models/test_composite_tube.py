"""The crash tube of carbon fabric: its mesh, its energy a mass, the same bits on ranks and threads."""

import numpy as np
import pytest
from command_line import crumple
from solver_run import expect_same_bits, run

from crumple.curves.run_curves import RunCurves
from crumple.models import Wishes, write_model
from crumple.models.composite_tube import LENGTH, MASS, RADIUS, SIDE, SPEED, tube_of
from crumple.results.glstat import read_glstat

SMALL = 500


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("tube") / "tube.k"
    assert write_model("composite-tube", path, Wishes(SMALL)) == pytest.approx(SMALL, rel=0.1)
    return path


def test_nothing_of_the_deck_is_refused(deck):
    checked = crumple("check", str(deck), directory=deck.parent)
    said = checked.stdout + checked.stderr
    assert checked.returncode == 0, said
    assert "error CR-" not in said


@pytest.mark.parametrize("elements", [300, 3000, 30_000])
def test_any_size(elements):
    tube = tube_of(elements)
    assert tube.elements() == pytest.approx(elements, rel=0.1)
    ring = tube.ring()
    perimeter = 4 * (SIDE - 2 * RADIUS) + 2 * np.pi * RADIUS
    assert tube.row_area() * tube.along / LENGTH == pytest.approx(perimeter, rel=0.02)
    assert np.abs(ring).max() <= SIDE / 2 + 1e-9
    x = tube.nodes()[tube.shells()]
    normal = np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])
    outwards = x.mean(axis=1) * [0.0, 1.0, 1.0]
    assert (np.sign((normal * outwards).sum(axis=1)) == np.sign((normal[0] * outwards[0]).sum())).all()


def test_crushes_from_the_front_and_absorbs_energy(deck, tmp_path):
    done = run(deck, tmp_path)
    assert done.status == 0, done.said[-3000:]
    energies = read_glstat(tmp_path / "glstat")
    assert energies["total energy / initial energy"].between(0.95, 1.05).all()
    assert energies["eroded internal energy"].iloc[-1] > 0.0
    curves = RunCurves(tmp_path)
    (moved,) = curves.curves("nodout/mass/displacement")
    crushed = moved.values.max()
    assert 25.0 < crushed < 0.5 * LENGTH
    lost = energies["kinetic energy"].iloc[0] - energies["kinetic energy"].min()
    assert lost == pytest.approx(0.5 * MASS * SPEED**2, rel=0.02), "it stops"
    assert 50.0 < 1e-3 * lost / (crushed * tube_of(SMALL).mass_of_length()) < 75.0, "kJ/kg"


@pytest.mark.slow
def test_same_bits(tmp_path):
    path = tmp_path / "tube.k"
    write_model("composite-tube", path, Wishes(SMALL, end_time=2.0))
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said
    expect_same_bits(one, path, tmp_path / "others", "double", ("glstat", "rwforc"))
