"""Lines made from a decomposition that is written down here, and what a pattern is not read from; no MPI."""

import io
from dataclasses import replace

import pytest

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import steps_of
from crumple.lab.traces.cycle_parts import Computing, Exchange, parts_of
from crumple.lab.traces.decomposition import Decomposition, RankShare
from crumple.lab.traces.pattern import (
    Agreement,
    Blocks,
    Compute,
    CycleReader,
    Halo,
    Motion,
    PatternCycle,
    PlotRows,
    RowCounts,
    Same,
    bytes_a_node,
    shared,
    tied,
)
from crumple.lab.traces.plot_messages import D3PLOT, VTKHDF
from crumple.lab.traces.synthetic import Maker, not_in
from crumple.lab.traces.work import UnitCost, kind_of

SHARES = (
    RankShare((10,), 10.0, 20, 20, {1: 4}, {}, (3,), (9,), ({1: 10, 2: 2},), (4,), 2.0),
    RankShare((20,), 20.0, 30, 26, {0: 4, 2: 6}, {2: 3}, (3,), (9,), ({0: 4},), (0,)),
    RankShare((30,), 30.0, 40, 34, {1: 6}, {1: 3}, (0,), (0,), ({},), (0,)),
)
MODEL = Decomposition(3, 1.0, ({"kind": "shell", "elform": 2, "law": 24, "cost": 1.0},), SHARES)


def made(*steps, costs=None, model=MODEL):
    """The lines of all ranks, of one cycle."""
    maker = Maker([PatternCycle(7, "x", steps)], model, costs or {})
    texts = [io.StringIO() for _ in SHARES]
    written = [maker.write(rank, text.write) for rank, text in enumerate(texts)]
    lines = [text.getvalue().splitlines() for text in texts]
    for rank, of in enumerate(written):
        actions = [line for line in lines[rank] if not line.startswith("#")]
        assert of.lines == len(actions)
        assert of.messages == sum(" isend " in line for line in actions)
        assert of.bytes == sum(int(line.split()[4]) for line in actions if " isend " in line)
    return [[line[2:] for line in mine if not line.startswith("#")][1:-1] for mine in lines]


def test_sums_over_shared_nodes():
    first, second, third = made(Halo("exchange", 11, "shared", 48))
    assert first == ["irecv 1 11 192 6", "isend 1 11 192 6", "waitall 2"]
    assert second[2:] == ["isend 0 11 192 6", "isend 2 11 288 6", "waitall 4"]
    assert third == ["irecv 1 11 288 6", "isend 1 11 288 6", "waitall 2"]


def test_ranks_without_ties_take_no_part():
    first, _, third = made(Halo("constraints", 11, "tied", 72))
    assert first == []
    assert third == ["irecv 1 11 216 6", "isend 1 11 216 6", "waitall 2"]


def test_contact_grows_with_what_was_recorded():
    first, second, third = made(Motion("contact", 31, 48, 1.5, back=False))
    assert first == ["irecv 1 31 720 6", "irecv 2 31 144 6", "isend 1 31 288 6", "waitall 3"]
    assert second == ["irecv 0 31 288 6", "isend 0 31 720 6", "waitall 2"]
    assert third == ["isend 0 31 144 6", "waitall 1"]


def test_forces_where_nothing_touches_are_empty_messages():
    # Of 16 nodes 12 touch: the 10 that rank 0 has of rank 1, no 4, and the 2 that it has of rank 2.
    first, second, third = made(Motion("contact", 32, 24, 1.0, back=True, filled=0.76))
    assert first == ["irecv 1 32 96 6", "isend 1 32 240 6", "isend 2 32 48 6", "waitall 3"]
    assert second == ["irecv 0 32 240 6", "isend 0 32 0 6", "waitall 2"]
    assert third == ["irecv 0 32 48 6", "waitall 1"]


def test_collectives_and_work():
    costs = {
        ("x", "elements"): UnitCost(5.0, (100.0, 7.0)),
        ("x", "contact"): UnitCost(0.0, (1.0, 2.0, 10.0)),
    }
    first, second, _ = made(
        Compute("elements", 0.5),
        Same("exchange", "allreduce 8 0 6"),
        Compute("contact", 1.0),
        Blocks("output", "gatherv", 0, "owned", 8.0),
        Blocks("output", "allgatherv", -1, "one", 512.0),
        Compute("a phase that was not measured", 1.0),
        costs=costs,
    )
    assert first == [
        "compute 510",
        "allreduce 8 0 6",
        "compute 78",
        "gatherv 160 160 208 272 0 6 6",
        "allgatherv 512 512 512 512 6 6",
    ]
    assert second[3] == "gatherv 208 0 0 0 0 6 6"


#: Three pieces of nodes and four of shells on three ranks: rank 2 writes two of shells.
ROWS_OF = (
    {"node": {0: 10, 2: 3}, "shell": {0: 5, 3: 7}},
    {"node": {1: 10}, "shell": {1: 9, 2: 9}},
    {"node": {0: 1, 2: 7}, "shell": {0: 4, 3: 2}},
)
PLOTTED = replace(
    MODEL,
    shares=tuple(replace(s, rows=rows) for s, rows in zip(SHARES, ROWS_OF, strict=True)),
    pieces={"node": 3, "solid": 0, "beam": 0, "shell": 4},
)
PLOT_ROWS = PlotRows("output", (("node", 40), ("shell", 100)), (Compute("output", 0.5),))


