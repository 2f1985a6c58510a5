"""DCOMP leaves data out of d3plot: of rigid shells (2, 4), velocities and accelerations of nodes (3, 4).

Runs on 1, 2 and 3 ranks, and continued from a dump on another number.
"""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import Run, run

TIME = 0.02  # ms
RIGID, MOTION = (2, 4), (3, 4)


def compressed(dcomp: int) -> str:
    """A plate that flies beside a rigid one."""
    deck = Deck()
    deck.control(TIME, TIME / 5)
    deck.add(f"*DATABASE_EXTENT_BINARY\n0,0,3,1\n0,0,0,{dcomp}")
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.part(2, "SHELL,2,0.8333,2|1.,1.,1.,1.", "RIGID,7.85e-6,210.,0.3|0.|")
    grid = deck.plate(1, (6, 4), lambda u, v: (10 * u, 10 * v, 0.0))
    deck.plate(2, (3, 3), lambda u, v: (80 + 10 * u, 10 * v, 0.0))
    deck.set("NODE", 1, grid[0])
    deck.set("PART", 9, (1, 2))
    deck.add("*INITIAL_VELOCITY_GENERATION\n9,1,0.,50.,20.,100.\n0.,0.,0.")
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    return deck.text()


def run_of(folder: Path, dcomp: int, *more: str, ranks: int = 1) -> Run:
    """A run in a folder of its own."""
    folder.mkdir()
    deck = folder.parent / f"dcomp{dcomp}.k"
    deck.write_text(compressed(dcomp))
    done = run(deck, folder, "--precision", "double", *more, ranks=ranks)
    assert done.status == 0, done.said
    return done


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> D3plot:
    """All data."""
    return D3plot(str(run_of(tmp_path_factory.mktemp("whole") / "out", 1).directory / "d3plot"))


@pytest.mark.parametrize("dcomp", [2, 3, 4])
def test_what_is_left(dcomp, whole, tmp_path):
    done = run_of(tmp_path / "out", dcomp)
    assert "DCOMP" not in done.said
    plot = D3plot(str(done.directory / "d3plot"))
    assert plot.n_timesteps == whole.n_timesteps
    np.testing.assert_array_equal(plot.arrays["node_displacement"], whole.arrays["node_displacement"])
    for name in ("node_velocity", "node_acceleration"):
        assert (name in plot.arrays) == (dcomp not in MOTION)
    stress, everywhere = (p.arrays["element_shell_stress"] for p in (plot, whole))
    deformable = everywhere.shape[1] - 9 if dcomp in RIGID else everywhere.shape[1]
    assert np.abs(everywhere[:, : everywhere.shape[1] - 9]).max() > 1e-3
    np.testing.assert_array_equal(stress[:, :deformable], everywhere[:, :deformable])


@pytest.mark.parametrize("dcomp", [2, 4])
@pytest.mark.parametrize("ranks", [2, 3])
def test_same_on_ranks_and_after_a_restart(dcomp, ranks, tmp_path):
    one, out = run_of(tmp_path / "one", dcomp), tmp_path / "parts"
    half = one.progress[-1].cycle // 2
    run_of(out, dcomp, f"ncycle={half}", "--dump-cycles", str(half), ranks=ranks)
    done = run(None, out, f"r={out / 'runrsf'}", ranks=ranks % 3 + 1)
    assert done.status == 0, done.said
    assert different_files(one.directory, out) == []


def test_what_is_not_supported(tmp_path):
    assert "DCOMP" in run_of(tmp_path / "out", 5).said
