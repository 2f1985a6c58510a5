"""The page of advice in Chromium: what it says beside the advice, and its looks beside a reference."""

from types import SimpleNamespace

import pytest
from page_browser import chromium
from test_advice_by_hand import CLUSTERS, deck

from crumple.lab.advise.advice import Advice, SearchEffort, advise
from crumple.lab.advise.advice_page import write_page
from crumple.lab.advise.candidates import rank_counts
from crumple.lab.advise.question import Objective, Question
from crumple.lab.advise.show_advice import layout
from crumple.lab.catalogue.cluster import read_cluster


@pytest.fixture(scope="module")
def advice(tmp_path_factory) -> tuple[Advice, str]:
    """Modelled only, of made-up traces: the same figures on every machine."""
    folder = tmp_path_factory.mktemp("advice")
    path = CLUSTERS / "5160-infiniband-sdr.toml"
    there = read_cluster(path)
    of = deck(folder, tuple(rank_counts(there, 100_000, 16)), lambda n: 1e6 / n, exchanges=1)
    of.known = SimpleNamespace(traces=[trace for sharing, trace in of.traces.items() if sharing.ranks < 3])
    how = SearchEffort(most_ranks=16, simulate=0, decompositions=("rcb",))
    a = advise(of, path, there, lambda c: c, Question(Objective.time), how, lambda _: None)
    write_page(a, folder / "advice.html")
    return a, (folder / "advice.html").as_uri()


def test_the_page_of_advice(advice):
    a, address = advice
    with chromium() as page:
        page.page.goto(address)
        assert f"best: {layout(a.best[0])}" in page.value("document.querySelector('header').innerText")
        rows = page.page.locator("#best tbody tr")
        assert rows.count() == len(a.best)
        drawn = page.until(
            "(() => { const p = document.querySelector('#scaling .js-plotly-plot');"
            "return p && p.data.map((one) => [one.name, [...one.x], [...one.y]]); })()"
        )
        (modelled,) = [one for one in drawn if one[0] == "modelled"]
        assert modelled[1] == [s.candidate.sharing.ranks for s in a.scaling.curve]
        assert modelled[2] == pytest.approx([s.elapsed for s in a.scaling.curve])
        page.page.click("nav a[href='#scaling']")
        page.until("Math.abs(document.querySelector('#scaling').getBoundingClientRect().top) < 150")
        assert page.value("document.documentElement.scrollWidth <= window.innerWidth")
        page.look("advice")
