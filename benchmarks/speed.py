"""Measures how fast the solver is and prints one page; run by `make bench` (OPTIONS="--quick" and so on).

Kernels by Google Benchmark (benchmarks/kernels), whole runs by this script. The page goes to the terminal
and, with the figures as JSON, into build/bench. It compares with the figures of a whole run committed last
(benchmarks/figures).
"""

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import speed_kernels  # noqa: E402
import speed_limits  # noqa: E402
import speed_machine  # noqa: E402
import speed_runs  # noqa: E402
import speed_tables  # noqa: E402
from speed_figure import Figure  # noqa: E402
from speed_page import Page, to_html, to_markdown, to_terminal  # noqa: E402

FIGURES = Path(__file__).with_name("figures")
OUTPUT = ROOT / "build" / "bench"


def positive(word: str) -> int:
    """A number of repetitions.

    Raises:
        ValueError: it is not one.
    """
    if (number := int(word)) < 1:
        raise ValueError
    return number


def plain_name(word: str) -> str:
    """Of a file in benchmarks/figures.

    Raises:
        ValueError: it is no plain name.
    """
    if not re.fullmatch(r"[\w.-]+", word):
        raise ValueError
    return word


def parse(words: list[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="make bench OPTIONS=...", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--quick", action="store_true", help="main kernels, no tubes, two rounds: 2 minutes")
    parser.add_argument("--kernel", metavar="REGEX", help="only kernels whose name matches, no runs")
    parser.add_argument("--kernels", action="store_true", help="no whole runs")
    parser.add_argument("--runs", action="store_true", help="no kernels")
    parser.add_argument("--run", metavar="REGEX", help="only runs whose name matches, no kernels")
    parser.add_argument("--repeat", type=positive, metavar="N", help="of each figure: 5, with --quick 2")
    parser.add_argument(
        "--record", type=plain_name, metavar="NAME", help="keep the figures in benchmarks/figures/NAME.json"
    )
    return parser.parse_args(words)


def committed() -> tuple[str, dict]:
    """The figures of a whole `make bench` committed last, and their name; none where there are none."""
    found = [(path.stem, json.loads(path.read_text())) for path in FIGURES.glob("*.json")]
    whole = [(name, figures) for name, figures in found if figures["kernels"] and figures["runs"]]
    return max(whole, key=lambda named: named[1]["machine"]["measured"], default=("", {}))


def measure(options: argparse.Namespace, console: Console) -> tuple[dict, dict, dict]:
    """Kernels, runs, machine."""
    repeat = options.repeat or (2 if options.quick else 5)
    kernels: dict[str, Figure] = {}
    pattern = options.kernel or (speed_kernels.QUICK if options.quick else ".")
    only_runs = options.runs or options.run
    load_context = "^machine/multiply-add/double$" if only_runs else pattern
    machine_of = speed_machine.describe({})  # before anything makes load
    with console.status("kernels"):
        kernels, context = speed_kernels.measure(load_context, repeat, 0.05 if options.quick else 0.1)
    machine_of |= {name: context.get(name, "") for name in ("compiler", "flags", "isa", "left_out")}
    runs: speed_tables.Runs = {}
    if only_runs:
        kernels = {}
    if not (options.kernel or options.kernels):
        left_out = [machine_of["left_out"], "" if options.quick else speed_runs.not_found()]
        machine_of["left_out"] = "; ".join(filter(None, left_out))
        chosen = [c for c in speed_runs.cases(options.quick) if re.search(options.run or ".", c.key)]
        if not chosen:
            raise RuntimeError(f"no run has a name that matches {options.run}")
        with console.status("runs") as status, tempfile.TemporaryDirectory() as folder:
            runs = speed_runs.measure(chosen, repeat, Path(folder), status.update)
    return kernels, runs, machine_of


def page_of(kernels: dict[str, Figure], runs: speed_tables.Runs, machine: dict) -> Page:
    """All tables that have rows."""
    name, before = committed()
    words = speed_machine.in_words(machine)
    if machine.get("left_out"):
        words += f"\nNot measured: {machine['left_out']}"
    if before:
        words += f"\nCompared with {name}: {speed_machine.in_words(before['machine'])}"
        if before["machine"]["processor"] != machine["processor"]:
            words += " - another processor"
    limits = speed_limits.limits(kernels, speed_kernels.work())
    tables = [
        speed_tables.run_table(runs, before.get("runs", {})),
        speed_tables.speedup_table(runs),
        speed_tables.phase_table(runs),
        speed_tables.limit_table(kernels, limits),
        speed_tables.machine_table(kernels),
        speed_tables.sums_table(kernels, runs),
        speed_tables.kernel_table(kernels, before.get("kernels", {})),
    ]
    return Page("Speed of the solver", words, [table for table in tables if table.rows])


def main() -> int:
    """Measure, print, keep."""
    options, console, start = parse(sys.argv[1:]), Console(), time.monotonic()
    try:
        kernels, runs, machine = measure(options, console)
    except (RuntimeError, FileNotFoundError, re.error) as error:
        Console(stderr=True).print(f"error: {error}", highlight=False, markup=False)
        return 1
    page = page_of(kernels, runs, machine)
    to_terminal(page, console)
    figures = {
        "machine": machine,
        "runs": {key: {kind: f.as_json() for kind, f in of.items()} for key, of in runs.items()},
        "kernels": {name: f.as_json() for name, f in kernels.items()},
    }
    OUTPUT.mkdir(parents=True, exist_ok=True)
    text = json.dumps(figures, indent=1) + "\n"
    (OUTPUT / "speed.json").write_text(text)
    (OUTPUT / "speed.md").write_text(to_markdown(page))
    (OUTPUT / "speed.html").write_text(to_html(page))
    if options.record:
        FIGURES.mkdir(exist_ok=True)
        (FIGURES / f"{options.record}.json").write_text(text)
    console.print(f"took {time.monotonic() - start:.0f} s; {OUTPUT.relative_to(ROOT)}/speed.{{md,html,json}}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
