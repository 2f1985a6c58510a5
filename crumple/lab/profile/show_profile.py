"""Prints profiles: the usual tables of MPI profilers, for one run or two side by side."""

from rich.console import Console
from rich.table import Table

from crumple.lab.profile.amounts import amount, percent
from crumple.lab.profile.profile import Profile, Total
from crumple.lab.profile.show_io import io_notes, io_tables
from crumple.lab.words import count
from crumple.printed_table import print_whole, table_of

#: classes of message sizes in published studies: largest bytes of each
CLASSES = ((256, "0-256 B"), (4096, "256 B-4 KB"), (65536, "4-64 KB"), (1 << 20, "64 KB-1 MB"))
LARGEST = "over 1 MB"


def functions_table(profile: Profile) -> Table:
    """Application, MPI, then the functions by time."""
    table = table_of(
        "", "function", "Tself [s]", "%", "#calls", "us a call", "longest [ms]", "waiting [s]", "out", "in"
    )
    application, mpi = profile.application(), profile.mpi()
    whole = application + mpi.time
    table.add_row("Application", f"{application:.3f}", percent(application, whole), *[""] * 6)

    def row(t: Total, longest: str) -> None:
        table.add_row(
            t.name,
            f"{t.time:.3f}",
            percent(t.time, whole),
            str(t.calls),
            f"{1e6 * t.time / t.calls:.1f}" if t.calls else "-",
            longest,
            f"{t.waiting:.3f}" if t.waiting else "",
            amount(t.bytes_out) if t.bytes_out else "",
            amount(t.bytes_in) if t.bytes_in else "",
        )

    row(mpi, "")
    for t in profile.totals():
        row(t, f"{1e3 * t.longest:.2f}")
    return table


def classes(bins: dict[int, tuple[int, int]]) -> list[tuple[str, int, int]]:
    """Messages and bytes by the published classes of sizes."""
    rows = [(name, 0, 0) for _, name in CLASSES] + [(LARGEST, 0, 0)]
    for k, (messages, size) in bins.items():
        at = next((i for i, (limit, _) in enumerate(CLASSES) if 2**k <= limit), len(CLASSES))
        name, m, b = rows[at]
        rows[at] = (name, m + messages, b + size)
    return rows


def sizes_table(profile: Profile) -> Table | None:
    """Message sizes, point to point and collective."""
    kinds = {"point to point": "point_to_point", "collective": "collective", "one-sided": "one_sided"}
    used = {name: classes(h) for name, kind in kinds.items() if (h := profile.histogram(kind))}
    if not used:
        return None
    table = table_of("message sizes", "", *(f"{name}{what}" for name in used for what in ("", " bytes")))
    for k, (name, *_) in enumerate(next(iter(used.values()))):
        cells = [cell for rows in used.values() for cell in (str(rows[k][1]), amount(rows[k][2]))]
        table.add_row(name, *cells)
    return table


def phases_table(profile: Profile) -> Table | None:
    """Phases that the program named: seconds of the mean and the slowest rank, and of MPI inside."""
    names = list(dict.fromkeys(n for r in profile.ranks for n in r["phases"]))
    if not names:
        return None
    table = table_of(
        "phases, a rank", "", "mean [s]", "most [s]", "most/mean", "MPI [s]", "waiting [s]", "sent"
    )
    for name in names:
        each = [r["phases"].get(name, {}) for r in profile.ranks]
        seconds = [p.get("time", 0.0) for p in each]
        mean = sum(seconds) / len(seconds)
        table.add_row(
            name,
            f"{mean:.3f}",
            f"{max(seconds):.3f}",
            f"{max(seconds) / mean:.2f}" if mean > 0 else "-",
            f"{sum(p.get('mpi_time', 0.0) for p in each) / len(each):.3f}",
            f"{sum(p.get('mpi_waiting', 0.0) for p in each) / len(each):.3f}",
            amount(sum(p.get("mpi_bytes", 0) for p in each) / len(each)),
        )
    return table


