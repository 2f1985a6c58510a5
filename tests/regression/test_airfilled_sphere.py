"""A rubber ball is filled with gas by dynamic relaxation, falls on a plate and comes back: another's deck."""

import numpy as np
import pytest
from solver_run import run

from crumple.results.glstat import read_glstat

A, B, THICKNESS, RADIUS, FILLING = 100.0, 10.0, 0.2, 38.0, 3.0


def pressure_of_balloon(stretch: np.ndarray) -> np.ndarray:
    """Of a thin incompressible Mooney-Rivlin ball blown up; ISTUPD = 0 keeps the thickness."""
    stress = 2 * (stretch**2 - stretch**-4) * (A + B * stretch**2)
    return 2 * stress * THICKNESS / (RADIUS * stretch)


@pytest.fixture
def deck(real_deck):
    return real_deck("dynakw/airfilled.sphere.k")


def test_runs_to_the_end(deck, tmp_path):
    done = run(deck, tmp_path / "one")
    assert done.status == 0, done.said
    assert "dynamic relaxation: at rest" in done.said
    assert done.progress[-1].time >= 0.8
    history = read_glstat(tmp_path / "one" / "glstat")
    assert history["total energy / initial energy"].between(0.97, 1.03).all()
    lines = (tmp_path / "one" / "abstat").read_text().splitlines()
    rows = np.array(
        [[float(w) for w in x.split()] for x in lines if x[:12].strip().replace(".", "")[:1].isdigit()]
    )
    volume, pressure = rows[:, 2], rows[:, 3]
    stretch = (FILLING / pressure[0]) ** (1 / 3)
    tried = np.linspace(1.01, 1.5, 4901)  # the balloon's pressure grows there, the gas's falls
    exact = np.interp(0.0, pressure_of_balloon(tried) - FILLING / tried**3, tried)
    assert stretch == pytest.approx(exact, rel=0.01), "of the ball at rest under its gas"
    assert np.allclose(pressure * volume, pressure[0] * volume[0], rtol=1e-3), "CN = 3, BETA = 1"
    assert volume.min() < 0.996 * volume[0], "the plate flattens it"
    assert volume[-1] > 0.999 * volume[0], "and it comes back"
    assert run(deck, tmp_path / "three", ranks=3).hash == done.hash
