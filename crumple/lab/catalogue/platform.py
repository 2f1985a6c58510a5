"""Figures of a node and its processor from a platform file of `crumple calibrate`."""

from functools import lru_cache
from pathlib import Path

from crumple.lab.catalogue.figure import CatalogueError
from crumple.lab.catalogue.platform_file import CalibrationError, Kernel, Platform, read_platform

NEAR = ("same socket", "other socket", "same core")


def measured(path: Path, value: object, what: str, contended: bool) -> dict:
    """A figure with the platform file as its source."""
    busy = "; other work was on the machine" if contended else ""
    return {"value": value, "source": f"crumple calibrate, {path.name}: {what}{busy}"}


@lru_cache(maxsize=8)
def platform_of(path: Path, _changed: int) -> Platform:
    """The platform file; read again only if it changes, because a cluster file is built many times."""
    try:
        return read_platform(path)
    except CalibrationError as error:
        raise CatalogueError(str(error)) from None


def figures_of(path: Path) -> tuple[dict, dict]:
    """Keys for [node] and for [cpu].

    Raises:
        CatalogueError: the file cannot be read, or has no rates of the solver.
    """
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):  # reading the file reports the mistake
        changed = 0
    platform = platform_of(path, changed)
    machine, quick = platform.machine, ", quick" if platform.machine.quick else ""
    when = f"measured {machine.measured[:10]}{quick}"
    node = {
        "name": machine.processor,
        "sockets": measured(path, machine.sockets, when, False),
        "memory_bytes": measured(path, machine.memory_bytes, when, False),
    }
    per_socket = machine.cores // machine.sockets
    cpu = {
        "name": machine.processor,
        "cores": measured(path, per_socket, when, False),
        "cache_bytes": measured(path, machine.last_cache_bytes, when, False),
    }
    if platform.memory:
        most = max(platform.memory, key=lambda row: row.cores)
        what = f"triad on {most.cores} cores, a socket's share"
        cpu["memory_bandwidth"] = measured(path, most.median / machine.sockets, what, most.contended)
    links = sorted((link for link in platform.link if link.pair in NEAR), key=lambda k: NEAR.index(k.pair))
    if links:
        what = f"{links[0].pair}, {links[0].mpi}"
        cpu["intra_latency"] = measured(path, links[0].latency, what, machine.contended)
        cpu["intra_bandwidth"] = measured(path, links[0].bandwidth, what, machine.contended)
    node |= turns(path, platform)
    cpu |= rates(path, platform)
    return node, cpu


def turns(path: Path, platform: Platform) -> dict:
    """Cost of a core's switch from one of its ranks to the next, by the work between two waits.

    That is what a wait takes more than with a rank on each core, where there is the message alone: with two
    ranks a core there is one turn a wait, for the rank that comes last finds the messages there and goes on.
    The lowest sample counts, because other work on the cores can only add time.
    """
    found: dict = {}
    for key, wait in {"turn_messages": "neighbours", "turn_collectives": "all"}.items():
        rows = [row for row in platform.turns if row.wait == wait and row.mpi == platform.turns[0].mpi]
        alone = {row.work: row.low for row in rows if row.ranks_per_core == 1}
        shared = sorted((r for r in rows if r.ranks_per_core == 2 and r.work in alone), key=lambda r: r.work)
        if shared:
            pairs = [[row.work, max(0.0, row.low - alone[row.work])] for row in shared]
            what = f"turns, {shared[0].mpi}, 2 ranks a core, the least of the samples"
            found[key] = measured(path, pairs, what, any(row.contended for row in rows))
    return found


def rates(path: Path, platform: Platform) -> dict:
    """Rates of the solver on one core, and how they fall with more busy cores.

    Raises:
        CatalogueError: they were not measured.
    """
    found: dict = {}
    for precision in ("double", "single"):
        rows = sorted((r for r in platform.kernel if r.precision == precision), key=lambda r: r.busy_cores)
        if rows and rows[0].busy_cores == 1:
            what = f"{precision} precision, {rows[0].elements} elements"
            found[f"rate_{precision}"] = measured(path, rows[0].median, what, rows[0].contended)
            found.setdefault("rate_when_busy", busy(path, rows, platform.machine.sockets))
    if "rate_double" not in found:
        raise CatalogueError(f"{path}: no rates of the solver in it: run crumple calibrate where it is built")
    return found


def busy(path: Path, rows: list[Kernel], sockets: int) -> dict:
    """The rate with busy cores over that of one alone; values above 1 are noise and are cut to 1."""
    pairs = [[max(1, row.busy_cores // sockets), min(1.0, row.median / rows[0].median)] for row in rows]
    return measured(path, pairs, "rates by busy cores", any(row.contended for row in rows))
