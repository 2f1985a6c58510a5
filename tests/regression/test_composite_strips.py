"""Laminae that soften: the energy of a crack in meshes of two sizes, cards that are refused by name."""

import pytest
import small_decks
from solver_run import run

from crumple.results.glstat import read_glstat

ELASTIC = "1.6e-6,140.,10.,10.,0.02,0.02,0.4|5.,3.5,5."
TOUGHNESS = {"a": 0.02, "b": 0.0005}  #: GXT, GYT: kN/mm
THICKNESS, LENGTH = 0.5, 12.0  #: mm


def fracture(axis: str, weaker: float = 1.0) -> str:
    """MAT_262 that breaks across its axis a or b, which is along x: other modes are strong and tough.

    `weaker`: factor of the strength in tension; where it is 1 the toughness is four times as large.
    """
    tough = {of: TOUGHNESS[of] * (1.0 if weaker < 1.0 else 4.0) for of in "ab"}
    beta, pulled = (0.0, (2.0 * weaker, 0.5)) if axis == "a" else (90.0, (2.0, 0.05 * weaker))
    along, across = (tough["a"], 0.1) if axis == "a" else (1.0, tough["b"])
    return (
        f"LAMINATED_FRACTURE_DAIMLER_CAMANHO,{ELASTIC},0.,0.,0.,0.,0.|,|,,,,,,{beta}"
        f"|1.0,{along},1.0,{across},0.5|4.0,{pulled[0]},1.0,{pulled[1]},0.5|53."
    )


def fracture_on_planes(axis: str, weaker: float = 1.0) -> str:
    """The same as `fracture` of MAT_261."""
    tough = {of: TOUGHNESS[of] * (1.0 if weaker < 1.0 else 4.0) for of in "ab"}
    beta, pulled = (0.0, (2.0 * weaker, 0.5)) if axis == "a" else (90.0, (2.0, 0.05 * weaker))
    along, across = (tough["a"], 0.1) if axis == "a" else (1.0, tough["b"])
    return (
        f"LAMINATED_FRACTURE_DAIMLER_PINHO,{ELASTIC},0.,0.,0.,0.,0.|,|,,,,,,{beta}"
        f"|1.0,{along},{across},0.5,0.5|4.0,{pulled[0]},1.0,{pulled[1]},0.5|53."
    )


def strip(axis: str, cell: float, law) -> str:
    """A strip of one row of cells in tension, slowly; a cell is weaker, and of a part of its own."""
    deck = small_decks.Deck()
    end = 0.8
    deck.control(end, end, end / 100)
    deck.add("*CONTROL_TIMESTEP\n0.,0.2")
    section = f"SHELL,2,0.8333,2|{THICKNESS},{THICKNESS},{THICKNESS},{THICKNESS}"
    deck.part(1, section, law(axis))
    deck.part(2, section, law(axis, 0.6))
    along = round(LENGTH / cell)
    grid = deck.plate(1, (along, 1), lambda u, v: (LENGTH * u, cell * v, 0.0))
    weak = along // 2
    corners = (grid[0][weak], grid[0][weak + 1], grid[1][weak + 1], grid[1][weak])
    nodes = ",".join(map(str, corners))
    text = deck.text()
    assert f"\n{weak + 1},1,{nodes}\n" in text
    text = text.replace(f"\n{weak + 1},1,{nodes}\n", f"\n{weak + 1},2,{nodes}\n")
    more = small_decks.Deck()
    more.lines = []
    more.set("NODE", 1, [row[0] for row in grid])
    more.set("NODE", 2, [row[-1] for row in grid])
    more.add("*BOUNDARY_SPC_SET\n1,0,1,0,1,1,1,1\n*BOUNDARY_SPC_NODE\n1,0,0,1,0,0,0,0")
    more.add("*DEFINE_CURVE\n1\n0.,0.\n0.4,0.35\n10.,0.35\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,0,1,1.")
    return text.replace("*END", "\n".join([*more.lines, "*END"]))


@pytest.mark.parametrize("law", [fracture, fracture_on_planes])
@pytest.mark.parametrize("axis", ["a", "b"])
def test_a_crack_takes_its_toughness_in_any_mesh(axis, law, tmp_path):
    """The broken cell has absorbed G times width and thickness, with cells of 2 mm and of 1 mm."""
    for cell in (2.0, 1.0):
        deck = tmp_path / f"strip{cell}.k"
        deck.write_text(strip(axis, cell, law))
        done = run(deck, tmp_path / f"run{cell}")
        assert done.status == 0, done.said
        broken = read_glstat(done.directory / "glstat")["eroded internal energy"].iloc[-1]
        assert broken == pytest.approx(TOUGHNESS[axis] * cell * THICKNESS, rel=0.02), cell


def plate_of(material: str, section: str = "SHELL,2,0.8333,2|1.,1.,1.,1.", cell: float = 2.0) -> str:
    deck = small_decks.Deck()
    deck.control(0.001, 0.001)
    deck.part(1, section, material)
    if section.startswith("SOLID"):
        deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (cell, cell, cell))
    else:
        deck.plate(1, (2, 2), lambda u, v: (2 * cell * u, 2 * cell * v, 0.0))
    return deck.text()


FABRIC = (
    "LAMINATED_COMPOSITE_FABRIC,1.6e-6,60.,60.,10.,0.05|5.,3.5,5.|0.,0.,0.,{soft}|,|,,,,,,0.,{lcdfail}"
    "|0.02,{e11t},0.02,0.022,0.06|0.7,0.9,0.7,0.9,0.1|{rates}"
)
USUAL = {"soft": 0.0, "lcdfail": 0, "e11t": 0.022, "rates": "0"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, ""),
        ({"soft": 0.7}, "SOFT"),
        ({"lcdfail": 5}, "LCDFAIL"),
        ({"rates": "0,7"}, "LCXT"),
        ({"e11t": 0.01}, "E11T is the strain at the strength XT"),
    ],
)
def test_fabrics_refuse_by_name(change, says, tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(plate_of(FABRIC.format(**USUAL | change)))
    done = run(deck, tmp_path)
    assert (done.status == 0) == (not says), done.said
    assert says in done.said


@pytest.mark.parametrize(
    ("material", "section", "cell", "says"),
    [
        (fracture("a"), "SHELL,2,0.8333,2|1.,1.,1.,1.", 5.59, ""),
        (fracture("a"), "SHELL,2,0.8333,2|1.,1.,1.,1.", 5.61, "CR-M112"),
        (fracture("a"), "SOLID,1", 2.0, "solid"),
        (FABRIC.format(**USUAL), "SOLID,1", 2.0, "solid"),
        (fracture("a").replace("0.1,0.5|4.0", "0.1,0.5,0.01|4.0"), "SHELL,2", 2.0, "GXCO"),
        (fracture_on_planes("a"), "SOLID,1", 2.0, "solid"),
        (fracture_on_planes("a").replace("4.0,2.0", "4.0,-7."), "SHELL,2,0.8333,2|1.,1.,1.,1.", 2.0, "XT"),
        (fracture_on_planes("b") + ",0.,0,0.,,,0.7", "SHELL,2", 2.0, "SOFT"),
        ("COMPOSITE_FAILURE_SHELL_MODEL,1.", "SHELL,2", 2.0, "softening factor SF"),
        ("LAMINATED_COMPOSITE_FABRIC_SOLID,1.", "SOLID,1", 2.0, "not supported"),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_first_cycle(material, section, cell, says, tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(plate_of(material, section, cell))
    done = run(deck, tmp_path)
    assert (done.status == 0) == (not says), done.said
    assert says in done.said
    assert not says or not done.progress
