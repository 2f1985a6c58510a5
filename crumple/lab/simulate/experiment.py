"""What is simulated: a trace, a cluster, how jobs are laid over it; and what results are cached by."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean

from crumple.lab.build_once import digest_of
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.fabric import Fabric
from crumple.lab.simulate.machine import Change, collectives_of, machine_of
from crumple.lab.simulate.placement import Placement, Wish, place
from crumple.lab.simulate.program import SOURCES
from crumple.lab.traces.trace import Trace

NOISE = 0.01  #: standard deviation of a block of compute, relative


@dataclass(frozen=True)
class Options:
    """Of a simulation, beside trace and cluster."""

    wish: Wish = Wish()
    change: Change = Change()
    precision: str = ""  #: of element work on the cluster; "": as in the trace
    noise: float = NOISE
    seeds: tuple[int, ...] = (1, 2, 3)  #: one simulation each
    core_speed: float = 0.0  #: of the cluster over the trace's machine; 0: by element updates a second
    reference_rate: float = 0.0  #: element updates a second of the trace's machine; 0: as the trace says
    job_cycles: int = 0  #: of the whole job; 0: as the trace says
    written: float = 0.0  #: bytes that a job writes


@dataclass(frozen=True)
class Experiment:
    """One to simulate, with all seeds."""

    trace: Trace
    cluster: Cluster
    options: Options
    placement: Placement
    fabric: Fabric
    machine: dict = field(repr=False)
    speed: float  #: operations of the trace a second of one core alone

    @property
    def same_speed(self) -> bool:
        """Whether cores are taken to be as fast as those of the trace's machine, for nothing tells."""
        o = self.options
        return not (o.core_speed or o.reference_rate or self.trace.element_rate)

    @property
    def stagger(self) -> float:
        """Seconds between the starts of jobs side by side: a cycle's compute, divided by them evenly.

        Copies that start together would compute and send in step to the end, as no two real jobs do.
        """
        seconds, cycles = self.trace.meta.get("seconds"), self.trace.cycles
        if not seconds or not cycles:
            return 0.0
        work = fmean(seconds) * self.trace.operations_per_second
        return work / self.speed / (cycles[1] - cycles[0]) / len(self.placement.places)

    def key(self, seed: int) -> str:
        """SHA-256 of all that a result depends on."""
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
        """What the simulator reads.

        Args:
            folder: of the trace's uncompressed files
            timeline: file to write and until when, in simulated seconds
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
    """Operations of the trace that one core of the cluster does a second.

    By element updates a second, where the trace or the options say how many its machine does; of any other
    program by the options' speed of a core, or without it as fast as on the trace's machine.
    """
    if options.core_speed:
        return trace.operations_per_second * options.core_speed
    reference = options.reference_rate or trace.element_rate
    if not reference:
        return trace.operations_per_second
    cpu = cluster.node.cpu
    precision = options.precision or trace.meta.get("reference", {}).get("precision", "double")
    rate = cpu.rate_single if precision == "single" else cpu.rate_double
    return trace.operations_per_second * rate / reference


def experiment_of(trace: Trace, cluster: Cluster, options: Options) -> Experiment:
    """Put an experiment together.

    Raises:
        SimulationError: the job has no place on the cluster.
    """
    placement = place(cluster, trace.ranks, options.wish)
    speed = speed_of(trace, cluster, options)
    machine, fabric = machine_of(cluster, placement, speed, options.change)
    return Experiment(trace, cluster, options, placement, fabric, machine, speed)


def settings(options: Options) -> dict:
    """Options as data."""
    return asdict(options)
