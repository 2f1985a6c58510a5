"""The 3D view's data: the whole plot states of a run, and their surfaces as packed bytes."""

import json
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from crumple.view.plot_file import ResultError
from crumple.watch.model_surface import (
    LIMIT,
    Surface,
    key_of,
    scaled_positions,
    scaled_values,
    surface_of,
    values_of,
)
from crumple.watch.plot_family import GrowingPlotFamily, PlotShape, identity_of
from crumple.watch.share_of_time import ShareOfTime

SURFACES = 4  #: kept; solids that are deleted make new ones
SHAPES = 6  #: states kept as they were sent


class Busy(Exception):
    """The share of time for states is used up; ask again later."""


class SurfaceServer:
    """Surfaces of the plot states of a run."""

    def __init__(self, d3plot: Path, limit: int = LIMIT) -> None:
        self.path_, self.limit_ = d3plot, limit
        self.family_: GrowingPlotFamily | None = None
        self.generation = 0  #: grows when the family is replaced
        self.surfaces_: OrderedDict[str, Surface] = OrderedDict()
        self.shapes_: OrderedDict[tuple[str, int, float], bytes] = OrderedDict()
        self.share_ = ShareOfTime()
        self.lock_ = threading.Lock()
        self.why_not = ""  #: why there is nothing to show

    def look(self) -> None:
        """Find the states that are whole now."""
        with self.lock_:
            try:
                self.open()
                if self.family_:
                    self.family_.look()
            except (ResultError, OSError, ValueError) as error:
                self.family_, self.why_not = None, str(error)

    def open(self) -> None:
        """Open the family when it appears, and again when it is replaced."""
        if not self.path_.exists():
            self.family_, self.why_not = None, "The run has written no d3plot yet."
            return
        if self.family_ and self.family_.identity == identity_of(self.path_):
            return
        self.family_ = GrowingPlotFamily(self.path_)
        self.generation += 1
        self.surfaces_.clear()
        self.shapes_.clear()
        self.why_not = ""

    def newest_file(self) -> Path | None:
        """The file of the last whole state."""
        with self.lock_:
            return self.family_.states[-1][0] if self.family_ and self.family_.states else None

    def summary(self) -> dict[str, Any]:
        """The states, for the page."""
        with self.lock_:
            times = [time for *_, time in self.family_.states] if self.family_ else []
        why = self.why_not or ("" if times else "The run has written no whole plot state yet.")
        return {"generation": self.generation, "times": [float(f"{t:.7g}") for t in times], "why": why}

    def state(self, number: int, hurry: bool, any_other: bool = False) -> bytes:
        """A state: where its points are, and the value of each triangle.

        Args:
            hurry: read it now, whatever it costs
            any_other: one that has been read before will do, if this one has to wait

        Raises:
            ResultError: there is no such state.
            Busy: not now.
        """
        with self.lock_:
            if not self.family_ or not 0 <= number < len(self.family_.states):
                raise ResultError(f"there is no state {number}")
            key = (f"{self.generation}", number, self.family_.states[number][2])
            if key in self.shapes_:
                self.shapes_.move_to_end(key)
                return self.shapes_[key]
            if not self.share_.is_due(hurry):
                if any_other and self.shapes_:
                    return next(reversed(self.shapes_.values()))
                raise Busy
            packed = self.share_.do(lambda: self.pack_state(number))
            self.shapes_[key] = packed
            while len(self.shapes_) > SHAPES:
                self.shapes_.popitem(last=False)
            return packed

    def pack_state(self, number: int) -> bytes:
        """Read and pack a state, and its surface if that is new."""
        assert self.family_
        shape = self.family_.shape(number)
        name, surface = self.surface(shape)
        positions, low, size = scaled_positions(surface, shape)
        values, highest = scaled_values(values_of(surface, shape))
        about = {"state": number, "time": shape.time, "surface": name, "low": low, "size": size}
        about |= {"highest": highest, "points": len(positions), "triangles": len(values)}
        return packed_with(about, positions, values)

    def surface(self, shape: PlotShape) -> tuple[str, Surface]:
        """The surface of a state, by its name."""
        assert self.family_
        name = f"{self.generation}.{key_of(shape) & 0xFFFFFFFFFFFF:x}"
        if name not in self.surfaces_:
            self.surfaces_[name] = surface_of(self.family_.geometry, shape, self.limit_)
        self.surfaces_.move_to_end(name)
        while len(self.surfaces_) > SURFACES:
            self.surfaces_.popitem(last=False)
        return name, self.surfaces_[name]

    def triangles(self, name: str) -> bytes:
        """The triangles of a surface.

        Raises:
            ResultError: it is not kept any more; the state must be asked for again.
        """
        with self.lock_:
            if name not in self.surfaces_ or not self.family_:
                raise ResultError("there is no such surface")
            surface = self.surfaces_[name]
            ids = self.family_.geometry.part_ids.tolist()
        about = {"points": len(surface.nodes), "triangles": len(surface.triangles)}
        about |= {"whole": surface.whole, "parts": ids}
        parts = surface.parts.astype("<u4")
        return packed_with(about, surface.triangles.astype("<u4"), parts, surface.edges.astype("u1"))


def packed_with(about: dict[str, Any], *arrays: np.ndarray) -> bytes:
    """The length of a text, the text (JSON, filled up with blanks to four bytes), and arrays."""
    text = json.dumps(about, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    pieces = [len(text).to_bytes(4, "little"), text]
    for numbers in arrays:
        content = numbers.tobytes()
        pieces.append(content + b"\0" * (-len(content) % 4))
    return b"".join(pieces)
