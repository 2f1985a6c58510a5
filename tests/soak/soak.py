"""Whole crashes to their end: the same bits on ranks and threads, energy kept, memory that does not grow.

What the tests cannot afford: late in a crash most contacts touch, elements have died, sorts have happened
hundreds of times and threads have shared elements anew. Prints a line a run; exit status 1 if any is wrong.
The part `restart` kills runs for some minutes (killed_runs.py).
"""

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from killed_runs import soak_restarts  # noqa: E402
from solver_run import Run, run  # noqa: E402

from crumple.models import Wishes, write_model  # noqa: E402
from crumple.results.glstat import read_glstat  # noqa: E402

MODELS = ("three-vehicle", "neon", "car2car", "sled")
RESTART = "restart"  #: the part that kills runs
#: ranks, threads, decomposition; the first is what the others are compared with
LAYOUTS = ((1, 1, "rcb"), (1, 2, "rcb"), (3, 1, "metis"), (2, 2, "rcb"))
#: total over initial energy
KEPT = (0.97, 1.03)
#: most memory of a run over that of its first tenth
GROWTH = 1.3
LIMIT = 3600.0  #: seconds of a run


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    state: str
    cycles: int
    megabytes: float
    least_energy: float
    most_energy: float

    def keeps_energy(self) -> bool:
        return KEPT[0] <= self.least_energy and self.most_energy <= KEPT[1]


def peak_memory(done: Run) -> float:
    """Most memory of the rank that had most [MB]."""
    found = re.findall(r"peak memory: +([0-9.]+) MB", done.stdout)
    assert found, done.said[-2000:]
    return max(float(word) for word in found)


def outcome(done: Run) -> Outcome:
    """What a run came to.

    Raises:
        RuntimeError: it did not end as it should.
    """
    if done.status != 0 or "N o r m a l" not in done.stdout:
        raise RuntimeError(f"exit status {done.status}:\n{done.said[-3000:]}")
    energy = read_glstat(done.directory / "glstat")["total energy / initial energy"]
    return Outcome(done.hash, done.progress[-1].cycle, peak_memory(done), energy.min(), energy.max())


def soak(model: str, elements: int, end: float | None, precision: str, folder: Path) -> list[str]:
    """Run a model on all layouts; returns what is wrong."""
    deck = folder / f"{model}.k"
    write_model(model, deck, Wishes(elements, end_time=end))
    options = ("--precision", precision)
    wrong: list[str] = []
    first: Outcome | None = None
    for ranks, threads, method in LAYOUTS:
        name = f"{model}, {precision}, {ranks} x {threads}, {method}"
        where = folder / f"{ranks}x{threads}"
        cut = (*options, "--decomposition", method)
        done = run(deck, where, *cut, ranks=ranks, threads=threads, limit=LIMIT)
        here = outcome(done)
        if first is None:
            first, last_time = here, done.progress[-1].time
        energy = f"energy {here.least_energy:.4f} to {here.most_energy:.4f}"
        print(f"{name}: {here.cycles} cycles, {here.state}, {energy}, {here.megabytes:.0f} MB", flush=True)
        if here.state != first.state:
            wrong.append(f"{name}: state {here.state}, not {first.state}")
        if not here.keeps_energy():
            wrong.append(f"{name}: {energy}")
    assert first is not None
    tenth = outcome(run(deck, folder / "tenth", *options, f"endtime={0.1 * last_time}", limit=LIMIT))
    if first.megabytes > GROWTH * tenth.megabytes:
        wrong.append(f"{model}, {precision}: {tenth.megabytes:.0f} MB became {first.megabytes:.0f}")
    return wrong


def main() -> int:
    """Soak some models or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = [*MODELS, RESTART]
    parser.add_argument("model", nargs="*", default=parts, help=f"default: {' '.join(parts)}")
    parser.add_argument("--elements", type=int, default=10_000, help="of each model (default 10000)")
    parser.add_argument("--end", type=float, help="end time, ms (default: the model's own)")
    parser.add_argument("--precision", choices=("single", "double"), help="default: both")
    parser.add_argument("--minutes", type=float, default=30.0, help="of the part restart (default 30)")
    parser.add_argument("--seed", type=int, help="of the part restart (default: another one each time)")
    args = parser.parse_args()
    wrong: list[str] = []
    if RESTART in args.model:
        wrong += soak_restarts(args.minutes, seed=args.seed)
    for model in args.model:
        if model == RESTART:
            continue
        for precision in [args.precision] if args.precision else ["double", "single"]:
            with tempfile.TemporaryDirectory(prefix="crumple-soak-") as folder:
                wrong += soak(model, args.elements, args.end, precision, Path(folder))
    print("\n".join(wrong) or "all as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
