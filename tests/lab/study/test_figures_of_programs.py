"""What programs print becomes figures: numbers in all forms, missing ones, and those that are not finite."""

import json
import math
import sqlite3
from pathlib import Path

import pytest
from command_line import crumple
from study_database import rows

from crumple.lab.applications.application import Figures
from crumple.lab.applications.ls_dyna import energy_ratio
from crumple.results.glstat import read_glstat
from crumple.results.matsum import read_matsum
from crumple.results.printed_number import NoNumber, number_or_none, printed_number
from crumple.results.radioss_listing import read_listing

STUDY = """
[study]
name = "s"
repeats = 1
time_limit = 20

[workload]
application = "command"
program = "say.sh"
arguments = ["{ranks}"]

[workload.figures]
"speed" = 'speed: (\\S+)'
"rate" = 'rate: (\\S+)'

[axes]
ranks = [1, 2]
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A study of a script that prints `speed: 4`, and what a test writes behind it."""
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def says(folder: Path, *lines: str) -> None:
    """Write the program: it prints a speed, then runs the lines."""
    script = folder / "say.sh"
    script.write_text("\n".join(["#!/bin/sh", "sleep 0.1", "echo speed: 4", *lines, "exit 0", ""]))
    script.chmod(0o755)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12.0),
        ("-5.", -5.0),
        (".5", 0.5),
        ("+.5e-2", 0.005),
        ("1.5D+3", 1500.0),
        ("2.5D+03", 2500.0),
        ("1d0", 1.0),
        ("1.5Q2", 150.0),
        ("1.5+103", 1.5e103),
        ("-0.15-102", -0.15e-102),
        ("12,345.6", 12345.6),
        ("1,234,567", 1234567.0),
        (" 7 ", 7.0),
        ("Infinity", math.inf),
        ("-inf", -math.inf),
        ("-1.#INF", -math.inf),
    ],
)
def test_forms_of_numbers(text, number):
    assert printed_number(text) == number


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan", "nan(0x8000)", "1.#IND", "-1.#QNAN"])
def test_forms_of_no_number(text):
    assert math.isnan(printed_number(text))


@pytest.mark.parametrize(
    "text", ["", "*****", "12,345", "1_000", "x", "1.5+", "1e", "--1", "1.2.3", "\u0661"]
)
def test_what_is_no_number(text):
    with pytest.raises(NoNumber):
        printed_number(text)
    if text != "*****":
        with pytest.raises(NoNumber):
            number_or_none(text)
    else:
        assert number_or_none(text) is None


@pytest.mark.parametrize("printed", ["nan", "-nan", "inf", "-Infinity", "1e999"])
def test_a_figure_that_is_not_finite_fails_its_run_only(folder, printed):
    says(folder, f"[ $1 = 1 ] && echo rate: {printed} || echo rate: 5", "seq 20")
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 1 and "Traceback" not in done.stdout
    assert f"'rate' is {float(printed)}: not a finite number" in done.stdout
    assert rows(folder / "s.db", "SELECT ranks, state FROM run JOIN case_ ON case_.id = case_") == [
        (1, "failed"),
        (2, "done"),
    ]
    assert rows(
        folder / "s.db", "SELECT name, value FROM figure WHERE name IN ('rate', 'speed') ORDER BY 1"
    ) == [
        ("rate", 5.0),
        ("speed", 4.0),
    ]
    assert crumple("study", "report", "s.db", directory=folder).returncode == 0
    assert "not a finite number" in (folder / "s.html").read_text()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[ $1 = 1 ] || echo rate: 5", "'rate' was not found in what the program printed"),
        ("[ $1 = 1 ] && echo 'rate: *****' || echo rate: 5", "'rate': '*****' is no number"),
        ("[ $1 = 1 ] && echo 'rate: 12,345' || echo rate: 5", "'rate': '12,345' has a comma"),
    ],
)
def test_a_missing_figure_takes_no_other_with_it(folder, line, why):
    says(folder, line)
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 0, done.stdout
    assert why in " ".join(done.stdout.split())
    assert rows(
        folder / "s.db", "SELECT name, value, count(*) FROM figure WHERE name IN ('rate', 'speed') GROUP BY 1"
    ) == [
        ("rate", 5.0, 1),
        ("speed", 4.0, 2),
    ]
    assert crumple("study", "report", "s.db", "-o", "s.md", directory=folder).returncode == 0
    assert "1 of 2 runs: 'rate'" in (folder / "s.md").read_text()


