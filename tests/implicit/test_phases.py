"""Runs that change between implicit and explicit: what is carried over, and from where both go on."""

import re
from pathlib import Path

import numpy as np
import pytest
import test_springback
from implicit_decks import control, displacements, histories, plot, solve
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import Run, run
from test_arc_length import LOAD, RISE, force_of_truss, truss
from test_constraints import body_on_springs
from test_contact import touch
from test_dynamics import bar, dynamics, energy, history, watch

from crumple.restart.dumps import read_dump

SCHEMES = 77  #: number of the curve of IMFLAG


def switch(deck: Deck, *times: float, first: int = 1) -> None:
    """IMFLAG by a curve that changes at these times."""
    points, scheme = [f"0.,{first}."], first
    for t in times:
        points += [f"{t!r},{scheme}.", f"{1.000001 * t!r},{1 - scheme}."]
        scheme = 1 - scheme
    points.append(f"1e9,{scheme}.")
    deck.add(f"*DEFINE_CURVE\n{SCHEMES}\n" + "\n".join(points))
    flag(deck, -SCHEMES)


def flag(deck: Deck, value: int) -> None:
    at = deck.lines.index("*CONTROL_IMPLICIT_GENERAL") + 1
    deck.lines[at] = f"{value},{deck.lines[at].split(',', 1)[1]}"


def curve(deck: Deck, number: int, *points: tuple[float, float], sidr: int = 0) -> None:
    rows = "\n".join(f"{x!r},{y!r}" for x, y in points)
    deck.add(f"*DEFINE_CURVE\n{number},{sidr}\n{rows}")


def until(deck: Deck, end: float, interval: float) -> None:
    """The end time, and the interval of all histories."""
    at = deck.lines.index("*CONTROL_TERMINATION") + 1
    deck.lines[at] = repr(end)
    for k, line in enumerate(deck.lines):
        if line.startswith("*DATABASE_") and "HISTORY" not in line:
            deck.lines[k + 1] = repr(interval)


MASS, SPRING = 2.0, 50.0
OMEGA = float(np.sqrt(SPRING / MASS))
PERIOD = 2 * np.pi / OMEGA


def mass_on_spring(steps: int, end: float) -> Deck:
    deck = Deck()
    control(deck, steps, end)
    deck.part(1, "DISCRETE,0", f"SPRING_ELASTIC,{SPRING}")
    deck.node((0.0, 0.0, 0.0), 7)
    deck.node((1.0, 0.0, 0.0))
    deck.element("DISCRETE", 1, (1, 2))
    deck.add(f"*ELEMENT_MASS\n91,2,{MASS}\n*BOUNDARY_SPC_NODE\n2,0,0,1,1")
    watch(deck, 2)
    return deck


def test_a_spring_that_is_loaded_and_released(tmp_path: Path) -> None:
    """From the static displacement it swings with the period of the mass, u cos(w t)."""
    load, begin = 5.0, 1.0
    deck = mass_on_spring(4, begin)
    curve(deck, 7, (0.0, 0.0), (begin, 1.0), (begin * 1.0000001, 0.0), (100.0, 0.0))
    deck.add(f"*LOAD_NODE_POINT\n2,1,7,{load}")
    until(deck, begin + 2 * PERIOD, PERIOD / 50)
    switch(deck, begin)
    done = solve(deck, tmp_path)
    time = histories(done).read("nodout", "time")
    u = history(done, "x_displacement")
    static = load / SPRING
    after = time >= begin
    assert u[~after] == pytest.approx(static * time[~after], rel=0.03, abs=0.25 * static)  # of four steps
    swing = static * np.cos(OMEGA * (time[after] - begin))
    assert u[after] == pytest.approx(swing, abs=0.01 * static)
    total = energy(done, "total_energy")
    assert total[after][2:] == pytest.approx(0.5 * load * static, rel=2e-3)
    assert "explicit from time 1.0" in done.stdout


