"""Additional compute time of ranks that wait for each other, due to interruptions by the operating system.

Detours (interruptions) come at random and have exponentially distributed lengths, as in the simulator
(Beckman, Iskra, Yoshii, Coghlan: The Influence of Operating Systems on the Performance of Collective
Operations at Extreme Scale, 2006).
"""

import numpy as np

#: mean of the longest of a Poisson number of exponential lengths, over the mean length, by mean number: Ein
NUMBERS = np.concatenate([[0.0], np.geomspace(1e-4, 1e7, 2000)])
LONGEST = np.concatenate(
    [[0.0], np.cumsum(np.diff(NUMBERS) * -np.expm1(-(m := (NUMBERS[1:] + NUMBERS[:-1]) / 2)) / m)]
)


def longer(segments: np.ndarray, rate: float, mean: float) -> float:
    """Additional seconds until the last rank of each segment has computed, summed over all segments.

    The detours of the slowest rank count fully. A detour of a rank that ends earlier counts only if it is
    longer than this rank would have waited.

    Args:
        segments: compute time in s of each rank between two collectives; one row per rank
        rate: detours of a rank per second
        mean: mean length of a detour in s
    """
    if not rate * mean:
        return 0.0
    slowest = segments.max(axis=0)
    late = (segments * np.exp((segments - slowest) / mean)).sum(axis=0) - slowest
    others = np.interp(rate * late, NUMBERS, LONGEST).sum()
    return mean * float(rate * slowest.sum() + others)
