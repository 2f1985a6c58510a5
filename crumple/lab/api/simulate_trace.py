"""Predictions of runs on clusters from Python, as `crumple simulate` makes them."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.profile.trace.trace_folder import Trace, open_trace
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.simulated_machine import Change

SEEDS = (1, 2, 3)  #: of the noise, a simulation each


def simulate_trace(
    trace: Trace | str | os.PathLike[str],
    cluster: Cluster | str | os.PathLike[str],
    jobs: int = 1,
    share: Literal["node", "socket", "half-socket", "core"] | None = None,
    ranks_per_node: int | None = None,
    oversubscribe: bool = False,
    precision: Literal["", "single", "double"] = "",
    speed: float = 0.0,
    job_cycles: int = 0,
    written: float = 0.0,
    latency_factor: float = 1.0,
    extra_hops: int = 0,
    seeds: Sequence[int] = SEEDS,
    cache: bool = True,
) -> Simulation:
    """The elapsed time of a job on a cluster, and what it consists of.

    Args:
        trace: a trace, or its folder
        cluster: a cluster, or its file
        jobs: copies of the run side by side
        share: part of each node that a job gets; default: all jobs share all nodes
        ranks_per_node: of one job; default: one for each core of its share
        precision: of the element computations there; default: the trace's
        speed: of a core there over one of the trace's machine; default: from rates of elements
        job_cycles: of the whole job; default: as in the trace
        written: bytes that a job writes
        latency_factor, extra_hops: what is changed of the network
        seeds: one simulation for each; (0,): one without noise

    Raises:
        SimulationError: it cannot be simulated; NoPlaceError, one of these: it does not fit on the cluster.
        CatalogueError: the cluster file is wrong.
        TraceError: the trace is damaged.
    """
    there = cluster if isinstance(cluster, Cluster) else read_cluster(Path(cluster))
    known = trace if isinstance(trace, Trace) else open_trace(Path(trace))
    options = Options(
        wish=PlacementWish(jobs, share, ranks_per_node, oversubscribe),
        change=Change(latency_factor, extra_hops),
        precision=precision,
        seeds=tuple(seeds),
        speed=speed,
        job_cycles=job_cycles,
        written=written,
    )
    return conduct([experiment_of(known, there, options)], use_cache=cache)[0]
