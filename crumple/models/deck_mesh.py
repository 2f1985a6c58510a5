"""Reads nodes and elements back from a deck as deck_text writes it: fixed columns, lines of equal length."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

WIDTH = 8  #: of numbers of nodes, elements and parts
FACES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))  #: of a solid


@dataclass(frozen=True)
class DeckMesh:
    """Nodes, and what elements of shells and solids show: quadrilaterals."""

    node: np.ndarray  #: ids, ascending
    x: np.ndarray  #: (n, 3)
    part: np.ndarray  #: of each quadrilateral
    corners: np.ndarray  #: (n, 4), indices into `node`


def read_mesh(deck: Path) -> DeckMesh:
    """The mesh of a deck that `write_model` wrote.

    Raises:
        OSError: it cannot be read.
    """
    lines = deck.read_bytes().split(b"\n")
    starts = [k for k, line in enumerate(lines) if line.startswith(b"*")]
    found: dict[bytes, list[np.ndarray]] = {b"*NODE": [], b"*ELEMENT_SHELL": [], b"*ELEMENT_SOLID": []}
    for first, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        if (of := found.get(lines[first])) is not None:
            of.append(columns([line for line in lines[first + 1 : end] if line and line[:1] != b"$"]))
    nodes = np.concatenate(found[b"*NODE"])
    node = numbers(nodes[:, :WIDTH])
    x = np.stack([numbers(nodes[:, 8 + 16 * k : 24 + 16 * k], float) for k in range(3)], axis=1)
    parts, corners = [], []
    for shells in found[b"*ELEMENT_SHELL"]:
        parts.append(numbers(shells[:, WIDTH : 2 * WIDTH]))
        corners.append(node_columns(shells, 4))
    for solids in found[b"*ELEMENT_SOLID"]:
        of = node_columns(solids, 8)
        parts.append(np.repeat(numbers(solids[:, WIDTH : 2 * WIDTH]), len(FACES)))
        corners.append(of[:, FACES].reshape(-1, 4))
    order = np.argsort(node)
    index = order[np.searchsorted(node, np.concatenate(corners), sorter=order)]
    inverse = np.empty(len(node), np.int64)
    inverse[order] = np.arange(len(node))
    return DeckMesh(node[order], x[order], np.concatenate(parts), inverse[index])


def columns(lines: list[bytes]) -> np.ndarray:
    """Lines of equal length as characters."""
    return np.frombuffer(b"".join(lines), np.uint8).reshape(len(lines), -1)


def numbers(characters: np.ndarray, kind: type = int) -> np.ndarray:
    """A column of numbers."""
    text = np.ascontiguousarray(characters).view(f"S{characters.shape[1]}")[:, 0]
    return text.astype(kind)


def node_columns(elements: np.ndarray, count: int) -> np.ndarray:
    """The nodes of elements, behind the element's number and its part."""
    at = [(2 + k) * WIDTH for k in range(count)]
    return np.stack([numbers(elements[:, a : a + WIDTH]) for a in at], axis=1)
