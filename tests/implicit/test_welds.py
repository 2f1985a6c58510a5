"""Spot welds that break in implicit runs: when, by which forces, and what becomes of their nodes."""

import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, prescribe, solve
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import Run, run
from test_dynamics import dynamics, energy, history, watch
from test_phases import curve, switch, until

STEPS = 40
SOFT = 0.1  #: stiffness of the springs that hold a node along x, y and z when its weld has broken
FAR = 2e4
#: increments end at 1e-12 of the size: under constant loads what is left is rounding
SOLUTION = "12,1,,1e-9,1e-18,1e-9,,1e-12"


def breaks(done: Run) -> list[tuple[float, int, int, float, float]]:
    """Time, nodes, normal and shear force of each weld that broke, as the screen has them."""
    found, time = [], 0.0
    for line in done.stdout.splitlines():
        if m := re.match(r" step +\d+  time (\S+)", line):
            time = float(m[1])
        if m := re.match(
            r" the weld of nodes (\d+) and (\d+) broke: normal force (\S+), shear force (\S+)", line
        ):
            found.append((time, int(m[1]), int(m[2]), float(m[3]), float(m[4])))
    return found


def sheet(deck: Deck, part: int, z: float, x: float = 0.0) -> int:
    """A plate clamped at its edges; returns the node at its middle."""
    grid = deck.plate(part, (4, 4), lambda u, v: (x + 4 * u, 4 * v, z))
    deck.set(
        "NODE", 100 + part, [n for j, row in enumerate(grid) for i, n in enumerate(row) if {i, j} & {0, 4}]
    )
    deck.add(f"*BOUNDARY_SPC_SET\n{100 + part},0,1,1,1,1,1,1")
    return grid[2][2]


def held_softly(deck: Deck, place: tuple[float, float, float]) -> int:
    """A node with a mass and springs along the axes."""
    node = deck.node(place)
    for axis in range(3):
        far = list(place)
        far[axis] += FAR
        deck.element("DISCRETE", 9, (node, deck.node((far[0], far[1], far[2]), held=7)))
    deck.elements += 1
    deck.add(f"*ELEMENT_MASS\n{deck.elements},{node},1e-3")
    return node


def start(steps: int = STEPS, end: float = 1.0) -> Deck:
    deck = Deck()
    control(deck, steps, end, SOLUTION)
    deck.part(9, "DISCRETE,0", f"SPRING_ELASTIC,{SOFT}")
    return deck


def post(deck: Deck, part: int, weld: str, load: tuple[float, float], x: float = 0.0) -> tuple[int, int]:
    """A node welded to the middle of a plate below it, with a force along z and x by curve 7."""
    deck.part(part, "SHELL,16,0.8333,3|2.,2.,2.,2.", f"ELASTIC,{STEEL}")
    below, above = sheet(deck, part, 0.0, x), held_softly(deck, (x + 2.0, 2.0, 1.0))
    deck.add(f"*CONSTRAINED_SPOTWELD\n{below},{above},{weld}")
    for dof, f in ((3, load[0]), (1, load[1])):
        if f:
            deck.add(f"*LOAD_NODE_POINT\n{above},{dof},7,{f!r}")
    return below, above


@pytest.mark.parametrize("load", [(1.0, 0.0), (0.0, 1.0), (1.0, 0.7), (-1.0, 0.7)])
def test_force_at_which_a_weld_breaks(load: tuple[float, float], tmp_path: Path) -> None:
    """(N / SN)^n + (S / SS)^m = 1 with N and S the load's parts; afterwards springs alone hold the node."""
    normal, shear, n, m = 0.61, 0.43, 2.0, 1.5
    deck = start()
    curve(deck, 7, (0.0, 0.0), (1.0, 1.0))
    below, above = post(deck, 1, f"{normal},{shear},{n},{m}", load)
    done = solve(deck, tmp_path)
    times = np.arange(1, STEPS + 1) / STEPS
    used = (np.maximum(load[0], 0) * times / normal) ** n + (load[1] * times / shear) ** m
    expected = times[np.argmax(used >= 1.0)]
    ((time, a, b, f, s),) = breaks(done)
    assert (a, b) == (below, above)
    assert time == pytest.approx(expected, abs=1e-9)
    assert f == pytest.approx(load[0] * expected, abs=5e-3)
    assert s == pytest.approx(load[1] * expected, abs=5e-3)
    u = displacements(done)
    assert u[above - 1, [2, 0]] == pytest.approx(np.array(load) / SOFT, rel=1e-3, abs=0.06)
    assert np.abs(u[below - 1]).max() < 1e-9
    assert " 1 weld broke" in done.stdout


