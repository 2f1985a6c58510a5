"""Files of measured curves: CSV as programs write it, ISO-MME, corridors; what cannot be used."""

import numpy as np
import pytest

from crumple.curves.measured import MeasuredError, read_corridor, read_measured

MME = """Test object number          :1
Name of the channel         :Head acceleration X
Channel code                :11HEAD0000H3ACXA
Unit                        :m/(s*s)
Time of first sample        :-0.001
Sampling interval           :0.0001
Number of samples           :3
0.0
9.80665
-19.6133
"""


@pytest.mark.parametrize(
    "text",
    [
        "time [s],a [m/s^2]\n0,0\n0.001,9.80665\n0.002,-19.6133\n",
        "time (ms);a (g)\n0,0;0,0\n1,0;1,0\n2,0;-2,0\n",
        "t\ta\nms\tg\n0\t0\n1\t1\n2\t-2\n",
        "# a comment\n0 0\n1 1\n2 -2\n",
        "\ufefftime [us],a [mm/ms^2]\n0,0\n1000,0.00980665\n2000,-0.0196133\n",
    ],
)
def test_columns(tmp_path, text):
    """Times in ms, values in g."""
    (tmp_path / "test.csv").write_text(text, encoding="utf-8")
    curve = read_measured(tmp_path / "test.csv", "acceleration")
    assert curve.times == pytest.approx([0, 1, 2])
    assert curve.values == pytest.approx([0, 1, -2])
    assert (curve.unit, curve.measured) == ("g", True)


def test_several_columns(tmp_path):
    path = tmp_path / "test.csv"
    path.write_text("time [ms],head x [g],head y [g]\n0,1,5\n1,2,6\n2,,7\n")
    assert read_measured(path, "acceleration", "head y").values == pytest.approx([5, 6, 7])
    assert read_measured(path, "acceleration", "head x [g]").values == pytest.approx([1, 2])  # an empty cell
    with pytest.raises(MeasuredError, match="several columns: --column one of head x"):
        read_measured(path, "acceleration")
    with pytest.raises(MeasuredError, match="no column 'hed y'; nearest: head y"):
        read_measured(path, "acceleration", "hed y")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("time [ms],f [kN]\n0,1\n1,2\n", "a unit of force; the run's curve is of acceleration"),
        ("time [ms],a [furlong]\n0,1\n1,2\n", "'furlong' is no unit"),
        ("a [g],time [ms]\n0,1\n1,2\n", "first column has times"),
        ("time,a\n1,1\n0,2\n", "times that rise"),
        ("only words\n", "no line of numbers"),
        ("1\n2\n", "one column"),
        ("0,1\n1,word\n", "could not convert"),
    ],
)
def test_what_cannot_be_used(tmp_path, text, why):
    (tmp_path / "test.csv").write_text(text)
    with pytest.raises(MeasuredError, match=why):
        read_measured(tmp_path / "test.csv", "acceleration")


def test_channels_of_iso_mme(tmp_path):
    channels = tmp_path / "Channel"
    channels.mkdir()
    (channels / "test.001").write_text(MME)
    (channels / "test.002").write_text(
        MME.replace("ACXA", "ACYA").replace("acceleration X", "acceleration Y")
    )
    curve = read_measured(channels / "test.001", "acceleration")
    assert curve.times == pytest.approx([-1.0, -0.9, -0.8])
    assert curve.values == pytest.approx([0, 1, -2])
    assert curve.name == "11HEAD0000H3ACXA Head acceleration X"
    assert "ACYA" in read_measured(tmp_path, "acceleration", "ACYA").name
    with pytest.raises(MeasuredError, match="--column is to name one channel"):
        read_measured(tmp_path, "acceleration")
    (channels / "test.001").write_text(MME.replace("Sampling interval", "Interval"))
    with pytest.raises(MeasuredError, match="no 'sampling interval'"):
        read_measured(channels / "test.001", "acceleration")


def test_corridor(tmp_path):
    (tmp_path / "c.csv").write_text("time [ms],low,high\n0,-1,1\n50,-2,2\n")
    times, low, high = read_corridor(tmp_path / "c.csv")
    assert [*map(list, (times, low, high))] == [[0, 50], [-1, -2], [1, 2]]
    (tmp_path / "c.csv").write_text("0,1,-1\n50,-2,2\n")
    with pytest.raises(MeasuredError, match="above upper"):
        read_corridor(tmp_path / "c.csv")
    assert isinstance(times, np.ndarray)
