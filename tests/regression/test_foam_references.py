"""Foams and rubbers that begin deformed (*INITIAL_FOAM_REFERENCE_GEOMETRY): stress, energy, return."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import Binout, D3plot
from small_decks import Deck
from solver_run import Run, expect_same_after_restart, run

SIDE, END = 10.0, 2.0  #: mm, ms
PRESSED, SHEARED = 0.7, 0.1  #: height over that of the reference; shift of the top over the height
FOAM = ((0.0, 0.05, 0.6, 0.8), (0.0, 0.1e-3, 0.2e-3, 1.2e-3))  #: strain, GPa
CURVE = "*DEFINE_CURVE\n5\n" + "\n".join(f"{x},{y}" for x, y in zip(*FOAM, strict=True))
TABLE = CURVE + "\n*DEFINE_CURVE\n6\n0.,0.\n0.8,0.1\n*DEFINE_TABLE_2D\n7\n0.,5\n10.,6"
LAWS = {
    7: "BLATZ-KO_RUBBER,1e-7,1e-3,1",
    27: "MOONEY-RIVLIN_RUBBER,1e-6,0.49,1e-3,0.2e-3,1",
    57: "LOW_DENSITY_FOAM,5e-8,2e-3,5,,1.|1.,0,0,,,,1",
    77: "OGDEN_RUBBER,1e-6,0.49,,,,,1|1e-3,-0.2e-3|2.,-2.",
    83: "FU_CHANG_FOAM,5e-8,2e-3,,,,,7|0,1.,0,0,,,1|,|,",
}
#: a turn of the reference shape by a right angle about x, and a shift: they change nothing
TURNED = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def deformed(x: np.ndarray) -> np.ndarray:
    """Places at the start of points of the reference shape."""
    return x * (1, 1, PRESSED) + np.outer(PRESSED * x[:, 2], (0, SHEARED, 0))


def block(
    law: str, form: int, turn: bool = False, cells=(1, 1, 2), shape: str = "", held: bool = True
) -> str:
    """A block that is deformed at the start; `held`: no node moves, else it stands on z = 0."""
    deck = Deck()
    deck.part(1, f"SOLID,{form}", law)
    lines = len(deck.lines)
    nodes = deck.block(1, cells, (0, 0, 0), (SIDE, SIDE, SIDE))
    reference = np.array(
        [[float(v) for v in row.split(",")[1:4]] for row in deck.lines[lines + 1 :: 2][: len(nodes)]]
    )
    for n, x in zip(nodes, deformed(reference), strict=True):
        row = deck.lines.index("*NODE") + 1 + 2 * (n - 1)
        deck.lines[row] = f"{n},{x[0]:.9g},{x[1]:.9g},{x[2]:.9g},{7 if held else 0},0"
        if not held:
            x, y, z = (int(v == 0) for v in reference[nodes.index(n)])
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{x},{y * z},{z}")
    where = reference @ TURNED.T + (3.0, -50.0, 7.0) if turn else reference
    deck.add(shape or "*INITIAL_FOAM_REFERENCE_GEOMETRY")
    deck.lines += [f"{n:8d}{x:16.9e}{y:16.9e}{z:16.9e}" for n, (x, y, z) in zip(nodes, where, strict=True)]
    deck.add(TABLE)
    deck.control(END, END, END / 20)
    deck.add(f"*DATABASE_ELOUT\n{END / 20},3\n*DATABASE_HISTORY_SOLID\n1,2")
    return deck.text()


def pushed(law: str, form: int) -> str:
    """The same block, which goes from its reference shape to that in the run."""
    deck = Deck()
    deck.part(1, f"SOLID,{form}", law)
    nodes = deck.block(1, (1, 1, 2), (0, 0, 0), (SIDE, SIDE, SIDE))
    for i, n in enumerate(nodes):
        x = np.array([[SIDE * (i % 2), SIDE * (i // 2 % 2), SIDE / 2 * (i // 4)]])
        for dof, by in enumerate((deformed(x) - x)[0].tolist(), 1):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},{dof},2,1,{by or 1e-30!r}")
    deck.add(f"*DEFINE_CURVE\n1\n0.,0.\n{END},1.\n{2 * END},1.\n" + TABLE)
    deck.control(END, END, END / 20)
    deck.add(f"*DATABASE_ELOUT\n{END / 20},3\n*DATABASE_HISTORY_SOLID\n1,2\n*CONTROL_TIMESTEP\n,0.1")
    return deck.text()


def finished(text: str, folder: Path, *options: str, ranks: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(text)
    done = run(folder / "deck.k", folder / "out", "--double-files", *options, ranks=ranks)
    assert done.status == 0, done.said
    return done


def stresses(done: Run) -> np.ndarray:
    """(times, values): six components of the points of both elements."""
    binout = Binout(str(done.directory / "binout0000"))
    parts = [
        np.asarray(binout.read("elout", "solid", f"sig_{c}")) for c in ("xx", "yy", "zz", "xy", "yz", "zx")
    ]
    return np.concatenate([p.reshape(len(p), -1) for p in parts], axis=1)


@pytest.mark.parametrize("form", [1, 2])
@pytest.mark.parametrize("law", LAWS)
def test_stress_is_that_of_the_deformation(law: int, form: int, tmp_path: Path) -> None:
    """As if it had been deformed in the run: the laws' stresses do not depend on the way."""
    slow = LAWS[57] if law == 83 else LAWS[law]  # the first curve of the table is that of MAT_057
    wanted = stresses(finished(pushed(slow, form), tmp_path / "pushed"))[-1]
    for turn in (False, True):
        got = stresses(finished(block(LAWS[law], form, turn), tmp_path / f"at-once-{turn}"))
        assert np.abs(wanted).max() > 1e-4
        for row in (got[1], got[-1]):
            np.testing.assert_allclose(row, wanted, atol=4e-3 * np.abs(wanted).max())


