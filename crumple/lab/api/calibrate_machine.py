"""Measurements of this machine from Python, as `crumple calibrate` makes them."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from crumple.earlier_output import keep_earlier
from crumple.lab.api.trace_deck import quiet
from crumple.lab.calibrate.calibration import PARTS, CalibrationWish, calibrate
from crumple.lab.catalogue.platform_file import CalibrationError, Platform, check_writing, write_platform
from crumple.lab.toml_table import nearest

Place = str | os.PathLike[str]


def calibrate_machine(
    file: Place,
    quick: bool = False,
    parts: Sequence[str] = PARTS,
    folders: Sequence[Place] = (".",),
    mpiruns: Sequence[Place] = (),
    hosts: Sequence[str] = (),
    say: Callable[[str], None] = quiet,
) -> Platform:
    """Measure messages, collectives, memory, files and the solver on this machine.

    Args:
        file: platform file to write; an earlier one is renamed
        quick: faster and less exact: short blocks, small arrays and files
        parts: what to measure: pairs, collectives, turns, memory, files, kernel
        folders: whose file systems to measure
        mpiruns: of other MPI libraries
        hosts: two nodes to measure between; default: the first two of the allocation
        say: told of each stage

    Raises:
        CalibrationError: a part cannot be measured, or is unknown; the file cannot be written.
    """
    for part in parts:
        if part not in PARTS:
            raise CalibrationError(f"there is no part '{part}'{nearest(part, list(PARTS))}")
    check_writing(Path(file))
    paths = [Path(folder) for folder in folders], [Path(mpirun) for mpirun in mpiruns]
    platform = calibrate(CalibrationWish(quick, list(parts), *paths, list(hosts)), say)
    keep_earlier(Path(file))
    write_platform(platform, Path(file))
    return platform
