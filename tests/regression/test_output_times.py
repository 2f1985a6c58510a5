"""Times of rows and plot states: the last cycle that begins at or before each multiple of the interval."""

import re
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import Binout, D3plot
from small_decks import Deck
from solver_run import run

END = 0.1
#: kind of file: interval
INTERVALS = {"glstat": 0.02, "matsum": 0.01, "rwforc": 0.013, "plots": 0.01}


def _falling(step: str = "") -> str:
    """A block that falls onto a wall; nodout has every cycle."""
    deck = Deck()
    deck.add(f"*CONTROL_TERMINATION\n{END}\n{step}")
    deck.add(f"*DATABASE_BINARY_D3PLOT\n{INTERVALS['plots']}")
    for name in ("glstat", "matsum", "rwforc"):
        deck.add(f"*DATABASE_{name.upper()}\n{INTERVALS[name]},3")
    deck.add("*DATABASE_NODOUT\n1e-12,3\n*DATABASE_HISTORY_NODE\n1")
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    deck.block(1, (2, 2, 2), (0.0, 0.0, 0.1), (10.0, 10.0, 10.0))
    deck.add("*INITIAL_VELOCITY\n0\n0.,0.,-10.")
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,0.,0.,0.,1.")
    return deck.text()


def _due(cycles: np.ndarray, interval: float, end: float = END) -> np.ndarray:
    """The last cycle at or before each multiple up to the end time; each cycle once."""
    multiples = interval * np.arange(int(np.floor(end / interval * (1 + 1e-9))) + 1)
    chosen = [cycles[cycles <= t * (1 + 1e-9)][-1] for t in multiples]
    return np.array(sorted(set(chosen)))


@pytest.fixture(scope="module", params=[1, 2])
def results(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp(f"times{request.param}")
    (folder / "deck.k").write_text(_falling())
    done = run(folder / "deck.k", folder / "out", "--double-files", "--vtkhdf", ranks=request.param)
    assert done.status == 0, done.said
    return folder / "out"


def _times(binout: Binout, history: str) -> np.ndarray:
    path = (history, "forces", "time") if history == "rwforc" else (history, "time")
    return np.atleast_1d(binout.read(*path))


def test_rows_of_histories(results):
    binout = Binout(str(results / "binout0000"))
    cycles = _times(binout, "nodout")
    for name in ("glstat", "matsum", "rwforc"):
        np.testing.assert_allclose(_times(binout, name), _due(cycles, INTERVALS[name]), rtol=1e-12)
    read = [float(t) for t in re.findall(r"^ time\.+ +(\S+)$", (results / "glstat").read_text(), re.M)]
    np.testing.assert_allclose(read, _times(binout, "glstat"), rtol=1e-5)


def test_plot_states_and_the_state_at_the_end(results):
    """11 multiples with that of t = 0, and the first moment at or after the end time: 12 states."""
    cycles = _times(Binout(str(results / "binout0000")), "nodout")
    plots = np.asarray(D3plot(str(results / "d3plot")).arrays["timesteps"])
    np.testing.assert_allclose(plots[:-1], _due(cycles, INTERVALS["plots"]), rtol=1e-12)
    assert len(plots) == 12
    assert plots[-2] < END <= plots[-1] < END + 2 * (cycles[-1] - cycles[-2])


def test_vtkhdf_has_the_states_of_d3plot(results):
    h5py = pytest.importorskip("h5py")
    with h5py.File(next(results.glob("*.vtkhdf"))) as file:
        times = np.asarray(file["VTKHDF/Steps/Values"])
    plots = np.asarray(D3plot(str(results / "d3plot")).arrays["timesteps"])
    np.testing.assert_allclose(times, plots, rtol=1e-12)


def test_steps_longer_than_the_interval(tmp_path):
    """DTINIT and a curve of steps: one row a cycle, none twice."""
    text = _falling(
        f"*CONTROL_TIMESTEP\n0.,0.9,0,0.,0.,5\n*DEFINE_CURVE\n5\n0.,1e-5\n{END / 2},1e-5\n{END},1."
    )
    text = text.replace("*DATABASE_GLSTAT\n0.02", "*DATABASE_GLSTAT\n1e-5")
    (tmp_path / "deck.k").write_text(text)
    done = run(tmp_path / "deck.k", tmp_path / "out", "--double-files")
    assert done.status == 0, done.said
    binout = Binout(str(tmp_path / "out" / "binout0000"))
    cycles = _times(binout, "nodout")
    np.testing.assert_allclose(_times(binout, "glstat"), _due(cycles, 1e-5), rtol=1e-12)
    assert np.all(np.diff(_times(binout, "glstat")) > 0)


def test_an_element_free_model_ends(tmp_path):
    """No element limits the step; the clocks must not count the multiples that it passes one by one."""
    deck = Deck()
    deck.control(10.0, 0.05, 0.1)
    deck.node((0.0, 0.0, 0.0))
    deck.add("*ELEMENT_MASS\n1,1,0.001\n*INITIAL_VELOCITY_NODE\n1,1.0")
    (tmp_path / "deck.k").write_text(deck.text())
    run(tmp_path / "deck.k", tmp_path / "out", limit=20.0)


def test_lsdyna_files_have_this_rule():
    """Its own glstat: the step is just below the interval, so that some cycles have no row."""
    path = Path(__file__).parents[3] / "shared" / "reference" / "lsdyna_results"
    if not path.is_dir():
        pytest.skip("needs LS-DYNA's result files")
    binout = Binout(str(path / "binout" / "binout_glstat"))
    times, steps = (np.asarray(binout.read("glstat", k), dtype=float) for k in ("time", "time_step"))
    due = 2e-6 * np.arange(len(times))
    assert np.all(times <= due * (1 + 1e-6)) and np.all(times + steps > due)
    assert len(times) == 251
    plots = np.asarray(D3plot(str(path / "d3plot_beam" / "d3plot")).arrays["timesteps"])
    assert len(plots) == 12
    assert np.all(plots[:-1] <= np.arange(11)) and plots[-1] > 10.0
