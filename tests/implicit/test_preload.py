"""Bolts that are tightened: their force, and what becomes of it under load, in implicit and explicit runs."""

from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, plot, residuals, solve
from small_decks import STEEL, Deck
from solver_run import Run, run

YOUNG = 210.0
BEAM = "BEAM,9,1.0,2,1|{0},{0},0.,0."
WELD = f"SPOTWELD,{STEEL},10.,1.|0.,0.,0."
QUIET = "12,1,,1e-9,1e-18,1e-9,,1e-13"  #: some steps change nothing


def hold(deck: Deck, number: int, nodes: list[int], directions: str = "1,1,1,1,1,1") -> None:
    deck.set("NODE", number, nodes)
    deck.add(f"*BOUNDARY_SPC_SET\n{number},0,{directions}")


def load_up(deck: Deck, number: int, points: list[tuple[float, float]]) -> None:
    deck.add(f"*DEFINE_CURVE\n{number}\n" + "\n".join(f"{x!r},{y!r}" for x, y in points))


def wall_force(done: Run) -> float:
    """The force along x with which both ends of a bar are held, at the end."""
    return 0.5 * float(np.abs(histories(done).read("spcforc", "x_force")[-1]).sum())


def beam_force(done: Run) -> np.ndarray:
    """(times, beams): axial forces."""
    rows = np.asarray(histories(done).read("elout", "beam", "axial"))
    return rows.reshape(len(rows), -1)


def bar(
    form: int, shear: int, curve: list[tuple[float, float]], law: str = "ELASTIC," + STEEL, give: float = 0.0
) -> Deck:
    """A bar of bricks between two walls; the middle layer has the stress of curve 5 along x.

    One wall comes nearer by `give`.
    """
    deck = Deck()
    control(deck, steps=4, end=4.0, solution=QUIET)
    deck.part(1, f"SOLID,{form}", law)
    ids = deck.block(1, (5, 2, 2), (0.0, 0.0, 0.0), (10.0, 2.0, 2.0))
    ends = ids[0::6], ids[5::6]
    hold(deck, 1, ends[1])
    hold(deck, 2, ends[0], "0,1,1" if give else "1,1,1")
    for n in ends[0] if give else []:
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},1,2,1,{give}")
    load_up(deck, 5, curve)
    deck.add("*DATABASE_CROSS_SECTION_PLANE_ID\n7,middle\n,5.,0.,0.,6.,0.,0.\n0,")
    deck.add(f"*INITIAL_STRESS_SECTION\n1,7,5,0,0,{shear}\n*DATABASE_SECFORC\n1.")
    return deck


@pytest.mark.parametrize("shear", [0, 1])
@pytest.mark.parametrize("form", [1, 2, -1])
def test_stress_in_a_section(form, shear, tmp_path):
    """The wall's force is the stress times the section; it stays when the curve has ended."""
    stress = 0.2
    # Without Poisson's ratio the clamped ends change nothing.
    deck = bar(form, shear, [(0.0, 0.0), (2.0, stress), (3.0, stress)], law=f"ELASTIC,7.85e-6,{YOUNG},0.")
    done = solve(deck, tmp_path)
    now = plot(done)["element_solid_stress"].mean(axis=2)
    states = now.shape[0]
    for k, want in zip(range(states - 4, states), (0.5 * stress, stress, stress, stress), strict=True):
        middle = now[k].reshape(2, 2, 5, 6)[:, :, 2, 0]
        assert middle == pytest.approx(
            want, rel=1e-9 if form == 1 else 1e-5
        )  # the axis turns with the points
    force = wall_force(done)
    section = histories(done)
    assert float(section.read("secforc", "x_force")[-1]) == pytest.approx(force, rel=1e-9)
    area = float(section.read("secforc", "area")[-1])
    assert force == pytest.approx(stress * area, rel=1e-4)
    assert area == pytest.approx(4.0, rel=1e-4)
    # The ends of the bar have stretched by what the middle has shortened.
    u = displacements(done).reshape(3, 3, 6, 3)[:, :, :, 0]
    assert (u[:, :, 2] - u[:, :, 3]).mean() == pytest.approx(8.0 * stress / YOUNG, rel=2e-3)
    tightened = residuals(done)[:2]  # later steps change nothing: theirs is rounding beside rounding
    assert max(row[-1] for row in tightened) < 1e-9


