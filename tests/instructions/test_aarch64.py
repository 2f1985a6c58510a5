"""Kernels compile for aarch64, too: by Debian's cross compiler, not optimised, with all warnings as errors.

Only kernels, and what they include, have code for one kind of processor.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNELS = sorted((ROOT / "solver").rglob("*_kernel.cpp"))
COMPILER = shutil.which("aarch64-linux-gnu-g++")
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-Wno-missing-field-initializers"]


@pytest.fixture(scope="module")
def headers(tmp_path_factory) -> Path:
    """Those of fmt; all of /usr/include would be of this machine's processor."""
    folder = tmp_path_factory.mktemp("headers")
    (folder / "fmt").symlink_to("/usr/include/fmt")
    return folder


@pytest.mark.skipif(COMPILER is None, reason="there is no aarch64-linux-gnu-g++")
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_kernel_compiles_for_aarch64(kernel, headers, tmp_path):
    command = [COMPILER, "-std=gnu++20", "-O0", *WARNINGS, "-DCRUMPLE_ISA=baseline", "-DFMT_HEADER_ONLY"]
    command += [f"-I{headers}", f"-I{ROOT / 'solver'}", "-c", str(kernel), "-o", str(tmp_path / "kernel.o")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
    machine = (tmp_path / "kernel.o").read_bytes()[18:20]  # e_machine of an ELF header
    assert machine == (183).to_bytes(2, "little")
