"""The machine: its cores and their distances, its load, its caches and file systems."""

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import psutil

from crumple.lab.catalogue.platform_file import Machine
from crumple.lab.provenance import machine as known_of_machine

CPU = Path("/sys/devices/system/cpu")
BUSY = 0.25  #: load average over cores; above it, other work is running
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def cores() -> list[int]:
    """Cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


def other_work(load: float, n_cores: int) -> str:
    """A sentence about other work before a measurement; empty if there was none.

    Args:
        load: load average before the start
    """
    if load / n_cores <= BUSY:
        return ""
    return f"load average {load:.2f} on {n_cores} cores before the start: there was other work"


def place(core: int, what: str) -> str:
    """Read where a core is from the system's files."""
    path = CPU / f"cpu{core}" / "topology" / what
    return path.read_text().strip() if path.exists() else "0"


def kind_of(a: int, b: int) -> str:
    """The kind of a pair of cores: how near they are."""
    if place(a, "physical_package_id") != place(b, "physical_package_id"):
        return "other socket"
    return "same core" if place(a, "core_id") == place(b, "core_id") and a != b else "same socket"


def pairs(of: list[int]) -> dict[str, tuple[int, int]]:
    """One pair of cores of each kind."""
    found: dict[str, tuple[int, int]] = {}
    for a, b in combinations(of, 2):
        found.setdefault(kind_of(a, b), (a, b))
    return found


def last_cache() -> int:
    """Bytes of the last-level cache of the first core; 0 if the system does not give it."""
    found = 0
    for index in (CPU / f"cpu{cores()[0]}" / "cache").glob("index*/size"):
        if size := re.fullmatch(r"(\d+)([KMG])", index.read_text().strip()):
            found = max(found, int(size[1]) * UNITS[size[2]])
    return found


def file_system(directory: Path) -> str:
    """Type of the file system that a folder is on."""
    whole = directory.resolve()
    mounts = [p for p in psutil.disk_partitions(all=True) if whole.is_relative_to(p.mountpoint)]
    return max(mounts, key=lambda p: len(p.mountpoint)).fstype if mounts else "unknown"


def hosts_of_allocation() -> list[str]:
    """Nodes of the Slurm allocation of this process; empty outside."""
    listed, scontrol = os.environ.get("SLURM_JOB_NODELIST"), shutil.which("scontrol")
    if not listed or not scontrol:
        return []
    done = subprocess.run(
        [scontrol, "show", "hostnames", listed], capture_output=True, text=True, check=False
    )
    return done.stdout.split()


def describe(quick: bool) -> Machine:
    """Describe the machine before anything is measured."""
    known, load = known_of_machine(), os.getloadavg()[0]
    return Machine(
        host=str(known["host"]),
        processor=str(known["processor"]),
        sockets=len({place(core, "physical_package_id") for core in cores()}),
        cores=len(cores()),
        memory_bytes=int(known["memory"]),
        last_cache_bytes=last_cache(),
        kernel=str(known["kernel"]),
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
        load_average=round(load, 2),
        contended=load / len(cores()) > BUSY,
        quick=quick,
    )
