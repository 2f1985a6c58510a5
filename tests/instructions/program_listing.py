"""What the solver's program is made of, by objdump."""

import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOLVER = ROOT / "build" / "release" / "bin" / "crumple-solver"


def instructions() -> Iterator[tuple[str, str]]:
    """Name of a function, mangled, and one of its lines, all of them; skips the test without objdump."""
    if platform.machine() != "x86_64" or not SOLVER.exists() or shutil.which("objdump") is None:
        pytest.skip("needs objdump and build/release for x86-64: make test")
    command = ["objdump", "--disassemble", "--no-show-raw-insn", SOLVER]
    name = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listing:
        for line in listing.stdout:
            if line.endswith(">:\n"):
                name = line.split(" ", 1)[1]
            yield name, line
