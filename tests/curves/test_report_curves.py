"""crumple report --curve, --with, --against: the curves, figures and ratings of crumple plot, on the page."""

import base64
import re

import numpy as np
import pytest
from command_line import crumple
from typer.testing import CliRunner
from written_run import motion, write_run

import crumple as python
from crumple.cli import app
from crumple.curves.atd_limits import NECK
from crumple.curves.curve_picture import picture
from crumple.curves.plot_request import PlotRequest, prepare
from crumple.report.curve_options import CurveOptions, curves_asked

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
    sill, toe = 1.1 * pulse(1.0) / 0.00980665, np.abs(0.6 * pulse(1.0)) / 0.00980665
    rows = [f"{t:g},{a:g},{b:g}" for t, a, b in zip(T, sill, toe, strict=True)]
    (folder / "test.csv").write_text("\n".join(["time [ms],sill x [g],toe pan [g]", *rows]) + "\n")
    (folder / "corridor.csv").write_text("time [ms],low [g],high [g]\n0,-32,1\n100,-32,1\n")
    return folder


def page_of(folder, *words: str) -> str:
    done = crumple("report", *words, "-o", "page.html", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "page.html").read_text()


def section(page: str, name: str) -> str:
    return re.search(rf'<section id="{name}">.*?</section>', page, re.DOTALL)[0]


def pictures(html: str) -> list[bytes]:
    return [base64.b64decode(data) for data in re.findall(r"data:image/png;base64,([^\"]+)", html)]


def picture_of(folder, *runs: str, **asked) -> bytes:
    request = PlotRequest(runs=tuple(folder / run for run in runs), **asked)
    return picture(prepare(request), ".png", bare=True)


