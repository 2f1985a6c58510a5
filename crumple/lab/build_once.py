"""Our C and C++ programs and libraries, built the first time they are asked for."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

MESSAGE_LINES = 8  #: of the compiler, that are shown


class BuildError(RuntimeError):
    """It cannot be built; the text is what the compiler said."""


def digest_of(sources: Path, compiler: str = "") -> str:
    """SHA-256 of a folder of sources and the compiler's name: another of them is another build."""
    digest = hashlib.sha256(compiler.encode())
    for source in sorted(sources.iterdir()):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def build_once(sources: Path, folder: Path, *words: str) -> Path:
    """The folder of what the Makefile of some sources builds; built if it is missing.

    Args:
        sources: folder whose Makefile takes OUT
        folder: of this build, and of no other
        words: more for make, such as the compiler

    Raises:
        BuildError: the build failed.
    """
    if folder.exists():
        return folder
    temporary = folder.with_name(f"{folder.name}.{os.getpid()}")
    command = ["make", "-s", "-C", str(sources), *words, f"OUT={temporary}"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
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
