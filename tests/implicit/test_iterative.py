"""Conjugate gradients with smoothed aggregation (LSOLVR = 22 to 29) beside the direct solver."""

import json
import re

import numpy as np
import pytest
from implicit_decks import control, displacements, prescribe, solve
from small_decks import STEEL, Deck
from solver_run import run

ITERATIVE = "22"


def iterations(done) -> list[int]:
    """Of conjugate gradients, in each iteration of Newton's method."""
    return [int(n) for n in re.findall(r" (\d+) of conjugate gradients", done.stdout)]


def bar(cells: tuple[int, int, int], load: tuple[float, float, float], solver: str) -> Deck:
    """A bar of bricks that is held at one end and loaded at the other."""
    deck = Deck()
    control(deck, solver=solver)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    ids = deck.block(1, cells, (0.0, 0.0, 0.0), tuple(float(n) for n in cells))
    row = cells[0] + 1
    deck.set("NODE", 1, ids[0::row])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    for n in ids[cells[0] :: row]:
        for dof, force in enumerate(load, 1):
            if force:
                deck.add(f"*LOAD_NODE_POINT\n{n},{dof},1,{force!r}")
    return deck


def plate(n: int, elform: int, solver: str) -> Deck:
    """A square plate of shells, clamped round, under pressure; its thickness is a hundredth of its side."""
    deck = Deck()
    control(deck, solver=solver)
    deck.part(1, f"SHELL,{elform},1.,3\n1.0,1.0,1.0,1.0", f"ELASTIC,{STEEL}")
    ids = np.array(
        [[deck.node((100.0 * i / n, 100.0 * j / n, 0.0)) for j in range(n + 1)] for i in range(n + 1)]
    )
    for i in range(n):
        for j in range(n):
            deck.element("SHELL", 1, [ids[i, j], ids[i + 1, j], ids[i + 1, j + 1], ids[i, j + 1]])
    edge = np.unique(np.concatenate([ids[0], ids[-1], ids[:, 0], ids[:, -1]]))
    deck.set("NODE", 1, edge.tolist())
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    deck.set("PART", 1, [1])
    deck.add("*LOAD_SHELL_SET\n")
    return deck


@pytest.mark.parametrize("load", [(0.02, 0.0, 0.0), (0.0, 0.0002, 0.0)], ids=["tension", "bending"])
def test_bars_move_as_with_the_direct_solver(load, tmp_path):
    counts = []
    for n in (4, 8, 12):
        cells = (5 * n, n, n)
        direct, iterative = (
            solve(bar(cells, load, solver), tmp_path / f"{n}-{solver}") for solver in ("2", ITERATIVE)
        )
        wanted, found = displacements(direct), displacements(iterative)
        assert found == pytest.approx(wanted, rel=0, abs=1e-6 * abs(wanted).max())
        assert len(iterations(iterative)) == len(re.findall(r"   iteration", direct.stdout))
        assert "conjugate gradients with smoothed aggregation" in iterative.stdout
        counts.append(max(iterations(iterative)))
    assert max(counts) <= 40, counts


def test_same_bits_on_threads(tmp_path):
    runs = [
        solve(bar((20, 8, 8), (0.0, 0.001, 0.0), ITERATIVE), tmp_path / str(t), threads=t) for t in (1, 2, 3)
    ]
    assert max(iterations(runs[0])) > 5
    assert len({done.hash for done in runs}) == 1


def test_says_what_runs_in_place_of_the_preconditioner_that_was_asked_for(tmp_path):
    done = solve(bar((6, 2, 2), (0.02, 0.0, 0.0), "24"), tmp_path)
    assert "LSOLVR = 24: conjugate gradients have smoothed aggregation" in done.said
    assert "not SSOR" in done.said


def test_tolerance_and_most_iterations_are_those_of_the_card(tmp_path):
    # Card 2: LCPACK, MTXDMP, IPARM1, RPARM1, RPARM2
    cells, load = (24, 8, 8), (0.0, 0.0002, 0.0)
    few, loose, tight = (
        solve(bar(cells, load, f"{ITERATIVE}\n{card}"), tmp_path / name)
        for name, card in (("few", ",,3"), ("loose", ",,,,1e-3"), ("tight", ",,,,1e-10"))
    )
    assert "at most 3 iterations" in few.stdout
    assert "the direct solver stands in: 3 iterations of conjugate gradients were not enough" in few.stdout
    assert iterations(loose)[0] < iterations(tight)[0]
    wanted = displacements(tight)
    for done in (few, loose):  # Newton's method mends what a linear solution leaves
        assert displacements(done) == pytest.approx(wanted, rel=0, abs=1e-5 * abs(wanted).max())


