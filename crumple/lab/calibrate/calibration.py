"""Measures the requested parts, one after another."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from crumple.lab.calibrate import network, storage, turns
from crumple.lab.calibrate.micro_benchmarks import MeasuringEffort, launchers, library
from crumple.lab.calibrate.this_machine import cores, describe, hosts_of_allocation
from crumple.lab.catalogue.platform_file import Platform

PARTS = ("pairs", "collectives", "turns", "memory", "files", "kernel")
MIB = 1 << 20


@dataclass
class CalibrationWish:
    """What to measure."""

    quick: bool
    parts: list[str]
    directories: list[Path]
    mpiruns: list[Path]
    hosts: list[str]


def calibrate(wish: CalibrationWish, say: Callable[[str], object]) -> Platform:
    """Measure.

    Args:
        say: called with each line of progress

    Raises:
        CalibrationError: a part cannot be measured.
    """
    platform = Platform(machine=describe(wish.quick))
    effort = MeasuringEffort(3, 0.02) if wish.quick else MeasuringEffort(7, 0.1)
    libraries = [library(path) for path in launchers(wish.mpiruns)]
    hosts = wish.hosts or hosts_of_allocation()
    if "pairs" in wish.parts:
        if len(cores()) < 2 and len(hosts) < 2:
            say("pairs: left out, there is one core only")
        else:
            for which in libraries:
                say(f"pairs: {which.name}")
                network.measure_pairs(platform, which, effort, 2 * MIB, hosts)
    if "collectives" in wish.parts and len(cores()) > 1:
        for which in libraries:
            say(f"collectives: {which.name}")
            network.measure_collectives(platform, which, effort, MIB // 2)
    if "turns" in wish.parts:
        for which in libraries:
            say(f"turns: {which.name}")
            turns.measure_turns(platform, which, effort)
    if "memory" in wish.parts:
        say("memory")
        array = (
            64 * MIB if wish.quick else max(256 * MIB, 4 * platform.machine.last_cache_bytes // len(cores()))
        )
        array = min(array, platform.machine.memory_bytes // (8 * len(cores())))
        storage.measure_memory(
            platform, libraries[0], MeasuringEffort(effort.blocks, 5 * effort.seconds), array
        )
    if "files" in wish.parts:
        say("files")
        per_rank = 16 * MIB if wish.quick else 256 * MIB
        storage.measure_files(platform, libraries[0], effort, per_rank, wish.directories)
    if "kernel" in wish.parts:
        measure_kernel(platform, wish.quick, say)
    platform.how |= {k: v for k, v in (network.HOW | turns.HOW | storage.HOW).items() if getattr(platform, k)}
    rows = [*platform.point_to_point, *platform.message_rate, *platform.collective, *platform.turns]
    platform.machine.contended |= any(row.contended for row in [*rows, *platform.memory, *platform.kernel])
    return platform


def measure_kernel(platform: Platform, quick: bool, say: Callable[[str], object]) -> None:
    """Measure the solver, if it is built."""
    from crumple.lab.calibrate import kernel  # it imports pandas, which takes time

    say("kernel")
    try:
        if quick:
            kernel.measure_kernel(platform, 3, 20_000, 60, ("double",))
        else:
            kernel.measure_kernel(platform, 5, 20_000, 200, ("double", "single"))
    except FileNotFoundError as error:
        say(f"kernel: left out: {error}")
        return
    platform.how |= kernel.HOW
