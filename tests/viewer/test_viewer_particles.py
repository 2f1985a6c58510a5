"""Smooth particles in the viewer, in the page of its own and in pictures."""

from pathlib import Path

import numpy as np
import pytest
import solver_run
from browser_session import browser_session
from command_line import crumple
from particle_decks import slabs
from viewer_process import viewer_of

from crumple.api.results_folder import Results


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """Two slabs of water that meet."""
    folder = tmp_path_factory.mktemp("slabs")
    (folder / "deck.k").write_text(slabs(50.0, (4, 4, 4), 0, 0.002))
    done = solver_run.run(folder / "deck.k", folder)
    assert done.status == 0, done.said
    return folder


def picked(address: str, place: int, folder: Path) -> dict:
    """What the page says of a particle that is clicked on."""
    with browser_session(folder) as page:
        page.open(address)
        page.until("document.querySelector('.frame')?.dataset.complete")
        assert page.value("viewer.views[0].about.kinds").count(["particle", 128]) == 1
        assert page.value("document.querySelector('#tree').textContent").startswith("Particles (2)")
        page.choose("#field", "velocity")
        page.until("viewer.views[0].shownValues?.length === 128")
        x, y = page.value(
            "(() => { const v = viewer.views[0], b = v.canvas.getBoundingClientRect();"
            f"const [x, y] = v.scene.onScreen(...v.at(v.geometry.beams[{2 * place}]));"
            "return [b.x + x, b.y + y]; })()"
        )
        page.click(x, y)
        page.until("viewer.picked.picks[0]?.history")
        assert not page.said
        return page.value("viewer.picked.picks[0]")


def test_a_particle_is_picked(run, tmp_path):
    results = Results(run)
    speeds = np.linalg.norm(np.asarray(results.velocity), axis=2)
    with viewer_of(str(run)) as viewer:
        pick = picked(viewer.address, 0, tmp_path / "profile")
    assert pick["kind"] == "particle"
    assert pick["history"] == pytest.approx(speeds[:, pick["element"] - 1].tolist(), rel=1e-5)
    assert crumple("view", str(run), "-o", "all.html", directory=tmp_path).returncode == 0
    own = picked((tmp_path / "all.html").as_uri(), 0, tmp_path / "other")
    assert own["element"] == pick["element"]


def test_pictures_have_them(run, tmp_path):
    from PIL import Image

    assert crumple("view", str(run), "-o", "a.png", "--field", "parts", directory=tmp_path).returncode == 0
    pixels = np.asarray(Image.open(tmp_path / "a.png").convert("RGB")).reshape(-1, 3).astype(int)
    coloured = np.ptp(pixels, axis=1) > 30
    assert coloured.sum() > 128 * 4, "squares of some pixels"
    assert '"mode":"markers"' in (tmp_path / "a.html").read_text()
