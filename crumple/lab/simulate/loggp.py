"""The analytic model: seconds of a run from sums over its trace; thousands of configurations in seconds.

LogGP (Alexandrov, Ionescu, Schauser, Scheiman: LogGP, incorporating long messages into the LogP model, 1995):
a message of m bytes takes o + L + m G + o, and an adapter starts one every g. Added here: the ranks of a node
share adapters and memory; between two collectives ranks wait for the slowest one, and messages of the others
are sent while it computes. Collectives by their rounds (Thakur, Rabenseifner, Gropp: Optimization of
collective communication operations in MPICH, 2005). Over TCP a rank that waits polls all of its
connections, if its MPI library does so.
"""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

import numpy as np

from crumple.lab.catalogue.hardware import Cluster, Topology
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.simulate import detours, jitter, losses
from crumple.lab.simulate.doubling import seconds_of_doublings, ways_of_doubling
from crumple.lab.simulate.experiment import Options, speed_of
from crumple.lab.simulate.fabric import fabric_of
from crumple.lab.simulate.placement import Placement, place
from crumple.lab.simulate.simulated_machine import TWO_LEVELS, Change, Choices, algorithm_of, collectives_of
from crumple.lab.simulate.volume import Volume


@dataclass(frozen=True)
class Estimate:
    """Modelled seconds of the trace's window."""

    compute: float  #: of the slowest rank between each two collectives, with the memory bus
    point_to_point: float
    collectives: float
    placement: Placement
    alone: float  #: part of compute: mean of the ranks, with no other core busy
    bus: float  #: part of compute: due to the memory bus and shared cores

    @property
    def seconds(self) -> float:
        """The total."""
        return self.compute + self.point_to_point + self.collectives


@dataclass(frozen=True)
class Wire:
    """Figures of a message: latency and seconds per byte, between nodes and within a node."""

    latency: float  #: with switches, without processor time
    overhead: float  #: processor time of both sides
    copy: float  #: processor time of both sides per copied byte
    byte: float
    gap: float  #: between two messages of one adapter
    inside_latency: float
    inside_byte: float
    eager: int
    jitter: float = 0.0  #: mean delay of messages between nodes
    inside_card: bool = False  #: messages within a node use its adapter, which all of its ranks share
    look: float = 0.0  #: until a rank finds an arrived message by polling its connections

    def processors(self, size: float) -> float:
        """Processor time of both sides for an eager message between nodes; 0 for larger messages."""
        return self.overhead + self.copy * size if size < self.eager else 0.0

    def path(self, size: float) -> float:
        """Seconds from one rank to another between nodes."""
        return self.processors(size) + self.latency + self.look + size * self.byte

    def slot(self, size: float) -> float:
        """Seconds that a message occupies an adapter."""
        return max(size * self.byte, self.gap)


