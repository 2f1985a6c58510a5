"""Results in Python: the numbers of lasso-python and of the text files; arrays that are read in pieces."""

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import all_forms, torn_plate

import crumple
from crumple.results.d3plot_file import PlotFamily
from crumple.results.glstat import read_glstat
from crumple.results.matsum import read_matsum
from crumple.results.state_array import StateArray


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> crumple.Results:
    """A run of shells, solids and a rigid body, with elements that fail, and histories as text and binout."""
    deck = crumple.Deck.from_text(torn_plate())
    for name in ("GLSTAT", "MATSUM", "RCFORC"):
        deck[f"DATABASE_{name}"]["BINARY"] = 3
    deck.append("*DATABASE_NODOUT\n0.003,3\n*DATABASE_HISTORY_NODE\n113,1\n*DATABASE_EXTENT_BINARY\n2,,3,1")
    deck.append("*CONTROL_UNITS\nmm,ms,kg")
    return crumple.run(deck, tmp_path_factory.mktemp("torn") / "out", ranks=1)


@pytest.fixture(scope="module")
def lasso(results) -> D3plot:
    return D3plot(str(results.folder / "d3plot"))


def differences(results: crumple.Results, lasso: D3plot) -> list[str]:
    """Names of arrays that are not those of lasso, or that only lasso has."""
    found = []
    for name, array in results.arrays.items():
        ours, theirs = np.asarray(array), np.asarray(lasso.arrays[name])
        if name == "part_titles":
            theirs = np.array([title.decode().strip() for title in theirs])
        if name.endswith("is_alive"):
            theirs = theirs != 0.0
        found += [] if ours.shape == theirs.shape and np.array_equal(ours, theirs) else [name]
    other = ("part_ids_", "part_titles_", "contact_", "element_tshell", "element_shell_unknown", "rigid_wall")
    missing = set(lasso.arrays) - set(results.arrays)
    return found + sorted(name for name in missing if not name.startswith(other))


def test_arrays_are_those_of_lasso(results, lasso):
    only_empty = [name for name in differences(results, lasso) if lasso.arrays[name].size]
    assert only_empty == [] and len(results.arrays) > 30


def test_arrays_of_every_form_are_those_of_lasso(tmp_path):
    """Beams, solids with eight points, history, strains."""
    deck = crumple.Deck.from_text(all_forms())
    if "DATABASE_EXTENT_BINARY" in deck:
        deck.remove("DATABASE_EXTENT_BINARY")
    deck.append("*DATABASE_EXTENT_BINARY\n2,3,4,1,1")
    results = crumple.run(deck, tmp_path, ranks=2)
    assert differences(results, D3plot(str(tmp_path / "d3plot"))) == []
    assert len(results.beams) and "strain" in results.solids.names and "history" in results.shells.names
    assert results.beams.node_ids.shape == (len(results.beams), 3)
    assert set(results.beams.node_ids[:, :2].ravel()) <= set(results.node_ids)


def test_displacement_is_from_the_start(results, lasso):
    assert np.array_equal(
        results.displacement[:], lasso.arrays["node_displacement"] - lasso.arrays["node_coordinates"]
    )
    assert np.abs(results.displacement[0]).max() == 0.0


def test_states_are_read_one_at_a_time(results):
    whole = np.asarray(results.shells.stress)
    assert whole.shape == results.shells.stress.shape == (len(results.times), 277, 3, 6)
    read = []
    array = StateArray("x", whole.shape, whole.dtype, lambda k: read.append(k) or whole[k])
    assert np.array_equal(array[-1, 3:5, 0, ::2], whole[-1, 3:5, 0, ::2])
    assert read == [len(whole) - 1]
    for key in (0, -1, slice(1, 3), [0, 2], (slice(None), 5), (..., 2), slice(9, 9)):
        assert np.array_equal(array[key], whole[key]), key
    assert array[[True, *[False] * (len(whole) - 1)]].shape[0] == 1
    assert np.array_equal(array[np.array([1, 0]), [3, 4]], np.stack([whole[1][[3, 4]], whole[0][[3, 4]]]))
    with pytest.raises(IndexError):
        array[len(whole)]
    assert float(np.max(results.shells.plastic_strain)) == results.shells.plastic_strain[:].max() > 0.1


