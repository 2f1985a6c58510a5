"""Where an error ends the run, a dump of a moment before it is left, from which a run goes on."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from same_results import different_files
from small_decks import STEEL, Deck, block, torn_plate
from solver_run import AT_ONCE, Run, command, run, surroundings

from crumple.restart.dumps import read_dump

ERROR = re.compile(r"^error CR-.*$", re.MULTILINE)
#: Of the deck `failing`: the brick turns inside out at this time, when elements of the plate are deleted.
FAILS = 0.045


def failing(time: float = FAILS) -> str:
    """A plate that is torn, and far from it a brick of part 9 that turns inside out."""
    brick = Deck(nodes=90000, elements=90000)
    brick.part(9, "SOLID,1", f"ELASTIC,{STEEL}")
    nodes = brick.block(9, (1, 1, 1), (5000.0, 0.0, 0.0), (4.0, 4.0, 4.0))
    brick.set("NODE", 91, nodes[:4])
    brick.set("NODE", 92, nodes[4:])
    brick.add("*BOUNDARY_SPC_SET\n91,0,1,1,1\n*BOUNDARY_PRESCRIBED_MOTION_SET\n92,3,0,91\n*DEFINE_CURVE\n91")
    brick.add(f"0.,0.\n{time},0.\n{1.0001 * time},-90000.\n9.,-90000.")
    return torn_plate().replace("*END", "\n".join(brick.lines[1:]) + "\n*END")


@pytest.fixture(scope="module")
def deck(tmp_path_factory) -> Path:
    """The deck with a brick that fails."""
    path = tmp_path_factory.mktemp("failing") / "deck.k"
    path.write_text(failing())
    return path


def error_of(done: Run) -> str:
    """The line that says why a run ended."""
    assert done.status == 3, done.said
    found = ERROR.findall(done.stdout)
    assert len(found) == 1, done.said
    return found[0]


def cycle_of(line: str) -> int:
    found = re.search(r", cycle (\d+)", line)
    assert found, line
    return int(found[1])


def different_results(one: Path, two: Path) -> list[str]:
    """As different_files, without d3hsp, which tells of dumps; its deletions are compared apart."""
    return [name for name in different_files(one, two) if name != "d3hsp"]


def deletions(out: Path) -> list[str]:
    """The lines of d3hsp about deleted elements."""
    return re.findall(r"^ *\w+ element \d+ of part \d+ was deleted at .*$", (out / "d3hsp").read_text(), re.M)


@pytest.mark.parametrize(
    ("ranks", "again", "layout", "precision"), [(1, 3, "files", "double"), (3, 1, "shared", "single")]
)
def test_ends_in_the_same_error(ranks, again, layout, precision, deck, tmp_path):
    """On other ranks: at the same cycle, with the same results. One rank has the brick."""
    out = tmp_path / "out"
    options = ("--error-dump", "20", "--dump-layout", layout, "--precision", precision, "--progress", "0")
    first = run(deck, out, *options, ranks=ranks)
    error = error_of(first)
    assert "CR-R101: solid element 90001 of part 9" in error
    dump = read_dump(out / "d3dump01")
    assert dump and dump.is_whole() and dump.ranks == ranks
    assert 0 < cycle_of(error) - dump.cycle <= 21, "the last copy, or the one before if it is a cycle old"
    assert f"the last dump before is {out / 'd3dump01'}: cycle {dump.cycle}, time " in first.stdout
    listed = deletions(out)
    assert len(listed) > 3 and len(listed) == len(set(listed))
    (out / "d3dump01").rename(tmp_path / "index")

    whole = run(deck, tmp_path / "whole", "--precision", precision)  # the same without a copy before
    assert error_of(whole) == error
    assert different_results(out, whole.directory) == []

    (tmp_path / "index").rename(out / "d3dump01")
    restarted = run(None, out, f"r={out / 'd3dump01'}", "--progress", "0", ranks=again)
    assert error_of(restarted) == error
    assert different_results(out, whole.directory) == []
    assert deletions(out) == listed, "each once, though none had been reported when the copy was taken"
    assert f"the last dump before is {out / 'd3dump01'}" in restarted.stdout, "there was no later copy"


def test_goes_on_with_a_change(deck, tmp_path):
    """As from a dump that was asked for at that moment."""
    small = tmp_path / "small.k"
    small.write_text("*KEYWORD\n*DELETE_PART\n9\n*END\n")
    out, other = tmp_path / "out", tmp_path / "other"
    error_of(run(deck, out, "--error-dump", "20", ranks=3))
    dump = read_dump(out / "d3dump01")
    assert dump
    stopped = run(deck, other, f"ncycle={dump.cycle}", "--dump-cycles", str(dump.cycle))
    assert stopped.status == 0, stopped.said
    ends = [
        run(small, out, f"r={out / 'd3dump01'}", ranks=2),
        run(small, other, f"r={other / 'runrsf'}", "ncycle=1000000", "--dump-cycles", "0"),
    ]
    for done in ends:
        assert done.status == 0, done.said
    assert ends[0].hash == ends[1].hash
    assert different_results(out, other) == []


def test_energy_that_runs_away(tmp_path):
    """It is found after the step, every 100 cycles: a copy of the very moment is none of a good one."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(3.0, 0.1, step_scale=1.5, push=[(0.0, -0.01), (9.0, -0.01)]))
    out = tmp_path / "out"
    first = run(deck, out)
    error = error_of(first)
    assert "CR-R105" in error
    dump = read_dump(out / "d3dump01")
    assert dump and dump.cycle % 100 == 1 and 0 < dump.cycle < cycle_of(error)
    assert error_of(run(None, out, f"r={out / 'd3dump01'}", ranks=2)) == error


