"""Our implicit runs beside CalculiX and MUMPS: figures, and the tables of docs/studies/implicit.md.

    python benchmarks/implicit_study.py run FIGURES.json [--sizes 31 142] [--repeat 3] [--programs ours ccx]
    python benchmarks/implicit_study.py page FIGURES.json

Tied cylinders: the same mesh, ties, supports and load in both programs, one linear step, by factors and by
conjugate gradients. Cylinders in contact: `crumple model cylinders`, one step of Newton's method, by our own
factors and by MUMPS on the same ordering.
Every run is on one thread, so that elapsed and processor time are alike, but where `threads` says else; runs
of all programs go in turn. Seconds are of the processor, of the whole program from start to end; those of the
factors are elapsed. Each run has its machine: ratios are only of runs on the same one, and rows of another
machine than most have its name.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import numpy as np  # noqa: E402
import speed_machine  # noqa: E402
from speed_processor import generation_here  # noqa: E402
from tied_cylinders_deck import write_tied  # noqa: E402

from crumple import solver  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402
from crumple.models.cylinders_calculix import INNER, lame, write_cylinders  # noqa: E402
from crumple.results.convergence import NAME  # noqa: E402

PAGE = ROOT / "docs" / "studies" / "implicit.md"
#: thousands of equations: elements of the tied cylinders, of the model `cylinders`
SIZES = {31: (8_700, 7_000), 142: (43_000, 37_500), 425: (135_000, 118_000)}
#: LSOLVR by a word of the program's name; others have 2
LSOLVR = {"MUMPS": 30, "multigrid": 22}
FACTORING = re.compile(r"Factoring the system of equations")
CCX = {"ccx, SPOOLES": "SPOOLES", "ccx, iterative": "ITERATIVE CHOLESKY"}
CCX_LIKE = {"ours, multigrid": "ccx, iterative"}  #: what is compared with another of them than SPOOLES
BORE = re.compile(r"displacements .* for set BORE .*\n\s*\n((?:\s*\d+(?:\s+\S+){3}\n)+)")


@dataclass(frozen=True)
class Run:
    """One run."""

    deck: str  #: tied or contact
    size: int  #: thousands of equations
    program: str
    threads: int
    machine: str  #: generation of its processor
    equations: int
    processor: float  #: s, of the whole program
    elapsed: float  #: s
    memory: float  #: GB, most
    factor: float = 0.0  #: s, elapsed, of all factors, or of setting up the levels of multigrid
    factors: int = 0
    iterations: int = 0
    linear: int = 0  #: iterations of conjugate gradients
    gflops: float = 0.0  #: of the factors
    share: float = 0.0  #: of GEMM's rate
    error: float = 0.0  #: of the bore's displacement against Lame's, in percent


def used_by(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watched(command: list[str], folder: Path, env: dict[str, str]) -> tuple[str, dict[str, float]]:
    """Output of a program, and its seconds: processor, elapsed, those from FACTORING to the next line; GB.

    Raises:
        RuntimeError: it did not end well.
    """
    begin, factoring, log = time.monotonic(), None, []
    factor = 0.0
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        for line in running.stdout or []:
            now = used_by(running.pid)
            if FACTORING.search(line):
                factoring = now
            elif factoring is not None and line.strip() and "cpu(s) for spooles" not in line:
                factor, factoring = factor + now - factoring, None
            log.append(line)
        _, status, spent = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    text = "".join(log)
    if running.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{text[-2000:]}")
    return text, {
        "processor": spent.ru_utime + spent.ru_stime,
        "elapsed": time.monotonic() - begin,
        "memory": 1e-6 * 1.024 * spent.ru_maxrss,
        "factor": factor,
    }


def error_of(moved: np.ndarray) -> float:
    """Largest difference of radial displacements of the bore from Lame's, in percent."""
    return 100.0 * float(np.abs(moved - lame(INNER)).max() / lame(INNER))


