"""A run that is stopped and goes on from its dump ends in the bits of one that was never stopped.

Each deck is stopped where much is going on, on N ranks, and goes on, on M, of {1, 2, 3, 4, 7}, with
threads, both decompositions, and both layouts of dumps. The table of tests goes through all pairs twice.
The decks are those of tests/invariance, and more.
"""

import itertools
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import every_law
import pytest
import small_decks
from same_results import different_files
from solver_run import Run, run

from crumple.restart.dumps import Dump, read_dump

RANKS = (1, 2, 3, 4, 7)
PAIRS = list(itertools.product(RANKS, RANKS))
GRAVITY = (
    "*LOAD_GRAVITY_PART\n2,3,1,300.\n21,2,2,-200.\n11,1,1,-150.\n"
    "*SET_PART_LIST\n41\n13,22\n*LOAD_GRAVITY_PART_SET\n41,1,2,100."
)
RELAXATION = (
    "*CONTROL_DYNAMIC_RELAXATION\n60,1e-6,0.99,1e-2,,,,1\n"
    "*DEFINE_CURVE\n21,2\n0.,0.05\n1000.,0.05\n*LOAD_BODY_Y\n21,1."
)
EROSION = r"elements? (was|were) deleted"


def relaxed_weld() -> str:
    """Bricks that welds hold together are pulled in relaxation; the welds fail later, in the run."""
    deck = small_decks.Deck()
    deck.control(0.02, 0.005, 0.001)
    deck.part(1, "SOLID,1", f"ELASTIC,{small_decks.STEEL}")
    low = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    high = deck.block(1, (2, 2, 2), (0.0, 0.0, 11.0), (10.0, 10.0, 10.0))
    for a, b in zip(low[-9:], high[:9], strict=True):
        deck.add(f"*CONSTRAINED_SPOTWELD\n{a},{b},0.,0.,0.,0.,0.01")
    deck.set("NODE", 1, low[:9])
    deck.set("NODE", 2, high[-9:])
    deck.add(f"*BOUNDARY_SPC_SET_BIRTH_DEATH\n1,0,1,1,1\n0.,{0.015}")
    deck.add("*LOAD_NODE_SET\n2,3,1,1.\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add("*CONTROL_DYNAMIC_RELAXATION\n100,,,,,,,1")
    return deck.text()


@dataclass(frozen=True)
class Case:
    """A deck, the part of its cycles after which it is stopped, and what has happened by then."""

    text: Callable[[], str]
    stop: float = 0.6
    happened: str = ""
    touching: bool = False  #: a contact has a force in the last block of rcforc
    relaxing: bool = False


CASES = {
    "torn_plate": Case(small_decks.torn_plate, 0.7, EROSION, touching=True),
    "falling_bodies": Case(small_decks.falling_bodies, 0.7, EROSION, touching=True),
    "all_forms": Case(small_decks.all_forms, 0.8, touching=True),
    "other_forms": Case(small_decks.other_forms, 0.8, touching=True),
    "joined_plates": Case(small_decks.joined_plates, 0.7, "welds? broke", touching=True),
    "tied_stack": Case(small_decks.tied_stack, 0.6, EROSION, touching=True),
    "sprung_stack": Case(small_decks.sprung_stack, 0.7, EROSION, touching=True),
    "eroded_block": Case(small_decks.eroded_block, 0.3, EROSION, touching=True),
    "net_under_sheet": Case(small_decks.net_under_sheet, 0.7, EROSION, touching=True),
    "jointed_tyre": Case(small_decks.jointed_tyre, 0.5),
    "stitched_plates": Case(small_decks.stitched_plates, 0.7),
    "loaded_parts": Case(partial(small_decks.all_forms, 0.03, extra=GRAVITY), 0.5),
    "every_law": Case(every_law.every_law, 0.5),
    "relaxed_forms": Case(partial(small_decks.all_forms, extra=RELAXATION), 0.5),
    "in_relaxation": Case(partial(small_decks.all_forms, extra=RELAXATION), relaxing=True),
    "relaxed_weld": Case(relaxed_weld, 0.6, "welds? broke"),
    "weld_in_relaxation": Case(relaxed_weld, relaxing=True),
}
#: decks of others, their cycles, and further options
REAL = {
    "taylor_bar": ("pydyna/taylor_bar/input.k", 250, []),
    "pipe_whip": ("pydyna/pipe_whip/pipe.k", 100, []),
    "pendulum": ("pydyna/pendulum/pendulum.k", 700, ["endtime=20"]),
    "bar_impact": ("pydyna/bar_impact/input.k", 2200, []),
    "plate_shatter": ("dynakw/mat_piecewise_linear.plate-shatter.k", 300, []),
}
TESTS = [(name, precision) for name in CASES for precision in ("double", "single")]


def layout(k: int) -> tuple[int, dict[str, int], tuple[str, ...]]:
    """The ranks of the first part, the arguments of the second, and its options: those of test number k."""
    first, second = PAIRS[7 * k % len(PAIRS)]
    options = ("--decomposition", ("rcb", "metis")[k % 2])
    return first, {"ranks": second, "threads": 1 + k % 3 % 2}, options


def files(k: int) -> tuple[str, ...]:
    """Options on result files, which all parts have: those of test number k."""
    vtkhdf = "--vtkhdf-compression=3" if k % 2 == 0 else "--vtkhdf"
    return (vtkhdf, *(["--double-files"] if k % 5 == 0 else []))


def stop(deck: Path, out: Path, cycle: int, *options: str, **layout: int) -> tuple[Run, Dump]:
    """The first part of a run, which ends after this cycle with a dump of it."""
    done = run(deck, out, f"ncycle={cycle}", "--dump-cycles", str(cycle), *options, **layout)
    assert done.status == 0, done.said
    dump = read_dump(out / "runrsf")
    assert dump and dump.cycle == cycle and dump.moment.in_run
    return done, dump


def stop_in_relaxation(deck: Path, out: Path, *options: str, **layout: int) -> Dump:
    """The first part of a run, whose last dump is of dynamic relaxation."""
    done = run(deck, out, "ncycle=1", "--dump-cycles", "70", *options, **layout)
    assert done.status == 0, done.said
    dump = read_dump(out / "runrsf")
    assert dump and not dump.moment.in_run and dump.cycle >= 70
    return dump


def go_on(out: Path, *options: str, **layout: int) -> Run:
    """The rest of a run, whose deck is that of the dump."""
    done = run(None, out, f"r={out / 'runrsf'}", *options, **layout)
    assert done.status == 0, done.said
    return done


def last_force(path: Path) -> float:
    """The largest force of a contact in the last rows of rcforc."""
    rows = re.findall(
        r"^ *(?:slave|master) .* time +(\S+) +x +(\S+) +y +(\S+) +z +(\S+)", path.read_text(), re.M
    )
    last = max(float(row[0]) for row in rows)
    return max(abs(float(force)) for time, *forces in rows if float(time) == last for force in forces)


def same(done: Run, whole: Run) -> None:
    """The state and all files of a run that was stopped are those of one that was not."""
    assert done.hash == whole.hash
    assert different_files(done.directory, whole.directory) == []


@pytest.mark.parametrize(("k", "name", "precision"), [(k, *test) for k, test in enumerate(TESTS)])
def test_stopped_once(k, name, precision, tmp_path):
    """From one dump, on two numbers of ranks."""
    case = CASES[name]
    deck = tmp_path / f"{name}.k"
    deck.write_text(case.text())
    first, second, cut = layout(k)
    given = ("--precision", precision, *files(k))
    whole = run(deck, tmp_path / "whole", *given)
    assert whole.status == 0, whole.said
    options = (*given, "--dump-layout", ("files", "shared")[k % 3 % 2])
    out, again = tmp_path / "parts", tmp_path / "again"
    if case.relaxing:
        stop_in_relaxation(deck, out, *options, ranks=first)
    else:
        cycle = int(case.stop * whole.progress[-1].cycle)
        part, _ = stop(deck, out, cycle, *options, ranks=first)
        assert re.search(case.happened, part.stdout), "what the case is about has not happened yet"
        assert not case.touching or last_force(out / "rcforc") > 0.1
    shutil.copytree(out, again)
    same(go_on(out, *files(k), *cut, **second), whole)
    other = RANKS[RANKS.index(second["ranks"]) - 2]
    same(go_on(again, *files(k), ranks=other), whole)


@pytest.mark.parametrize(
    ("name", "ranks"),
    [
        ("joined_plates", (3, 2, 4)),
        ("net_under_sheet", (1, 7, 2)),
        ("eroded_block", (4, 3, 1)),
        ("sprung_stack", (2, 4, 3)),
        ("jointed_tyre", (7, 3, 2)),
        ("every_law", (3, 1, 7)),
    ],
)
def test_stopped_twice(name, ranks, tmp_path):
    """The second dump is of a run that has itself gone on from one."""
    first, second, third = ranks
    deck = tmp_path / f"{name}.k"
    deck.write_text(CASES[name].text())
    whole = run(deck, tmp_path / "whole", "--vtkhdf")
    cycle = whole.progress[-1].cycle // 3
    out = tmp_path / "parts"
    stop(deck, out, cycle, "--vtkhdf", ranks=first)
    words = (f"r={out / 'runrsf'}", f"ncycle={2 * cycle}", "--dump-cycles", str(cycle), "--vtkhdf")
    again = run(None, out, *words, ranks=second)
    assert again.status == 0, again.said
    dump = read_dump(out / "runrsf")
    assert dump and (dump.cycle, dump.ranks) == (2 * cycle, second)
    same(go_on(out, "--vtkhdf", ranks=third, threads=2), whole)


@pytest.mark.parametrize(("precision", "first", "second"), [("double", 2, 3), ("single", 4, 1)])
def test_three_vehicles(precision, first, second, three_vehicles, tmp_path):
    of_precision = ("--precision", precision)
    whole = run(three_vehicles, tmp_path / "whole", *of_precision)
    out = tmp_path / "parts"
    stop(three_vehicles, out, 2 * whole.progress[-1].cycle // 3, *of_precision, ranks=first)
    assert last_force(out / "rcforc") > 1.0, "the van has not reached the car"
    same(go_on(out, "--decomposition", "metis", ranks=second), whole)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", REAL)
def test_real_deck(name, precision, real_deck, tmp_path):
    path, cycles, more = REAL[name]
    deck = real_deck(path)
    given = ["--precision", precision, *more]
    whole = run(deck, tmp_path / "whole", f"ncycle={cycles}", *given)
    out = tmp_path / "parts"
    stop(deck, out, cycles // 2, *given, ranks=3)
    same(go_on(out, f"ncycle={cycles}", *more, "--dump-cycles", "0", ranks=2), whole)