@lru_cache(maxsize=512)
def mean_hops(topology: Topology, nodes: int) -> float:
    """Mean number of switches between two nodes, over all pairs."""
    if nodes < 2 or topology.kind == "star":
        return 1.0
    fabric = fabric_of(topology, nodes)
    step = max(1, nodes // 16)
    pairs = [(a, b) for a in range(0, nodes, step) for b in range(nodes) if a != b]
    return sum(fabric.hops(a, b) for a, b in pairs) / len(pairs)


def wire_of(cluster: Cluster, nodes: int, change: Change, noisy: bool = False, sockets: int = 0) -> Wire:
    """Message figures of a cluster's network and nodes; with jitter if the run is noisy.

    Args:
        sockets: open connections of a rank
    """
    network = cluster.network
    hops = mean_hops(cluster.topology, nodes) + change.extra_hops
    return Wire(
        change.latency_factor * (network.latency + hops * cluster.topology.hop_latency),
        network.send_overhead + network.receive_overhead,
        2 * network.overhead_per_byte,
        1.0 / (network.bandwidth * network.rails),
        1.0 / (network.message_rate * network.rails),
        cluster.node.intra_latency,
        1.0 / cluster.node.intra_bandwidth,
        network.eager_limit,
        network.jitter if noisy else 0.0,
        cluster.node.through_adapter,
        cluster.look(sockets),
    )


def estimate(trace: Trace, volume: Volume, cluster: Cluster, options: Options) -> Estimate:
    """The time by the model, without noise except that of the slowest of many ranks.

    Raises:
        SimulationError: the job does not fit on the cluster.
    """
    placement = place(cluster, trace.ranks, options.wish)
    speed = speed_of(trace, cluster, options)
    wire = wire_of(cluster, placement.nodes, options.change, options.seeds != (0,), placement.sockets)
    jobs = len(placement.places)
    busy = busy_of(placement)
    slowed = cluster.node.cpu.factor(min(busy, cluster.node.cpu.cores))
    slowed *= min(1.0, cluster.node.cpu.cores / busy)
    spread = options.noise if options.seeds != (0,) else 0.0
    late = spread * math.sqrt(2 * math.log(max(2, volume.ranks)) / max(1.0, volume.pieces))
    mean = float(volume.compute.mean())
    steady = steady_work(volume, placement, cluster)
    # The others wait not only for the rank with the most work, but for a different rank each time
    varying = (volume.critical - float(volume.compute.max())) / slowest(cluster, busy)
    compute = (steady + varying) / speed * (1 + late)
    if options.seeds != (0,):
        node = cluster.node
        compute += detours.longer(volume.segments / slowed / speed, node.detour_rate, node.detour)
    per_node = min(placement.ranks_per_node, volume.ranks)
    together = per_node * min(jobs, max(1, cluster.node.cores // placement.share))

    choices = collectives_of(cluster, volume.ranks)

    def several(sharing: float) -> float:
        return sum(
            count * collective(operation, size, volume.ranks, per_node, sharing, wire, choices)
            for (operation, size), count in volume.collectives.items()
        )

    alone, card = messages(volume, placement, wire, volume.compute / slowed / speed)
    node_of = np.array([n for n, _ in placement.places[0]])
    loss = cluster.network.loss if options.seeds != (0,) else 0.0
    lost = losses.seconds_lost(volume, node_of, loss, choices)
    others = (together / per_node - 1) * card
    # Other jobs use the adapter at the same time in the worst case, or at any time
    whole = compute + alone + several(per_node)
    met = others * (1 + alone / whole) / 2
    collectives = (several(per_node) + several(together)) / 2
    bus = mean / speed * (1 / slowed - 1)
    turning = turns_of(cluster, volume, busy, mean / speed)
    between = alone + met + turning[0] + lost
    return Estimate(compute, between, collectives + turning[1], placement, mean / speed, bus)


def turns_of(cluster: Cluster, volume: Volume, busy: int, compute: float) -> tuple[float, float]:
    """Seconds of switches of cores between ranks that share them, at messages and in collectives.

    Args:
        busy: number of ranks on a socket
        compute: s of a rank with a core of its own
    """
    if busy <= cluster.node.cpu.cores:
        return 0.0, 0.0
    calls = sum(volume.collectives.values())
    work = compute / max(1.0, volume.rounds + calls)
    curves = (cluster.node.turn_messages, cluster.node.turn_collectives)
    each = [float(np.interp(work, *zip(*curve, strict=True))) if curve else 0.0 for curve in curves]
    a_wait = busy / cluster.node.cpu.cores - 1  # the last to arrive continues without a switch
    return volume.rounds * a_wait * each[0], calls * a_wait * each[1]


def steady_work(volume: Volume, placement: Placement, cluster: Cluster) -> float:
    """Time at full speed of the socket that takes longest, if the ranks' shares of work do not change.

    Its ranks end one after another, and those that still compute then get more memory bandwidth.
    """
    cpu = cluster.node.cpu
    sockets: dict[tuple[int, int], list[float]] = {}
    of_ranks = [float(work) for work in volume.compute]
    for job in placement.places:
        for where, work in zip(job, of_ranks, strict=True):
            sockets.setdefault(where, []).append(work)

    @cache
    def rate(busy: int) -> float:
        return cpu.factor(min(busy, cpu.cores)) * min(1.0, cpu.cores / busy)

    most = 0.0
    for works in {tuple(sorted(works)) for works in sockets.values()}:  # with several jobs many are equal
        done = spent = 0.0
        for k, work in enumerate(works):
            spent += (work - done) / rate(len(works) - k)
            done = work
        most = max(most, spent)
    return most


def slowest(cluster: Cluster, busy: int) -> float:
    """Rate of the slowest rank of a socket when the others wait for it, over that of one alone."""
    cores = cluster.node.cpu.cores
    return cluster.node.cpu.factor((min(busy, cores) + 1) / 2) * min(1.0, cores / busy)


def busy_of(placement: Placement) -> int:
    """Largest number of ranks on one socket, of all jobs."""
    return max(Counter(chain.from_iterable(placement.places)).values())


def messages(volume: Volume, placement: Placement, wire: Wire, computed: np.ndarray) -> tuple[float, float]:
    """Seconds of point to point after the compute of the slowest rank, and those of its adapter alone.

    The processor time of a rank, a latency for each wait, and the time of the adapter that its node shares.

    Args:
        computed: compute time of each rank in s
    """
    if not len(volume.pairs):
        return 0.0, 0.0
    node = np.array([n for n, _ in placement.places[0]])
    source, target = volume.pairs[:, 0].astype(int), volume.pairs[:, 1].astype(int)
    count, size = volume.pairs[:, 2], volume.pairs[:, 3]
    away = node[source] != node[target]
    ranks, nodes = volume.ranks, int(node.max()) + 1
    eager = size / np.maximum(count, 1) < wire.eager
    spent = away * eager * (count * wire.overhead + volume.copied * wire.copy) / 2
    processor = np.bincount(source, spent, ranks) + np.bincount(target, spent, ranks)
    by_card = away | wire.inside_card
    carried = np.bincount(source, size * away, ranks) * wire.byte
    carried += np.bincount(source, size * (by_card & ~away), ranks) * wire.inside_byte
    started = np.bincount(source, count * by_card, ranks) * wire.gap
    of_bytes = np.bincount(node, carried, nodes) >= np.bincount(node, started, nodes)
    each = np.where(of_bytes[node], carried, started)
    card = np.bincount(node, each, nodes)[node]
    inside = np.bincount(source, size * ~by_card, ranks) * wire.inside_byte
    far = np.bincount(source, away, ranks) > 0
    late = wire.jitter * jitter.of_exchange(float(away.sum()) / ranks)
    latency = volume.rounds * np.where(far, wire.latency + late + wire.look, wire.inside_latency)
    # Of several messages at a time, all but one pass the adapter while the processor works on others
    at_a_time = np.bincount(source, count * away, ranks) / max(1.0, volume.rounds)
    one = processor / np.maximum(1.0, at_a_time)
    sent = np.maximum(through_cards(node, each, computed), computed + processor - one)
    total = sent + one + latency + inside
    most = int(np.argmax(total))
    return float(total[most] - computed.max()), float(card[most])


def through_cards(node: np.ndarray, each: np.ndarray, computed: np.ndarray) -> np.ndarray:
    """Times in s at which the messages of each rank have left its node's adapter, first come first served.

    Messages of ranks that compute less leave while others compute, and do not delay them.

    Args:
        node: of each rank
        each: s of the adapter for the messages of each rank
        computed: s until each rank sends
    """
    left, free = np.zeros(len(node)), np.zeros(int(node.max()) + 1)
    for rank in np.argsort(computed, kind="stable"):
        free[node[rank]] = left[rank] = max(free[node[rank]], computed[rank]) + each[rank]
    return left


def collective(
    operation: str, size: int, ranks: int, per_node: int, together: float, wire: Wire, choices: Choices
) -> float:
    """Seconds of one call if all ranks arrive at once.

    Args:
        per_node: ranks of the job on a node
        together: ranks of all jobs on a node, whose messages share its adapter
    """
    if ranks < 2:
        return 0.0
    algorithm = algorithm_of(choices, operation, size)
    if algorithm == TWO_LEVELS:
        return in_two_levels(operation, size, ranks, per_node, together / per_node, wire)
    doublings = math.ceil(math.log2(ranks))
    near = min(doublings, int(math.log2(per_node)))
    far = doublings - near

    def rounds(far: float, inner: float, bytes_: float, sharing: float, late: float) -> float:
        """Seconds of rounds between nodes (`sharing` ranks of a node use its adapter), and within nodes.

        Args:
            late: number of jitter delays, of all rounds together
        """
        path, slot = wire.path(bytes_), wire.slot(bytes_)
        # Ranks that have waited for the adapter once use it in turn afterwards, unless it is always busy
        waits = far * path + (sharing - 1) * slot + wire.jitter * late
        between = max(waits, far * sharing * slot) if far else 0.0
        return between + inner * (wire.inside_latency + bytes_ * wire.inside_byte)

    if algorithm.startswith("rab") and operation == "allreduce":
        # Halves, with the nearest rank first, so that nodes send each other only small parts; and back
        left = 0.5**near
        inside = rounds(0, 2 * near, size * (1 - left) / max(1, near), 1, 0)
        return inside + rounds(
            2 * far,
            0,
            size * (left - 0.5**doublings) / max(1, far),
            together,
            2 * jitter.of_doubling(near, far),
        )
    if algorithm.startswith(("rab", "scatter_")):  # halves of halves, and back
        return rounds(2 * far, 2 * near, size / doublings, 1, 2 * jitter.of_doubling(near, far))
    if operation in ("bcast", "reduce", "scatter", "gather"):
        return rounds(far, near, size, 1, jitter.of_tree(far))
    if operation in ("scan", "exscan", "scatterv", "gatherv"):
        return rounds(1, 0, size * ranks, 1, 1)
    if algorithm.endswith("bruck") and operation.startswith(("allgather", "alltoall")):
        # To ranks 1, 2, 4, ... away: half of all blocks each time, or all that a rank has by then. In
        # the first rounds a node's end is crossed once.
        one_node = ranks <= per_node
        across = 0 if one_node else far + min(1, near)
        if operation.startswith("alltoall"):
            inner, outer = ((size if operation == "alltoall" else size / ranks) * ranks / 2,) * 2
        else:
            inner = size * (min(ranks, per_node) - 1) / max(1, doublings - across)
            outer = size * (ranks - per_node) / max(1, across)
        late = jitter.of_doubling(doublings - across, across)
        return rounds(across, 0, outer, together, late) + rounds(0, doublings - across, inner, 1, 0)
    ring = operation.startswith(("allgather", "alltoall")) or algorithm in ("lr", "ring")
    if ring:
        steps = 2 * (ranks - 1) if operation == "allreduce" else ranks - 1
        block = size / ranks if operation in ("allreduce", "alltoallv") else size
        sharing = together if operation.startswith("alltoall") else max(1, together // per_node)
        one_node = ranks <= per_node
        if one_node:
            return rounds(0, steps, block, sharing, 0)
        return rounds(steps, 0, block, sharing, jitter.of_ring(steps))
    return max(
        rounds(
            way.far,
            way.near,
            size,
            max(1, together * way.senders // per_node),
            jitter.of_doubling(max(0, way.senders.bit_length() - 1), way.far),
        )
        for way in ways_of_doubling(ranks, per_node)
    )


def in_two_levels(operation: str, size: int, ranks: int, per_node: int, jobs: float, wire: Wire) -> float:
    """Seconds of a collective in two levels: through memory within a node, then one rank per node by network.

    Args:
        per_node: ranks of the job on a node
        jobs: jobs on a node, whose messages share its adapter
    """
    there_and_back = 2 if operation in ("allreduce", "barrier") else 1
    near = there_and_back * math.ceil(math.log2(min(per_node, ranks)))
    nodes = math.ceil(ranks / per_node)
    inside = near * (wire.inside_latency + size * wire.inside_byte)
    if nodes < 2:
        return inside
    path, others = wire.path(size), (jobs - 1) * wire.slot(size)
    if there_and_back == 1:
        far = max(place.bit_count() for place in range(nodes))  # of a binomial tree
        return inside + others + far * path + wire.jitter * jitter.of_tree(far)
    return inside + others + seconds_of_doublings(nodes, path, wire.processors(size), wire.jitter)
