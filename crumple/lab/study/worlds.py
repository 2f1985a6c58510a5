"""Whether the ranks of a run were one world: those of another MPI library than the launcher's are not."""

from collections import Counter
from functools import cache
from pathlib import Path

from crumple.lab.build_once import BuildError, build_once, digest_of
from crumple.mpi import family_of_program, holds, is_static

SOURCES = Path(__file__).with_name("world")
BUILDS = Path(__file__).resolve().parents[3] / "build" / "world"


@cache
def world_library() -> Path:
    """The library that notes the size of a program's world; built on first use, for all MPI libraries.

    Raises:
        BuildError: it cannot be built.
    """
    try:
        return build_once(SOURCES, BUILDS / digest_of(SOURCES)[:12]) / "libcrumple-world.so"
    except OSError as error:  # there is no make
        raise BuildError(str(error)) from None


@cache
def why_unchecked() -> str:
    """Why worlds cannot be checked on this machine; empty where they can."""
    try:
        world_library()
    except BuildError as error:
        return str(error)
    return ""


def sizes(folder: Path) -> Counter[int]:
    """Worlds that a run's programs began, by their ranks."""
    texts = [path.read_text().strip() for path in folder.glob("world.*")]
    return Counter(int(text) for text in texts if text.isdigit())


def wrong_world(folder: Path, ranks: int, launcher: str) -> str:
    """Why a run was not one world of so many ranks; empty where it was, or where nothing is known.

    Args:
        folder: that CRUMPLE_WORLDS named
        launcher: the MPI library whose mpirun started it, in words
    """
    found = sizes(folder)
    if not found or ranks in found:
        return ""
    several = " and ".join(
        f"{count} world{'s' * (count > 1)} of {size} rank{'s' * (size > 1)}" for size, count in found.items()
    )
    return f"it ran as {several}, not as one of {ranks}: it is not built for the {launcher} that started it"


def serial(folder: Path, ranks: int, program: Path) -> tuple[str, str]:
    """Why a run of several ranks was copies of a serial program, and what is said where that may be.

    It is certain of a program without MPI that is static, or into which the library was loaded, and not
    of a script, which may start anything. A program with the MPI library inside cannot be looked into.
    """
    if sizes(folder):
        return "", ""
    copies = f"{ranks} copies of a serial program are not {ranks} ranks (side by side they are 'jobs')"
    seen = is_static(program) or (folder / f"loaded.{program.resolve().name}").exists()
    if seen and not holds(program, b"MPI_Init"):
        return f"the program never started MPI: {copies}", ""
    linked = family_of_program(program)
    if linked and linked[1] == program:
        return "", ""
    return "", f"no program was seen to start MPI: {copies}"
