"""The record that `crumple run` writes beside the results: deck, ranks, elapsed time, exit status."""

import json
import os
import platform
from pathlib import Path

from pydantic import BaseModel, ValidationError

from crumple.results.run_files import RunFiles
from crumple.whole_file import write_whole

NAME = "run.json"
FILE_CLOCK = 2.0  #: s; file systems round the times of files


class RunPart(BaseModel):
    """One start of the solver: a run that was restarted has several."""

    dump: str = ""  #: from which it went on; empty: it started at the beginning
    cycle: int = 0  #: of the dump
    dump_ranks: int = 0  #: that wrote the dump; 0: there was none, or it could not be read
    ranks: int = 0
    threads: int = 0
    seconds: float = 0.0
    status: int = 0


class RunRecord(BaseModel):
    """How a run was started and how it ended."""

    deck: str
    ranks: int
    threads: int
    precision: str
    decomposition: str
    mpi: str = ""  #: openmpi or mpich
    host: str = ""
    cores: int = 0
    pinned: list[list[int]] = []  #: cores of each rank; empty: ranks were not pinned
    other_load: float = 0.0  #: cores that other processes used just before the run
    seconds: float = 0.0  #: from start to end of mpirun; with --auto-restart of all attempts
    status: int = 0
    parts: list[RunPart] = []  #: all starts that are recorded in the folder, the last one last


def this_host() -> dict[str, str | int]:
    """This machine: the fields `host` and `cores`."""
    return {"host": platform.node(), "cores": os.cpu_count() or 0}


def write_record(record: RunRecord, directory: Path, since: float, prefix: str = "") -> None:
    """Write the record beside results written after `since` (seconds of the epoch).

    A refused deck writes no results, and old results keep their own record.
    """
    files = RunFiles(directory, prefix)
    log = files.path("d3hsp")
    if log.is_file() and log.stat().st_mtime >= since - FILE_CLOCK:
        write_whole(files.path(NAME), record.model_dump_json(indent=2) + "\n")


def read_record(files: RunFiles) -> RunRecord | None:
    """The record of a run; None if there is none, if it is of another run, or if it cannot be read."""
    path, log = files.path(NAME), files.path("d3hsp")
    try:
        if path.stat().st_mtime < log.stat().st_mtime - FILE_CLOCK:
            return None
        return RunRecord.model_validate(json.loads(path.read_text()))
    except (OSError, ValueError, ValidationError, RecursionError):
        return None
