"""Shows a page in Chromium without a window; skips the test where there is none."""

import shutil
import subprocess
from pathlib import Path

import pytest


def rendered(address: str, width: int, profile: Path) -> str:
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
        address,
    ]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