def test_a_bar_that_is_stretched_and_released(tmp_path: Path) -> None:
    """Its end goes to the opposite displacement in 2 L / c, and back: d'Alembert's triangle."""
    cells, length, load, begin = 60, 60.0, 1e-2, 1e-3
    speed = np.sqrt(210.0 / 7.85e-6)
    fall = float(2 * length / speed)
    deck, near, far = bar(cells, length)
    control(deck, 2, begin)
    deck.set("NODE", 2, near)
    deck.add("*BOUNDARY_SPC_SET\n2,0,1,0,0")
    curve(deck, 7, (0.0, 0.0), (begin, 1.0), (begin * 1.0000001, 0.0), (100.0, 0.0))
    for n in far:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,7,{load / 4!r}")
    watch(deck, far[0])
    until(deck, begin + 2 * fall, fall / 100)
    switch(deck, begin)
    done = solve(deck, tmp_path)
    time = histories(done).read("nodout", "time") - begin
    u = history(done, "x_displacement") / (load * length / 210.0)
    at = [int(np.abs(time - t).argmin()) for t in (0.0, fall / 2, fall, 2 * fall)]
    assert u[at] == pytest.approx([1.0, 0.0, -1.0, 1.0], abs=0.05)
    assert energy(done, "energy_ratio")[-1] == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("kind", ["solids", "shells", "beams"])
def test_nothing_moves_after_implicit_gravity(kind: str, tmp_path: Path) -> None:
    deck = Deck()
    control(deck, 2)
    if kind == "solids":
        deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
        ids = deck.block(1, (6, 2, 2), (0.0, 0.0, 0.0), (60.0, 10.0, 10.0))
        held = ids[::7]
    elif kind == "shells":
        deck.part(1, "SHELL,2,0.8333,3|2.,2.,2.,2.", f"ELASTIC,{STEEL}")
        held = [row[0] for row in deck.plate(1, (8, 3), lambda u, v: (60 * u, 20 * v, 0.0))]
    else:
        deck.part(1, "BEAM,1,0.8333,2|4.,4.,4.,4.", f"ELASTIC,{STEEL}")
        third = deck.node((0.0, 50.0, 0.0), 7)
        ids = [deck.node((10.0 * k, 0.0, 0.0)) for k in range(7)]
        for a, b in zip(ids[:-1], ids[1:], strict=True):
            deck.element("BEAM", 1, (a, b, third))
        held = ids[:1]
    deck.set("NODE", 1, held)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    curve(deck, 7, (0.0, 0.0), (1.0, 9.81e-3), (100.0, 9.81e-3))
    deck.add("*LOAD_BODY_Z\n7,1.")
    until(deck, 2.0, 0.02)
    switch(deck, 1.0)
    done = solve(deck, tmp_path)
    time = histories(done).read("glstat", "time")
    internal = energy(done, "internal_energy")[time > 0.99]
    assert internal[0] > 0.0 and internal == pytest.approx(internal[0], rel=1e-6)
    assert energy(done, "kinetic_energy").max() < 1e-9 * internal[0]
    end, begin = displacements(done), displacements(done, int(np.argmin(np.abs(plot(done)["timesteps"] - 1))))
    assert end == pytest.approx(begin, abs=1e-6 * np.abs(begin).max())


def test_velocities_go_from_implicit_to_explicit_dynamics_and_back(tmp_path: Path) -> None:
    """A mass swings through four phases as if there were one."""
    speed = 0.3
    deck = mass_on_spring(400, PERIOD)
    dynamics(deck)
    deck.add(f"*INITIAL_VELOCITY_NODE\n2,{speed}")
    until(deck, 2 * PERIOD, PERIOD / 40)
    switch(deck, 0.3 * PERIOD, 0.9 * PERIOD, 1.6 * PERIOD)
    done = solve(deck, tmp_path)
    assert len(re.findall("(?:explicit|implicit) from time", done.stdout)) == 3
    time = histories(done).read("nodout", "time")
    assert len(time) == 81 and (np.diff(time) > 0).all()
    expected = speed / OMEGA * np.sin(OMEGA * time)
    assert history(done, "x_displacement") == pytest.approx(expected, abs=2e-3 * speed / OMEGA)
    assert history(done, "x_velocity") == pytest.approx(speed * np.cos(OMEGA * time), abs=0.015 * speed)
    assert energy(done, "total_energy") == pytest.approx(0.5 * MASS * speed**2, rel=2e-3)


