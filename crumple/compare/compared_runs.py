"""Compares two runs, and prints the table of `crumple diff`."""

from pathlib import Path

from rich.padding import Padding
from rich.table import Table

from crumple.compare.history_differences import history_differences
from crumple.compare.input_differences import (
    deck_differences,
    option_differences,
    unequal,
    version_differences,
)
from crumple.compare.run_difference import Group, RunDifference
from crumple.compare.state_differences import state_differences
from crumple.results.d3hsp import RunLog, read_d3hsp
from crumple.results.run_files import RunFiles, find_run
from crumple.results.run_record import RunRecord, read_record
from crumple.results.run_tables import RunTables
from crumple.view.own_process import in_own_process

WHAT = 16  #: least width of the names of what differs
INDENT = 2  #: of what belongs to a group
OTHERS = 46  #: width of the other columns, if their values are numbers


def deck_of(record: RunRecord | None) -> Path | None:
    """The deck of a run, if it is recorded; a path from where it was started."""
    return Path(record.deck) if record and record.deck else None


def compare(first: Path, second: Path, tolerance: float, states: bool = True) -> list[RunDifference]:
    """All differences of two runs.

    Args:
        first, second: folders of results, or their d3hsp
        tolerance: of numbers, relative; see `history_differences` and `state_differences`
        states: also compare the last plot states

    Raises:
        RunError: a folder has no run.
        DamagedFile, ResultError: a file cannot be read.
    """
    files = [find_run(path) for path in (first, second)]
    logs = [read_d3hsp(one.path("d3hsp")) for one in files]
    records = [read_record(one) for one in files]
    found = deck_differences(*((log, deck_of(record)) for log, record in zip(logs, records, strict=True)))
    found += version_differences(*logs)
    found += option_differences(*zip(logs, records, strict=True))
    found += ending_differences(*logs)
    found += history_differences(*(RunTables(one) for one in files), tolerance)
    return found + (plot_differences(*files, tolerance) if states else [])


def ending_differences(first: RunLog, second: RunLog) -> list[RunDifference]:
    """How the runs ended; their hashes, which count only if nothing else tells how much differs."""
    found = unequal(Group.results, "ending", first.ending.value, second.ending.value)
    found += unequal(Group.results, "cycles", first.cycles, second.cycles)
    if first.hash != second.hash:
        note = "the last bits differ"
        found.append(
            RunDifference(
                Group.results, "state hash", first.hash or "-", second.hash or "-", None, False, note
            )
        )
    return found


def plot_differences(first: RunFiles, second: RunFiles, tolerance: float) -> list[RunDifference]:
    """Differences of the last plot states."""
    paths = [one.find("d3plot") for one in (first, second)]
    if None in paths:
        said = ["written" if path else "not written" for path in paths]
        return unequal(Group.results, "d3plot", *said)
    return in_own_process(paths[0], state_differences, *paths, tolerance)


def counts(differences: list[RunDifference], strict: bool) -> bool:
    """Whether the runs count as different: by their results, with `strict` also by what went into them."""
    return any(d.beyond and (strict or d.group is Group.results) for d in differences)


def table(differences: list[RunDifference], names: tuple[str, str], width: int) -> Table:
    """The differences as a table, by group, with what is said of each below its name.

    Args:
        differences: at least one
        names: of the two runs
        width: of the terminal; where it has room, names of quantities are not folded, but texts beside them
    """
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    longest = max(len(word) for d in differences for word in d.what.split())
    drawn.add_column("what", min_width=max(WHAT, min(longest + INDENT, width - OTHERS)))
    for heading in names:
        drawn.add_column(heading)
    drawn.add_column("relative", justify="right", min_width=len("relative"))
    last = None
    for d in differences:
        if d.group is not last:
            drawn.add_row(d.group.value, style="bold")
        relative = "" if d.relative is None else f"{d.relative:.1e}"
        word = "within" if not d.beyond and d.relative is not None else d.note
        what = f"{d.what}\n  {word}" if word else d.what
        # padding, not blanks: what goes on in the next line is indented, too
        drawn.add_row(Padding(what, (0, 0, 0, INDENT)), d.first, d.second, relative)
        last = d.group
    return drawn


def verdict(differences: list[RunDifference], tolerance: float, strict: bool) -> str:
    """The last line."""
    if not differences:
        return "no difference"
    results = [d for d in differences if d.group is Group.results]
    beyond = sum(d.beyond for d in results)
    if beyond:
        return f"results differ: {beyond} differences beyond the tolerance {tolerance:g}"
    same = "results are the same" if not results else f"results are the same within {tolerance:g}"
    inputs = sorted({d.group.value for d in differences if d.group is not Group.results})
    end = f"; {', '.join(inputs)} differ" if inputs else ""
    return same + end + (" (--strict)" if strict and inputs else "")
