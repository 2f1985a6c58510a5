"""Which parts are proposed, and that order and words follow what is known at the end."""

from dataclasses import replace
from pathlib import Path

import pytest
from small_clusters import cluster
from test_advice_by_hand import CLUSTERS, deck

from crumple.lab.advise import advice
from crumple.lab.advise.advice import SearchEffort, advise
from crumple.lab.advise.question import Objective, Question
from crumple.lab.advise.scaling import scaling_of
from crumple.lab.advise.search import search
from crumple.lab.advise.shop import Shop, current, network_speed, node_rate
from crumple.lab.advise.show_advice import (
    other_upgrades,
    scaling_lines,
    shown_upgrades,
    upgrade_data,
    upgrade_line,
)
from crumple.lab.advise.upgrades import in_order, upgrades_of
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.entries import entries_of

FILES = sorted(f for f in CLUSTERS.glob("*.toml") if not f.name.endswith(".platform.toml"))
ASK = Question(Objective.time)


def shelves(path: Path) -> dict:
    """Parts of each kind."""
    found = Shop(path, lambda c: c, read_cluster(path)).parts()
    return {parts[0].kind: parts for parts in found}


def write(folder: Path, name: str, old: str = "", new: str = "") -> Path:
    """A cluster file of the benchmarks with something else in it."""
    text = (CLUSTERS / f"{name}.toml").read_text()
    assert old in text
    path = folder / f"{name}.toml"
    path.write_text(text.replace(old, new, 1) if old else text)
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda f: f.stem)
def test_only_what_is_better_and_not_older_is_proposed(path):
    there = read_cluster(path)
    for kind, parts in shelves(path).items():
        for part in parts:
            assert "none" not in part.name
            assert part.better > 1
            assert part.cluster.nodes == there.nodes
            if kind == "network":
                assert network_speed(part.cluster) > network_speed(there)
                assert part.cluster.network.name != there.network.name
                assert part.year >= there.years["network"]
                use = next(k for k, e in entries_of("network").items() if e.name == part.cluster.network.name)
                names = {entries_of("topology")[s].name for s in entries_of("network")[use].switches}
                assert part.cluster.topology.name in names
            if kind == "CPU":
                assert node_rate(part.cluster) > node_rate(there)
                assert part.cluster.node.cpu.name != there.node.cpu.name
                assert part.cluster.node.sockets == there.node.sockets


def test_current_hardware_is_among_them():
    """The newest of the catalogue, whatever is there."""
    for path in FILES:
        for kind, parts in shelves(path).items():
            newest = {"network": "infiniband-ndr", "CPU": "epyc-9654", "file system": "parallel-nvme"}.get(
                kind
            )
            if newest:
                assert newest in current(parts).name


def test_the_next_step_and_the_current(tmp_path):
    path = CLUSTERS / "opteron-2382-infiniband-ddr.toml"
    of = deck(tmp_path, (192,), lambda _: 1e5, exchanges=40)
    found = upgrades_of(path, read_cluster(path), ASK, lambda c: c, lambda c: search(of, c, ASK))
    by_kind = {kind: [u.part.name for u in found if u.part.kind == kind] for kind in ("network", "CPU")}
    assert sorted(by_kind["CPU"]) == ["2x-epyc-9654", "2x-xeon-x5570"]
    assert sorted(by_kind["network"]) == ["infiniband-ndr with star-infiniband-ndr", "infiniband-qdr"]
    assert [u.part.kind for u in found][-1] == "memory"  # it cannot be bought alone
    assert all(u.part.what_if == (u.part.kind == "memory") for u in found)


