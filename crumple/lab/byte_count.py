"""A number of bytes in the form of the command line: 500M, 2G."""

import re

UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
NUMBER = r"(\d+(?:\.\d*)?(?:e\+?\d+)?) *([kmgt]?)b?"


class ByteCountError(Exception):
    """It is not a number of bytes; the message names the option."""


def bytes_of(option: str, text: str) -> float:
    """Bytes of 300M, 2 GB, 1e9; each unit is 1,000 times the one before.

    Raises:
        ByteCountError: it is not a number of bytes, or infinite.
    """
    found = re.fullmatch(NUMBER, text.strip().lower(), re.ASCII)
    number = float(found[1]) * UNITS[found[2]] if found else float("inf")
    if number == float("inf"):
        raise ByteCountError(f"{option} {text}: give bytes, such as 300M or 2G")
    return number
