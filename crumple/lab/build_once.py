"""Our C and C++ programs and libraries, built on first use."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

MESSAGE_LINES = 8  #: lines of the compiler's messages that are shown


class BuildError(RuntimeError):
    """The build failed; the text has the compiler's messages."""


def digest_of(sources: Path, compiler: str = "") -> str:
    """SHA-256 of a folder of sources and the compiler's name; each digest has its own build."""
    digest = hashlib.sha256(compiler.encode())
    for source in sorted(path for path in sources.iterdir() if path.is_file()):  # pip adds __pycache__
        digest.update(source.read_bytes())
    return digest.hexdigest()


def build_once(sources: Path, folder: Path, *words: str) -> Path:
    """The folder with the build of some sources by their Makefile; built if it is missing.

    Args:
        sources: folder whose Makefile takes OUT
        folder: a folder for this build only
        words: further arguments for make, such as the compiler

    Raises:
        BuildError: the build failed, or there is no `make`.
    """
    if folder.exists():
        return folder
    temporary = folder.with_name(f"{folder.name}.{os.getpid()}")
    command = ["make", "-s", "-C", str(sources), *words, f"OUT={temporary}"]
    try:
        built = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BuildError("there is no `make` on the PATH: install make and a compiler") from None
    if built.returncode:
        shutil.rmtree(temporary, ignore_errors=True)
        raise BuildError("\n".join(built.stderr.strip().splitlines()[:MESSAGE_LINES]))
    try:
        temporary.rename(folder)
    except OSError:  # another process was faster
        shutil.rmtree(temporary)
        if not folder.exists():
            raise
    return folder
