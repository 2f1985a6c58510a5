"""Runs commands side by side with a time limit, and ends them with all their ranks."""

import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

GRACE = 5.0  #: s between the request to end and the kill


@dataclass
class Job:
    """A command, its folder and its environment."""

    command: list[str]
    directory: Path
    environment: dict[str, str]


@dataclass
class Times:
    """How jobs ended, and their times."""

    statuses: list[int]
    elapsed: float
    cpu: float
    timed_out: bool
    memory: float | None = None  #: peak memory of the largest process in MiB, if it is known


def family(process: subprocess.Popen) -> list[psutil.Process]:
    """A process and all its descendants; ranks have their own process groups, but they are descendants."""
    try:
        root = psutil.Process(process.pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def end_all(processes: list[subprocess.Popen]) -> None:
    """End processes and their descendants: request, then kill; a further Ctrl-C kills at once."""
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
    """Peak memory (MiB) of this process.

    For each process started from here Linux reports at least this: a smaller peak is not known.
    """
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"^VmHWM:\s*(\d+) kB", status, re.M)[1]) / 1024


def wait(process: subprocess.Popen, limit: float) -> float:
    """Wait for a process; returns the peak memory (MiB) of it or a descendant.

    Raises:
        subprocess.TimeoutExpired: it has not ended within this time.
    """
    start = time.monotonic()
    while True:
        # Popen.wait would do the same, but without the memory that wait4 gives.
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_maxrss / 1024
        passed = time.monotonic() - start
        if passed >= limit:
            raise subprocess.TimeoutExpired(process.args, limit)
        time.sleep(min(max(0.001, passed / 1000), 0.05))  # the end is found within a thousandth of the time


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
