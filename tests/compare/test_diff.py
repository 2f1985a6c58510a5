"""crumple diff: what differs between runs, how much, and the exit status."""

import re

import numpy as np
import pytest
from command_line import crumple
from written_run import motion, write_run

from crumple.compare.history_differences import at_same_times, family_of, table_differences
from crumple.compare.input_differences import changed_lines, line_differences
from crumple.compare.run_difference import Group
from crumple.results.history_table import HistoryTable

T = np.arange(0, 10.0, 0.1)


def run(folder, factor=1.0, **changes):
    return write_run(
        folder, T, {1: ("a", motion(T, {"x": factor * np.sin(T), "y": 1e-3 * np.cos(T)}))}, **changes
    )


def said(done) -> str:
    return " ".join((done.stdout + done.stderr).split())


def test_the_same_results(tmp_path):
    run(tmp_path / "a")
    run(tmp_path / "b")
    done = crumple("diff", "a", "b", directory=tmp_path)
    assert (done.returncode, said(done)) == (0, "no difference")


def test_other_results(tmp_path):
    """1 % in x: the largest of the history is named, with both values."""
    run(tmp_path / "a")
    run(tmp_path / "b", 1.01, hash="fedcba9876543210")
    done = crumple("diff", "a", "b", directory=tmp_path)
    assert done.returncode == 1
    assert "results differ" in said(done)
    assert "nodout/1/x_acceleration at" in said(done) or "nodout/1/x_velocity at" in said(done)
    assert "9.9e-03" in said(done)
    done = crumple("diff", "a", "b", "--tolerance", "0.02", directory=tmp_path)
    assert done.returncode == 0
    assert "results are the same within 0.02" in said(done)


def test_narrow_terminals_cut_no_number(tmp_path):
    """The exponents of the values and of the relative difference are there at 80 and 60 columns."""
    folders = ("base-of-the-second-series", "thicker-of-the-second-series")
    for name, factor in zip(folders, (1.0, 1.01), strict=True):
        run(tmp_path / name, factor)
    wide = crumple("diff", *folders, directory=tmp_path)
    numbers = [word for word in said(wide).split() if re.fullmatch(r"-?\d[\d.]*(e[-+]\d+)?", word)]
    assert "9.9e-03" in numbers
    for columns in (80, 60):
        done = crumple("diff", *folders, directory=tmp_path, columns=columns)
        lines = done.stdout.splitlines()
        assert max(map(len, lines)) <= columns
        assert set(numbers) <= {word for line in lines for word in line.split()}


def test_options_count_only_if_asked(tmp_path):
    run(tmp_path / "a")
    run(tmp_path / "b", ranks=4, title="another")
    done = crumple("diff", "a", "b", directory=tmp_path)
    assert done.returncode == 0
    assert "deck, options differ" in said(done)
    assert crumple("diff", "a", "b", "--strict", directory=tmp_path).returncode == 1


def test_what_cannot_be_compared(tmp_path):
    run(tmp_path / "a")
    done = crumple("diff", "a", "b", directory=tmp_path)
    assert done.returncode == 2
    assert "no d3hsp" in said(done)


def test_a_history_of_one_run_only(tmp_path):
    run(tmp_path / "a")
    (run(tmp_path / "b") / "rwforc").unlink()
    done = crumple("diff", "a", "b", directory=tmp_path)
    assert done.returncode == 1
    assert "rwforc written not written" in said(done)


def table(values, keys=("1",), times=T):
    return HistoryTable(times, list(keys), {}, values)


def test_a_small_component_has_the_scale_of_its_vector():
    """Noise in y beside a motion in x does not count."""
    x, y = np.sin(T)[:, None], 1e-9 * np.cos(T)[:, None]
    found = table_differences(
        "nodout", table({"x_velocity": x, "y_velocity": y}), table({"x_velocity": x, "y_velocity": -y}), 1e-6
    )
    assert [(d.beyond, d.relative < 1e-8) for d in found] == [(False, True)]
    assert family_of("local_x_velocity") == family_of("local_z_velocity") == "local_velocity"
    assert family_of("sig_xx") == family_of("sig_zx")
    assert family_of("internal_energy") == "internal_energy"


def test_the_tolerance_is_a_limit():
    """A difference of 1 % of the largest value is beyond 0.9 %, and within 1.1 %."""
    x = np.sin(T)[:, None]
    y = x + 0.01 * np.abs(x).max() * (x == x.max())
    for tolerance, beyond in ((0.009, True), (0.011, False)):
        (found,) = table_differences("n", table({"a_b": x}), table({"a_b": y}), tolerance)
        assert found.beyond is beyond


def test_entities_and_missing_values():
    a, b = np.zeros((100, 2)), np.zeros((100, 2))
    b[50:, 1] = np.nan
    found = table_differences(
        "elout/shell", table({"sig_xx": a}, ("1", "2")), table({"sig_xx": b}, ("1", "2")), 1e-6
    )
    assert [(d.what, d.beyond) for d in found] == [("elout/shell/2/sig_xx at 5", True)]
    found = table_differences(
        "elout/shell", table({"sig_xx": a}, ("1", "2")), table({"sig_xx": a}, ("1", "3")), 1e-6
    )
    assert [(d.first, d.second) for d in found] == [("2", "3")]


def test_rows_at_other_times_are_interpolated():
    s = np.arange(0.03, 9.0, 0.07)
    times, a, b = at_same_times((T, 3 * T[:, None]), (s, 3 * s[:, None]))
    assert times[0] >= s[0]
    assert times[-1] <= s[-1]
    assert b == pytest.approx(a)


def test_lines_of_decks(tmp_path):
    first, second = tmp_path / "a.k", tmp_path / "b.k"
    first.write_text("*KEYWORD\n1.0\n*END\n")
    second.write_text("*KEYWORD\n1.4\n*END\n")
    (only,) = line_differences(first, second)
    assert (only.group, only.what, only.first, only.second) == (Group.deck, "line 2", "1.0", "1.4")
    assert line_differences(first, first) == []
    assert line_differences(first, tmp_path / "gone.k") == []
    assert list(changed_lines(["a", "b"], ["a", "x", "b"])) == [(2, "", "x")]
