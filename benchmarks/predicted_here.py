"""Predicts 1, 2 and 4 ranks on this machine from `crumple calibrate` and traces, and measures the same.

Compared is the elapsed time of some cycles of a job: predicted by replaying their trace, and measured as
what a run to their end takes more than one to their beginning, all numbers of ranks in turn. Start and end of
a run, with the last plot state and one cycle more, are in both runs. Ranks beyond the cores share them.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from crumple.lab.applications.crumple_solver import SPEED, seconds_of  # noqa: E402
from crumple.lab.catalogue.cluster import read_cluster  # noqa: E402
from crumple.lab.catalogue.hardware import Cluster  # noqa: E402
from crumple.lab.profile.trace.options import cycles_of  # noqa: E402
from crumple.lab.simulate.experiment import Options, experiment_of  # noqa: E402
from crumple.lab.simulate.placement import PlacementWish  # noqa: E402
from crumple.lab.simulate.results import Simulation  # noqa: E402
from crumple.lab.simulate.run_simulations import conduct  # noqa: E402
from crumple.lab.traces.record import RecordingWish, record  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402
from crumple.mpi import environment  # noqa: E402
from crumple.solver import mpirun  # noqa: E402

RANKS = (1, 2, 4)
GOAL = 0.15  #: of predicted over measured, on an idle machine
CLUSTER = """[cluster]
name = "here"
nodes = 1
[node]
platform = "{platform}"
[cpu]
idle_watts = {{ value = 0, source = "not used" }}
busy_watts = {{ value = 0, source = "not used" }}
"""


def calibrated(path: Path) -> Path:
    """A platform file of now."""
    command = [
        sys.executable,
        "-m",
        "crumple",
        "calibrate",
        "--only",
        "pairs,turns,memory,kernel",
        "-o",
        str(path),
    ]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    return path


def here(platform: Path, folder: Path) -> Cluster:
    """This machine, of a platform file."""
    (folder / "here.toml").write_text(CLUSTER.format(platform=platform.resolve()))
    return read_cluster(folder / "here.toml")


def predictions(deck: Path, cluster: Cluster, first: int, end: int, folder: Path) -> list[Simulation]:
    """Of each number of ranks, work by processor time: what ranks of a core leave each other of its caches is
    in that.
    """
    experiments, cpu = [], cluster.node.cpu
    for ranks in RANKS:
        wish = RecordingWish(deck, ranks, first, end)
        trace = record(wish, folder / f"trace-{ranks}", lambda line: print(line, file=sys.stderr)).trace
        layout = PlacementWish(ranks_per_node=ranks, oversubscribe=True)
        busy = min(ranks, cluster.node.cores)  # when the trace was recorded, on the same machine
        options = Options(layout, reference_rate=cpu.rate_double * cpu.factor(busy))
        experiments.append(experiment_of(trace, cluster, options))
    return conduct(experiments)


def elapsed(deck: Path, ranks: int, end: int, folder: Path) -> float:
    """Seconds of all cycles of a run, from nanoseconds per element and cycle: those are not rounded."""
    words = [f"i={deck}", f"ncycle={end}", "-d", str(folder), "--progress", "0"]
    done = subprocess.run(
        mpirun(ranks, words), env=environment(1, ranks), capture_output=True, text=True, check=True
    )
    return seconds_of(done.stdout, SPEED.search(done.stdout))


def measured(deck: Path, first: int, end: int, repeats: int, folder: Path) -> dict[int, list[float]]:
    """Seconds, by ranks."""
    found: dict[int, list[float]] = {ranks: [] for ranks in RANKS}
    for _ in range(repeats):
        for ranks, seconds in found.items():
            before = elapsed(deck, ranks, first, folder)
            seconds.append(elapsed(deck, ranks, end, folder) - before)
    return found


def show(done: list[Simulation], seconds: dict[int, list[float]], load: float) -> bool:
    """Print both; whether all are as near as they should be."""
    table = Table(box=None, pad_edge=False)
    for name in ("ranks", "predicted", "range [s]", "measured", "range [s]", "noise", "ratio"):
        table.add_column(name, justify="right")
    good = True
    for s, (ranks, runs) in zip(done, seconds.items(), strict=True):
        middle = median(runs)
        noise = (max(runs) - min(runs)) / 2 / middle
        good &= abs(s.window / middle - 1) <= GOAL
        table.add_row(
            str(ranks),
            f"{s.window:.3f}",
            f"{s.low:.3f} to {s.high:.3f}",
            f"{middle:.3f}",
            f"{min(runs):.3f} to {max(runs):.3f}",
            f"{noise:.1%}",
            f"{s.window / middle:.2f}",
        )
    Console().print(table)
    print(f"load average at the start {load:.1f}, on {os.cpu_count()} cores; goal {GOAL:.0%} when idle")
    return good


def main() -> int:
    """Exit status 0: all within the goal; 1: not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--platform", type=Path, help="file of crumple calibrate; measured now without it")
    parser.add_argument(
        "--cluster", type=Path, help="cluster file of this machine, instead of a platform file"
    )
    parser.add_argument("--elements", type=int, default=20_000)
    parser.add_argument("--cycles", default="50:350", help="first, and the one after the last")
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    first, end = cycles_of(asked.cycles)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="crumple-predicted-") as name:
        folder = Path(name)
        if asked.cluster:
            cluster = read_cluster(asked.cluster)
        else:
            cluster = here(asked.platform or calibrated(folder / "platform.toml"), folder)
        deck = folder / "model.k"
        write_model("three-vehicle", deck, Wishes(asked.elements))
        done = predictions(deck, cluster, first, end, folder)
        seconds = measured(deck, first, end, asked.repeats, folder)
    return 0 if show(done, seconds, load) else 1


if __name__ == "__main__":
    raise SystemExit(main())
