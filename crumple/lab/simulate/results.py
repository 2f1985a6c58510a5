"""What a simulation says: elapsed time, where it goes, loads of links and memory. In simulated seconds."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import fmean, median

from crumple.lab.simulate.experiment import Experiment
from crumple.lab.simulate.simulated_energy import SimulatedEnergy, energy_of
from crumple.lab.simulate.writing import seconds_of_writing

POINT_TO_POINT = ("send", "isend", "recv", "irecv", "wait", "waitall")


@dataclass(frozen=True)
class Spent:
    """On one kind of work, of the window: means over ranks but `most`."""

    name: str
    calls: float
    seconds: float
    waiting: float  #: of these: for ranks that come late; of compute: for the memory bus
    most: float  #: of the rank that spends most


@dataclass(frozen=True)
class LinkLoad:
    """Of one direction of a cable, or a bus, in the window."""

    name: str
    bytes: float
    messages: int
    busy: float  #: bytes over what it could carry meanwhile
    held_up: float  #: s, all messages together, by others on it


@dataclass(frozen=True)
class Simulation:
    """Of a trace on a cluster, all jobs and seeds."""

    experiment: Experiment = field(repr=False)
    window: float  #: elapsed, median of the seeds
    low: float
    high: float
    jobs: tuple[float, ...]  #: elapsed time of the window of each job, of the seed shown
    seed: int  #: whose details are shown: that of the median
    spent: tuple[Spent, ...]
    ranks_spent: tuple[dict[str, tuple[float, float]], ...] = field(repr=False)  #: rank: seconds, waiting
    imbalance: float  #: most compute of a rank over the mean
    overhead: float  #: CPU time of messages between nodes, mean over ranks
    memory_slowdown: float  #: compute over what it would take with no other core busy
    links: tuple[LinkLoad, ...] = field(repr=False)
    cycles: int  #: of the window; 0: not known
    factor: float  #: the whole job over the window; 1 where the trace is of all of it; 0: not known
    writing: float  #: s that a job writes its results, modelled
    energy: SimulatedEnergy | None

    @property
    def whole(self) -> float:
        """Elapsed time of a job; of the window where the job's cycles are not known."""
        return self.window * (self.factor or 1.0) + self.writing

    @property
    def range(self) -> tuple[float, float]:
        """The same of the fastest and the slowest seed."""
        return tuple(w * (self.factor or 1.0) + self.writing for w in (self.low, self.high))

    @property
    def jobs_a_day(self) -> float:
        """Of all jobs side by side."""
        return 86400.0 * len(self.jobs) / self.whole


def simulation_of(experiment: Experiment, results: dict[int, dict]) -> Simulation:
    """Put the results of all seeds together."""
    elapsed = {
        seed: fmean(max(r["ended"] for r in job) for job in said["jobs"]) for seed, said in results.items()
    }
    middle = median(elapsed.values())
    seed = min(elapsed, key=lambda s: (abs(elapsed[s] - middle), s))
    shown = results[seed]
    ranks = [rank for job in shown["jobs"] for rank in job]
    of_ranks = tuple(by_name(rank["spent"], shown["operations"]) for rank in ranks)
    spent = spent_of(ranks, shown["operations"])
    compute = [rank.get("compute", (0.0, 0.0)) for rank in of_ranks]
    seconds = [s for s, _ in compute]
    alone = sum(s - w for s, w in compute)
    until = max(rank["ended"] for rank in ranks)
    first, end = experiment.trace.cycles or (0, 0)
    cycles = end - first
    job_cycles = experiment.options.job_cycles or experiment.trace.job_cycles
    factor = job_cycles / cycles if cycles and job_cycles else float(experiment.trace.whole)
    writing = (
        seconds_of_writing(experiment.cluster, experiment.placement, experiment.options.written)
        if factor
        else 0.0
    )
    return Simulation(
        experiment,
        middle,
        min(elapsed.values()),
        max(elapsed.values()),
        tuple(max(r["ended"] for r in job) for job in shown["jobs"]),
        seed,
        spent,
        of_ranks,
        max(seconds) / fmean(seconds) if sum(seconds) else 1.0,
        fmean(rank["overhead"] for rank in ranks),
        sum(seconds) / alone if alone else 1.0,
        links_of(experiment, shown["links"], until),
        cycles,
        factor,
        writing,
        energy_of(experiment.cluster, experiment.placement, middle * (factor or 1.0) + writing),
    )


def by_name(spent: list[list], operations: list[str]) -> dict[str, tuple[float, float]]:
    """Seconds and waiting of one rank."""
    return {operations[k]: (seconds, waiting) for k, _, seconds, waiting in spent}


def spent_of(ranks: list[dict], operations: list[str]) -> tuple[Spent, ...]:
    """Means over ranks, compute first, then point to point, then the rest by seconds."""
    calls, seconds, waiting, most = Counter(), Counter(), Counter(), Counter()
    for rank in ranks:
        own = Counter()
        for k, count, taken, waited in rank["spent"]:
            name = operations[k]
            kind = "point to point" if name in POINT_TO_POINT else name
            calls[kind] += count
            seconds[kind] += taken
            waiting[kind] += waited
            own[kind] += taken
        for kind, taken in own.items():
            most[kind] = max(most[kind], taken)
    n = len(ranks)
    order = sorted(seconds, key=lambda k: (k != "compute", k != "point to point", -seconds[k], k))
    return tuple(Spent(k, calls[k] / n, seconds[k] / n, waiting[k] / n, most[k]) for k in order)


def links_of(experiment: Experiment, loads: list[list], elapsed: float) -> tuple[LinkLoad, ...]:
    """Of all links, the busiest first."""
    found = [
        LinkLoad(name, carried, messages, carried / (bandwidth * elapsed) if elapsed else 0.0, held)
        for (name, bandwidth, _, _), (carried, messages, held) in zip(
            experiment.machine["links"], loads, strict=True
        )
        if not name.endswith(" inside")  # bounds each message alone; what they share is the memory
    ]
    return tuple(sorted(found, key=lambda link: (-link.busy, link.name)))
