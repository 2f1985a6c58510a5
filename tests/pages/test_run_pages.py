"""The report, the watch and the viewer in Chromium: click, slide, pick, compare with the files, and look."""

import re

import numpy as np
import pytest
from command_line import crumple
from page_browser import BrowserPage, chromium
from viewer_process import viewer_of
from watch_process import start_watch

from crumple.api.results_folder import Results


def largest(results: Results, state: int) -> np.ndarray:
    """The largest plastic strain of each solid and shell."""
    return np.concatenate([k.plastic_strain[state].max(axis=1) for k in (results.solids, results.shells)])


def curve_of(page: BrowserPage, inside: str, name: str) -> tuple[list[float], list[float]]:
    """The times and values of a curve that a chart has drawn."""
    found = page.until(
        f"(() => {{ for (const plot of document.querySelectorAll('{inside} .js-plotly-plot'))"
        f" for (const one of plot.data) if (one.name === '{name}') return [[...one.x], [...one.y]];"
        "return null; })()"
    )
    return found[0], found[1]


def pick(page: BrowserPage, part: int) -> dict:
    """Click on a face of a part, and return what the viewer has picked."""
    place = page.value(
        "(() => { const v = viewer.views[0], b = v.canvas.getBoundingClientRect(), f = v.geometry.faces;"
        "for (let k = 0; k < f.length / 4; ++k) {"
        f"if (v.parts[v.geometry.parts[k]].id !== {part}) continue;"
        "const c = [0, 1, 2].map((j) => [0, 1, 2, 3].reduce((s, q) => s + v.x[3 * f[4 * k + q] + j], 0) / 4);"
        "const [x, y] = v.scene.onScreen(...c).map(Math.round);"
        "if (v.pick(x, y)?.face === k) return [b.x + x, b.y + y]; } return null; })()"
    )
    assert place
    page.page.mouse.click(*place)
    page.until("!!(viewer.picked.picks.length && viewer.picked.picks[0].history)")
    return page.value("viewer.picked.picks[0]")


def test_the_report(runs):
    folder, _ = runs
    results = Results(folder)
    with chromium() as page:
        page.page.goto((folder / "report.html").as_uri())
        times, values = curve_of(page, "#energies", "internal")
        rows = results.glstat["internal_energy"]
        assert len(times) == len(rows)
        assert values[-1] == pytest.approx(rows.iloc[-1], rel=1e-3)
        page.page.click("nav a[href='#forces']")
        page.until("Math.abs(document.querySelector('#forces').getBoundingClientRect().top) < 150")
        chart = page.page.locator("#energies .js-plotly-plot").first
        chart.hover(position={"x": 300, "y": 150})
        page.until("document.querySelectorAll('#energies .hoverlayer > *').length > 0")
        page.page.mouse.move(5, 5)
        page.until("document.querySelectorAll('#energies .hoverlayer > *').length === 0")  # they fade
        assert page.value("document.querySelector('#picture img').naturalWidth") > 500
        assert str(len(results.shells.ids) + len(results.solids.ids)) in page.page.inner_text("#summary")
        page.look_at("#energies", "report")  # what the run says of the machine is above and below
        page.look_at("#forces", "report-forces")


def test_the_watch(runs):
    folder, _ = runs
    results = Results(folder)
    watch = start_watch(folder)
    try:
        with chromium() as page:
            page.page.goto(watch.address)
            times, values = curve_of(page, "#energies", "internal")
            assert values[-1] == pytest.approx(results.glstat["internal_energy"].iloc[-1], rel=1e-4)
            page.until("document.querySelector('#size').textContent !== ''")
            assert page.page.input_value("#which") == str(len(results.times) - 1)
            page.slide("#which", 3)
            page.until("document.querySelector('#when').textContent.startsWith('4 of')")
            said = page.page.inner_text("#when").rpartition("t = ")[2].split()[0]
            assert float(said) == pytest.approx(results.times[3], rel=1e-3)
            page.page.click("[data-view=z]")
            box = page.page.locator("#scene").bounding_box()
            page.page.mouse.click(box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2 + 40)
            page.until("!document.querySelector('#picked').hidden")
            titles = [str(title) for title in results.parts["title"]]
            assert any(title in page.page.inner_text("#part") for title in titles)
            page.page.click("#hide")
            page.until("!document.querySelector('#all').hidden")
            page.page.click("#all")
            page.page.click("[data-view=iso]")
            page.page.check("#follow")
            page.until(f"document.querySelector('#which').value === '{len(results.times) - 1}'")
            gone = sum(int((~k.alive[-1]).sum()) for k in (results.solids, results.shells))
            assert re.search(rf"\b{gone}\b", page.page.inner_text("#deletions")), (
                "the elements that were deleted"
            )
            page.until(f"document.querySelector('#scene').dataset.drawn === '{len(results.times) - 1}'")
            page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            page.look_at("#energies", "watch")
            page.look_at("#model", "watch-model")
    finally:
        watch.end()


def test_the_viewer(runs):
    folder, _ = runs
    results = Results(folder)
    with viewer_of(str(folder)) as viewer, chromium() as page:
        page.page.goto(viewer.address)
        page.until("!!document.querySelector('.frame')?.dataset.complete")
        page.slide("#which", 5)
        page.until("document.querySelector('.frame').dataset.drawn === '5'")
        expected = largest(results, 5)
        shown = page.value("[...viewer.views[0].shownValues]")
        assert np.allclose(shown[: len(expected)], expected, rtol=1e-6)
        found = pick(page, 1)
        place = int(np.flatnonzero(results.shells.ids == found["element"])[0])
        strains = [results.shells.plastic_strain[k][place].max() for k in range(len(results.times))]
        assert found["history"] == pytest.approx(strains, rel=1e-6)
        assert str(found["nodeId"]) in page.page.inner_text(".pick")
        page.page.check("#planes")
        page.until("!!viewer.views[0].scene.shapes?.length")
        page.look("viewer")


def test_two_runs_are_compared(runs):
    with viewer_of(*map(str, runs)) as viewer, chromium() as page:
        page.page.goto(viewer.address)
        page.until("[...document.querySelectorAll('.frame')].filter((f) => f.dataset.complete).length === 2")
        page.page.select_option("#mode", "all")
        largest_of = [
            max(float(largest(Results(f), k).max()) for k in range(len(Results(f).times))) for f in runs
        ]
        page.until(f"Math.abs(viewer.views[1].scene.range[1] - {max(largest_of)!r}) < 1e-5")
        page.look("two-runs")


def test_a_page_of_its_own(runs, tmp_path):
    folder, _ = runs
    results = Results(folder)
    assert crumple("view", str(folder), "-o", "all.html", directory=tmp_path).returncode == 0
    with chromium() as page:
        page.page.goto((tmp_path / "all.html").as_uri())
        page.until("!!document.querySelector('.frame')?.dataset.complete")
        page.page.select_option("#field", "displacement")
        page.slide("#which", 4)
        page.until("viewer.drawn === 4")
        page.until("viewer.views[0].shownValues.length === viewer.views[0].geometry.node_ids.length")
        at = results.nodes(*page.value("[...viewer.views[0].geometry.node_ids]"))
        far = np.linalg.norm(results.displacement[4][at], axis=1)
        expected = pytest.approx(far.tolist(), abs=float(far.max()) / 20000)
        assert page.value("[...viewer.views[0].shownValues]") == expected
        page.look("own-page")
