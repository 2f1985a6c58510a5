"""Prediction of a case by the analytic model: seconds per cycle, their parts, energy."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from crumple.lab.applications.case import StudyError
from crumple.lab.catalogue.assemble import file_system_of
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.entries import KINDS
from crumple.lab.catalogue.figure import read_entries
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.profile.trace.steps import FILES
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.published.factorisation import seconds_of_step
from crumple.lab.published.flow import flow_trace, flow_volume
from crumple.lab.published.implicit_step import can_simulate, simulate_step
from crumple.lab.published.model_sharing import ModelSharing, States
from crumple.lab.published.patterns import SMALL, contents, recordings_of
from crumple.lab.published.programs import OURS, Program, PublishedProfile, stand_in
from crumple.lab.published.published_file import DECKS, PublishedCase
from crumple.lab.simulate.experiment import Options
from crumple.lab.simulate.loggp import estimate
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.simulated_energy import energy_of
from crumple.lab.simulate.simulated_machine import ALGORITHMS, TWO_LEVELS, Change
from crumple.lab.simulate.simulator_program import SimulationError
from crumple.lab.simulate.volume import Volume
from crumple.lab.simulate.writing import seconds_of_dumping, seconds_of_writing
from crumple.lab.toml_table import nearest
from crumple.models import find_model
from crumple.places import shipped

SHIPPED = shipped("benchmarks/clusters")


@dataclass(frozen=True)
class JobPrediction:
    """Prediction for one job of a case: seconds per cycle, or of the whole job if its cycles are given."""

    seconds: float
    compute: float  #: mean over ranks
    collectives: float  #: with the waiting for the slowest rank
    point_to_point: float
    writing: float
    energy: float  #: Wh per job
    messages: float  #: sent per rank and cycle
    small: float  #: share of messages up to SMALL
    large_bytes: float  #: bytes of the other messages per cycle, all ranks
    message_bytes: float  #: mean bytes of a message

    @property
    def in_mpi(self) -> float:
        """Share of MPI in the time."""
        return 1.0 - self.compute / self.seconds


@dataclass(frozen=True)
class Load:
    """Work and messages of the ranks of a job in some cycles."""

    volume: Volume
    sizes: dict[int, int]  #: number of messages between two ranks, by their bytes
    cycles: int
    elements: float  #: per rank
    trace: Trace  #: trace whose machine did the work

    def messages(self, program: Program, of_program: Volume) -> tuple[float, float, float]:
        """Messages per rank and cycle, the share of small ones, and the bytes of the others of all ranks.

        A reduction counts as a message in each of its rounds. Our messages between two ranks have many sizes.
        """
        ranks = self.volume.ranks
        rounds = math.ceil(math.log2(max(2, ranks))) * ranks
        reduced = [(rounds * calls, size) for (_, size), calls in of_program.collectives.items()]
        between = np.array([(count, size) for size, count in self.sizes.items()]).reshape(-1, 2)
        if program.to_each:
            _, _, number, total = of_program.pairs.T
            between = np.column_stack([number, total / number])
        count, size = np.concatenate([between, np.array(reduced).reshape(-1, 2)]).T
        small, whole = size <= SMALL, float(count.sum())
        large = float((count * size)[~small].sum())
        return whole / ranks / self.cycles, float(count[small].sum()) / max(1.0, whole), large / self.cycles


class Predictor:
    """Predicts the cases of a study file; stores results that several cases need."""

    def __init__(self, folder: Path, clusters: Path, decompositions: dict[ModelSharing, States]) -> None:
        self.folder = folder
        self.clusters = clusters
        self.decompositions = decompositions
        self.loads: dict[ModelSharing, Load] = {}
        self.done: dict[tuple[Program, PublishedCase], JobPrediction] = {}

    def predict(self, program: Program, case: PublishedCase) -> JobPrediction:
        """Predict a case with a program.

        Raises:
            StudyError: its cluster cannot be read, or is too small.
        """
        if (program, case) not in self.done:
            self.done[program, case] = self.worked_out(program, case)
        return self.done[program, case]

    def load(self, sharing: ModelSharing) -> Load:
        """Work and messages of our solver."""
        if sharing not in self.loads:
            windows = recordings_of(sharing.model)
            said = contents(windows, self.decompositions[sharing])
            trace = replace(windows[-1].trace, ranks=sharing.ranks)
            per_rank = sharing.elements / sharing.ranks
            cycles = sum(window.cycles for window in windows)
            self.loads[sharing] = Load(said.volume, said.sizes, cycles, per_rank, trace)
        return self.loads[sharing]

    def load_of(self, program: Program, case: PublishedCase, cluster: Cluster) -> Load:
        """Work and messages of the ranks in a case."""
        sharing = sharing_of(case, cluster, self.folder)
        if case.model != "flow":
            return self.load(sharing)
        volume = flow_volume(case.elements, sharing.ranks, program.flow_message)
        return Load(volume, {}, 1, 0.0, flow_trace(sharing.ranks))

    def worked_out(self, program: Program, case: PublishedCase) -> JobPrediction:
        """The prediction by the model."""
        cluster = cluster_of(case, self.clusters)
        if case.model == "factorisation":
            return direct_solution(cluster, case)
        load = self.load_of(program, case, cluster)
        there, options = self.set_up(program, case, cluster)
        of_program = (
            load.volume if case.model == "flow" else program.changed(load.volume, load.cycles, case.precision)
        )
        found = estimate(load.trace, of_program, there, options)
        mean = found.compute * float(of_program.compute.mean()) / of_program.critical
        cycles = case.cycles or 1
        scale = cycles / load.cycles
        running = found.seconds * scale
        writing = seconds_of_writing(there, found.placement, case.written, case.states, running)
        writing += seconds_of_dumping(there, found.placement, case.dumped, case.dumps)
        seconds = running + writing
        energy = energy_of(replace(there, nodes=case.nodes), found.placement, seconds)
        count, size = of_program.pairs[:, 2], of_program.pairs[:, 3]
        return JobPrediction(
            seconds,
            mean * scale,
            (found.collectives + found.compute - mean) * scale,
            found.point_to_point * scale,
            writing,
            energy.a_job if energy else 0.0,
            *load.messages(program, of_program),
            float(size.sum() / max(1.0, count.sum())),
        )

    def set_up(self, program: Program, case: PublishedCase, cluster: Cluster) -> tuple[Cluster, Options]:
        """The cluster for the ranks of a case, and their placement."""
        load = self.load_of(program, case, cluster)
        there = with_elements(inside_of(cluster, case), load.elements, program.work)
        wish = PlacementWish(case.jobs, ranks_per_node=load.volume.ranks // case.nodes)
        change = Change(case.latency_factor, case.extra_hops)
        return there, Options(wish, change, precision=case.precision)

    def stand_in(self, profile: PublishedProfile) -> Program:
        """The program that takes the published time on the published cluster.

        The seconds per element are found by bisection: the elapsed time grows with them.
        """
        case = PublishedCase(
            model=profile.model, cluster=profile.cluster, nodes=profile.nodes, cycles=profile.cycles
        )
        cluster = cluster_of(case, self.clusters)
        sharing = sharing_of(case, cluster, self.folder)
        program = OURS
        low, high = 0.01, 100.0
        for _ in range(40):
            work = (low * high) ** 0.5
            computing = self.worked_out(Program("", work), case).compute / case.cycles
            of_element = computing * sharing.ranks / sharing.elements
            program = stand_in(profile, work, of_element)
            if self.worked_out(program, case).seconds < profile.seconds:
                low = work
            else:
                high = work
        return program


def cluster_of(case: PublishedCase, clusters: Path) -> Cluster:
    """The cluster of a case, from the study's folder or from those that are shipped.

    Raises:
        CatalogueError: it is missing, or wrong.
        StudyError: it has too few nodes.
    """
    path = clusters / f"{case.cluster}.toml"
    if not path.is_file() and (shipped := SHIPPED / path.name).is_file():
        path = shipped
    cluster = read_once(path, case.file_system)
    if case.nodes > cluster.nodes:
        raise StudyError(f"{case.nodes} nodes, and {case.cluster} has {cluster.nodes}")
    return cluster


@lru_cache(maxsize=64)
def read_once(path: Path, file_system: str) -> Cluster:
    """Read a cluster file, with another file system of the catalogue if one is named.

    Raises:
        CatalogueError: one of them is missing, or wrong.
    """
    cluster = read_cluster(path)
    if not file_system:
        return cluster
    kept, model = KINDS["file_system"]
    entries = read_entries(kept, model)
    if file_system not in entries:
        raise StudyError(f"file_system: there is no '{file_system}'{nearest(file_system, list(entries))}")
    return replace(cluster, file_system=file_system_of(entries[file_system], {}))


def direct_solution(cluster: Cluster, case: PublishedCase) -> JobPrediction:
    """Prediction of an implicit step; case.elements is the number of equations.

    By simulation of its trace; by a formula on numbers of ranks whose division is not stored, or without
    SimGrid.
    """
    ranks = case.nodes * (case.ranks_per_node or cluster.node.cores)
    if can_simulate(ranks):
        try:
            return of_simulation(simulate_step(cluster, case.nodes, ranks, case.elements), case)
        except SimulationError:
            pass  # no SimGrid here
    clock = cluster.sources["cpu.clock"].value
    computing, moving = seconds_of_step(cluster, case.nodes, ranks, case.elements, clock)
    return JobPrediction(computing + moving, computing, 0.0, 0.0, moving, 0.0, 0.0, 0.0, 0.0, 0.0)


def of_simulation(found: Simulation, case: PublishedCase) -> JobPrediction:
    """Prediction from a simulated step; waiting for files counts as writing."""
    spent = {s.name: s.seconds for s in found.spent}
    files = sum(spent.get(name, 0.0) for name in FILES)
    messages = spent.get("point to point", 0.0)
    compute = spent.get("compute", 0.0)
    energy = energy_of(
        replace(found.experiment.cluster, nodes=case.nodes), found.experiment.placement, found.window
    )
    return JobPrediction(
        found.window,
        compute,
        max(0.0, found.window - compute - messages - files),
        messages,
        files,
        energy.a_job if energy else 0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    )


def sharing_of(case: PublishedCase, cluster: Cluster, folder: Path) -> ModelSharing:
    """Model, ranks and options of a case's decomposition."""
    cores = case.ranks_per_node or cluster.node.cores
    pfile = None if case.decomposition == "stock" else folder / case.decomposition
    elements = case.elements or (find_model(case.model).published if case.model in DECKS else 0)
    return ModelSharing(case.model, elements, case.nodes * cores // case.jobs, pfile)


def inside_of(cluster: Cluster, case: PublishedCase) -> Cluster:
    """The cluster; if the case says so, the ranks of a node communicate through the adapter.

    A message goes out and comes in again at the same time: port and bus have both directions at full
    bandwidth (InfiniHost on PCI Express: 968 MB/s in one, 1,916 in both; Liu, Mamidala, Vishnu, Panda,
    Hot Interconnects 2004), and by loopback so QDR surpassed shared memory (Koop, Huang, Gopalakrishnan,
    Panda, Hot Interconnects 2008). Collectives have no level of shared memory then.
    """
    if case.inside == "shared memory":
        return cluster
    network = cluster.network
    latency = (
        network.latency + network.send_overhead + network.receive_overhead + cluster.topology.hop_latency
    )
    node = replace(
        cluster.node, intra_latency=latency, intra_bandwidth=network.bandwidth, through_adapter=True
    )
    collectives = {
        operation: tuple(
            (most, ranks, ALGORITHMS[operation][0][1] if name == TWO_LEVELS else name)
            for most, ranks, name in choices
        )
        for operation, choices in cluster.mpi.collectives.items()
    }
    return replace(cluster, node=node, mpi=replace(cluster.mpi, collectives=collectives))


def with_elements(cluster: Cluster, elements: float, work: float) -> Cluster:
    """The cluster with the mutual slow-down of cores for this number of elements per rank; 0: unchanged.

    Args:
        work: seconds of an element over ours; the same bytes are then moved in a longer time
    """
    cpu = cluster.node.cpu
    if not elements:
        return cluster
    slower = replace(cpu, rate_double=cpu.rate_double / work)
    rates = tuple((float(n), slower.factor(n, elements)) for n in range(1, cpu.cores + 1))
    return replace(cluster, node=replace(cluster.node, cpu=replace(cpu, rate_when_busy=rates)))
