"""Runs the model `cylinders` at its published size, or another, and makes the table of its parts.

    python benchmarks/cyl1e6.py run FOLDER [--elements 921600] [--memory 2600m] [--threads 2]
    python benchmarks/cyl1e6.py table FOLDER

The run is in single precision: the factor has 30 GB or so and goes to FOLDER's disk, and --memory (words of 4
bytes) keeps the process within 16 GiB. The published step: 2 factors, 2 solutions, 4 computations of forces.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crumple import solver  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402
from crumple.models.cylinders import PUBLISHED  # noqa: E402
from crumple.report.facts import elapsed  # noqa: E402
from crumple.results.convergence import NAME, PARTS, read_convergence  # noqa: E402

GB, GIB = 1e9, 2**30
MOST = 16 * GIB  #: bytes that a run may take


def run(options: argparse.Namespace) -> int:
    """Write the deck and run it; the exit status."""
    options.folder.mkdir(parents=True, exist_ok=True)
    deck = options.folder / "cylinders.k"
    if not deck.exists():
        print(f"{deck}: {write_model('cylinders', deck, Wishes(options.elements))} elements", flush=True)
    words = [f"i={deck}", "--directory", str(options.folder), "--overwrite", "--precision", "single"]
    words += ["--threads", str(options.threads)] + ([f"memory={options.memory}"] if options.memory else [])
    return solver.run(1, words, options.threads).returncode


def table(folder: Path) -> str:
    """Parts of the run in Markdown."""
    of = read_convergence(folder / NAME)
    if of.end is None:
        raise SystemExit(f"the run in {folder} has not ended")
    end, equations = of.end, of.equations.iloc[-1]
    seconds = end["seconds"]
    rate = end["flops"] / seconds["factor"]
    share = f", {100 * rate / end['product_rate']:.0f} % of GEMM's rate" if end["product_rate"] else ""
    notes = {
        "factor": f"{end['factors']} of {equations['flops']:.3g} operations, {rate / GB:.0f} GFLOP/s{share}",
        "solve": f"{end['solves']}, {end['refinements']} refinements, residual {end['linear_residual']:.1e}",
        "forces": f"{end['forces']} evaluations, two of them with the stiffness",
    }
    whole = sum(seconds.values())
    lines = ["| part | seconds | share | |", "|---|---:|---:|---|"]
    for part, name in PARTS.items():
        if s := seconds.get(part, 0.0):
            lines.append(f"| {name} | {s:,.1f} | {100 * s / whole:.1f} % | {notes.get(part, '')} |")
    lines.append(f"| together | {whole:,.1f} | | {elapsed(whole)}, {end['threads']} threads |")
    memory = end["memory_bytes"]
    fits = "within" if memory <= MOST else "MORE THAN"
    lines += [
        "",
        f"{int(equations['equations']):,} equations, {int(of.steps['iterations'].sum())} iterations; a "
        f"factor of {equations['entries']:.3g} entries, largest front {int(equations['largest_front']):,}. "
        f"Memory {memory / GB:.1f} GB at the peak ({fits} 16 GiB); the "
        f"factor's file: {end['written_bytes'] / GB:.1f} GB written, {end['read_bytes'] / GB:.1f} GB read in "
        f"{end['disk_seconds']:,.0f} s, beside the rest but for what solutions wait.",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run, or make the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("folder", type=Path)
    one.add_argument("--elements", type=int, default=PUBLISHED)
    one.add_argument("--memory", default="2600m", help="words of 4 bytes; empty: no limit")
    one.add_argument("--threads", type=int, default=2)
    commands.add_parser("table").add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.command == "run" and (status := run(options)):
        return status
    print(table(options.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
