"""Signs of secforc, of moments and shear of shells in plot states and elout: LS-DYNA's, by hand."""

import numpy as np
import pytest
from lasso.dyna import Binout, D3plot
from small_decks import Deck
from solver_run import run

E, SIDE, THICK, END, SMALL = 70.0, 10.0, 1.0, 2.0, 1e-3
SHRF = 5 / 6
SHEAR = E / 2
TURN = 1e-4


def _curve() -> str:
    """From nothing to 1 and then constant."""
    rows = [f"{t:.6g},{0.5 * (1 - np.cos(np.pi * t)):.9g}" for t in np.linspace(0.0, 1.0, 101)]
    return "*DEFINE_CURVE\n1\n" + "\n".join(rows) + "\n100.,1."


def _brick(moved: float, tail: float, head: float) -> str:
    """A brick whose top nodes are moved by `moved` along z; a set and a plane with its normal along z."""
    deck = Deck()
    deck.add(f"*CONTROL_TERMINATION\n{END}\n*DATABASE_SECFORC\n{END / 4},3")
    deck.part(1, "SOLID,1", f"ELASTIC,2.7e-6,{E},0.")
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (SIDE, SIDE, SIDE))
    deck.set("NODE", 1, nodes[:4])
    deck.set("NODE", 2, nodes[4:])
    deck.add("*SET_SOLID\n1\n1\n*BOUNDARY_SPC_SET\n1,0,1,1,1")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,3,2,1,{moved}\n{_curve()}")
    deck.add("*DATABASE_CROSS_SECTION_SET\n2,1")
    middle = 0.5 * SIDE
    deck.add(
        f"*DATABASE_CROSS_SECTION_PLANE\n0,5.,5.,{middle + tail},5.,5.,{middle + head},0.\n5.,9.,{middle}"
    )
    return deck.text()


def _last(folder, name, k=0):
    """Of section k in binout."""
    binout = Binout(str(folder / "binout0000"))
    return np.reshape(binout.read("secforc", name), (len(binout.read("secforc", "time")), -1))[-1, k]


def _run(folder, text, *arguments):
    (folder / "deck.k").write_text(text)
    done = run(folder / "deck.k", folder / "out", "--double-files", *arguments)
    assert done.status == 0, done.said
    return folder / "out"


@pytest.mark.parametrize("moved", [SMALL, -SMALL])
@pytest.mark.parametrize(("tail", "head"), [(0.0, 1.0), (0.0, -1.0)])
def test_secforc_is_the_internal_force_at_the_nodes(tmp_path, moved, tail, head):
    """Top nodes pulled up: positive, for the set of nodes and for a plane; turned round, the other sign."""
    out = _run(tmp_path, _brick(moved, tail, head))
    force = E * SIDE**2 * moved / SIDE
    assert _last(out, "z_force", 0) == pytest.approx(force, rel=2e-3)
    assert _last(out, "z_force", 1) == pytest.approx(force if head > 0 else -force, rel=2e-3)
    rows = [line.split() for line in (out / "secforc").read_text().splitlines()]
    text = [float(r[4]) for r in rows if len(r) == 6 and r[0] == "1"]
    assert text[-1] == pytest.approx(force, rel=2e-3)


def _shell(form: int, turned: dict[int, float], lifted: float) -> str:
    """A shell in the xy-plane whose nodes at x = SIDE are turned about axes and lifted; all else is held."""
    deck = Deck()
    deck.add(
        f"*CONTROL_TERMINATION\n{END}\n*DATABASE_BINARY_D3PLOT\n{END / 2}\n*DATABASE_EXTENT_BINARY\n0,0,3"
    )
    deck.add(f"*DATABASE_SECFORC\n{END / 4},3\n*DATABASE_ELOUT\n{END / 4},3\n*DATABASE_HISTORY_SHELL\n1")
    deck.part(1, f"SHELL,{form},{SHRF},3|{THICK},{THICK},{THICK},{THICK}", f"ELASTIC,2.7e-6,{E},0.")
    n = [deck.node(p) for p in ((0, 0, 0), (SIDE, 0, 0), (SIDE, SIDE, 0), (0, SIDE, 0))]
    if form == 4:
        deck.element("SHELL", 1, (n[0], n[1], n[2], n[2]))
        deck.element("SHELL", 1, (n[0], n[2], n[3], n[3]))
    else:
        deck.element("SHELL", 1, n)
    deck.set("NODE", 1, (n[0], n[3]))
    deck.set("NODE", 2, (n[1], n[2]))
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    moves = {3: lifted} | {axis + 3: angle for axis, angle in turned.items()}
    held = [0 if moves.get(axis) else 1 for axis in range(1, 7)]
    deck.add("*BOUNDARY_SPC_SET\n2,0," + ",".join(map(str, held)))
    for axis, value in moves.items():  # LS-DYNA's DOF: 1 to 3 along, 5 to 7 about the axes; a scale of 0 is 1
        if value:
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{axis if axis <= 3 else axis + 1},2,1,{value}")
    shells = "1,2" if form == 4 else "1"
    deck.add(f"*SET_SHELL_LIST\n1\n{shells}\n{_curve()}\n*DATABASE_CROSS_SECTION_SET\n2,0,0,1")
    return deck.text()


