"""crumple view in a browser: states, fields, parts, picks, and two runs side by side."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser_session import BrowserSession, browser_session
from command_line import crumple
from small_decks import torn_plate
from viewer_process import Viewer, viewer_of

from crumple.api.results_folder import Results

HOSTILE = "<script>document.body.dataset.owned=1</script>"
IMAGE = "<img src=x onerror=document.body.dataset.owned=1>"
WALL = """*RIGIDWALL_PLANAR_ID
1,<b>wall</b>
0
0.,0.,-9.,0.,0.,-8.,0.1
"""


@pytest.fixture(scope="module")
def plate(tmp_path_factory) -> Path:
    """Results of a plate that is torn by a block, with names that a page must not read as HTML."""
    folder = tmp_path_factory.mktemp("plate")
    text = torn_plate().replace("*PART\npart 1\n", f"*PART\n{HOSTILE}\n")
    text = text.replace("*KEYWORD\n", f"*KEYWORD\n*TITLE\n{IMAGE}\n", 1).replace("*END", f"{WALL}*END")
    (folder / "deck.k").write_text(text)
    done = crumple("run", "deck.k", "-n", "1", "--units", "kg-mm-ms", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def viewer(plate) -> Iterator[Viewer]:
    with viewer_of(str(plate)) as found:
        yield found


@pytest.fixture(scope="module")
def page(viewer, tmp_path_factory) -> Iterator[BrowserSession]:
    with browser_session(tmp_path_factory.mktemp("browser") / "profile") as found:
        found.open(viewer.address)
        found.until("document.querySelector('.frame')?.dataset.complete")
        yield found
        assert not found.said


def largest_strain(results: Results, state: int) -> np.ndarray:
    """The largest plastic strain of each solid and shell."""
    return np.concatenate(
        [kind.plastic_strain[state].max(axis=1) for kind in (results.solids, results.shells)]
    )


def drawn(page: BrowserSession) -> int:
    """How many pixels of the canvas are of the model."""
    return page.value(
        "(() => { const s = viewer.views[0].scene, g = s.gl; s.paint(); const w = s.canvas.width,"
        "h = s.canvas.height, p = new Uint8Array(4 * w * h); g.readPixels(0, 0, w, h, g.RGBA,"
        "g.UNSIGNED_BYTE, p); let n = 0; for (let k = 3; k < p.length; k += 4) if (p[k]) ++n; return n; })()"
    )


def pick_somewhere(page: BrowserSession, part: int) -> dict:
    """Click on the first face of a part that is seen, as a user would; returns what the page has picked."""
    place = page.value(
        "(() => { const v = viewer.views[0], b = v.canvas.getBoundingClientRect(), f = v.geometry.faces;"
        "for (let k = 0; k < f.length / 4; ++k) {"
        f"if (v.parts[v.geometry.parts[k]].id !== {part}) continue;"
        "const c = [0, 1, 2].map((j) => [0, 1, 2, 3].reduce((s, q) => s + v.x[3 * f[4 * k + q] + j], 0) / 4);"
        "const [x, y] = v.scene.onScreen(...c).map(Math.round);"
        "if (v.pick(x, y)?.face === k) return [b.x + x, b.y + y]; } return null; })()"
    )
    assert place, f"nothing of part {part} is seen"
    page.click(*place)
    page.until(
        "viewer.picked.picks.length && viewer.picked.picks[0].history && document.querySelector('.pick')"
    )
    return page.value("viewer.picked.picks[0]")


def text_of(page: BrowserSession, what: str) -> str:
    return page.value(f"document.querySelector('[data-what={what}] td:last-child').textContent")


def test_names_are_text(page):
    assert page.value("document.querySelector('.title').textContent") == IMAGE
    assert HOSTILE in page.value("document.querySelector('#tree').textContent")
    assert not page.value("document.querySelectorAll('#tree script, .title img').length")
    assert page.value("document.body.dataset.owned") is None


def test_the_last_state_is_shown_and_fills_the_frame(page, plate):
    results = Results(plate)
    assert page.value("Number(document.querySelector('.frame').dataset.state)") == len(results.times) - 1
    low, high, across = page.value(
        "(() => { const v = viewer.views[0], x = v.visible(), p = []; for (let k = 0; k < x.length; k += 3)"
        "p.push(v.scene.onScreen(x[k], x[k + 1], x[k + 2])); const w = v.canvas.clientWidth, h ="
        "v.canvas.clientHeight, r = [0, 1].map((c) => p.map((q) => q[c] / [w, h][c]));"
        "return [r.map((q) => Math.min(...q)), r.map((q) => Math.max(...q)), w / h]; })()"
    )
    assert min(low) >= 0 and max(high) <= 1, "nothing is outside"
    assert max(high[0] - low[0], high[1] - low[1]) > 0.9
    assert drawn(page) > 10_000


def test_the_slider_shows_states_with_their_values(page, plate):
    results = Results(plate)
    for state in (0, 3, len(results.times) - 1):
        page.choose("#which", str(state), "input")
        page.until(f"document.querySelector('.frame').dataset.drawn === '{state}'")
        shown = page.value("[...viewer.views[0].shownValues]")
        expected = largest_strain(results, state)
        assert np.allclose(shown[: len(expected)], expected, rtol=1e-6)
        assert page.value("[...viewer.views[0].x]") == pytest.approx(
            results.nodal("position")[state].ravel().tolist()
        )
        gone = page.value("viewer.views[0].gone.reduce((s, g) => s + g, 0)")
        assert gone == sum(int((~kind.alive[state]).sum()) for kind in (results.solids, results.shells))
        assert f"{results.times[state]:.3g}"[:4] in page.value("document.querySelector('.time').textContent")
    assert gone > 5, "the plate is torn"


def test_play_goes_through_all_states(page, plate):
    count = len(Results(plate).times)
    page.value(
        "(window.states = [], new MutationObserver(() => states.push(viewer.views[0].state))"
        ".observe(document.querySelector('.frame'), {attributeFilter: ['data-state']}), 1)"
    )
    page.choose("#pace", "25")
    page.click_on("#play")
    page.until("viewer.playing")
    page.until("!viewer.playing")
    assert page.value("states") == list(range(count))


def test_a_part_is_switched_off_clear_and_on(page):
    whole = drawn(page)
    page.click_on(".part[data-part='1'] input[type=checkbox]")
    without = drawn(page)
    assert without < whole
    page.click_on(".part[data-part='1'] button")
    assert page.value("viewer.views[0].scene.full.clear")
    assert without < drawn(page) <= whole
    page.click_on("#all")
    assert not page.value("viewer.views[0].scene.full.clear")
    assert drawn(page) == whole


def test_a_pick_says_what_the_results_say(page, plate):
    results = Results(plate)
    state = page.value("viewer.views[0].state")
    pick = pick_somewhere(page, 1)
    assert text_of(page, "part") == f"1 {HOSTILE}"
    assert int(text_of(page, "node")) == pick["nodeId"]
    assert pick["nodeId"] in results.node_ids
    place = int(np.flatnonzero(results.shells.ids == pick["element"])[0])
    assert results.shells.part_ids[place] == 1
    assert pick["nodeId"] in results.shells.node_ids[place]
    strains = np.array([results.shells.plastic_strain[k][place].max() for k in range(len(results.times))])
    assert pick["history"] == pytest.approx(strains.tolist(), rel=1e-6)
    assert float(
        text_of(page, "value").replace("×10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    ) == pytest.approx(strains[state], rel=1e-4)
    assert text_of(page, "coordinates").endswith("mm")


def test_fields_have_units_layers_and_ranges(page, plate):
    results = Results(plate)
    page.choose("#field", "stress/von_mises")
    page.until(
        "viewer.views[0].shownValues && document.querySelector('.scale b').textContent.includes('GPa')"
    )
    state = page.value("viewer.views[0].state")
    mises = results.shells.von_mises[state]
    solids = page.value("viewer.views[0].about.kinds[0][1]")
    page.until("viewer.views[0].kept.has(`stress/von_mises 0 ${viewer.views[0].state}`)")
    assert page.value(f"viewer.views[0].shownValues[{solids} + 7]") == pytest.approx(
        float(mises[7].max()), rel=1e-5
    )
    page.choose("#layer", "1")
    page.until(f"Math.abs(viewer.views[0].shownValues?.[{solids} + 7] - {float(mises[7, 0])!r}) < 1e-5")
    page.choose("#field", "displacement/z")
    page.until("document.querySelector('.scale b').textContent === 'z displacement, mm'")
    z = results.displacement[state][:, 2]
    most = float(np.abs(z).max())
    page.until(f"Math.abs(viewer.views[0].scene.range[1] - {most!r}) < {most * 1e-4!r}")
    assert page.value("viewer.views[0].scene.range[0]") == pytest.approx(-most, rel=1e-4), "symmetric"
    page.choose("#mode", "fixed")
    page.choose("#low", "-2")
    page.choose("#high", "5")
    assert page.value("viewer.views[0].scene.range") == [-2, 5]
    page.choose("#mode", "state")
    page.choose("#field", "plastic_strain")


def test_the_distance_of_two_nodes_is_measured(page, plate):
    results = Results(plate)
    state = page.value("viewer.views[0].state")
    first = pick_somewhere(page, 1)
    place = page.value(
        "(() => { const v = viewer.views[0], b = v.canvas.getBoundingClientRect(), f = v.geometry.faces;"
        "for (let k = f.length / 4 - 1; k; --k) {"
        "const [x, y] = v.scene.onScreen(...v.at(f[4 * k])).map(Math.round), p = v.pick(x, y);"
        f"if (p && p.nodeId !== {first['nodeId']}) return [b.x + x, b.y + y]; }} return null; }})()"
    )
    page.click(*place, shift=True)
    page.until("document.querySelector('[data-what=distance]')")
    nodes = [pick["nodeId"] for pick in page.value("viewer.picked.picks")]
    at = results.nodes(*nodes)
    for what, k in (("distance", state), ("distance0", 0)):
        a, b = results.nodal("position")[k][at].astype(float)
        assert float(text_of(page, what).removesuffix(" mm")) == pytest.approx(
            np.linalg.norm(a - b), rel=1e-4
        )
    page.click_on("#close")
    page.until("document.querySelector('.marks').children.length === 0")


def test_a_cut_shows_the_inside_of_solids(page, plate):
    whole = drawn(page)
    page.choose("#cut", "0", "input")
    page.until("viewer.views[0].scene.caps")
    assert 0 < drawn(page) < whole
    caps = page.value("viewer.views[0].scene.caps.count")
    assert caps > 4
    page.choose("#cut", "", "input")
    assert drawn(page) == whole


def test_walls_and_vectors_are_drawn(page):
    assert (
        page.value("document.querySelector('#planes').parentElement.textContent")
        .strip()
        .startswith("rigid walls (1)")
    )
    without = drawn(page)
    page.click_on("#planes")
    page.until("viewer.views[0].scene.shapes?.length")
    assert drawn(page) > without
    page.click_on("#planes")
    page.choose("#arrows", "velocity")
    page.until("viewer.views[0].scene.extra.length")
    assert "longest velocity: " in page.value("document.querySelector('.note').textContent")
    page.choose("#arrows", "")


def test_a_slow_picture_has_fewer_faces_while_the_mouse_is_down(page):
    page.value(
        "(async () => { const v = viewer.views[0], s = v.scene; s.cost = 1e9;"
        "for (const most of [40000, 1000]) s.lighter(await v.source.light(most));"
        "s.looks(v.shown, v.gone); })()"
    )
    assert page.value("viewer.views[0].scene.lights.map((one) => one.count > 0)") == [True, True]
    x, y = page.value(
        "(() => { const b = document.querySelector('canvas').getBoundingClientRect();"
        "return [b.x + 100, b.y + 300]; })()"
    )
    page.mouse("mousePressed", x, y)
    page.mouse("mouseMoved", x + 50, y)
    page.until("viewer.views[0].scene.drawn === 'light'")
    page.value("new Promise((done) => setTimeout(done, 700))")
    assert page.value("viewer.views[0].scene.drawn") == "light", "the mouse is still down"
    page.value("viewer.views[0].scene.adapt(1e3)")
    assert page.value("viewer.views[0].scene.level") == 1
    page.mouse("mouseReleased", x + 50, y)
    page.until("viewer.views[0].scene.drawn === 'full'")
    page.value("(() => { const s = viewer.views[0].scene; s.lights = []; s.cost = 0; s.level = 0; })()")


def test_two_runs_side_by_side(plate, tmp_path):
    """The second has other times; the camera and the time are the same."""
    text = (plate / "deck.k").read_text().replace("200.", "100.")
    (tmp_path / "deck.k").write_text(text)
    assert crumple("run", "deck.k", "-n", "1", directory=tmp_path).returncode == 0
    with viewer_of(str(plate), str(tmp_path)) as viewer, browser_session(tmp_path / "profile") as page:
        page.open(viewer.address)
        page.until("[...document.querySelectorAll('.frame')].filter((f) => f.dataset.complete).length === 2")
        ends = page.value("viewer.views.map((v) => [v.state + 1, v.about.times.length])")
        assert all(state == count for state, count in ends), "both begin with their last state"
        names = page.value("[...document.querySelectorAll('.title')].map((one) => one.textContent)")
        assert names == [f"{folder.name}: {IMAGE}" for folder in (plate, tmp_path)]
        inside = page.value(
            "viewer.views.every((v) => { const x = v.visible(), w = v.canvas.clientWidth,"
            "h = v.canvas.clientHeight;"
            "for (let k = 0; k < x.length; k += 3) {"
            "const [a, b] = v.scene.onScreen(x[k], x[k + 1], x[k + 2]);"
            "if (a < 0 || a > w || b < 0 || b > h) return false; } return true; })"
        )
        assert inside, "both are seen whole"
        page.choose("#which", "3", "input")
        page.until("viewer.drawn === 3")
        times = page.value("viewer.views.map((v) => v.about.times[v.state])")
        assert times[0] == pytest.approx(times[1], rel=0.2)
        yaw = page.value("viewer.camera.yaw")
        x, y = page.value(
            "(() => { const b = document.querySelectorAll('canvas')[1].getBoundingClientRect();"
            "return [b.x + 100, b.y + 300]; })()"
        )
        page.mouse("mousePressed", x, y)
        page.mouse("mouseMoved", x + 50, y)
        page.mouse("mouseReleased", x + 50, y)
        assert page.value("viewer.camera.yaw") != yaw
        assert page.value("viewer.views[0].scene.camera === viewer.views[1].scene.camera")


def test_a_page_of_its_own_has_all_states(plate, tmp_path):
    """Without a server: the same states, with values and places of 16 bits."""
    results = Results(plate)
    done = crumple("view", str(plate), "-o", "all.html", directory=tmp_path)
    assert f"{len(results.times)} states" in done.stdout, done.stdout + done.stderr
    page_file = tmp_path / "all.html"
    assert HOSTILE not in page_file.read_text()
    with browser_session(tmp_path / "profile") as page:
        page.open(page_file.as_uri())
        page.until("document.querySelector('.frame')?.dataset.complete")
        assert page.value("document.querySelector('.title').textContent") == IMAGE
        assert page.value("document.body.dataset.owned") is None
        page.choose("#which", "4", "input")
        page.until("viewer.drawn === 4")
        expected = largest_strain(results, 4)
        elements = page.value("[...viewer.views[0].geometry.element_ids]")
        shown = dict(zip(elements, page.value("[...viewer.views[0].shownValues]"), strict=True))
        ids = np.concatenate([results.solids.ids, results.shells.ids])
        wanted = dict(zip(ids.tolist(), expected.tolist(), strict=True))
        most = float(expected.max())
        assert [shown[n] for n in elements] == pytest.approx([wanted[n] for n in elements], abs=most / 60000)
        pick = pick_somewhere(page, 1)
        place = int(np.flatnonzero(results.shells.ids == pick["element"])[0])
        last = float(results.shells.plastic_strain[-1][place].max())
        assert pick["history"][-1] == pytest.approx(last, abs=most / 30000)
        assert not page.said


def test_a_page_is_made_small_enough_and_says_so(plate, tmp_path):
    assert crumple("view", str(plate), "-o", "all.html", directory=tmp_path).returncode == 0
    less = (tmp_path / "all.html").stat().st_size - 4000
    done = crumple(
        "view", str(plate), "-o", "small.html", "--megabytes", f"{less / 1e6:.6f}", directory=tmp_path
    )
    assert "simplified from " in done.stdout, done.stdout + done.stderr
    assert (tmp_path / "small.html").stat().st_size <= less
    done = crumple("view", str(plate), "-o", "none.html", "--megabytes", "0.01", directory=tmp_path)
    assert done.returncode == 2
    assert "do not fit into" in done.stdout + done.stderr
    done = crumple("view", str(plate), str(plate), "-o", "two.html", directory=tmp_path)
    assert "in the browser only" in done.stdout + done.stderr


def test_only_this_machine_and_only_reading(viewer):
    assert viewer.ask("/start", Host="evil.example")[0] == 403
    assert viewer.ask("/start", Host="localhost")[0] == 200
    assert viewer.ask("/0/state?number=0", "POST")[0] == 501
    status, headers, _ = viewer.ask("/")
    assert status == 200
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    for path in (
        "/2/about",
        "/0/state?number=9999",
        "/0/state?number=-1",
        "/0/field?name=x&number=0",
        "/x",
        "/0/",
        "/../cli.py",
        "/0/history?field=plastic_strain&place=99999999",
        "/0/cut?number=0&plane=1,2",
    ):
        status, _, content = viewer.ask(path)
        assert status == 404, path
        assert json.loads(content)["error"]
