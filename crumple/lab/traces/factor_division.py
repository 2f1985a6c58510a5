"""The division of an implicit model's factor over ranks: the solver's division.json."""

import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace

FORMAT = "crumple-factor-division"
DIVISION = "division.json"


@dataclass(frozen=True)
class RankOfFactor:
    """What one rank has: fronts that it makes alone, panels of fronts above, and its part of the matrix."""

    fronts: int
    flops: float  #: of these fronts
    factor_values: int
    update_values: int  #: of their update matrices
    top_values: int  #: of its panels of pivots in the fronts above
    equations: int  #: that its own fronts eliminate
    all_equations: int  #: with those of fronts above that begin on this rank
    matrix_values: int
    part_bytes: int  #: of its part of the symbolic factor, as rank 0 sends it
    out_of_core: bool
    file_values: float  #: values in its file, update matrices included
    bytes: float  #: memory

    @property
    def values(self) -> int:
        """Values of its own fronts that are assembled."""
        return self.factor_values + self.update_values


@dataclass(frozen=True)
class TopFront:
    """A front that several ranks make, or one that is made from what others made."""

    order: int
    pivots: int
    parent: int  #: among these fronts; -1: none
    ranks: tuple[int, ...]  #: of each panel: those of the pivots first
    children: tuple[tuple[int, int, int], ...]  #: number (-1: a rank's own front), its rank, rows passed
    pieces: tuple[tuple[int, int, int, int], ...]  #: of update matrices: panel, values, from, to

    def grown(self, tile: int, wider: int, length: float) -> "TopFront":
        """The same front with longer rows, in as many panels.

        Args:
            tile, wider: columns of a panel before, and then
            length: of rows, over that before
        """

        def longer(columns: int) -> int:
            panels = -(-columns // tile)
            return (
                min(panels * wider, max((panels - 1) * wider + 1, round(columns * length))) if panels else 0
            )

        pivots = longer(self.pivots)
        children = tuple((number, rank, round(rows * length)) for number, rank, rows in self.children)
        pieces = tuple(
            (panel, round(values * length**2), source, to) for panel, values, source, to in self.pieces
        )
        order = pivots + longer(self.order - self.pivots)
        return replace(self, order=order, pivots=pivots, children=children, pieces=pieces)


@dataclass(frozen=True)
class FactorDivision:
    """The division over all ranks."""

    ranks: int
    tile: int  #: columns of a panel
    value_bytes: int
    equations: int
    flops: float
    entries: float
    of_rank: tuple[RankOfFactor, ...]
    tops: tuple[TopFront, ...]

    def grown(self, equations: int) -> "FactorDivision":
        """The division of a model like this one with another number of equations.

        Separators of a solid body are surfaces: lengths of fronts grow with the power 2/3 of the equations,
        so values with 4/3 and operations with 2 (nested dissection; George 1973). Panels become wider, so
        that their number stays.
        """
        more = equations / self.equations
        length = more ** (2.0 / 3.0)

        def longer(n: int) -> int:
            return round(n * length)

        def values(n: float) -> int:
            return round(n * length**2)

        ranks = tuple(
            replace(
                rank,
                flops=rank.flops * length**3,
                factor_values=values(rank.factor_values),
                update_values=values(rank.update_values),
                top_values=values(rank.top_values),
                equations=round(rank.equations * more),
                all_equations=round(rank.all_equations * more),
                matrix_values=round(rank.matrix_values * more),
                part_bytes=round(rank.part_bytes * more),
                file_values=values(rank.file_values),
                bytes=rank.bytes * length**2,
            )
            for rank in self.of_rank
        )
        tile = longer(self.tile)
        tops = tuple(top.grown(self.tile, tile, length) for top in self.tops)
        return replace(
            self,
            tile=tile,
            equations=equations,
            flops=self.flops * length**3,
            entries=self.entries * length**2,
            of_rank=ranks,
            tops=tops,
        )

    @property
    def top_pivots(self) -> int:
        """Pivots of all top fronts."""
        return sum(top.pivots for top in self.tops)


def read_division(path: Path) -> FactorDivision:
    """Read the file of a division.

    Raises:
        TraceError: it is missing, or damaged.
    """
    try:
        return division_of(json.loads(path.read_text()))
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise TraceError(f"{path}: damaged: {error}") from None


def division_of(whole: dict) -> FactorDivision:
    """A division from its data.

    Raises:
        ValueError, KeyError, TypeError: it is not one.
    """
    if whole["format"] != FORMAT or whole["version"] != 1:
        raise ValueError("not a division of version 1")
    tops = tuple(
        TopFront(
            top["order"],
            top["pivots"],
            top["parent"],
            tuple(top["ranks"]),
            tuple(map(tuple, top["children"])),
            tuple(map(tuple, top["pieces"])),
        )
        for top in whole["top_fronts"]
    )
    keys = ("ranks", "tile", "value_bytes", "equations", "flops", "entries")
    return FactorDivision(
        *(whole[key] for key in keys), tuple(RankOfFactor(**rank) for rank in whole["of_rank"]), tops
    )


def divide(
    deck: Path, ranks: int, folder: Path, precision: str = "double", memory: str = ""
) -> FactorDivision:
    """Let the solver divide the factor of an implicit deck as a run would; nothing is computed.

    Args:
        memory: words of memory for each rank, as memory= of the solver; "": what this machine has left

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong, or rank 0 solves its equations alone.
    """
    from crumple.lab.traces.decomposition import said
    from crumple.mpi import environment
    from crumple.solver import mpirun

    words = [f"i={deck}", "--decompose", str(ranks), "-d", str(folder), "--precision", precision]
    words += [f"memory={memory}"] if memory else []
    done = subprocess.run(mpirun(1, words), env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise TraceError(f"the solver cannot divide {deck} over {ranks} ranks:\n{said(done)}")
    if not (folder / DIVISION).is_file():
        raise TraceError(
            f"{deck}: it is not implicit, or rank 0 solves its equations alone: no rank shares its factor"
        )
    return read_division(folder / DIVISION)


def division_beside(trace: Trace) -> FactorDivision | None:
    """The division beside a trace of an implicit run; None beside another trace.

    Raises:
        TraceError: it is damaged, or for another number of ranks.
    """
    path = trace.folder / DIVISION
    if not path.is_file():
        return None
    found = read_division(path)
    if not found.ranks == len(found.of_rank) == trace.ranks:
        raise TraceError(f"{path}: {len(found.of_rank)} ranks, and the trace has {trace.ranks}")
    return found
