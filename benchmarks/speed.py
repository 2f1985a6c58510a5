"""Measures how fast the solver is and prints one page; run by `make bench` (OPTIONS="--quick" and so on).

Kernels by Google Benchmark (benchmarks/kernels), runs by this script. The page goes to the terminal and, with
the figures as JSON, into build/bench. Its first tables have a column for each kind of processor that has
committed figures (benchmarks/figures); the others compare with those of the same kind committed last.
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

import performance_page  # noqa: E402
import speed_crashes  # noqa: E402
import speed_implicit  # noqa: E402
import speed_kernels  # noqa: E402
import speed_limits  # noqa: E402
import speed_machine  # noqa: E402
import speed_runs  # noqa: E402
import speed_summary  # noqa: E402
import speed_tables  # noqa: E402
from speed_page import Page, Table, to_html, to_markdown, to_terminal  # noqa: E402
from speed_record import FIGURES, Record, committed, last_whole  # noqa: E402

OUTPUT = ROOT / "build" / "bench"
ISAS = ("avx512", "avx2", "baseline")
RATES = "^machine/"  #: with any kernels, whose limits they are


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


def instruction_sets(words: str) -> tuple[str, ...]:
    """Some of ISAS, separated by commas.

    Raises:
        ValueError: one is not.
    """
    found = tuple(dict.fromkeys(words.split(",")))
    if not set(found) <= set(ISAS):
        raise ValueError
    return found


def parse(words: list[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="make bench OPTIONS=...", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="main kernels, no tubes, the smallest crash, two rounds: 4 minutes",
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help=f"all whole crashes, not only the smallest: {speed_crashes.duration()}; "
        "--whole --run '^crash' measures nothing else",
    )
    parser.add_argument("--kernel", metavar="REGEX", help="only kernels whose name matches, no runs")
    parser.add_argument("--kernels", action="store_true", help="no runs")
    parser.add_argument("--runs", action="store_true", help="no kernels")
    parser.add_argument("--run", metavar="REGEX", help="only runs whose name matches, no kernels")
    parser.add_argument(
        "--repeat",
        type=positive,
        metavar="N",
        help="of each figure: 5, with --quick 2; long crashes once in any case",
    )
    parser.add_argument(
        "--isa",
        type=instruction_sets,
        default=("",),
        metavar="NAMES",
        help="kernels of these instruction sets, in turn: some of avx512,avx2,baseline; default: the "
        "processor's best. Runs are not measured with baseline where there is another",
    )
    parser.add_argument(
        "--record",
        type=plain_name,
        metavar="NAME",
        help="keep the figures in benchmarks/figures/NAME.json (with --isa NAME-avx2.json and so on) and "
        "write the tables of docs/performance.md",
    )
    return parser.parse_args(words)


def chosen_runs(options: argparse.Namespace) -> list[speed_runs.Case]:
    """What the options ask for.

    Raises:
        RuntimeError: nothing has a name that matches.
    """
    there = speed_runs.cases(options.quick) + speed_crashes.crash_cases(options.whole, options.quick)
    chosen = [case for case in there if re.search(options.run or ".", case.key)]
    if not chosen and not implicit_too(options):
        raise RuntimeError(f"no run has a name that matches {options.run}")
    return chosen


def implicit_too(options: argparse.Namespace) -> bool:
    """Whether the options ask for the implicit run."""
    return re.search(options.run or ".", speed_implicit.RUN) is not None


def measure(options: argparse.Namespace, console: Console) -> dict[str, Record]:
    """A record of each instruction set."""
    repeat, isas = options.repeat or (2 if options.quick else 5), options.isa
    pattern = options.kernel or (speed_kernels.QUICK if options.quick else ".")
    only_runs, only_kernels = options.runs or options.run, options.kernel or options.kernels
    machine = speed_machine.describe()  # before anything makes load
    runs, implicit = speed_runs.Measured({}), {}
    with console.status("kernels") as status, tempfile.TemporaryDirectory() as folder:
        asked = "^machine/multiply-add/double$" if only_runs else f"{RATES}|{pattern}"
        kernels = speed_kernels.measure(asked, repeat, 0.05 if options.quick else 0.1, isas, status.update)
        if not only_kernels:
            run_by = tuple(isa for isa in isas if isa != "baseline") or isas
            if implicit_too(options):
                for isa in run_by:
                    implicit[isa] = speed_implicit.measure(repeat, isa, Path(folder), status.update)
            if chosen := chosen_runs(options):
                runs = speed_runs.measure(chosen, repeat, Path(folder), status.update, run_by)
    found = {}
    for isa, of in kernels.items():
        missing = "" if options.quick or only_kernels else speed_runs.not_found()
        left_out = "; ".join(filter(None, [*sorted(of.left_out), *runs.left_out, missing]))
        described = machine | of.context | {"left_out": left_out}
        figures = ({} if only_runs else of.figures()) | implicit.get(isa, {})
        found[isa] = Record("", described, runs.figures(isa), figures, speed_kernels.work())
    return found


def in_words(record: Record, before: Record | None) -> str:
    """Where it was measured, and what it is compared with."""
    words = speed_machine.in_words(record.machine)
    if record.machine.get("left_out"):
        words += f"\nNot measured: {record.machine['left_out']}"
    if before:
        words += f"\nCompared with {before.name}: {speed_machine.in_words(before.machine)}"
        words += "" if before.kind == record.kind else " - another kind of processor"
    return words


def details(record: Record, before: Record | None) -> list[Table]:
    """Tables of one record."""
    limits = speed_limits.limits(record.kernels, record.work)
    return [
        speed_tables.run_table(record.runs, before.runs if before else {}),
        speed_tables.speedup_table(record.runs),
        speed_tables.phase_table(record.runs),
        speed_tables.limit_table(record.kernels, limits),
        speed_tables.machine_table(record.kernels),
        speed_tables.sums_table(record.kernels, record.runs),
        speed_tables.kernel_table(record.kernels, before.kernels if before else {}),
    ]


def page_of(now: list[Record], earlier: list[Record]) -> Page:
    """All tables that have rows: first those of all kinds of processor, then those of each record."""
    tables = list(speed_summary.tables([*now, *earlier]).values())
    words = []
    for record in now:
        before = last_whole(earlier, record.kind)
        words.append(in_words(record, before))
        behind = f", {record.kind.isa}" if len(now) > 1 else ""
        tables += [Table(t.title + behind, t.columns, t.rows, t.note) for t in details(record, before)]
    return Page("Speed of the solver", "\n".join(words), [table for table in tables if table.rows])


def keep(found: dict[str, Record], page: Page, name: str) -> None:
    """The page and the figures in build/bench; with a name, the figures where they are committed."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    (OUTPUT / "speed.md").write_text(to_markdown(page))
    (OUTPUT / "speed.html").write_text(to_html(page))
    for isa, record in found.items():
        behind = f"-{isa}" if isa else ""
        text = json.dumps(record.as_json(), indent=1) + "\n"
        (OUTPUT / f"speed{behind}.json").write_text(text)
        if name:
            FIGURES.mkdir(exist_ok=True)
            (FIGURES / f"{name}{behind}.json").write_text(text)
    if name:
        performance_page.write_page()


def main() -> int:
    """Measure, print, keep."""
    options, console, start = parse(sys.argv[1:]), Console(), time.monotonic()
    try:
        found = measure(options, console)
    except (RuntimeError, FileNotFoundError, re.error) as error:
        Console(stderr=True).print(f"error: {error}", highlight=False, markup=False)
        return 1
    page = page_of(list(found.values()), committed())
    to_terminal(page, console)
    keep(found, page, options.record)
    console.print(f"took {time.monotonic() - start:.0f} s; {OUTPUT.relative_to(ROOT)}/speed.{{md,html,json}}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
