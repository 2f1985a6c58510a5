"""HIC and 3 ms clip against closed forms, and HIC against every pair of points."""

from dataclasses import replace

import numpy as np
import pytest

from crumple.curves.atd_limits import neck_figures
from crumple.curves.clip import clip_contiguous, clip_cumulative
from crumple.curves.head_injury import head_injury_criterion
from crumple.curves.neck_injury import neck_injury
from crumple.curves.shown_curve import ShownCurve
from crumple.curves.signal_error import SignalError


def half_sine(peak: float, length: float, interval: float = 1e-5):
    t = np.arange(0, 1.5 * length, interval)
    return t, np.where(t <= length, peak * np.sin(np.pi * t / length), 0.0).clip(0.0)


@pytest.mark.parametrize(("length", "expected"), [(0.010, 0.010), (0.015, 0.015), (0.040, 0.015)])
def test_hic_of_a_square_pulse(length, expected):
    """A^2.5 T, or with the limit if it is longer."""
    t = np.arange(0, 0.1, 1e-4)
    a = np.where((t > 0.02) & (t < 0.02 + length + 5e-5), 80.0, 0.0)
    found = head_injury_criterion(t, a, 0.015)
    # A step between two points is a ramp of one interval: the pulse is longer by less than that.
    assert found.value == pytest.approx(80.0**2.5 * expected, rel=0.01)
    assert found.end - found.start <= 0.015 * (1 + 1e-9)


def test_hic_of_a_constant_is_exact():
    t = np.linspace(0, 0.1, 731)
    assert head_injury_criterion(t, np.full_like(t, 50.0), 0.0153).value == pytest.approx(
        50**2.5 * 0.0153, rel=1e-12
    )


@pytest.mark.parametrize("limit", [0.036, 0.015])
def test_hic_of_a_half_sine(limit):
    """The best interval is symmetric; of a fraction x of the pulse it gives the curve below."""
    peak, length = 100.0, 0.030
    t, a = half_sine(peak, length)
    x = np.linspace(0.01, min(1.0, limit / length), 100_000)
    expected = (peak**2.5 * length * x * (2 / (np.pi * x) * np.sin(np.pi * x / 2)) ** 2.5).max()
    found = head_injury_criterion(t, a, limit)
    assert found.value == pytest.approx(expected, rel=1e-5)
    assert 0.5 * (found.start + found.end) == pytest.approx(length / 2, abs=2e-5)
    if limit == 0.036:
        assert expected == pytest.approx(0.4146 * peak**2.5 * length, rel=1e-3)


def test_hic_is_that_of_all_pairs():
    rng = np.random.default_rng(3)
    t = np.cumsum(rng.uniform(0.5e-4, 2e-4, 300))
    a = np.abs(np.convolve(rng.normal(0, 60, 300), np.ones(9) / 3, "same"))
    v = np.concatenate(([0], np.cumsum(0.5 * (a[1:] + a[:-1]) * np.diff(t))))
    pairs = [
        (t[j] - t[i]) * ((v[j] - v[i]) / (t[j] - t[i])) ** 2.5
        for i in range(300)
        for j in range(i + 1, 300)
        if t[j] - t[i] <= 0.015
    ]
    found = head_injury_criterion(t, a, 0.015).value
    assert max(pairs) * (1 - 1e-12) <= found <= 1.02 * max(pairs)  # intervals of exactly 15 ms may be better


def test_hic_refuses_a_component():
    t = np.linspace(0, 0.1, 100)
    with pytest.raises(SignalError, match="negative"):
        head_injury_criterion(t, np.sin(200 * t), 0.015)


def test_clip_of_a_half_sine():
    """Above the level for 3 ms around the peak: both ways A cos(pi 1.5 ms / T)."""
    t, a = half_sine(60.0, 0.020, 1e-6)
    expected = 60.0 * np.cos(np.pi * 0.0015 / 0.020)
    assert clip_cumulative(t, a) == pytest.approx(expected, rel=1e-6)
    assert clip_contiguous(t, a) == pytest.approx(expected, rel=1e-6)


def test_clip_of_two_peaks():
    """Two triangles of 80: together 3 ms at a level, where the wider one alone has it lower."""
    t = np.array([0, 5, 10, 20, 24, 28, 40]) * 1e-3
    a = np.array([0, 80, 0, 0, 80, 0, 0.0])
    # Widths at the level L: 10 (1 - L/80) and 8 (1 - L/80) ms.
    assert clip_cumulative(t, a) == pytest.approx(80 * (1 - 3 / 18), rel=1e-12)
    assert clip_contiguous(t, a) == pytest.approx(80 * (1 - 3 / 10), rel=1e-12)


def test_clip_of_a_plateau_and_of_a_short_curve():
    t = np.linspace(0, 0.01, 11)
    assert clip_cumulative(t, np.full_like(t, 7.0)) == 7.0
    assert clip_contiguous(t, np.full_like(t, 7.0)) == 7.0
    with pytest.raises(SignalError, match="lasts 2 ms"):
        clip_cumulative(t[:3], t[:3])


def test_nij_of_its_intercepts():
    """Each alone has 1; together they add, of the kind that is there at the time."""
    t = np.arange(6.0)
    force = np.array([6806.0, -6160.0, 0.0, 0.0, 3403.0, -3080.0])
    moment = np.array([0.0, 0.0, 310.0, -135.0, -67.5, 155.0])
    assert neck_injury(t, force, moment) == pytest.approx({"NTF": 1.0, "NTE": 1.0, "NCF": 1.0, "NCE": 1.0})
    assert neck_injury(t[:2], force[4:5].repeat(2), moment[4:5].repeat(2)) == pytest.approx(
        {"NTF": 0.0, "NTE": 1.0, "NCF": 0.0, "NCE": 0.0}
    )


def test_nij_of_shown_curves():
    """In kN and N m, at other times; a wrong pair is refused."""
    t = np.arange(0.0, 5.0)
    force = ShownCurve("a", "section 1", "z force", t, np.full(5, 3.403), "force", "kN", 1e-3, 1e3)
    moment = ShownCurve("a", "section 1", "y moment", t[:3] * 2, np.full(3, 31.0), "moment", "N m", 1e-3, 1.0)
    found = {figure.name: figure for figure in neck_figures([force, moment])}
    assert found["NTF"].value == "0.6"
    assert found["NTF"].note == "within the limit: 60 % of 1, FMVSS 208 S6.6"
    assert found["NCE"].value == "0"
    for wrong in ([force], [force, force], [force, replace(moment, signed=False)]):
        with pytest.raises(SignalError, match="axial force of the neck, positive in tension"):
            neck_figures(wrong)
