"""Units that are named: what follows from a name, and where it is printed."""

import json
import re

import pytest
from command_line import crumple
from small_decks import falling_bodies
from solver_run import run

from crumple.results.d3hsp import read_d3hsp
from crumple.results.run_units import units_of
from crumple.units import COMMON, find_units

LABELS = {
    "kg-m-s": ("kg", "N", "J", "Pa"),
    "t-mm-s": ("t", "N", "mJ", "MPa"),
    "kg-mm-ms": ("kg", "kN", "J", "GPa"),
    "g-mm-ms": ("g", "N", "mJ", "MPa"),
    "kg-mm-s": ("kg", "mN", "µJ", "kPa"),
    "g-cm-us": ("g", "g cm/µs²", "g cm/µs² cm", "Mbar"),
    "g-cm-s": ("g", "dyn", "erg", "dyn/cm²"),
    "lbf-in-s": ("lbf s²/in", "lbf", "in lbf", "psi"),
    "slug-ft-s": ("slug", "lbf", "ft lbf", "psf"),
}


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("deck") / "deck.k"
    path.write_text(falling_bodies(end_time=0.002))
    return path


def test_what_follows_from_a_name():
    assert set(LABELS) == set(COMMON)
    for name, labels in LABELS.items():
        units = find_units(name)
        assert tuple(units[k] for k in ("mass", "force", "energy", "stress")) == labels
    assert find_units("mm-ton-s") == find_units("t-mm-s")
    assert not find_units("")


@pytest.mark.parametrize("name", ["t-mm", "t-mm-s-s", "t-mm-mm", "furlong", "kg mm ms", "-", "kg-kn-s"])
def test_what_is_no_system(name):
    with pytest.raises(ValueError, match="kg-mm-ms, g-mm-ms"):
        find_units(name)


def test_the_solver_derives_the_same(deck, tmp_path):
    for name in [*COMMON, "mm-sec-tonne", "kN-mm-ms", "oz-yd-min", "mg-mm-us"]:
        said = run(deck, tmp_path, "--check", "--units", name).stdout
        line = re.search(r"units +(\S+): (.*)", said)
        assert line, said
        units = find_units(name)
        assert line[1] == units.name
        assert line[2] == ", ".join(f"{what} {label}" for what, label in units.labels.items())


def test_a_wrong_name_lists_them(deck, tmp_path):
    for command in (("check", str(deck)), ("run", str(deck), "-n", "1")):
        done = crumple(*command, "--units", "mm-kg-parsec", directory=tmp_path)
        assert done.returncode == 2, done.stdout
        assert "CR-K001" in done.stdout + done.stderr
        for name in COMMON:
            assert name in done.stdout + done.stderr


def test_screen_d3hsp_and_report(deck, tmp_path):
    done = run(deck, tmp_path, "--units", "kg-mm-ms")
    assert done.status == 0, done.said
    assert re.search(r"mass \S+ kg, 1 rank", done.stdout)
    assert re.search(r"^ +ms +ms +J +J +J$", done.stdout, re.MULTILINE), done.stdout
    log = read_d3hsp(tmp_path / "d3hsp")
    assert units_of(log) == find_units("kg-mm-ms")
    assert log.number("control", "end time") == 0.002
    assert log.number("model", "total mass") > 0
    done = crumple("report", str(tmp_path), directory=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text()
    assert "deck units" not in page
    for words in ("time, ms", "energy, J", "force, kN", "time step, ms", "kg-mm-ms"):
        assert words in page or json.dumps(words)[1:-1] in page, words
    done = crumple("report", str(tmp_path), "--units", "t-mm-s", "-o", "other.html", directory=tmp_path)
    assert "energy, mJ" in (tmp_path / "other.html").read_text()


def test_without_the_option_nothing_is_named(deck, tmp_path):
    done = run(deck, tmp_path)
    assert re.search(r"mass \S+, 1 rank", done.stdout)
    assert not units_of(read_d3hsp(tmp_path / "d3hsp"))
    crumple("report", str(tmp_path), directory=tmp_path)
    assert "energy, deck units" in (tmp_path / "report.html").read_text()
    assert run(deck, tmp_path, "--units", "t-mm-s").hash == done.hash


def test_of_the_deck(deck, tmp_path):
    """*CONTROL_UNITS counts where the command line says nothing."""
    path = tmp_path / "deck.k"

    def check(card: str, *arguments: str) -> str:
        path.write_text(deck.read_text().replace("*END", f"*CONTROL_UNITS\n{card}\n*END"))
        return run(path, tmp_path, "--check", *arguments).stdout

    assert re.search(r"units +t-mm-s: mass t", check("mm,sec,mtrc_ton"))
    assert re.search(r"units +kg-mm-ms: ", check("mm,ms,kg"))
    assert re.search(r"units +kg-m-s: ", check(","))
    said = check("mm,ms,kg", "--units", "t-mm-s")
    assert "CR-K003: --units t-mm-s has priority over *CONTROL_UNITS, which has kg-mm-ms" in said
    assert re.search(r"units +t-mm-s", said)
    said = check("mm,ms,firkin")
    assert "CR-D330: *CONTROL_UNITS: mm, ms, firkin are not all known units" in said
    assert not re.search(r"^  units", said, re.MULTILINE)


def test_pictures_name_them(tmp_path):
    pytest.importorskip("pyvista")
    from crumple.view.field import Field
    from crumple.view.picture import Look

    def title(field: Field, units: str) -> str:
        return Look(field, (0.0, 1.0), None, units=find_units(units)).title

    assert title(Field.von_mises, "t-mm-s") == "von Mises stress, MPa"
    assert title(Field.displacement, "t-mm-s") == "displacement, mm"
    assert title(Field.plastic_strain, "t-mm-s") == "effective plastic strain"
    assert title(Field.von_mises, "") == "von Mises stress"
