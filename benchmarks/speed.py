"""Times whole runs and prints nanoseconds per element and cycle; run by `make bench`.

The three-vehicle model at two sizes, both precisions, on one rank and on all cores. Medians of three runs.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crumple import solver  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402

REPEATS = 3
CYCLES = 300


def nanoseconds(deck: Path, ranks: int, precision: str) -> float:
    """Median wall nanoseconds per element and cycle of a run of CYCLES cycles."""
    times = []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            words = [f"i={deck}", f"ncycle={CYCLES}", "--precision", precision, "-d", folder]
            run = subprocess.run(
                solver.mpirun(ranks, words),
                env=solver.environment(),
                capture_output=True,
                text=True,
                check=True,
            )
        match = re.search(r"([\d.]+) ns per zone and cycle", run.stdout)
        if not match:
            raise RuntimeError(f"no timing in the output of {deck}")
        times.append(float(match.group(1)))
    return statistics.median(times)


def main() -> None:
    """Print the table."""
    cores = os.cpu_count() or 1
    table = Table(title=f"ns per element and cycle (wall), median of {REPEATS} runs of {CYCLES} cycles")
    for column in ("elements", "precision", "1 rank", f"{cores} ranks", "speed-up"):
        table.add_column(column, justify="right")
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for elements in (10_000, 50_000):
            deck = Path(folder) / f"{elements}.k"
            count = write_model("three-vehicle", deck, Wishes(elements))
            for precision in ("double", "single"):
                one = nanoseconds(deck, 1, precision)
                many = nanoseconds(deck, cores, precision)
                table.add_row(f"{count:,}", precision, f"{one:.0f}", f"{many:.0f}", f"{one / many:.2f}")
    console = Console()
    console.print(table)
    load = os.getloadavg()[0]
    console.print(f"took {time.monotonic() - start:.0f} s; load average {load:.1f} on {cores} cores")


if __name__ == "__main__":
    main()
