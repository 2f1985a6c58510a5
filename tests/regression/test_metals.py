"""Metal laws with voids, damage and axes in whole runs: ranks, restarts, sizes of elements, refusals."""

import pytest
from small_decks import STEEL, Deck
from solver_run import expect_torn_the_same, run

VOIDS = (
    f"GURSON,{STEEL},0.25,5.,1.5,1.|0.03,0.005,0.1,0.05,0.02,,1.|0|0|1.,4.,,,0.12,0.2|0,0,1"  #: FF by size
)
LEMAITRE = f"DAMAGE_2,{STEEL},0.25,1.|0.|0.01,1.5e-3,0.3|0|0"
HILL = f"HILL_3R,{STEEL},1.,1.,0.25|1.8,1.2,2.4|2|,,,1.,1.|0"
YLD = f"BARLAT_YLD2000,{STEEL}|0.5,0.005,0.15,,,1.,8.|0.94,0.99,1.02,1.02,1.,0.98,0.98,1.13|2|,,,1.,1.|0"
VOCE = f"ANISOTROPIC_VISCOPLASTIC,{STEEL},0.25|0.1,20.|,,0.4,0.6,0.5|2|,,,1.,1.|,,,0.,1."
PLAIN = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0|,|,|,"
DIEM = (
    "*MAT_ADD_DAMAGE_DIEM\n{part},2\n0,11,,,,12\n0,1,0.4\n1,13,0.2\n1,1,0.1,,,12\n"
    "*DEFINE_CURVE\n11\n-0.4,0.3\n0.667,0.05\n*DEFINE_CURVE\n12\n1.,1.\n4.,0.7\n*DEFINE_CURVE\n13\n0.,0.15\n4.,0.1"
)


def strips(end: float = 0.3) -> str:
    """Shells and bricks of all the laws, held at one end and pulled aslant at the other until they tear."""
    deck = Deck()
    deck.control(end, end / 2, end / 10)
    held, pulled = [], []
    for k, law in enumerate((VOIDS, LEMAITRE, HILL, YLD, VOCE, PLAIN)):
        deck.part(k + 1, f"SHELL,{16 if k % 2 else 2},0.8333,3|1.,1.,1.,1.", law)
        grid = deck.plate(
            k + 1, (3, 6), lambda u, v, k=k: (30.0 * k + 8 * u + 6 * u * v * (1 - v), 24 * v, 0.0)
        )
        held += grid[0]
        pulled += grid[-1]
    for k, law in enumerate((VOIDS, LEMAITRE, VOCE, PLAIN)):
        part = 11 + k
        deck.part(part, "SOLID,1", law)
        nodes = deck.block(part, (2, 2, 6), (30.0 * k, 50.0, 0.0), (5.0, 5.0, 20.0))
        held += nodes[:9]
        pulled += nodes[-9:]
    deck.add(DIEM.format(part=6) + "\n*MAT_ADD_DAMAGE_DIEM\n14,1\n0,11\n1,0,0.02")
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.05,1.\n10.,1.")
    for direction, speed in ((1, 8.0), (2, 18.0), (3, 12.0)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{speed}")
    deck.add("*CONTROL_SHELL\n20.,1,-1,1,2,2,1\n,,,,1\n*DATABASE_EXTENT_BINARY\n12,12,3")
    return deck.text()


@pytest.mark.parametrize("precision", ["double", "single"])
def test_torn_strips_are_the_same_on_ranks_and_after_a_restart(precision, tmp_path):
    """On one rank, on two and three, and stopped where some are torn and others half damaged."""
    deck = tmp_path / "deck.k"
    deck.write_text(strips())
    expect_torn_the_same(deck, tmp_path, precision)


def test_voids_and_sizes_are_in_the_plot_file(tmp_path):
    """The size of the element at the start is the first variable of MAT_120, then f - F0 and f*."""
    lasso = pytest.importorskip("lasso.dyna")
    deck = tmp_path / "deck.k"
    deck.write_text(strips(0.1))
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    arrays = lasso.D3plot(str(tmp_path / "out" / "d3plot")).arrays
    h = arrays["element_solid_history_variables"][-1][:24]
    h = h.reshape(-1, h.shape[-1])
    size = (2.5 * 2.5 * 20 / 6) ** (1 / 3)
    assert h[:, 1].max() > 1e-3
    assert abs(h[:, 0] - size).max() < 1e-5
    joined = h[:, 1] > 0.025
    assert abs(h[~joined, 2] - h[~joined, 1] - 0.005).max() < 1e-6
    assert (h[joined, 2] > h[joined, 1] + 0.005).all()


REFUSED = {
    "beams": (
        "BEAM,1,1.,2,0|2.,2.,2.,2.",
        PLAIN,
        "*MAT_ADD_DAMAGE_DIEM\n1,1\n0,11\n0,0,1.",
        "shells and solids",
    ),
    "forming limits": ("SOLID,1", PLAIN, "*MAT_ADD_DAMAGE_DIEM\n1,1\n2,11\n0,0,1.", "forming limits"),
    "voids in beams": ("BEAM,1,1.,2,0|2.,2.,2.,2.", VOIDS, "", "GURSON"),
    "sheets in solids": ("SOLID,1", HILL, "", "HILL_3R"),
    "non-local": ("SOLID,1", PLAIN, "*MAT_NONLOCAL\n1,1,8,2,5.,10,1\n1", "non-local"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_there_is_refused(case, tmp_path):
    """Before the run, with the reason."""
    section, law, cards, why = REFUSED[case]
    deck = Deck()
    deck.control(0.1, 0.1)
    deck.part(1, section, law)
    if section.startswith("BEAM"):
        ends = [deck.node((4.0 * k, 0.0, 0.0)) for k in (0, 1)]
        deck.element("BEAM", 1, (*ends, deck.node((0.0, 9.0, 0.0), 7)))
    else:
        deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (5.0, 5.0, 5.0))
    deck.add(
        f"{cards}\n*DEFINE_CURVE\n11\n-1.,0.3\n1.,0.3" if cards else "*DEFINE_CURVE\n11\n-1.,0.3\n1.,0.3"
    )
    (tmp_path / "deck.k").write_text(deck.text())
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status != 0
    assert why in done.said
