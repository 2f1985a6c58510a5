"""Checks that the ranks of a run were one world; with another MPI library than the launcher's they aren't."""

from collections import Counter
from functools import cache
from pathlib import Path

from crumple.lab.build_once import BuildError, build_once, digest_of
from crumple.mpi import family_of_program, holds, is_static
from crumple.places import builds

SOURCES = Path(__file__).with_name("world")
BUILDS = builds("world")


@cache
def world_library() -> Path:
    """The library that notes the size of a program's world; built on first use, for all MPI libraries.

    Raises:
        BuildError: it cannot be built.
    """
    try:
        return build_once(SOURCES, BUILDS / digest_of(SOURCES)[:12]) / "libcrumple-world.so"
    except OSError as error:  # `make` is missing
        raise BuildError(str(error)) from None


@cache
def why_unchecked() -> str:
    """Why worlds cannot be checked on this machine; empty if they can."""
    try:
        world_library()
    except BuildError as error:
        return str(error)
    return ""


def sizes(folder: Path) -> Counter[int]:
    """The sizes of the worlds that the programs of a run began."""
    texts = [path.read_text().strip() for path in folder.glob("world.*")]
    return Counter(int(text) for text in texts if text.isdigit())


def wrong_world(folder: Path, ranks: int, launcher: str) -> str:
    """Why a run was not one world of so many ranks; empty if it was, or if nothing is known.

    Args:
        folder: the folder in CRUMPLE_WORLDS
        launcher: name of the MPI library whose mpirun started it
    """
    found = sizes(folder)
    if not found or ranks in found:
        return ""
    several = " and ".join(
        f"{count} world{'s' * (count > 1)} of {size} rank{'s' * (size > 1)}" for size, count in found.items()
    )
    return f"it ran as {several}, not as one of {ranks}: it is not built for the {launcher} that started it"


def serial(folder: Path, ranks: int, program: Path) -> tuple[str, str]:
    """Why a run of several ranks was copies of a serial program, or a remark if this is possible.

    It is certain for a program without MPI that is static, or into which the library was loaded. It is not
    certain for a script, which may start anything. A program that contains its MPI library cannot be checked.
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
