"""Runs the crumple command in a folder, and a browser on a page."""

import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import crumple as run_crumple


def crumple(*arguments: str, directory: Path, status: int = 0) -> str:
    """What `crumple` says with these arguments; its exit status is checked."""
    done = run_crumple(*arguments, directory=directory)
    said = done.stdout + done.stderr
    assert done.returncode == status, said
    return said


def rendered(page: Path, width: int, profile: Path) -> str:
    """The page's elements after its scripts have run in a window of this width."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next((found for name in names if (found := shutil.which(name))), None)
    if not browser:
        pytest.skip("no chromium")
    line = [browser, "--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--dump-dom"]
    line += [
        f"--window-size={width},900",
        "--virtual-time-budget=8000",
        f"--user-data-dir={profile}",
        page.as_uri(),
    ]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
