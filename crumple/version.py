"""The version, and the commit of a checkout."""

import os
import subprocess
from pathlib import Path

from crumple import __version__
from crumple.places import installed, shipped

ROOT = Path(__file__).resolve().parents[1]


def revision(root: Path = ROOT) -> str:
    """The commit that is checked out, with -dirty if files have changed; "" outside of a checkout."""
    if not (root / ".git").exists():  # an outer folder may be a checkout of something else
        return ""
    line = ["git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
    except FileNotFoundError:  # git is not installed
        return ""
    return done.stdout.strip()


def version_line(program: str) -> str:
    """The output of --version; crumple-solver prints the same about itself."""
    found = shipped("revision").read_text().strip() if installed() else revision()
    return f"{program} {__version__}" + (f" (revision {found})" if found else "")
