"""Nodes of the catalogue."""

from pathlib import Path

from crumple.lab.catalogue.figure import FOLDER, CatalogueError, SourcedFigure, read_entries
from crumple.lab.toml_table import TomlTable

__all__ = ["FILE", "CatalogueError", "NodeWatts", "read_nodes"]

FILE = FOLDER / "nodes.toml"


class NodeWatts(TomlTable):
    """A node."""

    name: str
    cores: SourcedFigure
    idle_watts: SourcedFigure  #: at the wall
    peak_watts: SourcedFigure  #: at the wall, all cores busy
    cpu: str = ""  #: entry of the catalogue, if there is one
    sockets: SourcedFigure | None = None
    memory_bytes: SourcedFigure | None = None


def read_nodes(file: Path = FILE) -> dict[str, NodeWatts]:
    """All nodes by name.

    Raises:
        CatalogueError: a number is missing in an entry, or its source; with the line.
    """
    return read_entries(file, NodeWatts)
