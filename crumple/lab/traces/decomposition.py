"""Work and shared nodes of each rank of a deck: the solver's decomposition.json."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.mpi import environment
from crumple.solver import mpirun

FORMAT = "crumple-decomposition"
FILE = "decomposition.json"
AGREED_BYTES = 8 * 14  #: maxima and their number: solver/explicit/solver.hpp, pending_reduction.hpp
BODY_BYTES = 8 * 13  #: sums of a body's forces: solver/constraints/rigid_bodies.cpp


@dataclass(frozen=True)
class RankShare:
    """The part of one rank."""

    elements: tuple[int, ...]  #: number by type of work
    cost: float  #: of all of them, by the partitioner
    nodes: int
    owned: int  #: nodes that no earlier rank has
    shared: dict[int, int]  #: number of nodes shared with each other rank
    tied: dict[int, int]  #: the same for nodes of ties
    items: tuple[int, ...]  #: nodes (first), then lines of each contact with lines, that have candidates
    pairs: tuple[int, ...]  #: pairs of them and their candidates
    copies: tuple[dict[int, int], ...]  #: nodes of each other rank whose motion these need
    within_reach: tuple[int, ...] = ()  #: pairs that are so near that they touch from the right side
    deformed: float = 0.0  #: part of the cost that is due to elements that have yielded
    bodies: int = 0  #: rigid bodies that only this rank advances
    rows: dict[str, dict[int, int]] = field(default_factory=dict)  #: of plot states: kind, piece: number


@dataclass(frozen=True)
class Decomposition:
    """The parts of all ranks."""

    ranks: int
    end_time: float  #: end time of the job
    work: tuple[dict[str, Any], ...]  #: kind, elform, law and cost of an element, by type
    shares: tuple[RankShare, ...]
    agreed_bodies: int | None = None  #: rigid bodies that all ranks advance; None: from an old solver
    pieces: dict[str, int] = field(default_factory=dict)  #: number of pieces of rows of plot states, by kind

    @property
    def agreement_bytes(self) -> int | None:
        """Bytes of the one reduction of a cycle: forces on rigid bodies, and values common to all ranks."""
        if self.agreed_bodies is None:
            return None
        return AGREED_BYTES + BODY_BYTES * self.agreed_bodies

    @property
    def elements(self) -> int:
        """Number of elements."""
        return sum(sum(share.elements) for share in self.shares)

    def senders(self, exchange: int) -> list[dict[int, int]]:
        """For one contact exchange, by rank: number of its nodes whose motion each other rank needs."""
        sent: list[dict[int, int]] = [{} for _ in self.shares]
        for rank, share in enumerate(self.shares):
            for home, nodes in share.copies[exchange].items():
                sent[home][rank] = nodes
        return sent


def at_state(number: int) -> str:
    """The file with the contacts at a state of `decompose`, from 1."""
    return f"decomposition.{number}.json"


def decompose(
    deck: Path, ranks: int, method: str, pfile: Path | None, folder: Path, states: Sequence[Path] = ()
) -> Decomposition:
    """Let the solver decompose a deck as for a run; nothing is computed.

    Args:
        states: files of displacements; for each, a file `at_state` has the contacts there

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck or the number of ranks is wrong.
    """
    arguments = [f"i={deck}", "--decompose", str(ranks), "-d", str(folder), "--decomposition", method]
    if pfile:
        arguments.append(f"p={pfile}")
    for state in states:
        arguments += ["--displacements", str(state)]
    done = subprocess.run(
        mpirun(1, arguments), env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise TraceError(f"the solver cannot share {deck} out to {ranks} ranks:\n{said(done)}")
    return read_decomposition(folder / FILE)


def said(done: subprocess.CompletedProcess[str]) -> str:
    """The last lines of a program's output, its errors first."""
    lines = [*done.stderr.strip().splitlines(), *done.stdout.strip().splitlines()]
    return "\n".join([line for line in lines if "error" in line.lower()][:5] or lines[-5:])


def read_decomposition(path: Path) -> Decomposition:
    """Read the file of a decomposition.

    Raises:
        TraceError: it is missing, or from another solver.
    """
    try:
        whole = json.loads(path.read_text())
        if whole["format"] != FORMAT or whole["version"] != 1:
            raise TraceError(f"{path}: not a decomposition of version 1; build the solver again")
        shares = tuple(share_of(r) for r in whole["of_rank"])
        agreed = int(whole["agreed_bodies"]) if "agreed_bodies" in whole else None
        pieces = dict(whole.get("pieces", {}))
        return Decomposition(whole["ranks"], whole["end_time"], tuple(whole["work"]), shares, agreed, pieces)
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}: the solver is too old; build it again") from None
    except json.JSONDecodeError as error:
        raise TraceError(f"{path}:{error.lineno}: cut off or damaged: {error.msg}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise TraceError(f"{path}: damaged: {error}") from None


def of_trace(trace: Trace) -> Decomposition | None:
    """The decomposition beside a trace of the solver; None beside one of an implicit run or another program.

    Raises:
        TraceError: it is damaged, missing, or for another number of ranks.
    """
    path = trace.folder / FILE
    if (not trace.of_solver or trace.implicit) and not path.exists():
        return None
    found = read_decomposition(path)
    if not found.ranks == len(found.shares) == trace.ranks:
        raise TraceError(f"{path}: {len(found.shares)} ranks, and the trace has {trace.ranks}")
    return found


def share_of(rank: dict[str, Any]) -> RankShare:
    """Read the part of one rank."""
    contacts = rank["contacts"]
    return RankShare(
        tuple(rank["elements"]),
        rank["cost"],
        rank["nodes"],
        rank["owned"],
        dict(rank["shared"]),
        dict(rank["tied"]),
        tuple(c["items"] for c in contacts),
        tuple(c["pairs"] for c in contacts),
        tuple(dict(c["copies"]) for c in contacts),
        tuple(c.get("within_reach", 0) for c in contacts),
        rank.get("deformed", 0.0),
        int(rank.get("bodies", 0)),
        {kind: dict(of_pieces) for kind, of_pieces in rank.get("rows", {}).items()},
    )