def test_velocities_end_with_zero_v(tmp_path: Path) -> None:
    deck = mass_on_spring(400, PERIOD)
    dynamics(deck)
    deck.add("*INITIAL_VELOCITY_NODE\n2,0.3")
    until(deck, PERIOD, PERIOD / 40)
    switch(deck, 0.25 * PERIOD, first=0)
    deck.lines = [re.sub(rf"^-{SCHEMES},(\S+)$", rf"-{SCHEMES},\1,,,,,,1", line) for line in deck.lines]
    done = solve(deck, tmp_path)
    time = histories(done).read("nodout", "time")
    u = history(done, "x_displacement")
    reached = 0.3 / OMEGA
    later = time > 0.25 * PERIOD
    assert u[later] == pytest.approx(
        reached * np.cos(OMEGA * (time[later] - 0.25 * PERIOD)), abs=0.01 * reached
    )


def test_preload_crash_and_springback_in_one_deck(tmp_path: Path) -> None:
    """A bar is stretched statically, then fast beyond its yield stress, and released statically.

    What stays is the logarithmic strain (s - s_y) (1 / E_t - 1 / E).
    """
    young, tangent, yields, stress, length = 210.0, 21.0, 0.2, 0.3, 40.0
    deck = Deck()
    control(deck, 2)
    deck.part(1, "SOLID,2", f"PLASTIC_KINEMATIC,7.85e-6,{young},0.,{yields},{tangent},1.|")
    ids = deck.block(1, (8, 1, 1), (0.0, 0.0, 0.0), (length, 1.0, 1.0))
    for number, (nodes, held) in enumerate(
        ((ids[0::9], "1,0,0"), ([*ids[:9], *ids[18:27]], "0,1,0"), (ids[:18], "0,0,1")), 1
    ):
        deck.set("NODE", number, nodes)
        deck.add(f"*BOUNDARY_SPC_SET\n{number},0,{held}")
    curve(deck, 7, (0.0, 0.0), (1.0, 0.1), (1.3, stress), (2.0, stress), (3.0, 0.0), (100.0, 0.0))
    deck.add("*DAMPING_GLOBAL\n0,200.")
    for n in ids[8::9]:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,7,0.25")
    watch(deck, ids[8])
    until(deck, 3.0, 0.05)
    switch(deck, 1.0, 2.0)
    done = solve(deck, tmp_path)
    time = histories(done).read("nodout", "time")
    u = history(done, "x_displacement")
    # The wave at the ramp's begin overshoots the stress at the held end by 0.2 %, plastic strain by 0.6 %.
    plastic = 0.0
    for t, load in ((1.0, 0.1), (2.0, stress), (3.0, 0.0)):
        strain = 0.0  # logarithmic: the area shrinks with plastic strain
        for _ in range(50):
            true = load * np.exp(plastic)
            plastic = max(plastic, (true - yields) * (1 / tangent - 1 / young))
            strain = true / young + plastic
        assert u[np.abs(time - t).argmin()] == pytest.approx(length * np.expm1(strain), rel=5e-3), t
    assert energy(done, "energy_ratio")[1:] == pytest.approx(1.0, abs=0.01)


def curvature(done: Run, state: int, grid: list[list[int]]) -> float:
    """Of the middle line of the strip, as test_springback has it of a file."""
    arrays = plot(done)
    x = arrays["node_coordinates"] + displacements(done, state)
    middle = x[np.array(grid[1]) - 1]
    first, last = middle[1] - middle[0], middle[-1] - middle[-2]
    angle = np.arctan2(last[2], last[0]) - np.arctan2(first[2], first[0])
    cells = test_springback.CELLS[0]
    return abs(angle) / (test_springback.LENGTH * (cells - 1) / cells)


