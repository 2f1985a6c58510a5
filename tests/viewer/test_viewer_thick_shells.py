"""Thick shells, which files of LS-DYNA have, in the viewer: a file written word by word."""

from pathlib import Path

import numpy as np
import pytest

import crumple
from crumple.results.d3plot_file import PlotFamily
from crumple.results.d3plot_layout import (
    EXTRA,
    FILETYPE,
    IOSHL,
    IU,
    MAXINT,
    NDIM,
    NELT,
    NGLBV,
    NMMAT,
    NUMNP,
    NV3DT,
)
from crumple.viewer import shown_run
from crumple.viewer.model_faces import KINDS, NOBODY
from crumple.viewer.shown_run import ShownRun

LAYERS, WORDS = 2, 7  #: six stresses and plastic strain a layer
CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]
#: two thick shells beside each other along x
NODES = np.array([(x, y, z) for x in range(3) for y in range(2) for z in range(2)], dtype="<f4")


def number(x: int, y: int, z: int) -> int:
    return 4 * x + 2 * y + z + 1


ELEMENTS = [[number(e + x, y, z) for z in (0, 1) for x, y in CORNERS] + [e + 1] for e in range(2)]


def stresses(state: int) -> np.ndarray:
    """(elements, layers, words): the stress xx of a layer says where it is, its plastic strain a tenth."""
    rows = np.zeros((2, LAYERS, WORDS), dtype="<f4")
    for element in range(2):
        for layer in range(LAYERS):
            rows[element, layer, 0] = 100 * state + 10 * element + layer
            rows[element, layer, 6] = rows[element, layer, 0] / 10
    return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    head = np.zeros(64, dtype="<i4")
    head[:10] = np.frombuffer(b"thick shells".ljust(40), "<i4")
    counts = {FILETYPE: 1, NDIM: 4, NUMNP: 12, NGLBV: 6, IU: 1, NELT: 2, NV3DT: LAYERS * WORDS, NMMAT: 2}
    counts |= {MAXINT: -10000 - LAYERS, IOSHL: 1000, IOSHL + 1: 1000, EXTRA: 0}
    for address, count in counts.items():
        head[address] = count
    geometry = NODES.tobytes() + np.array(ELEMENTS, dtype="<i4").tobytes()
    (tmp_path / "d3plot").write_bytes(head.tobytes() + geometry + np.array([-999999.0], "<f4").tobytes())
    states = b""
    for state in range(2):
        alive = [1.0, 1.0 - state]  # the second is deleted
        moved = NODES + [0.0, 0.0, state]
        words = [[float(state)], np.zeros(6), moved.ravel(), stresses(state).ravel(), alive]
        states += np.concatenate(words).astype("<f4").tobytes()
    states += np.array([-999999.0], "<f4").tobytes()
    (tmp_path / "d3plot01").write_bytes(states)
    return tmp_path


def test_quantities_of_thick_shells(folder):
    plot = PlotFamily(folder / "d3plot")
    assert plot.elements["thick_shell"].ids.tolist() == [1, 2]
    assert plot.part_ids[plot.elements["thick_shell"].parts].tolist() == [1, 2]
    stress = np.asarray(plot.element("thick_shell", "stress"))
    assert stress.shape == (2, 2, LAYERS, 6)
    assert stress[1, :, :, 0].tolist() == [[100, 101], [110, 111]]
    plastic = np.asarray(plot.element("thick_shell", "plastic_strain"))
    assert plastic[1, 1] == pytest.approx([11.0, 11.1])
    assert np.asarray(plot.alive("thick_shell")).tolist() == [[True, True], [True, False]]


def test_from_python(folder):
    found = crumple.Results(folder / "d3plot").thick_shells
    assert len(found) == 2 and found.node_ids.shape == (2, 8)
    assert found.names == ["stress", "plastic_strain", "alive"]
    assert found.stress[1, found.of_part(2), 1, 0].tolist() == [111]
    assert found.alive[1].tolist() == [True, False]


def test_faces_parts_values_and_cuts(folder):
    """Ten faces outside, and the one between the parts; each is of the right element."""
    run = ShownRun(folder)
    about = run.about()
    assert ["thick_shell", 2] in about["kinds"]
    assert [(part["id"], part["kind"], part["elements"]) for part in about["parts"]] == [
        (1, "thick_shell", 1),
        (2, "thick_shell", 1),
    ]
    faces = run.faces
    inner = faces.owners[:, 1] != NOBODY
    assert (len(faces), inner.sum()) == (11, 1)
    assert sorted(faces.owners[inner][0]) == [0, 1]
    middle = run.family.coordinates[faces.nodes[~inner]].mean(axis=1)[:, 0]
    assert (faces.owners[~inner, 0] == (middle > 1.0)).all()
    assert run.values.values("stress/xx", 2, 1).tolist() == [101, 111]
    assert run.values.values("plastic_strain", 0, 1) == pytest.approx([10.1, 11.1])
    assert run.gone(1).tolist() == [False, True]
    assert KINDS[-1] == "thick_shell", "so that elements of our own files are counted as before"


def test_a_cut_through_them(folder, monkeypatch):
    """The area of the section is 1 an element; a deleted one is not cut."""
    run, areas = ShownRun(folder), []
    monkeypatch.setattr(shown_run, "packed_arrays", lambda about, **arrays: arrays)
    for state, height in ((0, 0.5), (1, 1.5)):
        points, of = (array for array, _ in run.cut(state, [0.0, 0.0, 1.0, height]).values())
        a, b, c = points[:, 0], points[:, 1], points[:, 2]
        area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        areas.append([float(area[of == k].sum()) for k in range(2)])
    assert areas == [pytest.approx([1.0, 1.0]), pytest.approx([1.0, 0.0])]
