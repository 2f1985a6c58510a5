"""Advice where the answer is known by hand: made-up traces, clusters of round numbers, no solver."""

from dataclasses import replace
from pathlib import Path

import pytest
from small_clusters import ELEMENT_RATE, cluster, with_network, with_node, write_trace

from crumple.lab.advise import advice, shop
from crumple.lab.advise.advice import SearchEffort, advise
from crumple.lab.advise.candidates import (
    GAINS,
    DeckSharing,
    candidates,
    job_counts,
    placed,
    rank_counts,
    threaded,
)
from crumple.lab.advise.deck_traces import DeckTraces
from crumple.lab.advise.question import (
    AdviceError,
    Objective,
    Question,
    at_prices,
    check,
    seconds_of,
)
from crumple.lab.advise.scaling import losses, scaling_of
from crumple.lab.advise.search import front_of, search
from crumple.lab.advise.upgrades import upgrades_of
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.entries import entries_of
from crumple.lab.simulate.volume import volume_of
from crumple.lab.traces.record import RecordingWish

CLUSTERS = Path(__file__).parents[3] / "benchmarks/clusters"
EVEN = ((1, 1.0), (4, 1.0))  #: cores that do not slow each other down


def deck(
    folder: Path, ranks: tuple[int, ...], compute, exchanges: int = 0, reductions: int = 0
) -> DeckTraces:
    """Ten cycles at several numbers of ranks, each of so many ns of work; a job has 36,000 cycles."""
    found = DeckTraces(RecordingWish(Path("deck.k"), 1, 0, 10), {}, folder, None, 100_000)
    for n in ranks:

        def lines(rank, n=n):
            near = sorted({(rank - 1) % n, (rank + 1) % n} - {rank})
            talk = [f"irecv {q} 0 1000 6" for q in near] + [f"isend {q} 0 1000 6" for q in near]
            talk += [f"waitall {2 * len(near)}"] if near else []
            return [f"compute {int(compute(n))}", *talk * exchanges, *["allreduce 8 0 6"] * reductions] * 10

        trace = write_trace(folder / str(n), n, lines, job_cycles=36_000)
        found.traces[DeckSharing(n, "rcb")] = trace
        found.volumes[DeckSharing(n, "rcb")] = volume_of(trace)
    return found


def test_one_node_is_best_where_the_network_is_slow(tmp_path):
    of = deck(tmp_path, (1, 2, 4, 8, 16, 32), lambda n: 8e6 / n, exchanges=2)
    slow = with_network(cluster(4), latency=10e-3)
    ask = Question(Objective.time)
    best = search(of, slow, ask).best
    assert (best.candidate.cores, best.placement.nodes) == (8, 1)
    best = search(of, cluster(4), ask).best
    assert (best.candidate.cores, best.placement.nodes) == (32, 4)


def test_energy_is_that_of_a_hand_calculation(tmp_path):
    """Perfect scaling: 10 s of work a job. Cores of a full socket do 0.7, and all 32 burn 1360 W."""
    of = deck(tmp_path, (1,), lambda n: 1e6 / 3.6)
    found = search(of, cluster(4), Question(Objective.energy))
    watts = 4 * 300 + 120 + 4 * 10
    assert found.best.wh == pytest.approx(1.5 * watts * 10 / 0.7 / 32 / 3600, rel=0.03)
    assert found.best.candidate.wish.jobs == 32
    alone = [s for s in found.scores if s.candidate.wish.jobs == 1 and s.candidate.threads == 1]
    watts = (100 + 200 / 8) + 3 * 100 + 120 + 4 * 10  # a core of eight, three nodes idle
    assert [s.wh for s in alone] == pytest.approx([1.5 * watts * 10 / 3600] * len(alone), rel=0.03)
    small = search(of, cluster(4), Question(Objective.energy, unused_idle=False))
    alone = [s for s in small.scores if s.candidate.wish.jobs == 1 and s.candidate.threads == 1]
    assert [s.wh for s in alone] == pytest.approx([1.5 * 125 * 10 / 3600] * len(alone), rel=0.03)
    # Where a busy core costs much and an idle node nothing, half filled nodes run at full speed for less.
    hungry = with_node(cluster(4), idle_watts=0.0, peak_watts=300.0)
    hungry = with_network(replace(hungry, switch_watts=0.0), adapter_watts=0.0)
    best = search(of, hungry, Question(Objective.energy)).best
    assert best.wh == pytest.approx(1.5 * 300 / 8 * 10 / 3600, rel=0.03)
    assert best.candidate.wish.jobs <= 8