@pytest.mark.parametrize(
    "card, said",
    [(",,-1", "IPARM1 = -1 is no number of iterations"), (",,,,2.", "RPARM2 = 2 is not between 0 and 1")],
)
def test_wrong_fields_are_errors(card, said, tmp_path):
    done = solve(bar((4, 2, 2), (0.02, 0.0, 0.0), f"{ITERATIVE}\n{card}"), tmp_path, status=2)
    assert said in done.said


def test_direct_solver_stands_in_beyond_the_buckling_load(tmp_path):
    """A column that is shortened beyond the load at which it buckles, and stays straight."""
    runs = []
    for solver in ("2", ITERATIVE, f"{ITERATIVE},,1"):
        deck = Deck()
        control(deck, solver=solver)
        deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
        cells = (80, 2, 2)
        ids = deck.block(1, cells, (0.0, 0.0, 0.0), (400.0, 4.0, 4.0))
        deck.set("NODE", 1, ids[0::81])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
        for n in ids[80::81]:
            prescribe(deck, n, (-1.0, 0.0, 0.0))
        runs.append(solve(deck, tmp_path / solver.replace(",", "-"), status=3 if solver.endswith("1") else 0))
    direct, iterative, stopped = runs
    assert "negative eigenvalues" in direct.stdout
    assert "the direct solver stands in: " in iterative.stdout
    assert (
        "the stiffness is not positive definite" in iterative.stdout
        or "found in iteration" in iterative.stdout
    )
    assert "negative eigenvalues" in iterative.stdout
    assert displacements(iterative) == pytest.approx(displacements(direct), rel=0, abs=1e-6)
    assert "NEGEV = 1" in stopped.stdout


def test_what_is_free_is_named(tmp_path):
    deck = bar((20, 6, 6), (0.02, 0.0, 0.0), ITERATIVE)
    text = deck.text().replace("1,0,1,1,1\n", "1,0,1,0,0\n", 1)
    path = tmp_path / "deck.k"
    path.write_text(text)
    done = run(path, tmp_path / "out")
    assert done.status == 3, done.said
    assert "the stiffness has no inverse" in done.stdout


def test_memory_is_predicted(tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(bar((40, 12, 12), (0.02, 0.0, 0.0), ITERATIVE).text())
    done = run(path, tmp_path / "check", "--check", "--json", str(tmp_path / "need.json"))
    assert done.status == 0, done.said
    factor = json.loads((tmp_path / "need.json").read_text())["factor"]
    assert factor["levels"] >= 2
    assert factor["bytes"] > 20e6
    assert "conjugate gradients with smoothed aggregation of" in done.stdout


def test_modes_have_the_direct_solver(tmp_path):
    deck = bar((6, 2, 2), (0.02, 0.0, 0.0), ITERATIVE)
    deck.add("*CONTROL_IMPLICIT_EIGENVALUE\n5")
    done = solve(deck, tmp_path)
    assert "modes need a factor" in done.said


def test_contact_converges_as_with_the_direct_solver(tmp_path):
    from crumple.models.cylinders import write_cylinders
    from crumple.models.model import Wishes

    path = tmp_path / "deck.k"
    write_cylinders(path, Wishes(elements=2000))
    text = path.read_text().replace("        12\n*DATABASE_BINARY", "        12         1\n*DATABASE_BINARY")
    assert "        12         1\n" in text
    runs = []
    for solver in ("2", ITERATIVE):
        path.write_text(text.replace("*END", f"*CONTROL_IMPLICIT_SOLVER\n{solver}\n*END"))
        runs.append(run(path, tmp_path / solver, "--double-files"))
        assert runs[-1].status == 0, runs[-1].said[-3000:]
    wanted, found = (displacements(done) for done in runs)
    assert found == pytest.approx(wanted, rel=0, abs=1e-6 * abs(wanted).max())
    assert max(iterations(runs[1])) <= 100
    assert len(re.findall(r"   iteration", runs[0].stdout)) == len(iterations(runs[1]))
