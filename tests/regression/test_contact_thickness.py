"""A sheet thicker than its elements are long does not touch itself, whatever gives the thickness."""

import math
import re

import pytest
from small_decks import STEEL, Deck
from solver_run import run

CELLS = 8
THICK = 6.4  # of elements that are 1 long

FLAT = {
    "flat": lambda u, v: (CELLS * u, CELLS * v, 0.0),
    "angle": lambda u, v: (CELLS * u, CELLS * min(v, 0.5), CELLS * max(v - 0.5, 0.0)),
    "tube": lambda u, v: (1.3 * math.cos(6 * v), 1.3 * math.sin(6 * v), CELLS * u),
}

#: Contact, *PART_CONTACT's OPTT, thickness of the section, other cards.
SOURCES = {
    "OPTT": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,", THICK, 0.5, ""),
    "SFT": ("AUTOMATIC_SURFACE_TO_SURFACE\n1,1,3,3\n,\n,", -12.8, 0.5, ""),
    "SAST": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,,6.4", 0, 0.5, ""),
    "SFSAT": ("AUTOMATIC_SURFACE_TO_SURFACE\n1,1,3,3\n,\n,,,,12.8,12.8", 0, 0.5, ""),
    "SSTHK": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,", 0, THICK, "*CONTROL_CONTACT\n,\n,,,,,1"),
    "section": ("AUTOMATIC_SURFACE_TO_SURFACE\n1,1,3,3\n,\n,", 0, THICK, ""),
    "SHLTHK": ("SURFACE_TO_SURFACE\n1,1,3,3\n,\n,", 0, THICK, "*CONTROL_CONTACT\n,,,2"),
    "nodes": ("AUTOMATIC_NODES_TO_SURFACE\n1,1,3,3\n,\n,", 0, THICK, ""),
    "edges": ("AUTOMATIC_GENERAL\n0\n,\n,", THICK, 0.5, ""),
    "inner edges": ("AUTOMATIC_GENERAL_INTERIOR\n0\n,\n,", THICK, 0.5, ""),
    "SOFT 1": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n1", THICK, 0.5, ""),
    "SOFT 2": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n2", THICK, 0.5, ""),
    "SOFT 2, DEPTH 3": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n2,,,,3", THICK, 0.5, ""),
    "SOFT 2, DEPTH 5": ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n2,,,,5", THICK, 0.5, ""),
    "SOFT 2, surfaces": ("AUTOMATIC_SURFACE_TO_SURFACE\n1,1,3,3\n,\n,\n2,,,,5", THICK, 0.5, ""),
}


def shell_part(deck: Deck, number: int, thickness: float, given: float) -> None:
    """`given`: OPTT; negative: SFT with the opposite sign."""
    deck.part(number, f"SHELL,16|{thickness}", f"ELASTIC,{STEEL}")
    if given:
        field = f",,,,{given}" if given > 0 else f",,,,,{-given}"
        at = deck.lines.index(f"part {number}")
        deck.lines[at - 1] = "*PART_CONTACT"
        deck.lines.insert(at + 2, field)


def sheet(source: str, shape: str, triangles: bool, with_contact: bool = True) -> str:
    """A sheet that moves within itself and bends."""
    contact, given, thickness, cards = SOURCES[source]
    deck = Deck()
    shell_part(deck, 1, thickness, given)
    deck.plate(1, (CELLS, CELLS), FLAT[shape], triangles)
    deck.add("*CONTROL_TERMINATION\n0.2\n*CONTROL_TIMESTEP\n,0.5\n" + cards)
    if with_contact:
        deck.add(f"*CONTACT_{contact}")
    for node in range(1, deck.nodes + 1):
        speed = [(node * k % 7 - 3) * 0.05 for k in (3, 5, 2)]
        deck.add(f"*INITIAL_VELOCITY_NODE\n{node},{speed[0]},{speed[1]},{speed[2]}")
    return deck.text()


@pytest.mark.parametrize("shape", FLAT)
@pytest.mark.parametrize(
    "triangles", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["quadrilaterals", "triangles"]
)
def test_a_sheet_does_not_touch_itself(shape, triangles, tmp_path):
    """The same bits as without the contact, at cycle 0 and while the sheet moves."""
    for source in SOURCES:
        hashes = []
        for with_contact in (False, True):
            deck = tmp_path / "deck.k"
            deck.write_text(sheet(source, shape, triangles, with_contact))
            done = run(deck, tmp_path)
            assert done.status == 0, (source, done.said)
            assert "CR-C013" not in done.stdout, (source, done.stdout)
            hashes.append(done.hash)
        assert hashes[0] == hashes[1], source


