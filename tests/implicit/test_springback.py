"""From one run to the next by dynain: springback of a bent strip, blocks with stresses, all that is kept."""

import re
from pathlib import Path

import dynain_file
import numpy as np
import pytest
import small_decks
from implicit_decks import control, displacements, histories, solve
from small_decks import STEEL, Deck
from solver_run import run

YOUNG, POISSON = 210.0, 0.3
YIELD, TANGENT = 0.3, 2.0  # GPa
LENGTH, WIDTH, THICKNESS = 40.0, 4.0, 1.0
CELLS = (20, 2)
LAW = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},{YIELD},{TANGENT}|0.|,|,"
REQUEST = "*SET_PART_LIST\n901\n1\n*INTERFACE_SPRINGBACK_LSDYNA\n901,{history}"


def moment(curvature: float) -> float:
    """Of a strip in uniaxial stress with linear hardening, per width: the integral of stress times height.

    Elastic up to c = e_y / curvature, beyond with sigma_y + E_t (curvature z - e_y): Marciniak, Duncan and Hu
    (2002), Mechanics of Sheet Metal Forming, ch. 6.
    """
    strain, half = YIELD / YOUNG, THICKNESS / 2
    c = min(strain / curvature, half)
    elastic = 2 * YOUNG * curvature * c**3 / 3
    beyond = YIELD - TANGENT * strain
    plastic = beyond * (half**2 - c**2) + 2 * TANGENT * curvature * (half**3 - c**3) / 3
    return elastic + plastic


def strip(deck: Deck, form: int) -> list[list[int]]:
    deck.part(1, f"SHELL,{form},0.8333,9|1.,1.,1.,1.", LAW)
    return deck.plate(1, CELLS, lambda u, v: (LENGTH * u, WIDTH * v, 0.0))


def clamp(deck: Deck, grid: list[list[int]]) -> None:
    """The end at x = 0, free to bend across; the middle stays in its plane of symmetry."""
    middle = grid[1][0]
    for row in grid:
        y = int(row[0] == middle)
        deck.add(f"*BOUNDARY_SPC_NODE\n{row[0]},0,1,{y},{y},{y},1,{y}")


def bend(folder: Path, loading: str, form: int, ranks: int = 1):
    """The strip, bent by a rotation of its end to a curvature of about 1 / 50."""
    deck = Deck()
    angle = -LENGTH / 50.0
    if loading == "implicit":
        control(deck, 20, solution="12,1,50,1e-7,1e-9,,1e6,1e-20")
    else:
        deck.control(30.0, 30.0)
        times = np.linspace(0.0, 1.0, 21)
        smooth = times**3 * (10 - 15 * times + 6 * times**2)
        points = "\n".join(f"{25 * t!r},{s!r}" for t, s in zip(times.tolist(), smooth.tolist(), strict=True))
        deck.add(f"*DEFINE_CURVE\n1\n{points}\n100.,1.\n*DAMPING_GLOBAL\n0,0.5")
    grid = strip(deck, form)
    clamp(deck, grid)
    # Explicit: all nodes turn, so that no inertia changes the moment and with it the curvature.
    for row in grid:
        for i in range(CELLS[0] if loading == "implicit" else 1, CELLS[0] + 1):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{row[i]},6,2,1,{angle * i / CELLS[0]!r}")
    deck.add(REQUEST.format(history=0))
    if loading == "implicit":
        return solve(deck, folder), grid
    path = folder / "deck.k"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(deck.text())
    done = run(path, folder / f"out{ranks}", ranks=ranks)
    assert done.status == 0, done.said
    return done, grid


def curvature(path: Path, grid: list[list[int]]) -> float:
    """Angle between the first and the last element along the middle, over their distance."""
    x = dynain_file.nodes(path)
    middle = [x[n] for n in grid[1]]
    first, last = middle[1] - middle[0], middle[-1] - middle[-2]
    angle = np.arctan2(last[2], last[0]) - np.arctan2(first[2], first[0])
    return abs(angle) / (LENGTH * (CELLS[0] - 1) / CELLS[0])


def next_deck(dynain: Path, section: str, law: str, **keep) -> Deck:
    """A static deck whose mesh and stresses are those of the file."""
    deck = Deck()
    control(deck, **keep)
    deck.part(1, section, law)
    deck.add(f"*INCLUDE\n{dynain}\n{REQUEST.format(history=0)}")
    return deck


def moment_of_points(curvature: float, points: int) -> float:
    """The same by Gauss points, as the elements have it."""
    z, weight = np.polynomial.legendre.leggauss(points)
    strain = np.abs(curvature * z * THICKNESS / 2)
    elastic = YIELD / YOUNG
    stress = np.where(strain < elastic, YOUNG * strain, YIELD + TANGENT * (strain - elastic))
    return float((stress * np.abs(z) * weight).sum()) * THICKNESS**2 / 4


