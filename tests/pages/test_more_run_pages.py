"""The page beside a picture and the report of an implicit run in Chromium: turn, hover, compare, look."""

import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import crumple
from page_browser import chromium

from crumple.api.results_folder import Results
from crumple.results.convergence import read_convergence

sys.path.append(str(Path(__file__).resolve().parents[1] / "view"))

SCENE = "document.querySelector('.js-plotly-plot')"


def test_the_page_beside_a_picture(runs, tmp_path):
    folder, _ = runs
    results = Results(folder)
    done = crumple("view", str(folder), "-o", "a.png", "--state", "3", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    with chromium() as page:
        page.page.goto((tmp_path / "a.html").as_uri())
        page.until(f"!!{SCENE}?._fullLayout?.scene?._scene?.glplot")
        x, y, z = (np.array(page.value(f"[...{SCENE}.data[0].{axis}]")) for axis in "xyz")
        at = results.nodal("position")[3]
        used = np.unique(np.concatenate([k.node_ids.ravel() for k in (results.shells, results.solids)]))
        at = at[results.nodes(*used)]
        assert [x.min(), y.min(), z.min()] == pytest.approx(at.min(axis=0), abs=1e-4)
        assert [x.max(), y.max(), z.max()] == pytest.approx(at.max(axis=0), abs=1e-4)
        said = page.value(f"{SCENE}.layout.title.text")
        assert said == f"A plate that is torn, t = {results.times[3]:.6g} ms"
        page.look("picture-page")
        before = page.value(f"JSON.stringify({SCENE}._fullLayout.scene._scene.getCamera().eye)")
        page.page.mouse.move(600, 400)
        page.page.mouse.down()
        page.page.mouse.move(700, 430, steps=5)
        page.page.mouse.up()
        page.until(f"JSON.stringify({SCENE}._fullLayout.scene._scene.getCamera().eye) !== '{before}'")


def test_the_report_of_an_implicit_run(tmp_path):
    from test_implicit_report import pressed_block

    (tmp_path / "deck.k").write_text(pressed_block())
    for words in (("run", "deck.k", "-n", "1"), ("report", ".")):
        done = crumple(*words, directory=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    of = read_convergence(tmp_path / "convergence.jsonl")
    with chromium() as page:
        page.page.goto((tmp_path / "report.html").as_uri())
        page.page.click("nav a[href='#convergence']")
        page.until("Math.abs(document.querySelector('#convergence').getBoundingClientRect().top) < 150")
        plot = "document.querySelector('#convergence .js-plotly-plot')"
        drawn = page.until(f"{plot}?.data && {plot}.data.map((one) => [...one.y])")
        assert np.sum(drawn, axis=0).tolist() == of.steps["iterations"].tolist()
        bar = page.page.locator("#convergence .js-plotly-plot .bars .point path").first.bounding_box()
        page.page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2, steps=3)
        page.until("document.querySelectorAll('#convergence .hoverlayer > *').length > 0")
        page.page.mouse.move(5, 5)
        page.until("document.querySelectorAll('#convergence .hoverlayer > *').length === 0")
        page.look_at("#convergence", "implicit-report")
