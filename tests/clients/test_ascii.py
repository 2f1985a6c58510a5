"""The text histories parsed the way scripts do, with the digits they have."""

import re

import numpy as np
import pytest

NUMBER = r"[-+]?\d\.\d+E[-+]\d+"


@pytest.fixture(scope="module")
def history(samples):
    """The folder and the rows that went in."""
    sample = samples("histories")
    return sample.path, sample.expected["rows"]


def _same(read, expected, digits):
    np.testing.assert_allclose(np.array(read, dtype=float), expected, rtol=0.5001 * 10.0**-digits)


def test_glstat(history):
    path, rows = history
    text = (path / "glstat").read_text()
    assert "Sample of every kind of element" in text.splitlines()[0]
    blocks = text.split(" dt of cycle")[1:]
    assert len(blocks) == len(rows)
    for block, row in zip(blocks, rows, strict=True):
        head = re.match(r"\s*(\d+) is controlled by (\w+)\s+(\d+) of part\s+(\d+)", block)
        assert head.groups() == (str(row["cycle"]), "shell", "12", "7")
        for label, key in [
            ("time", "time"),
            ("time step", "dt"),
            ("kinetic energy", "kinetic"),
            ("internal energy", "internal"),
            ("spring and damper energy", "spring_damper"),
            ("hourglass energy ", "hourglass"),
            ("system damping energy", "damping"),
            ("sliding interface energy", "sliding"),
            ("external work", "external_work"),
            ("eroded kinetic energy", "eroded_kinetic"),
            ("eroded internal energy", "eroded_internal"),
            ("eroded hourglass energy", "eroded_hourglass"),
            ("total energy", "total"),
            ("total energy / initial energy", "ratio"),
            ("energy ratio w/o eroded energy", "ratio_without_eroded"),
            ("added mass", "added_mass"),
            ("percentage increase", "added_mass_percent"),
        ]:
            found = re.search(rf"^ {re.escape(label)}\.+ *({NUMBER})$", block, re.MULTILINE)
            assert found, label
            assert found.start(1) - found.start() + len(found[1]) == 46  # columns that Matlab scripts cut
            _same([found[1]], [row[key]], 5)
        walls = re.findall(rf"^ stonewall energy\.+ *({NUMBER}) wall# *(\d+)$", block, re.MULTILINE)
        _same([w[0] for w in walls], row["stonewall"], 5)
        velocity = re.findall(rf"^ global [xyz] velocity\.+ *({NUMBER})$", block, re.MULTILINE)
        _same(velocity, row["velocity"], 5)
        assert re.search(r"time per zone cycle\.\(nanosec\)\.\. +812$", block, re.MULTILINE)


def test_matsum(history):
    path, rows = history
    text = (path / "matsum").read_text()
    legend = re.search(r"{BEGIN LEGEND}\n Entity #        Title\n(.*?){END LEGEND}", text, re.DOTALL)[1]
    assert re.findall(r"^ *(\d+) +(.*\S) *$", legend, re.MULTILINE)[1] == ("20", "foam block")
    blocks = re.split(rf"^ time = *({NUMBER})$", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == 2 * len(rows)
    for time, block, row in zip(blocks[::2], blocks[1::2], rows, strict=True):
        _same([time], [row["time"]], 4)
        assert re.findall(r"mat.#= *(\d+)", block) == ["300", "20", "7", "5", "9"]
        for label, value in [
            ("inten", [p["internal"] for p in row["matsum"]]),
            ("kinen", [p["kinetic"] for p in row["matsum"]]),
            ("eroded_ie", [p["eroded_internal"] for p in row["matsum"]]),
            ("eroded_ke", [p["eroded_kinetic"] for p in row["matsum"]]),
            ("hgeng", [p["hourglass"] for p in row["matsum"]]),
            ("+mass", [p["added_mass"] for p in row["matsum"]]),
            ("eroded_he", [p["eroded_hourglass"] for p in row["matsum"]]),
            ("y-mom", [p["momentum"][1] for p in row["matsum"]]),
            ("z-rbv", [p["rigid_velocity"][2] for p in row["matsum"]]),
        ]:
            _same(re.findall(rf"{re.escape(label)}= *({NUMBER})", block), value, 4)


def test_rcforc(history):
    path, rows = history
    text = (path / "rcforc").read_text()
    forces = rf"  x *({NUMBER})  y *({NUMBER})  z *({NUMBER}) mass *({NUMBER})$"
    line = rf"^  (slave|master) +(\d+) time *({NUMBER}){forces}"
    read = re.findall(line, text, re.MULTILINE)
    expected = []
    for row in rows:
        self_contact, tool = row["rcforc"]
        for name, number, force, mass in [
            ("slave", 3, self_contact["force_a"], self_contact["mass_a"]),
            ("slave", 31, tool["force_a"], tool["mass_a"]),
            ("master", 31, tool["force_b"], tool["mass_b"]),
        ]:
            expected.append((name, number, [row["time"], *force, mass]))
    assert len(read) == len(expected)
    for (side, number, *values), (name, contact, numbers) in zip(read, expected, strict=True):
        assert (side, int(number)) == (name, contact)
        _same(values, numbers, 5)


def test_rwforc(history):
    path, rows = history
    lines = (path / "rwforc").read_text().split("z-force\n")[1].splitlines()
    expected = [(row["time"], wall, w) for row in rows for wall, w in zip([4, 8], row["rwforc"], strict=True)]
    assert len(lines) == len(expected)
    for line, (time, wall, w) in zip(lines, expected, strict=True):
        fields = line.split()
        assert int(fields[1]) == wall
        _same([fields[0]], [time], 5)
        _same(fields[2:], [w["normal"], *w["force"]], 6)


def test_nodout(history):
    path, rows = history
    text = (path / "nodout").read_text()
    blocks = re.split(r"t i m e  s t e p *(\d+) +\( at time *(\S+) \)", text)[1:]
    assert len(blocks) == 3 * 2 * len(rows)
    for k, (cycle, time, block) in enumerate(zip(blocks[::3], blocks[1::3], blocks[2::3], strict=True)):
        row = rows[k // 2]
        assert int(cycle) == row["cycle"]
        _same([time], [row["time"]], 7)
        keys = ["rotation", "angular_velocity", "angular_acceleration"]
        if k % 2 == 0:
            keys = ["displacement", "velocity", "acceleration", "x"]
        lines = re.findall(r"^ +(\d+) (.*)$", block, re.MULTILINE)
        assert [int(node) for node, _ in lines] == [965, 986]
        for (_, values), node in zip(lines, row["nodout"], strict=True):
            _same(re.findall(NUMBER, values), np.concatenate([node[key] for key in keys]), 4)