@pytest.mark.parametrize(("loading", "within"), [("implicit", 0.005), ("explicit", 0.02)])
def test_springback_of_a_bent_strip(loading, within, tmp_path):
    """It loses the curvature M / (E I) (narrow strip, uniaxial stress); nine points have M within 1.2 %."""
    done, grid = bend(tmp_path / "bend", loading, 16)
    bent = curvature(done.directory / "dynain", grid)
    assert bent == pytest.approx(1 / 50, rel=0.05)
    deck = next_deck(
        done.directory / "dynain",
        "SHELL,16,0.8333,9|1.,1.,1.,1.",
        LAW,
        solution="12,1,50,1e-7,1e-9,,,1e-20",
    )
    clamp(deck, grid)
    after = solve(deck, tmp_path / "release")
    lost = bent - curvature(after.directory / "dynain", grid)
    stiffness = YOUNG * THICKNESS**3 / 12
    assert lost == pytest.approx(moment_of_points(bent, 9) / stiffness, rel=within)
    assert lost == pytest.approx(moment(bent) / stiffness, rel=0.03)
    for force in ("x_force", "z_force"):
        assert abs(histories(after).read("spcforc", force)[-1].sum()) < 1e-9


def test_the_file_is_the_same_on_any_number_of_ranks(tmp_path):
    deck = tmp_path / "deck.k"
    parts = "*SET_PART_LIST\n902\n1,2,3,11,12,13,14,21\n22,23"
    request = f"{parts}\n*INTERFACE_SPRINGBACK_LSDYNA\n902,9\nOPTCARD\n5,7,0"
    strains = "*DATABASE_EXTENT_BINARY\n0,0,3,1"
    deck.write_text(small_decks.all_forms(0.02, extra=f"{request}\n{strains}"))
    files = []
    for ranks in (1, 2, 3):
        done = run(deck, tmp_path / f"out{ranks}", ranks=ranks)
        assert done.status == 0, done.said
        files.append((done.directory / "dynain").read_bytes())
    assert files[0] == files[1] == files[2]
    assert {
        "*NODE",
        "*ELEMENT_SHELL_THICKNESS",
        "*ELEMENT_SOLID",
        "*ELEMENT_BEAM_ORIENTATION",
        "*INITIAL_STRESS_SHELL",
        "*INITIAL_STRESS_SOLID",
        "*INITIAL_STRESS_BEAM",
        "*INITIAL_STRAIN_SHELL",
        "*INITIAL_STRAIN_SOLID",
        "*BOUNDARY_SPC_NODE",
        "*END",
    } <= set(dynain_file.blocks(tmp_path / "out1" / "dynain"))


def without_mesh(text: str) -> str:
    """A deck without its nodes, shells, solids, beams, motion and contacts."""
    left_out = (
        r"NODE|ELEMENT_(SHELL|SOLID|BEAM)|INITIAL_VELOCITY|LOAD_|RIGIDWALL|BOUNDARY_|CONTACT_|CONTROL_TERM"
    )
    left_out += r"|DATABASE_CROSS|SET_DISCRETE|SET_NODE_GENERAL|ELEMENT_DISCRETE|INTERFACE|KEYWORD|END"
    kept, keep = [], True
    for line in text.splitlines():
        if line.startswith("*"):
            keep = not re.match(rf"\*({left_out})", line)
        if keep:
            kept.append(line)
    return "\n".join(kept)


