"""OLC, VPI, corridors, integrals, crushing and intrusion against closed forms."""

import numpy as np
import pytest

from crumple.curves.crushing import crushing
from crumple.curves.motion import change_of_distance, integrated, resultant
from crumple.curves.pulse import in_corridor, occupant_load_criterion, vehicle_pulse_index
from crumple.curves.sampling import at_constant_rate
from crumple.curves.signal_error import SignalError


@pytest.mark.parametrize("a", [100.0, 250.0])
def test_olc_of_a_constant_deceleration(a):
    """a (1 + 65 / 235), held from sqrt(2 0.065 / a); the vehicle still slows down at the end."""
    t = np.linspace(0, 0.25, 251)
    found = occupant_load_criterion(t, np.full_like(t, a))
    assert found.value == pytest.approx(a * (1 + 0.065 / 0.235), rel=1e-4)
    start = np.sqrt(2 * 0.065 / a)
    assert found.start == pytest.approx(start, rel=1e-5)
    assert found.end == pytest.approx(start + a * start / (found.value - a), rel=1e-4)


def test_olc_of_an_impulse():
    """A vehicle that stops at once from v0: free until 65 mm, then v0^2 / (2 0.235)."""
    t = np.array([0.0, 1e-5, 2e-5, 0.2])
    v0 = 15.0
    found = occupant_load_criterion(t, np.array([0.0, v0 / 1e-5, 0.0, 0.0]))
    assert found.value == pytest.approx(v0**2 / (2 * 0.235), rel=1e-3)


def test_olc_of_half_a_pulse():
    t = np.linspace(0, 0.02, 21)
    with pytest.raises(SignalError, match="not 65 mm"):
        occupant_load_criterion(t, np.full_like(t, 100.0))
    with pytest.raises(SignalError, match="not 65 mm"):
        occupant_load_criterion(np.linspace(0, 0.2, 21), np.full(21, -100.0))
    t = np.linspace(0, 0.05, 51)
    with pytest.raises(SignalError, match="235 mm"):
        occupant_load_criterion(t, np.full_like(t, 100.0))


@pytest.mark.parametrize("a", [100.0, 250.0])
def test_vpi_of_a_constant_deceleration(a):
    """30 mm free, then a spring of k = 2500 / s^2: a + sqrt(a^2 + 2 a k 0.03)."""
    t = np.linspace(0, 0.3, 301)
    assert vehicle_pulse_index(t, np.full_like(t, a)) == pytest.approx(
        a + np.sqrt(a**2 + 2 * a * 2500 * 0.03), rel=1e-5
    )


def test_vpi_of_an_impulse():
    """The velocity times the spring's frequency, 50 / s."""
    t = np.array([0.0, 1e-5, 2e-5, 0.2])
    assert vehicle_pulse_index(t, np.array([0.0, 1e6, 0.0, 0.0])) == pytest.approx(10.0 * 50.0, rel=1e-4)


def test_corridor():
    t = np.linspace(0, 1, 101)
    corridor = (np.array([0.2, 0.8]), np.array([-1.0, -1.0]), np.array([1.0, 1.0]))
    assert in_corridor(t, 0.9 * np.sin(20 * t), corridor).share == 1.0
    found = in_corridor(t, 2 * t, corridor)
    assert found.share == pytest.approx(0.5, abs=0.02)
    assert found.worst == pytest.approx(0.6)
    assert found.when == pytest.approx(0.8)
    with pytest.raises(SignalError):
        in_corridor(t + 5, t, corridor)


def test_integrals():
    """Exact for straight pieces; twice gives the way of a constant acceleration."""
    t = np.array([0.0, 0.1, 0.4, 1.0])
    assert integrated(t, 3 * t, 1.0) == pytest.approx(1 + 1.5 * t**2)
    v = integrated(t, np.full(4, 9.81), -2.0)
    assert v == pytest.approx(-2.0 + 9.81 * t)
    fine = np.linspace(0, 1, 2001)
    way = integrated(fine, integrated(fine, np.full(2001, 9.81)))
    assert way[-1] == pytest.approx(9.81 / 2, rel=1e-9)


def test_resultant_and_constant_rate():
    assert resultant(np.array([3.0, 0.0]), np.array([4.0, 0.0]), np.array([12.0, 1.0])) == pytest.approx(
        [13.0, 1.0]
    )
    t, y = at_constant_rate(np.array([0.0, 0.9, 2.0, 3.1]), np.array([0.0, 9.0, 20.0, 31.0]), 0.5)
    assert t == pytest.approx(np.arange(0, 3.1, 0.5))
    assert y == pytest.approx(10 * t)
    with pytest.raises(SignalError):
        at_constant_rate(t, y, 0.0)


def test_crushing_of_a_plastic_column():
    """A peak, then a plateau, then a spring back that does not count."""
    x = np.array([0.0, 1.0, 2.0, 100.0, 99.0])
    f = np.array([0.0, 90.0, 30.0, 30.0, 0.0])
    found = crushing(x, f)
    energy = 45.0 + 60.0 + 30.0 * 98
    assert found.energy == pytest.approx(energy)
    assert found.mean == pytest.approx(energy / 100)
    assert (found.peak, found.way) == (90.0, 100.0)
    assert found.efficiency == pytest.approx(energy / 100 / 90)
    assert crushing(x + 50.0, f) == found  # only the way counts
    with pytest.raises(SignalError, match="sign"):
        crushing(-x, f)


def test_intrusion_between_two_nodes():
    """Two nodes that turn together keep their distance; then one moves along the line."""
    angle = np.linspace(0, 1, 5)
    first = np.zeros((5, 3))
    second = 7.0 * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    assert change_of_distance(first, second) == pytest.approx(np.zeros(5), abs=1e-12)
    second[-1] *= 5 / 7
    assert change_of_distance(first, second)[-1] == pytest.approx(-2.0)
