"""File systems for the results of runs: those that a study makes itself, one file each, and paths."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crumple.lab.applications.case import StudyCase
from crumple.lab.study.file_system.checked import check
from crumple.lab.study.file_system.ext4 import Ext4
from crumple.lab.study.file_system.glusterfs import GlusterFs
from crumple.lab.study.file_system.made import MadeFileSystem
from crumple.lab.study.file_system.tmpfs import Tmpfs
from crumple.registry import Registry

MADE: Registry[MadeFileSystem] = Registry("file system")
MADE.add("tmpfs", Tmpfs())
MADE.add("ext4", Ext4())
MADE.add("glusterfs", GlusterFs())


def obstacle(case: StudyCase, here: bool) -> str:
    """Why the results of a case cannot go to its file system; empty if they can.

    Args:
        here: runs are on this machine alone; others need a folder that all nodes see
    """
    name = case.file_system
    if case.directory and name:
        return "directory and file_system both name the place of the results"
    if name in MADE:
        if not here:
            return f"a study makes {name} for runs on this machine only: give the path of a mount"
        return MADE[name].obstacle()
    folder = case.folder()
    if name and folder and not folder.is_dir():
        return f"there is no folder {folder}"
    return ""


@contextmanager
def place_of(case: StudyCase, work: Path | None) -> Iterator[Path | None]:
    """The folder in which a run's folder is made: in a new file system, or that of the case; None: any.

    Args:
        work: folder of `own_mounts`, for cases that need it

    Raises:
        FileSystemError: the file system cannot be made, or does not keep what is written.
    """
    if work is None or case.file_system not in MADE:
        yield case.folder()
        return
    with MADE[case.file_system].made(work) as mounted:
        check(mounted)
        yield mounted