def _arrays(out):
    return D3plot(str(out / "d3plot")).arrays


@pytest.mark.parametrize("form", [2, 16, 4])
def test_bending_moments_of_shells(tmp_path, form):
    """-int z sigma dz: turned about y at x = SIDE the upper surface is stretched, and Mx is negative."""
    out = _run(tmp_path, _shell(form, {2: TURN}, -0.5 * TURN * SIDE))  # lifted so that nothing is sheared
    moments = _arrays(out)["element_shell_bending_moment"][-1, 0]  # of triangles, too: x is along side 1-2
    expected = -E * THICK**3 / 12 * TURN / SIDE
    np.testing.assert_allclose(moments, [expected, 0.0, 0.0], rtol=5e-3, atol=1e-3 * abs(expected))
    # The section's nodes turn the shell about y: what they do is the reverse of Mx, times the width.
    assert _last(out, "y_moment") == pytest.approx(-SIDE * expected, rel=5e-3)


@pytest.mark.parametrize("form", [2, 16, 4])
def test_moments_are_of_the_stresses(tmp_path, form):
    """All three, in a shell that is bent and twisted."""
    a = _arrays(_run(tmp_path, _shell(form, {1: TURN, 2: TURN}, 0.0)))
    moments, stress = a["element_shell_bending_moment"][-1, 0], a["element_shell_stress"][-1, 0]
    # Layers are the middle, the lowest and the highest Gauss point.
    z = np.array([0.0, -1.0, 1.0]) * np.sqrt(0.6) * THICK / 2
    weight = np.array([8 / 9, 5 / 9, 5 / 9]) * THICK / 2
    expected = [-np.sum(weight * z * stress[:, column]) for column in (0, 1, 3)]
    np.testing.assert_allclose(moments, expected, rtol=1e-3, atol=1e-3 * abs(expected[0]))
    assert abs(moments[2]) > 0.1 * abs(moments[0])


@pytest.mark.parametrize("form", [2, 16, 4])
def test_transverse_shear_of_shells(tmp_path, form):
    """kappa G gamma in plot states, elout and binout; the section's force is Qx times the width."""
    out = _run(tmp_path, _shell(form, {}, SMALL), "--vtkhdf")
    stress = SHRF * SHEAR * SMALL / SIDE
    a = _arrays(out)
    np.testing.assert_allclose(a["element_shell_stress"][-1, 0, :, 5], stress, rtol=5e-3)
    assert a["element_shell_shear_force"][-1, 0, 0] == pytest.approx(stress * THICK, rel=5e-3)
    binout = Binout(str(out / "binout0000"))
    np.testing.assert_allclose(binout.read("elout", "shell", "sig_zx")[-1], stress, rtol=5e-3)
    text = [line.split() for line in (out / "elout").read_text().splitlines() if "elastic" in line]
    assert float(text[-1][-2]) == pytest.approx(stress, rel=5e-3)
    width = SIDE * a["element_shell_shear_force"][-1, 0, 0]
    assert _last(out, "z_force") == pytest.approx(width, rel=5e-3)
    h5py = pytest.importorskip("h5py")
    with h5py.File(next(out.glob("*.vtkhdf"))) as file:
        found = [
            np.asarray(values)[-1]
            for name, values in file["VTKHDF/CellData"].items()
            if "mises" in name.lower()
        ]
    assert found[0] == pytest.approx(np.sqrt(3) * stress, rel=5e-3)
