"""The keys of an entry of each kind; the entries are in the files beside this one."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, model_validator

from crumple.lab.catalogue.figure import (
    FOLDER,
    CatalogueError,
    Curve,
    SourcedFigure,
    read_entries,
    require_count,
    require_positive,
)
from crumple.lab.catalogue.hardware import TopologyKind, Transport
from crumple.lab.catalogue.node_watts import NodeWatts
from crumple.lab.toml_table import TomlTable

Isa = Literal["baseline", "avx2", "avx512"]
NONE = "none"  #: entry for no network and no topology, of clusters with one node


class CpuEntry(TomlTable):
    """A processor; figures are per socket. Rates may be given; otherwise rates.py computes them."""

    name: str
    year: SourcedFigure | None = None  #: from which it was sold
    cores: SourcedFigure
    memory_bandwidth: SourcedFigure  #: bytes/s of STREAM's triad on all cores of a socket
    cache_bytes: SourcedFigure  #: last-level cache of a socket
    idle_watts: SourcedFigure | None = None
    busy_watts: SourcedFigure | None = None
    intra_latency: SourcedFigure | None = None  #: s, MPI message between two cores
    intra_bandwidth: SourcedFigure | None = None  #: bytes/s, of the same message
    clock: SourcedFigure | None = None  #: Hz, all cores busy
    clock_alone: SourcedFigure | None = None  #: Hz, one core busy
    isa: Isa | None = None  #: the best of the solver's kernels that it can run
    generation: str = ""  #: name in generations.toml
    per_clock: SourcedFigure | None = None  #: work per clock over the reference's; overrides the generation
    rate_double: SourcedFigure | None = None
    rate_single: SourcedFigure | None = None
    rate_when_busy: Curve | None = None

    @model_validator(mode="after")
    def possible(self) -> "CpuEntry":
        """Refuse values that no processor has."""
        require_count(self, "cores", "year")
        require_positive(self, "memory_bandwidth", "clock", "clock_alone", "per_clock")
        require_positive(self, "rate_double", "rate_single", "intra_latency", "intra_bandwidth")
        if self.idle_watts and self.busy_watts and self.busy_watts.value < self.idle_watts.value:
            raise ValueError("busy_watts: less than idle_watts")
        if self.clock and self.clock_alone and self.clock.value > self.clock_alone.value:
            alone = f"clock_alone, {self.clock_alone.value:g} Hz of one core"
            raise ValueError(f"clock: {self.clock.value:g} Hz with all cores busy is more than {alone}")
        for count, factor in self.rate_when_busy.value if self.rate_when_busy else ():
            if not (1 <= count <= self.cores.value and not count % 1 and 0 < factor <= 1):
                raise ValueError(f"rate_when_busy: [{count:g}, {factor:g}]: 1 to all cores, above 0 to 1")
        if self.rate_when_busy and not self.rate_when_busy.value:
            raise ValueError("rate_when_busy: empty")
        return self


class NodeEntry(TomlTable):
    """A node. Watts may be given; otherwise they are computed from those of its processors."""

    name: str = ""
    cpu: str = ""
    sockets: SourcedFigure
    memory_bytes: SourcedFigure
    cores: SourcedFigure | None = None  #: of all sockets; for nodes whose processor is not in the catalogue
    idle_watts: SourcedFigure | None = None
    peak_watts: SourcedFigure | None = None
    intra_latency: SourcedFigure | None = None
    intra_bandwidth: SourcedFigure | None = None
    price_per_hour: SourcedFigure | None = None
    turn_messages: Curve | None = None
    turn_collectives: Curve | None = None
    detour_rate: SourcedFigure | None = None
    detour: SourcedFigure | None = None

    @model_validator(mode="after")
    def possible(self) -> "NodeEntry":
        """Refuse values that no node has."""
        require_count(self, "sockets", "cores")
        require_positive(self, "memory_bytes", "intra_latency", "intra_bandwidth")
        if self.idle_watts and self.peak_watts and self.peak_watts.value < self.idle_watts.value:
            raise ValueError("peak_watts: less than idle_watts")
        for key in ("turn_messages", "turn_collectives"):
            pairs = curve.value if (curve := getattr(self, key)) else ()
            works = [work for work, _ in pairs]
            if works != sorted(set(works)) or any(not 0 <= x <= 1 for pair in pairs for x in pair):
                raise ValueError(f"{key}: pairs of seconds, 0 to 1, the first of each rising")
        return self


class NetworkEntry(TomlTable):
    """A network, per rail. Overheads of the reference core are scaled to the node, unless given."""

    name: str
    year: SourcedFigure | None = None  #: from which it was sold
    switches: tuple[str, ...] = ()  #: topologies of the catalogue that connect it
    latency: SourcedFigure
    bandwidth: SourcedFigure
    rails: SourcedFigure
    message_rate: SourcedFigure
    send_on_reference: SourcedFigure
    receive_on_reference: SourcedFigure
    byte_on_reference: SourcedFigure
    eager_limit: SourcedFigure
    transport: Transport
    jitter: SourcedFigure
    connection_bytes: SourcedFigure
    adapter_watts: SourcedFigure
    port_watts: SourcedFigure
    interrupt_cores: SourcedFigure | None = (
        None  #: cores that handle an adapter's interrupts, over TCP; default: 1
    )
    socket_on_reference: SourcedFigure | None = None  #: s to poll one open connection, over TCP
    send_overhead: SourcedFigure | None = None
    receive_overhead: SourcedFigure | None = None
    overhead_per_byte: SourcedFigure | None = None
    socket_look: SourcedFigure | None = None
    loss: SourcedFigure | None = None  #: share of lost messages between nodes, over TCP; default: none

    @model_validator(mode="after")
    def possible(self) -> "NetworkEntry":
        """Refuse values that no network has."""
        if self.loss and (self.transport != "TCP" or self.loss.value >= 1):
            raise ValueError("loss: a share of messages, less than 1, that TCP sends again")
        require_positive(self, "latency", "bandwidth", "message_rate")
        require_count(self, "rails", "interrupt_cores", "year")
        return self


class TopologyEntry(TomlTable):
    """Switches."""

    name: str
    year: SourcedFigure | None = None  #: when they were first sold
    kind: TopologyKind
    ports: SourcedFigure
    hop_latency: SourcedFigure
    oversubscription: SourcedFigure
    routers: SourcedFigure | None = None
    nodes_per_router: SourcedFigure | None = None
    switch_watts: SourcedFigure | None = None

    @model_validator(mode="after")
    def possible(self) -> "TopologyEntry":
        """Refuse values that no topology has."""
        require_count(self, "ports", "routers", "nodes_per_router", "year")
        if self.oversubscription.value < 1:
            raise ValueError("oversubscription: links down over links up, 1 or more")
        if self.kind == "dragonfly" and not (self.routers and self.nodes_per_router):
            raise ValueError("kind: a dragonfly needs 'routers' of a group and 'nodes_per_router'")
        return self


class FileSystemEntry(TomlTable):
    """A file system; figures are per server."""

    name: str
    year: SourcedFigure | None = None  #: from which it was sold
    kind: Literal["local", "nfs", "parallel"]
    write_bandwidth: SourcedFigure
    read_bandwidth: SourcedFigure
    servers: SourcedFigure
    latency: SourcedFigure

    @model_validator(mode="after")
    def possible(self) -> "FileSystemEntry":
        """Refuse values that no file system has."""
        require_count(self, "servers", "year")
        require_positive(self, "write_bandwidth", "read_bandwidth")
        if self.kind == "local" and self.servers.value != 1:
            raise ValueError("servers: a local disk is each node's own: 1")
        return self


Operation = Literal[
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "barrier",
    "bcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "scatter",
]


class Choice(TomlTable):
    """An algorithm, and the largest size and number of ranks for which it is used."""

    algorithm: str  #: SimGrid's name
    max_bytes: float = float("inf")
    max_ranks: float = float("inf")


class MpiEntry(TomlTable):
    """The collectives of an MPI library: for each operation the first choice that fits."""

    name: str
    source: str
    estimated: bool = False
    looks_at: Literal["what is ready", "all"] = "what is ready"  #: TCP connections that a waiting rank polls
    connections: str = ""  #: source of this
    collectives: dict[Operation, tuple[Choice, ...]]


KINDS: dict[str, tuple[Path, type[BaseModel]]] = {
    "cpu": (FOLDER / "cpus.toml", CpuEntry),
    "node": (FOLDER / "nodes.toml", NodeWatts),
    "network": (FOLDER / "networks.toml", NetworkEntry),
    "topology": (FOLDER / "topologies.toml", TopologyEntry),
    "file_system": (FOLDER / "file_systems.toml", FileSystemEntry),
    "mpi": (FOLDER / "mpi.toml", MpiEntry),
}


def entries_of(kind: str) -> dict[str, BaseModel]:
    """All entries of a kind by name, without NONE.

    Raises:
        CatalogueError: one is wrong.
    """
    if kind not in KINDS:
        raise CatalogueError(f"there is no kind '{kind}'")
    file, model = KINDS[kind]
    return {name: entry for name, entry in read_entries(file, model).items() if name != NONE}
