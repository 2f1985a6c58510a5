"""Runs commands side by side with a time limit, and ends them with all their ranks."""

import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

GRACE = 5.0  #: s between asking processes to end and killing them


@dataclass
class Job:
    """A command, where it runs, and with what environment."""

    command: list[str]
    directory: Path
    environment: dict[str, str]


@dataclass
class Times:
    """How jobs ended, and what they took."""

    statuses: list[int]
    elapsed: float
    cpu: float
    timed_out: bool
    memory: float | None = None  #: MiB, the most that one process of them had, where that is known


def family(process: subprocess.Popen) -> list[psutil.Process]:
    """A process and all below it; ranks have process groups of their own, but they are its children."""
    try:
        root = psutil.Process(process.pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def end_all(processes: list[subprocess.Popen]) -> None:
    """End processes and everything that they started: ask, then kill; Ctrl-C meanwhile kills at once."""
    members = [member for process in processes for member in family(process)]
    interrupted = None
    for number in (signal.SIGTERM, signal.SIGKILL):
        for member in members:
            try:
                member.send_signal(number)
            except psutil.NoSuchProcess:
                continue
        try:
            _, members = psutil.wait_procs(members, timeout=GRACE)
        except KeyboardInterrupt as again:
            interrupted = again
        if not members:
            break
    for process in processes:
        process.wait()
    if interrupted:
        raise interrupted


def children_cpu() -> float:
    """CPU seconds of all children that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def own_memory() -> float:
    """The most memory (MiB) that this process has had.

    Linux counts it for every process started from here, too: the peak of one that stays below is not known.
    """
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"^VmHWM:\s*(\d+) kB", status, re.M)[1]) / 1024


def wait(process: subprocess.Popen, limit: float) -> float:
    """Wait for a process; returns the most memory (MiB) that it or one below it had.

    Raises:
        subprocess.TimeoutExpired: it has not ended within so many seconds.
    """
    start = time.monotonic()
    while True:
        # Popen.wait would do the same and lose what wait4 tells of memory.
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_maxrss / 1024
        passed = time.monotonic() - start
        if passed >= limit:
            raise subprocess.TimeoutExpired(process.args, limit)
        time.sleep(min(max(0.001, passed / 1000), 0.05))  # the end is seen to a thousandth


def run_jobs(jobs: list[Job], time_limit: float) -> Times:
    """Run jobs side by side; each writes log.txt in its folder."""
    before, start = children_cpu(), time.monotonic()
    running: list[subprocess.Popen] = []
    timed_out, memory = False, 0.0
    own = own_memory()
    try:
        for job in jobs:
            with (job.directory / "log.txt").open("wb") as log:
                running.append(
                    subprocess.Popen(
                        job.command,
                        cwd=job.directory,
                        env=job.environment,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )
                )
        for process in running:
            memory = max(memory, wait(process, max(0.0, time_limit - (time.monotonic() - start))))
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        elapsed = time.monotonic() - start
        end_all([process for process in running if process.poll() is None])
    known = memory if memory > own + 1 else None
    return Times([p.returncode for p in running], elapsed, children_cpu() - before, timed_out, known)
