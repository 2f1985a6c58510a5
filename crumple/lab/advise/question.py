"""The question: what to optimise, within which limits, at which prices."""

import re
from dataclasses import dataclass, replace

from crumple.lab.advise.objective import Objective
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.simulator_program import SimulationError

UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class AdviceError(SimulationError):
    """No advice is possible. The message gives the reason and what to do."""


@dataclass(frozen=True)
class Question:
    """A question about a deck and a cluster."""

    objective: Objective = Objective.jobs_per_day
    deadline: float = float("inf")  #: time limit of one job in s
    licences: int | None = None  #: one per core in use, for all jobs side by side; None: unlimited
    licence_hour: float = 0.0  #: price of one licence per hour
    written: float = 0.0  #: bytes that a job writes
    unused_idle: bool = True  #: nodes without ranks use idle power; False: they do not count


def seconds_of(text: str) -> float:
    """Seconds of a time such as 8h, 90 min, 30s; without a unit it is in seconds.

    Raises:
        AdviceError: it is not a time.
    """
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+) *(s|min|m|h|d)?", text.strip())
    if not found or not float(found[1]) > 0:
        raise AdviceError(f"--deadline {text}: give a time such as 8h, 90min or 2d")
    return float(found[1]) * UNITS[found[2] or "s"]


def at_prices(cluster: Cluster, pue: float | None, kwh: float | None, node_hour: float | None) -> Cluster:
    """The cluster with prices and PUE of the command line instead of those in its file."""
    node = cluster.node if node_hour is None else replace(cluster.node, price_per_hour=node_hour)
    return replace(
        cluster,
        node=node,
        pue=cluster.pue if pue is None else pue,
        price_per_kwh=cluster.price_per_kwh if kwh is None else kwh,
    )


def check(question: Question, cluster: Cluster) -> None:
    """Check that the cluster has the figures for the objective.

    Raises:
        AdviceError: a figure is missing.
    """
    if question.objective is Objective.energy and not cluster.node.peak_watts:
        raise AdviceError(
            f"--objective energy: the power of the nodes of {cluster.name} is not known: give idle_watts and "
            "peak_watts in [node] of the cluster file"
        )
    if question.objective is Objective.cost and cluster.price_per_kwh and not cluster.node.peak_watts:
        raise AdviceError(
            f"--objective cost: a kWh has a price, and the power of the nodes of {cluster.name} is not "
            "known: give idle_watts and peak_watts in [node] of the cluster file, or --kwh 0"
        )
    prices = (cluster.node.price_per_hour, cluster.price_per_kwh, question.licence_hour)
    if question.objective is Objective.cost and not any(prices):
        raise AdviceError(
            "--objective cost: there are no prices: give --node-hour, --kwh or --licence-hour, or "
            "price_per_hour in [node] and price_per_kwh in [cluster] of the cluster file"
        )
