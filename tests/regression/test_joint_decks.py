"""Decks of other people with joints run to their end times and do what their physics says."""

import numpy as np
import pytest
from solver_run import run

from crumple.results.glstat import read_glstat

DECKS = {"joint_revolute": 0.01, "joint_translational": 0.02}


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("ranks", [1, 2])
def test_runs_to_the_end(name, ranks, real_deck, tmp_path):
    done = run(real_deck(f"dynakw/{name}.k"), tmp_path, ranks=ranks)
    assert done.status == 0, done.said
    assert "N o r m a l   t e r m i n a t i o n" in done.stdout
    assert done.progress[-1].time >= DECKS[name]
    assert all(0.99 < row.ratio < 1.01 for row in done.progress)
    one = run(real_deck(f"dynakw/{name}.k"), tmp_path / "one")
    assert one.hash == done.hash


def stiffness_rows(path) -> list[dict[str, float]]:
    """Blocks of jntforc by label."""
    blocks = path.read_text().split(" time....")[1:]
    pairs = [[line.rsplit(None, 1) for line in b.splitlines()[1:] if line.strip()] for b in blocks]
    return [{k.strip(" ."): float(v) for k, v in block} for block in pairs]


def test_revolute_yields(real_deck, tmp_path):
    """A moment that grows to 100 turns one plate on the other, against a spring of 191 that yields at 80."""
    run(real_deck("dynakw/joint_revolute.k"), tmp_path)
    rows = stiffness_rows(tmp_path / "jntforc")
    angle = np.radians([row["phi (degrees)"] for row in rows])
    moment = np.array([row["phi moment-total"] for row in rows])
    elastic = np.abs(moment) < 79.0
    assert elastic[1:10].all()
    # It follows the moment, and swings about it by the moment's rate over the frequency of plate and spring.
    applied = 1e4 * 5e-4 * np.arange(len(rows))
    assert np.allclose(np.abs(moment[1:10]), applied[1:10], atol=5.5)
    assert np.allclose(np.abs(moment[elastic]), 191.0 * np.abs(angle[elastic]), atol=1e-3)
    assert np.abs(moment).max() == pytest.approx(80.0)
    assert np.abs(angle[-1]) > 1.5 * 80.0 / 191.0, "it yields and turns on"
    for label in ("theta (degrees)", "psi (degrees)"):
        assert max(abs(row[label]) for row in rows) < 1e-3


def test_translational_slides(real_deck, tmp_path):
    """Both plates turn alike, and part along the joint."""
    run(real_deck("dynakw/joint_translational.k"), tmp_path)
    from lasso.dyna import D3plot

    arrays = D3plot(str(tmp_path / "d3plot")).arrays
    of = {int(n): k for k, n in enumerate(arrays["node_ids"])}
    x = arrays["node_displacement"].astype(float)
    one = x[:, of[2]] - x[:, of[1]]
    gaps = {pair: x[:, of[pair[0]]] - x[:, of[pair[1]]] for pair in ((2, 10), (1, 9), (3, 103))}
    axis = one / np.linalg.norm(one, axis=1)[:, None]
    along = {pair: (gap * axis).sum(axis=1) for pair, gap in gaps.items()}
    for pair, gap in gaps.items():
        off = np.linalg.norm(gap - along[pair][:, None] * axis, axis=1)
        assert off.max() < 0.02, "the plates are 1 wide, and meet with 300 across"
        assert off[-1] < 2e-3
    assert along[2, 10][-1] == pytest.approx(0.7, abs=0.4)
    history = read_glstat(tmp_path / "glstat")
    assert history["total energy / initial energy"].between(0.99, 1.01).all()
