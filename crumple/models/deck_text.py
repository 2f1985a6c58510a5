"""Arrays as text of fixed columns, as keyword decks have it; millions of lines in seconds."""

from typing import BinaryIO

import numpy as np

FOUR = 10_000
ZEROS = np.array([f"{k:04d}" for k in range(FOUR)], dtype="S4").view(np.uint8).reshape(FOUR, 4)
BLANKS = np.array([f"{k:4d}" for k in range(FOUR)], dtype="S4").view(np.uint8).reshape(FOUR, 4)
CHUNK = 1 << 17  #: lines at once, so that they stay in cache


def write_digits(out: np.ndarray, values: np.ndarray) -> None:
    """Right-adjusted decimal digits of numbers >= 0 into `out` (n, width), full of blanks before."""
    rest, at = values, out.shape[1]
    inner = np.ones(len(values), dtype=bool)
    while at > 0:
        rest, four = np.divmod(rest, FOUR)
        more = rest > 0
        digits = np.where(more[:, None], ZEROS[four], BLANKS[four])
        width = min(4, at)
        out[inner, at - width : at] = digits[inner, 4 - width :]
        inner = more
        at -= width
        if not inner.any():
            return


def integer_column(values: np.ndarray, width: int) -> np.ndarray:
    """Numbers >= 0, right-adjusted, as bytes (n, width)."""
    out = np.full((len(values), width), ord(" "), dtype=np.uint8)
    write_digits(out, np.asarray(values, dtype=np.int64))
    return out


def decimal_column(values: np.ndarray, width: int, decimals: int) -> np.ndarray:
    """Numbers with a fixed number of decimals, right-adjusted, as bytes (n, width)."""
    scaled = np.rint(np.asarray(values) * 10.0**decimals).astype(np.int64)
    size = np.abs(scaled)
    whole, part = np.divmod(size, 10**decimals)
    out = np.full((len(size), width), ord(" "), dtype=np.uint8)
    point = width - decimals - 1
    write_digits(out[:, :point], whole)
    out[:, point] = ord(".")
    for k in range(decimals):
        part, digit = np.divmod(part, 10)
        out[:, width - 1 - k] = ord("0") + digit
    below = np.flatnonzero(scaled < 0)
    first = np.argmax(out[below] != ord(" "), axis=1)
    out[below, first - 1] = ord("-")
    return out


def write_lines(out: BinaryIO, columns: list[tuple[np.ndarray, int, int]]) -> None:
    """Lines of columns: values, width, decimals (0: whole numbers >= 0)."""
    count = len(columns[0][0])
    for start in range(0, count, CHUNK):
        part = slice(start, min(count, start + CHUNK))
        pieces = [
            decimal_column(values[part], width, decimals) if decimals else integer_column(values[part], width)
            for values, width, decimals in columns
        ]
        pieces.append(np.full((len(pieces[0]), 1), ord("\n"), dtype=np.uint8))
        out.write(np.concatenate(pieces, axis=1).tobytes())


def write_nodes(out: BinaryIO, first: int, positions: np.ndarray, decimals: int = 5) -> None:
    """*NODE, numbered from `first`."""
    out.write(b"*NODE\n")
    numbers = first + np.arange(len(positions))
    write_lines(out, [(numbers, 8, 0), *((positions[:, k], 16, decimals) for k in range(3))])


def write_elements(out: BinaryIO, keyword: str, first: int, part: np.ndarray, nodes: np.ndarray) -> None:
    """Elements of one kind, numbered from `first`; `nodes` (n, 2, 4 or 8) are node numbers."""
    if not len(nodes):
        return
    out.write(f"*{keyword}\n".encode())
    numbers = first + np.arange(len(nodes))
    columns = [(numbers, 8, 0), (part, 8, 0), *((nodes[:, k], 8, 0) for k in range(nodes.shape[1]))]
    write_lines(out, columns)


def write_set(out: BinaryIO, keyword: str, number: int, items: np.ndarray | list[int]) -> None:
    """A *SET_..._LIST with eight items a card."""
    items = np.asarray(items, dtype=np.int64)
    out.write(f"*{keyword}\n{number:10d}\n".encode())
    rows = len(items) // 8
    if rows:
        write_lines(out, [(items[: 8 * rows].reshape(rows, 8)[:, k], 10, 0) for k in range(8)])
    if len(items) > 8 * rows:
        out.write(("".join(f"{item:10d}" for item in items[8 * rows :]) + "\n").encode())
