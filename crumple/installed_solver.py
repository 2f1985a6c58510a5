"""The command crumple-solver of an installed Python package: starts the program inside the package."""

import os
import sys

from crumple.mpich_name import with_name_of_abi
from crumple.places import PROGRAMS


def start() -> None:
    """Replace this process by the solver."""
    program = PROGRAMS / "crumple-solver"
    if not program.exists():
        sys.exit(f"this installation has no {program} (docs/install.md)")
    os.execve(program, [str(program), *sys.argv[1:]], with_name_of_abi(os.environ))
