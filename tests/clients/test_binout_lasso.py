"""binout read back with lasso-python, number by number."""

import numpy as np
import pytest
from lasso.dyna import Binout

GLSTAT = {
    "time_step": "dt",
    "kinetic_energy": "kinetic",
    "internal_energy": "internal",
    "stonewall_energy": "stonewall",
    "spring_and_damper_energy": "spring_damper",
    "hourglass_energy": "hourglass",
    "system_damping_energy": "damping",
    "sliding_interface_energy": "sliding",
    "external_work": "external_work",
    "eroded_kinetic_energy": "eroded_kinetic",
    "eroded_internal_energy": "eroded_internal",
    "eroded_hourglass_energy": "eroded_hourglass",
    "total_energy": "total",
    "energy_ratio": "ratio",
    "energy_ratio_wo_eroded": "ratio_without_eroded",
    "added_mass": "added_mass",
    "percent_increase": "added_mass_percent",
}


@pytest.fixture(params=["histories", "histories_double"])
def history(request, samples):
    """binout, the rows that went in, the relative tolerance."""
    sample = samples(request.param)
    rtol = 0.0 if "double" in request.param else 6e-8
    return Binout(str(sample.path / "binout0000")), sample.expected["rows"], rtol


def test_branches(history):
    assert set(history[0].read()) == {"glstat", "matsum", "rcforc", "rwforc", "nodout"}


def test_glstat(history):
    binout, rows, rtol = history
    np.testing.assert_allclose(binout.read("glstat", "time"), [r["time"] for r in rows], rtol=rtol)
    for name, key in GLSTAT.items():
        read = binout.read("glstat", name)
        assert read.shape == (len(rows),), name  # stonewall_energy too: of all walls together
        expected = [np.sum(r[key]) for r in rows]
        np.testing.assert_allclose(read, expected, rtol=rtol, err_msg=name)
    for k, axis in enumerate("xyz"):
        read = binout.read("glstat", f"global_{axis}_velocity")
        np.testing.assert_allclose(read, [r["velocity"][k] for r in rows], rtol=rtol)
    assert list(binout.read("glstat", "cycle")) == [r["cycle"] for r in rows]
    assert list(binout.read("glstat", "nzc")) == [812] * len(rows)
    assert list(binout.read("glstat", "ts_element")) == [12] * len(rows)
    types = binout.read("glstat", "element_types").split(",")
    assert {types[i - 1] for i in binout.read("glstat", "ts_eltype")} == {"shell"}
    assert binout.read("glstat", "title").strip() == "Sample of every kind of element"


def test_matsum(history):
    binout, rows, rtol = history
    assert list(binout.read("matsum", "ids")) == [300, 20, 7, 5, 9]
    assert binout.read("matsum", "legend")[80:160].strip() == "foam block"
    for name, key in [
        ("internal_energy", "internal"),
        ("kinetic_energy", "kinetic"),
        ("hourglass_energy", "hourglass"),
        ("eroded_internal_energy", "eroded_internal"),
        ("eroded_kinetic_energy", "eroded_kinetic"),
        ("eroded_hourglass_energy", "eroded_hourglass"),
        ("mass", "added_mass"),
        ("part_mass", "mass"),
    ]:
        value = [[p[key] for p in r["matsum"]] for r in rows]
        np.testing.assert_allclose(binout.read("matsum", name), value, rtol=rtol, err_msg=name)
    for k, axis in enumerate("xyz"):
        for name, key in [("momentum", "momentum"), ("rbvelocity", "rigid_velocity")]:
            value = [[p[key][k] for p in r["matsum"]] for r in rows]
            np.testing.assert_allclose(binout.read("matsum", f"{axis}_{name}"), value, rtol=rtol)


def test_rcforc(history):
    binout, rows, rtol = history
    assert list(binout.read("rcforc", "ids")) == [3, 31, 31]
    assert list(binout.read("rcforc", "side")) == [0, 0, 1]
    for k, axis in enumerate("xyz"):
        value = [
            [r["rcforc"][0]["force_a"][k], r["rcforc"][1]["force_a"][k], r["rcforc"][1]["force_b"][k]]
            for r in rows
        ]
        np.testing.assert_allclose(binout.read("rcforc", f"{axis}_force"), value, rtol=rtol)
    value = [[r["rcforc"][0]["mass_a"], r["rcforc"][1]["mass_a"], r["rcforc"][1]["mass_b"]] for r in rows]
    np.testing.assert_allclose(binout.read("rcforc", "mass"), value, rtol=rtol)
    assert binout.as_df("rcforc", "x_force").shape == (3, 3)


def test_rwforc(history):
    binout, rows, rtol = history
    assert list(binout.read("rwforc", "forces", "setid")) == [4, 8]
    value = [[w["normal"] for w in r["rwforc"]] for r in rows]
    np.testing.assert_allclose(binout.read("rwforc", "forces", "normal_force"), value, rtol=rtol)
    for k, axis in enumerate("xyz"):
        value = [[w["force"][k] for w in r["rwforc"]] for r in rows]
        np.testing.assert_allclose(binout.read("rwforc", "forces", f"{axis}_force"), value, rtol=rtol)


def test_nodout(history):
    binout, rows, rtol = history
    assert list(binout.read("nodout", "ids")) == [965, 986]
    for k, axis in enumerate("xyz"):
        for name, key in [
            (f"{axis}_displacement", "displacement"),
            (f"{axis}_velocity", "velocity"),
            (f"{axis}_acceleration", "acceleration"),
            (f"{axis}_coordinate", "x"),
            (f"r{axis}_displacement", "rotation"),
            (f"r{axis}_velocity", "angular_velocity"),
            (f"r{axis}_acceleration", "angular_acceleration"),
        ]:
            value = [[n[key][k] for n in r["nodout"]] for r in rows]
            np.testing.assert_allclose(binout.read("nodout", name), value, rtol=rtol, err_msg=name)
