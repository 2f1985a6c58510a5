"""Displacements of the nodes of a recording at the end of its window; stored with the trace."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from crumple.lab.profile.trace.events import TraceError
from crumple.whole_file import write_whole

FILE = "displacements.zst"
OF_SOLVER = "displacements"  #: the file that `crumple-solver --write-displacements` writes
KEY = "displacements"  #: in trace.json: number of nodes, and the unit of length
STEPS = 1 << 14  #: units of length in the largest displacement
RECORD = np.dtype([("node", "<i8"), ("moved", "<f8", 3)])  #: solver/control/displaced_nodes.hpp
LEVEL = 19  #: level of zstd


@dataclass(frozen=True)
class Displacements:
    """Displacements of nodes, by ascending ids."""

    node: np.ndarray  #: ids
    moved: np.ndarray  #: (n, 3), in the deck's unit of length

    def write_for_solver(self, path: Path) -> Path:
        """Write the file for `crumple-solver --displacements`."""
        records = np.zeros(len(self.node), RECORD)
        records["node"], records["moved"] = self.node, self.moved
        records.tofile(path)
        return path


def of_run(results: Path) -> Displacements:
    """Read the displacements that a run has written.

    Raises:
        TraceError: there are none, because the solver is old.
    """
    path = results / OF_SOLVER
    if not path.is_file():
        raise TraceError(f"{path}: the solver has not written displacements; build it again")
    records = np.fromfile(path, RECORD)
    return Displacements(records["node"], records["moved"])


def keep(folder: Path, displacements: Displacements) -> dict[str, Any]:
    """Write them into the folder of a trace, rounded; returns the entry for trace.json."""
    most = float(np.abs(displacements.moved).max(initial=0.0))
    unit = most / STEPS or 1.0
    steps = np.rint(displacements.moved / unit).astype(np.int32)
    columns = [np.diff(displacements.node.astype(np.int32), prepend=np.int32(0))]
    columns += [np.diff(steps[:, k], prepend=np.int32(0)) for k in range(3)]
    # Bytes of the same significance are together: most of the high ones are 0.
    parted = np.stack(columns).astype("<i4").view(np.uint8).reshape(4, -1, 4).transpose(0, 2, 1)
    write_whole(folder / FILE, zstandard.compress(parted.tobytes(), LEVEL))
    return {KEY: {"nodes": len(displacements.node), "unit": unit}}


def kept(folder: Path, meta: dict[str, Any]) -> Displacements | None:
    """The displacements of a trace; None if it has none.

    Args:
        meta: the contents of its trace.json

    Raises:
        TraceError: the file is missing, or damaged.
    """
    if not (said := meta.get(KEY)):
        return None
    path = folder / FILE
    try:
        nodes, unit = int(said["nodes"]), float(said["unit"])
        raw = zstandard.ZstdDecompressor().decompress(path.read_bytes(), max_output_size=16 * nodes)
        parted = np.frombuffer(raw, np.uint8).reshape(4, 4, nodes).transpose(0, 2, 1)
        columns = np.ascontiguousarray(parted).view("<i4")[:, :, 0].cumsum(axis=1, dtype=np.int64)
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, zstandard.ZstdError) as error:
        raise TraceError(f"{path}: damaged: {error}") from None
    return Displacements(columns[0], columns[1:].T * unit)
