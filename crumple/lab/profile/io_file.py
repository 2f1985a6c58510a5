"""Reads the profiler's record of one rank's files; profiler/io.h has the layout."""

from pathlib import Path

import numpy as np

from crumple.lab.profile.rank_file import FILE_KINDS, FILES, PHASES, ProfileError, record_bytes, seconds, text

MAGIC = b"CRUIO001"
KINDS = (*FILE_KINDS, "opens", "closes", "others")
PATH = "S512"
LAYERS = ("posix", "stdio", "mpi_io", "beneath_mpi_io")
SIZES = 7

SIZE_OF_TABLES = ("most_files", "most_records", "most_renames")
HEADER = np.dtype(
    [
        ("magic", "S8"),
        *((n, "<i4") for n in (*SIZE_OF_TABLES, "files", "records", "renames")),
        ("more_renames", "<i8"),
    ]
)
FILE = np.dtype([("hash", "<u8"), ("device", "<u8"), ("inode", "<u8"), ("path", PATH)])
RECORD = np.dtype(
    [
        ("file", "<i4"),
        ("phase", "<i4"),
        ("of", FILES, (len(LAYERS), len(KINDS))),
        ("reads", "<i8", (len(LAYERS), SIZES)),
        ("writes", "<i8", (len(LAYERS), SIZES)),
    ]
)
RENAME = np.dtype([("inode", "<u8"), ("from", PATH), ("to", PATH)])


def layers_of(record: np.void) -> dict[str, dict]:
    """The calls of one file in one phase, by layer; those without calls are left out."""
    found = {}
    for k, layer in enumerate(LAYERS):
        kinds = {
            name: {"calls": int(f["calls"]), "time": seconds(f["time"]), "bytes": int(f["bytes"])}
            for name, f in zip(KINDS, record["of"][k], strict=True)
            if f["calls"]
        }
        if kinds:
            sizes = {n: [int(x) for x in record[n][k]] for n in ("reads", "writes")}
            found[layer] = {"calls": kinds, "read_sizes": sizes["reads"], "write_sizes": sizes["writes"]}
    return found


def tables_of(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Files, records and renames that are in use, and how many renames were not kept.

    Raises:
        ProfileError: the data is not a whole record.
    """
    if len(data) < HEADER.itemsize or data[:8] != MAGIC:
        raise ProfileError(f"{path} is not a record of a rank's files")
    header = np.frombuffer(data, HEADER, 1)[0]
    at, tables = HEADER.itemsize, []
    for most, used, kind in zip(
        SIZE_OF_TABLES, ("files", "records", "renames"), (FILE, RECORD, RENAME), strict=True
    ):
        room, n = int(header[most]), int(header[used])
        if not 0 <= n <= room or at + room * kind.itemsize > len(data):
            raise ProfileError(f"{path} is cut or damaged")
        tables.append(np.frombuffer(data, kind, n, at))
        at += room * kind.itemsize
    if at != len(data):
        raise ProfileError(f"{path} is cut or damaged")
    return tables[0], tables[1], tables[2], int(header["more_renames"])


def read_io(path: Path, phases: list[str]) -> dict:
    """A rank's files, as in the JSON file.

    Args:
        phases: names, by their place in the rank's record

    Raises:
        ProfileError: the file is not a whole record.
    """
    data = record_bytes(path)
    files, records, renames, more_renames = tables_of(data, path)
    by_file: dict[int, dict] = {}
    for record in records:
        number, phase = int(record["file"]), int(record["phase"])
        if not 0 <= number < len(files) or not 0 <= phase < PHASES:
            raise ProfileError(f"{path} is damaged")
        if layers := layers_of(record):
            by_file.setdefault(number, {})[phases[phase]] = layers
    return {
        "files": [
            {
                "path": text(files[k]["path"]),
                "device": int(files[k]["device"]),
                "inode": int(files[k]["inode"]),
                "phases": by_file[k],
            }
            for k in sorted(by_file, key=lambda k: (k == 0, k))
        ],
        "others": 0 in by_file,
        "renames": [
            {"from": text(r["from"]), "to": text(r["to"]), "inode": int(r["inode"])} for r in renames
        ],
        "more_renames": more_renames,
    }
