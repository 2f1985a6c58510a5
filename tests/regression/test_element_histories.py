"""elout and deforc: known stresses and forces, the same in text and binout and on any number of ranks."""

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run

E, NU, STRAIN, END = 200.0, 0.25, 1e-4, 0.02
STIFFNESS, PULL = 2.0, 0.01
ELASTIC = f"ELASTIC,7.85e-6,{E},{NU}"


def stretched() -> str:
    """A brick, a shell, a beam and springs that are stretched along x by STRAIN over END."""
    deck = Deck()
    deck.control(1.5 * END, END, END / 10)  # rows are of the last cycle before END, and of later ones
    deck.add("*DATABASE_EXTENT_BINARY\n0,0,3,1")
    deck.part(1, "SOLID,2", ELASTIC)
    deck.part(2, "SHELL,16,0.8333,3|1.,1.,1.,1.", ELASTIC)
    deck.part(3, "BEAM,1,1.0,2,0|2.,2.,2.,2.", ELASTIC)
    deck.part(4, "DISCRETE,0", f"SPRING_ELASTIC,{STIFFNESS}")
    deck.part(5, "SOLID,1", ELASTIC)
    corners = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    shell = [deck.node(p) for p in ((20.0, 0, 0), (30.0, 0, 0), (30.0, 10.0, 0), (20.0, 10.0, 0))]
    deck.element("SHELL", 2, shell)
    beam = [deck.node(p) for p in ((40.0, 0, 0), (50.0, 0, 0), (40.0, 10.0, 0))]
    deck.element("BEAM", 3, beam)
    deck.block(5, (2, 2, 2), (100.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    first = deck.elements + 1
    for pair in ((shell[0], shell[1]), (beam[0], beam[1])):
        deck.element("DISCRETE", 4, pair)
    nodes = {
        n: x for n, x in zip([*corners, *shell, *beam[:2]], [0, 10] * 4 + [0, 10, 10, 0, 0, 10], strict=True)
    }
    for n, x in nodes.items():
        for axis in (1, 2, 3):
            curve = 1 if axis == 1 and x else 2
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},{axis},2,{curve}")
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,0,0,0,1,1,1")
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,0.\n{END},{10 * STRAIN}\n1.,{10 * STRAIN}\n*DEFINE_CURVE\n2\n0.,0.\n1.,0."
    )
    deck.add(f"*DATABASE_ELOUT\n{END / 4},3\n*DATABASE_DEFORC\n{END / 4},3")
    deck.add("*DATABASE_HISTORY_SOLID\n1,5\n*DATABASE_HISTORY_BEAM_ID\n3,the beam\n*SET_SHELL_LIST\n7\n2")
    deck.add(f"*DATABASE_HISTORY_SHELL_SET\n7\n*DATABASE_HISTORY_DISCRETE\n{first + 1},{first}")
    return deck.text()


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Folders of the run on 1 and 3 ranks."""
    folder = tmp_path_factory.mktemp("histories")
    deck = folder / "stretched.k"
    deck.write_text(stretched())
    for ranks in (1, 3):
        done = run(deck, folder / str(ranks), "--double-files", ranks=ranks)
        assert done.status == 0, done.said
    return folder


def last(binout: Binout, *path: str) -> np.ndarray:
    """Of the last state; lasso drops the axis of elements where there is one."""
    states = len(np.atleast_1d(binout.read(*path[:-1], "time")))
    return np.asarray(binout.read(*path)).reshape(states, -1)[-1]


def test_stresses_are_hookes(results):
    binout = Binout(str(results / "1" / "binout0000"))
    lame, shear = E * NU / ((1 + NU) * (1 - 2 * NU)), E / (2 * (1 + NU))
    solid = {c: last(binout, "elout", "solid", f"sig_{c}") for c in ("xx", "yy", "zz", "xy")}
    assert list(last(binout, "elout", "solid", "ids")) == [1, 5]
    assert solid["xx"][0] == pytest.approx((lame + 2 * shear) * STRAIN, rel=1e-3)
    assert solid["yy"][0] == pytest.approx(lame * STRAIN, rel=1e-3)
    assert solid["xy"][0] == pytest.approx(0, abs=1e-9)
    assert last(binout, "elout", "solid", "effsg")[0] == pytest.approx(2 * shear * STRAIN, rel=1e-3)
    assert last(binout, "elout", "solid", "eps_xx")[0] == pytest.approx(STRAIN, rel=1e-3)
    shell = last(binout, "elout", "shell", "sig_xx")
    assert shell == pytest.approx(np.full(3, E / (1 - NU**2) * STRAIN), rel=1e-3)
    assert last(binout, "elout", "shell", "upper_eps_xx") == pytest.approx([STRAIN], rel=1e-3)
    assert last(binout, "elout", "shell", "nip") == [3]
    assert last(binout, "elout", "beam", "axial") == pytest.approx([E * STRAIN * 4], rel=1e-3)
    assert last(binout, "elout", "beam", "sigma_11") == pytest.approx(np.full(4, E * STRAIN), rel=1e-3)
    assert last(binout, "elout", "beam", "mat") == [3]


def test_springs_pull(results):
    binout = Binout(str(results / "1" / "binout0000"))
    force = STIFFNESS * 10 * STRAIN
    assert last(binout, "deforc", "resultant_force") == pytest.approx([force, force], rel=1e-3)
    assert last(binout, "deforc", "x_force") == pytest.approx([force, force], rel=1e-3)
    assert last(binout, "deforc", "displacement") == pytest.approx([10 * STRAIN] * 2, rel=1e-3)


def test_text_says_the_same(results):
    elout = (results / "1" / "elout").read_text()
    blocks = elout.split("e l e m e n t   s t r e s s   c a l c u l a t i o n s")
    shell = blocks[-1].splitlines()
    row = next(line for line in shell if line.startswith("   2- 16 elastic"))
    assert float(row[17:29]) == pytest.approx(E / (1 - NU**2) * STRAIN, rel=1e-3)
    assert any(line.startswith(" upper surface") for line in shell)
    beam = elout.split("beam/truss # =")[-1].splitlines()
    values = next(line for line in beam if line.startswith(" " * 11))
    assert float(values[11:22]) == pytest.approx(4 * E * STRAIN, rel=1e-3)
    deforc = (results / "1" / "deforc").read_text().splitlines()
    change = [line for line in deforc if line.startswith(" change in length")]
    assert float(change[-1][30:]) == pytest.approx(10 * STRAIN, rel=1e-3)


def test_ranks_write_the_same(results):
    for name in ("elout", "deforc"):
        one, three = ((results / n / name).read_text().splitlines()[2:] for n in ("1", "3"))
        assert one == three
