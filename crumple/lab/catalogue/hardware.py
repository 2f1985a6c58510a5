"""A cluster for the simulator and the models: frozen, in SI units, with the source of each number."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from crumple.lab.catalogue.figure import Curve, SourcedFigure
from crumple.lab.catalogue.saturation import missed_share, saturated

TopologyKind = Literal["star", "leaf-spine", "fat-tree", "dragonfly"]
Transport = Literal["RC", "XRC", "DCT", "TCP"]
RETRANSMISSION = 0.2  #: s, shortest time after which Linux sends a message again (TCP_RTO_MIN)


@dataclass(frozen=True)
class Cpu:
    """The cores of a socket."""

    name: str
    cores: int
    rate_double: float  #: updates of Belytschko-Tsay shells per second, of one core alone
    rate_single: float  #: the same in single precision
    memory_bandwidth: float  #: bytes/s, of all cores of a socket together
    rate_when_busy: tuple[
        tuple[int, float], ...
    ]  #: (busy cores of the socket, rate of each over that of one alone)
    idle_watts: float  #: per socket
    busy_watts: float  #: per socket, all cores busy
    #: for models that partly fit into caches; if the first is 0, only the table above is known
    element_bytes: float = (
        0.0  #: bytes per element update in double precision, from and to memory, without caches
    )
    resident_bytes: float = 0.0  #: bytes of an element in caches
    cache_bytes: float = 0.0  #: last-level cache of the socket
    clock_when_busy: float = 1.0  #: clock with all cores busy over that of one alone
    rate_known: bool = True  #: False: the rates are placeholders, and no trace is scaled

    def factor(self, busy: float, elements: float = float("inf")) -> float:
        """Rate of each busy core of the socket over that of one alone.

        Args:
            busy: number of busy cores
            elements: number of elements per core
        """
        if self.element_bytes and elements < float("inf"):
            missed = missed_share(self.cache_bytes, busy * elements * self.resident_bytes)
            wanted = self.rate_double * self.element_bytes * missed
            return saturated(busy, self.cores, self.clock_when_busy, wanted, self.memory_bandwidth)
        below = self.rate_when_busy[0]
        for count, rate in self.rate_when_busy:
            if busy <= count:
                share = (busy - below[0]) / (count - below[0]) if count > below[0] else 1.0
                return below[1] + max(share, 0.0) * (rate - below[1])
            below = (count, rate)
        return below[1]


@dataclass(frozen=True)
class Node:
    """One node."""

    name: str
    cpu: Cpu
    sockets: int
    memory_bytes: float
    idle_watts: float  #: at the wall
    peak_watts: float  #: at the wall, all cores busy
    intra_latency: float  #: s, small message between two cores, with the overheads of both sides
    intra_bandwidth: float  #: bytes/s, one pair of cores
    price_per_hour: float
    through_adapter: bool = False  #: messages within the node go through its adapter
    #: s that a core takes to switch to the next of the ranks that share it, by the s of work between two
    #: waits; for messages, and in collectives. None: not known, and not counted
    turn_messages: tuple[tuple[float, float], ...] = ()
    turn_collectives: tuple[tuple[float, float], ...] = ()
    detour_rate: float = 0.0  #: how often per second the operating system takes a core that computes
    detour: float = 0.0  #: duration in s, mean of an exponential distribution

    @property
    def cores(self) -> int:
        """Number of cores of all sockets."""
        return self.sockets * self.cpu.cores


@dataclass(frozen=True)
class Network:
    """Adapters and cables; the switches between them are in the topology."""

    name: str
    latency: float  #: s, one way between two adapters without a switch, without the overheads below
    bandwidth: float  #: bytes/s with MPI, one rail in one direction
    rails: int  #: adapters or ports that share the messages of a node
    message_rate: float  #: small messages per second that one rail sends
    send_overhead: float  #: processor time in s per message, sender
    receive_overhead: float  #: processor time in s per message, receiver
    overhead_per_byte: float  #: s per byte on each side, for TCP's copies; 0 if the adapter moves data
    eager_limit: int  #: bytes; a message up to this size is sent without waiting for its receive
    tcp: bool
    transport: Transport
    jitter: float  #: s, mean of an exponentially distributed delay of each message
    connection_bytes: float  #: memory per connection
    adapter_watts: float  #: per rail
    port_watts: float  #: per switch port
    socket_look: float = 0.0  #: processor time in s to poll one open TCP connection
    loss: float = 0.0  #: share of messages between nodes that are lost, and sent again after RETRANSMISSION


@dataclass(frozen=True)
class Topology:
    """Switches between adapters."""

    name: str
    kind: TopologyKind
    ports: int  #: per switch
    hop_latency: float  #: s per switch
    oversubscription: float  #: links down over links up of a leaf; 1: no oversubscription
    routers: int  #: per group of a dragonfly; 0 for the other kinds
    nodes_per_router: int  #: of a dragonfly; 0 for the other kinds

    @property
    def leaf_down(self) -> int:
        """Nodes per leaf switch of a leaf-spine or fat tree; of a star, all ports of the switch."""
        if self.kind == "star":
            return self.ports
        down = round(self.ports * self.oversubscription / (1 + self.oversubscription))
        return max(1, min(self.ports - 1, down))

    @property
    def leaf_up(self) -> int:
        """Links up per leaf switch."""
        return 0 if self.kind == "star" else self.ports - self.leaf_down

    @property
    def most_nodes(self) -> int:
        """Largest number of nodes that the switches can connect."""
        if self.kind == "star":
            return self.ports
        if (
            self.kind == "leaf-spine"
        ):  # each leaf has one or more links to each spine, and each spine has a port for each leaf
            return self.leaf_down * self.ports
        if self.kind == "fat-tree":  # with three levels
            return self.leaf_down * self.ports * self.ports // 2
        # The ports of a group's routers that lead neither to nodes nor within the group lead to other groups.
        out = self.routers * max(0, self.ports - self.nodes_per_router - (self.routers - 1))
        return self.routers * self.nodes_per_router * (out + 1)


@dataclass(frozen=True)
class FileSystem:
    """The file system for results."""

    name: str
    kind: Literal["local", "nfs", "parallel"]
    write_bandwidth: float  #: bytes/s per server, or per disk of a node if local
    read_bandwidth: float  #: the same for reading
    servers: int  #: servers that share the load; 1 for a local disk in each node
    latency: float  #: s per small operation


@dataclass(frozen=True)
class MpiLibrary:
    """The algorithms of an MPI library's collectives."""

    name: str
    #: by operation, such as allreduce: (largest bytes, largest number of ranks, SimGrid's algorithm); the
    #: first that fits is used; infinity: no limit
    collectives: Mapping[str, tuple[tuple[float, float, str], ...]]
    looks_at_all: bool = False  #: a rank that waits polls each of its TCP connections

    def algorithm(self, operation: str, size: float, ranks: int) -> str | None:
        """Name of the algorithm; None if the library's choice is not known."""
        for max_bytes, max_ranks, name in self.collectives.get(operation, ()):
            if size <= max_bytes and ranks <= max_ranks:
                return name
        return None


