"""crumple report --curve and --with: the pictures and figures of crumple plot, on the page."""

import base64
import re

import numpy as np
import pytest
from command_line import crumple
from written_run import motion, write_run

T = np.arange(0, 120.0, 0.05)  # ms
PEAK = 15.0 * np.pi / (2 * 80.0)
CRUSH = "rwforc/1/x_force over nodout/12/x_displacement"


def pulse(size: float) -> np.ndarray:
    return np.where(T <= 80, -size * PEAK * np.sin(np.pi * T / 80), 0.0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, size in (("base", 1.0), ("stiff", 1.2)):
        nodes = {
            12: ("left sill", motion(T, {"x": pulse(size)})),
            34: ("toe pan", motion(T, {"x": 0.5 * pulse(size)})),
        }
        write_run(folder / name, T, nodes)
    return folder


def page_of(folder, *words: str) -> str:
    done = crumple("report", *words, "-o", "page.html", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "page.html").read_text()


def section(page: str, name: str) -> str:
    return re.search(rf'<section id="{name}">.*?</section>', page, re.DOTALL)[0]


def pictures(html: str) -> list[bytes]:
    return [base64.b64decode(data) for data in re.findall(r"data:image/png;base64,([^\"]+)", html)]


def words_in(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_pictures_are_those_of_plot(runs):
    """Intrusion between nodes, and a force over a displacement with its figures."""
    page = page_of(runs, "base", "--curve", "nodout/12-34/distance", "--curve", CRUSH)
    found = section(page, "curves")
    crumple("plot", "base", "nodout/12-34/distance", "-o", "way.png", directory=runs)
    crush = ("rwforc/1/x_force", "--versus", "nodout/12/x_displacement")
    done = crumple("plot", "base", *crush, "-o", "crush.png", directory=runs)
    assert pictures(found) == [(runs / "way.png").read_bytes(), (runs / "crush.png").read_bytes()]
    energy = re.search(r"energy absorbed +(\S+ kJ)", done.stdout)[1]
    assert energy in words_in(found)
    assert "Largest difference" not in found


def test_another_run_beside_it(runs):
    """Displacements have the ratio of the pulses: 1.2."""
    page = page_of(runs, "base", "--with", "stiff", "--curve", "nodout/12/x_displacement")
    found = section(page, "comparison")
    crumple("plot", "base", "stiff", "nodout/12/x_displacement", "-o", "both.png", directory=runs)
    assert pictures(found) == [(runs / "both.png").read_bytes()]
    assert "The runs beside each other base stiff Deck" in words_in(found)
    assert re.search(r"stiff .* 20 % at 120 ms", words_in(found))


def test_usual_curves_of_a_comparison(runs):
    """Without names what both have of energies and walls; these runs have no glstat."""
    found = section(page_of(runs, "base", "--with", "stiff"), "comparison")
    assert len(pictures(found)) == found.count("Largest difference") <= 1


def test_wrong_names_and_filters(runs):
    for words, why in (
        (("--curve", "nodout/12/x_accelerator"), "there is no component 'x_accelerator'"),
        (("--with", "nothing"), "nothing"),
        (("--curve", "nodout/12/ax", "--filter", "CFC61"), "CFC61"),
    ):
        done = crumple("report", "base", *words, directory=runs)
        assert done.returncode != 0
        assert why in " ".join((done.stdout + done.stderr).split())
