"""Seconds of the published implicit step by simulation: a trace from the division of its factor.

The division of the factor of the model `cylinders` over ranks is the solver's own, of a smaller model, grown
to the published equations; the order of requests and the rates are those of a recorded small one. Both are
made by benchmarks/record_implicit.py.
"""

import json
import tempfile
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import zstandard

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace, open_trace
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.traces.factor_division import FactorDivision, division_beside, division_of
from crumple.lab.traces.implicit_synthetic import lines_of_rank, pattern_of_implicit

STORED = Path(__file__).resolve().parents[3] / "benchmarks" / "published" / "implicit"
RECORDING = "cylinders-2"
SEED = 1


def stored_division(ranks: int) -> Path:
    """The file with the division over some ranks."""
    return STORED / f"cylinders-{ranks}.division.zst"


def can_simulate(ranks: int) -> bool:
    """Whether the division over so many ranks is stored."""
    return stored_division(ranks).is_file()


@dataclass(frozen=True)
class StepLines:
    """The lines of all ranks."""

    lines: tuple[tuple[str, ...], ...]
    digest: str
    recorded: Trace

    @property
    def work(self) -> list[int]:
        """Operations of each rank."""
        return [sum(int(line.split()[2]) for line in of if " compute " in line) for of in self.lines]

    def write(self, folder: Path) -> Trace:
        """The trace in files."""
        for rank, of in enumerate(self.lines):
            (folder / f"rank.{rank}.txt").write_text("".join(f"{line}\n" for line in of))
        ranks = len(self.lines)
        return replace(
            self.recorded,
            folder=folder,
            ranks=ranks,
            files=tuple(f"rank.{rank}.txt" for rank in range(ranks)),
            cycles=(0, 1),
            job_cycles=1,
            digest=self.digest,
            meta={
                "lines": sum(map(len, self.lines)),
                "seconds": [w / self.recorded.operations_per_second for w in self.work],
                "implicit": True,
            },
        )


def read_stored(path: Path) -> FactorDivision:
    """Read a compressed division.

    Raises:
        TraceError: it is damaged.
    """
    try:
        return division_of(json.loads(zstandard.ZstdDecompressor().decompress(path.read_bytes())))
    except (ValueError, KeyError, TypeError, zstandard.ZstdError) as error:
        raise TraceError(f"{path}: damaged: {error}") from None


@lru_cache(maxsize=4)
def lines_of_step(ranks: int, equations: int) -> StepLines:
    """The lines of the step on some ranks, all of which have their part of the factor in files.

    What rank 0 computes alone grows with the number of equations.

    Raises:
        TraceError: a stored file is damaged.
    """
    division = read_stored(stored_division(ranks)).grown(equations)
    recorded = open_trace(STORED / RECORDING)
    small = division_beside(recorded)
    if small is None:
        raise TraceError(f"{STORED / RECORDING}: it has no division")
    pattern, larger = pattern_of_implicit([recorded]), division.equations / small.equations
    found, digest = [], sha256()
    for rank in range(ranks):
        lines = lines_of_rank(pattern, division, rank, in_files=True, scale=lambda _: larger)
        found.append(tuple(line for line in lines if not line.startswith("#")))
        digest.update("\n".join(found[-1]).encode())
    return StepLines(tuple(found), digest.hexdigest(), recorded)


def simulate_step(cluster: Cluster, nodes: int, ranks: int, equations: int) -> Simulation:
    """Simulate the step on a cluster, with its file system.

    Raises:
        SimulationError: SimGrid is missing, or the simulation fails.
    """
    with tempfile.TemporaryDirectory(prefix="crumple-implicit-") as folder:
        trace = lines_of_step(ranks, equations).write(Path(folder))
        options = Options(PlacementWish(ranks_per_node=ranks // nodes), seeds=(SEED,))
        return conduct([experiment_of(trace, cluster, options)])[0]
