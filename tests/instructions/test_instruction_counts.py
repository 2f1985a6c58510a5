"""The instructions of four kernels, counted by valgrind, against those recorded in instruction_counts.json.

Within 5 % is well. Times on a shared machine cannot tell a kernel that has become 10 % slower; counts can. A
change that is meant to alter them records the new ones:

    CRUMPLE_RECORD_INSTRUCTIONS=1 .venv/bin/python -m pytest tests/instructions/test_instruction_counts.py

Kernels are those for AVX2 (valgrind 3.19 knows no AVX-512) in double, of MAT_024 with a hardening curve, all
points yielding: Belytschko-Tsay shells with 5 points, fully integrated shells with 20, one-point solids with
hourglass control 6, and selectively reduced solids with 8 points. Names are those of `make bench`.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "count_instructions"
RECORD = Path(__file__).with_name("instruction_counts.json")
WITHIN = 0.05
RECORD_COMMAND = (
    "CRUMPLE_RECORD_INSTRUCTIONS=1 .venv/bin/python -m pytest tests/instructions/test_instruction_counts.py"
)
KERNELS = ("shell 2", "shell 16", "solid 1 hg6", "solid 2")
NO_AVX2 = 3  # exit status of the program


def build_of(counted: dict) -> str:
    """Compiler and flags, which counts hold for."""
    return f"{counted['compiler']} {counted['flags']}"


@pytest.fixture(scope="module")
def counted(tmp_path_factory) -> dict:
    """Compiler, flags and instructions per element of each kernel of this build, recorded where asked for."""
    if not PROGRAM.exists() or shutil.which("valgrind") is None:
        pytest.skip("needs valgrind and build/release with tests: make test")
    folder = tmp_path_factory.mktemp("callgrind")
    out = folder / "counts"
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", PROGRAM],
        capture_output=True,
        text=True,
    )
    if run.returncode == NO_AVX2:
        pytest.skip("the build has no AVX2 kernels (CRUMPLE_ISAS), or the processor has no AVX2")
    assert run.returncode == 0, run.stderr
    said = json.loads(run.stdout)
    total = {}
    for dump in folder.glob("counts.*"):
        text = dump.read_text()
        name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.MULTILINE)
        count = re.search(r"^totals: (\d+)$", text, re.MULTILINE)
        if name and count:
            total[name.group(1)] = int(count.group(1))
    assert total.keys() == said["elements"].keys() == set(KERNELS)
    per_element = {name: round(total[name] / said["elements"][name], 1) for name in KERNELS}
    found = {"compiler": said["compiler"], "flags": said["flags"], "instructions_per_element": per_element}
    if os.environ.get("CRUMPLE_RECORD_INSTRUCTIONS"):
        RECORD.write_text(json.dumps(found, indent=2) + "\n")
    return found


@pytest.mark.parametrize("kernel", KERNELS)
def test_instructions_of_a_kernel_are_those_recorded(counted, kernel):
    recorded = json.loads(RECORD.read_text())
    if build_of(counted) != build_of(recorded):
        pytest.skip(f"recorded with {build_of(recorded)}; this build is of {build_of(counted)}")
    now = counted["instructions_per_element"][kernel]
    before = recorded["instructions_per_element"][kernel]
    change = now / before - 1
    assert abs(change) <= WITHIN, (
        f"{kernel} takes {now:,.0f} instructions per element, {change:+.1%} against the "
        f"{before:,.0f} recorded in {RECORD.relative_to(ROOT)}. Where that is meant, record it: "
        f"{RECORD_COMMAND}"
    )
