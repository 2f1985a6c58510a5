"""Rigid walls, sections and airbags that the viewer reads from decks; shapes of walls that are not flat."""

from pathlib import Path

import numpy as np
import pytest

from crumple.deck.schema_data import DeckEditError
from crumple.deck.transformation import map_of
from crumple.viewer.deck_shapes import shapes_of_run

DECK = """*KEYWORD
*PARAMETER
R far, 4.0, R size, 5.0
*INCLUDE
more.k
*RIGIDWALL_PLANAR_FINITE_ID
12,front wall
0,0,0
1.,2.,3.,2.,2.,3.,0.3,0
1.,3.,9.,100.,50.
*RIGIDWALL_GEOMETRIC_SPHERE_ID
13
0
&far,0.,-&far,0.,0.,1.
&size
*RIGIDWALL_GEOMETRIC_CYLINDER_ID
14,pole
0
1.,0.,0.,1.,0.,2.
2.,7.
*RIGIDWALL_GEOMETRIC_PRISM_MOTION_ID
15,block
0
0.,0.,0.,0.,3.,0.
2.,0.,0.,10.,0.,6.
21,1,0.,2.,0.
*DEFINE_CURVE
21
0.,0.
1.,&far
*SET_PART_LIST
7
1,2,3,4,5,6,7,8
9
*SET_SEGMENT
8
1,2,3,4
5,6,7,7
*AIRBAG_SIMPLE_PRESSURE_VOLUME
7,1
*AIRBAG_SIMPLE_PRESSURE_VOLUME
8,0
*END
"""
MORE = """*KEYWORD
*DATABASE_CROSS_SECTION_PLANE_ID
3,my section
0,1.,2.,3.,1.,2.,5.,0.
*END
"""


def test_planes_and_bags(tmp_path: Path):
    (tmp_path / "deck.k").write_text(DECK)
    (tmp_path / "more.k").write_text(MORE)
    found = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    section, wall, *_ = found.planes  # the include comes first
    assert (wall.kind, wall.name) == ("wall", "front wall")
    assert wall.normal == pytest.approx([1, 0, 0])
    along = np.array([0, 1, 6]) / 37**0.5
    assert wall.sides[0] == pytest.approx(100 * along), "without its part along the normal"
    assert wall.sides[1] == pytest.approx(50 * np.cross([1, 0, 0], along))
    assert (section.name, section.sides) == ("my section", None)
    assert section.normal == pytest.approx([0, 0, 1])
    bags = found.bags(lambda nodes: sorted(nodes))
    assert [bag["parts"] for bag in bags] == [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7]]
    assert not found.left_out


def test_walls_that_are_not_flat(tmp_path: Path):
    """Their faces against the solver's sizes, with places that are parameters."""
    (tmp_path / "deck.k").write_text(DECK)
    (tmp_path / "more.k").write_text(MORE)
    bounds = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 2.0]])
    nodes = (np.array([1, 2]), bounds)
    found = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    said = found.described(lambda nodes: [], np.array([0.0, 0.5]), dict, nodes)
    walls = {one["name"]: one for one in said["planes"] if one["faces"]}
    corners = {name: np.array(one["faces"]).reshape(-1, 3) for name, one in walls.items()}
    ball = next(points for name, points in corners.items() if "SPHERE" in name)
    assert np.linalg.norm(ball - [4.0, 0.0, -4.0], axis=1) == pytest.approx(5.0)
    pole = corners["pole"]
    assert {0.0, 7.0} == set(pole[:, 2])
    assert set(np.linalg.norm(pole[:, :2] - [1.0, 0.0], axis=1).round(9)) == {0.0, 2.0}, "rim and middle"
    block = corners["block"]
    reach = np.linalg.norm(bounds[1])
    assert block.min(axis=0) == pytest.approx([0.0, -6.0, -reach]), "behind its front"
    assert block.max(axis=0) == pytest.approx([10.0, 0.0, reach]), "and as far as the model"
    assert len(walls["block"]["faces"]) == 6
    assert np.array(walls["block"]["moves"])[:, 1] == pytest.approx([0.0, 2.0])


def test_no_deck_is_no_error(tmp_path: Path):
    assert shapes_of_run(tmp_path / "d3plot", None).planes == []
    missing = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    assert missing.planes == []


