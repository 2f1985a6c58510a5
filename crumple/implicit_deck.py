"""Whether a deck asks for implicit analysis, seen without reading all of it; how many ranks it gets."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crumple.topology import TopologyError, cores_of_this_machine

GENERAL = b"CONTROL_IMPLICIT_GENERAL"


@dataclass(frozen=True)
class Ranks:
    """MPI ranks and threads of each, and a line for the user; empty if they are those asked for or usual."""

    ranks: int
    threads: int
    said: str = ""


def ranks_for(deck: Path | None, ranks: int | None, threads: int | None, cores: int) -> Ranks:
    """What a run gets where the user leaves it open: a rank a core; of an implicit deck one, with threads.

    Args:
        deck: None of a restart
        ranks: None: not given
        threads: None: not given
        cores: of this machine
    """
    if ranks is None and deck is not None and is_implicit(deck):
        chosen = threads or physical_cores(cores)
        behind = f"1 rank with {chosen} thread{'' if chosen == 1 else 's'}"
        return Ranks(1, chosen, f"implicit analysis: {behind}; -n and --threads choose others")
    return Ranks(ranks or cores, threads or 1)


def physical_cores(cores: int) -> int:
    """Cores that this process may use, a core with two threads counted once; `cores` if it is not known."""
    try:
        return len(cores_of_this_machine()) or cores
    except TopologyError:
        return cores


def is_implicit(deck: Path) -> bool:
    """Whether *CONTROL_IMPLICIT_GENERAL of the deck or of its includes has IMFLAG other than 0.

    A file that cannot be read counts as empty: the solver says what is wrong with it.
    """
    folders, parameters, flags, seen = [deck.parent], dict[bytes, bytes](), list[bytes](), set[Path]()
    waiting = [deck]
    while waiting:
        path = waiting.pop()
        try:
            text = path.read_bytes()
            if (real := path.resolve()) in seen:
                continue
        except OSError:
            continue
        seen.add(real)
        for name, lines in blocks(text):
            if name == GENERAL and lines:
                flags.append(first_field(lines[0]))
            elif name.startswith(b"PARAMETER"):
                parameters |= dict(values(lines))
            elif name.startswith(b"INCLUDE_PATH"):
                folders += [deck.parent / str(line.strip(), "latin-1") for line in lines]
            else:
                names = lines if name == b"INCLUDE" else lines[:1]
                waiting += [found for line in names if (found := located(line, [path.parent, *folders]))]
    return any(is_set(flag, parameters) for flag in flags)


def blocks(text: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    """Keywords that matter here, in capitals, and their lines without comments."""
    begin = 0 if text.startswith(b"*") else text.find(b"\n*") + 1
    while text[begin : begin + 1] == b"*":
        next_one = text.find(b"\n*", begin)
        end = len(text) if next_one < 0 else next_one + 1
        name = text[begin + 1 : begin + 80].partition(b"\n")[0].strip().upper()
        if name == GENERAL or name.startswith((b"INCLUDE", b"PARAMETER")):
            lines = text[begin:end].splitlines()[1:]
            yield name, [line for line in lines if line.strip() and line[:1] != b"$"]
        begin = end


def first_field(line: bytes) -> bytes:
    """The first field of a line, of ten columns or before a comma."""
    return (line.split(b",")[0] if b"," in line else line[:10]).strip()


def values(lines: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Names and values of *PARAMETER: a letter for the type, a name, its value."""
    for line in lines:
        fields = line.split(b",") if b"," in line else [line[k : k + 10] for k in range(0, len(line), 10)]
        for name, value in zip(fields[::2], fields[1::2], strict=False):
            yield name.strip()[1:].strip().upper(), value.strip()


def located(line: bytes, folders: list[Path]) -> Path | None:
    """The file that an include names, in the first folder that has it."""
    name = str(line.strip(), "latin-1")
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def is_set(flag: bytes, parameters: dict[bytes, bytes]) -> bool:
    """Whether a field is a number other than 0."""
    if flag.startswith(b"&"):
        flag = parameters.get(flag[1:].strip().upper(), b"")
    try:
        return float(flag or b"0") != 0.0
    except ValueError:
        return False
