"""The provenance of a figure: machine, libraries, binaries and inputs of a run."""

import hashlib
import json
import os
import platform
import subprocess
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ValidationError

#: environment variables that change how MPI programs run
PREFIXES = ("OMP_", "OMPI_", "MPICH_", "UCX_", "FI_", "I_MPI_", "PMIX_", "SLURM_JOB", "KMP_", "CRUMPLE_")


@cache
def file_hash(path: Path, _size: int, _time: int) -> str:
    """SHA-256 of a file; stored until its size or time changes."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def hash_of(path: Path) -> str:
    """SHA-256 of a file's content."""
    state = path.stat()
    return file_hash(path.resolve(), state.st_size, state.st_mtime_ns)


def lines_of(command: list[str]) -> list[str]:
    """The output of a command; empty if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [line.strip() for line in (done.stdout or done.stderr).strip().splitlines()]


@cache
def machine() -> dict[str, str | int]:
    """The properties of this machine that do not change."""
    cpu, memory = "", 0
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal"):
            memory = int(line.split()[1]) * 1024
    return {
        "host": platform.node(),
        "processor": cpu,
        "cores": os.cpu_count() or 0,
        "memory": memory,
        "kernel": platform.release(),
        "system": platform.platform(),
    }


@cache
def mpi_version(mpirun: Path) -> str:
    """The version that the launcher prints; MPICH's prints it in the third line."""
    lines = lines_of([str(mpirun), "--version"])
    said = lines[0] if lines else ""
    if "Open MPI" in said or "OpenRTE" in said:
        return said
    found = [line.split(":", 1)[1].strip() for line in lines if "Version:" in line]
    return f"{said} {found[0]}" if found else said


class MachineTable(BaseModel):
    """The machine as in reports."""

    host: str
    processor: str
    cores: int
    memory: int
    kernel: str


class ProgramTable(BaseModel):
    """An executable."""

    path: str
    sha256: str


class ProvenanceTable(BaseModel):
    """A provenance as in the database."""

    machine: MachineTable
    mpi: str
    executable: ProgramTable
    inputs: dict[str, str]
    file_system: dict[str, str] = {}  #: type, options and device of that of the run's folder


def read_provenance(content: str) -> dict:
    """Read a provenance of the database.

    Raises:
        ValueError: it is damaged.
    """
    try:
        ProvenanceTable.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"provenance: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return json.loads(content)


def provenance(executable: Path, inputs: list[Path], mpirun: Path) -> dict:
    """The whole provenance, for the database."""
    return {
        "machine": machine(),
        "mpi": mpi_version(mpirun),
        "executable": {"path": str(executable), "sha256": hash_of(executable)},
        "inputs": {str(path): hash_of(path) for path in inputs},
        "environment": {k: v for k, v in sorted(os.environ.items()) if k.startswith(PREFIXES)},
    }
