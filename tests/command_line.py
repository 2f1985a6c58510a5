"""Runs the crumple command in a folder."""

import os
import subprocess
import sys
from pathlib import Path

from solver_run import AT_ONCE

ROOT = Path(__file__).resolve().parents[1]


def crumple(*arguments: str, directory: Path, columns: int = 200) -> subprocess.CompletedProcess[str]:
    """`crumple` with these arguments, run in a folder, on a terminal of so many columns."""
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH", "")) if p)
    return subprocess.run(
        [sys.executable, "-m", "crumple", *arguments],
        cwd=directory,
        env=os.environ
        | AT_ONCE
        | {"PYTHONPATH": path, "OMP_WAIT_POLICY": "passive", "COLUMNS": str(columns)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