def test_error_in_dynamic_relaxation(tmp_path):
    deck = tmp_path / "deck.k"
    relaxation = "*CONTROL_DYNAMIC_RELAXATION\n250,1e-30,1.0,,,,,1"
    text = block(9.0, 0.1, push=[(0.0, -0.001), (0.1, -0.001), (0.1001, -30000.0), (9.0, -30000.0)])
    deck.write_text(text.replace("*DEFINE_CURVE\n1\n", f"{relaxation}\n*DEFINE_CURVE\n1,2\n"))
    out = tmp_path / "out"
    error = error_of(run(deck, out, "--error-dump", "50", ranks=2))
    dump = read_dump(out / "d3dump01")
    assert dump and not dump.moment.in_run and dump.cycle % 50 == 1
    assert error_of(run(None, out, f"r={out / 'd3dump01'}")) == error


def test_the_last_of_every_cycle(deck, tmp_path):
    """A copy of the cycle of the error, in which it shows, does not take the place of the one before."""
    out = tmp_path / "out"
    error = error_of(run(deck, out, "--error-dump", "1", ranks=2))
    dump = read_dump(out / "d3dump01")
    assert dump and dump.cycle == cycle_of(error) - 1


def test_a_later_dump_is_kept_instead(deck, tmp_path):
    """The file is of a later moment than the copy: it is named, and no other is written."""
    out = tmp_path / "out"
    error = error_of(run(deck, tmp_path / "first"))
    at = cycle_of(error) - 2
    done = run(deck, out, "--dump-cycles", str(at), "--error-dump", str(at // 2))
    assert error_of(done) == error
    assert f"the last dump before is {out / 'runrsf'}: cycle {at}" in done.stdout
    assert not list(out.glob("d3dump*"))


def test_numbers_go_on(deck, tmp_path):
    """d3dump01 and 02 are of the deck; the error's is the next, and a restart from it does not replace it."""
    text = deck.read_text().replace("*END", "*DATABASE_BINARY_D3DUMP\n40\n*END")
    both = tmp_path / "deck.k"
    both.write_text(text)
    out = tmp_path / "out"
    error = error_of(run(both, out, "--error-dump", "3", ranks=2))
    names = sorted(path.name for path in out.glob("d3dump??"))
    last = read_dump(out / names[-1])
    assert last and last.cycle % 40 != 0 and len(names) > 2
    before = (out / names[-1]).read_bytes()
    assert error_of(run(None, out, f"r={out / names[-1]}", "--error-dump", "1")) == error
    assert (out / names[-1]).read_bytes() == before
    after = sorted(path.name for path in out.glob("d3dump??"))
    assert after[: len(names)] == names and len(after) <= len(names) + 1


@pytest.mark.parametrize("way", ["option", "deck"])
def test_none_is_asked_for(way, deck, tmp_path):
    text = deck.read_text()
    if way == "deck":
        text = text.replace("*END", "*CONTROL_MPP_IO_NODUMP\n*END")
    path = tmp_path / "deck.k"
    path.write_text(text)
    done = run(path, tmp_path / "out", "--error-dump", "0" if way == "option" else "20")
    error_of(done)
    assert "dump" not in done.stdout
    assert not list(done.directory.glob("*dump*"))


LIMITED = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_no_space(deck, tmp_path):
    """The error is what is reported, with its status; files that cannot grow stand for a full disk."""
    few_states = tmp_path / "deck.k"
    few_states.write_text(
        deck.read_text().replace("*DATABASE_BINARY_D3PLOT\n0.015", "*DATABASE_BINARY_D3PLOT\n9.")
    )
    deck, out = few_states, tmp_path / "out"
    first = run(deck, out, "--error-dump", "20")
    largest = max(path.stat().st_size for path in out.glob("d3dump01.*"))
    others = max(path.stat().st_size for path in out.iterdir() if "dump" not in path.name)
    assert others < 0.9 * largest, "else the limit ends the run"
    line = command(1, [f"i={deck}", "-d", str(out), "--error-dump", "20", "--overwrite"])
    at = next(k for k, word in enumerate(line) if word.endswith("crumple-solver"))
    line[at:at] = ["--mca", "btl", "self,tcp", sys.executable, "-c", LIMITED, str(int(0.95 * largest))]
    environment = surroundings(1) | AT_ONCE | {"PATH": os.environ["PATH"]}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 3, done.stdout + done.stderr
    assert ERROR.findall(done.stdout) == [error_of(first)]
    assert re.search(r"warning CR-T012: \S+d3dump01 of cycle \d+ was not written: CR-O102", done.stdout)
    assert "the run ends, without a dump" in done.stdout
    assert not list(out.glob("d3dump*"))
