"""The node and the socket of each rank of each job."""

from dataclasses import dataclass
from typing import Literal

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.simulator_program import NoPlaceError, SimulationError

Share = Literal["node", "socket", "half-socket", "core"]
SHARES = ("node", "socket", "half-socket", "core")


@dataclass(frozen=True)
class PlacementWish:
    """The wanted placement of jobs on nodes."""

    jobs: int = 1
    share: Share | None = None  #: part of a node that one job gets; None: all jobs share all nodes
    ranks_per_node: int | None = None  #: of one job; None: one per core of its share
    oversubscribe: bool = False


@dataclass(frozen=True)
class Placement:
    """The places of all ranks."""

    nodes: int  #: number of nodes in use
    share: int  #: cores of a node that one job gets
    ranks_per_node: int  #: of one job
    places: tuple[tuple[tuple[int, int], ...], ...]  #: job, rank: node, socket
    oversubscribed: bool

    @property
    def sockets(self) -> int:
        """Number of connections of a rank: one to each rank of its job on other nodes."""
        return max(0, len(self.places[0]) - self.ranks_per_node)


def cores_of_share(cluster: Cluster, wish: PlacementWish) -> int:
    """Cores of a node that one job gets.

    Raises:
        SimulationError: the sockets have too few cores for this.
    """
    cores, socket = cluster.node.cores, cluster.node.cpu.cores
    if wish.share is None:
        return max(1, cores // wish.jobs)
    if wish.share == "half-socket" and socket < 2:
        raise SimulationError(f"--placement half-socket: a socket of {cluster.name} has one core")
    return {"node": cores, "socket": socket, "half-socket": socket // 2, "core": 1}[wish.share]


def place(cluster: Cluster, ranks: int, wish: PlacementWish) -> Placement:
    """Place all ranks of all jobs: in blocks over nodes, spread over the sockets of a job's share.

    Raises:
        SimulationError: there are too few cores, and oversubscription is not allowed.
    """
    if wish.jobs < 1 or (wish.ranks_per_node is not None and wish.ranks_per_node < 1):
        raise SimulationError("--jobs and --ranks-per-node take numbers from 1 on")
    share = cores_of_share(cluster, wish)
    slots = max(1, cluster.node.cores // share)
    groups = -(-wish.jobs // slots)
    each = wish.ranks_per_node or share
    nodes = -(-ranks // each)
    fits = each <= share and groups * nodes <= cluster.nodes
    if not fits and not wish.oversubscribe:
        raise NoPlaceError(too_few(cluster, ranks, wish, share, each, groups * nodes))
    if groups * nodes > cluster.nodes:
        nodes = max(1, cluster.nodes // groups)
        each = -(-ranks // nodes)
    of_job = [(r // each, place_in(r % each, each, share)) for r in range(ranks)]  # node and core
    there, cores = cluster.nodes, cluster.node.cpu.cores
    places = []
    for job in range(wish.jobs):
        first, base = job // slots * nodes, job % slots * share
        places.append(tuple(((first + node) % there, (base + core) // cores) for node, core in of_job))
    used = len({node for job in places for node, _ in job})
    return Placement(used, share, each, tuple(places), not fits)


def place_in(rank: int, each: int, share: int) -> int:
    """Core of a rank in its share; fewer ranks than cores are spread evenly."""
    return rank * share // each if each < share else rank % share


def too_few(cluster: Cluster, ranks: int, wish: PlacementWish, share: int, each: int, nodes: int) -> str:
    """Why ranks do not fit."""
    leave = "; --oversubscribe lets ranks share cores"
    if each > share:
        return f"--ranks-per-node {each}: a job has {share} cores of a node of {cluster.name}{leave}"
    jobs = f"{wish.jobs} jobs of {ranks} ranks" if wish.jobs > 1 else f"{ranks} ranks"
    return (
        f"{jobs}, {each} per node and job, need {nodes} nodes; {cluster.name} has {cluster.nodes} of "
        f"{cluster.node.cores} cores{leave}"
    )
