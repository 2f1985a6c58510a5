"""Systems for runs, one file each: this machine, Slurm, an existing allocation."""

from pathlib import Path

from crumple.lab.study.study_file import StudyFile
from crumple.lab.study.where.allocation import Allocation
from crumple.lab.study.where.local import Local
from crumple.lab.study.where.slurm import Slurm
from crumple.lab.study.where.system import RunSystem
from crumple.registry import Registry

SYSTEMS: Registry[type[RunSystem]] = Registry("system")
SYSTEMS.add("local", Local)
SYSTEMS.add("slurm", Slurm)
SYSTEMS.add("allocation", Allocation)


def system_of(study: StudyFile, base: Path) -> RunSystem:
    """The system that a study names.

    Raises:
        StudyError: it is missing, or has no such partition.
    """
    return SYSTEMS[study.where.system](study, base)
