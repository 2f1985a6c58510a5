"""Decks of other people run to their end times, keep their energy, and do what their physics says."""

import re
import shutil

import numpy as np
import pytest
from real_decks import DECKS
from solver_run import run

END = {
    "taylor_bar": 8e-5,
    "pipe_whip": 20.0,
    "pendulum": 11.0,
    "bar_impact": 2e-4,
    "plate_shatter": 2.5e-4,
    "box_drop": 0.015,
}
# Elements: shells, solids, beams.
SIZE = {
    "taylor_bar": (0, 768, 0),
    "pipe_whip": (1400, 304, 0),
    "pendulum": (768, 0, 8),
    "bar_impact": (256, 768, 0),
    "plate_shatter": (1201, 0, 0),
    "box_drop": (100, 1000, 0),
}
# States: the plot interval's multiples and the start; a last state beyond the last multiple may be added.
STATES = {
    "taylor_bar": 21,
    "pipe_whip": 21,
    "pendulum": 12,
    "bar_impact": 51,
    "plate_shatter": 21,
    "box_drop": 76,
}
# Largest hourglass energy over the initial energy.
HOURGLASS = {
    "taylor_bar": 0.07,
    "pipe_whip": 1e-9,
    "pendulum": 1e-9,
    "bar_impact": 0.03,
    "plate_shatter": 0.10,
    "box_drop": 0.07,
}

each_deck = pytest.mark.parametrize("name", DECKS)


@each_deck
@pytest.mark.parametrize("ranks", [1, 2])
def test_runs_to_the_end(name, ranks, results):
    done = results(name, ranks).run
    assert done.status == 0, done.said
    assert "N o r m a l   t e r m i n a t i o n" in done.stdout
    last = done.progress[-1]
    assert END[name] <= last.time < END[name] + 2 * last.step
    assert all(0.97 < row.ratio < 1.03 for row in done.progress)


@each_deck
def test_two_ranks_give_the_same_bits(name, results):
    assert results(name, 2).run.hash == results(name, 1).run.hash


@each_deck
def test_energy(name, results):
    """Total energy in the plot files over the whole time, and hourglass energy."""
    plot = results(name).plot
    total, start = plot["global_total_energy"], plot["global_total_energy"][0]
    assert start > 0
    # Gravity of the pendulum's deck does a percent of work, which the total in plot files contains.
    assert np.all(np.abs(total / start - 1) < 0.03)
    hourglass = plot["part_hourglass_energy"].sum(axis=1)
    assert hourglass.max() / start <= HOURGLASS[name]
    assert np.all(plot["global_kinetic_energy"] >= 0)
    assert np.all(plot["global_internal_energy"] >= -1e-9 * start)


@each_deck
def test_every_keyword_is_accounted_for(name, real_deck, tmp_path):
    from solver_run import run

    done = run(real_deck(DECKS[name]), tmp_path, "--check")
    assert done.status == 0, done.said
    table = done.stdout.split("Keyword coverage", 1)[1].splitlines()
    rows = [line.split() for line in table if line.startswith("*")]
    assert {row[0] for row in rows} >= {"*NODE", "*PART", "*CONTROL_TERMINATION"}
    assert all(row[1] in ("yes", "partial", "ignored") for row in rows), rows
    used = set()
    for file in {real_deck(DECKS[name]), *real_deck(DECKS[name]).parent.glob("*.k")}:
        if name == "plate_shatter" and file != real_deck(DECKS[name]):
            continue
        lines = file.read_text(errors="replace").splitlines()
        used |= {line.split()[0].upper() for line in lines if line.startswith("*")}
    # The table names keywords without _ID and _TITLE and with their main names.
    aliases = {"*MAT_003": "*MAT_PLASTIC_KINEMATIC", "*SET_PART_TITLE": "*SET_PART"}
    for word in used - {"*END"}:
        word = aliases.get(word, word)
        known = {row[0] for row in rows}
        short = word.removesuffix("_ID").removesuffix("_TITLE")
        assert known & {word, short, short + "_LIST"}, f"{word} is not in the table"