def test_rows_of_plot_states_go_to_their_writers():
    first, second, third = made(PLOT_ROWS, costs={("x", "output"): UnitCost(62.0, (0.0,))}, model=PLOTTED)
    assert first == [
        "compute 10",
        *("irecv 2 73 40 6", "isend 2 73 120 6", "waitall 2"),
        "compute 10",
        *("irecv 2 73 400 6", "waitall 1"),
        "compute 11",
        *("isend 2 73 700 6", "waitall 1"),
    ]
    assert second == ["compute 31", "isend 2 73 900 6", "waitall 1"]
    assert third == [
        "compute 10",
        *("irecv 0 73 120 6", "isend 0 73 40 6", "waitall 2"),
        "compute 10",
        *("irecv 1 73 900 6", "isend 0 73 400 6", "waitall 2"),
        "compute 11",
        *("irecv 0 73 700 6", "waitall 1"),
    ]


def test_numbers_of_rows_go_to_writers_before_the_first_state():
    first, _, third = made(RowCounts("output"), model=PLOTTED)
    assert first == ["irecv 1 72 8 6", "irecv 2 72 8 6", "isend 1 72 8 6", "isend 2 72 12 6", "waitall 4"]
    assert third == ["irecv 0 72 12 6", "irecv 1 72 12 6", "isend 0 72 8 6", "isend 1 72 8 6", "waitall 4"]


def parts_of_made(*steps):
    """The parts of each rank of a synthetic cycle."""
    lines = made(*steps, costs={("x", "output"): UnitCost(60.0, (0.0,))}, model=PLOTTED)
    return [parts_of(steps_of([f"{r} {line}" for line in of], "-"), "-") for r, of in enumerate(lines)]


def test_rows_of_plot_states_are_found_in_a_recording():
    found = CycleReader(parts_of_made(PLOT_ROWS), PLOTTED, 1.0, "cycle 7").steps()
    (rows,) = [step for step in found if isinstance(step, PlotRows)]
    assert rows.bytes == PLOT_ROWS.bytes
    parts = parts_of_made(RowCounts("-"))
    assert CycleReader(parts, PLOTTED, 1.0, "cycle 7").steps() == [RowCounts("-")]
    parts[0][0].meanwhile.append(Computing("output", 8.0))
    found = CycleReader(parts, PLOTTED, 1.0, "cycle 7").steps()
    assert found == [Compute("output", 1.0), RowCounts("-")]


#: Two chunks of points and three of cells: rank 0 writes none of the points.
STEP_ROWS_OF = (
    {"point": {0: 10, 1: 3}, "cell": {0: 5, 2: 7}},
    {"point": {0: 1}, "cell": {1: 9}},
    {"point": {1: 7}, "cell": {0: 4}},
)
STEPPED = replace(
    PLOTTED,
    shares=tuple(
        replace(s, rows={**s.rows, **rows}) for s, rows in zip(PLOTTED.shares, STEP_ROWS_OF, strict=True)
    ),
    pieces={**PLOTTED.pieces, "point": 2, "cell": 3},
)
STEP_ROWS = PlotRows("output", (("point", 40), ("cell", 17)), (Compute("output", 0.5),), VTKHDF)


def test_rows_of_vtkhdf_have_messages_of_their_own():
    first, second, third = made(RowCounts("output", VTKHDF), STEP_ROWS, model=STEPPED)
    assert first[:4] == ["irecv 1 75 4 6", "irecv 2 75 4 6", "isend 1 75 8 6", "isend 2 75 8 6"]
    assert first[5:] == [
        *("isend 1 76 400 6", "isend 2 76 120 6", "waitall 2"),
        *("irecv 2 76 68 6", "isend 2 76 119 6", "waitall 2"),
    ]
    assert second[5:] == ["irecv 0 76 400 6", "waitall 1"]
    assert third[5:] == [
        *("irecv 0 76 120 6", "waitall 1"),
        *("irecv 0 76 119 6", "isend 0 76 68 6", "waitall 2"),
    ]


def test_rows_of_both_files_are_told_apart():
    """VTKHDF's follow those of d3plot without a collective between them."""
    lines = made(PLOT_ROWS, RowCounts("output", VTKHDF), STEP_ROWS, model=STEPPED)
    parts = [parts_of(steps_of([f"{r} {line}" for line in of], "-"), "-") for r, of in enumerate(lines)]
    found = CycleReader(parts, STEPPED, 1.0, "cycle 7").steps()
    rows = [step for step in found if isinstance(step, PlotRows | RowCounts)]
    assert [step.file for step in rows] == [D3PLOT, VTKHDF, VTKHDF]
    assert (rows[0].bytes, rows[2].bytes) == (PLOT_ROWS.bytes, STEP_ROWS.bytes)
    with pytest.raises(TraceError, match=r"decomposition\.json has no rows of plot states: record it again"):
        CycleReader(parts, PLOTTED, 1.0, "cycle 7").steps()


