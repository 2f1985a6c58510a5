"""`crumple advise` on a small deck, solver, traces and simulator included; and everything that is refused."""

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import crumple

from crumple.lab.simulate.simulator_program import HEADER

CLUSTERS = Path(__file__).parents[3] / "benchmarks/clusters"
CLUSTER = str(CLUSTERS / "5160-infiniband-sdr.toml")
FEW = ("--cycles", "40:60", "--most-ranks", "8", "--decomposition", "rcb", "--kwh", "0.3", "--pue", "1.5")


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """Recordings of the small deck, of whichever test is the first to need them."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.skipif(not HEADER.exists() or not shutil.which("g++"), reason="SimGrid is not installed")
@pytest.mark.slow
def test_advice_on_a_deck(three_vehicles, cache, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(cache))
    deck = tmp_path / "<b>deck.k"
    shutil.copy(three_vehicles, deck)
    ask = ("advise", str(deck), "--cluster", CLUSTER, *FEW, "--objective", "time", "--simulate", "2")
    done = crumple(*ask, directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for words in (
        "least elapsed time of a job",
        "simulated",
        "modelled",
        "scal",
        "the upgrade",
        "measured on",
    ):
        assert words in done.stdout
    busy = "the machine was busy" in done.stdout
    assert busy == (float(next(cache.glob("advise/*/load")).read_text()) > 1)
    page = (tmp_path / "advice.html").read_text()
    assert "<b>deck" not in page
    assert "&lt;b&gt;deck.k" in page
    pictures = {p.name for p in (tmp_path / "advice").iterdir()}
    assert pictures >= {"time-energy.png", "time-cost.png", "scaling.png", "parts.png", "energy.png"}

    again = crumple(*ask, "--json", directory=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "running" not in again.stderr  # recordings are kept
    data = json.loads(again.stdout)
    assert data == json.loads(crumple(*ask, "--json", directory=tmp_path).stdout)
    assert [s["label"] for s in data["best"]] == ["simulated"] * 2
    assert data["best"][0]["elapsed"] <= data["best"][1]["elapsed"]
    assert {s["label"] for s in data["front"]} <= {"simulated", "modelled"}
    assert all(abs(e) < 0.3 for e in data["model_over_simulation"])
    assert data["pue"] == 1.5
    assert data["scaling"]["because"]
    assert data["upgrades"]
    look_at_the_page(tmp_path / "advice.html", data)


def look_at_the_page(path: Path, data: dict) -> None:
    """In Chromium: the best few are first, the charts draw the figures, a click goes to a section."""
    from page_browser import chromium

    with chromium() as page:
        page.page.goto(path.as_uri())
        rows = page.page.locator("#best tbody tr")
        assert rows.count() == len(data["best"])
        drawn = page.until(
            "(() => { const p = document.querySelector('#pareto-front .js-plotly-plot');"
            "return p && p.data.map((one) => [one.name, [...one.x]]); })()"
        )
        (best,) = [x for name, x in drawn if name.startswith("the best few")]
        assert best == pytest.approx([s["elapsed"] for s in data["best"]])
        page.page.click("nav a[href='#upgrades']")
        page.until("Math.abs(document.querySelector('#upgrades').getBoundingClientRect().top) < 150")
        assert page.value("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["none.k", "--cluster", CLUSTER], "there is no deck none.k"),
        (["deck.k", "--cluster", "none.toml"], "none.toml: No such file"),
        (["deck.k", "--cluster", "empty.toml"], "empty.toml:3: nodes: a cluster has 1 node or more, not 0"),
        (["deck.k", "--cluster", CLUSTER, "--deadline", "soon"], "--deadline soon: give a time such as 8h"),
        (["deck.k", "--cluster", CLUSTER, "--written", "much"], "--written much: give bytes"),
        (["deck.k", "--cluster", CLUSTER, "--objective", "cost"], "there are no prices: give --node-hour"),
        (["deck.k", "--cluster", CLUSTER, "-o", "page.pdf"], "-o page.pdf: the page must end with .html"),
        (["deck.k", "--cluster", CLUSTER, "-o", "no/page.html"], "it cannot be written there"),
        (["deck.k", "--cluster", CLUSTER, "--decomposition", "scotch"], "there are rcb and metis"),
        (["deck.k", "--cluster", CLUSTER, "-p", "none"], "--pfile none: there is no such file"),
        (["deck.k", "--cluster", CLUSTER, "--cycles", "many"], "--cycles many: give cycles"),
        (["deck.k", "--cluster", CLUSTER, "--licences", "0"], "--licences"),
    ],
)
def test_bad_questions(options, says, tmp_path):
    (tmp_path / "deck.k").write_text("*KEYWORD\n*END\n")
    (tmp_path / "empty.toml").write_text('[cluster]\nname = "x"\nnodes = 0\n')
    done = crumple("advise", *options, "--simulate", "0", directory=tmp_path)
    assert done.returncode == 2
    assert says in " ".join((done.stdout + done.stderr).split())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deck.k", "empty.toml"]


def test_without_simgrid_nothing_is_run(three_vehicles, tmp_path, monkeypatch):
    """An installation without SimGrid: said before the deck is run, and --simulate 0 does without it."""
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "sitecustomize.py").write_text(
        "from pathlib import Path\n"
        "import crumple.lab.simulate.simulator_program as program\n"
        "program.HEADER = Path('/none'); program.BUILDS = Path('/none')\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = crumple("advise", str(three_vehicles), "--cluster", CLUSTER, directory=tmp_path)
    assert done.returncode == 2
    assert "SimGrid is not installed" in done.stdout
    assert not (tmp_path / "cache").exists()


def test_a_deadline_that_cannot_be_kept(three_vehicles, cache, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(cache))
    short = ("--deadline", "0.001s", "--simulate", "0", "--licences", "2")
    done = crumple("advise", str(three_vehicles), "--cluster", CLUSTER, *FEW, *short, directory=tmp_path)
    assert done.returncode == 2
    # The element rate is measured here, so either may come first.
    fastest = "(2 ranks|1 rank of 2 threads)"
    said = (
        f"nothing on 5160-infiniband-sdr with 2 licences ends within 0.001 s; the fastest, {fastest}, takes"
    )
    assert re.search(said, done.stdout), done.stdout
    assert not (tmp_path / "advice.html").exists()