def by_crumple(deck: Path, words: list[str], threads: int, folder: Path) -> dict:
    """A run of our solver: fields of Run."""
    command = [str(solver.solver_path()), f"i={deck}", "--directory", str(folder / "out"), "--overwrite"]
    command += ["--threads", str(threads), "--write-displacements", *words]
    (folder / "out").mkdir(exist_ok=True)
    text, spent = watched(command, folder, solver.environment(threads))
    end = json.loads((folder / "out" / NAME).read_text().splitlines()[-1])
    said = re.search(r"(\d+) iterations, (\d+) factors of (\d+) equations", text)
    assert said
    linear = re.search(r"(\d+) iterations of conjugate gradients", text)
    factor = end["seconds"]["factor"]
    share = end["flops"] / factor / end["product_rate"] if end.get("product_rate") else 0.0
    return spent | {
        "factor": factor,
        "factors": int(said[2]),
        "iterations": int(said[1]),
        "linear": int(linear[1]) if linear else 0,
        "equations": int(said[3]),
        "gflops": 1e-9 * end["flops"] / factor,
        "share": share,
    }


def tied_by_crumple(size: int, words: list[str], solver_number: int, folder: Path, threads: int) -> dict:
    """The tied cylinders by our solver."""
    deck = folder / "tied.k"
    d = write_tied(deck, SIZES[size][0], solver_number)
    found = by_crumple(deck, words, threads, folder)
    record = np.dtype([("id", "<i8"), ("u", "<f8", 3)])
    bore = np.fromfile(folder / "out" / "displacements", record)["u"][: d.around * (d.along + 1)]
    return found | {"error": error_of(np.hypot(bore[:, 0], bore[:, 1]))}


def tied_by_ccx(size: int, method: str, folder: Path, threads: int) -> dict:
    """The tied cylinders by CalculiX."""
    write_cylinders(folder / "tied.inp", SIZES[size][0], "tied", method)
    env = dict(os.environ) | dict.fromkeys(("OMP_NUM_THREADS", "CCX_NPROC_EQUATION_SOLVER"), str(threads))
    text, spent = watched(["stdbuf", "-oL", shutil.which("ccx") or "ccx", "-i", "tied"], folder, env)
    equations = re.search(r"number of equations\s+(\d+)", text)
    bore = BORE.search((folder / "tied.dat").read_text())
    assert equations
    assert bore
    moved = np.array([[float(w) for w in line.split()[1:3]] for line in bore[1].splitlines()])
    return spent | {
        "equations": int(equations[1]),
        "factors": int("SPOOLES" in method),
        "error": error_of(np.hypot(moved[:, 0], moved[:, 1])),
    }


def contact_by_crumple(size: int, words: list[str], solver_number: int, folder: Path, threads: int) -> dict:
    """The model `cylinders`."""
    deck = folder / "contact.k"
    write_model("cylinders", deck, Wishes(SIZES[size][1]))
    card = f"*CONTROL_IMPLICIT_SOLVER\n{solver_number:10d}\n*END\n"
    deck.write_text(deck.read_text().replace("*END\n", card))
    return by_crumple(deck, words, threads, folder)


def one(deck: str, size: int, program: str, threads: int, folder: Path) -> Run:
    """One run in a folder of its own."""
    words = ["--precision", "single"] if program.endswith("single") else []
    solver_number = next((number for word, number in LSOLVR.items() if word in program), 2)
    if program in CCX:
        found = tied_by_ccx(size, CCX[program], folder, threads)
    elif deck == "tied":
        found = tied_by_crumple(size, words, solver_number, folder, threads)
    else:
        found = contact_by_crumple(size, words, solver_number, folder, threads)
    return Run(deck, size, program, threads, generation_here(), **found)


OURS = ("ours, double", "ours, single", "MUMPS, double", "MUMPS, single")
PROGRAMS = {"tied": (*OURS, "ours, multigrid", *CCX), "contact": OURS}


def measure(options: argparse.Namespace) -> None:
    """Run all that the options ask for, in turn, and keep the figures after each run."""
    figures = {"machines": {}, "runs": []}
    if options.figures.exists():
        figures = json.loads(options.figures.read_text())
    figures["machines"][generation_here()] = speed_machine.describe()
    for _ in range(options.repeat):
        for size in options.sizes:
            for deck in options.decks:
                for program in PROGRAMS[deck]:
                    if options.programs and not re.search("|".join(options.programs), program):
                        continue
                    with tempfile.TemporaryDirectory() as folder:
                        run = one(deck, size, program, options.threads, Path(folder))
                    print(run, flush=True)
                    figures["runs"].append(asdict(run))
                    options.figures.write_text(json.dumps(figures, indent=1) + "\n")


