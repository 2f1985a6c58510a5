"""Whether a run goes on, has ended, or was killed: from its files, and from the lock that it holds."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from crumple.results.d3hsp import Ending, RunLog
from crumple.results.run_files import RunFiles
from crumple.results.run_record import read_record

LOCKS = Path("/proc/locks")
QUIET = 120.0  #: s without a change, after which a run elsewhere may have been killed


class Going(StrEnum):
    """What a run is doing."""

    running = "running"
    finished = "finished"
    stopped = "stopped"
    failed = "failed"
    killed = "killed"
    silent = "silent"


@dataclass(frozen=True)
class RunState:
    """What a run is doing, and a sentence on it."""

    going: Going
    words: str

    @classmethod
    def unknown(cls) -> "RunState":
        """Before the first look."""
        return cls(Going.silent, "not looked at yet")

    @property
    def over(self) -> bool:
        """Whether nothing more is to come."""
        return self.going not in (Going.running, Going.silent)


def is_locked(path: Path) -> bool:
    """Whether a process on this machine holds the lock of a run on its d3hsp.

    The solver takes it (solver/control/earlier_results.hpp). The lock is looked up,
    not tried: a run that starts at this moment would be refused.
    """
    try:
        inode, table = path.stat().st_ino, LOCKS.read_text()
    except OSError:
        return False
    for line in table.splitlines():
        words = line.split()  # 1: FLOCK ADVISORY WRITE 4711 fe:01:1234 0 EOF
        if len(words) > 5 and words[1] == "FLOCK" and words[5].rpartition(":")[2] == str(inode):
            return True
    return False


def last_change(paths: Iterable[Path]) -> float:
    """When the newest of some files was written, seconds of the epoch; 0 without any."""
    times = [0.0]
    for path in paths:
        try:
            times.append(os.stat(path).st_mtime)
        except OSError:
            continue
    return max(times)


def state_at_end(log: RunLog, reached_end: bool | None) -> RunState | None:
    """What a run that has ended by itself says in its d3hsp; None before that.

    Args:
        log: the d3hsp
        reached_end: whether it has come to its end time; None: not known
    """
    if log.ending is Ending.error:
        return RunState(Going.failed, "ended with an error")
    if log.ending is not Ending.normal:
        return None
    if reached_end is False:
        return RunState(Going.stopped, "ended before its end time, on request or at a limit")
    return RunState(Going.finished, "has come to its end time")


class StateOfRun:
    """Tells what a run is doing; it remembers whether the run was seen at work."""

    def __init__(self, files: RunFiles) -> None:
        self.files_ = files
        self.held_ = False

    def look(self, held: bool, log: RunLog, reached_end: bool | None, changed: float) -> RunState:
        """What the run is doing now.

        Args:
            held: whether it held its lock before the d3hsp was read
            log: the d3hsp
            reached_end: whether it has come to its end time; None: not known
            changed: when a file of the run was last written
        """
        if ended := state_at_end(log, reached_end):
            return ended
        if held:
            self.held_ = True
            return RunState(Going.running, "running on this machine")
        record = read_record(self.files_)
        d3hsp = last_change([self.files_.path("d3hsp")])
        if record and record.status and last_change([self.files_.path("run.json")]) >= d3hsp:
            return RunState(Going.killed, f"killed: its status is {record.status}")
        if self.held_:
            return RunState(Going.killed, "killed: no process holds it any more")
        quiet = time.time() - changed
        if quiet < QUIET:
            return RunState(Going.running, "its files grow: running on another machine, or just ended")
        return RunState(Going.silent, "no file has grown for a while: killed, or waiting")
