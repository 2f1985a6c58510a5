"""A mount namespace for a study: what it mounts is seen by its own processes only, and ends with them."""

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from crumple.lab.study.file_system.made import FileSystemError, command

KEEPER = Path(__file__).with_name("keeper.sh")
CLONE_NEWNS = 0x00020000  #: of sched.h; os.unshare is new in Python 3.12


@cache
def outside() -> str:
    """Move this process into a mount namespace of its own, once; returns the name of the one that it left.

    Raises:
        FileSystemError: only root may do this.
    """
    left = os.readlink("/proc/self/ns/mnt")
    c = ctypes.CDLL(None, use_errno=True)
    if c.unshare(CLONE_NEWNS):
        raise FileSystemError(f"no mount namespace can be made: {os.strerror(ctypes.get_errno())}")
    command("mount", "--make-rslave", "/")  # what others mount is still seen here
    return left


@contextmanager
def own_mounts() -> Iterator[Path]:
    """A folder for file systems, in a mount namespace of the study.

    A process beside it (keeper.sh) cleans up if the study is killed, also by SIGKILL.

    Raises:
        FileSystemError: there can be no such namespace.
    """
    left = outside()
    work = Path(tempfile.mkdtemp(prefix="crumple-mounts-"))
    keeper = subprocess.Popen(
        ["/bin/sh", str(KEEPER), str(work), left],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    try:
        yield work
    finally:
        keeper.communicate(b"alive\n")
