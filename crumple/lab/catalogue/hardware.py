"""A cluster as the simulator and the models see it: frozen, in SI units, each number's source beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from crumple.lab.catalogue.figure import Curve, SourcedFigure
from crumple.lab.catalogue.saturation import missed_share, saturated

TopologyKind = Literal["star", "leaf-spine", "fat-tree", "dragonfly"]
Transport = Literal["RC", "XRC", "DCT", "TCP"]
RETRANSMISSION = 0.2  #: s, least time after which Linux sends again what is not acknowledged: TCP_RTO_MIN


@dataclass(frozen=True)
class Cpu:
    """A socket's worth of cores."""

    name: str
    cores: int
    rate_double: float  #: element updates of a Belytschko-Tsay shell a second, of one core alone
    rate_single: float  #: the same in single precision of element work
    memory_bandwidth: float  #: bytes/s that all cores of a socket get together
    rate_when_busy: tuple[
        tuple[int, float], ...
    ]  #: (cores busy on the socket, each one's rate over that alone)
    idle_watts: float  #: of the socket
    busy_watts: float  #: of the socket, all cores busy
    #: for models that caches hold in part; where the first is 0, the table above is all that is known
    element_bytes: float = (
        0.0  #: of an element update in double precision, from and to memory, without caches
    )
    resident_bytes: float = 0.0  #: of an element in caches
    cache_bytes: float = 0.0  #: last level, of the socket
    clock_when_busy: float = 1.0  #: with all cores busy over that of one alone
    rate_known: bool = True  #: False: the rates are a stand-in, and scale no trace

    def factor(self, busy: float, elements: float = float("inf")) -> float:
        """Rate of each of the socket's busy cores over that of one alone.

        Args:
            busy: cores
            elements: that each of them has
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
    intra_latency: float  #: s, a small message from one core to another, overheads of both sides included
    intra_bandwidth: float  #: bytes/s of one pair of cores
    price_per_hour: float
    through_adapter: bool = False  #: messages within it go out and in again, as those between nodes
    #: s that a core takes to turn to the next of ranks that share it, by the s of work between two waits; for
    #: messages, and in collectives. None where it is not known: nothing is counted then
    turn_messages: tuple[tuple[float, float], ...] = ()
    turn_collectives: tuple[tuple[float, float], ...] = ()
    detour_rate: float = 0.0  #: times a second that the operating system takes a core that computes
    detour: float = 0.0  #: s, mean of an exponential distribution

    @property
    def cores(self) -> int:
        """Of all sockets."""
        return self.sockets * self.cpu.cores


@dataclass(frozen=True)
class Network:
    """Adapters and cables; what lies between is the topology's."""

    name: str
    latency: float  #: s, one way between two adapters through no switch, without the overheads below
    bandwidth: float  #: bytes/s that MPI gets, of one rail in one direction
    rails: int  #: adapters or ports that share a node's messages
    message_rate: float  #: small messages a second that one rail sends
    send_overhead: float  #: s of the sender's core a message
    receive_overhead: float  #: s of the receiver's core a message
    overhead_per_byte: float  #: s of either core a byte: copies of TCP; 0 where the adapter moves data
    eager_limit: int  #: bytes, up to which a message is sent without asking
    tcp: bool
    transport: Transport
    jitter: float  #: s, mean of an exponentially distributed delay added to each message under load
    connection_bytes: float  #: memory of one connection
    adapter_watts: float  #: of one rail
    port_watts: float  #: of one switch port
    socket_look: float = 0.0  #: s of either core to look at one open TCP connection
    loss: float = 0.0  #: share of messages between nodes that are lost, and sent again after RETRANSMISSION


@dataclass(frozen=True)
class Topology:
    """Switches between adapters."""

    name: str
    kind: TopologyKind
    ports: int  #: of one switch
    hop_latency: float  #: s through one switch
    oversubscription: float  #: links down over links up of a leaf; 1: none
    routers: int  #: of a group of a dragonfly; 0 for the others
    nodes_per_router: int  #: of a dragonfly; 0 for the others

    @property
    def leaf_down(self) -> int:
        """Nodes of a leaf switch, of a leaf-spine or fat tree; the whole switch of a star."""
        if self.kind == "star":
            return self.ports
        down = round(self.ports * self.oversubscription / (1 + self.oversubscription))
        return max(1, min(self.ports - 1, down))

    @property
    def leaf_up(self) -> int:
        """Links up of a leaf switch."""
        return 0 if self.kind == "star" else self.ports - self.leaf_down

    @property
    def most_nodes(self) -> int:
        """That the switches can connect."""
        if self.kind == "star":
            return self.ports
        if (
            self.kind == "leaf-spine"
        ):  # each leaf has a link or more to each spine, which has a port for each leaf
            return self.leaf_down * self.ports
        if self.kind == "fat-tree":  # of three levels
            return self.leaf_down * self.ports * self.ports // 2
        # Ports of a group's routers that lead neither to nodes nor within the group lead to other groups.
        out = self.routers * max(0, self.ports - self.nodes_per_router - (self.routers - 1))
        return self.routers * self.nodes_per_router * (out + 1)


@dataclass(frozen=True)
class FileSystem:
    """Where results go."""

    name: str
    kind: Literal["local", "nfs", "parallel"]
    write_bandwidth: float  #: bytes/s of one server, or of each node's disk if local
    read_bandwidth: float  #: likewise
    servers: int  #: that share the load; 1 for a local disk, which each node has
    latency: float  #: s of a small operation


@dataclass(frozen=True)
class MpiLibrary:
    """How an MPI library does collectives."""

    name: str
    #: by operation, such as allreduce: (up to bytes, up to ranks, algorithm as SimGrid names it); the first
    #: that fits counts; infinity where there is no limit
    collectives: Mapping[str, tuple[tuple[float, float, str], ...]]
    looks_at_all: bool = False  #: a rank that waits asks for each of its TCP connections

    def algorithm(self, operation: str, size: float, ranks: int) -> str | None:
        """Name of the algorithm; None where the library's choice is not known."""
        for max_bytes, max_ranks, name in self.collectives.get(operation, ()):
            if size <= max_bytes and ranks <= max_ranks:
                return name
        return None


@dataclass(frozen=True)
class Cluster:
    """Everything that a simulated run needs to know of a machine."""

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
    switch_watts: float  #: of one switch
    #: from which its cpu, network, topology, file_system were sold; where it is known
    years: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    notes: tuple[str, ...] = field(default=(), compare=False)  #: on figures that the file gives in vain
    #: of each number, by its name, such as "network.latency"
    sources: Mapping[str, SourcedFigure | Curve] = field(default_factory=dict, compare=False, repr=False)

    def look(self, sockets: int) -> float:
        """Seconds until a rank that waits finds what has come, on average.

        It asks for all its connections again and again. What comes is found at the end of this round of
        asking or, where it has been asked for already, of the next: after one round on average.

        Args:
            sockets: open connections of a rank
        """
        return sockets * self.network.socket_look if self.network.tcp and self.mpi.looks_at_all else 0.0

    @property
    def cores(self) -> int:
        """Of all nodes."""
        return self.nodes * self.node.cores

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the numbers that are estimates."""
        return tuple(name for name, figure in self.sources.items() if figure.estimated)