def test_cost_of_nodes_licences_and_power(tmp_path):
    of = deck(tmp_path, (1,), lambda n: 1e6 / 3.6)
    free = at_prices(cluster(1), None, 0.0, 0.0)
    best = search(of, free, Question(Objective.cost, licence_hour=36.0)).best
    assert best.money == pytest.approx(36.0 * 10 / 3600, rel=0.03)  # one core at full speed
    dear = at_prices(cluster(1), 1.0, 0.0, 36.0)
    best = search(of, dear, Question(Objective.cost)).best
    assert best.candidate.wish.jobs == 8
    assert best.money == pytest.approx(36.0 * 10 / 0.7 / 3600 / 8, rel=0.03)


def test_deadline_and_licences_are_kept(tmp_path):
    of = deck(tmp_path, (1, 2, 4, 8, 16), lambda n: 1e7 / n)  # 360 s of work
    found = search(of, cluster(4), Question(deadline=100.0, licences=20))
    assert found.allowed
    assert all(s.elapsed <= 100.0 and s.candidate.cores <= 20 for s in found.allowed)
    assert any(s.elapsed > 100.0 for s in found.scores)
    with pytest.raises(
        AdviceError, match=r"--deadline: nothing on small with 4 licences ends within 20 s; the"
    ):
        search(of, cluster(4), Question(deadline=20.0, licences=4))


def test_the_front_is_what_nothing_beats(tmp_path):
    of = deck(tmp_path, (1, 2, 4, 8, 16, 32), lambda n: 1e6 + 1e7 / n, exchanges=1)
    allowed = search(of, cluster(4), Question()).allowed
    front = front_of(allowed)

    def figures(s):
        return (s.elapsed, s.wh, s.money)

    for score in allowed:
        beaten = any(all(a <= b for a, b in zip(figures(f), figures(score), strict=True)) for f in front)
        assert beaten
    for a in front:
        assert not any(
            b is not a and all(x <= y for x, y in zip(figures(b), figures(a), strict=True)) for b in front
        )


def test_scaling_stops_where_work_does_not_become_less(tmp_path):
    """Of 2 + 8 / n: 10, 6, 4 and 3 ms a cycle; the step to 8 ranks is worth 1.33 times, 1.41 are wanted."""
    even = with_node(cluster(8), cpu=replace(cluster().node.cpu, rate_when_busy=EVEN))
    of = deck(tmp_path, (1, 2, 4, 8), lambda n: 2e6 + 8e6 / n)
    found = scaling_of(search(of, even, Question()), "")
    assert (found.at.candidate.sharing.ranks, found.next.candidate.sharing.ranks) == (4, 8)
    first, seconds = next(iter(losses(found.at, found.next).items()))
    assert first == "work"
    assert seconds == pytest.approx((3 - 2) * 1e-3 * 36_000, rel=0.01)


def test_scaling_stops_where_collectives_take_over(tmp_path):
    slow = with_network(cluster(8), latency=2e-3)
    of = deck(tmp_path, (8, 16, 32, 64), lambda n: 40e6 / n, reductions=1)
    found = scaling_of(search(of, slow, Question()), "")
    assert found.at.candidate.sharing.ranks == 8
    assert next(iter(losses(found.at, found.next))) == "collectives"


def test_scaling_ends_with_the_cores(tmp_path):
    of = deck(tmp_path, (1, 2, 4, 8), lambda n: 8e6 / n)
    found = scaling_of(search(of, cluster(1), Question()), "small has 8 cores")
    assert (found.at.candidate.sharing.ranks, found.next) == (8, None)


@pytest.mark.parametrize(
    ("exchanges", "work", "kind"), [(40, 1e5, "network"), (0, 1e8, "CPU"), (40, 1e8, "CPU")]
)
def test_the_upgrade_that_pays(tmp_path, exchanges, work, kind, monkeypatch):
    """Small messages between all nodes of Gigabit Ethernet, or nothing but work.

    A node of today holds the whole job, which then needs no network; so there are only older ones here.
    """

    def older(kind):
        return {k: e for k, e in entries_of(kind).items() if kind != "cpu" or e.cores.value <= 6}

    monkeypatch.setattr(shop, "entries_of", older)
    path = CLUSTERS / "opteron-2382-gige.toml"
    of = deck(tmp_path, (192,), lambda _: work, exchanges=exchanges)
    found = upgrades_of(
        path,
        read_cluster(path),
        Question(Objective.time),
        lambda c: c,
        lambda c: search(of, c, Question(Objective.time)),
    )
    assert found[0].part.kind == kind
    assert found[0].gain > 0.1
    assert {u.part.kind for u in found} == {"network", "CPU", "memory"}
    assert all(u.part.better > 1 for u in found)


def test_a_file_system_pays_where_writing_takes_all_the_time(tmp_path):
    path = CLUSTERS / "opteron-2382-gige.toml"
    of = deck(tmp_path, (8,), lambda _: 1e4)
    ask = Question(Objective.time, written=1e10)
    found = upgrades_of(path, read_cluster(path), ask, lambda c: c, lambda c: search(of, c, ask))
    assert found[0].part.kind == "file system"


