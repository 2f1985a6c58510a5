"""Runs the crumple command in a folder, and a browser on a page."""

from pathlib import Path

import browser
from command_line import crumple as run_crumple


def crumple(*arguments: str, directory: Path, status: int = 0) -> str:
    """What `crumple` says with these arguments; its exit status is checked."""
    done = run_crumple(*arguments, directory=directory)
    said = done.stdout + done.stderr
    assert done.returncode == status, said
    return said


def rendered(page: Path, width: int, profile: Path) -> str:
    """The page's elements after its scripts have run in a window of this width."""
    return browser.rendered(page.as_uri(), width, profile)
