"""Lines of the keys of a TOML file, for messages with the line."""

import re
import tomllib
from collections.abc import Iterator

TABLE = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")

Path = tuple[str | int, ...]


def parts(dotted: str) -> Path:
    """The parts of a dotted key, without quotes."""
    return tuple(part.strip("\"'") for part in PART.findall(dotted))


def keys_in(text: str) -> Iterator[tuple[Path, int]]:
    """Each key and table with its line, from 1; tables of an array have their index as a key."""
    arrays: dict[Path, int] = {}
    table: Path = ()
    inside = ""  # the quotes of a text of several lines
    for number, line in enumerate(text.splitlines(), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        if opened := TABLE.match(line):
            table = parts(opened[2])
            if opened[1] == "[[":
                arrays[table] = arrays.get(table, -1) + 1
                table = (*table, arrays[table])
            yield table, number
        elif key := KEY.match(line):
            yield (*table, *parts(key[1])), number
            inside = next((q for q in ('"""', "'''") if line.count(q) == 1), "")


def places(text: str) -> dict[Path, int]:
    """Line of each key and table; of several, the first."""
    found: dict[Path, int] = {}
    for path, number in keys_in(text):
        found.setdefault(path, number)
    return found


def earlier_line(text: str, line: int) -> int | None:
    """Earlier line with the same key or table as a line; None if there is none."""
    path = next((path for path, number in keys_in(text) if number == line), None)
    first = places(text).get(path) if path else None
    return first if first and first < line else None


def line_of(path: Path, found: dict[Path, int]) -> int | None:
    """Line of a key, or of the table that contains it."""
    for end in range(len(path), 0, -1):
        if path[:end] in found:
            return found[path[:end]]
    return None


def line_of_syntax_error(error: tomllib.TOMLDecodeError) -> int | None:
    """The line in the message of the parser."""
    named = re.search(r"at line (\d+)", str(error))
    return int(named[1]) if named else None
