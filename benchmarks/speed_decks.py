"""The decks of the whole runs: those of ../shared/decks/bench; where it is absent the same models, made here.

MAT_024 with a hardening curve, mm s tonne. The plate (224 x 224 shells) and the block (50 x 25 x 40 solids)
are stretched at a constant rate, so that all elements yield from some 25 cycles on; the tube (200 shells
around, 250 along) folds up on itself at a wall, pushed by a heavy ring. And the project's own vehicles.
The Camry at a wall (975,435 shells with ties, welds and rigid bodies) is measured where the folder has it.
"""

import lzma
import re
import shutil
from pathlib import Path
from typing import BinaryIO

import numpy as np

from crumple.models import Wishes, write_model
from crumple.models.deck_text import write_elements, write_nodes, write_set
from crumple.models.grids import block, plate

SHARED = Path(__file__).resolve().parents[2] / "shared" / "decks" / "bench"
EDGE = 4.0  #: mm, of plate and block
#: models of crumple.models, and their elements
MODELS = {
    "three-vehicle": ("three-vehicle", 50_000),
    "three-vehicle-10k": ("three-vehicle", 10_000),
    "three-vehicle-100k": ("three-vehicle", 100_000),
    "neon-100k": ("neon", 100_000),
}
CAMRY = "camry"

_HEAD = """*KEYWORD
*TITLE
{title}, mm s tonne
*CONTROL_TERMINATION
{end:10.3e}
*CONTROL_TIMESTEP
       0.0      0.90
*CONTROL_ENERGY
         2         2         2         1
*DATABASE_GLSTAT
{glstat:10.3e}
*DATABASE_BINARY_D3PLOT
{end:10.3e}
*DEFINE_CURVE
         1
                 0.0               270.0
               0.005               300.0
                0.01               320.0
                0.02               345.0
                0.05               390.0
                 0.1               435.0
                 0.2               490.0
                 0.4               555.0
                 0.7               615.0
                 1.0               655.0
"""
_PART = """*PART
{title}
{part:10d}{part:10d}{part:10d}         0         0
{section}*MAT_PIECEWISE_LINEAR_PLASTICITY
{part:10d}{density:10.3e}  210000.0     0.300     270.0
       0.0       0.0         1


"""
_SHELLS = """*SECTION_SHELL
{part:10d}         2    0.8333         5
{thickness:10.4f}{thickness:10.4f}{thickness:10.4f}{thickness:10.4f}
"""
_SOLIDS = "*SECTION_SOLID\n{part:10d}         1\n"
_STEEL, _HEAVY = 7.85e-9, 4.34e-6  # tonne / mm^3
_TUBE_END = """*BOUNDARY_SPC_SET
         1         0         1         1         0         1         1         1
*INITIAL_VELOCITY
         0         0         0
       0.0       0.0  -40000.0
*RIGIDWALL_PLANAR
         0         0         0
     0.000     0.000    -0.050     0.000     0.000     1.000     0.200
*CONTACT_AUTOMATIC_SINGLE_SURFACE
         0         0         5         0         0         0         0         0
      0.20      0.20       0.0       0.0      20.0         0       0.0   1.0E+20
       1.0       1.0       0.0       0.0       1.0       1.0       1.0       1.0
*END
"""


def _write_stretching(out: BinaryIO, rows: list[np.ndarray], speed: float) -> None:
    """Rows of nodes (node numbers, from one end to the other) move apart, the ends held to it."""
    out.write(b"*DEFINE_CURVE\n         2\n                 0.0                 1.0\n")
    out.write(b"                 1.0                 1.0\n")
    for number, row in enumerate(rows, 1):
        write_set(out, "SET_NODE_LIST", number, row)
    for number, v in enumerate(np.linspace(-speed, speed, len(rows)), 1):
        out.write(
            f"*INITIAL_VELOCITY\n{number:10d}         0         0\n{v:10.2f}       0.0       0.0\n".encode()
        )
    for number, v in ((1, -speed), (len(rows), speed)):
        card = f"*BOUNDARY_PRESCRIBED_MOTION_SET\n{number:10d}         1         0         2{v:10.2f}\n"
        out.write(card.encode())
    out.write(b"*END\n")


def write_plate(path: Path, cells: int = 224) -> None:
    """cells x cells shells that are stretched."""
    n = cells + 1
    nodes, corners = plate(cells, EDGE)
    with path.open("wb") as out:
        out.write(_HEAD.format(title="plate benchmark", end=1e-3, glstat=1e-5).encode())
        section = _SHELLS.format(part=1, thickness=1.2)
        out.write(_PART.format(title="deformable", part=1, section=section, density=_STEEL).encode())
        write_nodes(out, 1, nodes - [EDGE * cells / 2, 0, 0])
        write_elements(out, "ELEMENT_SHELL", 1, np.ones(len(corners), dtype=np.int64), corners)
        _write_stretching(out, [np.arange(k * n, (k + 1) * n) + 1 for k in range(n)], 44800.0)