def test_elements_and_parts(results):
    assert results.parts.loc[3, "kind"] == "solid"
    assert (results.shells.part_ids == 1).sum() == 196
    assert results.shells.node_ids[0].tolist() == [1, 2, 17, 16]
    stress = results.shells.stress[-1, results.shells.of_part(2)]
    assert stress.shape == (81, 3, 6)
    xx, yy, zz, xy, yz, zx = results.shells.stress[-1, 3, 1].astype(float)
    deviator = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]) - (xx + yy + zz) / 3.0 * np.eye(3)
    equivalent = np.sqrt(1.5 * (deviator**2).sum())
    assert results.shells.von_mises[-1, 3, 1] == pytest.approx(equivalent, rel=1e-6)
    assert results.shells["stress_von_mises"][-1, 3, 1] == results.shells.von_mises[-1, 3, 1]
    assert np.array_equal(results.shells["plastic_strain_eqv"][-1], results.shells.plastic_strain[-1])
    assert (results.shells.alive[0]).all() and not results.shells.alive[-1].all()
    assert results.nodes(113, 1).tolist() == [112, 0]
    with pytest.raises(KeyError, match="no node 999"):
        results.nodes(999)
    with pytest.raises(KeyError, match="no strain of solids|no twist"):
        results.solids["twist"]