def test_counts_that_are_tried():
    counts = rank_counts(cluster(4), 1_000_000, 1024)
    assert counts == [1, 2, 4, 8, 12, 16, 24, 32]
    assert rank_counts(cluster(4), 1_000_000, 10) == [1, 2, 4, 8, 10]
    assert rank_counts(cluster(4), 100, 1024) == [1, 2, 4, 5]
    assert job_counts(8, 24) == [1, 8, 16, 24]
    assert job_counts(8, 3) == [1, 3]


def test_every_candidate_has_a_place_and_threads_their_cores():
    whole = cluster(3)
    sharings = [DeckSharing(n, "rcb") for n in (1, 3, 8, 12, 24)]
    found = candidates(whole, sharings, None, 24 * GAINS[0][0])
    assert len(found) == len(set(found))
    for candidate in found:
        places = placed(whole, candidate).places
        for where in {place for job in places for place in job}:
            assert sum(job.count(where) for job in places) * candidate.threads <= 4
    alone = candidates(whole, sharings, None, 10 * GAINS[0][0])  # ranks of too few elements have one thread
    assert {c.sharing.ranks for c in alone if c.threads == 2} == {1, 3, 8}
    assert {c.gain for c in alone if (c.threads, c.sharing.ranks) == (2, 1)} == {GAINS[-1][1]}
    team = threaded(whole, 2, 1.5).node.cpu
    assert (team.cores, team.factor(1)) == (2, 1.0)
    assert team.rate_double == pytest.approx(1.5 * 0.9 * ELEMENT_RATE)
    assert team.rate_double * team.factor(2) == pytest.approx(1.5 * 0.7 * ELEMENT_RATE)


@pytest.mark.parametrize(
    ("text", "seconds"), [("8h", 28800), ("90 min", 5400), ("90m", 5400), ("1.5d", 129600), ("30", 30)]
)
def test_times(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["soon", "8 hours", "-1h", "0", "h", "1e400"])
def test_what_is_no_time(text):
    with pytest.raises(AdviceError, match="--deadline"):
        seconds_of(text)


def test_what_cannot_be_asked():
    with pytest.raises(AdviceError, match="there are no prices"):
        check(Question(Objective.cost), at_prices(cluster(), None, 0.0, 0.0))
    dark = with_node(cluster(), peak_watts=0.0)
    with pytest.raises(AdviceError, match="a kWh has a price, and the power of the nodes of small is not"):
        check(Question(Objective.cost), dark)
    check(Question(Objective.cost), at_prices(dark, None, 0.0, 1.0))
    with pytest.raises(AdviceError, match="the power of the nodes of small is not known"):
        check(Question(Objective.energy), with_node(cluster(), peak_watts=0.0))


def test_all_of_it_without_the_simulator(tmp_path):
    path = CLUSTERS / "5160-infiniband-sdr.toml"
    there = read_cluster(path)
    of = deck(tmp_path, tuple(rank_counts(there, 100_000, 8)), lambda n: 1e6 / n, exchanges=1)
    how = SearchEffort(most_ranks=8, simulate=0, decompositions=("rcb",))
    a = advise(of, path, there, lambda c: c, Question(Objective.time), how, lambda _: None)
    assert a.best[0].label == "modelled"
    assert a.errors == []
    assert a.scaling.limit == "--most-ranks 8"


def test_a_deadline_is_kept_in_the_simulation_too(tmp_path, monkeypatch):
    """What by the model is just in time, and in a simulation not, is left for the next best."""
    of = deck(tmp_path, (1, 2, 4, 8), lambda n: 1e6 / n)
    modelled = {s.candidate: s for s in search(of, cluster(1), Question()).scores}
    first = search(of, cluster(1), Question()).best
    found = search(of, cluster(1), Question(deadline=1.2 * first.elapsed))

    def late(_deck, _cluster, _question, chosen, *_):
        return {
            c: replace(
                modelled[c], label="simulated", elapsed=modelled[c].elapsed * (1 + (c == first.candidate))
            )
            for c in chosen
        }

    monkeypatch.setattr(advice, "simulate", late)
    best = advice.best_few(of, found, SearchEffort(simulate=1), {}, lambda *_: None)
    assert [s.candidate for s in best] != [first.candidate]
    assert best[0].elapsed <= 1.2 * first.elapsed
    monkeypatch.setattr(advice, "ROUNDS", 1)
    with pytest.raises(AdviceError, match="the 1 best end in time by the model, but not in the simulation"):
        advice.best_few(of, found, SearchEffort(simulate=1), {}, lambda *_: None)