def test_seamless_springback_is_that_by_dynain(tmp_path: Path) -> None:
    """A strip is bent explicitly; both ways it springs back into the same shape."""
    bent, grid = test_springback.bend(tmp_path / "bend", "explicit", 16)
    before = test_springback.curvature(bent.directory / "dynain", grid)
    tight = "12,1,50,1e-7,1e-9,,,1e-20"
    second = test_springback.next_deck(
        bent.directory / "dynain", "SHELL,16,0.8333,9|1.,1.,1.,1.", test_springback.LAW, solution=tight
    )
    test_springback.clamp(second, grid)
    released = solve(second, tmp_path / "release")
    after = test_springback.curvature(released.directory / "dynain", grid)
    text = (tmp_path / "bend" / "deck.k").read_text()
    text = re.sub(r"(\*BOUNDARY_PRESCRIBED_MOTION_NODE\n\S+)", r"\1,,30.", text)
    one = tmp_path / "one.k"
    springback = (
        "*INTERFACE_SPRINGBACK_SEAMLESS\n901\n*CONTROL_IMPLICIT_GENERAL\n2,1.,,1\n"
        f"*CONTROL_IMPLICIT_SOLUTION\n{tight}\n*END"
    )
    one.write_text(text.replace("*END", springback))
    done = run(one, tmp_path / "one", "--double-files")
    assert done.status == 0, done.said[-3000:]
    assert "implicit springback from time 3.0" in done.stdout
    assert before - after > 0.1 * before
    lost = curvature(done, 1, grid) - curvature(done, 2, grid)
    assert lost == pytest.approx(before - after, rel=2e-3)
    assert plot(done)["timesteps"] == pytest.approx([0.0, 30.0, 31.0])