@dataclass(frozen=True)
class Cluster:
    """Everything that a simulation needs to know about a machine."""

    name: str
    title: str
    nodes: int
    node: Node
    network: Network
    topology: Topology
    file_system: FileSystem
    mpi: MpiLibrary
    pue: float  #: power usage effectiveness of the building
    price_per_kwh: float
    currency: str
    switch_watts: float  #: per switch
    #: years in which its cpu, network, topology, file_system were first sold, if known
    years: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    notes: tuple[str, ...] = field(default=(), compare=False)  #: on figures of the file that have no effect
    #: source of each number by its name, such as "network.latency"
    sources: Mapping[str, SourcedFigure | Curve] = field(default_factory=dict, compare=False, repr=False)

    def look(self, sockets: int) -> float:
        """Mean time in s until a rank that waits finds an arrived message.

        It asks for all its connections again and again. What comes is found at the end of this round of
        asking or, where it has been asked for already, of the next: after one round on average.

        Args:
            sockets: open connections of a rank
        """
        return sockets * self.network.socket_look if self.network.tcp and self.mpi.looks_at_all else 0.0

    @property
    def cores(self) -> int:
        """Number of cores of all nodes."""
        return self.nodes * self.node.cores

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the numbers that are estimates."""
        return tuple(name for name, figure in self.sources.items() if figure.estimated)
