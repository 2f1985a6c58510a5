"""A cluster file as read: its tables, and the lines of its keys."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PositiveInt

from crumple.lab.catalogue.figure import CatalogueError
from crumple.lab.toml_places import line_of
from crumple.lab.toml_table import TomlTable


class ClusterHeader(TomlTable):
    """Keys of the cluster as a whole."""

    name: Annotated[str, Field(pattern=r"^[\w.+-]+$")]
    title: str = ""
    nodes: PositiveInt
    pue: Annotated[float, Field(ge=1)] = 1.0
    price_per_kwh: Annotated[float, Field(ge=0)] = 0.0
    currency: str = "EUR"
    switch_watts: Annotated[float, Field(ge=0)] | None = None


@dataclass
class ClusterFile:
    """The tables of the file, and the lines of its keys."""

    path: Path
    tables: dict[str, Any]
    lines: dict[tuple, int]

    def wrong(self, key: tuple, what: str) -> CatalogueError:
        """An error with the line of a key."""
        return CatalogueError(f"{self.path}:{line_of(key, self.lines) or 1}: {what}")
