"""Users' own laws: the routines of docs/own-laws, in Fortran and C, against laws of the solver."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import Run, run

from crumple.places import shipped

SOURCES = shipped("docs") / "own-laws"
E, NU = 210.0, 0.3
BULK, SHEAR = E / (3 * (1 - 2 * NU)), E / (2 * (1 + NU))
YIELD, HARDENING = 0.3, 2.0  #: plastic modulus
TANGENT = E * HARDENING / (E + HARDENING)  #: of MAT_003
SIDE, END = 10.0, 0.2  #: mm, ms


@pytest.fixture(scope="session")
def library(tmp_path_factory) -> Path:
    """All routines of the page in one library."""
    folder = tmp_path_factory.mktemp("laws")
    objects = []
    for source in sorted(SOURCES.glob("*.[cf]*")):
        compiler = "gcc" if source.suffix == ".c" else "gfortran"
        objects.append(str(folder / f"{source.name}.o"))
        subprocess.run([compiler, "-O2", "-fPIC", "-c", str(source), "-o", objects[-1]], check=True)
    made = folder / "laws.so"
    subprocess.run(["gfortran", "-shared", *objects, "-o", str(made)], check=True)
    return made


def own_law(
    number: int, constants: list[float], bulk: int, shear: int, second: str = "0,0,0,0", nhv: int = 0
) -> str:
    """The cards after the material's number, for Deck.part."""
    cards = [",".join(f"{c!r}" for c in constants[k : k + 8]) for k in range(0, len(constants), 8)]
    name = "USER_DEFINED_MATERIAL_MODELS"
    return "|".join([f"{name},7.85e-6,{number},{len(constants)},{nhv},0,{bulk},{shear}", second, *cards])


ELASTIC = own_law(41, [E, NU, BULK, SHEAR], 3, 4)
PLASTIC = own_law(42, [BULK, SHEAR, YIELD, HARDENING, 0.12], 1, 2, second="0,1,0,0")


def pulled(law: str, section: str, library: Path | str | None, longer: float, more: str = "") -> str:
    """A bar of bricks, or a strip of shells, pulled along x at one end, also sideways, and back."""
    deck = Deck()
    deck.part(1, section, law)
    if section.startswith("SOLID"):
        nodes = deck.block(1, (4, 1, 1), (0.0, 0.0, 0.0), (4 * SIDE, SIDE, SIDE))
        grid = [nodes[k : k + 5] for k in range(0, len(nodes), 5)]
    else:
        grid = deck.plate(1, (4, 2), lambda u, v: (4 * SIDE * u, 2 * SIDE * v, 0.0))
    for row in grid:
        for axis in (1, 2, 3):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{row[0]},{axis},2,2")
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{row[-1]},1,2,1")
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{row[-1]},3,2,1,0.3")
    far = 4 * SIDE * longer
    points = f"0.,0.\n{0.7 * END},{far}\n{END},{0.8 * far}\n9.,{0.8 * far}"
    deck.add(f"*DEFINE_CURVE\n1\n{points}\n*DEFINE_CURVE\n2\n0.,0.\n9.,0.")
    deck.add(f"*CONTROL_TERMINATION\n{END}\n*DATABASE_GLSTAT\n{END / 50}\n*DATABASE_ELOUT\n{END / 50},3")
    deck.add("*DATABASE_HISTORY_SOLID\n2" if section.startswith("SOLID") else "*DATABASE_HISTORY_SHELL\n2")
    if library:
        deck.add(f"*MODULE_LOAD\nmine                own laws\n{library}")
    deck.add(more)
    return deck.text()


