"""Runs of the solver: text has the numbers of binout, every history has curves, a rerun no difference."""

import re

import numpy as np
import pytest
from command_line import crumple
from small_decks import all_forms

from crumple.curves.atd_limits import NECK, neck_figures
from crumple.curves.run_curves import RunCurves
from crumple.results.run_files import RunFiles
from crumple.results.run_tables import TEXTS, RunTables

END = 0.03
HISTORIES = f"""*CONTROL_UNITS
mm,ms,kg
*DATABASE_NODOUT
{END / 20}
*DATABASE_ELOUT
{END / 20}
*DATABASE_DEFORC
{END / 20}
*DATABASE_HISTORY_NODE_ID
         3corner
        12edge
*DATABASE_HISTORY_SHELL
1,2
*DATABASE_HISTORY_SOLID
150"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two runs of one deck, the second with single precision; and the first without its binout."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "deck.k").write_text(all_forms(END, extra=HISTORIES))
    for name, more in (("double", ()), ("again", ()), ("single", ("--precision", "single"))):
        done = crumple("run", "deck.k", "-n", "1", "-d", name, *more, directory=folder)
        assert done.returncode == 0, done.stdout + done.stderr
    text = folder / "text"
    text.mkdir()
    for path in (folder / "double").iterdir():
        if path.is_file() and "binout" not in path.name:
            (text / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_text_has_the_numbers_of_binout(folder, name):
    """To the five digits of the text."""
    binary, text = (RunTables(RunFiles(folder / where)).table(name) for where in ("double", "text"))
    assert text.keys == binary.keys
    assert text.times == pytest.approx(binary.times, rel=1e-3)
    shared = set(text.columns) & set(binary.columns)
    assert len(shared) >= 3
    for column in shared - {"stonewall_energy"}:
        scale = np.abs(binary.columns[column]).max()
        assert text.columns[column] == pytest.approx(binary.columns[column], rel=2e-4, abs=1e-4 * scale), (
            column
        )


def test_every_history_has_a_curve(folder):
    run = RunCurves(folder / "double")
    names = {name.partition("/")[0] for name in run.histories()}
    assert names >= {
        "glstat",
        "matsum",
        "nodout",
        "elout",
        "deforc",
        "secforc",
        "spcforc",
        "rcforc",
        "rwforc",
    }
    for words in (
        "glstat/kinetic_energy",
        "matsum/*/int_en",
        "nodout/corner/acceleration",
        "elout/shell/1/von_mises",
        "elout/shell/1/sig_xx/2",
        "elout/solid/150/sig_zz",
        "deforc/*/resultant_force",
        "secforc/springs/force",
        "spcforc/total/force",
        "rcforc/1/force",
        "rwforc/1/normal",
    ):
        for curve in run.curves(words):
            assert len(curve.times) > 10
            assert curve.unit not in ("", "deck units"), words


def test_distance_is_that_of_the_coordinates(folder):
    run = RunCurves(folder / "double")
    table = run.tables.table("nodout")
    ends = [np.stack([table.columns[f"{a}_coordinate"][:, k] for a in "xyz"], axis=1) for k in (0, 1)]
    expected = np.linalg.norm(ends[1] - ends[0], axis=1)
    (curve,) = run.curves("nodout/3-12/distance")
    assert curve.values == pytest.approx(expected - expected[0], abs=1e-9)


def test_differences_of_reruns(folder):
    """The same run: none at all, with tolerance 0. Single precision: beyond 1e-9."""
    done = crumple("diff", "double", "again", "--tolerance", "0", directory=folder)
    assert done.returncode == 0, done.stdout
    assert done.stdout.strip() == "no difference"
    done = crumple("diff", "double", "single", "--tolerance", "1e-9", directory=folder)
    assert done.returncode == 1, done.stdout
    assert re.search(r"precision +double +single", done.stdout)
    assert "d3plot: position" in done.stdout


def test_nij_of_a_section(folder):
    """From the force and the moment of a section, as the command prints it; the class of the neck is 600."""
    run = RunCurves(folder / "double")
    words = ("secforc/springs/x_force", "secforc/springs/y_moment")
    pair = [run.curves(one, NECK.channel_class)[0] for one in words]
    expected = neck_figures(pair)
    done = crumple("plot", "double", *words, "--atd", "neck", "-o", "neck.png", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    for figure in expected:
        assert re.search(rf"{figure.name} +{re.escape(figure.value)} ", done.stdout), done.stdout
    assert [figure.name for figure in expected] == ["NTF", "NTE", "NCF", "NCE"]
