"""What can be tried: numbers of ranks, and the ways to place such jobs on a cluster."""

from dataclasses import dataclass, replace

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.placement import SHARES, Placement, PlacementWish, cores_of_share, place
from crumple.lab.simulate.simulator_program import SimulationError

LEAST_ELEMENTS = 20  #: per rank; a rank with fewer has about as many neighbours as elements
#: speed-up by a second thread, from this number of elements per rank on; measured without start-up:
#: docs/performance.md. The factors of a processor take the shared memory into account.
GAINS = ((2_000, 1.55), (10_000, 1.73), (20_000, 1.93))
MOST_THREADS = 2  #: more were not measured


@dataclass(frozen=True)
class DeckSharing:
    """A decomposition of a deck."""

    ranks: int
    decomposition: str  #: rcb, metis, or the name of a pfile


@dataclass(frozen=True)
class Candidate:
    """One way to run jobs of a deck on a cluster."""

    sharing: DeckSharing
    threads: int  #: per rank
    wish: PlacementWish
    gain: float = 1.0  #: speed-up by these threads over one

    @property
    def cores(self) -> int:
        """Cores that all jobs use."""
        return self.sharing.ranks * self.threads * self.wish.jobs

    @property
    def ranks_in_words(self) -> str:
        """The ranks and threads of one job, in words."""
        ranks = f"{self.sharing.ranks} rank{'s' * (self.sharing.ranks > 1)}"
        return ranks + (f" of {self.threads} threads" if self.threads > 1 else "")


def rank_counts(cluster: Cluster, elements: int, most: int) -> list[int]:
    """Numbers of ranks worth trying: within a node by doubling, then whole and half filled nodes.

    Args:
        elements: number of elements of the deck
        most: largest number of ranks to try
    """
    cores = cluster.node.cores
    within = {1, cores, cluster.node.cpu.cores, *(2**k for k in range(cores.bit_length()))}
    nodes = {cluster.nodes, *(n for k in range(40) for n in (2**k, 3 * 2**k) if n <= cluster.nodes)}
    counts = within | {n * each for n in nodes for each in {cores, max(1, cores // 2)}}
    limit = min(most, cluster.cores, max(1, elements // LEAST_ELEMENTS))
    return sorted(c for c in counts | {limit} if 1 <= c <= limit)


def gain_of(threads: int, elements: float) -> float | None:
    """Speed-up by this number of threads over one, for a rank of so many elements; None: not measured."""
    if threads == 1:
        return 1.0
    measured = [gain for least, gain in GAINS if elements >= least]
    return measured[-1] if measured and threads <= MOST_THREADS else None


def threaded(cluster: Cluster, threads: int, gain: float) -> Cluster:
    """The cluster for ranks with several threads: a team of cores is one core, `gain` times as fast."""
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
    """All ways to place jobs of so many ranks on a cluster, if it has room for them.

    Each job gets a share of its nodes, has a rank on each core of it or on every other, and there is one job,
    as many as share the nodes of one, that doubled until there is no room, and as many as there is room for.

    Args:
        licences: number of cores that all jobs together may use
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
                    continue  # for one job the same as a node that is partly filled
                found.setdefault((cores, each, jobs), wish)
    return list(found.values())


def job_counts(slots: int, most: int) -> list[int]:
    """Numbers of jobs side by side to try.

    Args:
        slots: jobs that can share the nodes of one
        most: jobs that fit on the cluster
    """
    doubled = {slots << k for k in range(40) if slots << k <= most}
    return sorted({n for n in {1, most, *doubled} if 1 <= n <= most})


def candidates(
    cluster: Cluster, sharings: list[DeckSharing], licences: int | None, elements: int
) -> list[Candidate]:
    """All candidates for a deck of so many elements."""
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
    """The cluster for the ranks of a candidate, whose threads share a core."""
    return threaded(cluster, candidate.threads, candidate.gain)


def placed(cluster: Cluster, candidate: Candidate) -> Placement:
    """The placement of its ranks; a rank with several threads has one place."""
    return place(as_seen_by(cluster, candidate), candidate.sharing.ranks, candidate.wish)
