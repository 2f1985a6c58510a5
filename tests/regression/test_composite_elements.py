"""One shell of MAT_058 and of MAT_262, pulled, pressed, sheared and let go, against closed forms."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run

SIDE, END = 2.0, 4.0  #: mm, ms
EA, EB, G = 140.0, 10.0, 5.0
#: modulus, strength, strain at the strength of MAT_058, toughness of MAT_262
MODES = {
    "a pulled": (EA, 2.0, 0.02, 0.1),
    "a pressed": (EA, 1.5, 0.015, 0.08),
    "b pulled": (EB, 0.05, 0.008, 0.001),
    "b pressed": (EB, 0.2, 0.03, 0.02),
    "shear": (G, 0.1, 0.04, 0.008),
}


def fabric(surface: float = -1.0, beta: float = 0.0, first: str = ",", limit: float = 0.0) -> str:
    """MAT_058; `first`: TAU1 and GAMMA1, `limit`: all SLIM."""
    limits = ",".join([str(limit)] * 5)
    return (
        f"LAMINATED_COMPOSITE_FABRIC,1.6e-6,{EA},{EB},8.,0.01,{first}|{G},3.,4.,{limits}"
        f"|0.,0.,0.,0.,{surface}|,|,,,,,,{beta}|0.015,0.02,0.03,0.008,0.04|1.5,2.0,0.2,0.05,0.1"
    )


def fracture(beta: float = 0.0) -> str:
    """MAT_262."""
    return (
        f"LAMINATED_FRACTURE_DAIMLER_CAMANHO,1.6e-6,{EA},{EB},8.,0.01,0.01,0.3|{G},3.,4.,0.,1.,1.,1."
        f"|,,,,,,1.|,,,,,,{beta}|0.08,0.1,0.02,0.001,0.008|1.5,2.0,0.2,0.05,0.1|53."
    )


@dataclass(frozen=True)
class Driven:
    """Strains along and across, shear strain, and stresses in the deck's axes."""

    along: np.ndarray
    across: np.ndarray
    shear: np.ndarray
    stress: np.ndarray  #: sig_xx
    shear_stress: np.ndarray


def drive(law: str, form: int, path: list[float], shear: bool, where: Path) -> Driven:
    """The shell led through displacements of one side over the side's length, at equal times."""
    deck = Deck()
    deck.part(1, f"SHELL,{form},0.8333,2|1.,1.,1.,1.", law)
    grid = deck.plate(1, (1, 1), lambda u, v: (SIDE * u, SIDE * v, 0.0))
    for j, row in enumerate(grid):
        for i, node in enumerate(row):
            moved = j if shear else i
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},1,2,{1 if moved else 2}")
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},3,2,2")
            if shear or j == 0:
                deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},2,2,2")
    points = [f"{END * k / (len(path) - 1)},{SIDE * u}" for k, u in enumerate(path)]
    deck.add("\n".join(["*DEFINE_CURVE", "1", *points, f"99.,{SIDE * path[-1]}"]))
    deck.add(f"*DEFINE_CURVE\n2\n0.,0.\n9.,0.\n*CONTROL_TERMINATION\n{END}\n*DATABASE_ELOUT\n{END / 80},3")
    deck.add(
        f"*DATABASE_HISTORY_SHELL\n1\n*DATABASE_NODOUT\n{END / 80},3\n*DATABASE_HISTORY_NODE\n{grid[1][1]}"
    )
    deck.add("*DAMPING_PART_MASS\n1,3\n*DEFINE_CURVE\n3\n0.,200.\n9.,200.")
    (where / "deck.k").write_text(deck.text())
    done = run(where / "deck.k", where / "out", "--double-files")
    assert done.status == 0, done.said
    binout = Binout(str(where / "out" / "binout0000"))

    def moved_by(axis: str) -> np.ndarray:
        return np.asarray(binout.read("nodout", f"{axis}_displacement")).ravel() / SIDE

    def stress(name: str) -> np.ndarray:
        values = np.asarray(binout.read("elout", "shell", name))
        return values.reshape(len(values), -1).mean(axis=1)

    along = np.zeros(1) if shear else np.log(1 + moved_by("x"))
    across = np.log(1 + moved_by("y"))
    return Driven(along, across, moved_by("x"), stress("sig_xx"), stress("sig_xy"))


def bundle(strain: np.ndarray, modulus: float, strength: float, at: float, limit: float = 0.0) -> np.ndarray:
    """Stress of growing strains: E e exp(-r^m / (m e)), not below the limit after its maximum."""
    m = 1 / np.log(modulus * at / strength)
    stress = modulus * strain * np.exp(-((modulus * strain / strength) ** m) / (m * np.e))
    return np.where(strain > at, np.maximum(stress, limit * strength), stress)


