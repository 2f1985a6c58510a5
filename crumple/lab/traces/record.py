"""Records a trace: the solver with the profiler, on any number of ranks, with any number of cores."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crumple.earlier_output import keep_earlier, told
from crumple.lab.profile.launch import TraceWish, folder_for_ranks, run_profiled
from crumple.lab.profile.trace.convert import SUMMARY
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace, open_trace, sha256_of
from crumple.lab.profile.trace.trace_writer import rank_name, rank_writer, write_summary
from crumple.lab.traces.decomposition import (
    FILE,
    Decomposition,
    at_state,
    decompose,
    of_trace,
    read_decomposition,
)
from crumple.lab.traces.displacements import OF_SOLVER, keep, of_run
from crumple.lab.traces.reference import MEAN_COST, reference_of
from crumple.lab.traces.work import (
    Difference,
    PhaseTimes,
    counted,
    difference,
    phase_times,
    rescaled,
    slowdowns,
    slowed,
    unit_costs,
)
from crumple.solver import solver_path

PROGRESS = re.compile(r"^ *(\d+) +([\d.e+-]+) +([\d.e+-]+)(?: +[\d.e+-]+){5} ", re.M)
Say = Callable[[str], None]


@dataclass(frozen=True)
class RecordingWish:
    """The trace to record."""

    deck: Path
    ranks: int
    first: int  #: first cycle of the window
    end: int  #: cycle after the window, at which the run ends
    work: str = "cpu"  #: or counts
    method: str = "rcb"
    pfile: Path | None = None
    precision: str = "double"
    mpirun: Path | None = None
    platform: Path | None = None  #: platform file of `crumple calibrate`
    limit: int = 0  #: largest bytes of events of each rank
    costs: tuple[Path, ...] = ()  #: recorded traces of the deck for the costs of work
    windowed: bool = True  #: False: first and end are those of explicit decks, for want of others


@dataclass(frozen=True)
class Recorded:
    """The result of a recording."""

    trace: Trace
    decomposition: Decomposition | None  #: None of implicit runs, as the two that follow
    times: PhaseTimes | None = field(repr=False)  #: processor time
    difference: Difference | None
    slowdown: float  #: its processor time over that of the fastest recording for the costs
    seconds: float  #: elapsed time in total


def record(wish: RecordingWish, folder: Path, say: Say) -> Recorded:
    """Run the solver up to the end of the window and write the trace.

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong, the run failed or ended before the window did, or the trace is cut off.
        ProfileError: MPI or the profiler is missing.
    """
    start = time.monotonic()
    with to_be(folder) as scratch:
        out = scratch / "out"
        out.mkdir()
        decompose(wish.deck, wish.ranks, wish.method, wish.pfile, scratch / "ranks")  # refuses what is wrong
        reference = reference_of(wish.precision, wish.platform, wish.ranks)
        costs = cost_sources(wish, scratch, say)
        say(f"running {wish.deck} on {wish.ranks} ranks to cycle {wish.end}")
        plain, log = run_solver(wish, scratch)
        moved = of_run(scratch / "results")
        state = scratch / "results" / OF_SOLVER
        decompose(wish.deck, wish.ranks, wish.method, wish.pfile, scratch / "ranks", (state,))
        decomposition = read_decomposition(scratch / "ranks" / at_state(1))
        times = phase_times(plain, decomposition)
        measured = [(times, decomposition), *(measured_in(wish, folder) for folder in costs)]
        slower = slowed(times, decomposition, float(reference["element_rate"]) * MEAN_COST)
        counts = counted(times, decomposition, unit_costs(measured))
        write_ranks(plain, out, times, counts if wish.work == "counts" else times)
        shutil.copy(scratch / "ranks" / at_state(1), out / FILE)
        meta = plain.meta | {
            "origin": "recorded",
            "work": wish.work,
            "seconds": [round(s * 1e-9, 9) for s in (counts if wish.work == "counts" else times).by_rank()],
            "seconds_cpu": [round(s * 1e-9, 9) for s in times.by_rank()],
            "seconds_counts": [round(s * 1e-9, 9) for s in counts.by_rank()],
            "job_cycles": job_cycles(log, decomposition.end_time),
            "reference": reference,
            "slowed": round(slower, 3),
            **deck_meta(wish),
            **keep(out, moved),
        }
        write_summary(out, [rank_name(r) for r in range(wish.ranks)], meta)
        put_in_place(out, folder, say)
    seconds = time.monotonic() - start
    of_counts, slowdown = difference(times, counts), slowdowns(measured)[0]
    return Recorded(open_trace(folder), decomposition, times, of_counts, slowdown, seconds)


def cost_sources(wish: RecordingWish, scratch: Path, say: Say) -> tuple[Path, ...]:
    """Recordings for the costs of work, in addition to the one to make.

    If there are more ranks than cores, ranks take turns, and their processor time is larger than on cores of
    their own. So work by counts needs a recording on as many ranks as there are cores.
    """
    cores = len(os.sched_getaffinity(0))
    if wish.costs or wish.work != "counts" or wish.ranks <= cores:
        return wish.costs
    source = scratch / f"on-{cores}-ranks"
    record(replace(wish, ranks=cores, work="cpu"), source, say)
    return (source,)


def measured_in(wish: RecordingWish, folder: Path) -> tuple[PhaseTimes, Decomposition]:
    """Work and decomposition of a recorded trace.

    Raises:
        TraceError: it has another deck or precision, or is not a recording.
    """
    trace = open_trace(folder)
    check_same_deck(wish, trace)
    path = folder / FILE
    if not path.is_file():
        raise TraceError(f"{folder}: it has no {FILE}: record it with `crumple trace`")
    decomposition = of_trace(trace)
    return phase_times(trace, decomposition), decomposition


def check_same_deck(wish: RecordingWish, trace: Trace) -> None:
    """Check that a trace is a recording of the deck, by processor time.

    Raises:
        TraceError: it is not.
    """
    if trace.origin != "recorded" or trace.work != "cpu":
        raise TraceError(f"{trace.folder}: costs are measured in traces recorded with --work cpu")
    said = deck_meta(wish)
    for key, what in {"deck_sha256": "deck", "precision": "precision"}.items():
        if trace.meta.get(key) != said[key]:
            raise TraceError(f"{trace.folder}: it is of another {what} than what is asked for")


def deck_meta(wish: RecordingWish) -> dict[str, Any]:
    """Keys of trace.json about the deck and its decomposition."""
    return {
        "deck": wish.deck.name,
        "deck_sha256": sha256_of(wish.deck),
        "decomposition": wish.method,
        "pfile_sha256": sha256_of(wish.pfile) if wish.pfile else "",
        "precision": wish.precision,
    }


def run_solver(wish: RecordingWish, scratch: Path) -> tuple[Trace, str]:
    """Run the solver; returns the trace as recorded, and the solver's output."""
    traced = TraceWish(scratch / "plain", f"{wish.first}:{wish.end}", wish.limit, marks=True)
    command = [str(solver_path()), f"i={wish.deck}", f"ncycle={wish.end}", "-d", str(scratch / "results")]
    command += ["--decomposition", wish.method, "--precision", wish.precision]
    command += ["--write-displacements"]
    command += ["--progress", "0"]  # progress lines depend on the clock, and need collectives
    command += [f"p={wish.pfile}"] if wish.pfile else []
    (scratch / "results").mkdir()
    log = scratch / "log"
    with log.open("w") as out:
        profile = run_profiled(command, wish.ranks, wish.mpirun, False, traced, out)
    text = log.read_text()
    if profile.exit_status:
        raise TraceError(f"the solver failed with status {profile.exit_status}:\n{last_lines(text)}")
    if traced.error:
        raise TraceError(f"{traced.error}\n{reached(text, wish)}")
    last = int(PROGRESS.findall(text)[-1][0]) if PROGRESS.search(text) else wish.end
    if last < wish.end - 1:
        raise TraceError(reached(text, wish))
    return open_trace(traced.folder), text