def test_plastic_bolt_is_tightened_without_yielding(tmp_path):
    """The layer that is tightened shortens by twenty times its yield strain, and stays elastic."""
    stress = 0.2
    curve = [(0.0, 0.0), (2.0, stress), (4.0, stress)]
    deck = bar(1, 1, curve, f"PLASTIC_KINEMATIC,{STEEL},0.21,0.|0.,0.,0.,0.", 0.04)
    done = solve(deck, tmp_path)
    arrays = plot(done)
    plastic = arrays["element_solid_effective_plastic_strain"].mean(axis=2)[-1].reshape(2, 2, 5)
    assert plastic[:, :, 2].max() == 0.0
    middle = arrays["element_solid_stress"].mean(axis=2)[-1].reshape(2, 2, 5, 6)[:, :, 2, 0]
    assert middle == pytest.approx(stress, rel=1e-9)
    u = displacements(done).reshape(3, 3, 6, 3)[:, :, :, 0]
    assert (u[:, :, 2] - u[:, :, 3]).min() > 20 * 2.0 * stress / YOUNG


def joint(deck: Deck, bending: int) -> tuple[list[int], list[int]]:
    """Two blocks that touch, and a beam through their middle from face to face; lower face and upper face."""
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(3, BEAM.format(1.0), WELD)
    lower = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    upper = deck.block(2, (2, 2, 2), (0.0, 0.0, 9.999), (10.0, 10.0, 10.0))  # contact alone holds it
    aside = deck.node((20.0, 5.0, 5.0), held=7)
    bottom, top = lower[:9], upper[-9:]
    bolt = deck.element("BEAM", 3, (bottom[4], top[4], aside))
    hold(deck, 1, bottom)
    hold(deck, 2, [n for n in [*lower[9:], *upper] if n not in top], "1,1,0")
    deck.set("NODE", 11, top)
    deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n11,0,11")
    deck.add(f"*SET_BEAM\n4\n{bolt}\n*INITIAL_AXIAL_FORCE_BEAM\n4,5,0.1,{bending}")
    deck.add(f"*DATABASE_HISTORY_BEAM\n{bolt}")
    return bottom, top


@pytest.mark.parametrize("bending", [0, 1])
def test_joint_opens_under_load(bending, tmp_path):
    """The bolt has its force, keeps it but for its share of the load until the parts part, and follows."""
    force = 0.1
    deck = Deck()
    control(deck, steps=20, end=20.0, solution=QUIET)
    _, top = joint(deck, bending)
    deck.add("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR\n1,2,3,3,,,1,1\n0.\n10.,10.")
    load_up(deck, 5, [(0.0, 0.0), (2.0, 1.0), (3.0, 1.0)])
    load_up(deck, 6, [(0.0, 0.0), (4.0, 0.0), (20.0, 2.0 * force)])
    deck.add(f"*LOAD_NODE_POINT\n{top[4]},3,6,1.")
    done = solve(deck, tmp_path, threads=2)
    found = beam_force(done)[-20:, 0]
    assert found[1:4] == pytest.approx(force, rel=1e-3)
    load = np.array([np.interp(t, [4, 20], [0, 2 * force]) for t in range(1, 21)])
    closed = load < 0.9 * force
    share = 1.0 / (1.0 + 100.0)  # of the stiffness; that of the contact is larger still
    assert (found[3:] - force)[closed[3:]] == pytest.approx(0.0, abs=2 * share * force)
    opened = load > 1.05 * force
    assert found[opened] == pytest.approx(load[opened], rel=1e-4)
    one = solve(deck, tmp_path / "again", threads=1)
    assert one.hash == done.hash


