"""Nodes of the catalogue."""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crumple.lab.study.places import line_of, places

FILE = Path(__file__).with_name("nodes.toml")


class CatalogueError(Exception):
    """An entry is wrong: one line that says where and what."""


class Number(BaseModel):
    """A number, and where it is from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: Annotated[float, Field(ge=0)]
    source: Annotated[str, Field(min_length=1)]


class Node(BaseModel):
    """A node."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    cores: Number
    idle_watts: Number  #: at the wall
    peak_watts: Number  #: at the wall, all cores busy


def read_nodes(file: Path = FILE) -> dict[str, Node]:
    """All nodes by name.

    Raises:
        CatalogueError: an entry lacks a number, or a number its source; with the line.
    """
    text = file.read_text()
    nodes = {}
    for name, entry in tomllib.loads(text).items():
        try:
            nodes[name] = Node.model_validate(entry)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            line = line_of((name, *first["loc"]), places(text)) or 1
            key = ".".join(str(part) for part in first["loc"])
            raise CatalogueError(f"{file}:{line}: {name}: {key}: {first['msg']}") from None
    return nodes