def reached(log: str, wish: RecordingWish) -> str:
    """The last cycle and time of the run."""
    rows = PROGRESS.findall(log)
    cycles = f"{wish.first}:{wish.end}"
    if not rows:
        return f"--cycles {cycles}: the run printed no cycle"
    return f"--cycles {cycles}: the deck ends at cycle {rows[-1][0]}, time {rows[-1][1]}"


def job_cycles(log: str, end_time: float) -> int:
    """Cycles of the whole job if the time step stays as at the end of the window; 0: not known."""
    rows = PROGRESS.findall(log)
    if not rows:
        return 0
    cycle, now, step = int(rows[-1][0]), float(rows[-1][1]), float(rows[-1][2])
    return cycle + max(0, round((end_time - now) / step)) if step > 0 else 0


def last_lines(text: str) -> str:
    """The errors in a log, or its end."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return "\n".join([line for line in lines if "error" in line.lower()][:5] or lines[-5:])


def write_ranks(plain: Trace, out: Path, measured: PhaseTimes, wanted: PhaseTimes) -> None:
    """Write the compressed files of all ranks, one after another."""
    for rank in range(plain.ranks):
        lines: Iterator[str] = plain.marked_lines(rank)
        if wanted is not measured:
            lines = rescaled(lines, rank, measured, wanted)
        with rank_writer(out, rank) as text:
            text.writelines(f"{line}\n" for line in lines)


@contextmanager
def to_be(folder: Path) -> Iterator[Path]:
    """A temporary folder to work in; it is removed at the end.

    Raises:
        TraceError: the folder of the trace has other contents.
    """
    if folder.exists() and not folder.is_dir():
        raise TraceError(f"{folder} is a file")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / SUMMARY).is_file():
        raise TraceError(f"{folder} is not empty, and not a trace: name another folder with -o")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="crumple-trace-", dir=folder_for_ranks()))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def put_in_place(out: Path, folder: Path, say: Say) -> None:
    """Move a finished trace to its folder; an older trace there gets another name."""
    if kept := keep_earlier(folder):
        say(told(folder, kept))
    try:
        shutil.move(out, folder)  # often from another file system
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)  # do not leave an incomplete trace
        raise
