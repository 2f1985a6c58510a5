"""Heated bodies in static steps: closed forms, plasticity by temperature, the same bits after a restart."""

from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, plot, residuals, solve
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import run
from test_restart import steps

YOUNG, ALPHA = 210.0, 1.2e-5
#: law 4 between 0 and 400: all constants fall
HOT = (
    "ELASTIC_PLASTIC_THERMAL,7.85e-6|0.,100.,400.|210.,200.,140.|0.3,0.3,0.33|1e-5,1.2e-5,1.5e-5|"
    "0.3,0.28,0.1|2.,2.,1."
)


def heat(deck: Deck, points: list[tuple[float, float]], keyword: str = "LOAD_THERMAL_LOAD_CURVE\n5,") -> None:
    rows = "\n".join(f"{t!r},{value!r}" for t, value in points)
    deck.add(f"*DEFINE_CURVE\n5\n{rows}\n*{keyword}")


def bar(form: int, law: str = f"ELASTIC,{STEEL}", count: int = 1) -> Deck:
    """A bar along x between walls that let it get thicker."""
    deck = Deck()
    control(deck, steps=count, end=1.0)
    deck.part(1, f"SOLID,{form}", law)
    ids = deck.block(1, (4, 2, 2), (0.0, 0.0, 0.0), (8.0, 2.0, 2.0))
    for k, n in enumerate(ids):
        i, j, m = k % 5, k // 5 % 3, k // 15
        held = (int(i in (0, 4)), int(j == 0), int(m == 0))
        if any(held):
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{held[0]},{held[1]},{held[2]}")
    return deck


@pytest.mark.parametrize("form", [1, 2, -1, -2])
def test_held_bar(form, tmp_path):
    """sigma = -E alpha dT, and the bar gets thicker by (1 + nu) alpha dT; the reference is at the start."""
    deck = bar(form)
    deck.add(f"*MAT_ADD_THERMAL_EXPANSION\n1,0,{ALPHA!r}")
    heat(deck, [(0.0, 20.0), (1.0, 30.0)])
    done = solve(deck, tmp_path)
    stress = plot(done)["element_solid_stress"][-1].reshape(-1, 6)
    assert stress[:, 0] == pytest.approx(-YOUNG * ALPHA * 10, rel=3e-4)
    assert np.abs(stress[:, 1:]).max() < 1e-7
    assert displacements(done)[-1, 1] == pytest.approx(2.0 * 1.3 * ALPHA * 10, rel=3e-4)


@pytest.mark.parametrize("form", [2, 16, 4])
def test_free_plate_with_a_gradient(form, tmp_path):
    """T = y gives no stress, and the strip bends in its plane: v = -alpha x^2 / 2 at y = 0.

    An element has one temperature, from which those of its nodes differ by 0.27 at most: so much stress is
    left.
    """
    deck = Deck()
    control(deck)
    deck.part(1, f"SHELL,{form},0.8333,2|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    grid = deck.plate(1, (20, 10), lambda u, v: (20 * u, 4 * v - 2, 0.0), triangles=form == 4)
    for j, row in enumerate(grid):
        for i, n in enumerate(row):
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{int(i == 0 and j == 5)},{int(i == 0 and j == 5)},1,1,1,0")
            deck.add(f"*LOAD_THERMAL_VARIABLE_NODE\n{n},{4 * j / 10 - 2!r},0.,1")
    deck.add(f"*BOUNDARY_SPC_NODE\n{grid[0][0]},0,1,0,0,0,0,0\n*MAT_ADD_THERMAL_EXPANSION\n1,0,1e-4")
    done = solve(deck, tmp_path)
    stress = plot(done)["element_shell_stress"][-1]
    assert np.abs(stress).max() < YOUNG * 1e-4 * 0.27
    v = displacements(done)[grid[5][20] - 1, 1]
    # Triangles of constant strain are too stiff in bending.
    assert v == pytest.approx(-1e-4 * 20**2 / 2, rel=0.1 if form == 4 else 0.02)


@pytest.mark.parametrize("form", [2, -1])
def test_bar_that_yields_and_cools(form, tmp_path):
    """Law 4 by its own equations: stress and plastic strain along x over the temperature."""
    count = 40
    deck = bar(form, HOT, count)
    heat(deck, [(0.0, 0.0), (0.5, 350.0), (1.0, 50.0)])
    done = solve(deck, tmp_path)
    states = plot(done)["element_solid_stress"]
    assert all(len(one) <= 8 for one in residuals(done))
    table = np.array([0.0, 100.0, 400.0])
    at = {
        name: lambda t, values=values: float(np.interp(t, table, values))
        for name, values in {
            "E": (210.0, 200.0, 140.0),
            "alpha": (1e-5, 1.2e-5, 1.5e-5),
            "yield": (0.3, 0.28, 0.1),
            "hardening": (2.0, 2.0, 1.0),
        }.items()
    }
    times = np.linspace(0.0, 1.0, count + 1)
    temperatures = np.interp(times, [0.0, 0.5, 1.0], [0.0, 350.0, 50.0])
    elastic = p = 0.0
    expected = []
    for before, t in zip(temperatures, temperatures[1:], strict=False):
        middle = sorted([before, t])
        inner = [x for x in table if middle[0] < x < middle[1]]
        ends = [middle[0], *inner, middle[1]]
        area = sum(
            (b - a) * (at["alpha"](a) + at["alpha"](b)) / 2 for a, b in zip(ends, ends[1:], strict=False)
        )
        change = area if t > before else -area
        elastic -= change
        trial = at["E"](t) * elastic
        limit = at["yield"](t) + at["hardening"](t) * p
        if abs(trial) > limit:
            dp = (abs(trial) - limit) / (at["E"](t) + at["hardening"](t))
            elastic -= np.sign(trial) * dp
            p += dp
        expected.append(at["E"](t) * elastic)
    assert p > 1e-3 and expected[-1] > 0.1
    computed = states[-1].reshape(-1, 6)[:, 0]
    assert computed == pytest.approx(expected[-1], rel=1e-5)


def test_a_restart_in_the_middle_of_the_heating(tmp_path: Path) -> None:
    deck = bar(2, HOT, 12)
    heat(deck, [(0.0, 0.0), (0.5, 350.0), (1.0, 50.0)])
    whole = solve(deck, tmp_path)
    given = ("--double-files", "ncycle=5", "--dump-cycles", "5")
    part = run(tmp_path / "deck.k", tmp_path / "parts", *given)
    assert part.status == 0 and steps(part.stdout) == 5, part.said
    rest = run(None, part.directory, f"r={part.directory / 'runrsf'}", threads=2)
    assert rest.status == 0, rest.said
    assert rest.hash == whole.hash
    assert different_files(part.directory, whole.directory) == []


def test_arc_lengths_are_refused(tmp_path: Path) -> None:
    deck = Deck()
    control(deck, arc=",,5.,3")
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    deck.add(f"*MAT_ADD_THERMAL_EXPANSION\n1,0,{ALPHA!r}")
    heat(deck, [(0.0, 0.0), (1.0, 30.0)])
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status != 0
    assert "temperatures along a path of equilibrium (arc lengths)" in done.said
