"""VTKHDF files opened with pyvista, number by number."""

import h5py
import numpy as np
import pytest
import pyvista
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline

COMPRESSED = ["compressed", "compressed_interrupted_double"]
VARIANTS = ["single", "double", "rich_double", "eight_points", "interrupted", *COMPRESSED]
KINDS = ["solids", "beams", "shells"]  # the order of cells


def _mises(stress):
    xx, yy, zz, xy, yz, zx = np.moveaxis(stress, -1, 0)
    return np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (xy**2 + yz**2 + zx**2))


def _states(sample):
    """Times and grids of all states, asked of the vtk reader: pyvista's own knows no times here."""
    reader = pyvista.get_reader(str(sample.path / "results.vtkhdf")).reader
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    grids = []
    for time in times:
        reader.UpdateTimeStep(time)
        grids.append(pyvista.wrap(reader.GetOutput()).copy())
    return times, grids


def _expected_cells(state, layout, catalogue):
    """PlasticStrain, VonMises, Thickness and Alive of all cells."""
    n = {kind: len(catalogue[kind]["id"]) for kind in KINDS}
    points, layers, fibres = layout["solid_points"], layout["shell_layers"], layout["beam_points"]
    solid, beam, shell = (state[kind] for kind in KINDS)
    fibre = np.reshape(beam["point"], (n["beams"], fibres, 5))
    beam_strain = fibre[..., 3].max(axis=1) if fibres else np.zeros(n["beams"])
    beam_stress = np.sqrt(fibre[..., 0] ** 2 + 3 * (fibre[..., 1] ** 2 + fibre[..., 2] ** 2))
    return {
        "PlasticStrain": np.concatenate(
            [
                np.reshape(solid["plastic_strain"], (n["solids"], points)).max(axis=1),
                beam_strain,
                np.reshape(shell["plastic_strain"], (n["shells"], layers)).max(axis=1),
            ]
        ),
        "VonMises": np.concatenate(
            [
                _mises(np.reshape(solid["stress"], (n["solids"], points, 6))).max(axis=1),
                beam_stress.max(axis=1) if fibres else np.zeros(n["beams"]),
                _mises(np.reshape(shell["stress"], (n["shells"], layers, 6))).max(axis=1),
            ]
        ),
        "Thickness": np.concatenate([np.zeros(n["solids"] + n["beams"]), shell["thickness"]]),
        "Alive": np.concatenate([solid["alive"], beam["alive"], shell["alive"]]),
    }


@pytest.mark.parametrize("name", VARIANTS)
def test_states(samples, name):
    sample = samples(name)
    expected, catalogue = sample.expected, sample.expected["catalogue"]
    rtol = 1e-15 if "double" in name else 2e-7
    times, grids = _states(sample)
    assert list(times) == [state["time"] for state in expected["states"]]
    for grid, state in zip(grids, expected["states"], strict=True):
        np.testing.assert_allclose(grid.points, state["x"], rtol=rtol, atol=1e-12)
        np.testing.assert_array_equal(grid.point_data["NodeId"], catalogue["node_id"])
        moved = np.array(state["x"]) - np.array(catalogue["node_x"])
        np.testing.assert_allclose(grid.point_data["Displacement"], moved, rtol=rtol)
        np.testing.assert_allclose(grid.point_data["Velocity"], state["v"], rtol=rtol)
        for array, values in _expected_cells(state, expected["layout"], catalogue).items():
            np.testing.assert_allclose(grid.cell_data[array], values, rtol=rtol, err_msg=array)


def test_cells(samples):
    sample = samples("double")
    catalogue = sample.expected["catalogue"]
    grid = pyvista.read(sample.path / "results.vtkhdf")
    kinds = pyvista.CellType
    solids = [kinds.HEXAHEDRON] * 2 + [kinds.WEDGE] * 2 + [kinds.PYRAMID, kinds.TETRA]
    shells = [kinds.QUAD] * 5 + [kinds.TRIANGLE]
    assert list(grid.celltypes) == [*solids, kinds.LINE, kinds.LINE, *shells]
    ids = [i for kind in KINDS for i in catalogue[kind]["id"]]
    parts = [catalogue["parts"][p]["id"] for kind in KINDS for p in catalogue[kind]["part"]]
    np.testing.assert_array_equal(grid.cell_data["ElementId"], ids)
    np.testing.assert_array_equal(grid.cell_data["PartId"], parts)
    # Bricks of 1 x 1 x 1.5 and what is left of them, volumes positive; shells of unit area.
    sizes = grid.compute_cell_sizes()
    np.testing.assert_allclose(sizes["Volume"][:6], [1.5, 1.5, 0.75, 0.75, 0.5, 0.25], rtol=1e-12)
    np.testing.assert_allclose(sizes["Area"][8:], [1, 1, 1, 1, 1, 0.5], rtol=1e-12)
    for i, solid in enumerate(catalogue["solids"]["nodes"]):
        assert set(grid.get_cell(i).point_ids) == set(solid)


@pytest.mark.parametrize("name", COMPRESSED)
def test_compressed(samples, name):
    """Chunks are compressed; offsets find the rows of a state, which begins with a chunk."""
    sample = samples(name)
    states = sample.expected["states"]
    with h5py.File(sample.path / "results.vtkhdf") as file:
        root = file["VTKHDF"]
        for array in (root["Points"], root["PointData/Velocity"], root["CellData/VonMises"]):
            assert (array.compression, array.compression_opts) == ("gzip", 9 if "double" in name else 4)
            assert array.shuffle and array.chunks[0] <= 10
        assert not root["CellData/Alive"].shuffle  # of one byte
        offsets, nodes, chunk = root["Steps/PointOffsets"][()], len(states[0]["x"]), root["Points"].chunks[0]
        assert list(np.diff(offsets)) == [chunk * -(-nodes // chunk)] * 2
        for first, state in zip(offsets, states, strict=True):
            rtol = 1e-15 if "double" in name else 2e-7
            np.testing.assert_allclose(root["Points"][first : first + nodes], state["x"], rtol, 1e-12)


def test_interrupted_has_the_same_bytes(samples):
    one, two = (samples(name).path / "results.vtkhdf" for name in ("single", "interrupted"))
    assert one.read_bytes() == two.read_bytes()
