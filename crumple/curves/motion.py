"""Motion of points: integrals of accelerations, resultants, intrusion between two nodes."""

import numpy as np

from crumple.curves.sampling import check_curve


def integrated(times: np.ndarray, values: np.ndarray, start: float = 0.0) -> np.ndarray:
    """The integral over time from the first point, by the trapezoidal rule; exact for straight pieces.

    Args:
        times, values: (n,)
        start: its value at the first time: the initial velocity, for an acceleration

    Returns:
        (n,), in the unit of the values times that of the times.
    """
    t, y = check_curve(times, values)
    return start + np.concatenate(([0.0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(t))))


def resultant(*components: np.ndarray) -> np.ndarray:
    """The magnitude of a vector, from its components (n,)."""
    return np.sqrt(np.sum([np.square(np.asarray(c, dtype=float)) for c in components], axis=0))


def change_of_distance(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The intrusion between two nodes: their distance at each time, less that at the first.

    Args:
        first, second: coordinates, (n, 3)

    Returns:
        (n,), negative if they come closer.
    """
    distance = np.linalg.norm(np.asarray(second, dtype=float) - np.asarray(first, dtype=float), axis=1)
    return distance - distance[0]
