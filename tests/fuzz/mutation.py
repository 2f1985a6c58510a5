"""Damages files as disks, networks and people do: cut, flipped, swapped, doubled, numbers out of bounds."""

import random
import re
import struct
from collections.abc import Callable

INTEGERS = (0, 1, -1, 255, 2**15, 2**31 - 1, -(2**31), 2**32 - 1, 2**62, 2**63 - 1, -(2**63))
NUMBERS = (
    b"-1",
    b"0",
    b"1e999",
    b"-1e308",
    b"nan",
    b"99999999999999999999",
    b"9" * 400,
    b"1-2+3",
    b"",
    b"{",
    b"x",
)
NUMBER = re.compile(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
WORDS = (b"\x00", b"\xff\xfe", b"\x1b[2J", b"</script>", b"[" * 2000, b"'", b'"', b"\n" * 50, b" " * 3000)
LONGEST = 1 << 20  #: bytes of a damaged file


def cut(r: random.Random, data: bytes) -> bytes:
    """The end is missing."""
    return data[: r.randrange(len(data) + 1)]


def flip(r: random.Random, data: bytes) -> bytes:
    """Some bits are another's."""
    found = bytearray(data)
    for _ in range(r.choice((1, 1, 4, 32))):
        found[r.randrange(len(found))] ^= 1 << r.randrange(8)
    return bytes(found)


def noise(r: random.Random, data: bytes) -> bytes:
    """A stretch of anything."""
    at, length = r.randrange(len(data)), r.choice((1, 4, 16, 64, 512))
    return data[:at] + r.randbytes(length) + data[at + length :]


def extreme(r: random.Random, data: bytes) -> bytes:
    """An integer at the edge of its range, at a place where integers stand."""
    size = r.choice((4, 4, 8))
    if len(data) < size:
        return data
    # Headers decide most: every other time the place is in the first 512 bytes.
    span = (min(len(data), 512) if r.random() < 0.5 else len(data)) - size + 1
    at = r.randrange(span) // 4 * 4
    value = r.choice(INTEGERS) & (2 ** (8 * size) - 1)
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


def swap(r: random.Random, data: bytes) -> bytes:
    """The other byte order, of the whole file or the rest of it."""
    size, at = r.choice((4, 8)), r.choice((0, 0, r.randrange(len(data)) // 8 * 8))
    count = (len(data) - at) // size
    kind = "I" if size == 4 else "Q"
    words = struct.unpack_from(f"<{count}{kind}", data, at)
    return data[:at] + struct.pack(f">{count}{kind}", *words) + data[at + count * size :]


def repeat(r: random.Random, data: bytes) -> bytes:
    """A stretch stands there again."""
    at, length = r.randrange(len(data)), r.choice((1, 8, 80, 800, 8000))
    return data[:at] + data[at : at + length] * r.choice((2, 2, 9)) + data[at + length :]


def drop(r: random.Random, data: bytes) -> bytes:
    """A stretch is missing."""
    at = r.randrange(len(data))
    return data[:at] + data[at + r.choice((1, 8, 80, 800)) :]


def number(r: random.Random, data: bytes) -> bytes:
    """A number of a text is another one, or none."""
    found = list(NUMBER.finditer(data))
    if not found:
        return flip(r, data)
    m = r.choice(found)
    return data[: m.start()] + r.choice(NUMBERS) + data[m.end() :]


def word(r: random.Random, data: bytes) -> bytes:
    """Something that does not belong there."""
    at = r.randrange(len(data) + 1)
    return data[:at] + r.choice(WORDS) + data[at:]


def lines(r: random.Random, data: bytes) -> bytes:
    """Two lines of a text have changed places, or one is missing."""
    found = data.splitlines(keepends=True)
    if len(found) < 2:
        return cut(r, data)
    i, j = r.randrange(len(found)), r.randrange(len(found))
    found[i], found[j] = found[j], found[i] if r.random() < 0.5 else b""
    return b"".join(found)


KINDS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    cut, flip, noise, extreme, extreme, swap, repeat, drop, number, number, word, lines,
)  # fmt: skip


def damaged(r: random.Random, data: bytes) -> bytes:
    """Some bytes after one to four kinds of damage."""
    for _ in range(r.choice((1, 1, 1, 2, 4))):
        if data:
            data = r.choice(KINDS)(r, data)
    return data[:LONGEST]
