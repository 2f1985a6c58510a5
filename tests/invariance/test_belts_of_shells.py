"""A belt of shells over a slip ring, with a retractor and its pretensioner, on 1 to 3 ranks."""

import math
import re

import numpy as np
import pytest
from shell_belts import lines_across, shells, strip, webbing
from small_decks import Deck
from solver_run import run

from crumple.results.glstat import read_glstat

FRICTION = 0.2


def over_a_ring(end_time: float = 40.0) -> str:
    """Down from the retractor to the ring, then along x to an edge that is pulled; an element inside."""
    deck = Deck()
    gaps = [0.4, 0.6]
    path = [(0.0, 0.0, 150.0 - 15.0 * k) for k in range(11)] + [(20.0 * k, 0.0, 0.0) for k in range(1, 11)]
    (inside,) = lines_across(deck, [path[0]], gaps)
    edges = lines_across(deck, path, gaps)
    reel, ring = lines_across(deck, [path[0], (0.0, 0.0, 0.0)], gaps)
    strip(deck, 9, [inside, edges[0]], inside=3)
    belt = strip(deck, 9, edges)
    webbing(deck, 9, inside, elform=9)
    for number, nodes in ((1, reel), (2, ring), (3, edges[-1])):
        deck.set("NODE", number, nodes)
    for number, elements in ((4, belt.elements[0]), (5, belt.elements[9]), (6, belt.elements[10])):
        shells(deck, number, elements)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n2,0,1,1,1,1,1,1\n3,0,0,1,1,1,1,1")
    deck.add(
        "*DEFINE_CURVE\n1\n0.,0.\n1.,50.\n*DEFINE_CURVE\n2\n0.,0.2\n60.,1.2\n*DEFINE_CURVE\n3\n0.,0.\n6.,22."
    )
    deck.add("*ELEMENT_SEATBELT_SENSOR\n1,3\n1.0")
    deck.add("*ELEMENT_SEATBELT_RETRACTOR\n3,-1,-4,1\n20.,0.,2,0,50.")
    deck.add("*ELEMENT_SEATBELT_PRETENSIONER\n1,1,1\n3,1.,3")
    deck.add(f"*ELEMENT_SEATBELT_SLIPRING\n1,-5,-6,{FRICTION},-2")
    deck.add("*DEFINE_CURVE\n4\n0.,0.\n2.,0.\n4.,-2.\n10.,-20.\n15.,-20.\n18.,-18.\n40.,40.\n60.,40.")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n3,1,2,4,1.")
    deck.control(end_time, end_time, 1.0)
    deck.add("*DATABASE_SBTOUT\n1.,3\n*CONTROL_TIMESTEP\n0,0.8,0,0,0,0,0,0")
    return deck.text()


def rows(text: str, title: str) -> dict[int, np.ndarray]:
    """Numbers below a title of sbtout, by number of the entity, in order of time."""
    of: dict[int, list[list[float]]] = {}
    inside = False
    for line in text.splitlines():
        if " number " in line:
            inside = title in line
        elif inside and re.match(r"^ *\d+ +\S+", line):
            number, *values = line.split()
            of.setdefault(int(number), []).append([float(v) for v in values])
    return {number: np.array(table) for number, table in of.items()}


@pytest.mark.parametrize("precision", ["double", "single"])
def test_over_a_ring(precision, tmp_path):
    deck = tmp_path / "ring.k"
    deck.write_text(over_a_ring())
    one = run(deck, tmp_path / "1", "--precision", precision)
    assert one.status == 0, one.said
    assert "drawn into a retractor of its belt" in (tmp_path / "1" / "d3hsp").read_text()
    text = (tmp_path / "1" / "sbtout").read_text()
    (slip,) = rows(text, "slip ring").values()
    (reel,) = rows(text, "retractor").values()
    elements = rows(text, "seat belt")
    assert slip[:, 0].max() > 20.0  # to the pulled side: elements pass the ring
    assert reel[:, 0].min() < -15.0  # drawn in
    assert reel[-1, 0] > reel[:, 0].min() + 20.0  # and out again
    pulled = sum(elements[e][:, 0] for e in sorted(elements)[-2:])
    ratio = pulled[-5:].mean() / reel[-5:, 1].mean()
    assert ratio == pytest.approx(math.exp(FRICTION * math.pi / 2), rel=0.1)
    assert np.isfinite(read_glstat(tmp_path / "1" / "glstat")["total energy"]).all()
    for ranks, threads, method in ((2, 1, "rcb"), (3, 2, "metis")):
        where = tmp_path / f"{ranks}"
        options = ("--precision", precision, "--decomposition", method)
        done = run(deck, where, *options, ranks=ranks, threads=threads)
        assert done.hash == one.hash, ranks
        assert done.history("sbtout") == one.history("sbtout"), ranks
