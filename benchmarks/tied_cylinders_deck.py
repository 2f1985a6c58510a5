"""The nested cylinders of the CalculiX deck (crumple/models/cylinders_calculix.py) as a keyword deck.

The same nodes, bricks, ties, supports and pressure, so that both programs solve the same equations. Units:
mm, MPa, tonne, s.
"""

from pathlib import Path

import numpy as np

from crumple.models.cylinders_calculix import (
    CYLINDERS,
    POISSON,
    PRESSURE,
    YOUNG,
    CylinderDivisions,
    coordinates,
    divisions,
    elements,
    node_ids,
)
from crumple.models.deck_text import write_elements, write_lines, write_nodes, write_set

HEADER = """*KEYWORD
*TITLE
nested cylinders, tied, {elements} elements
*CONTROL_TERMINATION
       1.0
*CONTROL_IMPLICIT_GENERAL
         1       1.0
*CONTROL_IMPLICIT_SOLUTION
$   NSOLVR
         1
*CONTROL_IMPLICIT_SOLVER
$   LSOLVR
{solver:10d}
*DATABASE_BINARY_D3PLOT
       1.0
*MAT_ELASTIC
         1   7.85e-9{young:10.1f}{poisson:10.3f}
*SECTION_SOLID
         1         2
*DEFINE_CURVE
         1
                 0.0                 0.0
                 1.0{pressure:20.4f}
"""


def write_tied(path: Path, wanted: int, solver: int = 2) -> CylinderDivisions:
    """Write the deck.

    Args:
        path: of the deck
        wanted: elements asked for
        solver: LSOLVR: 2 for ours, 30 for MUMPS
    """
    d = divisions(wanted)
    ids, bricks = node_ids(d), elements(d)
    quarter = d.around // 4
    with path.open("wb") as out:
        text = HEADER.format(
            elements=d.elements, solver=solver, young=YOUNG, poisson=POISSON, pressure=PRESSURE
        )
        out.write(text.encode())
        write_nodes(out, 1, coordinates(d), 8)
        first = 1
        for c in range(CYLINDERS):
            out.write(f"*PART\ncylinder {c + 1}\n{c + 1:10d}{1:10d}{1:10d}\n".encode())
            rows = bricks[c].reshape(-1, 8)
            write_elements(out, "ELEMENT_SOLID", first, np.full(len(rows), c + 1), rows)
            first += len(rows)
        for c in range(1, CYLINDERS):
            write_set(out, "SET_NODE_LIST", c, ids[c, 0].ravel())
            segments(out, c, faces(ids[c - 1, -1]))
            card = f"{c:10d}{c:10d}{4:10d}{0:10d}\n\n\n"
            out.write(f"*CONTACT_TIED_NODES_TO_SURFACE\n{card}".encode())
        segments(out, CYLINDERS, faces(ids[0, 0])[:, ::-1])
        out.write(f"*LOAD_SEGMENT_SET\n{CYLINDERS:10d}         1       1.0\n".encode())
        # Inner faces that are tied move with what they are tied to, and are not held themselves.
        held = np.concatenate([ids[:1, :1].ravel(), ids[:, 1:].ravel()])
        groups = (
            (ids[..., [0, -1]], (0, 0, 1)),
            (ids[:, :, [0, 2 * quarter]], (0, 1, 0)),
            (ids[:, :, [quarter, 3 * quarter]], (1, 0, 0)),
        )
        for number, (nodes, along) in enumerate(groups, CYLINDERS):
            write_set(out, "SET_NODE_LIST", number, np.intersect1d(nodes, held))
            card = f"{number:10d}{0:10d}" + "".join(f"{k:10d}" for k in along)
            out.write(f"*BOUNDARY_SPC_SET\n{card}\n".encode())
        out.write(b"*END\n")
    return d


def faces(layer: np.ndarray) -> np.ndarray:
    """Segments (n, 4) of a layer of nodes (around, along), which look away from the axis."""
    after = np.roll(layer, -1, axis=0)
    corners = (layer[:, :-1], after[:, :-1], after[:, 1:], layer[:, 1:])
    return np.stack(corners, axis=-1).reshape(-1, 4)


def segments(out, number: int, corners: np.ndarray) -> None:  # noqa: ANN001 - a binary file
    """*SET_SEGMENT."""
    out.write(f"*SET_SEGMENT\n{number:10d}\n".encode())
    write_lines(out, [(corners[:, k], 10, 0) for k in range(4)])
