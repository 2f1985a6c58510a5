"""Collectives as messages, and messages of which a trace has one side only; without MPI."""

import io
from collections import defaultdict

import pytest

from crumple.lab.profile.trace.channels import Channels, drop_surplus
from crumple.lab.profile.trace.collectives import Share, messages
from crumple.lab.profile.trace.communicators import Tags
from crumple.lab.profile.trace.events import Kind, TraceError
from crumple.lab.profile.trace.extent import RankExtent, common_cut
from crumple.lab.profile.trace.rank_lines import RankLines

SIZES = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17]


def perform(shares: list[Share]) -> list[set[int]]:
    """Which ranks' data each rank has in the end; each message is received, at the size it was sent with."""
    steps = [list(messages(s)) for s in shares]
    knows = [{r} for r in range(len(shares))]
    wire: dict[tuple[int, int], list[tuple[int, set[int]]]] = defaultdict(list)
    sent = [False] * len(shares)
    while any(steps):
        moved = False
        for rank, mine in enumerate(steps):
            if not mine:
                continue
            step = mine[0]
            if step.to is not None and not sent[rank]:
                wire[rank, step.to].append((step.sends, set(knows[rank])))
                sent[rank] = moved = True
            if step.source is not None:
                if not wire[step.source, rank]:
                    continue
                size, data = wire[step.source, rank].pop(0)
                assert size == step.receives
                knows[rank] |= data
            mine.pop(0)
            sent[rank] = False
            moved = True
        assert moved, "the ranks wait for each other"
    assert not any(wire.values()), "a message was not received"
    return knows


def shares(operation: str, n: int, root: int = -1, size: int = 24, **blocks) -> list[Share]:
    """The same of all ranks."""
    nothing = {"sent": (), "received": ()}
    return [Share(operation, r, n, root, size, **nothing | blocks) for r in range(n)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "operation", ["barrier", "allreduce", "allgather", "alltoall", "reduce_scatter_block"]
)
def test_all_hear_of_all(operation, n):
    assert perform(shares(operation, n, size=24 * n)) == [set(range(n))] * n


@pytest.mark.parametrize("n", SIZES)
def test_blocks_of_different_sizes(n):
    blocks = tuple(10 + r for r in range(n))
    assert perform(shares("allgatherv", n, received=blocks)) == [set(range(n))] * n
    assert perform(shares("reduce_scatter", n, received=blocks)) == [set(range(n))] * n
    each = [
        Share("alltoallv", r, n, -1, 0, tuple(r + k for k in range(n)), tuple(r + k for k in range(n)))
        for r in range(n)
    ]
    assert perform(each) == [set(range(n))] * n


@pytest.mark.parametrize("n", SIZES)
def test_from_and_to_the_root(n):
    for root in {0, n // 2, n - 1}:
        for operation in ("bcast", "scatter"):
            assert all(root in known for known in perform(shares(operation, n, root)))
        for operation in ("reduce", "gather"):
            assert perform(shares(operation, n, root))[root] == set(range(n))


@pytest.mark.parametrize("n", SIZES)
def test_scan_hears_of_all_before(n):
    assert perform(shares("scan", n)) == [set(range(r + 1)) for r in range(n)]


def test_message_beyond_the_largest_count_is_in_doubles():
    out = io.StringIO()
    RankLines(0, out, Tags(), Channels()).message("send", 1, 5, 3_000_000_001)
    assert out.getvalue().splitlines()[1] == "0 send 1 5 375000001 0"


def test_only_what_is_waited_for_is_waited_for():
    out = io.StringIO()
    lines = RankLines(0, out, Tags(), Channels())
    lines.post(1, "irecv", 1, 5, 8)
    lines.post(2, "isend", 1, 6, 8)
    lines.wait([2])
    lines.wait([1])
    assert out.getvalue().splitlines()[3:] == ["0 wait 0 1 6", "0 waitall 1"]


def test_surplus_of_one_side_is_dropped(tmp_path):
    """Rank 1 receives one message that came before the trace, and rank 0 sends one that nobody receives."""
    channels, tags = Channels(), Tags()
    with (tmp_path / "rank.0.txt").open("w") as out:
        sender = RankLines(0, out, tags, channels)
        for size in (1, 2, 3):
            sender.message("send", 1, 7, size)
        sender.finish()
    with (tmp_path / "rank.1.txt").open("w") as out:
        receiver = RankLines(1, out, tags, channels)
        receiver.message("recv", 0, 7, 1)
        for request, size in ((1, 2), (2, 99)):
            receiver.post(request, "irecv", 2, 7, size)
        receiver.wait([1])
        receiver.wait([2])
        receiver.finish()
    surplus = channels.surplus()
    assert surplus == {(0, 1, 7): 2, (2, 1, 7): -2}
    drop_surplus(tmp_path / "rank.0.txt", 0, channels, surplus)
    drop_surplus(tmp_path / "rank.1.txt", 1, channels, surplus)
    assert (tmp_path / "rank.0.txt").read_text().splitlines() == ["0 init", "0 send 1 7 1 6", "0 finalize"]
    left = (tmp_path / "rank.1.txt").read_text().splitlines()
    assert left == ["1 init", "1 recv 0 7 1 6", "1 waitall 1", "1 finalize"]


def test_ranks_are_cut_alike():
    """One began a collective later, another ended two earlier."""
    extents = [
        RankExtent(0, first=4, last=20, ending=Kind.END),
        RankExtent(1, first=5, last=18, ending=Kind.LIMIT),
    ]
    cut = common_cut(extents)
    assert (cut.after, cut.until) == (6, 18)
    assert cut.reasons == ["rank 1 reached the size limit"]
    whole = common_cut([RankExtent(r, first=0, last=9, ending=Kind.END) for r in range(2)])
    assert (whole.after, whole.until) == (None, None)
    with pytest.raises(TraceError, match="no common collective"):
        common_cut([RankExtent(0, first=0, last=0, ending=Kind.LIMIT)])
