"""Where files beside the Python code are: in a checkout, or inside the installed package."""

import os
from pathlib import Path

from crumple.cache_folder import cache_folder

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent  #: of an installed package, the folder that contains it
SHARE = PACKAGE / "share"  #: made by installation, with the folders of a checkout that the commands need
PROGRAMS = PACKAGE / "bin"  #: of an installed package, the solver


def installed() -> bool:
    """Whether this code is installed; otherwise it is that of a checkout."""
    return SHARE.is_dir()


def shipped(path: str) -> Path:
    """A file or folder of the checkout, such as "benchmarks/clusters", wherever it is now."""
    return (SHARE if installed() else CHECKOUT) / path


def builds(what: str) -> Path:
    """The folder for programs that are built on first use.

    It is build/ of a checkout; in the user's cache where the code is installed, or the checkout is not
    ours to write in.

    Args:
        what: which programs, such as "profiler"
    """
    build = CHECKOUT / "build"
    place = build if build.exists() else CHECKOUT
    if installed() or not os.access(place, os.W_OK | os.X_OK):
        return cache_folder() / "build" / what
    return build / what