def _write_block(path: Path, cells: tuple[int, int, int] = (50, 25, 40)) -> None:
    layer = (cells[1] + 1) * (cells[2] + 1)
    nodes, corners = block(cells, EDGE)
    with path.open("wb") as out:
        out.write(_HEAD.format(title="block benchmark", end=8e-4, glstat=8e-6).encode())
        section = _SOLIDS.format(part=1)
        out.write(_PART.format(title="deformable", part=1, section=section, density=_STEEL).encode())
        write_nodes(out, 1, nodes - [EDGE * cells[0] / 2, 0, 0])
        write_elements(out, "ELEMENT_SOLID", 1, np.ones(len(corners), dtype=np.int64), corners)
        rows = [np.arange(r * layer, (r + 1) * layer) + 1 for r in range(cells[0] + 1)]
        _write_stretching(out, rows, 10000.0)


def _write_tube(path: Path, around: int = 200, along: int = 250) -> None:
    side, length, heavy = 60.0, 300.0, 6.0  # mm
    s = 4 * side * np.arange(around) / around
    which, s = np.divmod(s + 1e-9, side)
    z = length * np.arange(along + 1) / along
    dent = 0.4 * np.where(z < 24, np.sin(np.pi * z / 24) ** 2, 0)[:, None] * np.sin(np.pi * s / side)
    x = np.choose(which.astype(int), [s, side + dent, side - s, -dent])
    y = np.choose(which.astype(int), [dent, s, side - dent, side - s])
    first = np.arange(around * along) + 1
    turn = np.where((first - 1) % around == around - 1, around, 0)
    corners = np.column_stack([first, first + 1 - turn, first + 1 + around - turn, first + around])
    parts = np.where((first - 1) // around >= along * (1 - heavy / length), 2, 1)
    with path.open("wb") as out:
        out.write(_HEAD.format(title="tube benchmark", end=2e-3, glstat=2e-5).encode())
        for part, title, density in ((1, "deformable", _STEEL), (2, "heavy ring", _HEAVY)):
            section = _SHELLS.format(part=part, thickness=0.8)
            out.write(_PART.format(title=title, part=part, section=section, density=density).encode())
        points = [np.broadcast_to(v, dent.shape).ravel() for v in (x, y, z[:, None])]
        write_nodes(out, 1, np.column_stack(points))
        write_elements(out, "ELEMENT_SHELL", 1, parts, corners)
        write_set(out, "SET_NODE_LIST", 1, np.arange(around) + around * along + 1)
        out.write(_TUBE_END.encode())


def camry_archive() -> Path:
    """Of the Camry's decks; may be absent."""
    return SHARED.parent / "camry2012.tar.xz"


def without_database(deck: str) -> str:
    """A deck that asks for no output."""
    cards = re.split(r"^(?=\*)", deck, flags=re.MULTILINE)
    return "".join(card for card in cards if not card.startswith("*DATABASE"))


def _extract_camry(path: Path) -> None:
    shutil.unpack_archive(camry_archive(), path.parent)
    deck = path.parent / "camry" / "main_frontal_bt.k"
    deck.write_text(without_database(deck.read_text()))
    path.symlink_to(deck)


def bench_deck(name: str, folder: Path) -> Path:
    """The deck `name` in `folder`, written at the first call.

    Raises:
        FileNotFoundError: the Camry's archive is absent.
    """
    path = folder / f"{name}.k"
    if name == CAMRY and not path.exists():
        _extract_camry(path)
    if path.exists():
        return path.resolve()  # whose folder has what it includes
    shared = SHARED / f"{name}.k.xz"
    if shared.exists():
        path.write_bytes(lzma.decompress(shared.read_bytes()))
    elif name == "plate50k":
        write_plate(path)
    elif name == "block50k":
        _write_block(path)
    elif name in MODELS:
        model, elements = MODELS[name]
        write_model(model, path, Wishes(elements))
    else:
        _write_tube(path, *((200, 250) if name == "tube50k" else (40, 50)))
    return path


def changed_deck(deck: Path, elform: int, hourglass: int = 0) -> Path:
    """The deck with another ELFORM in its sections and, where it is not 0, this hourglass control."""
    lines = deck.read_text().splitlines(keepends=True)
    for at, line in enumerate(lines):
        if line.startswith("*SECTION_"):
            card = next(n for n in range(at + 1, len(lines)) if not lines[n].startswith("$"))
            lines[card] = f"{lines[card][:10]}{elform:10d}{lines[card][20:]}".rstrip() + "\n"
        if hourglass and line.startswith("*PART"):
            lines[at + 2] = f"{lines[at + 2].rstrip():<40}"[:40] + "         1\n"
    if hourglass:
        lines.insert(len(lines) - 1, f"*HOURGLASS\n         1{hourglass:10d}       0.1\n")
    changed = deck.with_name(f"{deck.stem}-{elform}-{hourglass}.k")
    changed.write_text("".join(lines))
    return changed


def set_end_time(deck: Path, end: float) -> Path:
    """The deck with another ENDTIM, in s."""
    lines = deck.read_text().splitlines(keepends=True)
    at = lines.index("*CONTROL_TERMINATION\n")
    card = next(n for n in range(at + 1, len(lines)) if not lines[n].startswith("$"))
    lines[card] = f"{end:10.3e}{lines[card][10:]}"
    changed = deck.with_name(f"{deck.stem}-{end * 1e6:.0f}us.k")
    changed.write_text("".join(lines))
    return changed
