"""Nodes of the catalogue."""

from pathlib import Path

from crumple.lab.catalogue.figure import FOLDER, CatalogueError, Figure, Table, read_entries

__all__ = ["FILE", "CatalogueError", "Node", "read_nodes"]

FILE = FOLDER / "nodes.toml"


class Node(Table):
    """A node."""

    name: str
    cores: Figure
    idle_watts: Figure  #: at the wall
    peak_watts: Figure  #: at the wall, all cores busy
    cpu: str = ""  #: of the catalogue, where it is there
    sockets: Figure | None = None
    memory_bytes: Figure | None = None


def read_nodes(file: Path = FILE) -> dict[str, Node]:
    """All nodes by name.

    Raises:
        CatalogueError: an entry lacks a number, or a number its source; with the line.
    """
    return read_entries(file, Node)
