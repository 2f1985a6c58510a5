"""Glass in one shell and in laminates: pulled, let go and pressed, against closed forms; the same bits."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import expect_same_after_restart, expect_same_bits, run

SIDE, END = 2.0, 4.0  #: mm, ms
E, FT = 70.0, 0.05
#: MAT_280 with Rankine's criterion; its stress falls to nothing in 100 cycles
PANE = f"2.5e-6,{E},0.22|0.,{FT},0.6|0.,0.,0.,,100."
#: of the film's law, MAT_024: modulus, yield stress
FILM_E, FILM_YIELD = 0.3, 0.01
FILM = f"1.1e-6,{FILM_E},0.22,{FILM_YIELD},0.01|,|,|,"
#: MAT_032 with the same film: yield stress, plastic modulus, plastic strain at failure of the glass
SYG, ETG, EFG = 0.06, 1.0, 1e-3
LAMINATED = f"2.5e-6,{E},0.22,{SYG},{ETG},{EFG},{FILM_E}|0.22,{FILM_YIELD},0.01|0.,1.,0."
RULE = "*INTEGRATION_SHELL\n4,3,0,1\n-0.6,0.4\n0.,0.2\n0.6,0.4"


def material(number: int, keyword: str, text: str) -> str:
    """A law's cards."""
    first, *rest = text.split("|")
    return "\n".join([f"*MAT_{keyword}", f"{number},{first}", *rest])


def part(layers: str, form: int) -> str:
    """Part 1 and its laws: one pane, glass with film by MAT_032, or by layers of two laws."""
    section = f"*PART\nplate\n1,1,1\n*SECTION_SHELL\n1,{form},0.8333,"
    if layers == "pane":
        return f"{section}3\n1.,1.,1.,1.\n{material(1, 'GLASS', PANE)}"
    if layers == "MAT_032":
        return f"{section}3,0,-4\n1.,1.,1.,1.\n{RULE}\n{material(1, 'LAMINATED_GLASS', LAMINATED)}"
    text = f"*PART_COMPOSITE\nplate\n1,{form},0.8333\n1,0.4,0.,0,2,0.2\n1,0.4"
    both = f"{material(1, 'GLASS', PANE)}\n{material(2, 'PIECEWISE_LINEAR_PLASTICITY', FILM)}"
    return f"{text}\n{both}"


@dataclass(frozen=True)
class Driven:
    """Strain along, and stresses sig_xx of the points, (n,) and (n, points)."""

    strain: np.ndarray
    stress: np.ndarray


def drive(layers: str, form: int, path: list[float], where: Path) -> Driven:
    """A shell led through strains of its side along x at equal times; its sides across are free."""
    deck = Deck()
    deck.add(part(layers, form))
    grid = deck.plate(1, (1, 1), lambda u, v: (SIDE * u, SIDE * v, 0.0))
    for j, row in enumerate(grid):
        for i, node in enumerate(row):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},1,2,{1 if i else 2}")
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},3,2,2")
            if j == 0:
                deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},2,2,2")
    points = [f"{END * k / (len(path) - 1)},{SIDE * np.expm1(u)}" for k, u in enumerate(path)]
    deck.add("\n".join(["*DEFINE_CURVE", "1", *points, f"99.,{SIDE * np.expm1(path[-1])}"]))
    deck.add("*DEFINE_CURVE\n2\n0.,0.\n9.,0.\n*DAMPING_PART_MASS\n1,3\n*DEFINE_CURVE\n3\n0.,200.\n9.,200.")
    deck.add(f"*CONTROL_TERMINATION\n{END}\n*DATABASE_ELOUT\n{END / 200},3\n*DATABASE_HISTORY_SHELL\n1")
    deck.add(f"*DATABASE_NODOUT\n{END / 200},3\n*DATABASE_HISTORY_NODE\n{grid[1][1]}")
    deck.add("*DATABASE_EXTENT_BINARY\n,,3")
    (where / "deck.k").write_text(deck.text())
    done = run(where / "deck.k", where / "out", "--double-files")
    assert done.status == 0, done.said
    binout = Binout(str(where / "out" / "binout0000"))
    moved = np.asarray(binout.read("nodout", "x_displacement")).ravel() / SIDE
    stress = np.asarray(binout.read("elout", "shell", "sig_xx"))
    return Driven(np.log1p(moved), stress.reshape(len(stress), -1))


