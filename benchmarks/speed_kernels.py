"""Runs the kernels' program (benchmarks/kernels) and reads its figures."""

import json
import subprocess
from pathlib import Path

from speed_figure import Figure

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "bench_kernels"
COUNTS = PROGRAM.with_name("count_work")
QUICK = (
    "^machine/|^element/(shell 2|shell 16|solid 1 hg6|solid 2|solid -1)/024/50000/"
    "|^assembly|^sum|^nodes|^contact"
)


def measure(pattern: str, repetitions: int, seconds: float) -> tuple[dict[str, Figure], dict[str, str]]:
    """Nanoseconds of processor time an item of each benchmark whose name matches, and the build and what was
    left out because it failed.

    Items are elements, points, nodes or values; for the machine's triad bytes, for its arithmetic operations.

    Raises:
        RuntimeError: the program failed, or no benchmark has such a name.
    """
    done = subprocess.run(
        [
            PROGRAM,
            f"--benchmark_filter={pattern}",
            f"--benchmark_repetitions={repetitions}",
            f"--benchmark_min_time={seconds}",
            "--benchmark_format=json",
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode or not done.stdout.startswith("{"):
        raise RuntimeError(f"{PROGRAM.name}: {(done.stderr or done.stdout).strip()[-500:]}")
    said = json.loads(done.stdout)
    values: dict[str, list[float]] = {}
    left_out: set[str] = set()
    for run in said["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        if run.get("error_occurred"):
            left_out.add(f"{run['run_name']} ({run['error_message']})")
            continue
        name = run["run_name"].removesuffix("/manual_time")
        if name.startswith("machine/triad"):
            name = name.rsplit("/", 1)[0]
        values.setdefault(name, []).append(1e9 / run["items_per_second"])
    if not values:
        raise RuntimeError("; ".join(left_out) or f"no kernel benchmark has a name that matches {pattern}")
    context = said["context"] | {"left_out": "; ".join(sorted(left_out))}
    return {name: Figure.of(found) for name, found in values.items()}, context


def work() -> dict[str, dict[str, float]]:
    """Operations of kernels for an element (count_work.cpp)."""
    return json.loads(subprocess.run([COUNTS], capture_output=True, text=True, check=True).stdout)
