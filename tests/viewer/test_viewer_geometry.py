"""Faces, edges, cuts and simplified models of the viewer on boxes whose faces can be counted by hand."""

import re
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from crumple.results.d3plot_file import PlotElements
from crumple.viewer.cut_solids import cut_solids
from crumple.viewer.feature_edges import feature_edges
from crumple.viewer.fewer_faces import fewer_faces
from crumple.viewer.inlined_page import one_script
from crumple.viewer.model_faces import NOBODY, faces_of_model, pairs_of, triangles_last


def grid(*cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes (n, 3) of a grid of unit cells, and the number of each node by its place."""
    number = np.arange(np.prod([c + 1 for c in cells])).reshape([c + 1 for c in cells])
    return np.argwhere(number >= 0).astype(float), number


def box(cells: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """A box of unit bricks: nodes and elements (n, 8)."""
    x, number = grid(*cells)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cut = [tuple(slice(d, n + d) for d, n in zip(corner, cells, strict=True)) for corner in corners]
    return x, np.stack([number[c].ravel() for c in cut], axis=1)


class Family:
    """What the viewer takes of a d3plot family."""

    def __init__(self, solids: np.ndarray, parts: np.ndarray, gone: np.ndarray | None = None) -> None:
        none = np.zeros(0, dtype=np.int64)
        self.elements = {
            "solid": PlotElements("solid", np.arange(len(solids)), solids, parts),
            "shell": PlotElements("shell", none, none.reshape(0, 4), none),
            "beam": PlotElements("beam", none, none.reshape(0, 5), none),
        }
        self.states = [0, 1]
        self.places = {"solid_flags": 0} if gone is not None else {}
        self.gone_ = gone

    def alive(self, kind: str) -> SimpleNamespace:
        first = np.ones(len(self.elements["solid"].ids), dtype=bool)
        return SimpleNamespace(read=lambda state: ~self.gone_ if state else first)


def test_a_box_has_its_outer_faces_only():
    _, solids = box((3, 2, 2))
    faces = faces_of_model(Family(solids, np.zeros(12, dtype=int)))
    assert len(faces) == 2 * (3 * 2 + 2 * 2 + 3 * 2)
    assert (faces.owners[:, 1] == NOBODY).all()


def test_faces_around_what_is_deleted_and_between_parts_are_kept():
    _, solids = box((3, 1, 1))
    gone = np.array([False, True, False])
    faces = faces_of_model(Family(solids, np.zeros(3, dtype=int), gone))
    assert len(faces) == 14 + 2, "both sides of the one in the middle"
    faces = faces_of_model(Family(solids, np.array([0, 0, 1])))
    (between,) = faces.owners[faces.owners[:, 1] != NOBODY]
    assert sorted(between) == [1, 2]


def test_triangles_of_neighbours_are_the_same_however_a_node_is_repeated():
    faces = triangles_last(np.array([[1, 1, 2, 3], [2, 3, 1, 1], [3, 3, 2, 1], [4, 5, 5, 6], [7, 8, 9, 7]]))
    assert (faces[:, 2] == faces[:, 3]).all()
    pairs, alone = pairs_of(faces[[0, 1, 3, 4]])
    assert pairs.tolist() == [[0, 1]]
    assert alone.tolist() == [2, 3]


def test_feature_edges_of_a_box_are_its_twelve_edges():
    x, solids = box((2, 2, 2))
    nodes, _ = feature_edges(faces_of_model(Family(solids, np.zeros(8, dtype=int))), x)
    assert len(nodes) == 12 * 2
    middle = x[nodes].mean(axis=1)
    assert (((middle == 0) | (middle == 2)).sum(axis=1) == 2).all()


@pytest.mark.parametrize("normal", [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.3, -0.2, 0.9)])
def test_a_cut_has_the_area_of_the_section(normal):
    """By Cavalieri: the areas of cuts, added up along the normal, are the volume."""
    x, solids = box((2, 3, 2))
    unit = np.array(normal) / np.linalg.norm(normal)
    reach = np.sort(x @ unit)
    places, step = np.linspace(reach[0], reach[-1], 400, retstep=True)
    volume = 0.0
    for place in places + 0.5 * step:
        points, of = cut_solids(solids, np.ones(12, dtype=bool), x, unit, place)
        a, b, c = points[:, 0], points[:, 1], points[:, 2]
        volume += step * 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
        assert np.allclose(points @ unit, place, atol=1e-5)
        assert len(of) == len(points)
    assert volume == pytest.approx(12.0, rel=0.01)


def test_deleted_solids_are_not_cut():
    x, solids = box((2, 1, 1))
    _, of = cut_solids(solids, np.array([True, False]), x, np.array([0.0, 0.0, 1.0]), 0.5)
    assert set(of) == {0}


def test_fewer_faces_keep_the_shape_of_a_box():
    x, solids = box((12, 12, 12))
    faces = faces_of_model(Family(solids, np.zeros(len(solids), dtype=int)))
    few = fewer_faces(faces, x, 300)
    assert 50 < len(few) <= 300
    used = x[np.unique(few.nodes)]
    assert (used.min(axis=0) < 3).all() and (used.max(axis=0) > 9).all()
    assert (few.nodes[:, 2] == few.nodes[:, 3]).all()
    assert set(few.owners[:, 0]) <= set(faces.owners[:, 0])


def test_scripts_have_no_name_twice_so_that_they_can_be_one():
    pattern = r"^(?:async )?(?:function|class|const|let) (\w+)"
    script = one_script()
    names = re.findall(pattern, script, re.MULTILINE)
    for line in re.findall(r"^const (\w+ = .*);$", script, re.MULTILINE):
        names += re.findall(r", (\w+) = ", line) if "(" not in line else []
    assert not [name for name, count in Counter(names).items() if count > 1]
    assert "import " not in re.sub(r"^//.*$", "", script, flags=re.MULTILINE)