def close(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.abs(a - b).max() <= 1e-13 * max(1e-3, np.abs(b).max())


@pytest.mark.parametrize("forms", ["all_forms", "other_forms"])
def test_nothing_changes_at_rest(forms, tmp_path):
    """All forms and laws with and without history: what is read is what was written, to rounding.

    Without strain rates, whose overstress ends with the motion.
    """
    decks = {"all_forms": small_decks.all_forms, "other_forms": small_decks.other_forms}
    parts = "1,2,3,11,12,13,14,21\n22,23"
    request = f"*SET_PART_LIST\n902\n{parts}\n*INTERFACE_SPRINGBACK_LSDYNA\n902,9\nOPTCARD,0,0,0,1"
    strains = "*DATABASE_EXTENT_BINARY\n0,0,3,1"
    text = decks[forms](0.02).replace("40.,5.", "0.,0.").replace("*END", f"{request}\n{strains}\n*END")
    first = tmp_path / "first.k"
    first.write_text(text)
    done = run(first, tmp_path / "first")
    assert done.status == 0, done.said
    written = done.directory / "dynain"
    second = tmp_path / "second.k"
    again = "*SET_NODE_GENERAL\n77\nALL\n*BOUNDARY_SPC_SET\n77,0,1,1,1,1,1,1\n"
    again += "*INTERFACE_SPRINGBACK_LSDYNA\n902,9\nOPTCARD,0,0,0,1"
    second.write_text(
        f"*KEYWORD\n*CONTROL_TERMINATION\n0.01,1\n*INCLUDE\n{written}\n{without_mesh(text)}\n{again}\n{strains}\n*END\n"
    )
    done = run(second, tmp_path / "second")
    assert done.status == 0, done.said
    read = done.directory / "dynain"
    for kind in ("SOLID", "BEAM"):
        before, after = (dynain_file.other_stresses(path, kind) for path in (written, read))
        assert before.keys() == after.keys()
        assert all(close(after[e], before[e]) for e in before)
    before, after = (dynain_file.shell_stresses(path) for path in (written, read))
    assert before.keys() == after.keys()
    assert all(close(after[e], before[e]) for e in before)
    assert max(points[:, 7].max() for points in before.values()) > 1e-3
    for block in ("*NODE", "*ELEMENT_SHELL_THICKNESS", "*INITIAL_STRAIN_SHELL", "*INITIAL_STRAIN_SOLID"):
        one, two = (
            np.array([float(f) for row in dynain_file.blocks(path)[block] for f in row])
            for path in (written, read)
        )
        assert close(two, one)


def block_with_stress(form: int, folder: Path, law: str, stress: float) -> tuple[Path, list[int]]:
    """A dynain of a block of 2 x 2 x 2 with a stress along x, as a preprocessor would write it."""
    deck = Deck()
    ids = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (10.0, 8.0, 6.0))
    points = {1: 1, 2: 8, -1: 8}[form]
    deck.add(
        "*INITIAL_STRESS_SOLID\n"
        + "\n".join(
            f"{e},{points}\n" + "\n".join([f"{stress!r}"] * points) for e in range(1, deck.elements + 1)
        )
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dynain").write_text(deck.text())
    return folder / "dynain", ids


@pytest.mark.parametrize("form", [1, 2, -1])
def test_a_free_block_relaxes(form, tmp_path):
    """To no stress and the strain -stress / E."""
    stress = 0.1
    dynain, ids = block_with_stress(form, tmp_path, LAW, stress)
    deck = next_deck(dynain, f"SOLID,{form}", f"ELASTIC,{STEEL}")
    for name, held, nodes in (
        (1, "1,0,0", ids[0::3]),
        (2, "0,1,0", [*ids[0:3], *ids[9:12], *ids[18:21]]),
        (3, "0,0,1", ids[:9]),
    ):
        deck.set("NODE", name, nodes)
        deck.add(f"*BOUNDARY_SPC_SET\n{name},0,{held}")
    done = solve(deck, tmp_path / "run")
    u = displacements(done)
    assert u[ids[2] - 1, 0] == pytest.approx(-10.0 * stress / YOUNG, rel=2e-3)
    assert u[ids[8] - 1, 1] == pytest.approx(POISSON * 8.0 * stress / YOUNG, rel=2e-3)
    left = dynain_file.other_stresses(done.directory / "dynain", "SOLID")
    assert max(np.abs(points[:, :6]).max() for points in left.values()) < 1e-9


@pytest.mark.parametrize("solution", ["implicit", "explicit"])
@pytest.mark.parametrize("form", [1, 2])
def test_a_clamped_block_keeps_its_stress(form, solution, tmp_path):
    stress = 0.1
    dynain, ids = block_with_stress(form, tmp_path, LAW, stress)
    if solution == "implicit":
        deck = next_deck(dynain, f"SOLID,{form}", LAW)
    else:
        deck = Deck()
        deck.control(0.02, 0.02)
        deck.part(1, f"SOLID,{form}", LAW)
        deck.add(f"*INCLUDE\n{dynain}\n{REQUEST.format(history=0)}\n*DATABASE_SPCFORC\n0.001")
    deck.set("NODE", 1, ids)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    done = solve(deck, tmp_path / "run")
    kept = dynain_file.other_stresses(done.directory / "dynain", "SOLID")
    expected = np.array([stress, 0, 0, 0, 0, 0, 0])
    assert all(np.abs(points - expected).max() < 1e-14 for points in kept.values())
    energy = histories(done).read("glstat", "internal_energy")
    assert energy == pytest.approx(0.5 * stress**2 / YOUNG * 480.0, rel=1e-9)
    reactions = histories(done).read("spcforc", "x_force")
    face = reactions[-1].reshape(-1)[0::3]
    assert abs(face.sum()) == pytest.approx(stress * 48.0, rel=1e-10)  # fixed point


def test_a_free_block_swings_with_the_energy_of_its_stress(tmp_path):
    """Explicit: the energy begins with stress^2 / (2 E) times the volume, and stays.

    Small steps: the first half step from rest has an error of the square of the step.
    """
    stress = 0.1
    dynain, _ = block_with_stress(2, tmp_path, LAW, stress)
    deck = Deck()
    deck.control(0.02, 0.02, 0.0005)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.add(f"*CONTROL_TIMESTEP\n0,0.1\n*CONTROL_BULK_VISCOSITY\n1e-30,1e-30\n*INCLUDE\n{dynain}")
    done = solve(deck, tmp_path / "run")
    begin = 0.5 * stress**2 / YOUNG * 480.0
    assert histories(done).read("glstat", "internal_energy")[0] == pytest.approx(begin, rel=1e-9)
    assert histories(done).read("glstat", "total_energy") == pytest.approx(begin, rel=2e-3)
    assert histories(done).read("glstat", "kinetic_energy").max() > 0.5 * begin
