"""Results of a simulation in simulated seconds: elapsed time and its parts, loads of links and memory."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import fmean, median

from crumple.lab.simulate.experiment import Experiment
from crumple.lab.simulate.simulated_energy import SimulatedEnergy, energy_of
from crumple.lab.simulate.writing import seconds_of_writing

POINT_TO_POINT = ("send", "isend", "recv", "irecv", "wait", "waitall")


@dataclass(frozen=True)
class Spent:
    """Seconds of one kind of work in the window; means over ranks except `most`."""

    name: str
    calls: float
    seconds: float
    waiting: float  #: part of these: waiting for late ranks; of compute: for the memory bus
    most: float  #: of the rank with the most


@dataclass(frozen=True)
class LinkLoad:
    """Load of one direction of a cable, or of a memory bus, in the window."""

    name: str
    bytes: float
    messages: int
    busy: float  #: bytes over the bytes that it could carry in this time
    held_up: float  #: additional s of all messages due to others on it


@dataclass(frozen=True)
class Simulation:
    """The simulation of a trace on a cluster, with all jobs and seeds."""

    experiment: Experiment = field(repr=False)
    window: float  #: elapsed time, median of the seeds
    low: float
    high: float
    jobs: tuple[float, ...]  #: elapsed time of the window of each job, for the shown seed
    seed: int  #: the seed whose details are shown: that of the median
    spent: tuple[Spent, ...]
    ranks_spent: tuple[dict[str, tuple[float, float]], ...] = field(repr=False)  #: rank: seconds, waiting
    imbalance: float  #: largest compute of a rank over the mean
    overhead: float  #: processor time of messages between nodes, mean over ranks
    memory_slowdown: float  #: compute over that with no other core busy
    links: tuple[LinkLoad, ...] = field(repr=False)
    cycles: int  #: cycles of the window; 0: not known
    factor: float  #: the whole job over the window; 1: the trace is the whole job; 0: not known
    writing: float  #: modelled s that a job writes its results
    energy: SimulatedEnergy | None

    @property
    def whole(self) -> float:
        """Elapsed time of a job, or of the window if the cycles of the job are not known."""
        return self.window * (self.factor or 1.0) + self.writing

    @property
    def range(self) -> tuple[float, float]:
        """The same for the fastest and the slowest seed."""
        return tuple(w * (self.factor or 1.0) + self.writing for w in (self.low, self.high))

    @property
    def jobs_a_day(self) -> float:
        """Jobs per day, of all jobs side by side."""
        return 86400.0 * len(self.jobs) / self.whole


def simulation_of(experiment: Experiment, results: dict[int, dict]) -> Simulation:
    """Combine the results of all seeds."""
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
        seconds_of_writing(
            experiment.cluster,
            experiment.placement,
            experiment.options.written,
            by_all=experiment.trace.of_solver,
        )
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
    """Seconds and waiting of one rank, by name."""
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
    """Loads of all links, the busiest first."""
    found = [
        LinkLoad(name, carried, messages, carried / (bandwidth * elapsed) if elapsed else 0.0, held)
        for (name, bandwidth, _, _), (carried, messages, held) in zip(
            experiment.machine["links"], loads, strict=True
        )
        if not name.endswith(" inside")  # it limits single messages; the shared resource is the memory
    ]
    return tuple(sorted(found, key=lambda link: (-link.busy, link.name)))
