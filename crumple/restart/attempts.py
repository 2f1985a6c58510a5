"""Runs the solver, and again from its newest dump when it was lost."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from crumple.restart.dumps import Dump, dumps_in, read_dump
from crumple.results.run_record import RunPart
from crumple.solver import SolverEnd

USUAL = 5  #: restarts of `--auto-restart` without a number
AUTO = "auto"  #: instead of a dump: the newest whole one of the folder
KEPT = frozenset({0, 2, 3})  #: exit statuses after which a restart would end in the same way
STALLED = 2  #: attempts in a row without a new dump, after which there is no further one
PAUSE = 5.0  #: s before another attempt from the same dump: a disk, or a node, may come back


class Folder:
    """The dumps of one run: those of an earlier one, which may still lie in its folder, do not count.

    Args:
        start: the dump from which the run starts; "auto"; or nothing, for the beginning
        prefix: of the names of results; that of the dump, if one is named
    """

    def __init__(self, start: str, folder: Path, prefix: str = "") -> None:
        self.named = read_dump(Path(start)) if start not in ("", AUTO) else None
        self.path = Path(start).parent if start not in ("", AUTO) else folder
        self.prefix = self.named.prefix if self.named else prefix
        self.earlier = set() if start == AUTO else {self.identity(d) for d in self.dumps()}
        if self.named:
            self.earlier.discard(self.identity(self.named))

    @staticmethod
    def identity(dump: Dump) -> tuple[Path, int]:
        """What tells a dump from one that has replaced it."""
        return dump.path, dump.written

    def dumps(self) -> Iterator[Dump]:
        """All whole dumps."""
        return dumps_in(self.path, self.prefix)

    def newest(self) -> Dump | None:
        """The dump of the latest moment that is of this run."""
        own = [dump for dump in self.dumps() if self.identity(dump) not in self.earlier]
        return max(own, key=lambda dump: (dump.moment, dump.path), default=None)


def say(text: str) -> None:
    """A line beside the messages of the run."""
    print(text, file=sys.stderr, flush=True)


def begun_from(dump: Dump | None) -> str:
    """The words for where an attempt begins."""
    if dump is None:
        return "from the beginning"
    return f"from {dump.path}, cycle {dump.cycle}{'' if dump.moment.in_run else ' of dynamic relaxation'}"


def part_of(dump: Dump | None, named: str, status: int, seconds: float) -> RunPart:
    """What the record says of an attempt."""
    if dump is None:
        return RunPart(dump="" if named == AUTO else named, status=status, seconds=seconds)
    return RunPart(
        dump=str(dump.path), cycle=dump.cycle, dump_ranks=dump.ranks, status=status, seconds=seconds
    )


def attempts(
    solve: Callable[[str], SolverEnd], start: str, folder: Path, restarts: int, prefix: str = ""
) -> Iterator[tuple[RunPart, Dump | None]]:
    """Run the solver, and up to `restarts` times again while it fails for no fault of the run.

    It starts again if a signal ended it, or with the status of a failed system; not if the deck is wrong, the
    computation failed, or somebody asked it to end. It gives up after two attempts in a row without a dump
    newer than the one from which they started.

    Args:
        solve: runs the solver from a dump, "auto", or nothing
        start: the first argument of `solve`
        folder: of the results; without effect if `start` is a dump
        prefix: of the names of results

    Yields:
        what the record says of each attempt after its end, and the dump from which it started.
    """
    of_run = Folder(start, folder, prefix)
    dump = of_run.named or (of_run.newest() if start == AUTO else None)
    argument, stalled = start, 0
    for restart in range(1, restarts + 2):
        begin = time.monotonic()
        ended = solve(argument)
        yield part_of(dump, argument, ended.returncode, time.monotonic() - begin), dump
        if ended.asked or ended.returncode in KEPT or restarts == 0:
            return
        newest = newer(of_run.newest(), dump)
        if newest is None and stalled + 1 < STALLED and restart <= restarts:
            if not pause():
                return
            newest = newer(of_run.newest(), dump)  # its file system may have come back
        stalled = 0 if newest else stalled + 1
        argument, dump = (AUTO, newest) if newest else (argument, dump)
        if stalled == STALLED:
            return say(f"no further restart: {STALLED} attempts in a row have ended without a new dump")
        if restart > restarts:
            return say(f"no further restart: there have been {restarts}")
        say(f"restart {restart} of at most {restarts}, {begun_from(dump)}")


def newer(found: Dump | None, dump: Dump | None) -> Dump | None:
    """A dump that was found, if it is of a later moment than the one from which the attempt started."""
    return found if found and (dump is None or found.moment > dump.moment) else None


def pause() -> bool:
    """Wait before an attempt; False on Ctrl-C."""
    try:
        time.sleep(PAUSE)
    except KeyboardInterrupt:
        return False
    return True