def computed(folder: Path, text: str, *options: str, ranks: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(text)
    done = run(folder / "deck.k", folder / "out", "--double-files", *options, ranks=ranks)
    assert done.status == 0, done.said
    return done


def stresses(done: Run, kind: str) -> np.ndarray:
    """Of the element with a history, all components over time."""
    binout = Binout(str(done.directory / "binout0000"))
    names = [f"sig_{c}" for c in ("xx", "yy", "zz", "xy", "yz", "zx")]
    return np.stack([np.asarray(binout.read("elout", kind, name)).ravel() for name in names])


SOLID, SHELL, FULL_SHELL = "SOLID,1", "SHELL,2,0.8333,3|1.,1.,1.,1.", "SHELL,16,0.8333,3|1.,1.,1.,1."


@pytest.mark.parametrize("section", [SOLID, "SOLID,2", SHELL, FULL_SHELL])
def test_elastic_in_fortran(section, library, tmp_path):
    own = computed(tmp_path / "own", pulled(ELASTIC, section, library, 0.02))
    ours = computed(tmp_path / "ours", pulled(f"ELASTIC,7.85e-6,{E!r},{NU!r}", section, None, 0.02))
    kind = "solid" if section.startswith("SOLID") else "shell"
    theirs = stresses(ours, kind)
    assert np.abs(theirs).max() > 1.0
    np.testing.assert_allclose(stresses(own, kind), theirs, atol=1e-9 * np.abs(theirs).max())


@pytest.mark.parametrize("section", ["BEAM,1,0.8333,2,1|2.,2.,0.,0.", "BEAM,3|3."])
def test_beams(section, library, tmp_path):
    """A bar that is pulled, and bent where it is a beam; also in implicit steps."""

    def bar(law: str, more: str) -> str:
        deck = Deck()
        deck.part(1, section, law)
        nodes = [deck.node((SIDE * k, 0.0, 0.0)) for k in range(5)]
        third = deck.node((0.0, 1.0, 0.0))
        for a, b in zip(nodes, nodes[1:], strict=False):
            deck.element("BEAM", 1, (a, b, third))
        deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,1,1,1,1,1,1\n{third},0,1,1,1,1,1,1")
        free = 0 if section.startswith("BEAM,1") else 1
        deck.add(
            "".join(f"*BOUNDARY_SPC_NODE\n{node},0,0,{free},{free},1,1,1\n" for node in nodes[1:]).strip()
        )
        deck.add(f"*LOAD_NODE_POINT\n{nodes[-1]},1,1,1.0\n{nodes[-1]},2,1,{0.01 * (1 - free)}")
        deck.add(f"*DEFINE_CURVE\n1\n0.,0.\n{END},1.\n9.,1.\n*CONTROL_TERMINATION\n{END}")
        deck.add(f"*DATABASE_ELOUT\n{END / 50},3\n*DATABASE_HISTORY_BEAM\n1\n{more}")
        return deck.text()

    module = f"*MODULE_LOAD\nmine                own laws\n{library}"
    for name, more in (("explicit", ""), ("implicit", f"*CONTROL_IMPLICIT_GENERAL\n1,{END / 10}")):
        own = computed(tmp_path / f"own-{name}", bar(ELASTIC, f"{module}\n{more}"))
        ours = computed(tmp_path / f"ours-{name}", bar(f"ELASTIC,7.85e-6,{E!r},{NU!r}", more))
        forces = [
            np.asarray(Binout(str(one.directory / "binout0000")).read("elout", "beam", "axial"))
            for one in (own, ours)
        ]
        assert np.abs(forces[1]).max() > 0.1
        np.testing.assert_allclose(forces[0], forces[1], rtol=1e-7, atol=1e-9)


def test_a_gradient_is_for_solids(library, tmp_path):
    law = own_law(44, [5.0, 0.01], 1, 2, second="0,0,0,1")
    (tmp_path / "deck.k").write_text(pulled(law, SHELL, library, 0.01))
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status != 0
    assert "CR-M109" in done.said
    assert "the rotation of a step" in done.said


@pytest.mark.parametrize(("section", "bound"), [(SOLID, 1e-9), (SHELL, 1e-6)])
def test_plastic_in_c(section, bound, library, tmp_path):
    """Shells of MAT_003 find the thickness strain in another way, to a part of the yield stress."""
    law = f"PLASTIC_KINEMATIC,7.85e-6,{E!r},{NU!r},{YIELD},{TANGENT!r},1.0|0.,0.,0.,0."
    own = computed(tmp_path / "own", pulled(PLASTIC, section, library, 0.03))
    ours = computed(tmp_path / "ours", pulled(law, section, None, 0.03))
    kind = "solid" if section.startswith("SOLID") else "shell"
    theirs = stresses(ours, kind)
    np.testing.assert_allclose(stresses(own, kind), theirs, atol=bound * np.abs(theirs).max())


def test_points_fail(library, tmp_path):
    computed(tmp_path, pulled(PLASTIC, SHELL, library, 0.5))
    assert "deleted" in (tmp_path / "out" / "d3hsp").read_text()


def test_rubber_from_the_deformation_gradient(library, tmp_path):
    """One brick stretched to twice its length and turned: the closed form of neo-Hooke."""
    bulk, shear = 5.0, 0.01
    law = own_law(44, [bulk, shear], 1, 2, second="0,0,0,1")
    deck = Deck()
    deck.part(1, "SOLID,1", law.replace("7.85e-6", "1e-6"))
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    for k, node in enumerate(nodes):
        for axis in (1, 2, 3):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},{axis},2,{1 if axis == 1 and k % 2 else 2}")
    deck.add(
        "*DEFINE_CURVE\n1\n0.,0.\n1.,1.\n9.,1.\n*DEFINE_CURVE\n2\n0.,0.\n9.,0.\n*CONTROL_TERMINATION\n1.0"
    )
    deck.add(f"*DATABASE_ELOUT\n0.1,3\n*DATABASE_HISTORY_SOLID\n1\n*MODULE_LOAD\nmine\n{library}")
    done = computed(tmp_path, deck.text())
    last = stresses(done, "solid")[:, -1]
    j = 2.0
    pressure = (bulk - 2 * shear / 3) * np.log(j) / j
    np.testing.assert_allclose(last[:3], [shear / j * 3 + pressure, pressure, pressure], rtol=2e-3)


