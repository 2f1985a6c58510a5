"""The Python readers on damaged files, a few of each; `make fuzz` takes many more."""

import pytest
from fuzz_readers import fuzz
from readers import Reader, readers, write_corpus

from crumple.lab.applications.case import StudyError

SEED = 1
COUNT = 25


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The good files."""
    folder = tmp_path_factory.mktemp("fuzz") / "corpus"
    write_corpus(folder)
    return folder


@pytest.mark.parametrize("reader", readers(), ids=lambda r: r.name)
def test_damaged_files(reader: Reader, good):
    taken, findings = fuzz(reader, good, SEED, count=COUNT, keep=False)
    assert taken == COUNT
    assert not findings, findings[0].what


def test_a_published_program_of_arrays_without_end(good, tmp_path):
    """What fuzzing found: brackets in brackets beyond what Python's stack takes."""
    path = tmp_path / "program.toml"
    path.write_text("[program]\ncalls = " + "[" * 5000)
    with pytest.raises(StudyError, match="program.toml: damaged"):
        next(r for r in readers() if r.name == "published program").read(tmp_path)


def fails(folder):
    raise KeyError("not its own error")


def hoards(folder):
    bytearray(3 << 30)


def does_not_name_it(folder):
    raise ValueError("something is wrong")


@pytest.mark.parametrize("read", [fails, hoards, does_not_name_it])
def test_what_a_reader_should_not_do_is_found(good, read):
    def on_damage(folder):
        if folder.name != "good":
            read(folder)

    _, findings = fuzz(Reader("bad", on_damage, (ValueError,), "hostfile"), good, SEED, count=3, keep=False)
    assert len(findings) == 3
