"""Implicit runs that are stopped and go on from a dump end in the bits of runs that were never stopped."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from implicit_decks import control, prescribe, solve
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import run
from test_arc_length import truss
from test_constraints import hinged_lever
from test_contact import hold, touch
from test_dynamics import dynamics, oscillator
from test_runs import bar

from crumple.restart.dumps import read_dump

YIELDING = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.12,10.|0.|,|,"
BFGS = "12,11,,1e-6,1e-12,1e-6,,1e-20"


def yielding() -> Deck:
    """A bar of bricks that bends and yields, by BFGS updates and steps of changing length."""
    deck, end = bar(law=YIELDING, steps=12, solution=BFGS, automatic="1,20,4")
    for n in end:
        prescribe(deck, n, (0.02, 0.3), (1, 3))
    return deck


def old_factors() -> Deck:
    """The factor of one step is used in the next two."""
    deck = yielding()
    deck.lines = [line.replace(",,,3,4.", ",,3,3,4.") for line in deck.lines]
    return deck


def failing() -> Deck:
    """Three strips of a weak and a strong shell, one after the other; the weak ones fail in turn."""
    deck = Deck()
    control(deck, steps=12, solution=BFGS, automatic="1,20,4")
    law = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},{{}},1.,{{}}|0.|,|,"
    deck.part(1, "SHELL,16,0.8333,3|1.,1.,1.,1.", law.format(0.15, 0.02))
    deck.part(2, "SHELL,16,0.8333,3|1.,1.,1.,1.", law.format(0.3, 0.5))
    for k in range(3):
        rows = [[deck.node((4.0 * k + x, y, 0.0)) for x in (0.0, 2.0)] for y in (0.0, 2.0, 4.0)]
        for part, (low, high) in enumerate(itertools.pairwise(rows), 1):
            deck.element("SHELL", part, (*low, *reversed(high)))
        for n in rows[0]:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,1,1,1,1,1")
        for n in rows[1]:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,0,0,1,1,1,1")
        for n in rows[2]:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,0,1,1,1,1")
            prescribe(deck, n, (0.05 * (k + 1),), (2,))
    return deck


def vibrating() -> Deck:
    """Plates fly, turn and are damped; with an oscillation of a mass beside them."""
    deck = oscillator(16, 2.0, "1,,,,,,,-0.05", speed=1.0, automatic="1,4,1")
    deck.part(2, "SHELL,16,0.8333,2|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    grid = deck.plate(2, (3, 2), lambda u, v: (30 * u, 20 * v, 5.0))
    for row in grid:
        for k, n in enumerate(row):
            deck.add(f"*INITIAL_VELOCITY_NODE\n{n},0.,{0.1 * k!r},{0.4 * k * k!r}")
    deck.add("*DAMPING_GLOBAL\n0,0.3")
    return deck


def sliding() -> Deck:
    """A block is pressed on a plate and pushed along, with friction; nodes are deep at first (IGNORE = 1)."""
    deck = Deck()
    control(deck, steps=10)
    for part in (1, 2):
        deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
    block = deck.block(1, (3, 2, 1), (0.0, 0.0, -0.004), (6.0, 5.0, 1.0))
    plate = deck.block(2, (5, 3, 1), (-5.0, -5.0, -1.0), (20.0, 15.0, 1.0))
    hold(deck, 1, plate, "1,1,1")
    deck.add("*DEFINE_CURVE\n8\n0.,0.\n0.2,1.\n10.,1.\n*DEFINE_CURVE\n9\n0.,0.\n0.2,0.\n1.0,1.0\n10.,12.25")
    for n in block[-12:]:
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},3,2,8,-0.02\n{n},1,2,9,0.08\n{n},2,2,2,1.")
    touch(deck, 2, 1, 0.25, "\n\n,,,1")
    deck.add("*DATABASE_SLEOUT\n0.1\n*DATABASE_NCFORC\n0.1")
    return deck


def colliding() -> Deck:
    """Two bars fly against each other: dynamics, contact from the middle on."""
    deck = Deck()
    control(deck, 40, 0.004, solution="12,1,,1e-8,1e-16,1e-8,,1e-20")
    dynamics(deck)
    for part in (1, 2):
        deck.part(part, "SOLID,2", "ELASTIC,7.85e-6,210.,0.")
    left = deck.block(1, (6, 1, 1), (0.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    right = deck.block(2, (6, 2, 2), (10.003, 0.0, 0.0), (10.0, 1.0, 1.0))
    for nodes, speed in ((left, 2.0), (right, -2.0)):
        for n in nodes:
            deck.add(f"*INITIAL_VELOCITY_NODE\n{n},{speed}")
    touch(deck, 1, 2)
    return deck


def past_the_limit() -> Deck:
    return truss(40, end=4.0, solution="12,1,,1e-9,1e-18,1e-9,,1e-20", arc=",,5.,3")[0]


def lever() -> Deck:
    deck, ids, _ = hinged_lever(steps=6)
    deck.add(f"*LOAD_NODE_POINT\n{ids[1]},2,1,4.0\n*DATABASE_RBDOUT\n0.1")
    return deck


CASES: dict[str, tuple[Callable[[], Deck], str]] = {
    "yielding": (yielding, ""),
    "old_factors": (old_factors, ""),
    "failing": (failing, "failed and is deleted"),
    "vibrating": (vibrating, ""),
    "sliding": (sliding, ""),
    "colliding": (colliding, ""),
    "past_the_limit": (past_the_limit, ""),
    "lever": (lever, ""),
}


def steps(text: str) -> int:
    return len(re.findall(r"^ step +\d+  converged", text, re.M))


@pytest.mark.parametrize("name", CASES)
def test_goes_on_with_the_same_bits(name: str, tmp_path: Path) -> None:
    """Two thirds of the steps, then the rest, with two threads; all results are the same."""
    make, happened = CASES[name]
    whole = solve(make(), tmp_path)
    stop = 2 * steps(whole.stdout) // 3
    given = ("--double-files", f"ncycle={stop}", "--dump-cycles", str(stop))
    part = run(tmp_path / "deck.k", tmp_path / "parts", *given)
    assert part.status == 0 and steps(part.stdout) == stop, part.said[-3000:]
    assert re.search(happened, part.stdout)
    out = part.directory
    dump = read_dump(out / "runrsf")
    assert dump and dump.cycle == stop
    rest = run(None, out, f"r={out / 'runrsf'}", threads=2)
    assert rest.status == 0, rest.said[-3000:]
    assert steps(rest.stdout) == steps(whole.stdout) - stop
    assert rest.hash == whole.hash
    assert different_files(out, whole.directory) == []


def test_dumps_at_intervals_on_request_and_at_the_end(tmp_path: Path) -> None:
    """*DATABASE_BINARY_D3DUMP counts steps; the last dump is of the end."""
    deck = yielding()
    deck.add("*DATABASE_BINARY_D3DUMP\n3")
    done = solve(deck, tmp_path)
    made = steps(done.stdout)
    cycles = [read_dump(path).cycle for path in sorted(done.directory.glob("d3dump??"))]
    assert cycles == [3, 6, made] and made > 6
    (done.directory / "d3kil").write_text("sw1\n")
    again = run(None, done.directory, f"r={done.directory / 'd3dump01'}")
    assert again.status == 0, again.said
    assert "stopped on request before the end time" in again.stdout
    assert [read_dump(p).cycle for p in sorted(done.directory.glob("d3dump??"))] == [3, 3]
    last = run(None, done.directory, f"r={done.directory / 'd3dump02'}")
    assert last.hash == done.hash


def test_goes_on_with_other_ranks(tmp_path: Path) -> None:
    """Stopped on 3 ranks, finished on 2: as on one."""
    whole = solve(yielding(), tmp_path)
    deck, parts = tmp_path / "deck.k", tmp_path / "parts"
    part = run(deck, parts, "--double-files", "ncycle=3", "--dump-cycles", "3", ranks=3)
    assert part.status == 0, part.said
    rest = run(None, parts, f"r={parts / 'runrsf'}", ranks=2)
    assert rest.status == 0, rest.said
    assert rest.hash == whole.hash
    assert different_files(parts, whole.directory) == []


def test_a_limit_of_time_ends_with_a_dump(tmp_path: Path) -> None:
    part = solve(yielding(), tmp_path, "--walltime=1m", "--walltime-passed=60")
    assert "the run ends before the limit of --walltime" in part.stdout
    assert read_dump(part.directory / "d3dump01").cycle == 0
    whole = solve(yielding(), tmp_path / "whole")
    assert run(None, part.directory, f"r={part.directory / 'd3dump01'}").hash == whole.hash


def test_a_failure_leaves_a_dump_of_the_last_good_state(tmp_path: Path) -> None:
    """The truss snaps through at 0.385 of its load."""
    deck, _ = truss(40)
    done = solve(deck, tmp_path, status=3)
    failed = re.search(r"error CR-I104: step (\d+) from time", done.said)
    assert failed
    assert read_dump(done.directory / "d3dump01").cycle == int(failed.group(1)) - 1
