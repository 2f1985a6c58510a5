"""`crumple tune`: costs of elements measured by the real solver, and decompositions made by them."""

import json
import re

import pytest
from command_line import crumple

from crumple.lab.commands.tune_command import warnings
from crumple.lab.tune.costs_file import Costs, ElementCost, costs_to_use, stored_costs
from crumple.lab.tune.decks import Specimen, deck
from crumple.lab.tune.measure import Bench, wanted

TWO_FORMULATIONS = """*KEYWORD
*CONTROL_TERMINATION
1.0e-5
*MAT_ELASTIC
1,7.85e-9,210000.0,0.3
*SECTION_SHELL
1,2,0.0,2
1.0,1.0,1.0,1.0
*SECTION_SHELL
2,16,0.0,2
1.0,1.0,1.0,1.0
*PART
cheap
1,1,1
*PART
dear
2,2,1
"""


def strip_of_shells(length: int) -> str:
    """Half Belytschko-Tsay, half fully integrated, along x."""
    nodes = [f"{2 * i + j + 1},{float(i)},{float(j)},0.0" for i in range(length + 1) for j in range(2)]
    shells = [
        f"{i + 1},{1 if i < length // 2 else 2},{2 * i + 1},{2 * i + 3},{2 * i + 4},{2 * i + 2}"
        for i in range(length)
    ]
    return TWO_FORMULATIONS + "\n".join(["*NODE", *nodes, "*ELEMENT_SHELL", *shells, "*END", ""])


def costs_of(dear: float) -> Costs:
    """A file in which ELFORM 16 costs so many times ELFORM 2."""
    rows = [ElementCost("shell", 2, 1, 50.0, 25.0), ElementCost("shell", 16, 1, 50.0 * dear, 25.0 * dear)]
    return Costs({}, "", 0.0, {"double": rows, "single": rows})


def elements_of_ranks(stdout: str) -> list[int]:
    """The column of the balance."""
    return [int(m[1]) for m in re.finditer(r"^ +\d+ +(\d+) +[\d.]+ %", stdout, re.MULTILINE)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A strip of shells, and no costs but the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "strip.k").write_text(strip_of_shells(120))
    return tmp_path


def test_costs_are_those_of_work(tmp_path):
    bench = Bench("double", 2_500, 100, 1)
    shell = bench.cost("shell", 2, 24)
    assert 5 < shell.element + 5 * shell.point < 5_000
    assert shell.yield_ > 0
    assert bench.nanoseconds(Specimen("shell", 16, 24, 5, True)) > 1.3 * (
        shell.element + 5 * (shell.point + shell.yield_)
    )


@pytest.mark.parametrize("kind, elform, law", [(k, e, m) for k, e, m in wanted(False) if m != 24])
def test_every_specimen_is_a_deck(tmp_path, kind, elform, law):
    (tmp_path / "deck.k").write_text(deck(Specimen(kind, elform, law, 3, True), 30)[0])
    done = crumple("check", "--strict", "deck.k", directory=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("dear", [1.0, 3.0])
def test_ranks_share_measured_cost(folder, dear):
    costs_of(dear).write(folder / "costs.json")
    done = crumple("decompose", "strip.k", "-n", "2", "--costs", "costs.json", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    cheap, rest = elements_of_ranks(done.stdout)
    # 60 cheap and 60 dear: the cut is where both sides cost the same
    assert cheap == {1.0: 60, 3.0: 80}[dear] and cheap + rest == 120


def test_stored_costs_are_used_unless_told_otherwise(folder):
    costs_of(1.0).write(stored_costs())
    words = ("decompose", "strip.k", "-n", "2")
    assert elements_of_ranks(crumple(*words, directory=folder).stdout) == [60, 60]
    built_in = crumple(*words, "--costs", "built-in", directory=folder)
    assert elements_of_ranks(built_in.stdout)[0] > 60
    assert costs_to_use("built-in") == []


def test_results_do_not_depend_on_costs(folder):
    costs_of(7.0).write(folder / "costs.json")
    hashes = set()
    for costs in ("built-in", "costs.json"):
        done = crumple("run", "strip.k", "-n", "2", "--costs", costs, "-d", f"out-{costs}", directory=folder)
        hashes.add(re.search(r"state hash: (\w+)", done.stdout)[1])
    assert len(hashes) == 1


@pytest.mark.parametrize(
    "text, why",
    [
        ("{", "parse error"),
        ("{}", "double"),
        (json.dumps({"double": [{"kind": "sheel"}]}), "sheel"),
        (
            json.dumps(
                {"double": [{"kind": "shell", "elform": 2, "law": 1, "element": -9, "point": 1, "yield": 0}]}
            ),
            "not positive",
        ),
    ],
)
def test_damaged_costs(folder, text, why):
    (folder / "costs.json").write_text(text)
    done = crumple("decompose", "strip.k", "-n", "2", "--costs", "costs.json", directory=folder)
    assert done.returncode == 2
    assert "CR-P030" in done.stdout + done.stderr and why in done.stdout + done.stderr


def test_other_work_is_told():
    assert warnings(Costs({}, "", 0.5, {}), n_cores=2) == []
    assert "load average 0.60 on 2 cores" in warnings(Costs({}, "", 0.6, {}), n_cores=2)[0]


def test_missing_costs(folder):
    done = crumple("run", "strip.k", "-n", "1", "--costs", "nowhere.json", directory=folder)
    assert done.returncode == 2
    assert "nowhere.json" in done.stdout + done.stderr
