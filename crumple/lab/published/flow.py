"""Work and messages of a finite volume flow solver per iteration, by its number of cells, like OpenFOAM."""

from pathlib import Path

import numpy as np

from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.simulate.volume import Volume

#: simpleFoam on 2 ranks, 60,164 cells (profiled, OpenFOAM 1912): iterations 11 to 40 send 16.7 MB in 5,604
#: exchanges and make 3,075 reductions, most of them of 8 bytes. The first ones take more cycles of the
#: multigrid solver: with start-up 266 exchanges and 161 reductions each of six
EXCHANGES = 187.0  #: per iteration, most of them on coarse grids
REDUCTIONS = 102.5
REDUCED = 8  #: bytes
DOUBLES = 45.3  #: per iteration and shared face: 556 kB over 8 bytes and 60,164^(2/3) faces
SECONDS = 2.2e-6  #: per cell and iteration on the reference core, measured with 1.03 million cells
REFERENCE_RATE = 11.2e6  #: element updates per second of that core, for comparison with other cores
NEIGHBOURS = 6
ITERATION = 1e9  #: operations per second of the trace


def flow_volume(cells: int, ranks: int, message_bytes: float = 0.0) -> Volume:
    """One iteration on a box of ranks, each with the same number of cells.

    Args:
        message_bytes: bytes of each message, with the same total bytes; 0: as many exchanges as OpenFOAM has
    """
    each = cells / ranks
    faces = each ** (2.0 / 3.0)
    size = 8.0 * DOUBLES * faces  # to each neighbour
    exchanges = max(1.0, size / message_bytes) if message_bytes else EXCHANGES
    nx, ny, _ = box(ranks)
    steps = [d for d in (1, -1, nx, -nx, nx * ny, -nx * ny) if abs(d) < ranks]
    rows = [(r, r + d, exchanges, size) for r in range(ranks) for d in steps if 0 <= r + d < ranks]
    pairs = np.array(rows, dtype=float).reshape(-1, 4)
    work = np.full(ranks, SECONDS * each * ITERATION)
    reductions = max(1, round(REDUCTIONS * exchanges / EXCHANGES))
    return Volume(
        ranks,
        float(work[0]),
        work,
        np.repeat(work[:, None] / (reductions + 1), reductions + 1, axis=1),
        1.0,
        pairs,
        np.minimum(pairs[:, 3], 65536.0 * pairs[:, 2]),
        exchanges,
        {("allreduce", REDUCED): reductions},
    )


def box(ranks: int) -> tuple[int, int, int]:
    """Three factors of a number that are as equal as possible."""
    whole = [
        (a, b, ranks // a // b)
        for a in range(1, ranks + 1)
        if ranks % a == 0
        for b in range(a, ranks // a + 1)
        if ranks // a % b == 0
    ]
    return min((f for f in whole if f[2] >= f[1]), key=lambda f: f[2] - f[0], default=(1, 1, ranks))


def flow_trace(ranks: int) -> Trace:
    """The properties of a trace for the analytic model: the speed of the core of its work."""
    return Trace(
        Path(), ranks, (), (0, 1), 1, "synthetic", "counts", ITERATION, "reference", REFERENCE_RATE, "", {}
    )
