"""Command lines of mpirun on this machine: binding, devices, cores of jobs side by side."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from crumple.lab.profile.library import family_of_launcher
from crumple.lab.study.cases import Case
from crumple.lab.study.study_file import StudyError, StudyFile, nearest

DEBIAN = ("openmpi", "mpich")


@dataclass(frozen=True)
class Launcher:
    """An mpirun."""

    name: str
    path: Path
    family: str


def launcher(name: str, study: StudyFile, base: Path) -> Launcher:
    """The launcher of an MPI library that a study names.

    Raises:
        StudyError: it is not on this machine.
    """
    if name in study.mpis:
        path = base / study.mpis[name].expanduser()
        if not path.is_file():
            raise StudyError(f"mpi '{name}': there is no {path}")
        return Launcher(name, path, family_of_launcher(path))
    if name not in DEBIAN:
        raise StudyError(f"there is no MPI library '{name}'{nearest(name, [*DEBIAN, *study.mpis])}")
    found = shutil.which(f"mpirun.{name}") or shutil.which("mpirun")
    if not found or family_of_launcher(Path(found)) != name:
        raise StudyError(f"the MPI library {name} is not installed: there is no mpirun.{name}")
    return Launcher(name, Path(found), name)


def sockets() -> list[list[int]]:
    """Cores of each socket that this process may use."""
    allowed = sorted(os.sched_getaffinity(0))
    by_socket: dict[str, list[int]] = {}
    for core in allowed:
        place = Path(f"/sys/devices/system/cpu/cpu{core}/topology/physical_package_id")
        by_socket.setdefault(place.read_text().strip() if place.exists() else "0", []).append(core)
    return list(by_socket.values())


def cores_of_job(case: Case, job: int) -> list[int]:
    """Cores that a job may use: next to each other, dealt out over sockets, or one socket a job.

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


def environment(case: Case, mpi: Launcher) -> dict[str, str]:
    """Environment of a run."""
    env = dict(os.environ) | {"OMP_NUM_THREADS": str(case.threads)}
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    if case.cores() > len(os.sched_getaffinity(0)):
        env.setdefault("OMP_WAIT_POLICY", "passive")
    if mpi.family == "mpich" and case.device != "default":
        env["UCX_TLS"] = {"shared-memory": "self,sm", "tcp": "self,tcp"}[case.device]
    return env


def device_options(case: Case, mpi: Launcher, oversubscribe: bool) -> list[str]:
    """Options of mpirun: ranks not bound, the communication device, leave to share cores."""
    if mpi.family != "openmpi":
        return []
    options = ["--bind-to", "none"]
    if case.device != "default":
        transport = {"shared-memory": "vader", "tcp": "tcp"}[case.device]
        options += ["--mca", "pml", "ob1", "--mca", "btl", f"self,{transport}"]
    if oversubscribe:
        options += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
    return options


def mpirun(case: Case, mpi: Launcher, job: int, oversubscribe: bool) -> list[str]:
    """The command line on this machine, up to the program."""
    bound = [] if case.binding == "none" else ["taskset", "-c", ",".join(map(str, cores_of_job(case, job)))]
    return [*bound, str(mpi.path), *device_options(case, mpi, oversubscribe), "-n", str(case.ranks)]
