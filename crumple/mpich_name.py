"""The two names of MPICH's library: libmpi.so.12 of its ABI, and libmpich.so.12 in Debian.

A wheel's solver for MPICH asks for the first name, so that it runs with Intel MPI, MVAPICH and any MPICH
built from its sources. Beside it is an empty library of that name that loads Debian's; it is used only where
there is no other.
"""

import subprocess
from collections.abc import Mapping
from functools import cache

from crumple.places import PROGRAMS

STAND_IN = PROGRAMS / "debian-mpich"  #: folder of the empty libmpi.so.12
SEARCHED = "LD_LIBRARY_PATH"


def with_name_of_abi(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment in which the wheel's solver for MPICH finds the library, under either name."""
    given = environment.get(SEARCHED, "")
    if not needed(given):
        return dict(environment)
    return {**environment, SEARCHED: ":".join(entry for entry in (given, str(STAND_IN)) if entry)}


@cache
def needed(searched: str) -> bool:
    """Whether no library has the name of the ABI here.

    Args:
        searched: LD_LIBRARY_PATH
    """
    solver = PROGRAMS / "crumple-solver-mpich"
    if not STAND_IN.is_dir() or not solver.exists():
        return False
    environment = {SEARCHED: searched, "PATH": "/usr/bin:/bin"}
    listed = subprocess.run(
        ["ldd", str(solver)], env=environment, capture_output=True, text=True, check=False
    )
    return "libmpi.so.12 => not found" in listed.stdout
