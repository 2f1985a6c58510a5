"""What the solver says each rank would compute and share, against what holds for any decomposition."""

import pytest

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.traces.decomposition import decompose


@pytest.mark.parametrize("method", ["rcb", "metis"])
def test_what_ranks_share(method, three_vehicles, tmp_path):
    ranks = 5
    found = decompose(three_vehicles, ranks, method, None, tmp_path)
    assert (found.ranks, found.elements, found.end_time) == (ranks, 3200, 2.0)
    for rank, share in enumerate(found.shares):
        cost = sum(n * t["cost"] for n, t in zip(share.elements, found.work, strict=True))
        assert share.cost == pytest.approx(cost)
        assert rank not in share.shared
        for other, nodes in share.shared.items():
            assert found.shares[other].shared[rank] == nodes
        for other, nodes in share.tied.items():
            assert found.shares[other].tied[rank] == nodes <= share.shared[other]
    assert all(share.items[0] for share in found.shares)
    assert sum(sum(share.copies[0].values()) for share in found.shares) > 0
    sent = found.senders(0)
    assert all(sent[home][r] == n for r, s in enumerate(found.shares) for home, n in s.copies[0].items())


def test_one_rank_shares_nothing(three_vehicles, tmp_path):
    (share,) = decompose(three_vehicles, 1, "rcb", None, tmp_path).shares
    assert not share.shared
    assert not share.tied
    assert share.copies == ({},)
    assert share.pairs[0] > share.items[0] > 0


def test_a_deck_that_is_not_there(tmp_path):
    with pytest.raises(TraceError, match="cannot share .*missing.k out to 4 ranks"):
        decompose(tmp_path / "missing.k", 4, "rcb", None, tmp_path)


def test_more_ranks_than_elements(three_vehicles, tmp_path):
    with pytest.raises(TraceError, match="CR-P010"):
        decompose(three_vehicles, 4000, "rcb", None, tmp_path)
