"""*MAT_ADD_DAMAGE_GISSMO in whole runs: ranks, restarts, numbers of failed points, refusals."""

import pytest
from small_decks import STEEL, Deck
from solver_run import expect_torn_the_same, run
from test_points_to_fail import bent_brick, bent_shell

LAW = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0|,|,|,"
#: failure strains by triaxiality, factors by size, by rate, and limits of D by triaxiality
CURVES = (
    "*DEFINE_CURVE\n11\n-0.4,0.5\n0.,0.16\n0.333,0.12\n0.667,0.08\n*DEFINE_CURVE\n12\n1.,1.\n4.,0.6\n"
    "*DEFINE_CURVE\n13\n0.,1.\n100.,1.3\n*DEFINE_CURVE\n14\n-0.4,0.2\n-0.3,1.\n1.,1."
)


def damage(part: int, numfip: float = 1.0, first: str = "11,0.03,2.,,1.5,12") -> str:
    """With a reference size, rates and limits."""
    return f"*MAT_ADD_DAMAGE_GISSMO\n{part},,1,2.,{numfip}\n{first}\n13,0.3,0.5,14"


def strips(end: float = 0.3) -> str:
    """Shells of two forms and bricks, held at one end and pulled aslant at the other one until they tear."""
    deck = Deck()
    deck.control(end, end / 2, end / 10)
    held, pulled = [], []
    for k, form in enumerate((2, 16)):
        deck.part(k + 1, f"SHELL,{form},0.8333,3|1.,1.,1.,1.", LAW)
        grid = deck.plate(
            k + 1, (4, 8), lambda u, v, k=k: (30.0 * k + 8 * u + 6 * u * v * (1 - v), 24 * v, 0.0)
        )
        held += grid[0]
        pulled += grid[-1]
    deck.part(3, "SOLID,1", LAW)
    nodes = deck.block(3, (2, 2, 8), (60.0, 0.0, 0.0), (5.0, 5.0, 20.0))
    held += nodes[:9]
    pulled += nodes[-9:]
    deck.add(damage(1, 2) + "\n" + damage(2, -60) + "\n" + damage(3) + "\n" + CURVES)
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.05,1.\n10.,1.")
    for direction, speed in ((1, 8.0), (2, 14.0), (3, 12.0)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{speed}")
    deck.add("*CONTROL_SHELL\n20.,1,-1,1,2,2,1\n,,,,1\n*DATABASE_EXTENT_BINARY\n12,12,3")
    return deck.text()


@pytest.mark.parametrize("precision", ["double", "single"])
def test_torn_strips_are_the_same_on_ranks_and_after_a_restart(precision, tmp_path):
    """On one rank, on two and three, and stopped where some are torn and others half damaged."""
    deck = tmp_path / "deck.k"
    deck.write_text(strips())
    expect_torn_the_same(deck, tmp_path, precision)


def test_history_variables_are_in_the_plot_file(tmp_path):
    """Damage is the first variable of MAT_024, its root to the power DMGEXP; the size is the sixth."""
    lasso = pytest.importorskip("lasso.dyna")
    deck = tmp_path / "deck.k"
    deck.write_text(strips(0.15))
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    arrays = lasso.D3plot(str(tmp_path / "out" / "d3plot")).arrays
    # The shells of ELFORM 16 show the mean of four points, whose damage is not the square of the mean root.
    for kind, count, size in (("shell", 32, None), ("solid", 32, (2.5 * 2.5 * 2.5) ** (1 / 3))):
        name = {"shell": "vars", "solid": "variables"}[kind]
        h = arrays[f"element_{kind}_history_{name}"][-1][:count]
        h = h.reshape(-1, h.shape[-1])
        damage, root, of_element = h[:, 0], h[:, 7], h[:, 5]
        assert damage.max() > 0.1
        assert abs(damage - root**2).max() < 1e-5
        if size is not None:
            assert abs(of_element - size).max() < 1e-5


#: percentage or number of points, and whether the shell is deleted: two of five layers reach the limit
NUMBERS = [(2, 1), (3, 0), (-40, 1), (-60, 0)]


@pytest.mark.parametrize(("numfip", "gone"), NUMBERS)
@pytest.mark.parametrize("form", [2, 16])
def test_shells_count_points_or_layers(form, numfip, gone, tmp_path):
    """The law does not fail, the criteria neither."""
    text = bent_shell(24, 0.0, 0.0, 0, 5).text().replace("*END\n", "")
    text = text.replace("SECTION_SHELL\n1,2,", f"SECTION_SHELL\n1,{form},")
    number = 4 * numfip if form == 16 and numfip > 0 else numfip
    text += f"*MAT_ADD_DAMAGE_GISSMO\n1,,1,,{number}\n7,0.,1.,1.\n*DEFINE_CURVE\n7\n-1.,0.05\n1.,0.05\n*END\n"
    (tmp_path / "deck.k").write_text(text)
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status == 0, done.said
    assert ("1 element was deleted" in done.stdout) == bool(gone)


@pytest.mark.parametrize(("more", "gone"), [(0, 1), (1, 0)])
def test_bricks_count_points(more, gone, tmp_path):
    """Half of their points reach the limit."""
    law = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.|,|,|,"
    card = f"*MAT_ADD_DAMAGE_GISSMO\n1,,1,,{4 + more}\n7,0.,1.,1.\n*DEFINE_CURVE\n7\n-9.,0.05\n9.,0.05"
    (tmp_path / "deck.k").write_text(bent_brick(2, law, card).text())
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status == 0, done.said
    assert ("1 element was deleted" in done.stdout) == bool(gone)
    if gone:
        said = (tmp_path / "out" / "d3hsp").read_text()
        assert "damage of *MAT_ADD_DAMAGE_GISSMO of *MAT_PIECEWISE_LINEAR_PLASTICITY 1" in said


REFUSED = {
    "beams": ("BEAM,1,1.,2,0|2.,2.,2.,2.", "11,0.03", "in shells and solids only"),
    "no curve": ("SOLID,1", "77,0.03", "there is no curve or table 77"),
    "middle layer": ("SOLID,1", "11,0.03\n,,,,1.", "middle layer"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_there_is_refused(case, tmp_path):
    """Before the run, with the reason."""
    section, cards, why = REFUSED[case]
    deck = Deck()
    deck.control(0.1, 0.1)
    deck.part(1, section, LAW)
    if section.startswith("BEAM"):
        ends = [deck.node((4.0 * k, 0.0, 0.0)) for k in (0, 1)]
        deck.element("BEAM", 1, (*ends, deck.node((0.0, 9.0, 0.0), 7)))
    else:
        deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (5.0, 5.0, 5.0))
    deck.add(f"*MAT_ADD_DAMAGE_GISSMO\n1,,1\n{cards}\n{CURVES}")
    (tmp_path / "deck.k").write_text(deck.text())
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status != 0
    assert why in done.said
