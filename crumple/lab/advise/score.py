"""The score of a candidate: elapsed time and its parts, jobs per day, energy and money per job."""

from dataclasses import dataclass, field, replace

from crumple.lab.advise.candidates import Candidate, as_seen_by
from crumple.lab.advise.question import Objective, Question
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.loggp import estimate
from crumple.lab.simulate.placement import Placement
from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.simulated_energy import SimulatedEnergy, energy_of
from crumple.lab.simulate.volume import Volume
from crumple.lab.simulate.writing import seconds_of_writing

MODELLED, SIMULATED = "modelled", "simulated"
#: parts of the time of a rank, in the order of charts
PARTS = ("work", "memory bus", "imbalance", "point to point", "collectives", "writing")


@dataclass(frozen=True)
class Score:
    """The score of one candidate on one cluster."""

    candidate: Candidate
    placement: Placement = field(repr=False)
    label: str  #: modelled or simulated
    elapsed: float  #: s, of one job
    low: float  #: elapsed time of the fastest seed, and of the slowest
    high: float
    parts: dict[str, float]  #: s, mean over ranks
    energy: SimulatedEnergy | None  #: for all jobs side by side
    money: float  #: per job, with licences

    @property
    def jobs_a_day(self) -> float:
        """Jobs per day, of all jobs side by side."""
        return 86400.0 * len(self.placement.places) / self.elapsed

    @property
    def wh(self) -> float | None:
        """Energy of one job; None if the power of the nodes is not known."""
        return self.energy.a_job if self.energy else None

    def figure(self, objective: Objective) -> float:
        """The figure to minimise."""
        return {
            Objective.jobs_per_day: -self.jobs_a_day,
            Objective.time: self.elapsed,
            Objective.energy: self.wh if self.wh is not None else float("inf"),
            Objective.cost: self.money,
        }[objective]

    def gain(self, other: "Score", objective: Objective) -> float:
        """Relative gain over another score; negative if this one is worse."""
        if objective is Objective.jobs_per_day:
            return self.jobs_a_day / other.jobs_a_day - 1
        mine, theirs = self.figure(objective), other.figure(objective)
        return 1 - mine / theirs if theirs else 0.0


def energy_and_money(
    cluster: Cluster, placement: Placement, seconds: float, cores: int, question: Question
) -> tuple[SimulatedEnergy | None, float]:
    """Energy of all jobs and money of one job, for a run of so many seconds.

    Args:
        cores: used by all jobs, each with a licence
    """
    jobs, hours = len(placement.places), seconds / 3600.0
    counted = cluster if question.unused_idle else replace(cluster, nodes=placement.nodes)
    energy = energy_of(counted, placement, seconds)
    nodes = cluster.node.price_per_hour * hours * placement.nodes
    money = energy.money if energy else nodes
    return energy, (money + question.licence_hour * hours * cores) / jobs


def modelled(
    candidate: Candidate, trace: Trace, volume: Volume, cluster: Cluster, question: Question
) -> Score:
    """The score by the analytic model.

    Raises:
        NoPlaceError: the job does not fit on the cluster.
    """
    teams = as_seen_by(cluster, candidate)
    found = estimate(trace, volume, teams, Options(candidate.wish))
    factor = factor_of(trace)
    writing = seconds_of_writing(cluster, found.placement, question.written, by_all=trace.of_solver)
    elapsed = found.seconds * factor + writing
    window = {
        "work": found.alone,
        "memory bus": found.bus,
        "imbalance": found.compute - found.alone - found.bus,
        "point to point": found.point_to_point,
        "collectives": found.collectives,
    }
    parts = {name: seconds * factor for name, seconds in window.items()} | {"writing": writing}
    energy, money = energy_and_money(teams, found.placement, elapsed, candidate.cores, question)
    return Score(candidate, found.placement, MODELLED, elapsed, elapsed, elapsed, parts, energy, money)


def factor_of(trace: Trace) -> float:
    """Time of the whole job over that of the window."""
    first, end = trace.cycles or (0, 1)
    return trace.job_cycles / (end - first) if trace.job_cycles else 1.0


def experiment_for(candidate: Candidate, trace: Trace, cluster: Cluster, question: Question, seeds: tuple):  # noqa: ANN201
    """The experiment that simulates a candidate."""
    options = Options(candidate.wish, seeds=seeds, written=question.written)
    return experiment_of(trace, as_seen_by(cluster, candidate), options)


def simulated(candidate: Candidate, done: Simulation, question: Question) -> Score:
    """The score by the simulator."""
    cluster, placement = done.experiment.cluster, done.experiment.placement
    energy, money = energy_and_money(cluster, placement, done.whole, candidate.cores, question)
    low, high = done.range
    return Score(candidate, placement, SIMULATED, done.whole, low, high, parts_of(done), energy, money)


def parts_of(done: Simulation) -> dict[str, float]:
    """The parts of the time of the whole job; waiting for late ranks is imbalance."""
    factor, window = done.factor or 1.0, dict.fromkeys(PARTS, 0.0)
    for spent in done.spent:
        if spent.name == "compute":
            window["work"] += spent.seconds - spent.waiting
            window["memory bus"] += spent.waiting
            continue
        kind = "point to point" if spent.name == "point to point" else "collectives"
        window[kind] += spent.seconds - spent.waiting
        window["imbalance"] += spent.waiting
    window["imbalance"] += max(0.0, done.window - sum(window.values()))  # the rank ended before the last one
    return {name: seconds * factor for name, seconds in window.items()} | {"writing": done.writing}
