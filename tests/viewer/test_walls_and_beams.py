"""Walls that move, and picks of beams, in the viewer: a block flies onto a wall with a mass, beside bars."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import solver_run
from browser_session import BrowserSession, browser_session
from small_decks import STEEL, Deck
from viewer_process import viewer_of

from crumple.api.results_folder import Results
from crumple.viewer.shown_run import ShownRun
from crumple.viewer.wall_motion import DrivenWall, FreeWall, distances

END = 0.4
X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def deck() -> str:
    """The block falls at 20 onto the wall, which comes at 3 and has its mass; another wall is driven."""
    made = Deck()
    made.control(END, END / 8, 1e-6)  # rows of every cycle: an impact is short
    made.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    made.part(2, "BEAM,2,1.0|4.,1.33,1.33,2.25,3.3", f"ELASTIC,{STEEL}")
    made.block(1, (2, 2, 2), (0.0, 0.0, 2.0), (10.0, 10.0, 10.0))
    up = made.node((20.0, 50.0, 5.0), held=7)
    bar = [made.node((20.0 + 4.0 * k, 0.0, 5.0), held=7 if k == 0 else 0) for k in range(5)]
    for a, b in zip(bar, bar[1:], strict=False):
        made.element("BEAM", 2, (a, b, up))
    made.set("PART", 3, (1, 2))
    made.add("*INITIAL_VELOCITY_GENERATION\n3,1,0.,0.,0.,-20.\n0.,0.,0.")
    made.add("*DEFINE_CURVE\n5,0,1.,2.\n0.,0.\n0.2,3.\n0.4,3.")
    made.add(
        "*RIGIDWALL_PLANAR_FINITE_MOVING_ID\n7,free wall\n0\n-5.,-5.,0.,-5.,-5.,1.,0.\n"
        "15.,-5.,0.,20.,20.\n8.e-3,3."
    )
    made.add(
        "*RIGIDWALL_GEOMETRIC_FLAT_MOTION_ID\n8,driven wall\n0\n50.,0.,0.,49.,0.,0.\n"
        "50.,5.,0.,10.,10.\n5,1,-2.,0.,0."
    )
    return made.text()


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("walls")
    (folder / "deck.k").write_text(deck())
    done = solver_run.run(folder / "deck.k", folder)
    assert done.status == 0, done.said
    (folder / "run.json").write_text('{"deck": "deck.k"}')
    return folder


@pytest.fixture(scope="module")
def page(run, tmp_path_factory) -> Iterator[BrowserSession]:
    with (
        viewer_of(str(run)) as viewer,
        browser_session(tmp_path_factory.mktemp("browser") / "profile") as found,
    ):
        found.open(viewer.address)
        found.until("document.querySelector('.frame')?.dataset.complete")
        yield found
        assert not found.said


def test_a_driven_wall_follows_its_curve():
    times = np.array([-1.0, 0.0, 0.5, 1.0, 3.0])
    curve = (np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 0.0]))
    moved = DrivenWall(curve, True, X).displacements(times, {})
    assert moved[:, 0].tolist() == pytest.approx([0.0, 0.0, 1.0, 2.0, -1.0]), "from where the curve begins"
    moved = DrivenWall(curve, False, X).displacements(times, {})
    assert moved[:, 0].tolist() == pytest.approx([0.0, 0.0, 0.75, 2.0, 3.5]), "no velocity behind its end"
    assert DrivenWall(None, True, X).displacements(times, {}) is None
    late = distances(np.array([1.0, 2.0]), np.array([2.0, 2.0]), np.array([0.0, 1.5, 9.0]))
    assert late.tolist() == pytest.approx([0.0, 1.0, 2.0])


def test_a_free_wall_is_slowed_down_by_its_force():
    wall = FreeWall(7, 2.0, 3.0, Z)
    t = np.linspace(0.0, 1.0, 101)
    moved = wall.displacements(np.array([0.0, 0.5, 1.0, 2.0]), {7: (t, np.full(101, 4.0))})
    assert moved[:, 2].tolist() == pytest.approx([0.0, 1.25, 2.0, 3.0], abs=1e-3), "3 t - t^2, then at 1"
    assert wall.displacements(t, {}) is None


def test_the_free_wall_has_the_momentum_that_the_block_has_lost(run):
    shown = ShownRun(run)
    planes = {plane["name"]: plane for plane in shown.shapes()["planes"]}
    moves = np.array(planes["free wall"]["moves"])
    assert moves.shape == (len(shown.family.times), 3)
    assert np.allclose(moves[:, :2], 0.0)
    z = [Results(run).nodal("position")[k][:27, 2] for k in range(len(moves))]
    assert all(z[k].min() > moves[k, 2] for k in range(len(moves))), "no node is behind the wall"
    assert moves[1, 2] > 0.1, "at first it goes up"
    # Momentum is conserved: the block's, by the masses of its nodes, and the wall's.
    side = np.array([1.0, 2.0, 1.0])
    weights = np.einsum("i,j,k->ijk", side, side, side).ravel() / 64.0
    of_block = 7.85e-6 * 1000.0 * (weights @ Results(run).nodal("velocity")[-2][:27, 2] + 20.0)
    speed = (moves[-2, 2] - moves[-3, 2]) / (END / 8)
    assert 8e-3 * (3.0 - speed) == pytest.approx(of_block, rel=0.01)
    driven = np.array(planes["driven wall"]["moves"])
    times = np.array(shown.family.times)
    assert driven[:, 0] == pytest.approx(-2.0 * np.minimum(3.0, 15.0 * times), abs=1e-4)


def test_walls_without_their_forces_stay_and_say_so(run, tmp_path):
    for path in run.iterdir():
        if path.name not in ("rwforc", "binout0000"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    shapes = ShownRun(tmp_path).shapes()
    free = next(plane for plane in shapes["planes"] if plane["name"] == "free wall")
    assert free["moves"] is None
    assert any("free wall" in line and "rwforc" in line for line in shapes["left_out"])


def test_walls_move_on_the_page(page):
    page.click_on("#planes")
    page.until("viewer.views[0].scene.shapes?.length")
    found = []
    for state in (0, 4):
        page.choose("#which", str(state), "input")
        page.until(f"document.querySelector('.frame').dataset.drawn === '{state}'")
        found.append(
            page.value(
                "viewer.views[0].deckShapes.planes.map((p) => p.point[0] + p.moves[viewer.views[0].state][0])"
            )
        )
    assert found[0] != found[1]
    page.click_on("#planes")


def test_a_beam_is_picked(page, run):
    results = Results(run)
    for beam in (0, 3):
        place = page.value(
            "(() => { const v = viewer.views[0], b = v.canvas.getBoundingClientRect(), g = v.geometry.beams;"
            f"const at = (end, j) => v.x[3 * g[{2 * beam} + end] + j];"
            "const c = [0, 1, 2].map((j) => 0.6 * at(0, j) + 0.4 * at(1, j));"
            "const [x, y] = v.scene.onScreen(...c); return [b.x + x, b.y + y + 3]; })()"
        )
        page.click(*place)
        page.until(f"viewer.picked.picks[0]?.element === {int(results.beams.ids[beam])}")
        page.until("document.querySelector('[data-what=element]')?.textContent.includes('Beam')")
        pick = page.value("viewer.picked.picks[0]")
        assert pick["kind"] == "beam"
        assert pick["nodeId"] in results.beams.node_ids[beam]
        assert "part 2" in page.value("document.querySelector('[data-what=part]').textContent")
    page.choose("#field", "axial_force")
    page.until("viewer.picked.picks[0].history?.every((v) => v !== null)")
    page.until("document.querySelector('.pick h3')")
    family = ShownRun(run).family
    axial = [float(family.block("beam", k)[3, 0]) for k in range(len(results.times))]
    page.until("viewer.views[0].fieldName === 'axial_force' && document.querySelector('[data-what=value]')")
    assert page.value("viewer.picked.picks[0].history") == pytest.approx(axial, rel=1e-5, abs=1e-12)
    page.click_on("#close")


def test_a_click_beside_a_beam_picks_nothing(page):
    place = page.value(
        "(() => { const v = viewer.views[0], b = v.canvas.getBoundingClientRect(), g = v.geometry.beams;"
        "const [x, y] = v.scene.onScreen(...v.at(g[1])); return [b.x + x, b.y + y + 30]; })()"
    )
    page.click(*place)
    page.until("!viewer.picked.picks.length")
