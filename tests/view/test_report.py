"""crumple report: a page that says what is in the results, of good runs and bad ones."""

import base64
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crumple_command import crumple, rendered
from small_decks import block, falling_bodies, torn_plate

from crumple.report.facts import Verdict, checks, elapsed, ending, hourglass_percent, number, seconds
from crumple.report.figures import thin
from crumple.report.run_results import read_results
from crumple.report.tables import control_table
from crumple.results.binout import Binout, glstat_of, rwforc_of
from crumple.results.glstat import read_glstat

LOAD = "rank elements contact exchange\n0 1.00 2.00 0.50\n1 3.00 1.00 0.25\n"


@pytest.fixture(scope="module")
def bodies(tmp_path_factory) -> Path:
    """Results of falling bodies: two walls, a contact, parts; with a load profile."""
    folder = tmp_path_factory.mktemp("bodies")
    title = "*TITLE\nthree < four & <b>bold</b>\n"
    (folder / "deck.k").write_text(falling_bodies(0.03).replace("*KEYWORD\n", "*KEYWORD\n" + title, 1))
    crumple("run", "deck.k", "-n", "2", directory=folder)
    (folder / "load_profile").write_text(LOAD)
    crumple("report", ".", directory=folder)
    return folder


def words(page: str) -> str:
    """Text of a page without script, style and tags."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", bare))


def test_report_says_what_was_run(bodies):
    text = words((bodies / "report.html").read_text())
    log = read_results(bodies).log
    assert "three &lt; four &amp; &lt;b&gt;bold&lt;/b&gt;" in text
    assert "deck.k" in text
    assert re.search(r"Ranks × threads 2 × 1\b", text)
    assert re.search(r"Precision double\b", text)
    assert re.search(rf"Cycles {log.cycles:,}\b", text)
    assert re.search(r"Elements 175\b", text)
    took = 1e-9 * log.nanoseconds * 175 * log.cycles
    assert seconds(read_results(bodies)) == pytest.approx(took, abs=0.06)
    rating = f"Rating: {number(86400 / seconds(read_results(bodies)), 3)} such jobs a day"
    assert text.index(rating) > text.index("Balance of each phase over ranks"), "where cluster people look"
    assert "deck units" in text
    assert f"State hash {log.hash}" in text


def test_report_shows_the_results(bodies):
    page = (bodies / "report.html").read_text()
    text = words(page)
    last = read_glstat(bodies / "glstat").iloc[-1]
    assert f"{last['total energy / initial energy']:.4f} at the end" in text
    results = read_results(bodies)
    peak = results.walls.rows.query("id == 1")["resultant"].max()
    assert re.search(rf"wall 1 {re.escape(number(peak))}", text)
    for part in results.log.parts:
        assert f"<td class=n>{part.id}</td>" in page
    assert "<code>*RIGIDWALL_PLANAR</code>" in page
    assert re.search(r"elements 2\.00 3\.00 50 %", text), "mean, largest, imbalance of the load profile"
    assert re.search(r"elements \+ contact 3\.50 4\.00 14 %", text)


def test_picture_is_in_the_page(bodies):
    from PIL import Image

    data = re.search(r'src="data:image/png;base64,([^"]+)"', (bodies / "report.html").read_text())[1]
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(int)
    assert (np.abs(pixels - pixels[-1, -1]) > 20).any(axis=2).mean() > 0.05


def test_report_needs_no_network(bodies):
    page = (bodies / "report.html").read_text()
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=[\"']?(https?:)?//", page)


@pytest.mark.parametrize("width", [1366, 800])
def test_plots_stay_in_their_cards(bodies, tmp_path, width):
    """Every plot is drawn, and none is wider than its card: two columns on a laptop, one on less."""
    dom = rendered(bodies / "report.html", width, tmp_path / "profile")
    drawn = [float(w) for w in re.findall(r'<svg class="main-svg"[^>]*width="([\d.]+)"', dom)]
    wanted = len(re.findall(r'class="plotly-graph-div', dom))
    assert wanted == 8  # energies, balance, walls, contacts, two of parts, time step, load
    assert len(drawn) >= wanted
    assert max(drawn) < (760 if width == 1366 else width - 48)


def test_sides_that_a_run_lacks_are_said(tmp_path):
    """A deck that asks for nothing, run without `crumple run`, still has a report."""
    text = re.sub(r"\*DATABASE_(GLSTAT|MATSUM|RCFORC|RWFORC)\n[^*]*", "", block(0.02, 0.01))
    (tmp_path / "deck.k").write_text(text)
    crumple("run", "deck.k", "-n", "1", directory=tmp_path)
    for name in ("run.json", "load_profile"):
        (tmp_path / name).unlink()
    crumple("report", ".", "-o", "page.html", directory=tmp_path)
    said = words((tmp_path / "page.html").read_text())
    for missing in ("No glstat", "No matsum", "No rwforc, rcforc or secforc", "No load_profile"):
        assert missing in said
    assert "Ranks × threads 1 × 1" in said


def test_failure_is_told(tmp_path):
    """Why a run failed stands on top, and its elapsed time is there."""
    (tmp_path / "deck.k").write_text(block(1.0, 0.01, push=((0.0, -200.0), (1000.0, -200.0))))
    crumple("run", "deck.k", "-n", "1", directory=tmp_path, status=3)
    crumple("report", ".", directory=tmp_path)
    text = words((tmp_path / "report.html").read_text())
    assert re.search(r"Why the run ended error CR-R10\d: .* at time [\d.e-]+, cycle \d+", text)
    assert re.search(r"Termination error termination normal failed", text)
    assert re.search(r"Elapsed (?:≈ )?[\d.]+ s", text)
    assert "such jobs a day" not in text


def test_run_that_was_stopped_or_killed(tmp_path):
    (tmp_path / "deck.k").write_text(torn_plate(end_time=0.03))
    crumple("run", "deck.k", "-n", "1", directory=tmp_path)
    assert ending(read_results(tmp_path)) == ("normal termination", Verdict.good)
    d3hsp = (tmp_path / "d3hsp").read_text()
    (tmp_path / "d3hsp").write_text(d3hsp.replace("end time 0.03", "end time 0.06"))
    text, verdict = ending(read_results(tmp_path))
    assert re.search(r"stopped at (50|51) % of the end time", text)
    assert verdict is Verdict.look
    (tmp_path / "d3hsp").write_text(d3hsp[: d3hsp.index("cycles in") - 10])
    assert ending(read_results(tmp_path)) == ("no termination: running, or killed", Verdict.bad)
    (tmp_path / "glstat").write_text("")
    results = read_results(tmp_path)
    assert results.history is None
    assert "glstat" in results.unreadable[0]


def sections(deck: str, binary: int) -> str:
    """A deck with a cross section, and all its histories in text (1), binout (2) or both (3)."""
    plane = "*DATABASE_CROSS_SECTION_PLANE_ID\n7,middle\n0,5.,5.,5.,5.,5.,6.,0.\n5.,9.,5.\n"
    plane += "*DATABASE_SECFORC\n0.001\n"
    deck = deck.replace("*END", plane + "*END")
    return re.sub(r"(\*DATABASE_(?:GLSTAT|MATSUM|RCFORC|RWFORC|SECFORC)\n[^\n]+)", rf"\1,{binary}", deck)


def test_binout_gives_the_tables_of_the_text(tmp_path):
    """One run with both; without the text the report is the same."""
    (tmp_path / "deck.k").write_text(sections(falling_bodies(0.02), 3))
    crumple("run", "deck.k", "-n", "1", directory=tmp_path)
    both = read_results(tmp_path)
    for name in ("glstat", "matsum", "rwforc", "rcforc", "secforc"):
        (tmp_path / name).unlink()
    binary = read_results(tmp_path)
    assert binary.unreadable == []
    walls = [name for name in both.history if name.startswith("stonewall energy ")]
    expected = both.history.assign(**{"stonewall energy": both.history[walls].sum(axis=1)}).drop(
        columns=walls
    )
    assert set(expected) == set(binary.history)
    pd.testing.assert_frame_equal(
        binary.history[list(expected)], expected, check_dtype=False, rtol=1e-5, atol=1e-9
    )
    for of_binout, of_text in (
        (binary.parts, both.parts),
        (binary.walls, both.walls),
        (binary.contacts, both.contacts),
        (binary.sections, both.sections),
    ):
        rows = of_binout.rows[list(of_text.rows)]
        pd.testing.assert_frame_equal(rows, of_text.rows, check_dtype=False, rtol=2e-4, atol=1e-6)
        assert of_binout.titles == of_text.titles


def test_report_of_a_run_with_binout_only(tmp_path):
    (tmp_path / "deck.k").write_text(sections(falling_bodies(0.02), 2))
    crumple("run", "deck.k", "-n", "1", directory=tmp_path)
    assert not (tmp_path / "glstat").exists()
    crumple("report", ".", "-o", "page.html", directory=tmp_path)
    said = words((tmp_path / "page.html").read_text())
    assert not re.search(r"No (glstat|matsum|rwforc)", said)
    assert re.search(r"Energy ratio [\d.]+ at the end", said)
    for heading in ("Rigid walls: force", "Contacts: force", "Cross sections: force", "All parts at the end"):
        assert heading in said


def test_binout_of_lsdyna():
    """Its own file: two histories, and what set the step."""
    path = Path(__file__).parents[3] / "shared" / "reference" / "lsdyna_results" / "binout" / "binout_glstat"
    if not path.is_file():
        pytest.skip("needs LS-DYNA's result files")
    found = Binout([path])
    history = glstat_of(found)
    assert len(history) == 251
    assert set(history["controlled by"]) == {"shell"}
    assert history["total energy / initial energy"].iloc[-1] == pytest.approx(1.001767, rel=1e-5)
    rows = rwforc_of(found).rows
    assert len(rows) == 271
    assert rows["resultant"].to_numpy()[-1] == pytest.approx(rows["normal"].to_numpy()[-1], rel=1e-6)


def test_damaged_binout_is_named(tmp_path):
    (tmp_path / "deck.k").write_text(sections(block(0.02, 0.01), 2))
    crumple("run", "deck.k", "-n", "1", directory=tmp_path)
    data = (tmp_path / "binout0000").read_bytes()
    (tmp_path / "binout0000").write_bytes(data[: len(data) // 2])
    results = read_results(tmp_path)
    assert results.history is None or len(results.history) < 10
    assert any("binout0000" in line for line in results.unreadable)


def test_checks_see_what_is_wrong(bodies):
    results = read_results(bodies)
    good = {check.name: check.verdict for check in checks(results)}
    assert good["Energy ratio"] is Verdict.good
    history = results.history
    history["total energy / initial energy"] *= 1.2
    history["hourglass energy"] = 0.2 * history["internal energy"]
    history["sliding interface energy"] = -0.1 * history["total energy"]
    bad = {check.name: check.verdict for check in checks(results)}
    for name in ("Energy ratio", "Hourglass / internal energy", "Contact energy"):
        assert bad[name] is Verdict.look, name


def test_hourglass_share_of_nothing_is_not_a_number():
    history = pd.DataFrame({"internal energy": [1e-20, 0.5, 100.0], "hourglass energy": [1e-20, 0.5, 4.0]})
    share = hourglass_percent(history)
    assert np.isnan(share[:2]).all()
    assert share[2] == pytest.approx(4.0)


def test_thinned_curves_keep_their_peaks():
    x = np.linspace(0.0, 1.0, 100_001)
    y = np.sin(40.0 * x)
    y[31_234], y[77_777] = 50.0, -60.0
    few_x, few_y = thin(x, y)
    assert len(few_x) <= 2002
    assert (few_y.max(), few_y.min()) == (50.0, -60.0)
    assert (few_x[0], few_x[-1]) == (0.0, 1.0)
    assert (np.diff(few_x) > 0).all()


def test_what_set_the_step_is_no_html():
    row = {"controlling part": 1, "controlling element": 2, "controlled by": "<b>shell", "time step": 1.0}
    assert "&lt;b&gt;shell 2" in control_table(pd.DataFrame([row]), {})


def test_numbers_are_readable():
    assert [number(v) for v in (0.0, 3.14159, 52_969.4, 5.17161e5, 4.354e9, 2.35e-7, None, float("nan"))] == [
        "0",
        "3.142",
        "52,969",
        "517,161",
        "4.354×10<sup>9</sup>",
        "2.35×10<sup>-7</sup>",
        "-",
        "-",
    ]
    assert [elapsed(v) for v in (0.0312, 33.71, 125.0, 7260.0)] == [
        "0.031 s",
        "33.7 s",
        "2 min 05 s",
        "2 h 01 min",
    ]


def test_no_run_no_report(tmp_path):
    assert "no d3hsp" in crumple("report", ".", directory=tmp_path, status=2)
    assert crumple("report", "nowhere", directory=tmp_path, status=2)
