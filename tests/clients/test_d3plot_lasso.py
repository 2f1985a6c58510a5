"""d3plot files read back with lasso-python, number by number."""

import numpy as np
import pytest
from lasso.dyna import D3plot

VARIANTS = ["single", "double", "rich", "rich_double", "lean", "eight_points", "separate", "split"]
KINDS = {"solids": "solid", "beams": "beam", "shells": "shell"}


def _tolerance(name: str) -> float:
    """Relative: files of 4-byte words round to float, files of 8-byte words do not round."""
    return 0.0 if "double" in name else 6e-8


def _part_order(expected) -> list[int]:
    parts = expected["catalogue"]["parts"]
    return sorted(range(len(parts)), key=lambda p: parts[p]["id"])


def _states(expected, *keys):
    """One value or array of every state."""
    values = []
    for state in expected["states"]:
        for key in keys:
            state = state[key]
        values.append(state)
    return np.array(values, dtype=float)


@pytest.mark.parametrize("name", VARIANTS)
def test_geometry_and_ids(samples, name):
    sample = samples(name)
    plot, catalogue = D3plot(str(sample.path / "d3plot")), sample.expected["catalogue"]
    assert plot.header.title == catalogue["title"][:36]
    np.testing.assert_array_equal(plot.arrays["node_ids"], catalogue["node_id"])
    np.testing.assert_allclose(plot.arrays["node_coordinates"], catalogue["node_x"], rtol=_tolerance(name))
    ids = [catalogue["parts"][p]["id"] for p in _part_order(sample.expected)]
    np.testing.assert_array_equal(plot.arrays["part_ids"], ids)
    for kind, singular in KINDS.items():
        elements = catalogue[kind]
        np.testing.assert_array_equal(plot.arrays[f"element_{singular}_ids"], elements["id"])
        nodes = plot.arrays[f"element_{singular}_node_indexes"]
        np.testing.assert_array_equal(nodes[:, : len(elements["nodes"][0])], elements["nodes"])
        part_of = plot.arrays["part_ids"][plot.arrays[f"element_{singular}_part_indexes"]]
        np.testing.assert_array_equal(part_of, [catalogue["parts"][p]["id"] for p in elements["part"]])


def test_titles(samples):
    sample = samples("single")
    plot = D3plot(str(sample.path / "d3plot"))
    titles = {p["id"]: p["title"] for p in sample.expected["catalogue"]["parts"]}
    read = dict(zip(plot.arrays["part_titles_ids"], plot.arrays["part_titles"], strict=True))
    assert {int(k): v.decode().strip() for k, v in read.items()} == titles
    assert [t.decode().strip() for t in plot.arrays["contact_titles"]] == ["self contact", "tool to sheet"]


@pytest.mark.parametrize("name", VARIANTS)
def test_nodes_and_globals(samples, name):
    sample = samples(name)
    plot, expected, rtol = D3plot(str(sample.path / "d3plot")), sample.expected, _tolerance(name)
    assert plot.n_timesteps == len(expected["states"])
    order = _part_order(expected)

    def same(array, value):
        np.testing.assert_allclose(plot.arrays[array], value, rtol=rtol, err_msg=array)

    same("timesteps", _states(expected, "time"))
    same("node_displacement", _states(expected, "x"))
    same("node_velocity", _states(expected, "v"))
    same("node_acceleration", _states(expected, "a"))
    same("global_kinetic_energy", _states(expected, "kinetic"))
    same("global_internal_energy", _states(expected, "internal"))
    same("global_total_energy", _states(expected, "total"))
    same("global_velocity", _states(expected, "velocity"))
    same("rigid_wall_force", _states(expected, "wall_force"))
    for array, key in [
        ("part_internal_energy", "internal"),
        ("part_kinetic_energy", "kinetic"),
        ("part_hourglass_energy", "hourglass"),
        ("part_mass", "mass"),
        ("part_velocity", "velocity"),
    ]:
        same(array, [[s["parts"][p][key] for p in order] for s in expected["states"]])


@pytest.mark.parametrize("name", VARIANTS)
def test_deletion(samples, name):
    sample = samples(name)
    plot = D3plot(str(sample.path / "d3plot"))
    for kind, singular in KINDS.items():
        alive = plot.arrays[f"element_{singular}_is_alive"]
        np.testing.assert_array_equal(alive != 0, _states(sample.expected, kind, "alive") != 0)


