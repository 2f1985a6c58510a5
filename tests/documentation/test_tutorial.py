"""docs/tutorial.md is done as it stands: its script, deck and commands, and what it says of the results."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from crumple.results.glstat import read_glstat

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(python|text|sh)\n(.*?)^```", re.M | re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder after all steps."""
    where = tmp_path_factory.mktemp("tutorial")
    program = where / "crumple"
    program.write_text(f'#!/bin/sh\nexec "{ROOT}/.venv/bin/python" -P "{ROOT}/crumple/__main__.py" "$@"\n')
    program.chmod(0o755)
    for kind, text in BLOCK.findall(PAGE.read_text()):
        if kind == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", text],
                cwd=where,
                env=os.environ | {"PATH": f"{where}:{os.environ['PATH']}", "OMP_WAIT_POLICY": "passive"},
                capture_output=True,
                text=True,
                check=False,
            )
            (where / "said").open("a").write(done.stdout)
            assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        else:
            name = text.split()[1].rstrip(":")  # "# mesh.py: ...", "$ box.k"
            (where / name).write_text(text)
    return where


PICTURES = ("box.png", "force.png", "crush.png", "both.png")


@pytest.mark.slow
def test_files_it_names_are_there(folder):
    for name in (*PICTURES, "box.html", "base/report.html", "thicker/d3plot"):
        assert (folder / name).stat().st_size > 1000, name


@pytest.mark.slow
def test_what_it_says_of_the_results(folder):
    for run in ("base", "thicker"):
        energies = read_glstat(folder / run / "glstat")
        brought = -energies["stonewall energy 1"].iloc[-1]
        assert abs(energies["total energy"]).max() < 0.001 * brought
    said = (folder / "said").read_text()
    mean = [float(value) for value in re.findall(r"mean force\D*([\d.]+) kN", said)]
    assert len(mean) >= 3 and mean[-1] > 1.2 * mean[0]
