"""Rigid walls, sections and airbags that the viewer reads from decks."""

from pathlib import Path

import numpy as np
import pytest

from crumple.viewer.deck_shapes import shapes_of_run

DECK = """*KEYWORD
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
0.,0.,0.,0.,0.,1.
5.
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
    wall, section = sorted(found.planes, key=lambda plane: plane.kind, reverse=True)
    assert (wall.kind, wall.name) == ("wall", "front wall")
    assert wall.normal == pytest.approx([1, 0, 0])
    along = np.array([0, 1, 6]) / 37**0.5
    assert wall.sides[0] == pytest.approx(100 * along), "without its part along the normal"
    assert wall.sides[1] == pytest.approx(50 * np.cross([1, 0, 0], along))
    assert (section.name, section.sides) == ("my section", None)
    assert section.normal == pytest.approx([0, 0, 1])
    bags = found.bags(lambda nodes: sorted(nodes))
    assert [bag["parts"] for bag in bags] == [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7]]
    assert any("RIGIDWALL_GEOMETRIC_SPHERE" in line for line in found.left_out)


def test_no_deck_is_no_error(tmp_path: Path):
    assert shapes_of_run(tmp_path / "d3plot", None).planes == []
    missing = shapes_of_run(tmp_path / "d3plot", tmp_path / "deck.k")
    assert missing.planes == []
