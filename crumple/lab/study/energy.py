"""Energy and money of a run: measured where the machine can, else modelled from a node's power."""

import os

from crumple.lab.study.cases import Case
from crumple.lab.study.database import Outcome
from crumple.lab.study.study_file import Cost, Energy, StudyFile


def modelled_watts(case: Case, energy: Energy, cores: int) -> float:
    """Power of a node with some of its cores busy: idle, and the rest in proportion.

    A rank that waits in MPI polls: it counts as busy (Hackenberg et al. 2015 measure both alike).
    """
    busy = min(1.0, case.cores() / cores)
    return energy.idle_watts + busy * (energy.peak_watts - energy.idle_watts)


def add_energy_and_cost(outcome: Outcome, case: Case, study: StudyFile) -> None:
    """Add Wh and money a job to a run's figures, labelled."""
    if outcome.state != "done":
        return
    hours = outcome.elapsed / 3600.0
    wh = None
    if study.energy:
        watts = modelled_watts(case, study.energy, os.cpu_count() or 1) * study.energy.pue
        wh = watts * hours / case.jobs
    for figures in outcome.figures:
        if wh is not None:
            figures.values["energy [Wh]"] = wh
            outcome.labels["energy [Wh]"] = "modelled"
        if study.cost:
            figures.values[f"cost [{study.cost.currency}]"] = cost_of(case, study.cost, hours, wh)
            outcome.labels[f"cost [{study.cost.currency}]"] = "modelled"


def cost_of(case: Case, cost: Cost, hours: float, wh: float | None) -> float:
    """Money of one of the jobs on a node."""
    node = cost.node_hour * hours / case.jobs
    power = cost.kwh * (wh or 0.0) / 1000.0
    licence = cost.licence_hour * cost.tokens_a_rank * case.ranks * hours
    return node + power + licence
