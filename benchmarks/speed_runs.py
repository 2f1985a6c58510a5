"""Whole runs of the solver: processor time and elapsed time an element and cycle.

Each figure is the difference of two runs, one to a cycle after all elements yield (or to the first) and one
to the end, so that reading, preparing and the states at both ends do not count. Runs of all cases and
instruction sets go in turn, round by round: what else the machine does meets all of them alike.
"""

import os
import re
import resource
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from speed_decks import CAMRY, bench_deck, camry_archive, changed_deck, set_end_time
from speed_figure import Figure

from crumple import solver
from crumple.pinning import place

#: how ranks and threads wait, which the caller's shell must not decide: waking up costs a third of a cycle
WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMPI_MCA_mpi_yield_when_idle")
YIELDING, LAST = 30, 630  #: cycles of plate and block between which time is taken
LAST_QUICK = 150  #: where a tenth more or less does not matter
FOLDED = 0.45e-3  #: s, of the tube
HIT = 200  #: cycles of the Camry after the first, which sorts all that may touch
PHASES = ("elements", "contact", "loads", "exchange", "constraints", "output")

#: without contact: name, deck, ELFORM, hourglass control
MODELS = (
    ("Belytschko-Tsay shell", "plate50k", 2, 0),
    ("fully integrated shell", "plate50k", 16, 0),
    ("one-point solid, hourglass 6", "block50k", 1, 6),
    ("solid ELFORM 2", "block50k", 2, 0),
    ("solid ELFORM -1", "block50k", -1, 0),
)


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
    last: int = LAST  #: and to which; 0: to the deck's end
    end: float = 0.0  #: s; 0: the deck's own
    rounds: int = 0  #: at most; 0: as many as are asked for

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
    both = ("double", "single")
    last = LAST_QUICK if quick else LAST
    found = [Case(*row, precision=p, last=last) for row in MODELS for p in both]
    shared = ((2, 1), (1, 2), (2, 2)) if (os.cpu_count() or 1) >= 4 else ((2, 1), (1, 2))
    found += [Case(*row, ranks=r, threads=t, last=last) for row in (MODELS[0], MODELS[2]) for r, t in shared]
    if not quick:
        tube = "tube with contact to 0.45 ms"
        to_end = {"first": 1, "last": 0}
        found += [Case(tube, "tube50k", precision=p, end=FOLDED, **to_end) for p in both]
        found += [Case(tube, "tube50k", ranks=r, threads=t, end=FOLDED, **to_end) for r, t in shared]
        cars = "three vehicles"
        found += [Case(cars, "three-vehicle", precision=p, first=1, last=300) for p in both]
        found += [Case(cars, "three-vehicle", ranks=r, threads=t, first=1, last=300) for r, t in shared]
        mini = "mini tube with contact to 1 ms"
        found += [Case(mini, "mini_tube", precision=p, end=1e-3, **to_end) for p in both]
        if camry_archive().exists():
            placed = ((1, 1), *shared)
            found += [Case("Camry frontal", CAMRY, ranks=r, threads=t, first=1, last=HIT) for r, t in placed]
    return found


def not_found() -> str:
    """In words, runs that are left out; "" where there are all."""
    archive = camry_archive()
    return "" if archive.exists() else f"the Camry (../shared/decks/{archive.name} is absent)"


def deck_of(case: Case, folder: Path) -> Path:
    """The case's deck in `folder`."""
    deck = bench_deck(case.deck, folder)
    if case.elform:
        deck = changed_deck(deck, case.elform, case.hourglass)
    return set_end_time(deck, case.end) if case.end else deck


def run(case: Case, deck: Path, cycles: int, isa: str) -> Time:
    """One run of so many cycles, 0 for all, with the kernels of an instruction set, "" for the best.

    Raises:
        RuntimeError: it did not end well.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [f"i={deck}", "--precision", case.precision, "--threads", str(case.threads), "-d", folder]
        words += [f"ncycle={cycles}"] if cycles else []
        words += ["--isa", isa] if isa else []
        pinned = place(case.ranks, case.threads).pinned
        command = solver.mpirun(case.ranks, words, case.threads, pinned=pinned)
        if case.ranks == 1:
            command = [str(solver.solver_path()), *command[command.index(words[0]) :]]
        env = {k: v for k, v in solver.environment(case.threads, case.ranks).items() if k not in WAITING}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = re.search(r"(\d+) cycles in [\d.]+ s, ([\d.]+) ns per zone and cycle", done.stdout)
    zones = re.search(r"^ *(\d+) elements, mass .* precision, (.*)$", done.stdout, re.MULTILINE)
    if done.returncode or not said or not zones:
        raise RuntimeError(f"{case.key}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-500:]}")
    if isa and isa != zones.group(2).lower().replace("-", ""):
        raise RuntimeError(f"{isa} was asked for and the solver ran {zones.group(2)}")
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


def times_of(case: Case, deck: Path, isa: str) -> dict[str, float]:
    """Nanoseconds an element and cycle of one more run: processor, elapsed, phases. And the whole: seconds
    elapsed, cycles.
    """
    first, last = run(case, deck, case.first, isa), run(case, deck, case.last, isa)
    spent = {"processor": last.processor - first.processor, "elapsed": last.elapsed - first.elapsed}
    spent |= {name: last.phases[name] - first.phases[name] for name in PHASES}
    zones = 1e-9 * last.elements * (last.cycles - first.cycles)
    each = {kind: seconds / zones for kind, seconds in spent.items()}
    return each | {"seconds": last.elapsed, "cycles": last.cycles}


@dataclass
class Measured:
    """Of all cases, what was measured before a failure or an interrupt."""

    values: dict[str, dict[str, dict[str, list[float]]]]  #: by instruction set, by key, by kind
    left_out: list[str] = field(default_factory=list)  #: what failed, and why

    def take(self, isa: str, key: str, times: dict[str, float]) -> None:
        """One more run."""
        of = self.values[isa].setdefault(key, {})
        for kind, value in times.items():
            of.setdefault(kind, []).append(value)

    def figures(self, isa: str) -> dict[str, dict[str, Figure]]:
        """Of all runs with an instruction set: by key, by kind."""
        of = self.values.get(isa, {})
        return {key: {kind: Figure.of(v) for kind, v in kinds.items()} for key, kinds in of.items()}


def measure(
    chosen: list[Case], rounds: int, folder: Path, tell: Callable[[str], None], isas: tuple[str, ...] = ("",)
) -> Measured:
    """`times_of` every case, with each instruction set.

    Ranks and threads: of all together for the processor, which a rank that waits uses too. All take hours: a
    case that fails is left out, and an interrupt from the keyboard ends the measurement with what there is.

    Raises:
        RuntimeError: nothing was measured.
    """
    decks = {case.key: deck_of(case, folder) for case in chosen}
    found = Measured({isa: {} for isa in isas})
    turns = [
        (number, case, isa)
        for number in range(rounds)
        for case in chosen
        if number < (case.rounds or rounds)
        for isa in isas
    ]
    try:
        for number, case, isa in turns:
            tell(f"round {number + 1} of {min(case.rounds or rounds, rounds)}: {case.key} {isa}")
            try:
                found.take(isa, case.key, times_of(case, decks[case.key], isa))
            except RuntimeError as error:
                found.left_out.append(f"{case.key} {isa} ({str(error)[-300:]})")
    except KeyboardInterrupt:
        found.left_out.append("what came after an interrupt")
    if not any(found.values.values()):
        raise RuntimeError("; ".join(found.left_out))
    return found
