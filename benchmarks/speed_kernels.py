"""Runs the kernels' program (benchmarks/kernels) and reads its figures."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from speed_figure import Figure
from speed_limits import Work

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "bench_kernels"
COUNTS = PROGRAM.with_name("count_work")
QUICK = (
    "^machine/|^element/(shell 2|shell 16|solid 1 hg6|solid 2|solid -1)/024/50000/"
    "|^assembly|^sum|^nodes|^contact|^ties|^bodies|^factor|^tangent/(solid 1|solid 2|shell 16)"
)


@dataclass
class Measured:
    """What the program measured with the kernels of an instruction set."""

    values: dict[str, list[float]] = field(default_factory=dict)  #: ns, by name
    left_out: set[str] = field(default_factory=set)  #: what failed, and why
    context: dict[str, str] = field(default_factory=dict)  #: compiler, flags, isa

    def take(self, report: dict) -> None:
        """What one run of the program printed."""
        self.context = {name: report["context"].get(name, "") for name in ("compiler", "flags", "isa")}
        for run in report["benchmarks"]:
            if run["run_type"] != "iteration":
                continue
            if run.get("error_occurred"):
                self.left_out.add(f"{run['run_name']} ({run['error_message']})")
                continue
            name = run["run_name"].removesuffix("/manual_time")
            if name.startswith("machine/triad"):
                name = name.rsplit("/", 1)[0]
            self.values.setdefault(name, []).append(1e9 / run["items_per_second"])

    def figures(self) -> dict[str, Figure]:
        """Of all repetitions."""
        return {name: Figure.of(values) for name, values in self.values.items()}


def benchmarks(pattern: str, isa: str) -> list[str]:
    """Names of the program's benchmarks that match.

    Raises:
        RuntimeError: the program failed, or there is none.
    """
    options = ["--benchmark_list_tests=true", f"--benchmark_filter={pattern}"]
    names = said([*options, *for_isa(isa)]).splitlines()
    if not names:
        raise RuntimeError(f"no kernel benchmark has a name that matches {pattern}")
    return names


def for_isa(isa: str) -> list[str]:
    """The program's option of an instruction set; none for the processor's best."""
    return [f"--isa={isa}"] if isa else []


def said(options: list[str]) -> str:
    """What the program prints.

    Raises:
        RuntimeError: it failed.
    """
    done = subprocess.run([PROGRAM, *options], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{PROGRAM.name}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


def family(name: str) -> str:
    """What is measured in one go: all of a formulation, all laws, ..."""
    words = name.split("/")
    return "/".join(words[:2]) if words[0] == "element" else words[0]


def measure(
    pattern: str, repetitions: int, seconds: float, isas: tuple[str, ...], tell: Callable[[str], None]
) -> dict[str, Measured]:
    """Nanoseconds of processor time an item of each benchmark whose name matches, by instruction set.

    Items are elements, points, nodes or values; for the machine's triad bytes, for its arithmetic operations.
    Instruction sets take turns, family by family: a machine that changes its speed meets them alike.

    Raises:
        RuntimeError: the program failed, or no benchmark has such a name.
    """
    names = {isa: benchmarks(pattern, isa) for isa in isas}
    found = {isa: Measured() for isa in isas}
    for now in dict.fromkeys(family(name) for of in names.values() for name in of):
        for isa in isas:
            chosen = "|".join(name for name in names[isa] if family(name) == now)
            if not chosen:
                continue
            tell(f"kernels: {now} {isa}")
            options = [
                f"--benchmark_filter=^({chosen})$",
                f"--benchmark_repetitions={repetitions}",
                f"--benchmark_min_time={seconds}",
                "--benchmark_format=json",
            ]
            found[isa].take(json.loads(said([*options, *for_isa(isa)])))
    for of in found.values():
        if not of.values:
            raise RuntimeError("; ".join(sorted(of.left_out)))
    return found


def work() -> Work:
    """Operations of kernels for an element (count_work.cpp)."""
    return json.loads(subprocess.run([COUNTS], capture_output=True, text=True, check=True).stdout)
