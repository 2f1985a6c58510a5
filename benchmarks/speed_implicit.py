"""A small implicit run, from its start to its end: six nested cylinders in one step of two factors.

Elapsed seconds of the run without reading and preparing, and by the run's own account the speed of its
factors and their share of the rate of dense products.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from speed_figure import Figure

from crumple import solver
from crumple.models import Wishes, write_model
from crumple.pinning import place
from crumple.results.convergence import NAME

ELEMENTS = 8_000
RUN = "implicit/cylinders"  #: what its figures' names begin with
KINDS = ("seconds", "GFLOP/s", "of GEMM's rate")
CASES = tuple((precision, threads) for threads in (1, 2) for precision in ("double", "single"))


def key(precision: str, threads: int, kind: str) -> str:
    """Name of a figure."""
    return f"{RUN}/{precision}/{threads}/{kind}"


def run(deck: Path, precision: str, threads: int, isa: str, folder: Path) -> dict[str, float]:
    """One run, by kind.

    Raises:
        RuntimeError: it did not end well.
    """
    words = [f"i={deck}", "--precision", precision, "--threads", str(threads), "-d", str(folder)]
    words += ["--overwrite", *(["--isa", isa] if isa else [])]
    pins = place(1, threads).pinned
    words += ["--cores", "/".join(",".join(map(str, of)) for of in pins)] if pins else []
    command = [str(solver.solver_path()), *words]
    done = subprocess.run(command, env=solver.environment(threads), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-500:]}")
    end = json.loads((folder / NAME).read_text().splitlines()[-1])
    rate = end["flops"] / end["seconds"]["factor"]
    share = rate / end["product_rate"] if end["product_rate"] else 0.0
    return dict(zip(KINDS, (sum(end["seconds"].values()), 1e-9 * rate, share), strict=True))


def measure(rounds: int, isa: str, folder: Path, tell: Callable[[str], None]) -> dict[str, Figure]:
    """Figures of all cases, in turn.

    Raises:
        RuntimeError: a run did not end well.
    """
    deck = folder / "cylinders.k"
    write_model("cylinders", deck, Wishes(ELEMENTS))
    found: dict[str, list[float]] = {}
    for number in range(rounds):
        for precision, threads in CASES:
            tell(f"round {number + 1} of {rounds}: implicit, {precision}, {threads} threads {isa}")
            for kind, value in run(deck, precision, threads, isa, folder / "implicit").items():
                found.setdefault(key(precision, threads, kind), []).append(value)
    return {name: Figure.of(values) for name, values in found.items()}
