"""What two bodies that meet must keep."""

import numpy as np

from verification.problem import Figure
from verification.results import Results


def momentum_and_energy(r: Results, case: str, momentum: float) -> list[Figure]:
    """Momentum along z of parts 1 and 2 together, and the energy of all.

    Args:
        momentum: at the start, in deck units
    """
    sums = r.part(1, "z_momentum") + r.part(2, "z_momentum")
    change = float(np.abs(r.energy("energy_ratio") - 1).max())
    moved = float(np.abs(sums - momentum).max())
    return [
        Figure(case, "momentum, largest change", 0.0, moved, 1e-9, momentum),
        Figure(case, "total energy / initial, largest change", 0.0, change, 0.01, 1.0),
    ]