def test_nothing_breaks_below_the_strength(tmp_path: Path) -> None:
    """The same result as with a weld that never breaks."""
    hashes = set()
    for weld in ("1.01,0.,1.,1.", "0.,0."):
        deck = start(4)
        curve(deck, 7, (0.0, 0.0), (1.0, 1.0))
        post(deck, 1, weld, (1.0, 0.2))
        done = solve(deck, tmp_path / weld)
        assert not breaks(done)
        hashes.add(done.hash)
    assert len(hashes) == 1


def three_sheets() -> tuple[Deck, int, int, int]:
    deck = start()
    for part in (1, 2):
        deck.part(part, "SHELL,16,0.8333,3|2.,2.,2.,2.", f"ELASTIC,{STEEL}")
    low, middle = sheet(deck, 1, 0.0), sheet(deck, 2, 1.0)
    top = held_softly(deck, (2.0, 2.0, 2.0))
    deck.set("NODE", 5, (middle, top, low))
    deck.add("*CONSTRAINED_GENERALIZED_WELD_SPOT\n5,\n0.,0.,0.61,0.,1.,1.")
    curve(deck, 7, (0.0, 0.0), (1.0, 1.0))
    deck.add(f"*LOAD_NODE_POINT\n{top},3,7,1.")
    return deck, low, middle, top


def test_one_of_two_links_breaks(tmp_path: Path) -> None:
    """The upper link has the whole load, the lower one half of it and holds on."""
    deck, low, middle, top = three_sheets()
    done = solve(deck, tmp_path)
    ((time, a, b, force, shear),) = breaks(done)
    assert {a, b} == {middle, top}
    assert time == pytest.approx(0.625)
    assert force == pytest.approx(0.625, rel=2e-3) and shear < 1e-9
    u = displacements(done)
    assert u[top - 1, 2] == pytest.approx(1.0 / SOFT, rel=1e-3)
    assert np.abs(u[[low - 1, middle - 1]]).max() < 1e-9


def test_welds_end_at_tf(tmp_path: Path) -> None:
    """From the first step that begins then."""
    deck = start(10)
    curve(deck, 7, (0.0, 0.0), (1.0, 1.0))
    _, above = post(deck, 1, "0.,0.,1.,1.,0.6", (1.0, 0.0))
    watch(deck, above)
    done = solve(deck, tmp_path)
    u = history(done, "z_displacement")[-10:]
    assert np.abs(u[:6]).max() < 0.05
    assert u[6:] == pytest.approx(np.array([0.7, 0.8, 0.9, 1.0]) / SOFT, rel=1e-3)


