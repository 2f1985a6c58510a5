"""What machine figures are of, and how busy it was."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from crumple.lab.study.provenance import machine

ROOT = Path(__file__).resolve().parent.parent
BUSY = 0.25  #: load average a core from which figures are of a busy machine


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
    """Processor, cores, memory, load; compiler, flags and instruction set from the kernels' program."""
    known, load = machine(), os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0))
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "processor": known["processor"],
        "cores": cores,
        "memory_gib": round(int(known["memory"]) / 2**30),
        "kernel": known["kernel"],
        "compiler": context.get("compiler", ""),
        "flags": context.get("flags", ""),
        "isa": context.get("isa", ""),
        "load_before": round(load, 2),
        "busy": load > BUSY * cores,
    }


def in_words(of: dict) -> str:
    """One line for people."""
    busy = "; the machine was busy with other work" if of["busy"] else ""
    return (
        f"{of['processor']}, {of['cores']} cores, {of['isa']}, {of['compiler']} {of['flags']}, "
        f"load {of['load_before']} before{busy}; commit {of['commit']}, {of['measured'][:10]}"
    )
