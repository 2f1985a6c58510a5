"""Nij, the neck injury criterion: axial force and bending moment over the intercepts of their kinds.

R. Eppinger, E. Sun, S. Kuppa, R. Saul, "Supplement: Development of improved injury criteria for the
assessment of advanced automotive restraint systems - II", NHTSA, March 2000, section S2.1; intercepts of the
50th percentile man and the limit of 1.0: FMVSS 208 (49 CFR 571.208), S6.6.
"""

from dataclasses import dataclass

import numpy as np

from crumple.curves.sampling import check_curve
from crumple.curves.signal_error import SignalError


@dataclass(frozen=True)
class NeckIntercepts:
    """Force (N) and moment (N m) at which one of them alone has Nij = 1."""

    tension: float
    compression: float
    flexion: float
    extension: float


MAN = NeckIntercepts(tension=6806.0, compression=6160.0, flexion=310.0, extension=135.0)


def neck_injury(
    times: np.ndarray, force: np.ndarray, moment: np.ndarray, intercepts: NeckIntercepts = MAN
) -> dict[str, float]:
    """The largest value of each kind: NTF, NTE, NCF, NCE (tension or compression, flexion or extension).

    A kind counts while force and moment are of it; zero belongs to both.

    Args:
        times: (n,)
        force: (n,) N, positive in tension
        moment: (n,) N m about the occipital condyles, positive in flexion

    Raises:
        SignalError: the curves have not as many values.
    """
    _, f = check_curve(times, force)
    _, m = check_curve(times, moment)
    if f.shape != m.shape:
        raise SignalError("Nij needs force and moment at the same times")
    forces = {"T": (f >= 0.0, f / intercepts.tension), "C": (f <= 0.0, -f / intercepts.compression)}
    moments = {"F": (m >= 0.0, m / intercepts.flexion), "E": (m <= 0.0, -m / intercepts.extension)}
    found = {}
    for of_force, (pulls, x) in forces.items():
        for of_moment, (bends, y) in moments.items():
            found[f"N{of_force}{of_moment}"] = float(np.where(pulls & bends, x + y, 0.0).max())
    return found
