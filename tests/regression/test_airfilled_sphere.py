"""A ball full of gas falls on a plate and comes back: another's deck, but for its rubber and its start.

Material 27 and dynamic relaxation are not there. The ball is elastic instead, with the modulus of that rubber
at small strain, E = 6 (A + B), and is filled at once.
"""

import numpy as np
import pytest
from solver_run import run

from crumple.results.glstat import read_glstat


@pytest.fixture
def deck(real_deck, tmp_path):
    text = real_deck("dynakw/airfilled.sphere.k").read_text()
    rubber = "*MAT_MOONEY-RIVLIN_RUBBER\n         1 1.13000-4 0.4950000 100.00000 10.000000\n"
    assert rubber in text
    assert "*define_curve\n2,1\n" in text
    text = text.replace(rubber, "*MAT_ELASTIC\n         1 1.13000-4 660.00000 0.4500000\n")
    text = text.replace(" 0.0000000 0.0000000 0.0000000         0\n*MAT_RIGID", "*MAT_RIGID", 1)
    path = tmp_path / "sphere.k"
    path.write_text(text.replace("*define_curve\n2,1\n", "*define_curve\n2,0\n"))
    return path


def test_runs_to_the_end(deck, tmp_path):
    done = run(deck, tmp_path / "one")
    assert done.status == 0, done.said
    assert done.progress[-1].time >= 0.8
    history = read_glstat(tmp_path / "one" / "glstat")
    assert history["total energy / initial energy"].between(0.97, 1.03).all()
    lines = (tmp_path / "one" / "abstat").read_text().splitlines()
    rows = np.array(
        [[float(w) for w in x.split()] for x in lines if x[:12].strip().replace(".", "")[:1].isdigit()]
    )
    volume, pressure = rows[:, 2], rows[:, 3]
    assert np.allclose(pressure * volume, 3.0 * volume[0], rtol=1e-3), "CN = 3, BETA = 1"
    assert volume.min() < 0.95 * volume.max(), "the plate flattens it"
    assert run(deck, tmp_path / "three", ranks=3).hash == done.hash