def test_bolt_in_an_explicit_run(tmp_path):
    """A bar between walls with a beam in its middle: the force after the curve, at rest by damping."""
    force = 0.05
    deck = Deck()
    deck.control(0.4, 0.02)
    deck.part(1, BEAM.format(2.0), f"ELASTIC,{STEEL}")
    deck.lines = [line.replace("1,9,1.0", "1,1,1.0") for line in deck.lines]
    deck.part(3, BEAM.format(2.0), WELD)
    aside = deck.node((0.0, 50.0, 0.0), held=7)
    nodes = [deck.node((10.0 * k, 0.0, 0.0), held=7 if k in (0, 7) else 0) for k in range(8)]
    beams = [deck.element("BEAM", 3 if k == 3 else 1, (nodes[k], nodes[k + 1], aside)) for k in range(7)]
    load_up(deck, 5, [(0.0, 0.0), (0.1, 1.0), (0.3, 1.0)])
    load_up(deck, 6, [(0.0, 460.0), (10.0, 460.0)])
    deck.add(f"*SET_BEAM\n4\n{beams[3]}\n*INITIAL_AXIAL_FORCE_BEAM\n4,5,{force},1\n*DAMPING_GLOBAL\n6")
    deck.add("*DATABASE_HISTORY_BEAM\n" + ",".join(map(str, beams)) + "\n*DATABASE_ELOUT\n0.02")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    runs = [run(path, tmp_path / f"ranks {n}", ranks=n) for n in (1, 3)]
    assert runs[0].status == 0, runs[0].said[-3000:]
    found = beam_force(runs[0])
    assert found[-1] == pytest.approx(force, rel=1e-3)
    assert found[10, 3] == pytest.approx(force, rel=1e-6)
    assert runs[0].hash == runs[1].hash


def test_section_in_an_explicit_run(tmp_path):
    """Bricks between walls: the stress times the section, after the curve."""
    stress = 0.1
    deck = Deck()
    deck.control(0.3, 0.02)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    ids = deck.block(1, (5, 2, 2), (0.0, 0.0, 0.0), (10.0, 2.0, 2.0))
    hold(deck, 1, [*ids[0::6], *ids[5::6]])
    load_up(deck, 5, [(0.0, 0.0), (0.1, stress), (0.2, stress)])
    load_up(deck, 6, [(0.0, 3000.0), (10.0, 3000.0)])
    deck.add("*DATABASE_CROSS_SECTION_PLANE_ID\n7,middle\n,5.,0.,0.,6.,0.,0.\n0,\n*DAMPING_GLOBAL\n6")
    deck.add("*INITIAL_STRESS_SECTION\n1,7,5,0,0,1\n*DATABASE_SECFORC\n0.02")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out", ranks=2)
    assert done.status == 0, done.said[-3000:]
    rows = histories(done)
    force, area = np.asarray(rows.read("secforc", "x_force")), np.asarray(rows.read("secforc", "area"))
    assert force[-1] == pytest.approx(stress * area[-1], rel=1e-3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("*INITIAL_STRESS_SECTION\n1,8,5", "cross section 8 does not exist"),
        ("*INITIAL_STRESS_SECTION\n1,7,5,0,0,2", "IZSHEAR"),
        ("*INITIAL_STRESS_SECTION\n1,7,5,0,9", "vector 9 does not exist"),
        ("*INITIAL_AXIAL_FORCE_BEAM\n4,5", "beam set 4"),
    ],
)
def test_what_is_refused(line, said, tmp_path: Path):
    deck = bar(1, 0, [(0.0, 0.0), (1.0, 1.0)])
    k = deck.lines.index("*INITIAL_STRESS_SECTION")
    deck.lines[k : k + 2] = line.splitlines()
    done = solve(deck, tmp_path, status=2)
    assert said in done.said
