"""Contact surfaces (*DATABASE_BINARY_INTFOR): pyvista reads them, their forces are those of rcforc."""

from pathlib import Path

import numpy as np
import pytest
import pyvista
from colliding_bars import colliding_bars

from verification.deck import Deck
from verification.problems import collision
from verification.results import Results, run

INTERVAL = collision.GAP / collision.SPEED / 5


def bars(asked: str = f"DATABASE_BINARY_INTFOR\n{INTERVAL!r},", printed: int = 1) -> Deck:
    """Bars that collide, with the surfaces asked for."""
    deck = colliding_bars(printed)
    deck.output(INTERVAL, "rcforc")
    deck.add(*asked.split("\n"))
    return deck


@pytest.fixture(scope="module")
def collided(tmp_path_factory) -> dict[int, Results]:
    """Runs on one, two and three ranks."""
    place = tmp_path_factory.mktemp("surfaces")
    return {ranks: run(bars(), ranks, place / str(ranks), []) for ranks in (1, 2, 3)}


def states(results: Results) -> tuple[list[float], list[pyvista.PolyData]]:
    reader = pyvista.get_reader(str(results.directory / "intfor.pvd"))
    meshes = []
    for time in reader.time_values:
        reader.set_active_time_value(time)
        meshes.append(reader.read()[0].copy())
    return list(reader.time_values), meshes


def side(mesh: pyvista.PolyData, number: int) -> pyvista.PolyData:
    """The cells of side A (0) or B (1), and their points."""
    return mesh.extract_cells(np.flatnonzero(mesh.cell_data["Side"] == number)).extract_surface()


def test_forces_and_tractions_are_those_of_rcforc(collided):
    times, meshes = states(collided[3])
    assert times == pytest.approx(list(collided[3].time("rcforc")))
    forces = [np.stack([collided[3].contact(f"{a}_force", k) for a in "xyz"], axis=-1) for k in (0, 1)]
    assert np.abs(forces[0]).max() > 0
    tolerance = 1e-9 * np.abs(forces[0]).max()
    for row, mesh in enumerate(meshes):
        assert mesh.field_data["TimeValue"][0] == pytest.approx(times[row])
        assert set(mesh.cell_data["Contact"]) == {7}
        for number in (0, 1):
            part = side(mesh, number)
            assert {n // 1000 for n in part.point_data["NodeId"]} == {1 + number}
            np.testing.assert_allclose(
                part.point_data["Force"].sum(axis=0), forces[number][row], atol=tolerance
            )
            areas = part.compute_cell_sizes()["Area"]
            total = areas @ part.cell_data["Traction"]
            np.testing.assert_allclose(total, forces[number][row], atol=tolerance)


def test_pressure_is_on_the_faces_that_touch(collided):
    _, meshes = states(collided[1])
    largest = max(meshes, key=lambda mesh: mesh.cell_data["Pressure"].max())
    first = side(largest, 0)
    faces = first.compute_normals(
        cell_normals=True, point_normals=False, consistent_normals=False, auto_orient_normals=False
    )
    across = np.abs(faces.cell_data["Normals"][:, 0]) > 0.9
    pressure, shear = first.cell_data["Pressure"], first.cell_data["Shear"]
    assert pressure[across].max() > 0
    assert np.all(pressure[~across] <= 0.02 * pressure.max()), "friction only"
    assert np.all(shear[across] <= 0.06 * pressure[across] + 1e-6 * pressure.max()), "Coulomb"


def test_same_bytes_on_any_number_of_ranks(collided):
    names = sorted(path.name for path in collided[1].directory.glob("intfor*"))
    assert len(names) > 5
    for ranks in (2, 3):
        folder = collided[ranks].directory
        assert sorted(path.name for path in folder.glob("intfor*")) == names
        for name in names:
            assert (folder / name).read_bytes() == (collided[1].directory / name).read_bytes(), (ranks, name)


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("DATABASE_BINARY_INTFOR\n0,,,4", 5),
        ("DATABASE_BINARY_INTFOR_FILE\nforces\n0,,,4", 5),
        ("DATABASE_BINARY_INTFOR\n0,", 2),  # as d3plot
    ],
)
def test_intervals(asked: str, count: int, tmp_path: Path):
    results = run(bars(asked), 1, tmp_path / "run", [])
    assert len(list(results.directory.glob("intfor*.vtp"))) == count


def test_contacts_without_the_flag_have_no_surfaces(tmp_path: Path):
    results = run(bars(printed=0), 1, tmp_path / "run", [])
    assert "no contact has SAPR or SBPR = 1" in results.printed
    assert not list(results.directory.glob("intfor*"))