PLACED = """*KEYWORD
*PARAMETER
R push, 100.0
*DEFINE_TRANSFORMATION
5
TRANSL, &push
ROTATE, 0.,0.,1., 100.,0.,0., 90.
*INCLUDE_TRANSFORM
sub.k
1000,0,20,0,300,0,0
7
,1.0
5
*INCLUDE_TRANSFORM
sub.k
2000

2.0,1.,1.
0
*INCLUDE
sub.k
*DATABASE_CROSS_SECTION_SET_ID
1,boxes
5,1
*SET_NODE_GENERAL
5
BOX,1
*END
"""
INCLUDED = """*KEYWORD
*RIGIDWALL_PLANAR_ID
4,wall
0
1.,0.,0.,2.,0.,0.
*DATABASE_CROSS_SECTION_SET_ID
2,cut
8,0,0,1
*SET_NODE_LIST_GENERATE
8
1,4,6,6
*SET_PART_LIST
9
1,2
*AIRBAG_SIMPLE_PRESSURE_VOLUME
9,1
*END
"""


def test_in_an_include_with_a_transformation(tmp_path: Path):
    """Shifted by 100 along x, then turned by 90 degrees about (100, 0): x becomes y."""
    (tmp_path / "deck.k").write_text(PLACED)
    (tmp_path / "sub.k").write_text(INCLUDED)
    found = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    moved, plain = found.planes
    assert moved.point == pytest.approx([100, 1, 0])
    assert moved.normal == pytest.approx([0, 1, 0])
    assert (plain.point.tolist(), plain.normal.tolist()) == ([1, 0, 0], [1, 0, 0])
    assert [bag["parts"] for bag in found.bags(lambda nodes: [])] == [[21, 22], [1, 2]]
    assert found.sections == [("cut", 308), ("cut", 8), ("boxes", 5)]
    assert [line for line in found.left_out if "units are not converted" in line]


def test_sections_by_sets(tmp_path: Path):
    """The rectangle around the nodes 1 to 4 and 6 of a plane; of 1001 to 1004 a line."""
    (tmp_path / "deck.k").write_text(PLACED)
    (tmp_path / "sub.k").write_text(INCLUDED)
    found = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    rectangle = [(0.0, 0.0, 2.0), (4.0, 0.0, 2.0), (4.0, 1.0, 2.0), (0.0, 1.0, 2.0)]
    ids = np.array([1, 2, 3, 4, 5, 6, 1001, 1002, 1003])
    places = np.array([*rectangle, (0, 0, 9), (2, 0.5, 2), (0, 0, 0), (1, 0, 0), (2, 0, 0)], dtype=float)
    said = found.described(lambda nodes: [], np.zeros(1), dict, (ids, places))
    (section,) = (one for one in said["planes"] if one["kind"] == "section")
    corner, sides = np.array(section["point"]), np.array(section["sides"])
    ends = np.array([corner, *(corner + sides), corner + sides.sum(axis=0)])
    assert sorted(map(tuple, ends.round(6) + 0.0)) == sorted(rectangle)
    assert np.abs(section["normal"]) == pytest.approx([0, 0, 1])
    assert any("cut is not drawn: its nodes are on a line" in line for line in said["left_out"])
    assert any("boxes is not drawn: its node set 5 is no list" in line for line in said["left_out"])


@pytest.mark.parametrize(
    ("rows", "there"),
    [
        ([("SCALE", [2.0, 0.0, 3.0])], [2.0, 2.0, 9.0]),
        ([("MIRROR", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0])], [-1.0, 2.0, 3.0]),
        ([("POINT", [1, 0, 0, 0]), ("POINT", [2, 0, 0, 1]), ("ROTATE", [1, 2, 180.0])], [-1.0, -2.0, 3.0]),
        ([("TRANSL", [1.0]), ("SCALE", [2.0, 2.0, 2.0])], [4.0, 4.0, 6.0]),
    ],
)
def test_rows_of_transformations(rows, there):
    assert map_of(rows).point(np.array([1.0, 2.0, 3.0])) == pytest.approx(there)


def test_six_points():
    """POS6P: from the first three to the others, here x to y, y to z."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (5, 5, 5), (5, 6, 5), (5, 5, 6)]
    rows = [("POINT", [k + 1, *place]) for k, place in enumerate(points)]
    moved = map_of([*rows, ("POS6P", [1, 2, 3, 4, 5, 6])])
    assert moved.point(np.array([1.0, 2.0, 3.0])) == pytest.approx([8.0, 6.0, 7.0])
    with pytest.raises(DeckEditError, match="no POINT 9"):
        map_of([("POS6P", [9, 2, 3, 4, 5, 6])])