def two_sheets(given: float, contact: str, gap: float, upper_cells: int = CELLS) -> str:
    """A sheet that comes down on another of the same part."""
    deck = Deck()
    shell_part(deck, 1, 0.5, given)
    deck.plate(1, (CELLS, CELLS), FLAT["flat"])
    lower = deck.nodes
    deck.plate(1, (upper_cells, upper_cells), lambda u, v: (CELLS * u + 0.3, CELLS * v + 0.2, gap))
    deck.add(f"*CONTROL_TERMINATION\n0.4\n*CONTACT_{contact}")
    deck.add("*DATABASE_GLSTAT\n0.01")
    for node in range(lower + 1, deck.nodes + 1):
        deck.add(f"*INITIAL_VELOCITY_NODE\n{node},0.,0.,-1.")
    return deck.text()


@pytest.mark.parametrize("source", ["OPTT", "edges", "SOFT 1", "SOFT 2", "SOFT 2, DEPTH 5"])
def test_another_sheet_is_touched_at_the_thickness(source, tmp_path):
    """What does not hang together still touches, and from as far as the thickness says."""
    contact, given, _, _ = SOURCES[source]
    energies = []
    for gap in (given + 0.2, given + 1.0):
        deck = tmp_path / "deck.k"
        deck.write_text(two_sheets(given, contact, gap))
        done = run(deck, tmp_path)
        assert done.status == 0, done.said
        assert "CR-C013" not in done.stdout, done.stdout
        energies.append(done.progress[-1].internal)
    assert energies[0] > 0.0
    assert energies[1] == 0.0  # not reached by then


@pytest.mark.slow
def test_same_bits_on_any_number_of_ranks(tmp_path):
    for source in ("OPTT", "edges", "SOFT 2, DEPTH 5", "SOFT 2, surfaces"):
        contact, given, _, _ = SOURCES[source]
        deck = tmp_path / "deck.k"
        deck.write_text(two_sheets(given, contact, given + 0.2, 7))
        hashes = {
            run(deck, tmp_path / f"{ranks}-{threads}", ranks=ranks, threads=threads).hash
            for ranks, threads in ((1, 1), (2, 1), (3, 2))
        }
        assert len(hashes) == 1, source


def coated_block(contact: str, own: bool) -> str:
    """Thick shells on half of a side of a block, whose nodes they have; `own`: *ELEMENT_SHELL_THICKNESS."""
    deck = Deck()
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    ids = deck.block(1, (6, 6, 6), (0.0, 0.0, 0.0), (6.0, 6.0, 6.0))
    shell_part(deck, 2, 0.3, 0.0 if own else 3.0)
    for j in range(6):
        for i in range(3):
            a = ids[(6 * 7 + j) * 7 + i]
            if own:
                deck.elements += 1
                deck.add(
                    f"*ELEMENT_SHELL_THICKNESS\n{deck.elements},2,{a},{a + 1},{a + 8},{a + 7}\n3.,3.,3.,3."
                )
            else:
                deck.element("SHELL", 2, (a, a + 1, a + 8, a + 7))
    deck.add("*CONTROL_TERMINATION\n0.01\n*CONTROL_TIMESTEP\n,0.5")
    if contact:
        deck.add(f"*CONTACT_{contact}")
    for node in range(1, deck.nodes + 1):
        speed = [(node * k % 7 - 3) * 0.05 for k in (3, 5, 2)]
        deck.add(f"*INITIAL_VELOCITY_NODE\n{node},{speed[0]},{speed[1]},{speed[2]}")
    return deck.text()


@pytest.mark.parametrize("own", [False, True], ids=["OPTT", "ELEMENT_SHELL_THICKNESS"])
def test_thick_shells_do_not_touch_the_solids_they_are_on(own, tmp_path):
    hashes = set()
    for contact in (
        "",
        "AUTOMATIC_SINGLE_SURFACE\n0\n,\n,",
        "AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n2,,,,5",
        "AUTOMATIC_GENERAL\n0\n,\n,",
        "AUTOMATIC_SURFACE_TO_SURFACE\n1,2,3,3\n,\n,",
        "AUTOMATIC_SURFACE_TO_SURFACE\n2,2,3,3\n,\n,",
    ):
        deck = tmp_path / "deck.k"
        deck.write_text(coated_block(contact, own))
        done = run(deck, tmp_path)
        assert done.status == 0, done.said
        assert "CR-C013" not in done.stdout, done.stdout
        hashes.add(done.hash)
    assert len(hashes) == 1


def chain_of_beams(thickness: float, with_contact: bool) -> str:
    """Bars that move, from a sheet that they end on."""
    deck = Deck()
    shell_part(deck, 1, 0.5, 0.0)
    grid = deck.plate(1, (CELLS, CELLS), FLAT["flat"])
    deck.part(2, f"BEAM,1,1.,2,1|{thickness},{thickness},0.,0.", f"ELASTIC,{STEEL}")
    chain = [grid[4][4], *(deck.node((4.0, 4.0, float(k))) for k in range(1, 12))]
    aside = deck.node((9.0, 5.0, 3.0))
    for a, b in zip(chain[:-1], chain[1:], strict=True):
        deck.element("BEAM", 2, (a, b, aside))
    deck.add("*CONTROL_TERMINATION\n0.02\n*CONTROL_TIMESTEP\n,0.5")
    if with_contact:
        deck.add("*CONTACT_AUTOMATIC_GENERAL\n0\n,\n,")
    for node in chain:
        speed = [(node * k % 7 - 3) * 0.5 for k in (3, 5, 2)]
        deck.add(f"*INITIAL_VELOCITY_NODE\n{node},{speed[0]},{speed[1]},{speed[2]}")
    return deck.text()


