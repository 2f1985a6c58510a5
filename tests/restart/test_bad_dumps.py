"""A dump that cannot be used is refused in one line with its place, and nothing is overwritten."""

import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from small_decks import STEEL, Deck, block
from solver_run import Run, run

from crumple.restart.dumps import MARK

CYCLE = 60
ERROR = re.compile(r"^.*\berror (CR-[A-Z]\d{3}): .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory) -> Path:
    """A folder with a deck, and in `out` its run on two ranks: d3dump01 and runrsf of one cycle."""
    folder = tmp_path_factory.mktemp("stopped")
    deck = folder / "deck.k"
    deck.write_text(block(0.2, 0.05))
    done = run(deck, folder / "out", f"ncycle={CYCLE}", "--dump-cycles", str(CYCLE), ranks=2)
    assert done.status == 0, done.said
    return folder


@pytest.fixture
def out(stopped, tmp_path) -> Path:
    """A copy of the results that a test may damage."""
    shutil.copytree(stopped / "out", tmp_path / "out")
    return tmp_path / "out"


def content(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def refused(out: Path, error: str, *words: str, status: int = 2, options: tuple[str, ...] = ()) -> Run:
    """A restart from runrsf ends with one line that has this id and these words, and changes no file."""
    before = content(out)
    done = run(None, out, f"r={out / 'runrsf'}", *options, ranks=2)
    assert done.status == status, done.said
    found = ERROR.findall(done.said)
    assert found == [error], done.said
    said = ERROR.search(done.said)[0]
    for word in words:
        assert word in said
    assert content(out) == before
    return done


def write(path: Path, bytes_: bytes) -> None:
    path.write_bytes(bytes_)


def streams(out: Path) -> list[Path]:
    return sorted(out.glob("runrsf.c*"))


def test_no_dump(out):
    (out / "runrsf").unlink()
    refused(out, "CR-T001", str(out / "runrsf"), "No such file")


def test_foreign_file(out):
    write(out / "runrsf", b"LS-DYNA restart, or a picture")
    refused(out, "CR-T002", str(out / "runrsf"))


def test_folder_instead_of_a_dump(out):
    (out / "runrsf").unlink()
    (out / "runrsf").mkdir()
    refused(out, "CR-T001", str(out / "runrsf"), "directory")


def test_empty_index(out):
    write(out / "runrsf", b"")
    refused(out, "CR-T002", str(out / "runrsf"))


def test_other_version(out):
    index = bytearray((out / "runrsf").read_bytes())
    struct.pack_into("=I", index, len(MARK), 99)
    write(out / "runrsf", bytes(index))
    refused(out, "CR-T003", "version 99")


def test_index_cut_off_anywhere(out):
    index = (out / "runrsf").read_bytes()
    for size in {len(MARK), len(MARK) + 3, len(index) // 2, len(index) - 8, len(index) - 1}:
        write(out / "runrsf", index[:size])
        refused(out, "CR-T004", str(out / "runrsf"))


def test_index_with_any_byte_flipped(out):
    """Behind the mark and the version, which other errors are about."""
    index = (out / "runrsf").read_bytes()
    begin = len(MARK) + 4
    for at in (begin, begin + 7, begin + 9, begin + 40, len(index) // 2, len(index) - 12, len(index) - 1):
        write(out / "runrsf", index[:at] + bytes([index[at] ^ 0x41]) + index[at + 1 :])
        refused(out, "CR-T004", str(out / "runrsf"))


@pytest.mark.parametrize("rank", [0, 1])
def test_file_of_a_rank_is_missing(rank, out):
    streams(out)[rank].unlink()
    refused(out, "CR-T005", str(streams(out)[0].with_name(f"runrsf.c{CYCLE}.r{rank}")), "No such file")


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9, 0.999])
def test_file_of_a_rank_is_cut_off(part, out):
    victim = streams(out)[1]
    whole = victim.stat().st_size
    os.truncate(victim, int(part * whole))
    refused(out, "CR-T005", str(victim), f"not {whole}")


@pytest.mark.parametrize("layout", ["files", "shared"])
def test_any_byte_of_a_stream_flipped(layout, stopped, tmp_path):
    """Keys, values and the table of contents: each section has a checksum."""
    out = tmp_path / "out"
    options = (f"ncycle={CYCLE}", "--dump-cycles", str(CYCLE), "--dump-layout", layout)
    assert run(stopped / "deck.k", out, *options, ranks=2).status == 0
    victim = streams(out)[-1]
    whole = victim.read_bytes()
    for at in [0, 5, len(whole) // 3, len(whole) // 2, 2 * len(whole) // 3, len(whole) - 60, len(whole) - 1]:
        write(victim, whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        refused(out, "CR-T006", str(victim))


def test_stream_of_another_dump(out):
    """Whole files, but of two dumps."""
    one, two = streams(out)
    size = max(one.stat().st_size, two.stat().st_size)
    write(one, two.read_bytes().ljust(size, b"\0"))
    refused(out, "CR-T006", str(one))


def test_other_deck(stopped, out, tmp_path):
    """The deck in the place of that of the dump has changed, or another one is given."""
    other = tmp_path / "other.k"
    other.write_text(block(0.2, 0.05, density="7.9e-6"))
    refused(out, "CR-T007", str(other), options=(f"i={other}",))


def test_deck_that_is_gone(stopped, out, tmp_path):
    before = content(out)
    done = run(None, out, f"r={out / 'runrsf'}", f"i={tmp_path / 'nothing.k'}")
    assert done.status == 2
    assert "nothing.k" in done.said
    assert content(out) == before


@pytest.mark.parametrize(
    "options",
    [("--precision", "single"), ("--vtkhdf",), ("--double-files",), ("jobid=other",), ("-d", "elsewhere")],
)
def test_options_that_do_not_fit(options, out):
    """They shape the results, which go on."""
    (out / "elsewhere").mkdir()
    words = options if options[0] != "-d" else ("-d", str(out / "elsewhere"))
    before = content(out)
    line = [f"r={out / 'runrsf'}", *words]
    done = run(None, out, *line) if options[0] != "-d" else run_with(line, out)
    assert done.status == 2, done.said
    assert ERROR.findall(done.said) == ["CR-T008"]
    assert content(out) == before


def run_with(words: list[str], folder: Path) -> Run:
    """The solver with these words and no others."""
    from solver_run import command, surroundings

    done = subprocess.run(
        command(1, words), env=surroundings(1), cwd=folder, capture_output=True, text=True, check=False
    )
    return Run(done.returncode, done.stdout, done.stderr, folder)


def test_the_dump_before_is_named(stopped, tmp_path):
    """The newest dump is damaged; another one is there, and `auto` takes it."""
    out = tmp_path / "out"
    out.mkdir()
    deck = stopped / "deck.k"
    whole = run(deck, tmp_path / "whole")
    text = deck.read_text()
    both = tmp_path / "both.k"
    both.write_text(text.replace("*END", f"*DATABASE_BINARY_D3DUMP\n{CYCLE // 2}\n*END"))
    done = run(both, out, f"ncycle={CYCLE}", "--dump-cycles", str(CYCLE))
    assert done.status == 0, done.said
    victim = streams(out)[0]
    os.truncate(victim, 100)
    for path in out.glob("d3dump0[2-9]*"):
        path.unlink()
    said = refused(out, "CR-T005", str(victim)).said
    assert f"--restart {out / 'd3dump01'}" in said
    again = run(both, out, "--restart", "auto")
    assert again.status == 0, again.said
    assert "CR-T005" in again.said
    assert f"restart from {out / 'd3dump01'}" in again.stdout
    assert again.hash == whole.hash


def test_auto_without_any_dump(stopped, tmp_path):
    done = run(stopped / "deck.k", tmp_path / "out", "--restart", "auto")
    assert done.status == 0, done.said
    assert "no whole dump" in done.stdout


def test_auto_without_a_dump_and_a_deck(tmp_path):
    done = run(None, tmp_path / "out", "--restart", "auto")
    assert done.status == 2, done.said
    assert len(ERROR.findall(done.said)) == 1


@pytest.fixture
def small_disk(tmp_path):
    """A function that mounts a disk of some KiB; its folder."""
    mounted = []

    def mount(size: int) -> Path:
        folder = tmp_path / "disk"
        folder.mkdir()
        line = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(folder)]
        if subprocess.run(line, capture_output=True, check=False).returncode:
            pytest.skip("a disk of a given size can be mounted by root only")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def large_block() -> str:
    """A dump of it is large beside its other results."""
    deck = Deck()
    deck.control(0.05, 0.05)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (10, 10, 10), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("PART", 1, (1,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,1,1.\n5.,5.,5.,0.,0.,1.")
    return deck.text()


@pytest.mark.parametrize("layout", ["files", "shared"])
def test_no_space_for_a_dump(layout, small_disk, tmp_path):
    """The run goes on, says what a dump needs, and keeps no half of one."""
    deck = tmp_path / "deck.k"
    deck.write_text(large_block())
    whole = run(deck, tmp_path / "whole")
    results = sum(path.stat().st_size for path in (tmp_path / "whole").iterdir()) // 1024
    done = run(deck, small_disk(results + 150), "--dump-cycles", "10", "--dump-layout", layout, ranks=2)
    assert done.status == 0, done.said
    assert done.hash == whole.hash
    said = re.search(r"warning CR-T012: (\S+) of cycle 10 was not written: CR-T010: .*", done.said)
    assert said, done.said
    assert said[0].endswith("without a dump")
    assert not list(done.directory.glob("runrsf*"))


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user, whom root can become")
def test_folder_of_dumps_cannot_be_written(small_disk, stopped, out):
    """As on a disk that became read-only: the restart is refused before anything is computed."""
    disk = small_disk(2000)
    for path in out.iterdir():
        shutil.copy(path, disk)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    before = content(disk)
    done = run(None, disk, f"r={disk / 'runrsf'}")
    assert done.status == 4, done.said
    assert len(ERROR.findall(done.said)) == 1, done.said
    assert "Read-only" in done.said
    assert content(disk) == before
