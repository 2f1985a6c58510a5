"""Tables of the catalogue: the list of entries, one entry with its sources, a cluster."""

from collections.abc import Iterator

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from crumple.lab.catalogue.assemble import messages_within
from crumple.lab.catalogue.data_sheet_units import number, written
from crumple.lab.catalogue.entries import CpuEntry, MpiEntry, entries_of
from crumple.lab.catalogue.figure import Curve, SourcedFigure
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.catalogue.rates import per_clock_of, rate_of, rate_when_busy_of
from crumple.printed_table import print_folded, print_whole

ESTIMATES = "~ estimated: not published or measured; 'crumple catalogue show NAME' shows how it was estimated"

#: the figures that the list shows, for each kind
COLUMNS: dict[str, tuple[str, ...]] = {
    "cpu": ("year", "cores", "clock", "rate_double", "memory_bandwidth", "busy_watts"),
    "node": ("cores", "memory_bytes", "idle_watts", "peak_watts"),
    "network": ("year", "latency", "bandwidth", "message_rate", "send_on_reference", "jitter"),
    "topology": ("year", "ports", "hop_latency", "oversubscription"),
    "file_system": ("year", "servers", "write_bandwidth", "read_bandwidth", "latency"),
    "mpi": (),
}


def figures_of(entry: BaseModel) -> Iterator[tuple[str, SourcedFigure | Curve]]:
    """All figures of an entry by name; for a processor also those by the rule."""
    derived: dict[str, SourcedFigure | Curve | None] = {}
    if isinstance(entry, CpuEntry):
        derived = {
            "per_clock": per_clock_of(entry),
            "rate_double": rate_of(entry, "double"),
            "rate_single": rate_of(entry, "single"),
            "rate_when_busy": rate_when_busy_of(entry),
            **messages_within(entry),
        }
    for key, value in entry:
        if isinstance(figure := value or derived.get(key), SourcedFigure | Curve):
            yield key, figure


def header(key: str) -> str:
    """A key as a heading."""
    return key.removesuffix("_on_reference").replace("_", " ")


def table_of(*columns: str) -> Table:
    """A plain table."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name)
    return table


def show_kind(kind: str, console: Console) -> None:
    """Print a line per entry. The descriptions are last; a narrow screen cuts them, a file does not."""
    rows = []
    for name, entry in entries_of(kind).items():
        figures = dict(figures_of(entry))
        cells = [written(key, figures[key]) if key in figures else "-" for key in COLUMNS[kind]]
        rows.append((name, *cells, entry.name))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for k, heading in enumerate((kind.replace("_", " "), *(header(key) for key in COLUMNS[kind]))):
        table.add_column(
            heading, min_width=max(len(word) for word in [*heading.split(), *(row[k] for row in rows)])
        )
    table.add_column("", no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*row)
    if console.is_terminal:
        print_folded(table, console)
    else:
        print_whole(table, console)
    console.print()


def show_entry(kind: str, name: str, entry: BaseModel, console: Console) -> None:
    """Print every figure with its source."""
    console.print(f"{kind.replace('_', ' ')} {name}: {entry.name}", highlight=False, markup=False)
    words = {k: v for k, v in entry if isinstance(v, str) and v and k not in ("name", "source")}
    for key, word in words.items():
        console.print(f"{key}: {word}", highlight=False, markup=False)
    if isinstance(entry, MpiEntry):
        show_choices(entry, console)
        return
    table = table_of("", "", "source")
    for key, figure in figures_of(entry):
        table.add_row(key, written(key, figure), figure.source)
    print_folded(table, console)
    console.print()


def show_choices(entry: MpiEntry, console: Console) -> None:
    """Print the algorithms by operation."""
    table = table_of("", "algorithm, up to bytes")
    for operation, choices in entry.collectives.items():
        texts = [c.algorithm + (f" {c.max_bytes:.0f}" if c.max_bytes < 1e300 else "") for c in choices]
        table.add_row(operation, ", ".join(texts))
    print_folded(table, console)
    mark = "~ " if entry.estimated else ""
    console.print(f"{mark}source: {entry.source}\n", highlight=False, markup=False)


def show_cluster(cluster: Cluster, console: Console) -> None:
    """Print the cluster of a cluster file, and which of its numbers are estimates."""
    node, cpu, network = cluster.node, cluster.node.cpu, cluster.network
    console.print(f"{cluster.name}: {cluster.title}", highlight=False, markup=False)
    table = table_of("", "")
    table.add_row("nodes", f"{cluster.nodes} of {node.cores} cores, {cluster.cores} in all")
    sockets = f"{node.sockets} x {cpu.name}, {number('memory_bytes', node.memory_bytes)}"
    watts = f"{node.idle_watts:.0f} to {node.peak_watts:.0f} W" if node.peak_watts else "power not known"
    table.add_row("node", f"{sockets}, {watts}")
    last = cpu.rate_when_busy[-1][1]
    rates = (
        f"{cpu.rate_double / 1e6:.3g} M updates/s in double, {cpu.rate_single / 1e6:.3g} in single precision"
    )
    if not cpu.rate_known:
        rates = "speed not known"
    table.add_row("core", f"{rates}; {last:.2f} of it with all cores busy")
    sides = f"{1e6 * network.send_overhead:.3g} + {1e6 * network.receive_overhead:.3g} us of processor"
    link = f"{1e6 * network.latency:.3g} us, {sides}, {network.bandwidth / 1e9:.3g} GB/s"
    if cluster.nodes > 1:
        table.add_row("network", f"{network.name} x {network.rails}: {link}, {network.transport}")
        hop = (
            f"{1e6 * cluster.topology.hop_latency:.3g} us a switch, up to {cluster.topology.most_nodes} nodes"
        )
        table.add_row("topology", f"{cluster.topology.name}: {hop}")
    files = cluster.file_system
    table.add_row(
        "files", f"{files.name}: {files.servers} x {files.write_bandwidth / 1e6:.0f} MB/s of writes"
    )
    table.add_row("MPI", cluster.mpi.name)
    print_folded(table, console)
    for note in cluster.notes:
        console.print(f"note: {note}", highlight=False, markup=False, soft_wrap=True)
    names = cluster.estimated
    if names:
        console.print(f"{len(names)} of {len(cluster.sources)} numbers are estimates: {', '.join(names)}")