def words_in(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_pictures_are_those_of_plot(runs):
    """Intrusion between nodes, and a force over a displacement with its figures."""
    page = page_of(runs, "base", "--curve", "nodout/12-34/distance", "--curve", CRUSH)
    found = section(page, "curves")
    crush = ("rwforc/1/x_force", "--versus", "nodout/12/x_displacement")
    done = crumple("plot", "base", *crush, "-o", "crush.png", directory=runs)
    assert pictures(found) == [
        picture_of(runs, "base", quantities=("nodout/12-34/distance",)),
        picture_of(runs, "base", quantities=(crush[0],), versus=crush[2]),
    ]
    assert "Nodes 12 to 34, change of distance" in words_in(found)
    energy = re.search(r"energy absorbed +(\S+ kJ)", done.stdout)[1]
    assert energy in words_in(found)
    assert "Largest difference" not in found


def test_another_run_beside_it(runs):
    """Displacements have the ratio of the pulses: 1.2."""
    page = page_of(runs, "base", "--with", "stiff", "--curve", "nodout/12/x_displacement")
    found = section(page, "comparison")
    assert pictures(found) == [picture_of(runs, "base", "stiff", quantities=("nodout/12/x_displacement",))]
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


def printed_figures(done) -> list[tuple[str, str, str]]:
    """Name, value and note of each figure that plot printed."""
    lines = re.findall(r"^    (\S.*?)  +(\S[^(\n]*?)(?:  \((.*)\))?$", done.stdout, re.MULTILINE)
    assert lines, done.stdout + done.stderr
    return lines


SILL = ("nodout/12/ax", "--filter", "CFC60", "--against", "test.csv", "--column", "sill")
TOE = ("nodout/34/acceleration", "--filter", "CFC1000", "--against", "test.csv", "--column", "toe")


def test_ratings_are_those_of_plot(runs):
    """Two curves, each with a column of the test and a filter; another run is rated, too."""
    plotted = [
        crumple("plot", "base", "stiff", *SILL, "--corridor", "corridor.csv", "--olc", directory=runs),
        crumple("plot", "base", "stiff", *TOE, "--atd", "head", "--hic", "36", directory=runs),
    ]
    curves = [word for own in (SILL, TOE) for word in ("--curve", *own)]
    limits = ("--corridor", "corridor.csv", "--corridor", "-", "--atd", "-", "--atd", "head")
    page = page_of(runs, "base", "--with", "stiff", *curves, *limits, "--olc", "--hic", "36")
    cards = section(page, "comparison").split('<div class="picture">')[1:]
    assert len(cards) == 2
    for done, html in zip(plotted, cards, strict=True):
        said = words_in(html)
        printed = printed_figures(done)
        assert {"ISO 18571", "CORA"} <= {name for name, _, _ in printed}
        for name, value, note in printed:
            assert name in said
            assert f"{value} {note}".strip() in said, (value, note)
    assert "OLC" not in words_in(cards[1])
    assert "HIC36" not in words_in(cards[0])


def test_one_value_is_for_all_curves(runs):
    """A test of one column beside two nodes: both are rated as by plot; --from and --to cut both."""
    rows = "".join(f"{t},{-30 * np.sin(np.pi * t / 80)}\n" for t in range(0, 81, 2))
    (runs / "one.csv").write_text("time [ms],ax [g]\n" + rows)
    window = ("--against", "one.csv", "--from", "5", "--to", "70")
    said = words_in(page_of(runs, "base", "--curve", "nodout/12/ax", "--curve", "nodout/34/ax", *window))
    for node in (12, 34):
        done = crumple("plot", "base", f"nodout/{node}/ax", *window, directory=runs)
        (rating,) = [f"{value} {note}" for name, value, note in printed_figures(done) if name == "ISO 18571"]
        assert rating in said


def test_a_figure_above_its_limit_stands_out(runs):
    """30 g for 120 ms is above no limit; 15 g times 8 of a head is."""
    nodes = {12: ("head", motion(T, {"x": 8 * pulse(1.0)}))}
    write_run(runs / "hard", T, nodes)
    page = section(page_of(runs, "hard", "--curve", "nodout/12/acceleration", "--atd", "head"), "curves")
    assert re.search(r'<span class="warn">[\d,]+</span> <small>ABOVE the limit: \d+ % of 700', page)
    page = section(page_of(runs, "base", "--curve", "nodout/12/acceleration", "--atd", "head"), "curves")
    assert "within the limit" in page
    assert "warn" not in page


def test_two_curves_of_a_picture():
    """Joined by "and" before the name of a history; a title with "and" stays whole."""
    (asked,) = curves_asked(CurveOptions("secforc/neck/fz and secforc/neck/my", atd="neck")).requests
    assert (asked.quantities, asked.atd) == (("secforc/neck/fz", "secforc/neck/my"), NECK)
    (asked,) = curves_asked(CurveOptions("nodout/head and neck/ax and nodout/2/ax over glstat/time")).requests
    assert (asked.quantities, asked.versus) == (("nodout/head and neck/ax", "nodout/2/ax"), "glstat/time")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--curve", "nodout/12/ax", "--against", "test.csv", "--column", "sil x"), "no column 'sil x'"),
        (("--curve", "nodout/12/ax", "--against", "test.csv"), "several columns"),
        (("--curve", "nodout/12/ax", "--column", "sill"), "--against names its file"),
        (
            ("--curve", "nodout/12/ax", "--atd", "head", "--atd", "chest"),
            "--atd is given 2 times, --curve 1",
        ),
        (("--curve", "nodout/12/ax", "--atd", "toe"), "'toe' is no place of a dummy"),
        (("--curve", "nodout/12/vx", "--olc"), "OLC is of an acceleration"),
        (("--curve", "nodout/12/ax", "--curve", "nodout/34/ax", "--hic", "15"), "--hic is of resultant"),
        (("--curve", CRUSH, "--against", "test.csv"), "is not over time"),
        (("--with", "stiff", "--against", "test.csv"), "--against is of curves: name them by --curve"),
    ],
)
def test_wrong_options(runs, monkeypatch, words, why):
    """Exit status 2 and a sentence, as of plot; no page is written."""
    monkeypatch.chdir(runs)
    done = CliRunner().invoke(app, ["report", "base", *words, "-o", "none.html"], env={"COLUMNS": "200"})
    assert done.exit_code == 2, done.output
    assert why in " ".join(done.output.split())
    assert not (runs / "none.html").exists()


def test_python_has_the_same_page(runs):
    """Results.report with names, other runs and options."""
    results, other = (python.Results(runs / name) for name in ("base", "stiff"))
    words = ("--curve", "nodout/12-34/distance")
    page = results.report(runs / "python.html", curves="nodout/12-34/distance", others=[other]).read_text()
    assert section(page, "comparison") == section(
        page_of(runs, "base", "--with", "stiff", *words), "comparison"
    )
    options = CurveOptions(
        curves="nodout/12/ax", channel_filter="CFC60", against=str(runs / "test.csv"), column="sill"
    )
    page = results.report(runs / "python.html", curves=options).read_text()
    assert section(page, "curves") == section(page_of(runs, "base", "--curve", *SILL), "curves")
