"""Prints what a program did with files: tables by file, by phase and by rank."""

from dataclasses import dataclass

from rich.table import Table

from crumple.lab.profile.amounts import amount, percent
from crumple.lab.profile.io_totals import (
    BENEATH,
    MORE,
    OTHERS,
    SIZE_CLASSES,
    Calls,
    FileTotal,
    by_file,
    by_phase,
    by_rank,
    together,
)
from crumple.lab.profile.profile import Profile
from crumple.lab.words import count
from crumple.printed_table import table_of

MOST_FILES, MOST_RANKS = 15, 16  #: rows of the tables
LONGEST = 44  #: characters of a path
NAMES = {"posix": "POSIX", "stdio": "C streams", "mpi_io": "MPI-IO"}
COLUMNS = ("opens", "reads", "writes", "syncs", "read", "written", "MB/s", "[s]", "% of time")


def shortened(path: str) -> str:
    """The end of a path, cut at a folder where there is one."""
    if path == OTHERS:
        return "(files beyond the table's room)"
    path = "".join(c if c.isprintable() else "?" for c in path)
    if len(path) <= LONGEST:
        return path
    end = path[-(LONGEST - 3) :]
    return "..." + (end[end.index("/") :] if "/" in end else end)


def cells(calls: Calls, whole: float) -> list[str]:
    """The columns of one row.

    Args:
        whole: seconds of which those of the calls are a share
    """
    rate = calls.rate()
    return [
        *(str(calls.counts[kind]) if kind in calls.counts else "" for kind in COLUMNS[:4]),
        amount(calls.read) if calls.read else "",
        amount(calls.written) if calls.written else "",
        f"{rate * 1e-6:.3g}" if rate else "",
        f"{calls.seconds:.3f}",
        percent(calls.seconds, whole),
    ]


def usual_size(calls: Calls) -> str:
    """The class of sizes with most requests."""
    most = max(calls.sizes)
    if not most:
        return ""
    name = SIZE_CLASSES[calls.sizes.index(most)]
    return name if name == MORE else f"to {name}"


def elapsed(profile: Profile) -> float:
    """Seconds of all ranks together."""
    return sum(rank["elapsed"] for rank in profile.ranks)


@dataclass
class Row:
    """A file, or several."""

    name: str
    calls: Calls
    ranks: str = ""
    by: str = ""  #: layers
    phase: str = ""


def rows(files: list[FileTotal]) -> list[Row]:
    """What is listed: all files, those with most bytes, each with what is beneath MPI-IO, the rest."""
    found = [Row(f"all {count(len(files), 'file')}", together([f.program() for f in files]))]
    for f in files[:MOST_FILES]:
        shared = f"{len(f.ranks)}, shared" if len(f.ranks) > 1 and f.path != OTHERS else str(len(f.ranks))
        by = ", ".join(NAMES[layer] for layer in f.through())
        found.append(Row(shortened(f.path), f.program(), shared, by, f.main_phase()))
        if BENEATH in f.layers:
            found.append(Row("  beneath MPI-IO", f.layers[BENEATH], by=NAMES["posix"]))
    if rest := files[MOST_FILES:]:
        found.append(Row(count(len(rest), "more file"), together([f.program() for f in rest])))
    return found


def files_table(profile: Profile, files: list[FileTotal]) -> Table:
    """The files with most bytes."""
    named = ["mostly in"] if has_phases(profile) else []
    table = table_of("I/O", "file", "ranks", "by", *named, *COLUMNS, "usual size")
    whole = elapsed(profile)
    for row in rows(files):
        phase = [row.phase] if named else []
        table.add_row(row.name, row.ranks, row.by, *phase, *cells(row.calls, whole), usual_size(row.calls))
    return table


def sizes_table(files: list[FileTotal]) -> Table:
    """Reads and writes by their size."""
    table = table_of("I/O, reads and writes by size", "file", *(f"to {s}" for s in SIZE_CLASSES[:-1]), MORE)
    for row in rows(files):
        table.add_row(row.name, *(str(n) if n else "" for n in row.calls.sizes))
    return table


def has_phases(profile: Profile) -> bool:
    """Whether the program names phases."""
    return any(rank["phases"] for rank in profile.ranks)


def phases_table(profile: Profile) -> Table | None:
    """The phases in which the program used files; nothing if it names none."""
    if not has_phases(profile):
        return None
    table = table_of("I/O by phase", "", *COLUMNS)
    for name, calls in sorted(by_phase(profile).items(), key=lambda item: -item[1].seconds):
        whole = sum(r["phases"].get(name, {}).get("time", 0.0) for r in profile.ranks)
        table.add_row(name, *cells(calls, whole))
    return table


def ranks_table(profile: Profile) -> Table:
    """Each rank that used files; at most the first 16."""
    table = table_of("I/O by rank", "", *COLUMNS)
    time = {rank["rank"]: rank["elapsed"] for rank in profile.ranks}
    for rank, calls in sorted(by_rank(profile).items())[:MOST_RANKS]:
        table.add_row(str(rank), *cells(calls, time[rank]))
    return table


def io_tables(profile: Profile) -> list[Table]:
    """All tables; none if no file was used, or the profile is of an earlier version."""
    files = [f for f in by_file(profile) if f.through()]
    if not files:
        return []
    tables = [files_table(profile, files), sizes_table(files), phases_table(profile), ranks_table(profile)]
    return [table for table in tables if table is not None]


def io_notes(profile: Profile) -> list[str]:
    """What the tables leave out, in sentences."""
    notes = []
    of_mpi = [f for f in by_file(profile) if not f.through() and BENEATH in f.layers]
    if of_mpi:
        size = sum(f.layers[BENEATH].bytes() for f in of_mpi)
        notes.append(
            f"(the MPI library also used {count(len(of_mpi), 'file')} of its own for MPI-IO: {amount(size)})"
        )
    full = [r["rank"] for r in profile.ranks if r.get("io", {}).get("others")]
    if full:
        notes.append(
            f"({count(len(full), 'rank')} used more files than the table has room for: one row has the rest)"
        )
    lost = sum(r.get("io", {}).get("more_renames", 0) for r in profile.ranks)
    if lost:
        notes.append(f"({count(lost, 'rename')} not recorded: files may be shown under their first names)")
    return notes