def test_nodes_are_held_and_parts_left_out_in_springback(tmp_path: Path) -> None:
    """A block that swings is held by the keyword's nodes and relaxes; a free part counts no more."""
    deck = Deck()
    deck.control(0.05, 0.05)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    block = deck.block(1, (2, 1, 1), (0.0, 0.0, 0.0), (4.0, 1.0, 1.0))
    free = deck.block(2, (1, 1, 1), (8.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    for n in block:
        deck.add(f"*INITIAL_VELOCITY_NODE\n{n},{0.1 * ((n - 1) % 3)!r}")
    for n in free:
        deck.add(f"*INITIAL_VELOCITY_NODE\n{n},0.2,0.1")
    deck.set("PART", 5, (1,))
    corner, right, back = block[0], block[2], block[3]
    deck.add(
        f"*INTERFACE_SPRINGBACK_SEAMLESS\n5\n{corner},7,0\n{right},5,0\n{back},3,0\n"
        "*CONTROL_IMPLICIT_SOLUTION\n12,1,,1e-9,1e-18,1e-9,,1e-20"
    )
    done = solve(deck, tmp_path)
    assert "implicit springback from time 5.0" in done.stdout
    arrays = plot(done)
    assert arrays["timesteps"] == pytest.approx([0.0, 0.05, 0.1])  # DT0 = 0: twice the end time
    stress = np.abs(arrays["element_solid_stress"]).max(axis=(2, 3))
    assert stress[1, :2].max() > 1e-4 and stress[2, :2].max() < 1e-6 * stress[1, :2].max()
    moved = displacements(done) - displacements(done, 1)
    assert np.abs(moved[block[0] - 1]).max() < 1e-12
    assert not moved[free[0] - 1 : free[-1]].any()


def test_implicit_relaxation_of_some_parts(tmp_path: Path) -> None:
    """IDRFLG = 6: only the first of two springs is loaded before the run."""
    deck = Deck()
    deck.control(0.01, 0.005)
    for part in (1, 2):
        deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
        ids = deck.block(part, (2, 1, 1), (0.0, 5.0 * part, 0.0), (4.0, 1.0, 1.0))
        deck.set("NODE", part, ids[0::3])
        deck.add(f"*BOUNDARY_SPC_SET\n{part},0,1,1,1")
    curve(deck, 7, (0.0, 0.0), (1.0, 1e3), (100.0, 1e3), sidr=1)
    deck.add("*LOAD_BODY_X\n7,1.")
    deck.set("PART", 4, (1,))
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n,,,1.,,,,6\n4\n*CONTROL_IMPLICIT_GENERAL\n0,1.")
    u = displacements(solve(deck, tmp_path), 0)
    half = len(u) // 2
    assert np.abs(u[:half]).max() > 1e-6 and not u[half:].any()


@pytest.mark.parametrize("kind", [4, 5])
def test_explicit_where_implicit_steps_fail(kind: int, tmp_path: Path) -> None:
    """The truss snaps through by damped cycles and goes on beyond its limit load implicitly."""
    deck, top = truss(40, automatic="1,11,5,1e-3,0.05,0.5,2,10")
    deck.add("*DAMPING_GLOBAL\n0,40.")
    deck.lines = [line.replace(f"93,{top},1.", f"93,{top},1e-3") for line in deck.lines]
    flag(deck, kind)
    done = solve(deck, tmp_path)
    assert len(re.findall("explicit from time 3", done.stdout)) == 1
    assert len(re.findall("implicit from time 8", done.stdout)) == 1
    down = RISE - plot(done)["node_displacement"][-1, top - 1, 2]
    assert down > 2 * RISE
    assert force_of_truss(down) == pytest.approx(LOAD, rel=1e-4)


def test_an_implicit_end_is_beyond_the_end_time(tmp_path: Path) -> None:
    """IMFLAG = 5: the explicit time would end the run, so that steps follow."""
    deck, top = truss(40, automatic="1,11,5,1e-3,0.05,2.,1")
    deck.add("*DAMPING_GLOBAL\n0,40.")
    deck.lines = [line.replace(f"93,{top},1.", f"93,{top},1e-3") for line in deck.lines]
    flag(deck, 5)
    done = solve(deck, tmp_path)
    end = float(plot(done)["timesteps"][-1])
    assert end > 2.0
    flag(deck, 4)
    done = solve(deck, tmp_path / "4")
    assert plot(done)["timesteps"][-1] == pytest.approx(1.0, abs=2e-3)


def test_rigid_bodies_go_on_where_they_are(tmp_path: Path) -> None:
    """A body on springs that forces have moved and turned by implicit steps rests in explicit cycles."""
    deck, ids, _ = body_on_springs(4, couple=True)
    deck.lines = [
        "10.0,1." if line == "10.0,10." else line for line in deck.lines
    ]  # later loads are constant
    watch(deck, ids[0])
    until(deck, 2.0, 0.05)
    switch(deck, 1.0)
    done = solve(deck, tmp_path)
    time = histories(done).read("nodout", "time")
    for axis in "xyz":
        u = history(done, f"{axis}_displacement")
        assert np.abs(u).max() > 0.05
        assert u[time > 0.99] == pytest.approx(u[-1], abs=1e-6), axis
    turned = histories(done).read("rbdout", "global_rdx").ravel()
    assert turned[-1] == pytest.approx(turned[4], abs=1e-6)


def test_ties_go_on_where_they_are(tmp_path: Path) -> None:
    """A plate tied with an offset to a block, both bent by a weight, which then do not move."""
    deck = Deck()
    control(deck, 2)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.part(2, "SHELL,16,0.8333,2|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    block = deck.block(1, (6, 2, 1), (0.0, 0.0, 0.0), (60.0, 20.0, 3.0))
    deck.plate(2, (5, 2), lambda u, v: (60 * u, 20 * v, 3.5))
    deck.set("NODE", 1, block[0::7])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    deck.add("*CONTACT_TIED_NODES_TO_SURFACE_CONSTRAINED_OFFSET\n2,1,3,3\n,\n,")
    curve(deck, 7, (0.0, 0.0), (1.0, 9.81e-3), (100.0, 9.81e-3))
    deck.add("*LOAD_BODY_Z\n7,1.")
    until(deck, 1.5, 0.05)
    switch(deck, 1.0)
    done = solve(deck, tmp_path)
    time = histories(done).read("glstat", "time")
    internal = energy(done, "internal_energy")[time > 0.99]
    assert internal == pytest.approx(internal[0], rel=1e-4)
    assert energy(done, "kinetic_energy").max() < 1e-6 * internal[0]


def three_phases() -> Deck:
    """Plates that yield, fail and touch, by implicit, explicit and implicit steps."""
    deck = Deck()
    control(deck, 6, solution="12,11,,1e-3,1e-6,,,1e-10", automatic="1,8,4,1e-4,0.2")
    for part in (1, 2):
        law = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.2,1.,0.4|0.|,|,"
        deck.part(part, "SHELL,16,0.8333,3|1.,1.,1.,1.", law)
    low = deck.plate(1, (6, 4), lambda u, v: (30 * u, 20 * v, 0.0))
    high = deck.plate(2, (5, 3), lambda u, v: (3 + 24 * u, 2 + 16 * v, 1.2))
    deck.set("NODE", 1, [*low[0], *low[-1]])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    curve(deck, 7, (0.0, 0.0), (0.5, -0.6), (0.6, -2.0), (1.0, -1.8), (10.0, -1.8))
    for row in high:
        for n in row:
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},3,2,7,1.\n{n},1,2,2,1.\n{n},2,2,2,1.")
    touch(deck, 1, 2)
    until(deck, 1.0, 0.05)
    switch(deck, 0.5, 0.7)
    return deck


@pytest.mark.parametrize("where", ["first", "explicit", "last", "at the change"])
def test_stopped_in_any_phase(where: str, tmp_path: Path) -> None:
    """A run of three phases goes on from dumps in each of them with the same bits."""
    whole = solve(three_phases(), tmp_path)
    plan = [int(c) for c in re.findall(r"^ step +(\d+)  converged", whole.stdout, re.M)]
    gap = max(range(1, len(plan)), key=lambda k: plan[k] - plan[k - 1])
    first, last = plan[gap - 1], plan[gap]
    cycle = {"first": first - 2, "explicit": (first + last) // 2, "last": last, "at the change": first}[where]
    given = ("--double-files", f"ncycle={cycle}", "--dump-cycles", str(cycle))
    out = run(tmp_path / "deck.k", tmp_path / "parts", *given).directory
    assert read_dump(out / "runrsf").cycle == cycle
    rest = run(None, out, f"r={out / 'runrsf'}")
    assert rest.status == 0, rest.said[-3000:]
    assert rest.hash == whole.hash
    assert different_files(out, whole.directory) == []


@pytest.mark.parametrize("ranks", [2, 3])
def test_same_bits_on_ranks(ranks: int, tmp_path: Path) -> None:
    """Explicit cycles are on rank 0, too; 2 and 3 ranks."""
    whole = solve(three_phases(), tmp_path)
    again = run(tmp_path / "deck.k", tmp_path / "ranks", "--double-files", ranks=ranks)
    assert again.status == 0, again.said[-3000:]
    assert again.hash == whole.hash
    assert different_files(again.directory, whole.directory) == []


def refused(deck: Deck, folder: Path) -> str:
    return solve(deck, folder, status=2).said


def test_what_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    deck = mass_on_spring(4, 1.0)
    flag(deck, 6)
    assert "IMFLAG = 6 of *CONTROL_IMPLICIT_GENERAL needs NEIG < 0" in refused(deck, tmp_path / "6")
    flag(deck, -SCHEMES)
    curve(deck, SCHEMES, (0.0, 0.0), (1.0, 2.0))
    assert f"ordinates of curve {SCHEMES} other than 0 and 1" in refused(deck, tmp_path / "curve")
    deck, _ = truss(40, solution="12,1,,1e-9,1e-18,1e-9,,1e-20", arc=",,5.,3")
    switch(deck, 0.5)
    assert "arc lengths in runs that are not implicit throughout" in refused(deck, tmp_path / "arc")
    deck = mass_on_spring(4, 1.0)
    flag(deck, 2)
    assert "needs *INTERFACE_SPRINGBACK_SEAMLESS" in refused(deck, tmp_path / "springback")
