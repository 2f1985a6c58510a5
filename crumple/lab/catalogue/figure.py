"""A number with its source, and TOML files of entries made of such numbers."""

import tomllib
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, ValidationError

from crumple.lab.toml_places import earlier_line, line_of, line_of_syntax_error, places
from crumple.lab.toml_table import TomlTable, nearest

FOLDER = Path(__file__).parent


class CatalogueError(Exception):
    """An entry or a cluster file is wrong: one line with the place, the mistake and what is right."""


class SourcedFigure(TomlTable):
    """A number in SI units, and its source."""

    value: Annotated[float, Field(ge=0, le=1e30)]
    source: Annotated[str, Field(min_length=1)]  #: title and year, or how it was estimated and from what
    estimated: bool = False  #: not published or measured, but derived from other numbers


class Curve(TomlTable):
    """Pairs of numbers, and their source."""

    value: tuple[tuple[float, float], ...]
    source: Annotated[str, Field(min_length=1)]
    estimated: bool = False


Entry = TypeVar("Entry", bound=BaseModel)


def require_positive(entry: BaseModel, *keys: str) -> None:
    """Refuse a figure of 0.

    Raises:
        ValueError: with the key in front.
    """
    for key in keys:
        figure = getattr(entry, key)
        if figure is not None and figure.value <= 0.0:
            raise ValueError(f"{key}: {figure.value:g} is not possible")


def require_count(entry: BaseModel, *keys: str) -> None:
    """Refuse a figure that is not a count of 1 or more.

    Raises:
        ValueError: with the key in front.
    """
    for key in keys:
        figure = getattr(entry, key)
        if figure is not None and (figure.value < 1 or figure.value % 1 or figure.value > 1e9):
            raise ValueError(f"{key}: {figure.value:g} is not a number of {key.replace('_', ' ')}")


def complaint(error: dict, keys: list[str]) -> str:
    """One finding of pydantic, in our words.

    Args:
        keys: valid keys of the entry
    """
    path, kind = error["loc"], error["type"]
    name = ".".join(str(part) for part in path if isinstance(part, str))
    if kind == "extra_forbidden":
        valid = keys if len(path) == 1 else list(SourcedFigure.model_fields)
        return f"unknown key '{name}'{nearest(str(path[-1]), valid)}"
    if kind == "missing" and path[-1] == "source":
        return f"{name.removesuffix('.source')}: a number without its source"
    if kind == "missing":
        return f"'{name}' is missing"
    if kind == "model_type":
        return f'{name}: write {{ value = {error["input"]}, source = "..." }}'
    if kind == "literal_error":
        choices = [c.strip("' ") for c in error["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return f"{name}: '{error['input']}' is not valid{nearest(str(error['input']), choices)}"
    return f"{name}: {error['msg'].removeprefix('Value error, ')}"


def first_of(error: ValidationError) -> dict:
    """The finding to report: if a key has a typo, it is also missing, but the typo is more helpful."""
    found = error.errors(include_url=False)
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
    said = first["msg"].removeprefix("Value error, ")
    if first["type"] == "value_error" and ": " in said:  # of a whole entry: the message begins with the key
        key, what = said.split(": ", 1)
        return first | {"loc": (*first["loc"], key), "msg": what}
    return first


def read_toml(file: Path) -> tuple[str, dict]:
    """Text and tables of a file.

    Raises:
        CatalogueError: it cannot be read, or is not TOML; with the line.
    """
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "is no text"
        raise CatalogueError(f"{file}: {why}") from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = line_of_syntax_error(error) or len(text.splitlines()) or 1
        first = earlier_line(text, line)
        there = f"; it is already in line {first}" if first else ""
        raise CatalogueError(f"{file}:{line}: {str(error).split(' (at')[0]}{there}") from None
    except RecursionError:
        raise CatalogueError(f"{file}: brackets within brackets, too deep to be read") from None
    except ValueError as error:  # a number with thousands of digits
        raise CatalogueError(f"{file}: {error}") from None


def read_entries(file: Path, kind: type[Entry]) -> dict[str, Entry]:
    """All entries of a file by name.

    Raises:
        CatalogueError: a number is missing in an entry, or its source; with the line.
    """
    text, tables = read_toml(file)
    entries = {}
    for name, entry in tables.items():
        try:
            entries[name] = kind.model_validate(entry)
        except ValidationError as error:
            first = first_of(error)
            line = line_of((name, *first["loc"]), places(text)) or 1
            said = complaint(first, list(kind.model_fields))
            raise CatalogueError(f"{file}:{line}: {name}: {said}") from None
    return entries
