"""Rigid walls, sections and airbags that the viewer reads from decks; shapes of walls that are not flat."""

from pathlib import Path

import numpy as np
import pytest

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
    wall, *_, section = found.planes
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
    found = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    said = found.described(lambda nodes: [], np.array([0.0, 0.5]), dict, bounds)
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
