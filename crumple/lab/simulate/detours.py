"""How much longer ranks that wait for each other compute where the operating system takes cores away.

Detours come at random and last exponentially long, as in the simulator (Beckman, Iskra, Yoshii, Coghlan: The
Influence of Operating Systems on the Performance of Collective Operations at Extreme Scale, 2006).
"""

import numpy as np

#: mean of the longest of a Poisson number of exponential lengths, in lengths, by the mean number: Ein
NUMBERS = np.concatenate([[0.0], np.geomspace(1e-4, 1e7, 2000)])
LONGEST = np.concatenate(
    [[0.0], np.cumsum(np.diff(NUMBERS) * -np.expm1(-(m := (NUMBERS[1:] + NUMBERS[:-1]) / 2)) / m)]
)


def longer(segments: np.ndarray, rate: float, mean: float) -> float:
    """Seconds more until the last rank of each segment has computed, all segments together.

    The slowest rank's own detours count whole; one of a rank that ends earlier only if it lasts longer than
    this rank would have waited.

    Args:
        segments: s that each rank computes between two collectives; a row for each rank
        rate: detours of a rank a second
        mean: s of one
    """
    if not rate * mean:
        return 0.0
    slowest = segments.max(axis=0)
    late = (segments * np.exp((segments - slowest) / mean)).sum(axis=0) - slowest
    others = np.interp(rate * late, NUMBERS, LONGEST).sum()
    return mean * float(rate * slowest.sum() + others)
