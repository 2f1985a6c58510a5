"""Command lines that start ranks on several nodes: mpirun, srun, ranks per node, cores of each job."""

from pathlib import Path

from crumple.lab.applications.case import StudyCase
from crumple.lab.study.study_file import Where
from crumple.mpi import Mpi, options, with_options

PLACE = Path(__file__).with_name("place.sh")
PLUGINS = {"mpich": "pmi2", "openmpi": "pmix"}  #: for srun --mpi


def nodes_of(case: StudyCase) -> int | None:
    """Number of nodes of a case; None: the scheduler may distribute its ranks."""
    return case.ranks // case.ranks_per_node if case.ranks_per_node else None


def node_obstacle(case: StudyCase, nodes: int, cores: int, oversubscribe: bool) -> str:
    """Why a case does not fit on nodes; empty if it does.

    Args:
        nodes: number of nodes
        cores: cores per node
    """
    wanted = nodes_of(case)
    if wanted is None:
        if case.jobs > 1:
            return "jobs side by side on nodes need ranks_per_node"
        if case.binding != "none":
            return "a binding on nodes needs ranks_per_node"
        if case.cores() > nodes * cores and not oversubscribe:
            have = "1 node has" if nodes == 1 else f"{nodes} nodes have"
            return f"needs {case.cores()} cores, and {have} {nodes * cores}"
        return ""
    if wanted > nodes:
        return f"needs {wanted} nodes, and there are {nodes}"
    busy = case.ranks_per_node * case.threads * case.jobs
    if busy > cores and not oversubscribe:
        return f"needs {busy} cores of each node, and a node has {cores}"
    return ""


def placed(case: StudyCase, job: int) -> list[str]:
    """Command line that binds each rank to the cores of its job."""
    if case.binding == "none":
        return []
    wanted = case.ranks_per_node * case.threads
    return ["bash", str(PLACE), case.binding, str(job), str(case.jobs), str(wanted)]


def mpirun_on_nodes(case: StudyCase, mpi: Mpi, job: int, oversubscribe: bool, own: list[str]) -> list[str]:
    """mpirun within an allocation that it finds itself, up to the program.

    Args:
        own: launcher options of the study
    """
    found = options(mpi.family, share=oversubscribe, unbound=True, device=case.device)
    if case.ranks_per_node:
        per_node = str(case.ranks_per_node)
        found += ["--map-by", f"ppr:{per_node}:node"] if mpi.family == "openmpi" else ["-ppn", per_node]
    return [str(mpi.mpirun), *with_options(found, own), "-n", str(case.ranks), *placed(case, job)]


def srun(case: StudyCase, mpi: Mpi, job: int, where: Where) -> list[str]:
    """Slurm's own launcher, up to the program."""
    options = [f"--mpi={where.mpi_plugin or PLUGINS[mpi.family]}", "-n", str(case.ranks)]
    if nodes := nodes_of(case):
        options += ["-N", str(nodes), f"--ntasks-per-node={case.ranks_per_node}"]
    options += ["-c", str(case.threads), "--kill-on-bad-exit=1"]
    if case.jobs > 1:
        options.append("--overlap")
    if case.binding != "none":
        options.append("--cpu-bind=none")
    return ["srun", *options, *where.options_of(case.mpi), *placed(case, job)]