@each_deck
def test_lasso_reads_all_states(name, results):
    plot = results(name).plot
    shells, solids, beams = SIZE[name]
    assert len(plot["element_shell_node_indexes"]) == shells
    assert len(plot["element_solid_node_indexes"]) == solids
    assert len(plot["element_beam_node_indexes"]) == beams
    assert len(plot["timesteps"]) in (STATES[name], STATES[name] + 1)
    assert np.all(np.diff(plot["timesteps"]) > 0)
    assert np.all(np.isfinite(plot["node_displacement"]))
    assert np.allclose(plot["node_displacement"][0], plot["node_coordinates"], rtol=1e-6, atol=1e-6)


@each_deck
def test_vtk_reads_all_states(name, results):
    from vtkmodules.vtkIOLSDyna import vtkLSDynaReader

    from crumple.view.plot_states import read_state

    directory = results(name).run.directory
    reader = vtkLSDynaReader()
    reader.SetFileName(str(directory / "d3plot"))
    reader.UpdateInformation()
    assert reader.GetNumberOfTimeSteps() == len(results(name).times)
    last = read_state(directory, -1)
    alive = sum(
        int((results(name).plot[f"element_{kind}_is_alive"][-1] > 0).sum())
        for kind, count in zip(("shell", "solid", "beam"), SIZE[name], strict=True)
        if count
    )
    assert sum(block.n_cells for block in last.blocks) == alive


def test_taylor_bar_stops_and_mushrooms(results):
    """275 m/s, yield 390 MPa: the rod is still when the time is up, far shorter and thicker at its foot."""
    result = results("taylor_bar")
    y = result.positions(1)[:, :, 1]
    length = y.max(axis=1) - y.min(axis=1)
    assert length[0] == pytest.approx(30.0)
    assert 0.5 < length[-1] / length[0] < 0.7
    assert np.all(np.diff(length) < 0.1), "it only gets shorter, but for the elastic spring back"
    assert y.max() < 40.1 + 1e-3, "nothing passes the wall at y = 40.1"
    kinetic = result.history["kinetic energy"]
    assert kinetic.iloc[-1] < 0.005 * kinetic.iloc[0]
    x = result.positions(1)[:, :, 0]
    assert (np.ptp(x[-1]) / np.ptp(x[0])) > 2
    strain = result.plot["element_solid_effective_plastic_strain"][-1]
    assert 1.0 < strain.max() < 5.0
    rows = [line.split() for line in (result.run.directory / "rwforc").read_text().splitlines()]
    wall = np.array([[float(w) for w in row] for row in rows if len(row) == 6 and row[1] == "1"])
    impulse = np.trapezoid(np.abs(wall[:, 2]), wall[:, 0])
    momentum = 2 * kinetic.iloc[0] / 275000.0
    assert impulse == pytest.approx(momentum, rel=0.08), "the wall takes the rod's momentum, and little more"


def test_pipe_whip_turns_as_a_rigid_body(results):
    """*DEFORMABLE_TO_RIGID makes the pipe rigid for good, and it passes no other part: it turns freely."""
    result = results("pipe_whip")
    kinetic = result.history["kinetic energy"]
    assert np.allclose(kinetic, kinetic.iloc[0], rtol=1e-9)
    assert np.allclose(result.history["internal energy"], 0.0)
    x = result.positions(1).astype(float)
    spans = np.linalg.norm(x[:, ::7] - x[:, :1], axis=2)
    assert np.allclose(spans, spans[0], atol=2e-3), "distances inside the rigid part stay"
    turned = x[-1] - x[-1].mean(axis=0)
    first = x[0] - x[0].mean(axis=0)
    cosine = np.sum(turned * first) / np.sum(first * first)
    assert np.arccos(
        (cosine * np.sum(first**2) - np.sum(turned[:, 0] * first[:, 0])) / np.sum(first[:, 1:] ** 2)
    ) == pytest.approx(0.082 * END["pipe_whip"], rel=0.01)
    for still in (3, 4):
        assert np.abs(np.diff(result.positions(still), axis=0)).max() == 0.0


def test_pendulum_swings_up_to_the_other(results):
    """The deck ends just before the plates meet: one has swung down on its wires, the other hangs still."""
    result = results("pendulum")
    moving, hanging = result.positions(1), result.positions(2)
    gap = hanging[-1, :, 0].min() - moving[-1, :, 0].max()
    assert 1.0 < gap < 3.0, "a plate's thickness is 1"
    assert np.abs(hanging[-1] - hanging[0]).max() < 0.01
    wires = result.plot["element_beam_node_indexes"][:, :2]
    places = result.plot["node_displacement"][:, wires]
    lengths = np.linalg.norm(places[:, :, 1] - places[:, :, 0], axis=2)
    assert np.allclose(lengths, lengths[0], rtol=5e-3), "the wires hold"
    tension = result.plot["element_beam_axial_force"]
    assert tension[1:, :].max() > 0


