"""The experiment to simulate: a trace, a cluster, the placement of jobs; and the key of stored results."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean

from crumple.lab.build_once import digest_of
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.simulate.fabric import Fabric
from crumple.lab.simulate.noise import NOISE
from crumple.lab.simulate.placement import Placement, PlacementWish, place
from crumple.lab.simulate.simulated_machine import Change, collectives_of, machine_of
from crumple.lab.simulate.simulator_program import SOURCES


@dataclass(frozen=True)
class Options:
    """Options of a simulation, besides trace and cluster."""

    wish: PlacementWish = PlacementWish()
    change: Change = Change()
    precision: str = ""  #: of the element computations on the cluster; "": as in the trace
    noise: float = NOISE
    seeds: tuple[int, ...] = (1, 2, 3)  #: one simulation for each
    reference_rate: float = 0.0  #: element updates per second of the trace's machine; 0: as in the trace
    speed: float = 0.0  #: speed of a core of the cluster over one of the trace's machine; 0: from rates
    job_cycles: int = 0  #: cycles of the whole job; 0: as in the trace
    written: float = 0.0  #: bytes that a job writes


@dataclass(frozen=True)
class Experiment:
    """One experiment, with all its seeds."""

    trace: Trace
    cluster: Cluster
    options: Options
    placement: Placement
    fabric: Fabric
    machine: dict = field(repr=False)
    speed: float  #: operations of the trace per second on one core alone

    @property
    def stagger(self) -> float:
        """Seconds between the starts of jobs side by side: a cycle's compute over the number of jobs.

        Copies that start together would always compute and send at the same times, as no two real jobs do.
        """
        seconds, cycles = self.trace.meta.get("seconds"), self.trace.cycles
        if not seconds or not cycles:
            return 0.0
        work = fmean(seconds) * self.trace.operations_per_second
        return work / self.speed / (cycles[1] - cycles[0]) / len(self.placement.places)

    def key(self, seed: int) -> str:
        """SHA-256 of everything that a result depends on."""
        what = {
            "machine": self.machine,
            "places": self.placement.places,
            "collectives": collectives_of(self.cluster, self.trace.ranks),
            "trace": self.trace.digest,
            "stagger": self.stagger,
            "noise": self.options.noise,
            "seed": seed,
            "simulator": digest_of(SOURCES),
        }
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()

    def as_json(self, folder: Path, seed: int, timeline: tuple[str, float] = ("", 0.0)) -> dict:
        """The input of the simulator.

        Args:
            folder: folder of the trace's uncompressed files
            timeline: file to write, and its end in simulated seconds
        """
        sockets = self.cluster.node.sockets
        collectives = collectives_of(self.cluster, self.trace.ranks)
        files = [str(folder / name.removesuffix(".zst")) for name in self.trace.files]
        jobs = [
            {
                "files": files,
                "places": [n * sockets + s for n, s in places],
                "collectives": collectives,
                "start": self.stagger * job,
            }
            for job, places in enumerate(self.placement.places)
        ]
        return self.machine | {
            "jobs": jobs,
            "seed": seed,
            "compute_noise": self.options.noise,
            "lines": int(self.trace.meta.get("lines", 0)) * len(jobs),
            "timeline": timeline[0],
            "timeline_until": timeline[1],
        }


def speed_of(trace: Trace, cluster: Cluster, options: Options) -> float:
    """Operations of the trace per second on one core of the cluster.

    If a rate is not known, the same as on the trace's machine; `assumed` reports this.
    """
    if options.speed:
        return trace.operations_per_second * options.speed
    reference = options.reference_rate or trace.element_rate
    cpu = cluster.node.cpu
    if not reference or not cpu.rate_known:
        return trace.operations_per_second
    precision = options.precision or trace.meta.get("reference", {}).get("precision", "double")
    rate = cpu.rate_single if precision == "single" else cpu.rate_double
    return trace.operations_per_second * rate / reference


def assumed(trace: Trace, cluster: Cluster, options: Options) -> list[str]:
    """Assumptions about the speed of computing, one per line."""
    said = []
    rate, known = options.reference_rate or trace.element_rate, cluster.node.cpu.rate_known
    if not options.speed and not (rate and known):
        machine = trace.machine or "the machine that the trace was recorded on"
        missing = f"the rate of {cluster.node.cpu.name}" if rate else "the speed of the latter"
        tell = "--speed" if rate else "--speed or --reference"
        said.append(
            f"a core of {cluster.name} is as fast as one of {machine}, because {missing} is not known; "
            f"give it with {tell}"
        )
    if not trace.element_rate:
        scaled = "between processors, and " if rate and known and not options.speed else ""
        filling = "with more busy cores of a socket"
        said.append(f"{scaled}{filling}, the speed of this program changes like that of shell elements")
    if options.wish.jobs > 1 and not trace.cycles:
        said.append("jobs side by side start together, because the trace does not give the length of a cycle")
    return said


def experiment_of(trace: Trace, cluster: Cluster, options: Options) -> Experiment:
    """Build an experiment.

    Raises:
        SimulationError: the job does not fit on the cluster.
    """
    placement = place(cluster, trace.ranks, options.wish)
    speed = speed_of(trace, cluster, options)
    machine, fabric = machine_of(cluster, placement, speed, options.change)
    return Experiment(trace, cluster, options, placement, fabric, machine, speed)


def settings(options: Options) -> dict:
    """The options as data."""
    return asdict(options)