def ranks_table(profile: Profile) -> Table:
    """Memory, processor time and files of each rank; at most the first 16."""
    table = table_of(
        "ranks", "", "host", "elapsed [s]", "cpu [s]", "MPI [s]", "memory", "read", "written", "file [s]"
    )
    for r in profile.ranks[:16]:
        files = r["files"]
        table.add_row(
            str(r["rank"]),
            r["host"],
            f"{r['elapsed']:.3f}",
            f"{r['cpu']:.3f}",
            f"{sum(f['time'] for f in r['functions'].values()):.3f}",
            amount(r["peak_memory"]),
            amount(files.get("reads", {}).get("bytes", 0)),
            amount(files.get("writes", {}).get("bytes", 0)),
            f"{sum(f['time'] for f in files.values()):.3f}",
        )
    return table


def counters_line(profile: Profile) -> str:
    """Hardware counters of all ranks, or a sentence that there are none."""
    counted = [r["counters"] for r in profile.ranks if r["counters"]]
    if not counted:
        return "hardware counters: not available here (perf_event_open was refused)"
    total = {n: sum(c[n] for c in counted) for n in counted[0]}
    per_cycle = total["instructions"] / total["cycles"] if total["cycles"] else 0.0
    return (
        f"hardware counters: {total['instructions']:.4g} instructions, {total['cycles']:.4g} cycles "
        f"({per_cycle:.2f} a cycle), {total['cache_misses']:.4g} cache misses"
    )


def show(profile: Profile, console: Console) -> None:
    """Print all tables of a profile."""
    command = " ".join(profile.command) or "a program"
    console.print(
        f"{command}: {profile.size} ranks, {profile.ranks[0]['mpi']}", highlight=False, markup=False
    )
    for line in (*profile.lost(), *profile.lost_of_spawned()):
        console.print(f"warning: {line}", style="yellow", highlight=False)
    for table in (
        functions_table(profile),
        sizes_table(profile),
        phases_table(profile),
        ranks_table(profile),
        *io_tables(profile),
    ):
        if table is not None:
            console.print()
            print_whole(table, console)
    for note in io_notes(profile):
        console.print(note, highlight=False)
    console.print()
    console.print(counters_line(profile), highlight=False)
    if len(profile.ranks) > 16:
        console.print(f"(the other {len(profile.ranks) - 16} ranks are in the file)", highlight=False)
    for k, world in enumerate(profile.spawned, 1):
        console.print()
        console.print(f"spawned world {k}: {count(world.size, 'rank')}", highlight=False)
        of_world = (functions_table(world), sizes_table(world), phases_table(world), ranks_table(world))
        for table in (*of_world, *io_tables(world)):
            if table is not None:
                console.print()
                print_whole(table, console)


def show_difference(a: Profile, b: Profile, console: Console) -> None:
    """Print two profiles side by side: seconds, calls and ratios of b to a."""

    def ratio(x: float, y: float) -> str:
        return f"{y / x:.2f}" if x > 0 else "-"

    for name, p in (("A", a), ("B", b)):
        console.print(
            f"{name}: {' '.join(p.command) or 'a program'}: {p.size} ranks, {p.ranks[0]['mpi']}",
            highlight=False,
            markup=False,
        )
    table = table_of(
        "", "function", "A [s]", "B [s]", "B/A", "A #calls", "B #calls", "B/A", "A bytes", "B bytes"
    )
    of_a, of_b = ({t.name: t for t in p.totals()} for p in (a, b))
    rest = [p.application() for p in (a, b)]
    table.add_row("Application", f"{rest[0]:.3f}", f"{rest[1]:.3f}", ratio(*rest), *[""] * 5)
    order = sorted({*of_a, *of_b}, key=lambda n: -max(t[n].time if n in t else 0.0 for t in (of_a, of_b)))
    pairs = [(a.mpi(), b.mpi())] + [(of_a.get(n, Total(n)), of_b.get(n, Total(n))) for n in order]
    for x, y in pairs:
        sizes = [amount(t.bytes_out + t.bytes_in) for t in (x, y)]
        table.add_row(
            x.name,
            f"{x.time:.3f}",
            f"{y.time:.3f}",
            ratio(x.time, y.time),
            str(x.calls),
            str(y.calls),
            ratio(x.calls, y.calls),
            *sizes,
        )
    print_whole(table, console)