def test_the_same_entry_is_no_upgrade(tmp_path):
    """The entry itself is better than what the file gives over it, and still the same."""
    path = write(
        tmp_path,
        "opteron-2382-infiniband-ddr",
        'use = "infiniband-ddr"',
        'use = "infiniband-ddr"\nbandwidth = 1e9',
    )
    assert not any("infiniband-ddr" in part.name for part in shelves(path)["network"])
    path = write(
        tmp_path,
        "opteron-2382-gige",
        'use = "2x-opteron-2382"',
        'use = "2x-opteron-2382"\n[cpu]\nclock = 1e9',
    )
    assert not any("opteron-2382" in part.name for part in shelves(path)["CPU"])


def test_nothing_better_than_the_newest(tmp_path):
    path = write(tmp_path, "opteron-2382-infiniband-ddr", 'use = "infiniband-ddr"', 'use = "infiniband-ndr"')
    assert "network" not in shelves(path)
    path = write(tmp_path, "opteron-2382-gige", 'use = "2x-opteron-2382"', 'use = "2x-epyc-9654"')
    assert {"CPU", "memory"}.isdisjoint(shelves(path))


def test_switches_of_the_network_that_is_there():
    parts = shelves(CLUSTERS / "e5430-10gige-three-hops.toml")["switches"]
    assert [part.name for part in parts] == ["star-10gige"]
    assert "switches" not in shelves(CLUSTERS / "opteron-2382-gige.toml")


def test_one_socket_stays_one_socket():
    """No node of the catalogue has one: it is the file's own with the other processor."""
    parts = shelves(CLUSTERS / "two-cores.toml")
    assert set(parts) == {"CPU", "memory", "file system"}
    assert {part.cluster.node.sockets for part in parts["CPU"]} == {1}


def made_up_simulations(monkeypatch, longer) -> list[str]:
    """Simulations that take as many times as long as the model's answer as `longer` says; parts simulated."""
    asked = []

    def simulate(of, there, question, chosen, *_):
        if chosen:
            asked.append(there.node.cpu.name + ", " + there.network.name)
        modelled = {s.candidate: s for s in search(of, there, question).scores}

        def exact(c):
            seconds = modelled[c].elapsed * longer(there, c)
            return replace(modelled[c], label="simulated", elapsed=seconds, low=seconds, high=seconds)

        return {c: exact(c) for c in chosen}

    monkeypatch.setattr(advice, "simulate", simulate)
    monkeypatch.setattr(advice, "make_traces", lambda *_: None)
    return asked


def test_the_ranking_is_that_of_the_simulation(tmp_path, monkeypatch):
    """What the model has first turns out to be slower than what is there: another one is recommended."""
    path = CLUSTERS / "opteron-2382-infiniband-ddr.toml"
    there = read_cluster(path)
    of = deck(tmp_path, (64, 192), lambda _: 1e5, exchanges=40)
    asked = made_up_simulations(monkeypatch, lambda c, _: 10.0 if "EPYC" in c.node.cpu.name else 1.1)
    a = advise(of, path, there, lambda c: c, ASK, SearchEffort(simulate=2), lambda _: None)
    modelled = upgrades_of(path, there, ASK, lambda c: c, lambda c: search(of, c, ASK))
    assert "epyc" in modelled[0].part.name
    first = a.upgrades[0]
    assert first.part.name == "infiniband-ndr with star-infiniband-ndr"
    assert first.label == "simulated"
    assert first.gain == pytest.approx(1 - first.best.elapsed / a.best[0].elapsed)
    assert a.upgrades == in_order(a.upgrades)
    assert first.part.name in upgrade_line(a) and "(simulated; its price is not counted)" in upgrade_line(a)
    epyc = next(u for u in a.upgrades if "epyc" in u.part.name and u.part.kind == "CPU")
    assert epyc.label == "simulated" and epyc.gain < 0
    assert epyc not in shown_upgrades(a)
    assert any("2x-epyc-9654" in line for line in other_upgrades(a))
    assert len([name for name in asked if "EPYC" in name]) == 1
    data = upgrade_data(first)
    assert data["to"] == first.part.name and data["best"]["label"] == "simulated"
    assert data["best"]["elapsed"] == first.best.elapsed


