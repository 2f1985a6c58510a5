"""Which processes are profiled, with what else is loaded into them, and how they are launched."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from command_line import crumple
from test_profile import PROGRAMS, calls, compiled, family  # noqa: F401  a fixture

from crumple.lab.profile.launch import preloaded
from crumple.lab.profile.library import is_static
from crumple.lab.profile.profile import Profile, read_profile
from crumple.mpi import LauncherOptionError, launcher_words, with_options

MORE = ("--launcher", "--oversubscribe")  # room for what is spawned


def profiled(program: Path, *arguments: str, options: tuple[str, ...] = MORE) -> tuple[Profile, str]:
    """Profile of a program of Open MPI on 2 ranks, and what was printed."""
    here = program.parent
    words = ("profile", "-n", "2", "-o", "p.json", *options, "--", str(program), *arguments)
    done = crumple(*words, directory=here)
    assert done.returncode == 0, done.stdout + done.stderr
    return read_profile(here / "p.json"), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("argument", "sizes"), [("", [2]), ("several", [3]), ("again", [2, 1])], ids=["one", "several", "again"]
)
def test_spawned_processes_have_records_of_their_own(tmp_path, argument, sizes):
    """Debian's MPICH cannot spawn (4.0.2 under its own mpirun)."""
    profile, said = profiled(compiled("spawns.c", "openmpi", tmp_path), *([argument] if argument else []))
    assert profile.size == 2
    assert calls(profile)["MPI_Barrier"] == 20
    assert "MPI_Allreduce" not in calls(profile)
    assert [world.size for world in profile.spawned] == sizes
    for number, world in enumerate(profile.spawned, 1):
        assert calls(world)["MPI_Allreduce"] == 100 * world.size
        assert f"spawned world {number}: {world.size} rank" in said
    assert profile.lost() == profile.lost_of_spawned() == []
    assert "warning" not in said


def test_processes_spawned_from_fortran_are_counted(tmp_path):
    profile, _ = profiled(compiled("spawns.f90", "openmpi", tmp_path))
    assert [rank["spawned"] for rank in profile.ranks] == [2, 0]
    assert calls(profile)["MPI_Barrier"] == 6
    assert [calls(world)["MPI_Barrier"] for world in profile.spawned] == [6]


def test_spawned_processes_without_a_record_are_said_to_be_missing(tmp_path):
    """Loaded by hand behind mpirun, the profiler does not reach them."""
    program = compiled("spawns.c", "openmpi", tmp_path)
    profiled(program)  # builds the profiler
    root = PROGRAMS.parents[3] / "build" / "profiler"
    library = max(root.glob("openmpi-*/*.so"), key=lambda p: p.stat().st_mtime)
    line = ["mpirun.openmpi", "--oversubscribe", "-n", "2", "env", f"LD_PRELOAD={library}"]
    subprocess.run([*line, "CRUMPLE_PROFILE=mine", str(program)], cwd=tmp_path, check=True)
    done = crumple("profile", "show", "mine", directory=tmp_path)
    assert done.returncode == 0
    assert "warning: 2 spawned processes are not in this profile" in done.stdout


def test_a_profile_of_an_earlier_version_is_read(tmp_path):
    corpus = PROGRAMS.parents[2] / "fuzz" / "corpus" / "profile" / "profile.json"
    profile = read_profile(corpus)
    assert "spawned" not in profile.ranks[0]
    assert profile.lost_of_spawned() == []


@pytest.fixture
def tool(family, tmp_path) -> Path:  # noqa: F811
    """Another tool's library."""
    library = tmp_path / "libtool.so"
    line = [f"mpicc.{family}", "-w", "-shared", "-fPIC", str(PROGRAMS / "tool.c"), "-o", str(library)]
    subprocess.run(line, check=True)
    return library


@pytest.mark.parametrize(
    "before, between", [("", ""), ("libm.so.6", ":"), ("libm.so.6", " "), (":libm.so.6", "::")]
)
def test_what_the_user_preloads_is_loaded_too(family, tool, tmp_path, monkeypatch, before, between):  # noqa: F811
    """Its wrappers are called behind ours, once for each call of the program."""
    program = compiled("stops.c", family, tmp_path)
    monkeypatch.setenv("LD_PRELOAD", f"{before}{between}{tool}")
    profile, said = profiled(program, options=())
    assert said.count("TOOL INIT") == 2
    assert said.count("TOOL BARRIER") == 2 * 7  # recorded or not
    assert calls(profile)["MPI_Barrier"] == 2 * 2


def test_entries_of_the_preload_list(monkeypatch, tmp_path):
    ours = Path("/x/libcrumple-profiler.so")
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    assert preloaded([ours], tmp_path) == str(ours)
    monkeypatch.setenv("LD_PRELOAD", "/a/one.so  two.so:/y/libcrumple-profiler.so:")
    assert preloaded([ours], tmp_path) == f"{ours}:/a/one.so:two.so"


def test_a_checkout_whose_path_the_loader_would_take_apart(monkeypatch, tmp_path):
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    library = tmp_path / "my work" / "libcrumple-profiler.so"
    library.parent.mkdir()
    library.write_bytes(b"x")
    records = Path(tempfile.mkdtemp(dir="/tmp"))
    assert preloaded([library], records) == f"{records}/libcrumple-profiler.so"
    assert (records / "libcrumple-profiler.so").read_bytes() == b"x"
    shutil.rmtree(records)


def test_a_forked_child_is_not_the_rank(family, tmp_path):  # noqa: F811
    profile, _ = profiled(compiled("forks.c", family, tmp_path), options=())
    for rank in profile.ranks:
        assert rank["files"]["writes"] == rank["files"]["writes"] | {"calls": 1, "bytes": 1000}
        assert rank["state"] == "finalized"


