"""Command lines of mpirun on this machine: binding, devices, cores of jobs side by side."""

import os
import shutil
from pathlib import Path

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.study.study_file import StudyFile
from crumple.lab.toml_table import nearest
from crumple.mpi import Mpi, family_of_launcher, mpi_of_launcher, options, variables, with_options
from crumple.mpi import environment as mpi_environment

DEBIAN = ("openmpi", "mpich")


def launcher(name: str, study: StudyFile, base: Path) -> Mpi:
    """The launcher of the MPI library that a study names.

    Raises:
        StudyError: it is not on this machine.
    """
    if name in study.mpis:
        path = base / study.mpis[name].expanduser()
        if not path.is_file():
            raise StudyError(f"mpi '{name}': there is no {path}")
        return mpi_of_launcher(path)
    if name not in DEBIAN:
        raise StudyError(f"there is no MPI library '{name}'{nearest(name, [*DEBIAN, *study.mpis])}")
    found = shutil.which(f"mpirun.{name}") or shutil.which("mpirun")
    if not found or family_of_launcher(Path(found)) != name:
        raise StudyError(f"the MPI library {name} is not installed: there is no mpirun.{name}")
    return mpi_of_launcher(Path(found), name)


def sockets() -> list[list[int]]:
    """Cores of each socket that this process may use."""
    allowed = sorted(os.sched_getaffinity(0))
    by_socket: dict[str, list[int]] = {}
    for core in allowed:
        place = Path(f"/sys/devices/system/cpu/cpu{core}/topology/physical_package_id")
        by_socket.setdefault(place.read_text().strip() if place.exists() else "0", []).append(core)
    return list(by_socket.values())


def cores_of_job(case: StudyCase, job: int) -> list[int]:
    """Cores that a job may use: next to each other, from all sockets in turn, or one socket per job.

    Raises:
        StudyError: there are not enough.
    """
    wanted = case.ranks * case.threads
    groups = sockets()
    if case.binding == "socket":
        if case.jobs > len(groups) or len(groups[job % len(groups)]) < wanted:
            raise StudyError(
                f"{case.jobs} jobs of {wanted} cores do not fit one to a socket: {len(groups)} sockets"
            )
        return groups[job][:wanted]
    if case.binding == "scattered":
        longest = max(map(len, groups))
        order = [group[k] for k in range(longest) for group in groups if k < len(group)]
        return order[job :: case.jobs][:wanted]
    order = [core for group in groups for core in group]
    return order[job * wanted : (job + 1) * wanted]


def environment(case: StudyCase, mpi: Mpi) -> dict[str, str]:
    """Environment variables of a run."""
    allowed = len(os.sched_getaffinity(0))
    return mpi_environment(case.threads, case.ranks * case.jobs, allowed) | variables(mpi.family, case.device)


def mpirun(case: StudyCase, mpi: Mpi, job: int, oversubscribe: bool, own: list[str]) -> list[str]:
    """The command line on this machine, up to the program.

    Args:
        own: launcher options of the study
    """
    bound = [] if case.binding == "none" else ["taskset", "-c", ",".join(map(str, cores_of_job(case, job)))]
    shared = options(mpi.family, share=oversubscribe, unbound=True, device=case.device)
    return [*bound, str(mpi.mpirun), *with_options(shared, own), "-n", str(case.ranks)]
