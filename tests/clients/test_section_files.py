"""secforc, spcforc and bndout of a run: the text has the numbers that lasso-python reads in binout."""

import re

import numpy as np
import pytest

from verification.problems import sections
from verification.results import run

NUMBER = r"[-+]?\d\.\d+E[-+]\d+"


@pytest.fixture(scope="module")
def pulled(tmp_path_factory):
    """Bars stretched by a common motion."""
    return run(sections.pulled(), 1, tmp_path_factory.mktemp("sections") / "run", [])


def _numbers(line):
    return [float(n) for n in re.findall(NUMBER, line)]


def test_secforc(pulled):
    text = (pulled.directory / "secforc").read_text()
    assert "{BEGIN LEGEND}" in text
    blocks = text.split("magnitude\n")[-1].split("area  \n")[-1].strip("\n").split("\n\n")
    numbers = sorted({int(b[:12]) for b in blocks})
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 8]
    axes = {7: "cs ID =       1", 8: "rb ID =       5"}
    for number in numbers:
        rows = [b.splitlines() for b in blocks if int(b[:12]) == number]
        assert all(row[1].startswith(axes.get(number, "global system")) for row in rows)
        np.testing.assert_allclose([float(r[0][12:27]) for r in rows], pulled.time("secforc"), rtol=1e-5)
        for line, columns in (
            (0, ("x_force", "y_force", "z_force", "total_force")),
            (1, ("x_moment", "y_moment", "z_moment", "total_moment")),
            (2, ("x_centroid", "y_centroid", "z_centroid", "area")),
        ):
            for column, name in enumerate(columns):
                read = [float(r[line][30 + 12 * column : 42 + 12 * column]) for r in rows]
                np.testing.assert_allclose(read, pulled.section(number, name), rtol=1e-4, atol=1e-12)


def test_spcforc(pulled):
    text = (pulled.directory / "spcforc").read_text()
    assert " single point constraint forces" in text
    read = [_numbers(line) for line in text.splitlines() if "force resultants" in line]
    np.testing.assert_allclose([r[0] for r in read], pulled.constraints("x_resultant"), rtol=1e-4, atol=1e-12)
    sums = []
    for block in text.split(" output at time =")[1:]:
        lines = [line for line in block.splitlines() if "forces =" in line]
        assert all(line.endswith("setid=       7") for line in lines)
        sums.append(sum(_numbers(line)[0] for line in lines))
    np.testing.assert_allclose(sums, [r[0] for r in read], rtol=1e-3, atol=1e-9)


def test_bndout(pulled):
    text = (pulled.directory / "bndout").read_text()
    blocks = text.split("n o d a l   f o r c e/e n e r g y")[1:]
    nodes = [[_numbers(line) for line in b.splitlines() if line.startswith(" nd#")] for b in blocks]
    assert {len(rows) for rows in nodes} == {8}
    for column, name in ((0, "x_total"), (3, "etotal")):
        sums = [sum(row[column] for row in rows) for rows in nodes]
        np.testing.assert_allclose(sums, pulled.moved(name), rtol=1e-3, atol=1e-9)
    bodies = [[line for line in b.splitlines() if line.startswith("mat#")] for b in blocks]
    assert {line[:12] for lines in bodies for line in lines} == {"mat#       5"}
    totals = [_numbers(line)[0] for line in text.splitlines() if "xtotal=" in line]
    np.testing.assert_allclose(totals, pulled.moved("x_total"), rtol=1e-3, atol=1e-6)
