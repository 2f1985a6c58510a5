"""Measures element updates per second: the solver runs on some cores at once; its traces give the times."""

import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from crumple.lab.profile.launch import TraceWish, preloaded
from crumple.lab.profile.library import mpi_of, profiler_of
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import steps_of
from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.mpi import environment
from crumple.solver import solver_path

FIRST, END = 10, 40  #: the cycles that count


def rates_side_by_side(
    precision: str, busy: int, deck: Path, count: int, end: int = END
) -> tuple[list[float], list[float]]:
    """Element updates per second by processor time, and the share of the time that each process had its core.

    One process of one rank runs on each of some cores, side by side. The rates are medians over cycles.

    Args:
        count: number of elements of the deck
        end: cycle at which the runs end

    Raises:
        TraceError: the measurement failed.
    """
    with tempfile.TemporaryDirectory(prefix="side-", dir=deck.parent) as folder:
        cores = sorted(os.sched_getaffinity(0))[:busy]
        begun = time.monotonic()
        running = [start(core, deck, precision, Path(folder, str(core)), end) for core in cores]
        shares = []
        for process in running:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            shares.append((used.ru_utime + used.ru_stime) / (time.monotonic() - begun))
        return [rate_of(Path(folder, str(core)), count, end) for core in cores], shares


def wish_of(folder: Path, end: int) -> TraceWish:
    """The trace of one process."""
    return TraceWish(folder / "trace", f"{FIRST}:{end}", marks=True)


def start(core: int, deck: Path, precision: str, folder: Path, end: int) -> subprocess.Popen:
    """Start one process on its core, with the profiler."""
    records = folder / "records"
    records.mkdir(parents=True)
    solver = solver_path()
    settings = [
        f"LD_PRELOAD={preloaded([profiler_of(mpi_of(solver))], records)}",
        f"CRUMPLE_PROFILE={records}",
    ]
    settings += ["CRUMPLE_PROFILE_COLLECTIVE_WAIT=0"]
    settings += [f"{name}={value}" for name, value in wish_of(folder, end).settings().items()]
    command = ["taskset", "-c", str(core), "env", *settings, str(solver), f"i={deck}", f"ncycle={end}"]
    command += ["-d", str(folder), "--progress", "0", "--precision", precision]
    with (folder / "log").open("w") as log:
        return subprocess.Popen(command, cwd=folder, env=environment(), stdout=log, stderr=log)


def rate_of(folder: Path, count: int, end: int) -> float:
    """The rate of a process that has ended.

    Raises:
        TraceError: it failed.
    """
    wish = wish_of(folder, end)
    wish.convert(folder / "records", [])
    if wish.error or not wish.summary:
        raise TraceError(f"the solver's speed could not be measured: {wish.error}")
    trace, spent = open_trace(wish.folder), dict.fromkeys(range(FIRST, end), 0)
    for step in steps_of(trace.marked_lines(0), str(wish.folder)):
        if step.phase == "elements" and step.cycle in spent:
            spent[step.cycle] += step.compute
    if not median(spent.values()):
        raise TraceError("the solver's speed could not be measured: it has no phase 'elements'")
    return count / (median(spent.values()) * 1e-9)
