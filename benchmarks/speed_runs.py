"""Whole runs of the solver: processor time and elapsed time an element and cycle.

Each figure is the difference of two runs, one to a cycle after all elements yield (or to the first) and one
to the end, so that reading, preparing and the states at both ends do not count. Runs of all cases go in turn,
round by round: what else the machine does meets all of them alike.
"""

import os
import re
import resource
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from speed_decks import CAMRY, bench_deck, camry_archive, changed_deck, set_end_time
from speed_figure import Figure

from crumple import solver

#: how ranks and threads wait, which the caller's shell must not decide: waking up costs a third of a cycle
WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMPI_MCA_mpi_yield_when_idle")
YIELDING, LAST = 30, 630  #: cycles of plate and block between which time is taken
LAST_QUICK = 150  #: where a tenth more or less does not matter
FOLDED = 0.45e-3  #: s, of the tube
HIT = 200  #: cycles of the Camry after the first, which sorts all that may touch
PHASES = ("elements", "contact", "loads", "exchange", "constraints", "output")


@dataclass(frozen=True)
class Case:
    """A deck and how it is run."""

    name: str  #: what is shown
    deck: str
    elform: int = 0  #: 0: the deck's own
    hourglass: int = 0
    precision: str = "double"
    ranks: int = 1
    threads: int = 1
    first: int = YIELDING  #: cycle from which time is taken,
    last: int = LAST  #: and to which; of runs with an end, all is taken
    end: float = 0.0  #: s; 0: `last` cycles

    @property
    def key(self) -> str:
        """Name in the figures."""
        return f"{self.name}/{self.precision}/{self.ranks}x{self.threads}"


@dataclass(frozen=True)
class Time:
    """Of one run, in seconds after start-up."""

    processor: float
    elapsed: float
    cycles: int
    elements: int
    phases: dict[str, float]  #: elapsed, means over ranks


def cases(quick: bool) -> list[Case]:
    """The rows of the targets, and what goes with them: on 2 cores in ranks or threads, on more in both."""
    rows = [
        ("Belytschko-Tsay shell", "plate50k", 2, 0),
        ("fully integrated shell", "plate50k", 16, 0),
        ("one-point solid, hourglass 6", "block50k", 1, 6),
        ("solid ELFORM 2", "block50k", 2, 0),
        ("solid ELFORM -1", "block50k", -1, 0),
    ]
    both = ("double", "single")
    last = LAST_QUICK if quick else LAST
    found = [Case(*row, precision=p, last=last) for row in rows for p in both]
    shared = ((2, 1), (1, 2), (2, 2)) if (os.cpu_count() or 1) >= 4 else ((2, 1), (1, 2))
    found += [Case(*rows[0], ranks=r, threads=t, last=last) for r, t in shared]
    if not quick:
        tube = "tube with contact to 0.45 ms"
        found += [Case(tube, "tube50k", precision=p, end=FOLDED) for p in both]
        found += [Case(tube, "tube50k", ranks=r, threads=t, end=FOLDED) for r, t in shared]
        cars = "three vehicles"
        found += [Case(cars, "three-vehicle", precision=p, first=1, last=300) for p in both]
        found += [Case(cars, "three-vehicle", ranks=r, threads=t, first=1, last=300) for r, t in shared]
        found += [Case("mini tube with contact to 1 ms", "mini_tube", precision=p, end=1e-3) for p in both]
        if camry_archive().exists():
            placed = ((1, 1), *shared)
            found += [Case("Camry frontal", CAMRY, ranks=r, threads=t, first=1, last=HIT) for r, t in placed]
    return found


def not_found() -> str:
    """In words, runs that cases() leaves out; "" where it has all."""
    archive = camry_archive()
    return "" if archive.exists() else f"the Camry (../shared/decks/{archive.name} is absent)"


def deck_of(case: Case, folder: Path) -> Path:
    """The case's deck in `folder`."""
    deck = bench_deck(case.deck, folder)
    if case.elform:
        deck = changed_deck(deck, case.elform, case.hourglass)
    return set_end_time(deck, case.end) if case.end else deck


def run(case: Case, deck: Path, cycles: int) -> Time:
    """One run of so many cycles, 0 for all.

    Raises:
        RuntimeError: it did not end well.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [f"i={deck}", "--precision", case.precision, "--threads", str(case.threads), "-d", folder]
        words += [f"ncycle={cycles}"] if cycles else []
        command = solver.mpirun(case.ranks, words, case.threads)
        if case.ranks == 1:
            command = [str(solver.solver_path()), *words]
        env = {k: v for k, v in solver.environment(case.threads, case.ranks).items() if k not in WAITING}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = re.search(r"(\d+) cycles in [\d.]+ s, ([\d.]+) ns per zone and cycle", done.stdout)
    zones = re.search(r"^ *(\d+) elements, mass", done.stdout, re.MULTILINE)
    if done.returncode or not said or not zones:
        raise RuntimeError(f"{case.key}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-500:]}")
    cycles, elements = int(said.group(1)), int(zones.group(1))
    elapsed = 1e-9 * float(said.group(2)) * elements * cycles
    return Time(used, elapsed, cycles, elements, phases_of(done.stdout))


def phases_of(text: str) -> dict[str, float]:
    """Seconds of each phase, means over ranks, from the table at the run's end."""
    rows = re.findall(r"^ *\d+((?: +[\d.]+ s)+)$", text, re.MULTILINE)
    seconds = [[float(value) for value in re.findall(r"[\d.]+", row)] for row in rows]
    return {
        name: sum(column) / len(column)
        for name, column in zip(PHASES, zip(*seconds, strict=True), strict=True)
    }


def measure(
    chosen: list[Case], rounds: int, folder: Path, tell: Callable[[str], None]
) -> dict[str, dict[str, Figure]]:
    """Processor and elapsed nanoseconds an element and cycle of every case, and those of its phases, by key.

    Ranks and threads: of all together for the processor, which a rank that waits uses too.
    """
    decks = {case.key: deck_of(case, folder) for case in chosen}
    found: dict[str, dict[str, list[float]]] = {case.key: {} for case in chosen}
    for number in range(rounds):
        for case in chosen:
            tell(f"round {number + 1} of {rounds}: {case.key}")
            first = run(case, decks[case.key], 1 if case.end else case.first)
            last = run(case, decks[case.key], 0 if case.end else case.last)
            zones = 1e-9 * last.elements * (last.cycles - first.cycles)
            times = {
                "processor": last.processor - first.processor,
                "elapsed": last.elapsed - first.elapsed,
            } | {name: last.phases[name] - first.phases[name] for name in PHASES}
            for kind, seconds in times.items():
                found[case.key].setdefault(kind, []).append(seconds / zones)
    return {key: {kind: Figure.of(v) for kind, v in of.items()} for key, of in found.items()}