def test_the_reason_is_among_the_lines_shown(folder):
    (folder / "say.sh").write_text("#!/bin/sh\nsleep 0.1\nseq 40\n")
    (folder / "say.sh").chmod(0o755)
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 1
    assert "    'speed' was not found in what the program printed; 'rate' was not found" in done.stdout
    says(folder, "seq 40", "exit 7")
    done = crumple("study", "run", "study.toml", directory=folder)
    assert "    exit status 7\n    36\n" in done.stdout


@pytest.mark.parametrize("kind", ["values", "phases"])
def test_any_program_whose_figures_are_not_finite(kind):
    figures = Figures(**{kind: {"x": math.inf if kind == "values" else [1.0, math.nan]}})
    assert figures.not_finite().endswith("not a finite number")
    assert not Figures(values={"x": 1.0}, phases={"x": [1.0]}).not_finite()


def test_results_that_cannot_be_read_fail_their_run_only(folder, monkeypatch):
    """A file of a program that its reader does not understand ends no study."""
    path = folder / "study.toml"
    path.write_text(
        STUDY.replace('"command"', '"ls-dyna"').replace('arguments = ["{ranks}"]', 'deck = "car.k"')
    )
    path.write_text(path.read_text().partition("[workload.figures]")[0] + "[axes]\nranks = [1]\n")
    (folder / "car.k").write_text("*END\n")
    says(folder, "echo ' Problem time = one' >d3hsp")
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 1 and "Traceback" not in done.stdout
    assert "its results cannot be read: DamagedFile" in done.stdout


def test_numbers_of_fortran_in_files(tmp_path):
    block = " time.........................   1.5D-03\n total energy / initial energy..   {}\n"
    glstat = tmp_path / "glstat"
    for text, ratio in (("1.25-101", 1.25e-101), ("1.D0", 1.0), (".99", 0.99)):
        glstat.write_text(block.format(text))
        assert read_glstat(glstat)["time"].iloc[-1] == 1.5e-3
        assert energy_ratio(tmp_path) == {"energy ratio": ratio}
    glstat.write_text(block.format("NaN"))
    assert Figures(values=energy_ratio(tmp_path)).not_finite()
    glstat.write_text(block.format("*********"))
    assert energy_ratio(tmp_path) == {}
    (tmp_path / "matsum").write_text(" time =  1.D-3\n mat.#=  1   inten=  1.5-103   kinen=  NaN\n")
    row = read_matsum(tmp_path / "matsum").rows.iloc[0]
    assert (row["time"], row["inten"]) == (1e-3, 1.5e-103) and math.isnan(row["kinen"])
    listing = tmp_path / "x_0001.out"
    listing.write_text(" NC=   10 T= 1.0000E-01 DT= 1.5-103 ERR=*****% DM/M= 0.1D+01\n")
    read = read_listing(listing)
    assert (read.time, read.step, read.energy_error, read.mass_error) == (0.1, 1.5e-103, None, 1.0)


def test_charts_of_unknown_figures_are_refused(folder):
    says(folder, "echo rate: 5")
    path = folder / "study.toml"
    good = STUDY.replace("[workload]\n", 'charts = ["rate", "elapsed [s]"]\n[workload]\n', 1)
    path.write_text(good.replace('"rate", "el', '"rates", "el'))
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 2 and not (folder / "s.db").exists()
    assert "charts: there is no figure 'rates'; did you mean 'rate'?; there are: speed, rate" in done.stdout
    path.write_text(good)
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    assert crumple("study", "report", "s.db", directory=folder).returncode == 0
    assert {"rate.png", "elapsed--s.png"} & {p.name for p in (folder / "s").iterdir()}
    connection = sqlite3.connect(folder / "s.db")
    with connection:
        connection.execute("UPDATE study SET file = replace(file, 'charts = [\"rate\"', 'charts = [\"no\"')")
    connection.close()
    done = crumple("study", "report", "s.db", directory=folder)
    assert done.returncode == 2 and "charts: there is no figure 'no'" in done.stdout


def test_json_of_a_profile_has_no_nan():
    from crumple.lab.profile.profile import ProfileError, profile_of

    whole = {
        "format": "crumple-profile",
        "version": 1,
        "command": [],
        "exit_status": 0,
        "size": 1,
        "ranks": [],
    }
    text = json.dumps(whole).replace('"size": 1', '"size": NaN')
    with pytest.raises(ProfileError):
        profile_of(text, "x")