def test_many_points_and_a_curve(library, tmp_path):
    """umat43v scales its modulus by a curve of the deck, here 1 and 0.5: with 1 it is umat41."""
    curve = "*DEFINE_CURVE\n7\n0.,{0}\n9.,{0}"
    law = own_law(43, [E, NU, BULK, SHEAR, 7.0], 3, 4, second="1,0,0,0", nhv=1)
    one = computed(tmp_path / "one", pulled(law, SOLID, library, 0.02, curve.format(1.0)))
    same = computed(tmp_path / "same", pulled(ELASTIC, SOLID, library, 0.02))
    np.testing.assert_allclose(stresses(one, "solid"), stresses(same, "solid"), atol=1e-9)
    half = computed(tmp_path / "half", pulled(law, SOLID, library, 0.02, curve.format(0.5)))
    assert 0.4 < stresses(half, "solid")[0, -1] / stresses(one, "solid")[0, -1] < 0.6


@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks_and_restart(precision, library, tmp_path):
    text = pulled(PLASTIC, SHELL, library, 0.1, "*DATABASE_BINARY_D3DUMP\n200")
    one = computed(tmp_path / "one", text, "--precision", precision)
    for ranks in (2, 3):
        assert computed(tmp_path / f"r{ranks}", text, "--precision", precision, ranks=ranks).hash == one.hash
    out = tmp_path / "one" / "out"
    gone_on = run(None, out, f"r={out / 'd3dump01'}", ranks=2)
    assert gone_on.status == 0, gone_on.said
    assert gone_on.hash == one.hash


@pytest.mark.parametrize("section", [SOLID, SHELL])
def test_implicit(section, library, tmp_path):
    """The tangent is that of differences: as many iterations as with the law of the solver."""
    solution = "12,1,,1e-9,1e-18,1e-9,,1e-20\n,,,3,4."
    implicit = f"*CONTROL_IMPLICIT_GENERAL\n1,{END / 8!r}\n*CONTROL_IMPLICIT_SOLUTION\n{solution}"
    law = f"PLASTIC_KINEMATIC,7.85e-6,{E!r},{NU!r},{YIELD},{TANGENT!r},1.0|0.,0.,0.,0."
    own, ours = (
        # Until the way back, on which the strip would buckle.
        computed(tmp_path / name, text.replace(f"TERMINATION\n{END}", f"TERMINATION\n{END / 2}"))
        for name, text in (
            ("own", pulled(PLASTIC, section, library, 0.02, implicit)),
            ("ours", pulled(law, section, None, 0.02, implicit)),
        )
    )
    kind = "solid" if section == SOLID else "shell"
    theirs = stresses(ours, kind)
    np.testing.assert_allclose(stresses(own, kind), theirs, atol=1e-5 * np.abs(theirs).max())
    counts = [done.stdout.count("residual") for done in (own, ours)]
    assert abs(counts[0] - counts[1]) <= 0.2 * counts[1] + 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.split("*MODULE_LOAD")[0] + "*END\n", "no library with umat42"),
        (lambda t: t.replace("laws.so", "none.so"), "does not exist"),
        (lambda t: t.replace(",42,5,", ",49,5,"), "no umat49"),
        (lambda t: t.replace(",42,5,0,0,1,2", ",42,5,0,1,1,2"), "material axes"),
        (lambda t: t.replace(",42,5,0,0,1,2", ",42,5,0,0,1,9"), "IG is 9"),
        (lambda t: t.replace("0,1,0,0\n", "0,1,1,0\n"), "temperatures"),
    ],
)
def test_refused(change, said, library, tmp_path):
    (tmp_path / "deck.k").write_text(change(pulled(PLASTIC, SOLID, library, 0.02)))
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status == 2, done.said
    assert said in done.said
