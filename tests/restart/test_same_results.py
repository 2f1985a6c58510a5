"""The comparison of result files notices a single changed byte, and files that are missing or too many."""

import shutil
from pathlib import Path

import h5py
import pytest
import small_decks
from same_results import different_files
from solver_run import run

from crumple.results.lsda import LsdaFile


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> tuple[Path, Path]:
    """The results of two runs, on one rank and on two."""
    place = tmp_path_factory.mktemp("same")
    (place / "deck.k").write_text(small_decks.torn_plate(0.03))
    one, two = (run(place / "deck.k", place / str(n), "--vtkhdf", ranks=n).directory for n in (1, 2))
    assert different_files(one, two) == []
    return one, two


@pytest.fixture
def changed(folders, tmp_path) -> tuple[Path, Path]:
    """One of them, and a copy of the other to be changed."""
    return folders[0], Path(shutil.copytree(folders[1], tmp_path / "copy"))


def flip(path: Path, at: int) -> None:
    """Change the lowest bit of a byte."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["d3plot", "d3plot01", "matsum", "rcforc", "d3hsp"])
@pytest.mark.parametrize("part", [0.3, 0.6])
def test_a_byte(name, part, changed):
    one, two = changed
    at = int(part * (two / name).stat().st_size)
    content = (two / name).read_bytes()
    while name == "d3hsp" and not content[at : at + 1].isalnum():
        at += 1
    flip(two / name, at)
    assert different_files(one, two) == [name]


def test_a_number_of_binout(changed):
    one, two = changed
    places = LsdaFile(two / "binout0000").places
    flip(two / "binout0000", places["/glstat/d000002"]["nzc"].offset)
    assert different_files(one, two) == []
    flip(two / "binout0000", places["/glstat/d000002"]["kinetic_energy"].offset)
    assert different_files(one, two) == ["binout0000"]


@pytest.mark.parametrize("what", ["number", "attribute", "name"])
def test_vtkhdf(what, changed):
    one, two = changed
    with h5py.File(two / "results.vtkhdf", "r+") as file:
        root = file["VTKHDF"]
        if what == "number":
            root["Points"][3, 1] += 1e-6
        elif what == "attribute":
            root.attrs["more"] = 1
        else:
            root["Steps"]["more"] = [1]
    assert different_files(one, two) == ["results.vtkhdf"]


def test_files(changed):
    one, two = changed
    (two / "glstat").unlink()
    (two / "d3plot02").write_bytes(b"")
    (two / "runrsf.c10.r0").write_bytes(b"no result")
    assert different_files(one, two) == ["d3plot02", "glstat"]