def test_an_upgrade_that_is_late_in_the_simulation_is_none(tmp_path, monkeypatch):
    path = CLUSTERS / "opteron-2382-infiniband-ddr.toml"
    there = read_cluster(path)
    of = deck(tmp_path, (192,), lambda _: 1e5, exchanges=40)
    limit = 1.05 * search(of, there, ASK).best.elapsed
    made_up_simulations(monkeypatch, lambda c, _: 100.0 if "EPYC" in c.node.cpu.name else 1.0)
    ask = replace(ASK, deadline=limit)
    a = advise(of, path, there, lambda c: c, ask, SearchEffort(simulate=1), lambda _: None)
    epyc = next(u for u in a.upgrades if "epyc" in u.part.name and u.part.kind == "CPU")
    assert epyc.found is None and epyc.label == "simulated"
    assert any("not within the limits: CPU 2x-epyc-9654" in line for line in other_upgrades(a))
    assert "epyc" not in upgrade_line(a)


def test_the_best_and_the_front_are_in_the_order_of_the_simulation(tmp_path, monkeypatch):
    path = CLUSTERS / "5160-infiniband-sdr.toml"
    there = read_cluster(path)
    of = deck(tmp_path, (1, 2, 4, 8, 16), lambda n: 1e6 / n)
    first = search(of, there, ASK).best.candidate
    made_up_simulations(monkeypatch, lambda _, c: 3.0 if c == first else 1.0)
    a = advise(of, path, there, lambda c: c, ASK, SearchEffort(simulate=3), lambda _: None)
    assert [s.elapsed for s in a.best] == sorted(s.elapsed for s in a.best)
    assert a.best[0].candidate != first
    assert a.front[0].elapsed <= a.best[0].elapsed
    figures = [(s.elapsed, s.wh, s.money) for s in a.front]
    for mine in figures:
        assert not any(
            other != mine and all(x <= y for x, y in zip(other, mine, strict=True)) for other in figures
        )


def test_scaling_goes_on_where_the_simulation_finds_it_worth_it(tmp_path, monkeypatch):
    """The model stops at 4 ranks; simulated, 8 are twice as fast, so the words must not say to stop at 4."""
    of = deck(tmp_path, (1, 2, 4, 8, 16), lambda n: 2e6 + 8e6 / n)
    found = search(of, cluster(8), Question())
    before = scaling_of(found, "")
    assert before.at.candidate.sharing.ranks == 4
    made_up_simulations(monkeypatch, lambda _, c: 0.6 if c.sharing.ranks == 8 else 1.0)
    after = advice.settled_scaling(of, before, found, SearchEffort(), {}, lambda *_: None)
    assert after.at.candidate.sharing.ranks == 8
    assert (after.at.label, after.next.label) == ("simulated", "simulated")
    made_up_simulations(monkeypatch, lambda *_: 1.0)
    after = advice.settled_scaling(of, before, found, SearchEffort(), {}, lambda *_: None)
    assert after.at.candidate.sharing.ranks == 4


def test_what_is_too_long_to_simulate_stays_modelled(tmp_path, monkeypatch):
    path = CLUSTERS / "opteron-2382-infiniband-ddr.toml"
    of = deck(tmp_path, (64, 192), lambda _: 1e5, exchanges=40)
    monkeypatch.setattr(advice, "simulate", lambda *_: {})
    monkeypatch.setattr(advice, "make_traces", lambda *_: None)
    a = advise(of, path, read_cluster(path), lambda c: c, ASK, SearchEffort(), lambda _: None)
    assert {u.label for u in a.upgrades} == {"modelled"}
    assert "(modelled; its price is not counted)" in upgrade_line(a)
    assert {s.label for s in (*a.best, *a.front)} == {"modelled"}
    assert "modelled" in scaling_lines(a)[0]