def test_a_chain_of_thick_beams_does_not_touch_itself(tmp_path):
    """Bars of a radius beyond their length."""
    for thickness in (0.4, 8.0):
        hashes = []
        for with_contact in (False, True):
            path = tmp_path / "deck.k"
            path.write_text(chain_of_beams(thickness, with_contact))
            done = run(path, tmp_path)
            assert done.status == 0, done.said
            assert "CR-C013" not in done.stdout
            hashes.append(done.hash)
        assert hashes[0] == hashes[1], thickness


def test_a_folded_sheet_touches_itself_away_from_the_fold(tmp_path):
    """Two halves of one sheet, nearer to each other than its thickness: only where they join they do not."""
    deck = Deck()
    shell_part(deck, 1, 0.5, 2.0)

    def hairpin(u: float, v: float) -> tuple[float, float, float]:
        way = 20.0 * u
        return (min(way, 20.0 - way), 8.0 * v, 0.0 if way < 10.0 else 1.5)

    deck.plate(1, (19, 8), hairpin)
    deck.add("*CONTROL_TERMINATION\n0.001\n*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n,\n,\n,1")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path)
    found = re.search(r"(\d+) initial penetrations", done.stdout)
    assert found, done.said
    assert 9 * 12 <= int(found[1]) <= 9 * 16


def told(optt, sft, ssf, contact, tmp_path, solid=False, cards="") -> str:
    deck = Deck()
    if solid:
        deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
        deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    else:
        deck.part(1, "SHELL,16|0.5", f"ELASTIC,{STEEL}")
        deck.plate(1, (4, 4), FLAT["flat"])
    at = deck.lines.index("part 1")
    deck.lines[at - 1] = "*PART_CONTACT"
    deck.lines.insert(at + 2, f",,,,{optt},{sft},{ssf}")
    deck.part(2, "SHELL,16|0.5", f"ELASTIC,{STEEL}")
    deck.plate(2, (2, 2), lambda u, v: (u, v, 9.0))
    deck.add(f"*CONTROL_TERMINATION\n0.01\n{cards}")
    deck.add(f"*CONTACT_{contact}")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path, "--check")
    return done.stdout


UNUSED = {
    "solids": ((0.3, "", ""), "AUTOMATIC_SINGLE_SURFACE\n0\n,\n,", True, "solids have no contact thickness"),
    "SAST of solids": (("", "", ""), "AUTOMATIC_SINGLE_SURFACE\n0\n,\n,,0.3", True, "SAST or SBST"),
    "SHLTHK": ((0.3, "", ""), "SURFACE_TO_SURFACE\n1,2,3,3\n,\n,", False, "SHLTHK = 0"),
    "SOFT 2": (("", "", 2.0), "AUTOMATIC_SINGLE_SURFACE\n0\n,\n,\n2", False, "SSF of parts 1"),
    "no contact": ((0.3, "", ""), "AUTOMATIC_SURFACE_TO_SURFACE\n2,2,3,3\n,\n,", False, "in no contact"),
}


@pytest.mark.parametrize("case", UNUSED)
def test_what_has_no_effect_is_said(case, tmp_path):
    values, contact, solid, words = UNUSED[case]
    said = told(*values, contact, tmp_path, solid)
    assert re.search(r"deck.k:\d+.*warning CR-C018: .*" + words, said) or (
        case == "no contact" and re.search("warning CR-C018: .*" + words, said)
    ), said


def test_what_has_an_effect_is_not_warned_about(tmp_path):
    for contact in ("AUTOMATIC_SINGLE_SURFACE\n0\n,\n,", "AUTOMATIC_SURFACE_TO_SURFACE\n1,2,3,3\n,\n,"):
        assert "CR-C018" not in told(0.3, 1.5, 2.0, contact, tmp_path)


@pytest.mark.parametrize("field", ["OPTT", "SFT", "SSF"])
def test_negative_values_are_errors(field, tmp_path):
    values = {"OPTT": "", "SFT": "", "SSF": ""} | {field: -1.0}
    said = told(*values.values(), "AUTOMATIC_SINGLE_SURFACE\n0\n,\n,", tmp_path)
    assert f"field {field}: error CR-D310" in said, said


def test_thickness_that_shlthk_leaves_out(tmp_path):
    said = told("", "", "", "SURFACE_TO_SURFACE\n1,2,3,3\n,\n,,0.3", tmp_path)
    assert "CR-D330: *CONTACT_SURFACE_TO_SURFACE 1: SAST = 0.3 has no effect" in said, said
