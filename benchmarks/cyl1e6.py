"""Runs the model `cylinders` at its published size, or another, and makes the table of its parts.

    python benchmarks/cyl1e6.py run FOLDER [--elements 921600] [--memory 2600m] [--threads 2] [--multigrid]
    python benchmarks/cyl1e6.py table FOLDER
    python benchmarks/cyl1e6.py compare FOLDER FOLDER

The direct solver is in single precision: its factor has 40 GB or so and goes to FOLDER's disk, and --memory
(words of 4 bytes) keeps the process within 16 GiB. Conjugate gradients with multigrid are in double
precision. Plot files have 8-byte words: displacements are a small part of the coordinates in them.
The published step: 2 factors, 2 solutions, 4 computations of forces.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

import crumple  # noqa: E402
from crumple import solver  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402
from crumple.models.cylinders import PUBLISHED  # noqa: E402
from crumple.report.facts import elapsed  # noqa: E402
from crumple.results.convergence import NAME, PARTS, read_convergence  # noqa: E402

GB, GIB = 1e9, 2**30
MOST = 16 * GIB  #: bytes that a run may take
MULTIGRID = "*CONTROL_IMPLICIT_SOLVER\n        22\n"


def run(options: argparse.Namespace) -> int:
    """Write the deck and run it; the exit status."""
    options.folder.mkdir(parents=True, exist_ok=True)
    deck = options.folder / "cylinders.k"
    if not deck.exists():
        print(f"{deck}: {write_model('cylinders', deck, Wishes(options.elements))} elements", flush=True)
        if options.multigrid:
            deck.write_text(deck.read_text().replace("*NODE\n", f"{MULTIGRID}*NODE\n", 1))
    words = [f"i={deck}", "--directory", str(options.folder), "--overwrite", "--double-files"]
    words += ["--threads", str(options.threads)]
    if not options.multigrid:
        words += ["--precision", "single"] + ([f"memory={options.memory}"] if options.memory else [])
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
    if not end["flops"]:
        notes["factor"] = f"levels of multigrid, made {end['factors']} times"
        notes["solve"] = f"{end['solves']} by conjugate gradients"
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
        f"{int(equations['equations']):,} equations, {int(of.steps['iterations'].sum())} iterations. ",
    ]
    lines[-1] += f"Memory {memory / GB:.1f} GB at the peak ({fits} 16 GiB)"
    if end["flops"]:
        lines[-1] += (
            f"; a factor of {equations['entries']:.3g} entries, largest front "
            f"{int(equations['largest_front']):,}; its file: {end['written_bytes'] / GB:.1f} GB written, "
            f"{end['read_bytes'] / GB:,.0f} GB read in {end['disk_seconds']:,.0f} s, beside the rest but for "
            "what solutions wait"
        )
    lines[-1] += "."
    return "\n".join(lines)


def compare(one: Path, other: Path) -> str:
    """The largest difference of displacements at the end, beside the largest displacement."""
    first, second = (crumple.Results(folder).displacement[-1].astype(float) for folder in (one, other))
    largest, apart = np.abs(first).max(), np.abs(first - second).max()
    return f"displacements up to {largest:.4g} differ by {apart:.1e} at most, {apart / largest:.1e} of that"


def main() -> int:
    """Run, or make the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("folder", type=Path)
    one.add_argument("--elements", type=int, default=PUBLISHED)
    one.add_argument("--memory", default="2600m", help="words of 4 bytes; empty: no limit")
    one.add_argument("--threads", type=int, default=2)
    one.add_argument("--multigrid", action="store_true", help="conjugate gradients, not the direct solver")
    commands.add_parser("table").add_argument("folder", type=Path)
    two = commands.add_parser("compare")
    two.add_argument("folder", type=Path)
    two.add_argument("other", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        print(compare(options.folder, options.other))
        return 0
    if options.command == "run" and (status := run(options)):
        return status
    print(table(options.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
