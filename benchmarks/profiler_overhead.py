"""Measures what the profiler costs the solver: the same run without it, with it, with a trace, in turn.

usage: profiler_overhead.py [--ranks N] [--repeats N] [--elements N] [--cycles N]

Prints, for each way, the median and the spread of elapsed and processor time, and the ratio to the run
without. Ranks that wait poll, so on a machine that is not shared both tell alike; on one that is, the least
of many runs tells most.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crumple import solver  # noqa: E402
from crumple.lab.profile.library import mpi_of, profiler_of  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402


@dataclass
class Way:
    """A way of running, and its times."""

    name: str
    settings: dict[str, str] | None  #: of the profiler; None: without it
    elapsed: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


WAYS = (
    ("without", None),
    ("profiled", {}),
    ("no waiting measured", {"CRUMPLE_PROFILE_COLLECTIVE_WAIT": "0"}),
    ("traced", {"CRUMPLE_TRACE": "1"}),
)


def run(way: Way, deck: Path, ranks: int, cycles: int, library: Path) -> None:
    """One run."""
    with tempfile.TemporaryDirectory() as folder:
        command = solver.mpirun(ranks, [f"i={deck}", f"ncycle={cycles}", "-d", folder])
        if way.settings is not None:
            settings = {"LD_PRELOAD": str(library), "CRUMPLE_PROFILE": f"{folder}/records"} | way.settings
            program = command.index(str(solver.solver_path()))
            command[program:program] = ["env", *(f"{k}={v}" for k, v in settings.items())]
        before, start = os.times(), time.monotonic()
        done = subprocess.run(command, env=solver.environment(), capture_output=True, text=True, check=False)
        after = os.times()
        if done.returncode:
            raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
        way.elapsed.append(time.monotonic() - start)
        used = after.children_user - before.children_user + after.children_system - before.children_system
        way.processor.append(used)


def spread(values: list[float]) -> str:
    """From the least to the most, over the median."""
    return f"{100 * (max(values) - min(values)) / statistics.median(values):.1f} %"


def ratio(of: float, to: float) -> str:
    """In per cent more."""
    return f"{100 * (of / to - 1):+.2f} %"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("ranks", 2), ("repeats", 7), ("elements", 20_000), ("cycles", 300)):
        parser.add_argument(f"--{name}", type=int, default=value)
    wish = parser.parse_args()
    library = profiler_of(mpi_of(solver.solver_path(), Path(shutil.which("mpirun") or "mpirun")))
    ways = [Way(*way) for way in WAYS]
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        deck = Path(folder) / "model.k"
        count = write_model("three-vehicle", deck, Wishes(wish.elements))
        run(Way("warm", None), deck, wish.ranks, wish.cycles, library)
        for repeat in range(wish.repeats):
            for way in ways if repeat % 2 == 0 else reversed(ways):
                run(way, deck, wish.ranks, wish.cycles, library)
    title = f"{count:,} elements, {wish.cycles} cycles, {wish.ranks} ranks, medians of {wish.repeats} runs"
    table = Table(title=title)
    columns = ("median [s]", "spread", "ratio", "least [s]", "ratio")
    for column in ("", *(f"{kind} {c}" for kind in ("elapsed", "processor") for c in columns)):
        table.add_column(column, justify="right" if column else "left")
    for way in ways:
        cells = [way.name]
        for values, base in ((way.elapsed, ways[0].elapsed), (way.processor, ways[0].processor)):
            middle, least = statistics.median(values), min(values)
            cells += [f"{middle:.3f}", spread(values), ratio(middle, statistics.median(base))]
            cells += [f"{least:.3f}", ratio(least, min(base))]
        table.add_row(*cells)
    console = Console()
    console.print(table)
    console.print(f"load average before: {load:.2f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
