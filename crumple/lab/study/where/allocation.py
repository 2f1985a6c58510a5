"""Runs within an existing allocation (Slurm, PBS, or the nodes in a file), one after another."""

import os
import re
import tempfile
from collections import Counter
from pathlib import Path

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.study.file_system import obstacle as file_system_obstacle
from crumple.lab.study.study_file import StudyFile
from crumple.lab.study.where.local import Local
from crumple.lab.study.where.ranks_on_nodes import mpirun_on_nodes, node_obstacle, srun
from crumple.lab.study.where.slurm_queue import ask
from crumple.mpi import Mpi


def slots(hostfile: Path) -> Counter[str]:
    """Nodes in a file and their slots: a line per slot (PBS), "node slots=4" (Open MPI) or "node:4" (MPICH).

    Raises:
        StudyError: it cannot be read, or has no nodes.
    """
    found: Counter[str] = Counter()
    try:
        lines = hostfile.read_text().splitlines()
    except OSError as error:
        raise StudyError(f"{hostfile}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StudyError(f"{hostfile} is no text") from None
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        name, _, count = words[0].partition(":")
        count = next((w.removeprefix("slots=") for w in words[1:] if w.startswith("slots=")), count or "1")
        if not re.fullmatch("[0-9]{1,9}", count) or not int(count):
            raise StudyError(f"{hostfile}:{number}: '{count}' is no number of slots")
        found[name] += int(count)
    if not found:
        raise StudyError(f"{hostfile} names no nodes")
    return found


def slots_of_slurm() -> Counter[str]:
    """Nodes of this process's Slurm job, and their cores.

    Raises:
        StudyError: Slurm does not answer.
    """
    names = ask("scontrol", "show", "hostnames", os.environ.get("SLURM_JOB_NODELIST", "")).split()
    cores = []  # such as "16(x3),8"
    for part in os.environ.get("SLURM_JOB_CPUS_PER_NODE", "1").split(","):
        count, _, times = part.rstrip(")").partition("(x")
        cores += [int(count)] * int(times or 1)
    return Counter(dict(zip(names, cores, strict=False)))


class Allocation(Local):
    """Nodes that are already allocated."""

    def __init__(self, study: StudyFile, base: Path) -> None:
        super().__init__(study, base)
        where = study.where
        given = where.hostfile or os.environ.get("PBS_NODEFILE", "")
        self.hostfile = (base / Path(given).expanduser()).resolve() if given else None
        if self.hostfile:
            self.slots = slots(self.hostfile)
        elif "SLURM_JOB_ID" in os.environ:
            self.slots = slots_of_slurm()
        else:
            raise StudyError(
                "no allocation is held: neither SLURM_JOB_ID nor PBS_NODEFILE is set; "
                "a 'hostfile' can name the nodes"
            )
        self.shared = (base / (where.folder or Path(f"{study.study.name}.runs")).expanduser()).resolve()

    def obstacle(self, case: StudyCase) -> str:
        """Too few nodes, or too few cores per node."""
        cores = min(self.slots.values())
        if why := file_system_obstacle(case, here=False):
            return why
        return node_obstacle(case, len(self.slots), cores, self.study.study.oversubscribe)

    def command(self, case: StudyCase, mpi: Mpi, job: int) -> list[str]:
        """mpirun with the names of the nodes, or srun."""
        if self.study.where.launcher == "srun":
            return srun(case, mpi, job, self.study.where)
        own = self.study.where.options_of(case.mpi)
        command = mpirun_on_nodes(case, mpi, job, self.study.study.oversubscribe, own)
        if self.hostfile:
            # Not the file itself: each library reads only some of the forms that `slots` reads.
            names = ",".join(f"{node}:{count}" for node, count in self.slots.items())
            command[1:1] = ["--host" if mpi.family == "openmpi" else "-hosts", names]
        return command

    def folder(self, where: Path | None) -> Path:
        """A folder for a run, which all nodes see."""
        where = where.resolve() if where else self.shared
        where.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="crumple-study-", dir=where))