def softened(strain: np.ndarray, modulus: float, strength: float, toughness: float) -> np.ndarray:
    """Stress of growing strains that falls along a line to the toughness over the side."""
    first, last = strength / modulus, 2 * toughness / (SIDE * strength)
    fall = strength * (last - strain) / (last - first)
    return np.where(strain < first, modulus * strain, np.maximum(fall, 0.0))


def led(mode: str, law, form: int, path: list[float], where: Path) -> tuple[np.ndarray, np.ndarray]:
    """Strain and stress of a mode, positive in its direction."""
    sign = -1.0 if "pressed" in mode else 1.0
    beta = 90.0 if mode.startswith("b") else 0.0
    done = drive(law(beta), form, [sign * u for u in path], mode == "shear", where)
    if mode == "shear":
        return done.shear, done.shear_stress
    return sign * done.along, sign * done.stress


@pytest.mark.parametrize("form", [2, 16, -16])
@pytest.mark.parametrize("mode", MODES)
def test_a_bundle_softens_and_unloads(mode, form, tmp_path):
    modulus, strength, at, _ = MODES[mode]
    top = 1.6 * at
    strain, stress = led(
        mode, lambda beta: fabric(beta=beta, limit=0.3), form, [0.0, top, 0.5 * top], tmp_path
    )
    turn = int(np.argmax(strain))
    expected = bundle(strain[: turn + 1], modulus, strength, at, 0.3)
    np.testing.assert_allclose(stress[: turn + 1], expected, atol=0.01 * strength)
    assert stress[: turn + 1].max() == pytest.approx(strength, rel=0.01)
    secant = stress[turn] / strain[turn]
    np.testing.assert_allclose(stress[turn:], secant * strain[turn:], atol=0.01 * strength)


@pytest.mark.parametrize("surface", [0.0, 1.0])
@pytest.mark.parametrize("mode", MODES)
def test_one_stress_alone_knows_no_surface(mode, surface, tmp_path):
    modulus, strength, at, _ = MODES[mode]
    law = lambda beta: fabric(surface, beta)  # noqa: E731
    strain, stress = led(mode, law, 2, [0.0, 1.3 * at], tmp_path)
    np.testing.assert_allclose(stress, bundle(strain, modulus, strength, at), atol=0.01 * strength)


@pytest.mark.parametrize("form", [2, 16, -16])
@pytest.mark.parametrize("mode", MODES)
def test_a_crack_opens_along_a_line_and_unloads(mode, form, tmp_path):
    modulus, strength, _, toughness = MODES[mode]
    top = 0.6 * 2 * toughness / (SIDE * strength)
    strain, stress = led(mode, fracture, form, [0.0, top, 0.4 * top], tmp_path)
    turn = int(np.argmax(strain))
    expected = softened(strain[: turn + 1], modulus, strength, toughness)
    np.testing.assert_allclose(stress[: turn + 1], expected, atol=0.02 * strength)
    secant = stress[turn] / strain[turn]
    np.testing.assert_allclose(stress[turn:], secant * strain[turn:], atol=0.02 * strength)


def test_cracks_close(tmp_path):
    """After softening in tension, pressure has the whole modulus, in both laws."""
    for law in (fabric(beta=90.0), fracture(90.0)):
        done = drive(law, 2, [0.0, 0.012, 0.0, -0.005], False, tmp_path)
        pressed = done.along < -0.001
        np.testing.assert_allclose(done.stress[pressed], EB * done.along[pressed], atol=0.002)


def test_a_fabric_at_45_degrees_is_its_shear(tmp_path):
    """Off its axes: a balanced fabric in tension at 45 degrees has tau = sigma / 2 at gamma = e_x - e_y."""
    law = fabric(-1.0, 45.0, "0.06,0.016").replace(f"{EA},{EB},8.", f"{EA},{EA},8.")
    law = law.replace("0.03,0.008,0.04|1.5,2.0,0.2,0.05,0.1", "0.015,0.02,0.04|1.5,2.0,1.5,2.0,0.1")
    done = drive(law, 2, [0.0, 0.03], False, tmp_path)
    gamma = done.along - done.across
    assert gamma.max() > 0.05
    tau = bundle(gamma, G, 0.06, 0.016)
    tau = np.where(gamma > 0.016, 0.06 + (0.1 - 0.06) / (0.04 - 0.016) * (gamma - 0.016), tau)
    tau = np.where(gamma > 0.04, bundle(gamma, G, 0.1, 0.04), tau)
    np.testing.assert_allclose(0.5 * done.stress, tau, atol=0.001)