@pytest.mark.parametrize("name", VARIANTS)
def test_solids(samples, name):
    sample = samples(name)
    plot, expected, layout = D3plot(str(sample.path / "d3plot")), sample.expected, sample.expected["layout"]
    n, points, rtol = len(expected["catalogue"]["solids"]["id"]), layout["solid_points"], _tolerance(name)

    def same(array, key, *shape):
        value = _states(expected, "solids", key).reshape(-1, n, points, *shape)
        np.testing.assert_allclose(plot.arrays[array], value, rtol=rtol, err_msg=array)

    same("element_solid_stress", "stress", 6)
    same("element_solid_effective_plastic_strain", "plastic_strain")
    if layout["solid_history"]:
        same("element_solid_history_variables", "history", layout["solid_history"])
    if layout["strains"]:
        same("element_solid_strain", "strain", 6)


@pytest.mark.parametrize("name", VARIANTS)
def test_beams(samples, name):
    sample = samples(name)
    plot, expected, rtol = D3plot(str(sample.path / "d3plot")), sample.expected, _tolerance(name)
    n, points = len(expected["catalogue"]["beams"]["id"]), expected["layout"]["beam_points"]
    resultant = _states(expected, "beams", "resultant").reshape(-1, n, 6)
    for array, columns in [
        ("axial_force", 0),
        ("shear_force", slice(1, 3)),
        ("bending_moment", slice(3, 5)),
        ("torsion_moment", 5),
    ]:
        read = plot.arrays[f"element_beam_{array}"]
        np.testing.assert_allclose(read, resultant[:, :, columns], rtol=rtol, err_msg=array)
    if points:
        point = _states(expected, "beams", "point").reshape(-1, n, points, 5)
        for array, columns in [
            ("axial_stress", 0),
            ("shear_stress", slice(1, 3)),
            ("plastic_strain", 3),
            ("axial_strain", 4),
        ]:
            read = plot.arrays[f"element_beam_{array}"]
            np.testing.assert_allclose(read, point[..., columns], rtol=rtol, err_msg=array)


@pytest.mark.parametrize("name", [*VARIANTS, "dropped"])
def test_shells(samples, name):
    sample = samples(name)
    plot, expected, layout = D3plot(str(sample.path / "d3plot")), sample.expected, sample.expected["layout"]
    parts, shells = expected["catalogue"]["parts"], expected["catalogue"]["shells"]
    rtol, n = _tolerance(name), len(shells["id"])
    written = np.array([name != "dropped" or not parts[p]["rigid"] for p in shells["part"]])

    def same(array, key, *shape):
        value = _states(expected, "shells", key).reshape(-1, n, *shape)[:, written]
        np.testing.assert_allclose(plot.arrays[array], value, rtol=rtol, err_msg=array)

    layers = layout["shell_layers"]
    if name == "lean":
        for absent in ["stress", "effective_plastic_strain", "thickness", "normal_force"]:
            assert f"element_shell_{absent}" not in plot.arrays
        return
    same("element_shell_stress", "stress", layers, 6)
    same("element_shell_effective_plastic_strain", "plastic_strain", layers)
    same("element_shell_thickness", "thickness")
    same("element_shell_internal_energy", "energy_density")
    resultant = _states(expected, "shells", "resultant").reshape(-1, n, 8)[:, written]
    for array, columns in [
        ("bending_moment", slice(0, 3)),
        ("shear_force", slice(3, 5)),
        ("normal_force", slice(5, 8)),
    ]:
        read = plot.arrays[f"element_shell_{array}"]
        np.testing.assert_allclose(read, resultant[:, :, columns], rtol=rtol, err_msg=array)
    if layout["shell_history"]:
        same("element_shell_history_vars", "history", layers, layout["shell_history"])
    if layout["strains"]:
        same("element_shell_strain", "strain", 2, 6)


def test_rigid_shells_without_data(samples):
    """DCOMP 2: material types tell which shells have no data (20: rigid)."""
    sample = samples("dropped")
    plot, parts = D3plot(str(sample.path / "d3plot")), sample.expected["catalogue"]["parts"]
    laws = [20 if parts[p]["rigid"] else parts[p]["law"] for p in _part_order(sample.expected)]
    np.testing.assert_array_equal(plot.arrays["part_material_type"], laws)
    assert plot.n_timesteps == 3


def test_family(samples):
    names = {variant: sorted(p.name for p in samples(variant).path.glob("d3plot*")) for variant in VARIANTS}
    assert names["single"] == ["d3plot", "d3plot01"]
    assert names["separate"] == ["d3plot", "d3plot01", "d3plot02", "d3plot03"]
    assert names["split"] == ["d3plot", "d3plot01", "d3plot02"]
