"""The page of simulations in Chromium: click, hover, compare with the figures, and look."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from command_line import crumple
from page_browser import chromium

from crumple.lab.simulate.simulator_program import HEADER

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "lab" / "simulate"))
CLUSTER = ROOT / "benchmarks/clusters/opteron-2382-gige.toml"

without_simgrid = not HEADER.exists() or not shutil.which("g++")
pytestmark = pytest.mark.skipif(without_simgrid, reason="SimGrid is not installed")


def rank_lines(rank: int) -> list[str]:
    """Ten cycles: rank 3 has twice the work, all sum up, neighbours exchange."""
    work = 2_000_000 if rank == 3 else 1_000_000
    after, before = (rank + 1) % 8, (rank - 1) % 8
    exchange = [f"irecv {before} 0 20000 6", f"isend {after} 0 20000 6", "waitall 2"]
    return [f"compute {work}", *exchange, "allreduce 8 0 6"] * 10


@pytest.fixture(scope="module")
def simulated(tmp_path_factory) -> tuple[Path, list[dict]]:
    """A page of a job alone and of two side by side, and the figures that it shows."""
    from small_clusters import write_trace

    folder = tmp_path_factory.mktemp("simulated")
    write_trace(folder / "trace", 8, rank_lines)
    ask = ("simulate", "trace", "--cluster", str(CLUSTER), "--jobs", "1,2", "--noise", "0", "--no-cache")
    done = crumple(*ask, "--report", "page.html", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    figures = crumple(*ask, "--json", directory=folder)
    assert figures.returncode == 0, figures.stdout + figures.stderr
    return folder / "page.html", json.loads(figures.stdout)


def test_the_page_of_simulations(simulated):
    path, (alone, shared) = simulated
    with chromium() as page:
        page.page.goto(path.as_uri())
        rows = page.page.locator("#all tbody tr")
        assert rows.count() == 2
        assert "2 jobs of 8 ranks" in rows.nth(1).inner_text()
        page.page.click("nav a[href='#simulation-2']")
        page.until("Math.abs(document.querySelector('#simulation-2').getBoundingClientRect().top) < 150")
        drawn = page.until(
            "(() => { const p = [...document.querySelectorAll('#simulation-1 .js-plotly-plot')].at(-1);"
            "return p && p.data.map((one) => [one.name, [...one.y]]); })()"
        )
        spent = dict(drawn)
        total = [sum(of[rank] for of in spent.values()) for rank in range(8)]
        assert total == pytest.approx([1e3 * alone["window"]["jobs"][0]] * 8, rel=0.03)
        waits = spent["waiting for late ranks"]
        assert waits.index(min(waits)) == 3
        assert shared["window"]["jobs"][0] >= alone["window"]["jobs"][0]
        page.page.locator("#simulation-1 .js-plotly-plot").first.hover(position={"x": 300, "y": 100})
        page.until("document.querySelectorAll('#simulation-1 .hoverlayer > *').length > 0")
        assert page.value("document.documentElement.scrollWidth <= window.innerWidth")
        page.page.mouse.move(5, 5)
        page.until("document.querySelectorAll('#simulation-1 .hoverlayer > *').length === 0")
        page.look_at("#simulation-1 > .card:last-child", "simulated")
