"""What a run says while it runs: falls of the time step, deleted elements, crowded cores, crashes."""

import os
import re
import signal
import time

import pytest
from small_decks import STEEL, Deck, block, torn_plate
from solver_run import run, solver_processes, start

CRUSH = [(0.0, -8.0), (9.0, -8.0)]  # mm/ms: at 1 ms little is left of 10 mm


def wait_for(condition, what: str, limit: float = 120.0) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {limit} s"
        time.sleep(0.05)


def flattened() -> str:
    """A column of bricks of which nothing moves sideways, pressed to a twentieth of its height."""
    deck = Deck()
    deck.control(1.17, 0.1)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    nodes = deck.block(1, (1, 1, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, nodes)
    deck.set("NODE", 2, nodes[:4])
    deck.set("NODE", 3, nodes[-4:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1\n2,0,0,0,1\n*DEFINE_CURVE\n1\n0.,0.\n0.1,-8.5\n9.,-8.5")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n3,3,0,1")
    return deck.text()


@pytest.mark.parametrize("ranks", [1, 2])
def test_step_that_falls_tenfold(ranks, tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(flattened())
    done = run(deck, tmp_path / "out", ranks=ranks)
    fall = re.search(
        r"the time step fell from (\S+) to (\S+) by time (\S+), cycle (\d+): solid element (\d) of part 1 "
        r"holds it, whose closest nodes are at (\S+) % of their first distance: it has been crushed",
        done.stdout,
    )
    assert fall, done.said
    assert float(fall[2]) < 0.1 * float(fall[1])
    assert float(fall[6]) < 80
    assert fall[0] in (tmp_path / "out" / "d3hsp").read_text()


def test_step_that_a_curve_lowers(tmp_path):
    """The curve LCTM, and not the element with the smallest step, holds it."""
    text = block(0.02, 0.01).replace("*CONTROL_TIMESTEP\n0.,0.9", "*CONTROL_TIMESTEP\n0.,0.9,0,0.,0.,7")
    deck = tmp_path / "deck.k"
    deck.write_text(text.replace("*END", "*DEFINE_CURVE\n7\n0.,1.\n0.005,1.\n0.0051,1e-5\n1.,1e-5\n*END"))
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    assert "the curve LCTM of *CONTROL_TIMESTEP holds it" in done.stdout


def stretched(material: str, more: str = "", control: str = "0.5") -> str:
    """Bricks that are pulled apart; law 24 flows at once."""
    deck = Deck()
    deck.add(f"*CONTROL_TERMINATION\n{control}\n*DATABASE_GLSTAT\n0.01")
    deck.part(1, "SOLID,1", material)
    nodes = deck.block(1, (2, 1, 1), (0.0, 0.0, 0.0), (20.0, 10.0, 10.0))
    for number, x in ((1, 0), (2, 2)):
        deck.set("NODE", number, nodes[x::3])
    deck.add(
        "*BOUNDARY_SPC_SET\n1,0,1,1,1\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,0,1\n*DEFINE_CURVE\n1\n0.,20.\n9.,20."
    )
    deck.add(more)
    return deck.text()


LAW24 = "PIECEWISE_LINEAR_PLASTICITY," + STEEL + ",0.25,1.0,{fail},{tdel}|40.,5.|,|,"
CAUSES = {
    "FAIL": (
        LAW24.format(fail=0.1, tdel=0),
        "",
        r"failure strain FAIL of \*MAT_PIECEWISE_LINEAR_PLASTICITY 1",
    ),
    "TDEL": (
        LAW24.format(fail="", tdel=1.2e-3),
        "",
        r"time step below TDEL of \*MAT_PIECEWISE_LINEAR_PLASTICITY 1",
    ),
    "FAILTM": (
        f"ELASTIC,{STEEL}",
        "*MAT_ADD_EROSION\n1\n,,,,,,,0.1",
        r"failure time FAILTM of \*MAT_ADD_EROSION of \*MAT_ELASTIC 1",
    ),
    "MXEPS": (
        f"ELASTIC,{STEEL}",
        "*MAT_ADD_EROSION\n1\n,,,0.1",
        r"largest principal strain MXEPS of \*MAT_ADD_EROSION of \*MAT_ELASTIC 1",
    ),
    "FAIL or SIGVM": (
        LAW24.format(fail=0.1, tdel=0),
        "*MAT_ADD_EROSION\n1\n,,10.",
        r"one of failure strain FAIL, equivalent stress SIGVM of \*MAT_ADD_EROSION of \*MAT_PIECE\w+ 1",
    ),
}


@pytest.mark.parametrize("name", CAUSES)
def test_deleted_elements_have_a_cause(name, tmp_path):
    material, more, cause = CAUSES[name]
    deck = tmp_path / "deck.k"
    deck.write_text(stretched(material, more))
    logs = []
    for ranks in (1, 2):
        done = run(deck, tmp_path / f"out{ranks}", ranks=ranks)
        lines = (tmp_path / f"out{ranks}" / "d3hsp").read_text().splitlines()
        logs.append([line for line in lines if "was deleted" in line])
        assert f"{len(logs[-1])} element" in done.stdout
    assert logs[0], "nothing was deleted"
    assert logs[0] == logs[1]
    assert re.fullmatch(rf" solid element \d of part 1 was deleted at time \S+: {cause}", logs[0][0])


def test_element_below_dtmin_is_told_of(tmp_path):
    text = block(1.0, 0.1, push=CRUSH).replace("*CONTROL_TERMINATION\n1.0", "*CONTROL_TERMINATION\n1.0,0,0.5")
    deck = tmp_path / "deck.k"
    deck.write_text(text.replace("*CONTROL_TIMESTEP\n0.,0.9", "*CONTROL_TIMESTEP\n0.,0.9,0,0.,0.,0,1"))
    run(deck, tmp_path / "out")
    log = (tmp_path / "out" / "d3hsp").read_text()
    assert "was deleted" in log
    assert "time step below DTMIN (ERODE of *CONTROL_TIMESTEP)" in log


def test_deleted_elements_are_told_of_while_it_runs(tmp_path):
    """A run that is killed leaves the lines as well."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(torn_plate(end_time=1e5))
    process = start(deck, out)
    try:
        wait_for(lambda: (out / "d3hsp").exists() and "was deleted" in (out / "d3hsp").read_text(), "a line")
    finally:
        for rank in solver_processes(out):
            os.kill(rank, signal.SIGKILL)
        process.communicate(timeout=60)
    assert "failure strain FAIL" in (out / "d3hsp").read_text()


def test_more_ranks_than_cores(tmp_path):
    cores = os.cpu_count() or 1
    if cores > 8:
        pytest.skip("too many cores to crowd them")
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(1e6, 1e5, cells=3))
    process = start(deck, out, ranks=cores + 2)
    try:
        wait_for(lambda: (out / "d3hsp").exists(), "the start")
        wait_for(lambda: "exchange takes" in (out / "d3hsp").read_text(), "the message", 40.0)
        os.kill(solver_processes(out)[0], signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    who = f"{cores + 2} ranks of 1 thread each share the {cores} core"
    what = rf"exchange takes \d+ % of the time of rank 0: {who}"
    assert len(re.findall(what, stdout)) == 2, stdout + stderr


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGFPE])
def test_crash_names_the_elements(number, tmp_path):
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(1e6, 1e5))
    process = start(deck, out, ranks=2)
    try:
        wait_for(lambda: (out / "glstat").exists(), "the first cycle")
        os.kill(solver_processes(out)[-1], number)
        _, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    who = rf"error CR-S004: rank [01] crashed \({number.name}, .*\) in cycle \d+"
    what = rf"{who}.*solid elements \d to \d of part 1 last"
    assert re.search(what, stderr), stderr


def test_initial_penetrations_are_in_d3hsp(tmp_path):
    """The table of pairs of parts, under words that can be searched for."""
    deck = Deck()
    deck.control(0.001, 0.001)
    for part, place in ((1, (0.0, 0.0)), (2, (1.0, 0.8))):
        deck.part(part, "SHELL,2|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
        deck.plate(part, (3, 3), lambda u, v, p=place: (20 * u + p[0], 20 * v, p[1]))
    deck.set("PART", 3, (1, 2))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n3,0,2,0\n0.2\n,")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out", ranks=2)
    assert done.status == 0, done.said
    log = (tmp_path / "out" / "d3hsp").read_text()
    table = log.split("initial penetrations of contacts by pair of parts")[1].split("k e y w o r d")[0]
    rows = re.findall(r"^ +(\S+) +(\d+) +(\d) +(\d) +(\d+) +1$", table, re.M)
    assert {(row[2], row[3]) for row in rows} == {("1", "2"), ("2", "1")}
    assert all(float(row[0]) == pytest.approx(0.2) for row in rows)
