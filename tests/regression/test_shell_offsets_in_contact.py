"""Where shells with NLOC or OFFSET are touched: CNTCO of *CONTROL_SHELL, SHLOFF, SLDTHK and IGNROFF."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run

from crumple.results.glstat import read_glstat

THICK = 1.0  #: mm of the held sheet
SIZE = 12.0  #: mm of its sides
CELLS = 4
SPEED = 0.5  #: mm/ms of what comes
GAP = 0.2  #: mm before it would touch

PAIR = "AUTOMATIC_SURFACE_TO_SURFACE\n2,1,3,3\n\n,,,{sbst}\n{soft},,,,,3\n0\n0\n0\n0\n0,{ignroff}\n,{shloff}"
CONTACTS = {
    "two surfaces": PAIR,
    "single": "AUTOMATIC_SINGLE_SURFACE\n0\n\n,,{sbst}\n{soft},,,,,3\n0\n0\n0\n0\n0\n,{shloff}",
    "one way": PAIR.replace("SURFACE_TO", "ONE_WAY_SURFACE_TO", 1),
    "old": PAIR.replace("AUTOMATIC_", "").replace("\n0\n0\n0\n0\n", "\n0,,2\n0\n0\n0\n"),
}


@dataclass
class Sheet:
    """The held sheet in z = 0, and what the contact says of it."""

    cntco: int = 1
    nloc: float = 0.0
    offset: float | None = None  # of *ELEMENT_SHELL_OFFSET
    sbst: float = 0.0
    soft: int = 0
    shloff: int = 0
    ignroff: int = 0
    contact: str = "two surfaces"

    @property
    def thickness(self) -> float:
        return 0.0 if self.ignroff & 1 else self.sbst or THICK

    @property
    def plane(self) -> float:
        middle = -0.5 * self.nloc * THICK if self.offset is None else self.offset
        cntco = 1 if self.shloff else self.cntco
        return middle * (0.0, 1.0, self.thickness / THICK)[cntco]

    def face(self, side: int) -> float:
        return self.plane + 0.5 * side * self.thickness


def held_sheet(sheet: Sheet) -> Deck:
    deck = Deck()
    end = 2 * GAP / SPEED
    deck.control(end, end, end / 80)
    deck.part(1, f"SHELL,2,0.8333,3|{THICK},{THICK},{THICK},{THICK},{sheet.nloc}", f"ELASTIC,{STEEL}")
    first = deck.nodes + 1
    deck.plate(1, (CELLS, CELLS), lambda u, v: (SIZE * u, SIZE * v, 0.0))
    if sheet.offset is not None:
        lines = []
        for line in deck.lines:
            lines.append("*ELEMENT_SHELL_OFFSET" if line == "*ELEMENT_SHELL" else line)
            if len(lines) > 1 and lines[-2] == "*ELEMENT_SHELL_OFFSET":
                lines.append(f"{sheet.offset}")
        deck.lines = lines
    deck.set("NODE", 1, range(first, deck.nodes + 1))
    deck.add(f"*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*CONTROL_SHELL\n\n\n,,{sheet.cntco}")
    fields = {"sbst": sheet.sbst, "soft": sheet.soft, "shloff": sheet.shloff, "ignroff": sheet.ignroff}
    deck.add(f"*CONTACT_{CONTACTS[sheet.contact].format(**fields)}")
    return deck


def comes(deck: Deck, first: int, side: int) -> None:
    """Nodes from `first` on move towards the sheet."""
    deck.set("NODE", 2, range(first, deck.nodes + 1))
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,3,0,9,{-side * SPEED}\n*DEFINE_CURVE\n9\n0.,1.\n1000.,1.")


def solve(deck: Deck, where: Path, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    (where / "deck.k").write_text(deck.text())
    done = run(where / "deck.k", where, ranks=ranks)
    assert done.status == 0, done.said[-4000:]
    assert "CR-C013" not in done.said, "no initial penetration"
    return done


def way_to_touch(done: Run) -> float:
    """Way after which the force begins: the energy of linear springs is a square of the way from there."""
    history = read_glstat(done.directory / "glstat")
    root = np.sqrt(history["sliding interface energy"].clip(lower=0.0))
    touching = root > 0.1 * root.max()
    assert touching.sum() > 10
    slope, start = np.polyfit(history["time"][touching], root[touching], 1)
    return -start / slope * SPEED


def brick_way(sheet: Sheet, side: int, where: Path) -> float:
    """A block comes from GAP before the face of the sheet."""
    deck = held_sheet(sheet)
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    first = deck.nodes + 1
    near = sheet.face(side) + side * GAP
    low = near if side > 0 else near - 3.0
    deck.block(2, (1, 1, 1), (4.0, 4.1, low), (3.7, 3.6, 3.0))
    comes(deck, first, side)
    return way_to_touch(solve(deck, where))


CASES = {
    "CNTCO 0": Sheet(cntco=0, nloc=1.0),
    "CNTCO 1, NLOC 1": Sheet(nloc=1.0),
    "CNTCO 1, NLOC -0.6": Sheet(nloc=-0.6),
    "CNTCO 1, OFFSET": Sheet(offset=0.3),
    "CNTCO 1, OFFSET beyond the face": Sheet(offset=-1.2),
    "CNTCO 1, SBST": Sheet(nloc=1.0, sbst=0.4),
    "CNTCO 2, SBST": Sheet(cntco=2, nloc=1.0, sbst=0.4),
    "CNTCO 2, OFFSET, SBST": Sheet(cntco=2, offset=0.5, sbst=0.4),
    "SHLOFF": Sheet(cntco=0, nloc=1.0, shloff=1),
    "SOFT 1": Sheet(nloc=1.0, soft=1),
    "SOFT 2": Sheet(nloc=1.0, soft=2),
    "single": Sheet(nloc=1.0, contact="single"),
    "single, SOFT 2": Sheet(nloc=-1.0, soft=2, contact="single"),
    "one way": Sheet(nloc=1.0, contact="one way"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("side", [1, -1], ids=["above", "below"])
def test_a_block_touches_the_face(case, side, tmp_path):
    assert brick_way(CASES[case], side, tmp_path) == pytest.approx(GAP, abs=2e-3)


def test_old_contact_with_thickness(tmp_path):
    """Shells of contacts that are not automatic have thickness with SHLTHK, around the plane too."""
    assert brick_way(Sheet(nloc=1.0, contact="old"), 1, tmp_path) == pytest.approx(GAP, abs=2e-3)


@pytest.mark.parametrize("contact", ["two surfaces", "single"])
@pytest.mark.parametrize("soft", [0, 2])
def test_meshes_on_the_faces_that_touch(contact, soft, tmp_path):
    """Both sheets have their nodes on the faces between them: they touch when the meshes are in one plane."""
    sheet = Sheet(nloc=1.0, contact=contact, soft=soft)
    deck = held_sheet(sheet)
    deck.part(2, "SHELL,2,0.8333,3|0.5,0.5,0.5,0.5,-1.", f"ELASTIC,{STEEL}")
    first = deck.nodes + 1
    deck.plate(2, (2, 2), lambda u, v: (3.9 + 3.7 * u, 4.1 + 3.6 * v, GAP))
    comes(deck, first, 1)
    assert way_to_touch(solve(deck, tmp_path)) == pytest.approx(GAP, abs=2e-3)


def test_solids_with_a_thickness(tmp_path):
    """SLDTHK: a block is touched half of it in front of its face, and what it has stays at rest."""
    sheet = Sheet()
    deck = held_sheet(sheet)
    deck.lines[deck.lines.index("0,,,,,3") + 1] = ",,,,,,0.6"
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    first = deck.nodes + 1
    deck.block(2, (2, 2, 2), (4.0, 4.1, sheet.face(1) + 0.3 + GAP), (3.7, 3.6, 3.0))
    comes(deck, first, 1)
    assert way_to_touch(solve(deck, tmp_path)) == pytest.approx(GAP, abs=2e-3)


def test_shells_without_thickness(tmp_path):
    """IGNROFF = 1: the held sheet is its mesh, the sheet that comes has its thickness."""
    sheet = Sheet(cntco=0, ignroff=1)
    deck = held_sheet(sheet)
    deck.part(2, "SHELL,2,0.8333,3|0.5,0.5,0.5,0.5", f"ELASTIC,{STEEL}")
    first = deck.nodes + 1
    deck.plate(2, (2, 2), lambda u, v: (3.9 + 3.7 * u, 4.1 + 3.6 * v, 0.25 + GAP))
    comes(deck, first, 1)
    assert way_to_touch(solve(deck, tmp_path)) == pytest.approx(GAP, abs=2e-3)


def test_initial_penetrations_are_around_the_plane(tmp_path):
    """A block in the mesh of the sheet, but not in its faces, has none; one between them has."""
    reported = []
    for low in (-0.1, -0.6):
        deck = held_sheet(Sheet(nloc=2.0))  # the faces are at -0.5 and -1.5
        deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
        deck.block(2, (1, 1, 1), (4.0, 4.1, low), (3.7, 3.6, 3.0))
        where = tmp_path / str(low)
        where.mkdir()
        (where / "deck.k").write_text(deck.text())
        done = run(where / "deck.k", where, "ncycle=5")
        assert done.status == 0, done.said[-4000:]
        reported.append("CR-C013" in done.said)
    assert reported == [False, True]
