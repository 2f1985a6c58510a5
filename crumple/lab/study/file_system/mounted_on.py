"""The file system under a folder: its type, options and device."""

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")


def plain(text: str) -> str:
    """A field of the table, whose spaces and the like are octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), text)


def file_system_of(folder: Path) -> dict[str, str]:
    """Type, options and device of a folder's file system, for the provenance; empty if Linux does not say."""
    try:
        lines = MOUNTS.read_text().splitlines()
    except OSError:
        return {}
    resolved, found, longest = str(folder.resolve()), {}, -1
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, about = before.split(), after.split()
        if len(fields) < 6 or len(about) < 3:
            continue
        point = plain(fields[4])
        inside = resolved == point or resolved.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:  # a later mount covers an earlier one
            options = dict.fromkeys([*fields[5].split(","), *about[2].split(",")])
            found = {"type": about[0], "options": ",".join(options), "device": plain(about[1])}
            longest = len(point)
    return found
