"""Thick shells that are shot through: the same bits on any ranks and after a restart; what is refused."""

import pytest
import small_decks
from solver_run import expect_same_after_restart, expect_same_bits, run

from crumple.results.d3plot_file import PlotFamily
from crumple.results.glstat import read_glstat

LAW = "PIECEWISE_LINEAR_PLASTICITY,7.85e-6,210.,0.3,0.25,1.0,{fail}|40.,5.|,|,"


def plate(deck: small_decks.Deck, part: int, cells: tuple[int, int], z: float, thickness: float) -> None:
    """A square plate, one element thick, whose corners are wedges."""
    nx, ny = cells
    ids = [
        [
            [deck.node((60 * i / nx - 30, 60 * j / ny - 30, z + thickness * k)) for i in range(nx + 1)]
            for j in range(ny + 1)
        ]
        for k in range(2)
    ]
    for j in range(ny):
        for i in range(nx):
            rings = [[s[j][i], s[j][i + 1], s[j + 1][i + 1], s[j + 1][i]] for s in ids]
            corner = i in (0, nx - 1) and j in (0, ny - 1)
            for a, b, c, d in ((0, 1, 2, 2), (0, 2, 3, 3)) if corner else ((0, 1, 2, 3),):
                deck.element("TSHELL", part, [r[k] for r in rings for k in (a, b, c, d)])


def shot_plates(end: float = 0.06) -> str:
    """A rigid block shoots through a plate of ELFORM 5 that fails, onto one of ELFORM 3."""
    deck = small_decks.Deck()
    deck.control(end, end / 4, end / 20)
    deck.part(1, "TSHELL,5,1.0,3", LAW.format(fail=0.10))
    deck.part(2, "TSHELL,3,0.8333,4,1,0,0,1", LAW.format(fail=0.30))
    deck.part(3, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    plate(deck, 1, (14, 14), -0.5, 1.0)
    plate(deck, 2, (9, 9), -4.5, 1.0)
    deck.block(3, (3, 3, 3), (-6.0, -7.0, 0.8), (12.0, 13.0, 14.0))
    deck.set("PART", 9, (1, 2, 3))
    deck.add("*CONTACT_ERODING_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1,0.01,0.,10.\n,\n1,0,1")
    deck.set("PART", 3, (3,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n3,1,0.,0.,3.,-200.\n0.,0.,0.")
    deck.add("*DATABASE_ELOUT\n0.01\n*DATABASE_HISTORY_TSHELL\n90,91")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "shot.k"
    deck.write_text(shot_plates())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        energies = read_glstat(one.directory / "glstat")
        assert energies["total energy / initial energy"].between(0.97, 1.03).all()
        assert energies["eroded internal energy"].iloc[-1] > 0.01
        assert energies["hourglass energy"].iloc[-1] < 0.1 * energies["internal energy"].iloc[-1]
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_restart_of_failing_plates(tmp_path):
    """From the middle, where some elements have failed, on another number of ranks."""
    deck = tmp_path / "shot.k"
    deck.write_text(shot_plates())
    expect_same_after_restart(deck, tmp_path)


def test_they_are_solids_in_results(tmp_path):
    """In the plot file and in elout."""
    deck = tmp_path / "shot.k"
    deck.write_text(shot_plates(0.02))
    done = run(deck, tmp_path / "run")
    assert done.status == 0, done.said
    plot = PlotFamily(done.directory / "d3plot")
    assert len(plot.elements["solid"].parts) == 14 * 14 + 4 + 9 * 9 + 4 + 27
    text = (done.directory / "elout").read_text()
    assert " 90-" in text and " 91-" in text


def one_plate(section: str = "TSHELL,5,1.0,3", extra: str = "") -> str:
    deck = small_decks.Deck()
    deck.control(0.001, 0.001)
    deck.part(1, section, f"ELASTIC,{small_decks.STEEL}")
    plate(deck, 1, (3, 3), 0.0, 1.0)
    deck.add(extra)
    return deck.text()


@pytest.mark.parametrize(
    "section, extra, says",
    [
        ("TSHELL,6,1.0,3", "", "ELFORM = 6 of thick shells is not supported"),
        ("TSHELL,4,1.0,3", "", "ELFORM = 4 of thick shells is not supported"),
        ("TSHELL,5,1.0,1", "", "one point has no bending stiffness"),
        ("TSHELL,5,1.0,3,1,0,1|0.,45.,0.", "", "material angles of layers"),
        ("TSHELL,5,1.0,3,1,-7", "", "integration rule 7"),
        ("SOLID,1", "", "is for solids"),
        ("TSHELL,5,1.0,3", "*ELEMENT_SOLID\n900,1,1,2,6,5,17,18,22,21", "is for thick shells"),
        ("TSHELL,5,1.0,3", "*ELEMENT_TSHELL\n900,1,1,2,6,6,17,18,22,21", "make no thick shell"),
        ("TSHELL,5,1.0,3", "*ELEMENT_TSHELL\n1,1,1,2,6,5,17,18,22,21", "share their numbers"),
        ("TSHELL,5,1.0,3", "*CONTROL_IMPLICIT_GENERAL\n1,0.001", "thick shells"),
    ],
)
def test_refused(section, extra, says, tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(one_plate(section, extra))
    done = run(deck, tmp_path / "run")
    assert done.status != 0
    assert says in done.said, done.said
