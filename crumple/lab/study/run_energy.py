"""Energy and money of a run: measured by the machine or Slurm, or modelled from the power of a node."""

import os

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.catalogue.node_watts import CatalogueError, read_nodes
from crumple.lab.study.database import RunOutcome
from crumple.lab.study.study_file import CostTable, EnergyTable, StudyFile
from crumple.lab.study.where.system import Ended
from crumple.lab.toml_table import nearest

JOULES = 3600.0  #: joules in a watt-hour


def with_power(energy: EnergyTable) -> EnergyTable:
    """The same with the watts of the catalogue's node, if it names one.

    Raises:
        StudyError: there is no such node.
    """
    if not energy.node:
        return energy
    try:
        nodes = read_nodes()
    except CatalogueError as error:
        raise StudyError(str(error)) from None
    if energy.node not in nodes:
        raise StudyError(f"the catalogue has no node '{energy.node}'{nearest(energy.node, list(nodes))}")
    node = nodes[energy.node]
    return energy.model_copy(
        update={"idle_watts": node.idle_watts.value, "peak_watts": node.peak_watts.value}
    )


def modelled_watts(case: StudyCase, energy: EnergyTable, cores: int, nodes: int = 1) -> float:
    """Power of nodes with some cores busy: idle power, plus a part proportional to the busy cores.

    A rank that waits in MPI polls, so it counts as busy (Hackenberg et al. 2015 measure the same power).

    Args:
        cores: cores of a node
    """
    busy = min(1.0, case.cores() / (cores * nodes))
    return nodes * (energy.idle_watts + busy * (energy.peak_watts - energy.idle_watts))


def energy_of(case: StudyCase, study: StudyFile, ended: Ended) -> tuple[float, str] | None:
    """Wh of one of the jobs side by side, and whether it is measured; None if it is not known."""
    pue = study.energy.pue if study.energy else 1.0
    times = f", x PUE {pue:g}" if pue != 1.0 else ""
    if ended.joules is not None:
        return pue * ended.joules / JOULES / case.jobs, f"measured ({ended.meter}){times}"
    if study.energy and study.energy.peak_watts:
        cores = int(ended.machine.get("cores", 0)) or os.cpu_count() or 1
        watts = modelled_watts(case, study.energy, cores, ended.nodes)
        return pue * watts * ended.elapsed / JOULES / case.jobs, f"modelled{times}"
    return None


def add_energy_and_cost(outcome: RunOutcome, case: StudyCase, study: StudyFile, ended: Ended) -> None:
    """Add Wh and money per job to the figures of a run, with labels."""
    if outcome.state != "done":
        return
    found = energy_of(case, study, ended)
    for figures in outcome.figures:
        if found:
            figures.values["energy [Wh]"], outcome.labels["energy [Wh]"] = found
        if study.cost:
            name = f"cost [{study.cost.currency}]"
            hours = ended.elapsed / 3600.0
            figures.values[name] = cost_of(case, study.cost, hours, found[0] if found else 0.0, ended.nodes)
            outcome.labels[name] = "modelled"


def cost_of(case: StudyCase, cost: CostTable, hours: float, wh: float, nodes: int = 1) -> float:
    """Money of one of the jobs side by side on nodes."""
    node = cost.node_hour * nodes * hours / case.jobs
    power = cost.kwh * wh / 1000.0
    tokens = cost.tokens_a_job + cost.tokens_a_rank * case.ranks
    return node + power + cost.licence_hour * tokens * hours