def test_a_program_that_a_script_starts(family, tmp_path):  # noqa: F811
    """The profiler goes through exec."""
    program = compiled("stops.c", family, tmp_path)
    script = tmp_path / "start.sh"
    script.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
    script.chmod(0o755)
    mpirun = ("--mpirun", shutil.which(f"mpirun.{family}"))
    profile, _ = profiled(script, options=mpirun)
    assert calls(profile)["MPI_Barrier"] == 4


def test_nothing_is_left_in_the_current_folder_nor_in_the_temporary_one(tmp_path, monkeypatch):
    program = compiled("stops.c", "openmpi", tmp_path)
    place = tmp_path / "t"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    seen = {p.name for p in tmp_path.iterdir()}
    profiled(program, options=())
    done = crumple("profile", "-n", "2", "-o", "p.json", "--", sys.executable, "-c", "0", directory=tmp_path)
    assert done.returncode == 2
    assert {p.name for p in tmp_path.iterdir()} - seen == {"p.json"}
    assert [p.name for p in place.iterdir() if p.name.startswith("crumple")] == []


def test_records_are_written_where_temporary_files_go(tmp_path, monkeypatch):
    """While the program runs, too: it lists the current folder."""
    (tmp_path / "work").mkdir()
    script = tmp_path / "list.sh"
    script.write_text(
        '#!/bin/sh\nls -A > "$(dirname "$0")/seen"\necho "$CRUMPLE_PROFILE" > "$(dirname "$0")/where"\n'
    )
    script.chmod(0o755)
    (tmp_path / "t").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "t"))
    crumple("profile", "-n", "1", "--", str(script), directory=tmp_path / "work")
    assert (tmp_path / "seen").read_text() == ""
    assert Path((tmp_path / "where").read_text().strip()).parent == tmp_path / "t"


def test_several_nodes_write_where_all_can_read(monkeypatch, tmp_path):
    """Temporary folders are each node's own, the user's cache is not."""
    from crumple.lab.profile.launch import folder_for_ranks

    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "2")
    assert folder_for_ranks() == tmp_path / "cache"
    assert folder_for_ranks().is_dir()
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "1")
    assert folder_for_ranks() == Path(tempfile.gettempdir())


def test_what_is_said_of_a_static_program(tmp_path):
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    done = subprocess.run(["cc", "-static", "main.c", "-o", "static"], cwd=tmp_path, capture_output=True)
    if done.returncode:
        pytest.skip("no static C library")
    subprocess.run(["cc", "main.c", "-o", "dynamic"], cwd=tmp_path, check=True)
    assert is_static(tmp_path / "static")
    assert not is_static(tmp_path / "dynamic")
    assert not is_static(source)
    done = crumple("profile", "-n", "2", "--", "./static", directory=tmp_path)
    assert done.returncode == 2
    assert "is linked statically, so that no profiler can be loaded" in " ".join(done.stdout.split())
    done = crumple("profile", "-n", "2", "--", "./dynamic", directory=tmp_path)
    assert done.returncode == 2
    assert "is not linked with an MPI library" in " ".join(done.stdout.split())


def test_launcher_of_another_library(tmp_path):
    program = compiled("stops.c", "openmpi", tmp_path)
    other = shutil.which("mpirun.mpich")
    if not other:
        pytest.skip("no MPICH")
    done = crumple("profile", "-n", "2", "--mpirun", other, "--", str(program), directory=tmp_path)
    assert done.returncode == 2
    assert "is built for Open MPI, and" in " ".join(done.stdout.split())


def test_options_of_the_launcher_are_passed_on(tmp_path):
    program = compiled("stops.c", "openmpi", tmp_path)
    options = ("--launcher", "--bind-to core --report-bindings -x 'WORD=two words'")
    _, said = profiled(program, options=options)
    if (os.cpu_count() or 1) > 1:
        assert "bound to socket" in said


def test_options_of_the_launcher_are_passed_on_by_run(tmp_path):
    from small_decks import block

    (tmp_path / "deck.k").write_text(block(0.02, 0.01))
    done = crumple("run", "deck.k", "-n", "1", "--launcher", "--display-map", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Data for node" in done.stdout
    done = crumple("run", "deck.k", "-n", "1", "--launcher", "--map-by nonsense", directory=tmp_path)
    assert done.returncode != 0
    assert "nonsense" in done.stdout + done.stderr


@pytest.mark.parametrize("command", [["run", "deck.k"], ["profile", "-n", "2"]])
@pytest.mark.parametrize(("words", "says"), [("-np 4", "not by -np"), ("'open", "No closing quotation")])
def test_options_of_the_launcher_that_are_refused(tmp_path, command, words, says):
    program = ["--", "true"] if command[0] == "profile" else []
    done = crumple(*command, "--launcher", words, *program, directory=tmp_path)
    assert done.returncode == 2
    assert says in " ".join(done.stdout.split())


def test_the_users_binding_takes_the_place_of_ours():
    ours = ["--oversubscribe", "--bind-to", "none"]
    assert with_options(ours, []) == ours
    assert with_options(ours, ["--map-by", "socket"]) == [*ours, "--map-by", "socket"]
    assert with_options(ours, ["--bind-to", "core"]) == ["--oversubscribe", "--bind-to", "core"]
    assert with_options(ours, ["--map-by", "slot:PE=2"]) == ["--oversubscribe", "--map-by", "slot:PE=2"]
    assert launcher_words("-x 'A=b c'") == ["-x", "A=b c"]
    with pytest.raises(LauncherOptionError):
        launcher_words("-n 3")
