"""Base of the file systems that a study makes for a run, and takes down after it."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

LIMIT = 60.0  #: s for a command


class FileSystemError(Exception):
    """A file system could not be made; one line with the reason."""


class MadeFileSystem(Protocol):
    """One kind of file system. Its mounts are in the mount namespace of the study (`own_mounts`)."""

    def obstacle(self) -> str:
        """Why it cannot be made on this machine; empty if it can, as far as a quick trial shows."""

    def made(self, work: Path) -> AbstractContextManager[Path]:
        """Make a new one; gives the folder where it is mounted, and leaves nothing behind.

        Args:
            work: folder for its files

        Raises:
            FileSystemError: it cannot be made.
        """


def command(*words: str | Path) -> str:
    """Run a command; returns what it printed.

    Raises:
        FileSystemError: it is missing, fails, or does not end.
    """
    said = [str(word) for word in words]
    try:
        done = subprocess.run(said, capture_output=True, text=True, timeout=LIMIT, check=False)
    except OSError as error:
        raise FileSystemError(f"{said[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise FileSystemError(f"{' '.join(said)} did not end within {LIMIT:.0f} s") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        why = lines[0] if lines else f"exit status {done.returncode}"
        raise FileSystemError(f"{said[0]}: {why.removeprefix(f'{said[0]}: ')}")
    return done.stdout


def why_not(*words: str) -> str:
    """Why a command does not work in a mount namespace of its own, which ends with it; empty if it does.

    Args:
        words: shell words; $1 is an empty folder
    """
    with tempfile.TemporaryDirectory(prefix="crumple-try-") as folder:
        try:
            command("unshare", "--mount", "sh", "-ec", " ".join(words), "sh", folder)
        except FileSystemError as error:
            return str(error)
    return ""


@contextmanager
def mount_point(work: Path) -> Iterator[tuple[Path, Path]]:
    """A new folder, and in it the folder to mount on; both are unmounted and removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="file-system-", dir=work))
    mounted = folder / "mounted"
    try:
        mounted.mkdir()
        yield folder, mounted
    finally:
        unmount(mounted)
        shutil.rmtree(folder, ignore_errors=True)


def unmount(folder: Path) -> None:
    """Unmount a folder if something is mounted on it; what is still in use goes when it no longer is."""
    # Not asked first: Path.is_mount knows neither mounts from the same device nor those whose daemon is gone.
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)
