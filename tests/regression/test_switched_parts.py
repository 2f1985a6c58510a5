"""Parts that become rigid in the run and deformable again (*DEFORMABLE_TO_RIGID_AUTOMATIC)."""

import re
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import Run, run

SIZE, CELLS = (10.0, 8.0, 6.0), (5, 4, 3)
GAP, SPEED = 6.0215, 60.0  #: mm, mm/ms: the block arrives after 0.1 ms
END = 0.2
SWITCH = "*DEFORMABLE_TO_RIGID_AUTOMATIC\n"


def finished(text: str, folder: Path, *options: str, ranks: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(text)
    done = run(folder / "deck.k", folder / "out", "--double-files", *options, ranks=ranks)
    assert done.status == 0, done.said
    return done


def arrays(done: Run) -> dict:
    return D3plot(str(done.directory / "d3plot")).arrays


def energy_errors(done: Run) -> tuple[np.ndarray, np.ndarray]:
    """Times of glstat, and its energy ratios less 1."""
    text = (done.directory / "glstat").read_text()
    times = re.findall(r"^ time\.{3,} +(\S+)", text, re.MULTILINE)
    ratios = re.findall(r"^ energy ratio w/o eroded energy\. +(\S+)", text, re.MULTILINE)
    assert len(times) == len(ratios) > 10
    return np.array(times, float), np.array(ratios, float) - 1.0


def flying_block(switches: str, step: float = 0.0) -> str:
    """A block that flies to a wall."""
    deck = Deck()
    deck.control(END, END / 20, END / 20)
    deck.part(1, "SOLID,1", f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0|40.,5.|,|,")
    deck.block(1, CELLS, (0.0, 0.0, GAP), SIZE)
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n1,2,0.,0.,0.,-{SPEED}\n0.,0.,0.,0.,0.,0.")
    deck.add("*RIGIDWALL_PLANAR_ID\n7\n0\n0.,0.,0.,0.,0.,1.,0.")
    if step:
        deck.add(f"*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,{step}\n10.,{step}")
    deck.add(switches)
    return deck.text()


def by_time(first: float, last: float) -> str:
    return f"{SWITCH}20,0,{first}\n0,0,0,0.,1,0\n1,0,PART\n{SWITCH}21,0,{last}\n0,0,0,0.,0,1\n1,PART"


def test_same_crash_as_without_a_switch(tmp_path: Path) -> None:
    """Steps by a curve are the same in both, and a block in flight has no strain: only rounding differs.

    Velocities differ by some 1e-16 of the speed; an impact does not amplify that by more than 1e8.
    """
    plain = finished(flying_block("", 1e-4), tmp_path / "plain")
    rigid = finished(flying_block(by_time(0.0, 0.08), 1e-4), tmp_path / "rigid")
    one, two = arrays(plain), arrays(rigid)
    np.testing.assert_allclose(two["node_displacement"], one["node_displacement"], atol=1e-8 * SPEED * END)
    np.testing.assert_allclose(rigid.progress[-1].internal, plain.progress[-1].internal, rtol=1e-5)
    assert rigid.progress[-1].internal > 0.1 * plain.progress[0].kinetic


def test_crash_with_steps_of_the_solver(tmp_path: Path) -> None:
    """Steps in flight differ now: the block arrives in another phase of a step, first order in the step.

    Flight and switches keep the energy. The impact has an error of second order in the step, which the plain
    run has, too (0.2 % with steps of 1e-4, 0.8 % with those here); only the phase of a step changes it.
    """
    plain = finished(flying_block(""), tmp_path / "plain")
    rigid = finished(flying_block(by_time(0.0, 0.08)), tmp_path / "rigid")
    step = plain.progress[-1].step
    moved = [arrays(done)["node_displacement"] for done in (plain, rigid)]
    np.testing.assert_allclose(moved[1], moved[0], atol=4 * SPEED * step)
    errors = [energy_errors(done) for done in (plain, rigid)]
    times, of_rigid = errors[1]
    assert np.abs(of_rigid[times < 0.99 * GAP / SPEED]).max() < 1e-6
    assert np.abs(of_rigid).max() < 1.5 * np.abs(errors[0][1]).max() < 0.015


def test_wall_force_makes_it_deformable(tmp_path: Path) -> None:
    """Rigid at once, as the wall has no force (CODE 1); deformable in the step after it has (CODE 3).

    The wall stops the nodes of the lowest layer, a sixth of the mass, within a step, to reach it at the
    step's end: of their velocity it leaves the part of the last step's distance that is still to go. The
    rigid body has this impulse at once, as a plastic impact, so the block goes on with the speed `v`. What is
    crushed goes with the square of it (perfectly plastic: force times crush is the energy), within the
    elastic swing of the block, 3 % of the crush.
    """
    delay = 0.05
    pair = (
        f"{SWITCH}20,1,0.,,,7,21,1\n0,0,0,0.,1,0\n1,0,PART\n"
        f"{SWITCH}21,3,0.,,{delay},7,20,-1\n0,0,0,0.,0,1\n1,PART"
    )
    step = 1e-4
    done = finished(flying_block(pair, step), tmp_path / "switched")
    t, x = arrays(done)["timesteps"], arrays(done)["node_displacement"]
    length = np.ptp(x[:, :, 2], axis=1)
    flight = t < 0.99 * GAP / SPEED
    assert flight.sum() > 5
    np.testing.assert_allclose(length[flight], SIZE[2], rtol=1e-9)
    plain = finished(flying_block("", step), tmp_path / "plain")
    crushed = SIZE[2] - np.ptp(arrays(plain)["node_displacement"][-1, :, 2])
    stopped = 1.0 - GAP / (SPEED * step) % 1.0  # part of the layer's velocity
    v = SPEED * (1.0 - stopped / (2 * CELLS[2]))
    assert SIZE[2] - length[-1] == pytest.approx(crushed * (v / SPEED) ** 2, rel=0.05)
    assert all(abs(row.ratio - 1) < 2e-2 for row in done.progress)


def colliding_blocks(switches: str) -> str:
    """A block that flies into another one at rest, with equal steps by a curve."""
    deck = Deck()
    deck.control(END, END / 20, END / 20)
    for part in (1, 2):
        deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, CELLS, (0.0, 0.0, GAP), SIZE)
    deck.block(2, (4, 3, 3), (0.7, 0.6, -6.0), (9.0, 7.0, 6.0))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n1,2,0.,0.,0.,-{SPEED}\n0.,0.,0.,0.,0.,0.")
    deck.add("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID\n7\n1,2,3,3\n0.0,0.0\n,")
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,1e-4\n10.,1e-4")
    deck.add(switches)
    return deck.text()


def test_contact_makes_it_deformable(tmp_path: Path) -> None:
    """Rigid until it touches (CODE 4); the impact is that of a deformable block but for its first step."""
    switches = f"{SWITCH}20,0,0.\n0,0,0,0.,1,0\n1,0,PART\n{SWITCH}21,4,0.,,,7\n0,0,0,0.,0,1\n1,PART"
    plain = finished(colliding_blocks(""), tmp_path / "plain")
    done = finished(colliding_blocks(switches), tmp_path / "switched")
    moved = [arrays(run_)["node_displacement"] for run_ in (plain, done)]
    np.testing.assert_allclose(moved[1], moved[0], atol=10 * SPEED * 1e-4)
    momentum = [m[-1].mean(axis=0) - m[-2].mean(axis=0) for m in moved]
    np.testing.assert_allclose(momentum[1], momentum[0], atol=10 * SPEED * 1e-4)
    assert all(abs(row.ratio - 1) < 1e-2 for row in done.progress)


def tied_blocks(parts: tuple[int, ...]) -> str:
    """Two blocks, the nodes of the first tied to the faces of the second, spin; some parts become rigid."""
    deck = Deck()
    deck.control(0.1, 0.05)
    for part in (1, 2):
        deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (4, 3, 3), (0.5, 0.5, 6.0), (9.0, 7.0, 6.0))
    deck.block(2, CELLS, (0.0, 0.0, 0.0), SIZE)
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE_ID\n7\n1,2,3,3\n,\n,")
    deck.set("PART", 3, (1, 2))
    deck.add("*INITIAL_VELOCITY_GENERATION\n3,1,2.0,0.,0.,0.\n5.,4.,6.,0.,0.,1.")
    deck.set("PART", 4, parts)
    deck.add(f"{SWITCH}20,0,0.02\n0,0,0,0.,1,0\n4,0,PSET")
    return deck.text()


