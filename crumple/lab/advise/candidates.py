"""What can be tried: numbers of ranks, and the ways to lay jobs of so many over a cluster."""

from dataclasses import dataclass, replace

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.placement import SHARES, Placement, PlacementWish, cores_of_share, place
from crumple.lab.simulate.simulator_program import SimulationError

LEAST_ELEMENTS = 20  #: of a rank; below, its nodes are shared with as many neighbours as it has elements
#: how much faster two threads are than one, from so many elements of a rank on; measured without start-up:
#: docs/performance.md. That memory is shared is in a processor's factors.
GAINS = ((2_000, 1.55), (10_000, 1.73), (20_000, 1.93))
MOST_THREADS = 2  #: more were not measured


@dataclass(frozen=True)
class DeckSharing:
    """How a deck is shared out to ranks."""

    ranks: int
    decomposition: str  #: rcb, metis, or the name of a pfile


@dataclass(frozen=True)
class Candidate:
    """One way to run jobs of a deck on a cluster."""

    sharing: DeckSharing
    threads: int  #: of a rank
    wish: PlacementWish
    gain: float = 1.0  #: how much faster these threads are than one

    @property
    def cores(self) -> int:
        """In use, of all jobs."""
        return self.sharing.ranks * self.threads * self.wish.jobs

    @property
    def ranks_in_words(self) -> str:
        """Of one job."""
        ranks = f"{self.sharing.ranks} rank{'s' * (self.sharing.ranks > 1)}"
        return ranks + (f" of {self.threads} threads" if self.threads > 1 else "")


def rank_counts(cluster: Cluster, elements: int, most: int) -> list[int]:
    """Numbers of ranks worth trying: within a node by doubling, then whole and half filled nodes.

    Args:
        elements: of the deck
        most: ranks that are tried
    """
    cores = cluster.node.cores
    within = {1, cores, cluster.node.cpu.cores, *(2**k for k in range(cores.bit_length()))}
    nodes = {cluster.nodes, *(n for k in range(40) for n in (2**k, 3 * 2**k) if n <= cluster.nodes)}
    counts = within | {n * each for n in nodes for each in {cores, max(1, cores // 2)}}
    limit = min(most, cluster.cores, max(1, elements // LEAST_ELEMENTS))
    return sorted(c for c in counts | {limit} if 1 <= c <= limit)


def gain_of(threads: int, elements: float) -> float | None:
    """How much faster so many threads of a rank of so many elements are than one; None: not measured."""
    if threads == 1:
        return 1.0
    measured = [gain for least, gain in GAINS if elements >= least]
    return measured[-1] if measured and threads <= MOST_THREADS else None


def threaded(cluster: Cluster, threads: int, gain: float) -> Cluster:
    """The cluster as ranks of several threads see it: a team of cores is one core, `gain` times as fast."""
    if threads == 1:
        return cluster
    cpu = cluster.node.cpu
    alone = cpu.factor(threads)
    speed = gain * alone
    teams = cpu.cores // threads
    rates = tuple((n, cpu.factor(n * threads) / alone) for n in range(1, teams + 1))
    cpu = replace(
        cpu,
        cores=teams,
        rate_double=cpu.rate_double * speed,
        rate_single=cpu.rate_single * speed,
        rate_when_busy=rates,
        element_bytes=0.0,
    )
    return replace(cluster, node=replace(cluster.node, cpu=cpu))


def wishes(cluster: Cluster, ranks: int, licences: int | None) -> list[PlacementWish]:
    """All ways to lay jobs of so many ranks over a cluster that has room for them.

    Each job gets a share of its nodes, has a rank on each core of it or on every other, and there is one job,
    as many as share the nodes of one, that doubled until there is no room, and as many as there is room for.

    Args:
        licences: cores that all jobs together may have
    """
    found: dict[tuple, PlacementWish] = {}
    for share in SHARES:
        try:
            cores = cores_of_share(cluster, PlacementWish(share=share))
        except SimulationError:
            continue
        if cores == 0:
            continue
        for each in {min(ranks, cores), min(ranks, max(1, cores // 2))}:
            nodes, slots = -(-ranks // each), cluster.node.cores // cores
            most = slots * (cluster.nodes // nodes)
            if licences is not None:
                most = min(most, licences // ranks)
            for jobs in job_counts(slots, most):
                wish = PlacementWish(jobs, share, each)
                if jobs == 1 and share != "node" and cores < cluster.node.cores and each < cores:
                    continue  # alone, a part of a node that is not filled is a node that is not filled
                found.setdefault((cores, each, jobs), wish)
    return list(found.values())


def job_counts(slots: int, most: int) -> list[int]:
    """Jobs side by side that are tried.

    Args:
        slots: that share the nodes of one
        most: that there is room for
    """
    doubled = {slots << k for k in range(40) if slots << k <= most}
    return sorted({n for n in {1, most, *doubled} if 1 <= n <= most})


def candidates(
    cluster: Cluster, sharings: list[DeckSharing], licences: int | None, elements: int
) -> list[Candidate]:
    """All that there are, for a deck of so many elements."""
    found = []
    for threads in range(1, MOST_THREADS + 1):
        if cluster.node.cpu.cores < threads:
            continue
        for sharing in sharings:
            gain = gain_of(threads, elements / sharing.ranks)
            if gain is None:
                continue
            teams = threaded(cluster, threads, gain)
            left = None if licences is None else licences // threads
            ways = wishes(teams, sharing.ranks, left)
            found += [Candidate(sharing, threads, wish, gain) for wish in ways]
    return found


def as_seen_by(cluster: Cluster, candidate: Candidate) -> Cluster:
    """The cluster as the candidate's ranks see it."""
    return threaded(cluster, candidate.threads, candidate.gain)


def placed(cluster: Cluster, candidate: Candidate) -> Placement:
    """Where its ranks run; a rank of several threads has one place."""
    return place(as_seen_by(cluster, candidate), candidate.sharing.ranks, candidate.wish)
