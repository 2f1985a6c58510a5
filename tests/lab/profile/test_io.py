"""What the profiler tells of files, against programs that write and read exactly known bytes; few ranks."""

import io
import re
from pathlib import Path

import pytest
from command_line import crumple
from rich.console import Console
from test_profile import PROGRAMS, compiled, family  # noqa: F401  a fixture

from crumple.lab.profile.io_totals import BENEATH, Calls, FileTotal, by_file, by_phase, by_rank
from crumple.lab.profile.profile import Profile, read_profile
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.profile.show_io import io_tables, shortened
from crumple.lab.profile.show_profile import show


def profiled(source: str, family: str, ranks: int, directory: Path, *arguments: str) -> Profile:  # noqa: F811
    """Profile of a program."""
    program = compiled(source, family, directory)
    done = crumple(
        *("profile", "-n", str(ranks), "-o", "p.json", "--", str(program), *arguments), directory=directory
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return read_profile(directory / "p.json")


def files(profile: Profile) -> dict[str, FileTotal]:
    """Files that the program used, by name without folder."""
    return {Path(f.path).name: f for f in by_file(profile) if f.through()}


def facts(calls: Calls) -> tuple[dict[str, int], int, int]:
    """Calls by kind, bytes read and written."""
    return calls.counts, calls.read, calls.written


def test_posix_calls(family, tmp_path):  # noqa: F811
    profile = profiled("io.c", family, 2, tmp_path, "raw")
    found = files(profile)
    assert set(found) == {"raw.0", "raw.1"}
    written = 1000 + 3000 + (4 << 20) + 1 + 80
    for rank, f in ((0, found["raw.0"]), (1, found["raw.1"])):
        assert f.ranks == {rank}
        assert f.through() == ["posix"]
        assert f.path == str(tmp_path / f"raw.{rank}")
        calls = f.program()
        kinds = {"opens": 2, "reads": 4, "writes": 11, "syncs": 2, "closes": 3, "others": 1}
        assert facts(calls) == (kinds, 1550, written)
        # reads 0 and 50, writes 8 x 10; read 500, 1000 and write 1000; write 3000; write 4 MiB + 1
        assert calls.sizes == [10, 3, 1, 0, 0, 0, 1]
        assert by_rank(profile)[rank].bytes() == 1550 + written
        assert {name: c.bytes() for name, c in f.phases.items()} == {"saving": written, "loading": 1550}
    phases = by_phase(profile)
    assert set(phases) == {"saving", "loading"}
    assert (phases["saving"].read, phases["saving"].written) == (0, 2 * written)
    assert (phases["loading"].read, phases["loading"].written) == (2 * 1550, 0)


def test_c_streams(family, tmp_path):  # noqa: F811
    profile = profiled("io.c", family, 2, tmp_path, "streams")
    for rank in (0, 1):
        f = files(profile)[f"stream.{rank}"]
        assert f.through() == ["stdio"]
        written = 70_000 + 12 + 6 + 1 + 100
        assert (tmp_path / f"stream.{rank}").stat().st_size == written
        kinds = {"opens": 2, "writes": 5, "reads": 5, "syncs": 1, "closes": 2}
        # of the 100 last bytes 1 and 10 are read
        assert facts(f.program()) == (kinds, 70_000 + 12 + 7 + 1 + 10, written)
        assert f.program().sizes == [8, 0, 0, 2, 0, 0, 0]


def test_standard_output_in_a_file(family, tmp_path):  # noqa: F811
    found = files(profiled("io.c", family, 2, tmp_path, "printed"))
    for rank in (0, 1):
        f = found[f"out.{rank}"]
        assert (f.through(), *facts(f.program())) == (["stdio"], {"opens": 1, "writes": 3}, 0, 11)
        assert (tmp_path / f"out.{rank}").stat().st_size == 11


@pytest.mark.parametrize("ranks", [1, 3])
def test_mpi_io_and_what_is_beneath_it(family, ranks, tmp_path):  # noqa: F811
    profile = profiled("io.c", family, ranks, tmp_path, "shared")
    found = files(profile)
    assert set(found) == {"shared"}
    f = found["shared"]
    assert f.ranks == set(range(ranks))
    assert f.through() == ["mpi_io"]
    size = (tmp_path / "shared").stat().st_size
    assert size == 30_000 * ranks
    kinds = {"opens": 1, "others": 1, "writes": 3, "syncs": 1, "reads": 2, "closes": 1}
    assert facts(f.program()) == ({k: n * ranks for k, n in kinds.items()}, 4000 * ranks, size)
    # nothing is counted twice: the MPI library's calls are not the program's
    assert all("writes" not in rank["files"] for rank in profile.ranks)
    assert f.layers[BENEATH].written >= 20_000 * ranks  # ranks may also write through one of them


def test_a_file_goes_by_its_last_name(family, tmp_path):  # noqa: F811
    """Also for ranks that did not rename it, and when another had the name before."""
    profile = profiled("io.c", family, 3, tmp_path, "renamed", "3")
    found = files(profile)
    assert set(found) == {"dump0", "dump1", "dump2"}
    for f in found.values():
        assert f.ranks == {0, 1, 2}
        assert facts(f.program()) == ({"opens": 6, "writes": 9, "closes": 6}, 0, 3 * 201)


def test_a_file_written_anew_takes_one_place(family, tmp_path):  # noqa: F811
    profile = profiled("io.c", family, 1, tmp_path, "rewritten", "1100")
    (f,) = by_file(profile)
    assert f.path == str(tmp_path / "again")
    assert facts(f.program()) == ({"opens": 1100, "writes": 1100, "closes": 1100}, 0, 11_000)


def test_a_number_that_is_used_again_is_another_file(family, tmp_path):  # noqa: F811
    found = files(profiled("io.c", family, 2, tmp_path, "reused"))
    for rank in (0, 1):
        kinds = {"opens": 2, "writes": 1, "closes": 2}
        assert facts(found[f"closed.{rank}"].program()) == (kinds, 0, 10)


def test_more_files_than_the_table_holds(family, tmp_path):  # noqa: F811
    profile = profiled("io.c", family, 1, tmp_path, "many", "1100")
    found = files(profile)
    assert len(found) == 1025
    assert facts(found["(others)"].program()) == ({"opens": 76, "writes": 76, "closes": 76}, 0, 760)
    assert sum(f.program().written for f in found.values()) == 11_000
    said = shown(profile)
    assert re.search(r"^\(files beyond the table's room\) +1 +POSIX +76 +76 +760 B", said, re.M), said
    assert "1 rank used more files than the table has room for" in said


def test_threads_at_once(family, tmp_path):  # noqa: F811
    profile = profiled("io.c", family, 2, tmp_path, "threads")
    found = files(profile)
    assert set(found) == {"threads", *(f"thread.{r}.{t}" for r in (0, 1) for t in range(4))}
    each = {"opens": 200, "writes": 200, "closes": 200}
    assert facts(found["threads"].program()) == ({k: 8 * n for k, n in each.items()}, 0, 8 * 600)
    assert facts(found["thread.1.2"].program()) == (each, 0, 1400)
    assert {name: c.written for name, c in by_phase(profile).items()} == {"even": 8000, "odd": 8000}


def test_what_is_left_out(family, tmp_path, monkeypatch):  # noqa: F811
    profile = profiled("io.c", family, 2, tmp_path, "left_out")
    assert files(profile) == {}
    assert io_tables(profile) == []
    monkeypatch.setenv("CRUMPLE_PROFILE_EVERY_FILE", "1")
    asked = files(profiled("io.c", family, 2, tmp_path, "left_out"))
    assert asked["crumple-io-test"].program().written == 20
    assert not any(name.startswith("stopped") for name in asked)


def test_streams_of_cpp_and_copies(family, tmp_path):  # noqa: F811
    found = files(profiled("io_streams.cpp", family, 2, tmp_path))
    for rank in (0, 1):
        f, copy = found[f"cpp.{rank}"].program(), found[f"copy.{rank}"].program()
        assert (f.written, f.read) == (100_003, 2 * 100_003)
        assert (copy.written, copy.read) == (100_003, 0)


@pytest.mark.parametrize("source", ["io_f08.f90", "io_mpif.f90"])
def test_fortran(family, source, tmp_path):  # noqa: F811
    found = files(profiled(source, family, 2, tmp_path))
    f = found["from_fortran"]
    assert f.path == str(tmp_path / "from_fortran")
    kinds = {"opens": 2, "writes": 2, "reads": 2, "syncs": 2, "closes": 2}
    assert (f.ranks, *facts(f.program())) == ({0, 1}, kinds, 160, 160)
    for rank in (0, 1):
        assert found[f"own_fortran.{rank}"].program().written == 24


@pytest.fixture
def deck(tmp_path) -> Path:
    """The three vehicles."""
    done = crumple("model", "three-vehicle", "--elements", "4000", "-o", "m.k", directory=tmp_path)
    assert done.returncode == 0
    return tmp_path / "m.k"


@pytest.mark.parametrize("layout", ["files", "shared"])
def test_dumps_and_results_of_the_solver(layout, deck, tmp_path):
    """Of every file that it leaves, as many bytes are told as it has; of the dumps it removed, too."""
    from crumple.solver import solver_path

    run = [str(solver_path()), f"i={deck}", "endtime=0.5", "--dump-cycles", "40", "--dump-layout", layout]
    done = crumple(
        *("profile", "-n", "3", "-o", "p.json", "--", *run, "-d", str(tmp_path / "out")), directory=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = files(read_profile(tmp_path / "p.json"))
    left = {p.name: p.stat().st_size for p in (tmp_path / "out").iterdir()}
    dumps = sorted(name for name in left if name.startswith("runrsf.c80."))
    assert len(dumps) == {"files": 3, "shared": 1}[layout]
    for name in (*dumps, "d3plot", "d3plot01", "binout0000", "matsum", "glstat"):
        program = found[name].program()
        # what marks the end of these is written over as they grow
        over = 100 if name in ("d3plot01", "binout0000") else 0
        assert left[name] <= program.written <= left[name] + over, name
    for name in dumps:
        assert found[name].program().written == left[name]
        assert found[name].through() == [{"files": "posix", "shared": "mpi_io"}[layout]]
        assert len(found[name].ranks) == {"files": 1, "shared": 3}[layout]
        assert found[name.replace("c80", "c40")].program().written == left[name]
    assert not [name for name in found if name.endswith(".new")]
    assert found["m.k"].program().read >= deck.stat().st_size


def shown(profile: Profile) -> str:
    """What is printed."""
    out = io.StringIO()
    show(profile, Console(file=out, width=200, markup=False))
    return out.getvalue()


def layer(**calls: tuple[int, float, int]) -> dict:
    """Calls of one layer, as in the JSON file."""
    kinds = {k: {"calls": n, "time": t, "bytes": b} for k, (n, t, b) in calls.items()}
    return {"calls": kinds, "read_sizes": [0] * 7, "write_sizes": [2, 0, 0, 0, 5, 0, 0]}


def made_up(hosts: tuple[str, ...], inodes: tuple[int, ...], path: str = "/data/x") -> Profile:
    """Ranks that each write one file."""
    profile = read_profile(PROGRAMS.parents[2] / "fuzz" / "corpus" / "profile" / "profile.json")
    for rank, host, inode in zip(profile.ranks, hosts, inodes, strict=True):
        rank["host"] = host
        rank["elapsed"] = 10.0
        one = {
            "path": path,
            "device": 1,
            "inode": inode,
            "phases": {"(none)": {"posix": layer(writes=(7, 2.0, 5_000_000))}},
        }
        rank["io"] = {"files": [one], "others": False, "renames": [], "more_renames": 0}
    return profile


def test_one_path_on_two_hosts_is_two_files_unless_they_share_it():
    assert [f.path for f in by_file(made_up(("a", "b"), (5, 6)))] == ["a:/data/x", "b:/data/x"]
    for hosts, inodes in ((("a", "b"), (5, 5)), (("a", "a"), (5, 6))):
        (f,) = by_file(made_up(hosts, inodes))
        assert (f.path, f.ranks) == ("/data/x", {0, 1})


def test_what_a_table_had_no_room_for_is_said():
    profile = made_up(("a", "a"), (5, 5))
    assert "renames not recorded" not in shown(profile)
    profile.ranks[0]["io"]["more_renames"] = 3
    profile.ranks[1]["io"]["others"] = True
    said = shown(profile)
    assert "(3 renames not recorded" in said
    assert "(1 rank used more files than the table has room for" in said


def test_what_is_printed():
    said = shown(made_up(("a", "a"), (5, 5)))
    row = re.search(
        r"^/data/x +2, shared +POSIX +[(]none[)] +14 +10 MB +2.5 +4.000 +20.0 +to 1 MiB$", said, re.M
    )
    assert row, said
    assert re.search(r"^/data/x +4 +10 *$", said, re.M), said


def test_paths_are_cut_at_a_folder_and_printed_as_one_line():
    assert shortened("/a/b") == "/a/b"
    assert shortened("/scratch/" + "x" * 30 + "/results/run7/d3plot01") == ".../results/run7/d3plot01"
    assert shortened("/a\nb") == "/a?b"


@pytest.mark.parametrize(
    "damage", [lambda d: d[:100], lambda d: d[:-1], lambda d: b"x" + d[1:], lambda d: d + b"x"]
)
def test_damaged_record_is_refused(damage, tmp_path):
    records = PROGRAMS.parents[2] / "fuzz" / "corpus" / "records"
    for name in ("rank.0", "io.0"):
        (tmp_path / name).write_bytes((records / name).read_bytes())
    assert read_profile(tmp_path).ranks[0]["io"]["files"]
    (tmp_path / "io.0").write_bytes(damage((tmp_path / "io.0").read_bytes()))
    with pytest.raises(ProfileError, match=r"io\.0"):
        read_profile(tmp_path)