def test_tied_parts_are_one_body(tmp_path: Path) -> None:
    done = finished(tied_blocks((1, 2)), tmp_path)
    x = arrays(done)["node_displacement"][-2:]
    far = np.linalg.norm(x[:, :, None, :] - x[:, None, :, :], axis=3)
    np.testing.assert_allclose(far[1], far[0], atol=1e-6)
    assert all(abs(row.ratio - 1) < 1e-2 for row in done.progress)


def test_part_tied_to_a_deformable_one_is_refused(tmp_path: Path) -> None:
    deck = tmp_path / "deck.k"
    deck.write_text(tied_blocks((1,)))
    done = run(deck, tmp_path / "out")
    assert done.status == 3
    assert "CR-C107" in done.said


def spinning_bar(shells: bool, switches: str) -> str:
    """A bar that spins about z; its fibres swing about the stress of the centrifugal forces."""
    deck = Deck()
    deck.control(1.0, 0.05)
    if shells:
        deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
        deck.plate(1, (10, 2), lambda u, v: (100 * u - 50, 10 * v - 5, 0.0))
    else:
        deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
        deck.block(1, (10, 2, 2), (-50.0, -5.0, -5.0), (100.0, 10.0, 10.0))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,1.5,0.,0.,0.\n0.,0.,0.,0.,0.,1.")
    deck.add(switches)
    return deck.text()


