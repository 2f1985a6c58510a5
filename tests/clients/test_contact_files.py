"""sleout, ncforc and transducers: lasso-python reads them, their sums are those of glstat and rcforc."""

import re

import numpy as np
import pytest
from colliding_bars import colliding_bars
from lasso.dyna import Binout

from verification.problems import collision, edges
from verification.results import run

NUMBER = r"[-+]?\d\.\d+E[-+]\d+"


@pytest.fixture(scope="module")
def bars(tmp_path_factory):
    """Two bars that collide, with friction, on three ranks."""
    deck = colliding_bars()
    deck.output(collision.GAP / collision.SPEED / 20, "glstat", "rcforc", "sleout", "ncforc")
    return run(deck, 3, tmp_path_factory.mktemp("contact") / "run", [])


def test_sleout(bars):
    binout = Binout(str(bars.directory / "binout0000"))
    assert list(np.atleast_1d(binout.read("sleout", "ids"))) == [7]
    assert list(np.atleast_1d(binout.read("sleout", "single_sided"))) == [0]
    column = {n: np.ravel(binout.read("sleout", n)) for n in ("slave", "master", "friction_energy")}
    total = bars.energy("sliding_interface_energy")
    assert total.max() > 0
    np.testing.assert_allclose(column["slave"] + column["master"], total, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(np.ravel(binout.read("sleout", "total_energy")), total, rtol=1e-9, atol=1e-15)
    assert 0 < column["friction_energy"][-1] < total.max()
    text = (bars.directory / "sleout").read_text()
    rows = [re.findall(NUMBER, line) for line in text.splitlines() if line.split()[:1] == ["7"]]
    read = np.array([[float(n) for n in row] for row in rows if row])
    np.testing.assert_allclose(read, np.column_stack(list(column.values())), rtol=1e-4, atol=1e-12)


@pytest.mark.parametrize(("name", "side"), [("slave", 0), ("master", 1)])
def test_ncforc(bars, name, side):
    binout = Binout(str(bars.directory / "binout0000"))
    branch = f"{name}_100000"
    nodes = list(binout.read("ncforc", branch, "ids"))
    assert nodes == sorted(nodes)
    assert {n // 1000 for n in nodes} == {1 + side}
    times = bars.time("rcforc")
    for axis in "xyz":
        force = np.asarray(binout.read("ncforc", branch, f"{axis}_force"))
        assert force.shape == (len(times), len(nodes))
        np.testing.assert_allclose(
            force.sum(axis=1), bars.contact(f"{axis}_force", side), rtol=1e-9, atol=1e-12
        )
    x = np.asarray(binout.read("ncforc", branch, "x_coordinate"))
    assert x[0].min() == pytest.approx(side * (collision.LENGTH + collision.GAP))
    blocks = (bars.directory / "ncforc").read_text().split(" forces at time")[1:]
    last = [b for b in blocks if f"on the {name} side" in b][-1]
    lines = [line for line in last.splitlines()[2:] if line.strip()]
    assert [int(line[:9]) for line in lines] == nodes
    read = [float(line[9:21]) for line in lines]
    np.testing.assert_allclose(read, binout.read("ncforc", branch, "x_force")[-1], rtol=1e-4, atol=1e-12)


@pytest.mark.parametrize("name", ["across", "rims"])
def test_forces_of_lines(name, tmp_path):
    """Beams, and rims of sheets: ncforc and transducers have the force that stops one of two."""
    deck = edges.decks()[name]
    for number, (a, b) in {11: (1, 0), 12: (1, 2), 13: (2, 1)}.items():
        deck.add("CONTACT_FORCE_TRANSDUCER_PENALTY_ID", [number, "t"], [a, b, 3, 3], [0.0], [1.0, 1.0])
    for history in ("rcforc", "ncforc"):
        deck.add(f"DATABASE_{history.upper()}", [deck.end_time / 200, 3])
    results = run(deck, 3, tmp_path / "run", [])
    binout = Binout(str(results.directory / "binout0000"))
    nodes = np.asarray(binout.read("ncforc", "slave_100000", "ids"))
    force = np.asarray(binout.read("ncforc", "slave_100000", "z_force"))
    on_one, on_two = (force[:, nodes // 1000 == part].sum(axis=1) for part in (1, 2))
    np.testing.assert_allclose(on_two, -on_one, rtol=0, atol=1e-9)
    gained = np.diff(results.part(1, "z_momentum")[[0, -1]])[0]
    assert np.trapezoid(on_one, results.time("rcforc")) == pytest.approx(gained, rel=1e-6)
    # Of the single surface the first lines, those of 1; of 1; of 1 against 2 and of 2 against 1, both sides.
    measured = [results.contact("z_force", column) for column in range(6)]
    for force, expected in zip(measured, (on_one, on_one, on_one, on_two, on_two, on_one), strict=True):
        np.testing.assert_allclose(force, expected, rtol=0, atol=1e-9)