def often_in_rcforc(deck, folder):
    """The pendulum's deck with rows of rcforc every 0.01 ms: plates touch for 0.05 ms."""
    shutil.copytree(deck.parent, folder, copy_function=shutil.copyfile)
    text, changed = re.subn(r"(\*DATABASE_RCFORC\n\$[^\n]*\n) *0\.1", r"\1      0.01", deck.read_text())
    assert changed == 1
    (folder / deck.name).write_text(text)
    return folder / deck.name


def test_pendulum_hits_the_other(results, real_deck, tmp_path):
    """Given more time the plates collide, the hit one takes over momentum, and they part again."""
    result = results("pendulum", 1, "endtime=14")
    assert result.run.status == 0, result.run.said
    history = result.history
    assert history["total energy / initial energy"].between(0.99, 1.01).all()
    often = run(
        often_in_rcforc(real_deck(DECKS["pendulum"]), tmp_path / "deck"), tmp_path / "out", "endtime=14"
    )
    rows = [line.split() for line in (often.directory / "rcforc").read_text().splitlines()]
    touching = [float(row[3]) for row in rows if row[:1] == ["slave"] and abs(float(row[5])) > 0]
    assert touching, "contact forces are in rcforc"
    assert min(touching) == pytest.approx(11.1, abs=0.3)
    before = result.velocities(1)[10, :, 0].mean()
    after = [result.velocities(part)[-1, :, 0].mean() for part in (1, 2)]
    assert before == pytest.approx(13.0, abs=1.0)
    assert after[1] > after[0] + 0.3 * before
    assert history["sliding interface energy"].iloc[-1] < 0.1 * history["total energy"].iloc[0]


def test_bar_strikes_the_plate(results):
    """27.5 m/s over 2 mm less half the thickness: they meet after 71 microseconds; then it is stopped."""
    result = results("bar_impact")
    plate = result.positions(2)[:, :, 1]
    moved = np.flatnonzero((plate.max(axis=1) - 42.0) > 1e-4)
    assert result.times[moved[0]] == pytest.approx((2.0 - 0.05) / 27500.0, abs=6e-6)
    bar = result.velocities(1)[:, :, 1].mean(axis=1)
    assert bar[0] == pytest.approx(27500.0)
    assert bar[-1] < 0.0, "it comes back"
    assert 1.5 < plate.max() - 42.0 < 2.5
    tip = result.positions(1)[:, :, 1].max(axis=1)
    near = plate.max(axis=1)
    assert np.all(tip < near + 0.05), "the bar does not pass through the plate"


def test_box_rebounds(results):
    """500 mm/s over 4.5 mm; the box meets the held plate at 9 ms and comes back with most of its speed."""
    result = results("box_drop")
    speed = result.velocities(2)[:, :, 2].mean(axis=1)
    assert np.allclose(speed[result.times < 0.0088], -500.0, rtol=1e-6)
    turn = result.times[np.flatnonzero(speed > 0)[0]]
    assert turn == pytest.approx(0.009, abs=3e-4)
    assert 450.0 < speed[-1] < 500.0
    assert result.positions(2)[:, :, 2].min() > 0.4, "half the plate's thickness is between them"
    assert np.abs(result.positions(1)[-1] - result.positions(1)[0]).max() < 1e-9


def test_plate_shatters(results):
    """The plate runs into the wall edge first: it slows down, yields, and elements fail."""
    result = results("plate_shatter")
    kinetic = result.plot["global_kinetic_energy"]
    assert kinetic[-1] < 0.7 * kinetic[0]
    assert result.plot["global_internal_energy"][-1] > 0.02 * kinetic[0]
    alive = result.plot["element_shell_is_alive"]
    assert alive[0].all()
    assert 10 < np.sum(alive[-1] == 0) < 600
    assert np.all(np.diff(alive.sum(axis=1)) <= 0), "what failed stays away"
    assert result.positions(1)[:, :, 0].min() > -0.05 - 0.25, "twice the thickness"
    strain = result.plot["element_shell_effective_plastic_strain"]
    assert strain.max() > 0.3