def test_quantities_by_names_of_dpf(results):
    """All states and elements, beside the invariants of the arrays of stress."""
    for elements in (results.shells, results.solids):
        stress = np.asarray(elements.stress, dtype=float)
        tensor = stress[..., [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
        deviator = tensor - np.trace(tensor, axis1=-2, axis2=-1)[..., None, None] / 3.0 * np.eye(3)
        expected = np.sqrt(1.5 * (deviator**2).sum(axis=(-2, -1)))
        found = np.asarray(elements["stress_von_mises"])
        assert found.shape == elements["stress_von_mises"].shape == stress.shape[:-1]
        assert np.allclose(found, expected, rtol=1e-5, atol=1e-5 * expected.max())
        assert np.array_equal(np.asarray(elements["plastic_strain_eqv"]), np.asarray(elements.plastic_strain))
    assert np.asarray(results.shells["stress_von_mises"]).max() > 0.1
    with pytest.raises(KeyError, match="no stress_tresca"):
        results.shells["stress_tresca"]
    with pytest.raises(KeyError, match="no stress of beams"):
        results.beams["stress_von_mises"]


def test_sums_by_names_of_dpf(results):
    """The sums of plot states are those of the histories at their times."""
    arrays, times = results.arrays, results.glstat.index.to_numpy()
    rows = np.abs(times[:, None] - results.times).argmin(axis=0)
    both = np.isclose(times[rows], results.times, rtol=1e-6)  # the last state has no row of its own
    rows, energies = rows[both], results.glstat.iloc[rows[both]]
    assert both.sum() > 3
    for name in ("kinetic_energy", "internal_energy"):
        found = np.asarray(arrays[f"global_{name}"])[both]
        assert np.allclose(found, energies[name], rtol=1e-4, atol=1e-5 * np.abs(found).max())
        parts = np.asarray(arrays[f"part_{name}"])[both]
        assert parts.shape == (both.sum(), 3)
        assert parts[0].sum() == pytest.approx(found[0], rel=1e-5)
        assert (parts.sum(axis=1) <= found * (1 + 1e-5)).all(), "what has been deleted is in no part"
        for k, part in enumerate(results.plot.part_ids):
            ours = results.matsum[int(part)][name].iloc[rows]
            assert np.allclose(parts[:, k], ours, rtol=1e-4, atol=1e-5 * np.abs(found).max())
    masses = np.asarray(arrays["part_mass"])
    assert (masses > 0.0).all()
    velocity = np.asarray(arrays["part_velocity"])
    momentum = (masses[..., None] * velocity).sum(axis=1) / masses.sum(axis=1)[:, None]
    assert np.allclose(momentum, np.asarray(arrays["global_velocity"]), rtol=1e-3, atol=1e-3)


def test_histories_are_those_of_the_text_files(results):
    text = read_glstat(results.folder / "glstat")
    ours = results.glstat
    assert np.allclose(ours.index, text["time"], rtol=1e-4)
    assert np.allclose(ours["kinetic_energy"], text["kinetic energy"], rtol=1e-4)
    assert np.allclose(ours["internal_energy"], text["internal energy"], rtol=1e-4)
    rows = read_matsum(results.folder / "matsum").rows
    ours = results.matsum
    assert np.allclose(ours[2]["internal_energy"], rows[rows.part == 2].inten, rtol=1e-3, atol=1e-6)
    assert ours.attrs["titles"] == {1: "part 1", 2: "part 2", 3: "part 3"}
    with pytest.raises(crumple.RunError, match="no history 'rwforce'; there is: glstat"):
        results.history("rwforce")


def test_histories_agree_with_plot_states(results):
    state = results.state_at(0.03)
    time = results.times[state]
    moved = np.interp(time, results.nodout.index, results.nodout[113]["z_displacement"])
    at = results.nodes(113)[0]
    assert moved == pytest.approx(float(results.displacement[state, at, 2]), rel=0.05)


def test_xarray(results):
    data = results.to_xarray()
    assert data.sizes["node"] == 389 and data.sizes["shell"] == 277
    last = data.shell_stress.sel(shell=5, component="xy").isel(time=-1)
    assert np.array_equal(last.values, results.shells.stress[-1, 4, :, 3])
    assert np.array_equal(data.displacement.sel(node=[113, 1]).values, results.displacement[:, [112, 0]])
    assert float(data.shell_plastic_strain.where(data.shell_part == 1).max()) == np.max(
        results.shells.plastic_strain[:, results.shells.of_part(1)]
    )
    energies = results.history_xarray("matsum")
    assert energies.internal_energy.dims == ("time", "id")
    assert np.array_equal(energies.internal_energy.sel(id=2), results.matsum[2]["internal_energy"])
    assert results.history_xarray("glstat").kinetic_energy.dims == ("time",)


def test_curves_pages_and_comparison(results, tmp_path):
    curve = results.curve("nodout/113/z_displacement")
    assert curve.unit == "mm" and len(curve.values) == len(results.nodout)
    assert len(results.curves("matsum/*/internal_energy")) == 3
    with pytest.raises(ValueError, match="names 3 curves"):
        results.curve("matsum/*/internal_energy")
    assert results.report(tmp_path / "page.html").stat().st_size > 10_000
    assert results.compare(results) == []


def test_pictures(results, tmp_path):
    assert results.picture(tmp_path / "last.png").stat().st_size > 1000


def test_cut_files_are_refused(results, tmp_path):
    content = (results.folder / "d3plot").read_bytes()
    for size in (0, 100, 300, 3000, len(content) // 2):
        path = tmp_path / "d3plot"
        path.write_bytes(content[:size])
        with pytest.raises(crumple.DamagedFile):
            PlotFamily(path)
    # of a run that was killed: without states
    (tmp_path / "d3plot").write_bytes(content)
    alone = PlotFamily(tmp_path / "d3plot")
    assert len(alone.times) == 0 and alone.nodal("velocity")[:].shape == (0, 389, 3)


def test_words_of_eight_bytes(tmp_path):
    results = crumple.run(torn_plate(0.01), tmp_path / "out", ranks=1, double_files=True)
    assert results.displacement.dtype == np.float64
    assert results.plot.part_titles == {1: "part 1", 2: "part 2", 3: "part 3"}
    assert results.shells.thickness[0].tolist() == [1.0] * 277
