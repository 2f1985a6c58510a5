"""Traces of an implicit run: recorded on 2 and 4 ranks, made from each other, simulated."""

import pytest
from command_line import crumple

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.lab.traces.compare import compare
from crumple.lab.traces.factor_division import division_beside
from crumple.lab.traces.factor_lines import FactorLines, FactorRates
from crumple.lab.traces.implicit_pattern import Asked, items_of, rank_items
from crumple.lab.traces.implicit_synthetic import lines_of_rank, pattern_of_implicit
from crumple.models import Wishes, write_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where recordings on 2 and 4 ranks lie, and what is made of one for the ranks of the other."""
    here = tmp_path_factory.mktemp("implicit")
    write_model("cylinders", here / "deck.k", Wishes(1500))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRUMPLE_CACHE", str(here / "cache"))
        deck = str(here / "deck.k")
        for ranks in ("2", "4"):
            made(crumple("trace", deck, "-n", ranks, "-o", f"recorded-{ranks}", directory=here))
        for ranks, other in (("4", "2"), ("2", "4")):
            options = ("--synthetic", "--from", f"recorded-{other}", "-o", f"synthetic-{ranks}")
            made(crumple("trace", deck, "-n", ranks, *options, directory=here))
        yield here


def made(done):
    """The command's output, when it went well."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def shapes(trace, rank):
    """Actions of a rank without compute, ways of waiting, and options, which have a folder's name in them."""
    words = [line.split()[1:] for line in trace.lines(rank)]
    actions = [w for w in words if w[0] not in ("compute", "wait", "waitall")]
    return [w for w in actions if not (w[0] in ("isend", "irecv") and w[2] == "81" and int(w[3]) < 200)]


@pytest.mark.parametrize("ranks", [2, 4])
def test_messages_of_a_synthetic_trace_are_those_of_a_recorded_one(folder, ranks):
    recorded, synthetic = (open_trace(folder / f"{what}-{ranks}") for what in ("recorded", "synthetic"))
    for rank in range(ranks):
        assert shapes(recorded, rank) == shapes(synthetic, rank)
    found = compare(recorded, synthetic)
    for tag in ("90 (own updates)", "84 (panels)", "89 (solution)"):
        row = found.row(f"bytes of tag {tag}")
        assert row.first == row.second > 0.0


def test_a_trace_has_the_phases_of_the_run_on_all_ranks(folder):
    trace = open_trace(folder / "recorded-2")
    assert trace.implicit
    assert trace.cycles == (0, 1)
    phases = [{step.phase for step in items_phases(trace, rank)} for rank in range(2)]
    assert {"ordering", "symbolic", "stiffness", "factor", "solve", "forces", "output"} <= phases[0]
    assert {"symbolic", "factor", "solve"} <= phases[1] <= {"symbolic", "factor", "solve", "-"}


def items_phases(trace, rank):
    """The compute steps of a rank."""
    from crumple.lab.traces.work import rank_steps

    return [step for step in rank_steps(trace, rank) if step.compute]


def test_requests_are_those_of_the_step(folder):
    trace = open_trace(folder / "recorded-2")
    for rank in range(2):
        kinds = [item.kind for item in rank_items(trace, rank) if isinstance(item, Asked)]
        assert kinds == ["symbolic", "factor", "solve", "factor", "solve", "notice"]


def test_work_of_other_ranks_is_near_what_was_recorded(folder):
    recorded, synthetic = (open_trace(folder / f"{what}-4") for what in ("recorded", "synthetic"))
    # Processor time of ranks that share cores is larger: only the order of magnitude counts here.
    assert 0.4 < sum(synthetic.meta["seconds"]) / sum(recorded.meta["seconds"]) < 1.6


def test_operations_of_ranks_add_up_to_those_of_the_factor(folder):
    division = division_beside(open_trace(folder / "synthetic-4"))
    alone = sum(rank.flops for rank in division.of_rank)
    above = sum(FactorLines(division, rank, FactorRates(1.0), False).top_flops() for rank in range(4))
    assert alone + above == pytest.approx(division.flops, rel=0.01)
    values = sum(rank.factor_values + rank.top_values for rank in division.of_rank)
    assert division.entries <= values <= 1.6 * division.entries


def test_blocks_of_a_factor_out_of_core_are_all_written_and_read_twice(folder):
    trace = open_trace(folder / "recorded-2")
    division, pattern = division_beside(trace), pattern_of_implicit([trace])
    for rank in range(2):
        lines = [line.split() for line in lines_of_rank(pattern, division, rank, in_files=True)]
        mine = division.of_rank[rank]
        in_file = 8 * (mine.factor_values + mine.top_values)
        assert sum(int(w[2]) for w in lines if w[1] == "write") == 2 * in_file  # two factors
        assert sum(int(w[2]) for w in lines if w[1] == "read") == 2 * 2 * in_file  # two solutions, two ways
        assert sum(w[1] == "flush" for w in lines) == 4


def test_what_is_no_request_is_refused():
    from crumple.lab.profile.trace.steps import RankStep

    with pytest.raises(TraceError, match="belongs to no request"):
        list(items_of([RankStep(0, "-", 0, "isend 1 84 8 6")], "here"))
    with pytest.raises(TraceError, match="no request of rank 0"):
        list(items_of([RankStep(0, "-", 0, "bcast 99 0 6")], "here"))


def test_work_by_counts_is_refused(folder):
    done = crumple("trace", "deck.k", "-n", "2", "--work", "counts", "-o", "c", directory=folder)
    assert done.returncode == 2
    assert "--synthetic" in done.stdout


def test_decompose_tells_the_division_without_a_picture(folder):
    told = made(crumple("decompose", "deck.k", "-n", "3", "-d", "shares", directory=folder))
    assert "an implicit model is whole on rank 0" in told
    assert sorted(path.name for path in (folder / "shares").iterdir()) == ["division.json"]
