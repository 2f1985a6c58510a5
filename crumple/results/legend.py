"""Reads the legend of a text history: ids and their titles in the deck."""

import re
from collections.abc import Iterable

ENTRY = re.compile(r"^\s*(\d+)(?:\s+(.*\S))?\s*$")


def read_legend(lines: Iterable[str]) -> dict[int, str]:
    """Titles by id between {BEGIN LEGEND} and {END LEGEND}; empty if an id has no title."""
    titles: dict[int, str] = {}
    inside = False
    for line in lines:
        if line.startswith("{BEGIN LEGEND}"):
            inside = True
        elif line.startswith("{END LEGEND}"):
            break
        elif inside and (match := ENTRY.match(line)):
            titles[int(match[1])] = match[2] or ""
    return titles