def axial_stress(plot: dict, shells: bool) -> np.ndarray:
    """Of all elements along the bar, by states; the bar's axis goes through its ends."""
    x = plot["node_displacement"]
    axis = x[:, -1] - x[:, 0]
    start = x[0, -1] - x[0, 0]
    angle = np.arctan2(axis[:, 1], axis[:, 0]) - np.arctan2(start[1], start[0])
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    name = "element_shell_stress" if shells else "element_solid_stress"
    stress = plot[name]
    stress = stress.reshape(stress.shape[0], stress.shape[1], -1, 6)[:, :, 0]
    return c * c * stress[..., 0] + s * s * stress[..., 1] + 2 * c * s * stress[..., 3]


@pytest.mark.parametrize("shells", [False, True])
def test_stress_turns_with_the_body(shells: bool, tmp_path: Path) -> None:
    """While it is rigid, from 0.2 to 0.7, the stress along the bar stays what it was; then it swings on."""
    done = finished(spinning_bar(shells, by_time(0.2, 0.7)), tmp_path)
    plot = arrays(done)
    t, stress = plot["timesteps"], axial_stress(plot, shells)
    rigid = (t > 0.21) & (t < 0.69)
    assert rigid.sum() > 6
    held = stress[rigid]
    scale = np.abs(held).max()
    assert scale > 1e-3
    np.testing.assert_allclose(held, np.broadcast_to(held[0], held.shape), atol=1e-4 * scale)
    swing = np.ptp(stress[t > 0.71], axis=0).max()
    assert swing > 1e-2 * scale
    assert all(abs(row.ratio - 1) < 5e-3 for row in done.progress)


def test_refused_with_reasons(tmp_path: Path) -> None:
    deck = tmp_path / "deck.k"
    deck.write_text(flying_block(f"{SWITCH}20,5,0.\n0,0,0,0.,1,0\n1,0,PART"))
    done = run(deck, tmp_path / "out")
    assert done.status != 0
    assert "sensors do not switch parts" in done.said