def test_energy_is_that_of_the_way(tmp_path: Path) -> None:
    """Of a foam that is pressed without shear: the area below its curve; mass is that of the reference."""
    done = finished(block(LAWS[57], 1, cells=(2, 2, 2)), tmp_path)
    internal = np.asarray(Binout(str(done.directory / "binout0000")).read("glstat", "internal_energy"))
    done = finished(block(LAWS[57], 2, cells=(2, 2, 2)), tmp_path / "full")
    full = np.asarray(Binout(str(done.directory / "binout0000")).read("glstat", "internal_energy"))
    shear = np.array([[1, 0, 0], [0, 1, SHEARED * PRESSED], [0, 0, PRESSED]])
    stretches = np.sqrt(np.linalg.eigvalsh(shear @ shear.T))
    pressing = 1 - stretches[stretches < 1]
    fine = np.linspace(0, 1, 20001)
    wanted = sum(np.trapezoid(np.interp(p * fine, *FOAM), p * fine) for p in pressing)
    wanted += sum(0.5 * 2e-3 * (s - 1) ** 2 for s in stretches if s > 1)
    for found in (internal, full):
        np.testing.assert_allclose(found[1:], wanted * SIDE**3, rtol=3e-3)
    assert f"mass {5e-8 * SIDE**3:.6g}" in done.stdout


@pytest.mark.parametrize("form", [1, 2])
def test_foam_returns_to_its_reference(form: int, tmp_path: Path) -> None:
    """A damped block that begins pressed and sheared is at rest in its reference shape at the end."""
    text = block(LAWS[57], form, cells=(2, 2, 2), held=False).replace("*END", "*DAMPING_GLOBAL\n0,40.\n*END")
    done = finished(text, tmp_path)
    plot = D3plot(str(done.directory / "d3plot"))
    end = plot.arrays["node_displacement"][-1]
    top, foot = end[-9:].mean(axis=0), end[:9].mean(axis=0)
    np.testing.assert_allclose(top - foot, (0.0, 0.0, SIDE), atol=5e-3 * SIDE)
    ratios = [p.ratio for p in done.progress]
    assert max(abs(r - 1) for r in ratios) < 0.02


def test_same_bits_on_ranks(tmp_path: Path) -> None:
    text = block(LAWS[57], 1, cells=(2, 2, 3), held=False)
    one = finished(text, tmp_path / "1")
    for ranks in (2, 3):
        assert finished(text, tmp_path / str(ranks), ranks=ranks).hash == one.hash
    expect_same_after_restart(tmp_path / "1" / "deck.k", tmp_path / "restart")


@pytest.mark.parametrize(
    ("law", "form", "shape", "says"),
    [
        (LAWS[57], 13, "", "ELFORM 13"),
        (LAWS[57], 1, "*INITIAL_FOAM_REFERENCE_GEOMETRY_RAMP\n20", "NDTRRG = 20"),
        ("SOIL_AND_FOAM,5e-7,2e-3,20e-3,1e-10,0.,0.,-2e-5|0.,1,5", 1, "", "REF"),
    ],
)
def test_what_is_refused_of_foams(law: str, form: int, shape: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "deck.k").write_text(block(law, form, shape=shape))
    refused = run(tmp_path / "deck.k", tmp_path / "out")
    assert refused.status == 2, refused.said
    assert says in refused.said


def test_without_ref_nothing_changes(tmp_path: Path) -> None:
    done = finished(block(LAWS[57].removesuffix("1"), 1), tmp_path)
    assert "nothing changes" in done.said
    assert np.abs(stresses(done)).max() < 1e-12
