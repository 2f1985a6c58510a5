"""What an entry of each kind has to say; the files beside this one hold the entries."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, model_validator

from crumple.lab.catalogue.figure import (
    FOLDER,
    CatalogueError,
    Curve,
    Figure,
    Table,
    read_entries,
    require_count,
    require_positive,
)
from crumple.lab.catalogue.hardware import TopologyKind, Transport
from crumple.lab.catalogue.nodes import Node

Isa = Literal["baseline", "avx2", "avx512"]
NONE = "none"  #: entry of networks and topologies that stands for no such thing: of clusters of one node


class CpuEntry(Table):
    """A processor, by socket. Rates may be given; otherwise rates.py derives them."""

    name: str
    year: Figure | None = None  #: from which it was sold
    cores: Figure
    memory_bandwidth: Figure  #: bytes/s that STREAM's triad gets on all cores of a socket
    cache_bytes: Figure  #: last level, of a socket
    idle_watts: Figure | None = None
    busy_watts: Figure | None = None
    intra_latency: Figure | None = None  #: s, MPI message between two cores
    intra_bandwidth: Figure | None = None  #: bytes/s, likewise
    clock: Figure | None = None  #: Hz, all cores busy
    clock_alone: Figure | None = None  #: Hz, one core busy
    isa: Isa | None = None  #: the best of the solver's kernels that it runs
    generation: str = ""  #: of generations.toml
    per_clock: Figure | None = None  #: work a clock over the reference's, instead of the generation's
    rate_double: Figure | None = None
    rate_single: Figure | None = None
    rate_when_busy: Curve | None = None

    @model_validator(mode="after")
    def possible(self) -> "CpuEntry":
        """Refuse what no processor is."""
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


class NodeEntry(Table):
    """A node. Watts may be given; otherwise they are derived from its processors'."""

    name: str = ""
    cpu: str = ""
    sockets: Figure
    memory_bytes: Figure
    cores: Figure | None = None  #: of all sockets, for nodes whose processor is not in the catalogue
    idle_watts: Figure | None = None
    peak_watts: Figure | None = None
    intra_latency: Figure | None = None
    intra_bandwidth: Figure | None = None
    price_per_hour: Figure | None = None
    turn_messages: Curve | None = None
    turn_collectives: Curve | None = None
    detour_rate: Figure | None = None
    detour: Figure | None = None

    @model_validator(mode="after")
    def possible(self) -> "NodeEntry":
        """Refuse what no node is."""
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


class NetworkEntry(Table):
    """A network, by rail. Overheads of the reference core are scaled to the node's, unless given."""

    name: str
    year: Figure | None = None  #: from which it was sold
    switches: tuple[str, ...] = ()  #: of the catalogue's topologies those that connect it
    latency: Figure
    bandwidth: Figure
    rails: Figure
    message_rate: Figure
    send_on_reference: Figure
    receive_on_reference: Figure
    byte_on_reference: Figure
    eager_limit: Figure
    transport: Transport
    jitter: Figure
    connection_bytes: Figure
    adapter_watts: Figure
    port_watts: Figure
    interrupt_cores: Figure | None = None  #: that share an adapter's interrupts, over TCP; 1 without it
    socket_on_reference: Figure | None = None  #: s of looking at one open connection, over TCP
    send_overhead: Figure | None = None
    receive_overhead: Figure | None = None
    overhead_per_byte: Figure | None = None
    socket_look: Figure | None = None
    loss: Figure | None = None  #: share of messages between nodes, over TCP; none without it

    @model_validator(mode="after")
    def possible(self) -> "NetworkEntry":
        """Refuse what no network is."""
        if self.loss and (self.transport != "TCP" or self.loss.value >= 1):
            raise ValueError("loss: a share of messages, less than 1, that TCP sends again")
        require_positive(self, "latency", "bandwidth", "message_rate")
        require_count(self, "rails", "interrupt_cores", "year")
        return self


class TopologyEntry(Table):
    """Switches."""

    name: str
    year: Figure | None = None  #: from which they were sold
    kind: TopologyKind
    ports: Figure
    hop_latency: Figure
    oversubscription: Figure
    routers: Figure | None = None
    nodes_per_router: Figure | None = None
    switch_watts: Figure | None = None

    @model_validator(mode="after")
    def possible(self) -> "TopologyEntry":
        """Refuse what no topology is."""
        require_count(self, "ports", "routers", "nodes_per_router", "year")
        if self.oversubscription.value < 1:
            raise ValueError("oversubscription: links down over links up, 1 or more")
        if self.kind == "dragonfly" and not (self.routers and self.nodes_per_router):
            raise ValueError("kind: a dragonfly needs 'routers' of a group and 'nodes_per_router'")
        return self


class FileSystemEntry(Table):
    """A file system, by server."""

    name: str
    year: Figure | None = None  #: from which it was sold
    kind: Literal["local", "nfs", "parallel"]
    write_bandwidth: Figure
    read_bandwidth: Figure
    servers: Figure
    latency: Figure

    @model_validator(mode="after")
    def possible(self) -> "FileSystemEntry":
        """Refuse what no file system is."""
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


class Choice(Table):
    """An algorithm, and up to which size and number of ranks it is taken."""

    algorithm: str  #: as SimGrid names it
    max_bytes: float = float("inf")
    max_ranks: float = float("inf")


class MpiEntry(Table):
    """An MPI library's collectives: of each operation the first choice that fits."""

    name: str
    source: str
    estimated: bool = False
    looks_at: Literal["what is ready", "all"] = "what is ready"  #: of its TCP connections, while it waits
    connections: str = ""  #: where that is from
    collectives: dict[Operation, tuple[Choice, ...]]


KINDS: dict[str, tuple[Path, type[BaseModel]]] = {
    "cpu": (FOLDER / "cpus.toml", CpuEntry),
    "node": (FOLDER / "nodes.toml", Node),
    "network": (FOLDER / "networks.toml", NetworkEntry),
    "topology": (FOLDER / "topologies.toml", TopologyEntry),
    "file_system": (FOLDER / "file_systems.toml", FileSystemEntry),
    "mpi": (FOLDER / "mpi.toml", MpiEntry),
}


def entries_of(kind: str) -> dict[str, BaseModel]:
    """All entries of a kind by name, without the one that stands for no such thing.

    Raises:
        CatalogueError: one is wrong.
    """
    if kind not in KINDS:
        raise CatalogueError(f"there is no kind '{kind}'")
    file, model = KINDS[kind]
    return {name: entry for name, entry in read_entries(file, model).items() if name != NONE}
