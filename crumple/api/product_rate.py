"""Operations a second of products of dense matrices on this machine, with a number of threads."""

import os
import subprocess
import sys

MEASURED = """
import sys, time
import numpy
a = numpy.ones((1024, 1024), numpy.dtype(sys.argv[1]))
a @ a
best = 1e30
for _ in range(5):
    begin = time.perf_counter()
    a @ a
    best = min(best, time.perf_counter() - begin)
print(2.0 * 1024**3 / best)
"""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def product_rate(threads: int, precision: str) -> float:
    """Measure for some tenths of a second, in a process of its own: a library reads its threads at its start.

    Args:
        precision: single or double
    """
    kind = "float32" if precision == "single" else "float64"
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, kind],
        env=os.environ | dict.fromkeys(THREADS, str(threads)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(done.stdout)
