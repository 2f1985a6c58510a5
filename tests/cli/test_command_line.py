"""The crumple command: exit statuses, models, runs, pictures, the demo."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command_line import crumple
from small_decks import block, torn_plate

from crumple.results.glstat import read_glstat


@pytest.fixture
def decks(tmp_path) -> Path:
    """A folder with decks that are clean, have a warning, and have an error."""
    (tmp_path / "clean.k").write_text(block(0.02, 0.01))
    (tmp_path / "warning.k").write_text(block(0.02, 0.01, more="*DATABASE_SPHOUT\n0.01"))
    (tmp_path / "error.k").write_text(block(0.02, 0.01, more="*LOAD_BODY_X\n77,1.0"))
    return tmp_path


@pytest.mark.parametrize(
    ("deck", "strict", "status"),
    [
        ("clean", False, 0),
        ("clean", True, 0),
        ("warning", False, 0),
        ("warning", True, 1),
        ("error", False, 2),
        ("error", True, 2),
    ],
)
def test_check_status(decks, deck, strict, status):
    done = crumple("check", f"{deck}.k", *(["--strict"] if strict else []), directory=decks)
    assert done.returncode == status, done.stdout + done.stderr


def test_check_says_what_is_in_the_deck(decks):
    done = crumple("check", "clean.k", directory=decks)
    assert re.search(r"nodes +27\b", done.stdout)
    assert re.search(r"solids +8\b", done.stdout)
    assert re.search(r"total mass +0\.00785\b", done.stdout)
    assert re.search(r"centre of gravity +5 +5 +5\b", done.stdout)
    assert re.search(r"Time step [0-9.e-]+ at the start", done.stdout)
    smallest = done.stdout.split("Time step", 1)[1].split("Keyword coverage")[0]
    assert len(re.findall(r"^ +solid +\d+ +1 +\S+$", smallest, re.MULTILINE)) == 8
    assert re.search(r"^\*MAT_ELASTIC +partial +1 +1$", done.stdout, re.MULTILINE)


def test_check_of_nothing(tmp_path):
    assert crumple("check", "nothing.k", directory=tmp_path).returncode == 2


def test_run_writes_where_it_is_told(decks):
    done = crumple(
        "run", "clean.k", "-n", "2", "-d", "results", "--end-time", "0.01", "--vtkhdf", directory=decks
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^state hash: [0-9a-f]{16}$", done.stdout, re.MULTILINE)
    results = decks / "results"
    for name in ("d3plot", "d3hsp", "glstat", "matsum", "binout0000", "results.vtkhdf"):
        assert (results / name).exists(), name
    assert 0.009 < read_glstat(results / "glstat")["time"].iloc[-1] <= 0.01  # the last before the end time


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["run", "error.k"], 2),
        (["run", "nothing.k"], 2),
        (["run", "clean.k", "--precision", "half"], 2),
        (["run", "clean.k", "-n", "0"], 2),
        (["run"], 2),
        (["fly"], 2),
        (["--help"], 0),
        (["model", "submarine"], 2),
        (["model", "three-vehicle", "--elements", "10"], 2),
        (["view", "nowhere"], 2),
        (["view", "clean.k"], 2),
    ],
)
def test_exit_status(decks, arguments, status):
    done = crumple(*arguments, directory=decks)
    assert done.returncode == status, done.stdout + done.stderr
    if status:
        assert done.stdout + done.stderr, "an error says something"


def test_help_is_that_of_the_command_in_whole_sentences(tmp_path):
    said = crumple("--help", directory=tmp_path).stdout
    assert said.startswith("Usage: crumple ")
    assert "..." not in said.split("Commands:")[1], "a summary is cut at 80 columns"


def test_solver_that_is_not_there(decks, monkeypatch):
    monkeypatch.setenv("CRUMPLE_SOLVER", "/nowhere/crumple-solver")
    done = crumple("check", "clean.k", directory=decks)
    assert done.returncode == 2
    assert "/nowhere/crumple-solver" in done.stdout


def test_model_too_coarse_is_refused(tmp_path):
    done = crumple("model", "three-vehicle", "--elements", "2000", "-o", "m.k", directory=tmp_path)
    assert done.returncode == 2
    assert "3200 or more" in done.stdout
    assert not (tmp_path / "m.k").exists()


@pytest.mark.parametrize("elements", [4000, 8000, 20000])
def test_model_has_the_size_asked_for(elements, tmp_path):
    done = crumple("model", "three-vehicle", "--elements", str(elements), "-o", "m.k", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    said = int(re.search(r"m\.k: (\d+) elements", done.stdout).group(1))
    section, count = "", 0
    for line in (tmp_path / "m.k").read_text().splitlines():
        if line.startswith("*"):
            section = line
        elif not line.startswith("$") and section.startswith("*ELEMENT_"):
            count += 1
    assert said == count
    assert count == elements


def test_model_is_a_clean_deck(tmp_path):
    assert crumple("model", "three-vehicle", "--elements", "4000", directory=tmp_path).returncode == 0
    done = crumple("check", "three-vehicle.k", "--strict", directory=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def pictures(tmp_path_factory) -> Path:
    """A folder with the torn plate's results and its picture and page."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "deck.k").write_text(torn_plate(end_time=0.03))
    done = crumple("run", "deck.k", "-n", "1", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    done = crumple("view", ".", "-o", "view.png", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "view.png" in done.stdout
    assert "view.html" in done.stdout
    return folder


def shown(path: Path) -> np.ndarray:
    """Pixels as (row, column, colour)."""
    from PIL import Image

    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def test_picture_shows_the_model(pictures):
    pixels = shown(pictures / "view.png")
    height, width, _ = pixels.shape
    assert width == 1600
    background = pixels[-1, -1]
    model = np.any(np.abs(pixels - background) > 20, axis=2)
    assert 0.05 < model.mean() < 0.9
    rows, columns = np.flatnonzero(model.any(axis=1)), np.flatnonzero(model.any(axis=0))
    assert np.ptp(rows) > height / 3
    assert np.ptp(columns) > width / 3
    assert len(np.unique(pixels.reshape(-1, 3) // 16, axis=0)) > 20, "strain has colours"


def test_states_are_different_pictures(pictures):
    for state, name in ((0, "first.png"), (-1, "last.png")):
        done = crumple("view", "d3plot", "--state", str(state), "-o", name, directory=pictures)
        assert done.returncode == 0, done.stdout + done.stderr
    assert np.mean(shown(pictures / "first.png") != shown(pictures / "last.png")) > 0.01
    done = crumple("view", ".", "--state", "999", directory=pictures)
    assert done.returncode == 2
    assert "999" in done.stdout


def test_page_opens_in_a_browser(pictures, tmp_path):
    """The page draws the mesh without a message of an error, and needs no network."""
    import shutil

    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no chromium")
    page, picture = pictures / "view.html", tmp_path / "page.png"
    assert not re.search(r"<(script|link)[^>]+(src|href)=[\"']https?:", page.read_text(errors="replace"))
    line = [browser, "--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--enable-logging=stderr"]
    line += [
        "--window-size=1200,800",
        "--virtual-time-budget=8000",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    line += [f"--screenshot={picture}", page.as_uri()]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    console = [row for row in done.stderr.splitlines() if "CONSOLE" in row]
    wrong = [row for row in console if re.search(r"error|exception|failed|not defined|WebGL", row, re.I)]
    wrong = [row for row in wrong if "GL Driver Message (OpenGL, Performance" not in row]
    assert not wrong, wrong
    pixels = shown(picture)
    background = pixels[5, -5]
    different = np.any(np.abs(pixels - background) > 20, axis=2)
    middle = different[200:700, 200:900]
    assert middle.mean() > 0.05, "nothing is drawn in the middle of the page"


def test_demo(tmp_path):
    """The demo of the smallest model ends with its pictures and a summary."""
    done = crumple("demo", "--elements", "3200", "-n", "2", "-d", "out", directory=tmp_path)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    for name in ("three-vehicle.png", "three-vehicle.html", "energies.png", "d3plot", "glstat"):
        assert (tmp_path / "out" / name).stat().st_size > 1000, name
    assert "Three-vehicle collision" in done.stdout
    ratio = float(re.search(r"total / initial energy\W+([0-9.]+)", done.stdout).group(1))
    assert 0.97 < ratio < 1.03