def test_plot_states_that_do_not_follow_from_the_decomposition_are_refused():
    parts = parts_of_made(PLOT_ROWS)
    cut = [[p for p in of if p is not parts[0][1]] for of in parts]  # rank 0 has no first round
    with pytest.raises(TraceError, match="rank 0 has 2 rounds of a plot state, and 3 are expected"):
        CycleReader(cut, PLOTTED, 1.0, "cycle 7").steps()
    parts = parts_of_made(PLOT_ROWS)
    parts[1][1].sent[2] += 1
    with pytest.raises(TraceError, match="rank 1: rows of a plot state have several sizes"):
        CycleReader(parts, PLOTTED, 1.0, "cycle 7").steps()
    with pytest.raises(TraceError, match="rank 2: numbers of rows of plot states are not those"):
        CycleReader(parts_of_made(RowCounts("-"))[:2] + [[]], PLOTTED, 1.0, "cycle 7").steps()
    with pytest.raises(TraceError, match=r"decomposition\.json has no rows of plot states: record it again"):
        CycleReader(parts_of_made(PLOT_ROWS), MODEL, 1.0, "cycle 7").steps()
    dump = [[Exchange("-", 74, {1: 8}, {})], [Exchange("-", 74, {}, {0: 8})], []]
    with pytest.raises(TraceError, match="a dump is written"):
        CycleReader(dump, PLOTTED, 1.0, "cycle 7").steps()


def test_the_agreement_is_as_long_as_there_are_bodies_of_all_ranks():
    """Fourteen words, and thirteen for each body."""
    model = replace(MODEL, agreed_bodies=3)
    assert [replace(MODEL, agreed_bodies=n).agreement_bytes for n in (0, 3)] == [112, 424]
    assert MODEL.agreement_bytes is None
    assert made(Agreement("exchange"), model=model)[1] == ["allreduce 424 0 6"]
    assert kind_of(["allreduce 424 0 6", "allreduce 8 0 6"], 424) == "agreement, allreduce 8"
    assert kind_of(["allreduce 424 0 6"], None) == "allreduce 424"


def test_bytes_a_node_are_whole_words_everywhere():
    def exchange(k, per_node, of):
        return Exchange("-", 11, {}, {r: per_node * n for r, n in of(SHARES[k]).items()})

    of_shared = {k: exchange(k, 48, shared) for k in range(3)}
    of_tied = {k: exchange(k, 72, tied) for k in (1, 2)}
    assert bytes_a_node(of_shared, SHARES, shared) == 48
    assert bytes_a_node(of_shared, SHARES, tied) is None
    assert bytes_a_node(of_tied, SHARES, tied) == 72
    assert bytes_a_node(of_tied, SHARES, shared) is None
    odd = {k: exchange(k, 36, shared) for k in range(3)}
    assert bytes_a_node(odd, SHARES, shared) is None


def test_contact_that_began_later_is_refused():
    apart = Decomposition(2, 1.0, MODEL.work, tuple(replace(s, copies=({},)) for s in SHARES[:2]))
    parts = [[Exchange("contact", 31, {1: 48}, {})], [Exchange("contact", 31, {}, {0: 48})]]
    with pytest.raises(TraceError, match="cycle 7: contact between ranks began after the first cycle"):
        CycleReader(parts, apart, 1.0, "cycle 7")


def test_what_a_pattern_lacks_is_named():
    known = [Halo("exchange", 11, "shared", 48), Halo("constraints", 11, "tied", 72)]
    known.append(Motion("contact", 31, 48, 1.0, back=False))
    for k, what in enumerate(("shared nodes", "ties", "contact")):
        steps = tuple(known[:k] + known[k + 1 :])
        assert not_in([PatternCycle(7, "x", steps)], MODEL) == what
    assert not_in([PatternCycle(7, "x", tuple(known))], MODEL) == ""
    plot = replace(PLOT_ROWS, bytes=(("node", 40),))
    assert not_in([PatternCycle(7, "x", (*known, plot))], PLOTTED) == "shell rows of plot states"
    assert not_in([PatternCycle(7, "x", (*known, PLOT_ROWS))], PLOTTED) == ""
    alone = Decomposition(1, 1.0, MODEL.work, (replace(SHARES[0], shared={}, copies=({},)),))
    assert not_in([PatternCycle(7, "x", ())], alone) == ""


def test_two_exchanges_at_once_are_refused():
    lines = ["0 irecv 1 31 48 6", "0 isend 1 31 48 6", "0 irecv 1 31 96 6", "0 waitall 3"]
    with pytest.raises(TraceError, match="under way at once: contact of edges and beams"):
        parts_of(steps_of(lines, "rank.0.txt"), "rank.0.txt")


@pytest.mark.parametrize("line", ["0 compute much", "0", "# cycle x", "# phase"])
def test_damaged_lines(line):
    with pytest.raises(TraceError, match=r"rank\.0\.txt:2: .* is not a line of a trace"):
        list(steps_of(["0 init", line], "rank.0.txt"))
