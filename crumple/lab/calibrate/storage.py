"""Measures memory bandwidth for numbers of cores, and writing and reading of files for numbers of ranks."""

import shutil
import tempfile
from pathlib import Path

from crumple.lab.calibrate.micro_benchmarks import Library, MeasuringEffort, measured, on_cores, words
from crumple.lab.calibrate.network import counts
from crumple.lab.calibrate.this_machine import cores, file_system
from crumple.lab.catalogue.platform_file import CalibrationError, MeasuredFiles, Memory, Platform, summarized

HOW = {
    "memory": "triad a = b + s c of STREAM on arrays of their own on each busy core; 24 bytes each; the sum",
    "files": "pieces of 1 MiB; a write ends with MPI_File_sync or fsync; before a read the system is "
    "asked to forget the file (posix_fadvise), but disks, servers and hypervisors may still hold it",
}
NAMES = {
    "shared_write": ("shared file", "write"),
    "shared_read": ("shared file", "read"),
    "own_write": ("file per rank", "write"),
    "own_read": ("file per rank", "read"),
}


def measure_memory(platform: Platform, which: Library, effort: MeasuringEffort, array_bytes: int) -> None:
    """Measure with 1, 2, 4, ... all cores busy."""
    for busy in counts(len(cores())):
        samples = measured(on_cores(which, cores()[:busy], words("memory", effort, array_bytes)))
        for s in samples.values():
            platform.memory.append(
                Memory(cores=busy, array_bytes=array_bytes, **summarized(s.values, s.shares))
            )


def measure_files(
    platform: Platform, which: Library, effort: MeasuringEffort, bytes_per_rank: int, directories: list[Path]
) -> None:
    """Measure in each of some folders, with several numbers of ranks.

    Raises:
        CalibrationError: a folder cannot be written, or has too little space.
    """
    for directory in directories:
        need = 2 * bytes_per_rank * len(cores())
        try:
            free = shutil.disk_usage(directory).free
            folder = tempfile.mkdtemp(prefix=".crumple-calibrate-", dir=directory)
        except OSError as error:
            raise CalibrationError(f"--directory {directory}: {error.strerror}") from None
        try:
            if free < need:
                raise CalibrationError(f"--directory {directory}: {free} bytes are free, {need} are needed")
            for ranks in counts(len(cores())):
                command = on_cores(which, cores()[:ranks], words("files", effort, bytes_per_rank, folder))
                for (name, _), s in sorted(measured(command).items()):
                    access, direction = NAMES[name]
                    platform.files.append(
                        MeasuredFiles(
                            mpi=which.name,
                            directory=str(directory.resolve()),
                            file_system=file_system(directory),
                            access=access,
                            direction=direction,
                            ranks=ranks,
                            bytes_per_rank=bytes_per_rank,
                            **summarized(s.values, s.shares, needs_core=False),
                        )
                    )
        finally:
            shutil.rmtree(folder, ignore_errors=True)