@pytest.mark.parametrize("form", [2, 16])
def test_a_pane_cracks_opens_and_closes(form, tmp_path):
    done = drive("pane", form, [0.0, 2e-3, 0.0, -2e-3], tmp_path)
    strain, stress = done.strain, done.stress.mean(axis=1)
    breaks = int(np.argmax(strain > FT / E))
    whole = np.arange(len(strain)) < breaks
    np.testing.assert_allclose(stress[whole], E * strain[whole], atol=0.01 * FT)
    turn = int(np.argmax(strain))
    opened = (np.arange(len(strain)) > breaks + 6) & (strain > 2e-5)
    assert opened.sum() > 60
    np.testing.assert_allclose(stress[opened], 0.0, atol=0.01 * FT)
    closed = (np.arange(len(strain)) > turn) & (strain < -2e-5)
    np.testing.assert_allclose(stress[closed], E * strain[closed], atol=0.03 * FT)


@pytest.mark.parametrize("form", [2, 16])
def test_panes_of_laminated_glass_break_and_the_film_holds(form, tmp_path):
    done = drive("MAT_032", form, [0.0, 4e-3], tmp_path)
    strain = done.strain
    first = SYG / E
    plastic = strain - first
    pane = np.where(strain < first, E * strain, SYG + plastic * E * ETG / (E + ETG))
    breaks = first + EFG * (E + ETG) / E
    for k in (0, 2):
        before, after = strain < 0.99 * breaks, strain > 1.02 * breaks
        np.testing.assert_allclose(done.stress[before, k], pane[before], atol=0.02 * SYG)
        assert (done.stress[after, k] == 0.0).all()
    np.testing.assert_allclose(done.stress[:, 1], FILM_E * strain, atol=1e-4)


@pytest.mark.parametrize("form", [2, 16])
def test_layers_of_two_laws(form, tmp_path):
    done = drive("layers", form, [0.0, 3e-3], tmp_path)
    strain = done.strain
    before, after = strain < 0.99 * FT / E, strain > 1.15 * FT / E
    for k in (0, 2):
        np.testing.assert_allclose(done.stress[before, k], E * strain[before], atol=0.01 * FT)
        np.testing.assert_allclose(done.stress[after, k], 0.0, atol=0.01 * FT)
    np.testing.assert_allclose(done.stress[:, 1], FILM_E * strain, atol=1e-4)


def strips(end: float = 0.1) -> str:
    """Plates of glass, held at one end, bent and pulled at the other until they crack."""
    deck = Deck()
    deck.control(end, end / 2, end / 10)
    held, pulled = [], []
    forms = {"pane": (2, 16, -16, 4), "MAT_032": (2, 16), "layers": (2, 16)}
    for number, (layers, form) in enumerate((layers, f) for layers, of in forms.items() for f in of):
        text = part(layers, form)
        base = 10 * (number + 1)
        for old, new in (
            ("\nplate\n1,1,1\n", f"\nplate\n{base},{base},{base}\n"),
            ("SECTION_SHELL\n1,", f"SECTION_SHELL\n{base},"),
            (f"plate\n1,{form},0.8333", f"plate\n{base},{form},0.8333"),
            ("\n4,3,0,1", f"\n{base},3,0,1"),
            (",0,-4\n", f",0,-{base}\n"),
            ("GLASS\n1,", f"GLASS\n{base},"),
            ("PLASTICITY\n2,", f"PLASTICITY\n{base + 1},"),
            ("1,0.4,0.,0,2,0.2\n1,0.4", f"{base},0.4,0.,0,{base + 1},0.2\n{base},0.4"),
        ):
            text = text.replace(old, new)
        if layers == "pane" and form == 2:
            text = text.replace("0.,0.,0.,,100.", "0.,0.,0.,,100.\n0.02")
        deck.add(text)
        grid = deck.plate(
            base, (4, 3), lambda u, v, y=20.0 * number: (12 * u, y + 8 * v, 0.3 * u * v), triangles=form == 4
        )
        held += [row[0] for row in grid]
        pulled += [row[-1] for row in grid]
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.005,6.\n10.,6.")
    for direction, scale in ((1, 1.0), (2, 0.3), (3, -2.0)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{scale}")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "strips.k"
    deck.write_text(strips())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_restart_with_cracks(tmp_path):
    deck = tmp_path / "strips.k"
    deck.write_text(strips())
    expect_same_after_restart(deck, tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("0.,0.05,0.6", "10.,0.05,0.6"), "FMOD"),
        (("0.,0.,0.,,100.", "0.,0.,0.,1.e-3,100."), "ECRCL"),
        (("0.,0.,0.,,100.", "0.,0.,0.,,100.,2."), "NIPF"),
    ],
)
def test_what_is_not_there_is_refused(change, said, tmp_path):
    text = part("layers", 2)
    assert change[0] in text
    deck = Deck()
    deck.add(text.replace(*change))
    deck.plate(1, (1, 1), lambda u, v: (SIDE * u, SIDE * v, 0.0))
    deck.add("*CONTROL_TERMINATION\n1.")
    (tmp_path / "deck.k").write_text(deck.text())
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status == 2
    assert said in done.said
