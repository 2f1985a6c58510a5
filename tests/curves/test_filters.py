"""Filters of channel frequency classes against their gain in closed form."""

import numpy as np
import pytest

from crumple.curves.filters import CLASSES, CORNER, cfc_filter, coefficients, gain, read_class
from crumple.curves.signal_error import SignalError

RATE = 20_000.0


@pytest.mark.parametrize("channel_class", CLASSES)
@pytest.mark.parametrize("share", [0.2, 1.0, 1.667, CORNER, 4.0])
def test_gain_of_a_sine(channel_class, share):
    """The amplitude and phase of a long sine, in the middle of the record."""
    frequency = share * channel_class
    periods = 400
    t = np.arange(0, periods / frequency, 1 / RATE)
    t, y = cfc_filter(t, np.sin(2 * np.pi * frequency * t), channel_class)
    middle = (t > 0.3 * t[-1]) & (t < 0.7 * t[-1])
    basis = np.column_stack(
        [np.sin(2 * np.pi * frequency * t[middle]), np.cos(2 * np.pi * frequency * t[middle])]
    )
    found = np.linalg.lstsq(basis, y[middle], rcond=None)[0]
    expected = gain(channel_class, 1 / RATE, frequency)
    assert found == pytest.approx([expected, 0.0], abs=1e-9)


def test_corners():
    """-3 dB of one pass and -6 dB of both at 2.0775 CFC; -3 dB of both at the corners of the standards."""
    for channel_class in CLASSES:
        at_corner = gain(channel_class, 1e-6, CORNER * channel_class)
        assert 20 * np.log10(np.sqrt(at_corner)) == pytest.approx(-3.0103, abs=1e-3)
        assert 20 * np.log10(at_corner) == pytest.approx(-6.0206, abs=1e-3)
    for channel_class, corner in ((60, 100.0), (180, 300.0), (600, 1000.0), (1000, 1650.0)):
        assert 20 * np.log10(gain(channel_class, 1e-6, corner)) == pytest.approx(-3.0, abs=0.1)


def test_gain_is_that_of_the_difference_equation():
    """From the transfer function a0 (1 + z)^2 / (1 - b1 z - b2 z^2), z = exp(-i w T), both ways."""
    for channel_class in CLASSES:
        a0, b1, b2 = coefficients(channel_class, 1e-4)
        for frequency in (10.0, 100.0, 777.0, 3000.0):
            z = np.exp(-2j * np.pi * frequency * 1e-4)
            response = a0 * (1 + z) ** 2 / (1 - b1 * z - b2 * z**2)
            assert abs(response) ** 2 == pytest.approx(gain(channel_class, 1e-4, frequency), rel=1e-10)


@pytest.mark.parametrize("channel_class", CLASSES)
def test_a_constant_passes_unchanged_and_a_line_away_from_its_ends(channel_class):
    t = np.linspace(0.0, 0.2, 4001)
    _, y = cfc_filter(t, np.full_like(t, 3.0), channel_class)
    assert y == pytest.approx(np.full_like(t, 3.0), rel=1e-12)
    line = 2.0 - 70.0 * t
    _, y = cfc_filter(t, line, channel_class)
    middle = (t > 0.05) & (t < 0.15)
    assert y[middle] == pytest.approx(line[middle], abs=1e-6)


def test_noise_at_the_last_point_does_not_hold_the_curve():
    t = np.linspace(0.0, 0.1, 2001)
    quiet = np.zeros_like(t)
    quiet[-1] = 1000.0
    _, y = cfc_filter(t, quiet, 60)
    assert np.abs(y).max() < 60.0  # a spike of one sample, over the filter's length of a hundred


def test_jitter_of_a_history_does_not_matter():
    """Rows come up to a time step late; the curve is brought to a constant rate."""
    rng = np.random.default_rng(1)
    even = np.arange(0, 0.1, 1e-4)
    late = even + 2e-6 * rng.random(len(even))
    pulse = lambda t: 40 * np.sin(np.pi * t / 0.1) ** 2  # noqa: E731
    t, y = cfc_filter(late, pulse(late), 60)
    assert np.allclose(np.diff(t), t[1] - t[0])
    assert y == pytest.approx(np.interp(t, *cfc_filter(even, pulse(even), 60)), abs=0.02)


def test_slow_sampling_is_refused():
    t = np.arange(0, 0.1, 2e-4)  # 5 kHz
    cfc_filter(t, t, 60)
    cfc_filter(t, t, 180)
    with pytest.raises(SignalError, match=r"CFC 600 needs 6,000 samples a second.*one each 0\.2 ms"):
        cfc_filter(t, t, 600)
    with pytest.raises(SignalError, match="hole of 10"):
        cfc_filter(np.delete(t, slice(100, 149)), np.delete(t, slice(100, 149)), 180)


@pytest.mark.parametrize(
    ("t", "y", "why"),
    [
        ([0.0, 1e-4], [1.0, 2.0], "too short"),
        ([0.0, 1e-4, 1e-4], [1.0, 2.0, 3.0], "do not rise"),
        ([0.0, 1e-4, 2e-4], [1.0, np.nan, 3.0], "not finite"),
        ([0.0, 1e-4, 2e-4], [1.0, 2.0], "one value for each time"),
    ],
)
def test_what_is_no_curve(t, y, why):
    with pytest.raises(SignalError, match=why):
        cfc_filter(np.array(t), np.array(y), 60)


def test_names_of_classes():
    assert [read_class(w) for w in ("CFC60", "cfc-180", "600", "CFC 1000")] == [60, 180, 600, 1000]
    for word in ("CFC61", "", "butter"):
        with pytest.raises(SignalError):
            read_class(word)
