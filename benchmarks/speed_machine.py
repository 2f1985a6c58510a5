"""What machine figures are of, and how busy it was."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psutil

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


def describe(context: dict[str, str]) -> dict:
    """Processor, cores, memory, load; compiler, flags and instruction set from the kernels' program.

    The load is the cores that others use in the seconds before: the system's average still has our own
    compiling in it.
    """
    known, busy = machine(), psutil.cpu_percent(LOOKED_AT) / 100
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "processor": known["processor"],
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(int(known["memory"]) / 2**30),
        "kernel": known["kernel"],
        "compiler": context.get("compiler", ""),
        "flags": context.get("flags", ""),
        "isa": context.get("isa", ""),
        "load_before": round(busy * int(known["cores"]), 2),
        "busy": busy > BUSY,
    }


def in_words(of: dict) -> str:
    """One line for people."""
    busy = "; the machine was busy with other work" if of["busy"] else ""
    return (
        f"{of['processor']}, {of['cores']} cores, {of['isa']}, {of['compiler']} {of['flags']}, "
        f"load {of['load_before']} before{busy}; commit {of['commit']}, {of['measured'][:10]}"
    )
