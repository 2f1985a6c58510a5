"""Sources with code for one kind of processor compile for aarch64, too: by Debian's cross compiler, with the
flags of the build, but not optimised."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from program_listing import ROOT, SOLVER

COMMANDS = SOLVER.parents[1] / "compile_commands.json"
COMPILER = shutil.which("aarch64-linux-gnu-g++")
SOURCES = sorted((ROOT / "solver").rglob("*_kernel.cpp")) + [ROOT / "solver/elements/registry.cpp"]


@pytest.fixture(scope="module")
def headers(tmp_path_factory) -> Path:
    """Those of fmt; all of /usr/include would be of this machine's processor."""
    folder = tmp_path_factory.mktemp("headers")
    (folder / "fmt").symlink_to("/usr/include/fmt")
    return folder


def compiles(file: str, source: Path) -> bool:
    """Whether a file of the build is the source, or one that includes the sources of a folder."""
    return file == str(source) or ("/Unity/" in file and f'"{source}"' in Path(file).read_text())


def words_for(source: Path) -> list[str]:
    """Of the build's command for a source, a kernel's for any processor, without compiler and files."""
    built = [
        entry["command"] for entry in json.loads(COMMANDS.read_text()) if compiles(entry["file"], source)
    ]
    command = next(c for c in built if "CRUMPLE_ISA=" not in c or "CRUMPLE_ISA=baseline" in c)
    words = shlex.split(command)
    words = words[next(k for k, word in enumerate(words) if re.match("-[DI]", word)) : words.index("-o")]
    if "-include" in words:  # a precompiled header is of one compiler
        at = words.index("-include")
        del words[at : at + 2]
    return [word for word in words if not re.fullmatch("-O.|-M.*|-Winvalid-pch", word)]


@pytest.mark.skipif(COMPILER is None, reason="there is no aarch64-linux-gnu-g++")
@pytest.mark.skipif(not COMMANDS.exists(), reason="needs build/release: make test")
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_source_compiles_for_aarch64(source, headers, tmp_path):
    command = [
        COMPILER,
        *words_for(source),
        "-O0",
        f"-I{headers}",
        "-c",
        str(source),
        "-o",
        str(tmp_path / "o"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
    machine = (tmp_path / "o").read_bytes()[18:20]  # e_machine of an ELF header
    assert machine == (183).to_bytes(2, "little")