def named(run: Run, usual: str) -> str:
    """The program of a row, with what is not the same in all rows."""
    words = [run.program]
    if run.linear:
        words.append(f"{run.linear} iterations")
    if run.threads > 1:
        words.append(f"{run.threads} threads")
    if run.machine != usual:
        words.append(run.machine)
    return ", ".join(words)


def rows_of(runs: list[Run]) -> list[str]:
    """Markdown rows: medians of the runs of each case."""
    cases: dict[tuple, list[Run]] = {}
    for run in runs:
        cases.setdefault((run.size, run.program, run.threads, run.machine), []).append(run)
    usual = Counter(run.machine for run in runs).most_common(1)[0][0]
    order = PROGRAMS["tied"].index
    rows = []
    for case, of in sorted(cases.items(), key=lambda case: (case[0][0], order(case[0][1]))):
        size, program, *where = case
        ccx = cases.get((size, CCX_LIKE.get(program, "ccx, SPOOLES"), *where))
        mumps = cases.get((size, program.replace("ours", "MUMPS"), *where))

        def middle(name: str, of: list[Run] = of) -> float:
            return statistics.median(getattr(run, name) for run in of)

        def over(other: list[Run] | None, name: str, of: list[Run] = of) -> str:
            if not other or other is of or not of[0].program.startswith("ours"):
                return ""
            return f"{middle(name, of) / middle(name, other):.2f}"

        first = of[0]
        rate = f"{middle('gflops'):.3g}" if middle("gflops") else ""
        share = f"{100 * middle('share'):.0f} %" if middle("share") else ""
        cells = [
            f"{first.equations:,}",
            named(first, usual),
            f"{middle('processor'):.3g}",
            f"{middle('elapsed'):.3g}",
            f"{middle('factor'):.3g}" if middle("factor") else "",
            rate,
            share,
            f"{middle('memory'):.2f}",
            over(ccx, "processor"),
            over(mumps, "factor"),
            over(mumps, "processor"),
        ]
        if first.error:
            cells.append(f"{first.error:.2f}")
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def write_page(options: argparse.Namespace) -> None:
    """The tables between the marks of the page."""
    figures = json.loads(options.figures.read_text())
    runs = [Run(**run) for run in figures["runs"]]
    text = PAGE.read_text()
    head = (
        "| equations | program | processor s | elapsed s | factors s | GFLOP/s | of GEMM | GB | of CalculiX "
        "| factors of MUMPS's | processor of MUMPS's |"
    )
    for deck in PROGRAMS:
        more = " error % |" if deck == "tied" else ""
        columns = head.count("|") - 1 + bool(more)
        lines = [head + more, "|---:|---|" + "---:|" * (columns - 2)]
        lines += rows_of([run for run in runs if run.deck == deck])
        block = "\n" + "\n".join(lines) + "\n\n"
        text, n = re.subn(
            rf"(<!-- figures: {deck} -->\n).*?(<!-- end of figures -->)",
            lambda m, block=block: m[1] + block + m[2],
            text,
            flags=re.DOTALL,
        )
        assert n == 1, deck
    for machine in figures["machines"].values():
        print(speed_machine.in_words({"isa": "", "compiler": "", "flags": ""} | machine))
    PAGE.write_text(text)


def main() -> None:
    """Measure, or write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("figures", type=Path)
    run.add_argument("--sizes", type=int, nargs="+", default=[31, 142], choices=sorted(SIZES))
    run.add_argument("--decks", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS))
    run.add_argument("--programs", nargs="+", default=[])
    run.add_argument("--threads", type=int, default=1)
    run.add_argument("--repeat", type=int, default=3)
    commands.add_parser("page").add_argument("figures", type=Path)
    options = parser.parse_args()
    measure(options) if options.command == "run" else write_page(options)


if __name__ == "__main__":
    main()