def test_bars_that_are_welded_at_their_corners(tmp_path: Path) -> None:
    """Four welds between two bars break together when each has a quarter of the force E A u / L."""
    strength, stretch = 0.04, 0.01
    deck = Deck()
    control(deck, STEPS)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.")
    left = deck.block(1, (2, 1, 1), (0.0, 0.0, 0.0), (4.0, 1.0, 1.0))
    right = deck.block(1, (2, 1, 1), (4.5, 0.0, 0.0), (4.0, 1.0, 1.0))
    deck.set("NODE", 1, [*left[0::3], *right[2::3]])
    deck.add("*BOUNDARY_SPC_SET\n1,0,0,1,1")
    deck.set("NODE", 2, left[0::3])
    deck.add("*BOUNDARY_SPC_SET\n2,0,1,0,0")
    for n in right[2::3]:
        prescribe(deck, n, (stretch,), (1,))
    for a, b in zip(left[2::3], right[0::3], strict=True):
        deck.add(f"*CONSTRAINED_SPOTWELD\n{a},{b},{strength},{strength},1.,1.")
    watch(deck, right[0])
    done = solve(deck, tmp_path)
    times = np.arange(1, STEPS + 1) / STEPS
    force = 210.0 * stretch * times / 8.0 / 4
    at = int(np.argmax(force >= strength))
    broken = breaks(done)
    assert len(broken) == 4
    for time, _, _, normal, shear in broken:
        assert time == pytest.approx(times[at], abs=1e-9)
        assert normal == pytest.approx(force[at], rel=3e-3) and shear < 1e-6
    u = history(done, "x_displacement")[-STEPS:]
    assert u[: at + 1] == pytest.approx(0.5 * stretch * times[: at + 1], rel=1e-3)
    assert u[at + 1 :] == pytest.approx(stretch * times[at + 1 :], rel=1e-6)


def test_a_mass_that_breaks_off_flies_on(tmp_path: Path) -> None:
    """Two welded masses on a spring: tension m v w sin(w t), and the velocity v cos(w t) where it is SN."""
    mass, speed, spring = 2.0, 0.3, 200.0
    omega = np.sqrt(spring / (2 * mass))
    deck = Deck()
    steps = 400
    control(deck, steps, 1.0)
    dynamics(deck)
    deck.part(1, "DISCRETE,0", f"SPRING_ELASTIC,{spring}")
    a, b = deck.node((0.0, 0.0, 0.0)), deck.node((1.0, 0.0, 0.0))
    deck.element("DISCRETE", 1, (deck.node((-1.0, 0.0, 0.0), held=7), a))
    for k, n in enumerate((a, b)):
        deck.add(f"*ELEMENT_MASS\n{91 + k},{n},{mass}\n*INITIAL_VELOCITY_NODE\n{n},{speed}")
    strength = 0.7 * mass * speed * omega
    deck.add(f"*CONSTRAINED_SPOTWELD\n{a},{b},{float(strength)!r},0.,1.,1.")
    watch(deck, b)
    done = solve(deck, tmp_path)
    ((time, _, _, normal, _),) = breaks(done)
    expected = np.arcsin(0.7) / omega
    assert expected <= time < expected + 1.01 / steps
    assert normal == pytest.approx(mass * speed * omega * np.sin(omega * time), rel=1e-3)
    after = np.cos(omega * time) - 0.5 / steps * omega * np.sin(omega * time)  # its force ends in half a step
    assert history(done, "x_velocity")[-1] == pytest.approx(speed * after, rel=1e-3)
    assert energy(done, "total_energy") == pytest.approx(mass * speed**2, rel=5e-3)


def test_spot_weld_beams_fail_at_their_force(tmp_path: Path) -> None:
    """MAT_100: the axial resultant E A u / L reaches NRR."""
    force, size, length, stretch = 0.3, 1.0, 2.0, 0.01
    deck = Deck()
    control(deck, STEPS)
    deck.part(1, f"BEAM,9,1.0,2,1|{size},{size},0.,0.", f"SPOTWELD,{STEEL},10.,1.|0.,{force}")
    deck.part(9, "DISCRETE,0", f"SPRING_ELASTIC,{SOFT}")
    ends = deck.node((0.0, 0.0, 0.0), held=7), deck.node((length, 0.0, 0.0))
    deck.element("BEAM", 1, (*ends, deck.node((0.0, 5.0, 0.0), held=7)))
    deck.element("DISCRETE", 9, (ends[1], deck.node((FAR, 0.0, 0.0), held=7)))
    prescribe(deck, ends[1], (stretch,), (1,))
    deck.add(f"*BOUNDARY_SPC_NODE\n{ends[1]},0,0,1,1,1,1,1")
    done = solve(deck, tmp_path)
    times = np.arange(1, STEPS + 1) / STEPS
    axial = 210.0 * 0.25 * np.pi * size**2 * stretch * times / length
    at = int(np.argmax(axial >= force))
    found = re.search(r" step +(\d+)  converged[^\n]*\n beam 1 of part 1 failed and is deleted", done.stdout)
    assert found and int(found[1]) in (at + 1, at + 2)


