"""What machine figures are of, and how busy it was."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psutil
from speed_processor import generation_here

from crumple.lab.provenance import machine

ROOT = Path(__file__).resolve().parent.parent
BUSY = 0.1  #: share of all cores' time from which figures are of a busy machine
LOOKED_AT = 3.0  #: s before the measurement


def commit() -> str:
    """The checkout's commit, with a plus where files have changed; empty outside of git."""
    said = subprocess.run(
        ["git", "describe", "--always", "--abbrev=10", "--dirty=+", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout.strip()


def describe() -> dict:
    """Processor, cores, memory, load. What the kernels' program adds: compiler, flags, instruction set.

    The load is the cores that others use in the seconds before: the system's average still has our own
    compiling in it.
    """
    known, busy = machine(), psutil.cpu_percent(LOOKED_AT) / 100
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "processor": known["processor"],
        "generation": generation_here(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(int(known["memory"]) / 2**30),
        "kernel": known["kernel"],
        "load_before": round(busy * int(known["cores"]), 2),
        "busy": busy > BUSY,
    }


def in_words(of: dict) -> str:
    """One line for people."""
    busy = "; the machine was busy with other work" if of["busy"] else ""
    return (
        f"{of['processor']} ({of['generation']}), {of['cores']} cores, {of['isa']}, "
        f"{of['compiler']} {of['flags']}, load {of['load_before']} before{busy}; "
        f"commit {of['commit']}, {of['measured'][:10]}"
    )