def two_posts(end: float) -> tuple[Deck, list[int]]:
    """A weld that breaks in the first part of a load, and one that breaks when the load rises again."""
    deck = start(8)
    curve(deck, 7, (0.0, 0.0), (1.0, 0.5), (1.5, 0.5), (2.0, 1.0), (100.0, 1.0))
    first = post(deck, 1, "0.2,0.,1.,1.", (1.0, 0.1))
    second = post(deck, 2, "0.7,0.,1.,1.", (1.0, 0.1), 10.0)
    until(deck, end, 0.05)
    return deck, [*first, *second]


def test_welds_go_from_scheme_to_scheme(tmp_path: Path) -> None:
    """A broken weld stays broken, a whole one keeps its load; it breaks later where its force says so."""
    deck, (_, loose, _, held) = two_posts(2.0)
    switch(deck, 1.0, 1.5)
    watch(deck, held)
    done = solve(deck, tmp_path)
    broken = breaks(done)
    assert [b[2] for b in broken] == [loose, held]
    assert broken[0][0] == pytest.approx(0.5)
    assert broken[1][3] == pytest.approx(0.75, rel=5e-3)
    time = histories(done).read("nodout", "time")
    u = history(done, "z_displacement")
    rest = u[(time > 0.99) & (time < 1.51)]
    assert len(rest) > 8 and rest == pytest.approx(rest[0], rel=1e-5)
    assert energy(done, "kinetic_energy").max() < 1e-9 * energy(done, "internal_energy").max()
    assert displacements(done)[[loose - 1, held - 1], 2] == pytest.approx(1.0 / SOFT, rel=1e-3)


def test_a_weld_breaks_in_explicit_cycles_of_such_a_run(tmp_path: Path) -> None:
    """And the implicit steps that follow know of it."""
    deck, (_, loose, _, held) = two_posts(2.5)
    deck.add("*DAMPING_GLOBAL\n0,40.")
    switch(deck, 1.0, 2.0)
    done = solve(deck, tmp_path)
    assert [b[2] for b in breaks(done)] == [loose]
    assert " 2 welds broke" in done.stdout
    assert displacements(done)[[loose - 1, held - 1], 2] == pytest.approx(1.0 / SOFT, rel=1e-3)


@pytest.mark.parametrize("how", ["statics", "dynamics", "phases"])
@pytest.mark.parametrize("after", [-1, 0, 1])
def test_stopped_about_a_break(how: str, after: int, tmp_path: Path) -> None:
    """A run that stops before, at or after the step in which a weld breaks goes on with the same bits."""
    if how == "phases":
        deck, _ = two_posts(2.0)
        switch(deck, 1.0, 1.001)
    else:
        deck, *_ = three_sheets()
        if how == "dynamics":
            dynamics(deck)
    whole = solve(deck, tmp_path)
    assert breaks(whole)
    before = whole.stdout[: whole.stdout.index(" the weld of nodes")]
    cycle = int(re.findall(r"^ step +(\d+)  converged", before, re.M)[-1]) + after
    given = ("--double-files", f"ncycle={cycle}", "--dump-cycles", str(cycle))
    out = run(tmp_path / "deck.k", tmp_path / "parts", *given).directory
    rest = run(None, out, f"r={out / 'runrsf'}")
    assert rest.status == 0, rest.said[-3000:]
    assert rest.hash == whole.hash
    assert different_files(out, whole.directory) == []
