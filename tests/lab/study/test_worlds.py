"""Ranks that are not one world do not count: programs of another MPI library, serial programs."""

import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from command_line import crumple

from crumple import solver
from crumple.lab.build_for_mpi import BuildError, build_for_mpi
from crumple.lab.profile.launch import run_profiled
from crumple.lab.profile.library import mpi_of
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.study.worlds import wrong_world
from crumple.mpi import Mpi, family_of_program, known_family_of_launcher, mismatch

C = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int size, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("size %d\\n", size);
  MPI_Finalize();
}
"""
FORTRAN = """
      program p
      include 'mpif.h'
      integer n, r, ierr
      call MPI_INIT(ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, r, ierr)
      if (r .eq. 0) print *, 'size', n
      call MPI_FINALIZE(ierr)
      end
"""
LATER = """
#include <dlfcn.h>
int main(void) {
  void* library = dlopen("./later.so", RTLD_LAZY | RTLD_LOCAL);
  ((int (*)(int, char**))dlsym(library, "main"))(0, 0);
}
"""
SERIAL = '#include <stdio.h>\nint main(void) { puts("size 1"); }\n'
STUDY = """
[study]
name = "s"
repeats = 1
time_limit = 60
[workload]
application = "command"
program = "{program}"
figures = {{ "size" = "size +([0-9]+)" }}
[axes]
ranks = [2]
mpi = {mpi}
"""
FAMILIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """Programs of both libraries, wrappers around them, and serial ones."""
    folder = tmp_path_factory.mktemp("programs")
    for name, text in {"c.c": C, "f.f": FORTRAN, "later.c": LATER, "serial.c": SERIAL}.items():
        (folder / name).write_text(text)

    def build(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    for mpi in OTHER:
        if not shutil.which(f"mpirun.{mpi}"):
            pytest.skip("needs Open MPI and MPICH")
        build(f"mpicc.{mpi}", "c.c", "-o", f"c-{mpi}")
        build(f"mpif77.{mpi}", "f.f", "-o", f"f-{mpi}")
        build(f"mpicc.{mpi}", "-shared", "-fPIC", "c.c", "-o", f"later-{mpi}.so")
        for name, start in {"script": f"exec {folder}/c-{mpi}", "later": f"exec {folder}/later"}.items():
            link = f"ln -sf {folder}/later-{mpi}.so later.so\n" if name == "later" else ""
            (folder / f"{name}-{mpi}").write_text(f"#!/bin/sh\n{link}{start}\n")
            (folder / f"{name}-{mpi}").chmod(0o755)
    build("cc", "later.c", "-o", "later", "-ldl")
    build("cc", "serial.c", "-o", "serial")
    build("cc", "-static", "serial.c", "-o", "static")
    (folder / "copies").write_text("#!/bin/sh\nsleep 0.1\necho size 1\n")
    (folder / "copies").chmod(0o755)
    return folder


def study(folder: Path, program: Path | str, mpi: str) -> subprocess.CompletedProcess:
    """Run a program on 2 ranks in a study."""
    (folder / "study.toml").write_text(STUDY.format(program=program, mpi=mpi))
    return crumple("study", "run", "study.toml", directory=folder)


def states(folder: Path) -> list[tuple]:
    """States of the runs in the database, and the sizes that programs printed."""
    connection = sqlite3.connect(folder / "s.db")
    query = (
        "SELECT mpi, state, value FROM run JOIN case_ ON case_.id = case_"
        " LEFT JOIN figure ON run.id = figure.run AND name = 'size' ORDER BY 1"
    )
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("mpi", OTHER)
@pytest.mark.parametrize("language", ["c", "f"])
def test_a_program_of_another_library_is_not_run(programs, tmp_path, language, mpi):
    program = programs / f"{language}-{mpi}"
    done = study(tmp_path, program, f'["{OTHER[mpi]}"]')
    assert done.returncode == 2
    assert f"{program.name} is built for {FAMILIES[mpi]}, and mpirun." in " ".join(done.stdout.split())
    assert "nothing can run" in done.stdout and not (tmp_path / "s.db").exists()
    done = study(tmp_path, program, '["openmpi", "mpich"]')
    assert done.returncode == 0 and f"left out: {OTHER[mpi]}" in done.stdout
    assert states(tmp_path) == [(mpi, "done", 2.0)]


@pytest.mark.parametrize("mpi", OTHER)
@pytest.mark.parametrize("wrapper", ["script", "later"])
def test_what_only_a_run_can_tell(programs, tmp_path, wrapper, mpi):
    """The library of a script's program, or of one that loads it later, is seen when its world has begun."""
    done = study(tmp_path, programs / f"{wrapper}-{mpi}", '["openmpi", "mpich"]')
    assert done.returncode == 1
    said = " ".join(done.stdout.split())
    assert "it ran as 2 worlds of 1 rank, not as one of 2" in said
    assert states(tmp_path) == sorted([(mpi, "done", 2.0), (OTHER[mpi], "failed", None)])


@pytest.mark.parametrize("profile", [False, True])
def test_the_right_library_is_not_disturbed(programs, tmp_path, profile):
    (tmp_path / "study.toml").write_text(
        STUDY.format(program=programs / "script-openmpi", mpi='["openmpi"]').replace(
            "[workload]", f"profile = {str(profile).lower()}\n[workload]"
        )
    )
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    assert states(tmp_path) == [("openmpi", "done", 2.0)]


@pytest.mark.parametrize("program", ["serial", "static"])
def test_copies_of_a_serial_program_are_no_ranks(programs, tmp_path, program):
    done = study(tmp_path, programs / program, '["mpich"]')
    assert done.returncode == 1
    assert "the program never started MPI: 2 copies" in " ".join(done.stdout.split())
    assert states(tmp_path) == [("mpich", "failed", None)]


def test_a_script_that_was_not_seen_to_start_mpi_is_told(programs, tmp_path):
    done = study(tmp_path, programs / "copies", '["openmpi"]')
    assert done.returncode == 0
    assert "no program was seen to start MPI: 2 copies" in " ".join(done.stdout.split())
    assert crumple("study", "report", "s.db", "-o", "s.md", directory=tmp_path).returncode == 0
    assert "1 of 1 runs: no program was seen to start MPI" in (tmp_path / "s.md").read_text()


def test_worlds_in_words(tmp_path):
    assert wrong_world(tmp_path, 4, "MPICH") == ""
    for number, size in enumerate((1, 1, 2)):
        (tmp_path / f"world.host.{number}").write_text(f"{size}\n")
    assert wrong_world(tmp_path, 2, "MPICH") == ""
    assert wrong_world(tmp_path, 4, "MPICH").startswith("it ran as ")
    assert "2 worlds of 1 rank and 1 world of 2 ranks, not as one of 4" in wrong_world(tmp_path, 4, "MPICH")


def test_families(programs, tmp_path):
    for mpi in OTHER:
        mpirun = Path(shutil.which(f"mpirun.{mpi}"))
        assert known_family_of_launcher(mpirun) == mpi
        assert family_of_program(programs / f"c-{mpi}")[0] == mpi
        assert not mismatch(programs / f"c-{mpi}", mpirun)
        assert mismatch(programs / f"c-{OTHER[mpi]}", mpirun)
        assert not mismatch(programs / f"script-{mpi}", mpirun) and not mismatch(programs / "serial", mpirun)
    own = tmp_path / "launch"
    own.write_text("#!/bin/sh\nexec mpirun.openmpi --quiet $*\n")
    own.chmod(0o755)
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\n")
    silent.chmod(0o755)
    assert known_family_of_launcher(own) == "openmpi" and known_family_of_launcher(silent) == ""
    assert not mismatch(programs / "c-openmpi", silent)


def test_a_profile_is_of_one_world(programs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpich, openmpi = (Path(shutil.which(f"mpirun.{mpi}")) for mpi in ("mpich", "openmpi"))
    with pytest.raises(ProfileError, match="c-openmpi is built for Open MPI, and mpirun.mpich is of MPICH"):
        mpi_of(programs / "c-openmpi", mpich)
    with pytest.raises(ProfileError, match="each of its ranks would run alone"):
        run_profiled([str(programs / "f-mpich")], 2, openmpi)
    assert run_profiled([str(programs / "c-mpich")], 2, mpich).size == 2
    alone = programs / "alone"
    alone.write_text(f"#!/bin/sh\nunset PMI_RANK PMI_SIZE PMI_FD PMI_PORT\nexec {programs}/c-mpich\n")
    alone.chmod(0o755)
    with pytest.raises(ProfileError, match="ran as worlds of 1 rank, not as one of 2"):
        run_profiled([str(alone)], 2, mpich)


def test_a_compiler_of_another_library_builds_nothing(tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "c.c").write_text(C)
    (tmp_path / "source" / "Makefile").write_text("all:\n\tmkdir -p $(OUT); $(MPICC) c.c -o $(OUT)/c\n")
    mpirun, mpicc = (Path(shutil.which(name) or "") for name in ("mpirun.mpich", "mpicc.openmpi"))
    if not (mpirun.name and mpicc.name):
        pytest.skip("needs Open MPI and MPICH")
    with pytest.raises(BuildError, match="is of another library"):
        build_for_mpi("it", tmp_path / "source", tmp_path, Mpi("mpich", mpirun, mpicc))


def test_the_solver_is_not_started_by_another_library(programs, tmp_path, monkeypatch):
    """Named as MPICH's, or found on the PATH beside another library's mpirun."""
    for name, mpi in {"crumple-solver": "openmpi", "crumple-solver-mpich": "openmpi"}.items():
        shutil.copy(programs / f"c-{mpi}", tmp_path / name)
    monkeypatch.setenv("CRUMPLE_SOLVER", str(tmp_path / "crumple-solver"))
    with pytest.raises(FileNotFoundError, match="is built for Open MPI, not MPICH"):
        solver.mpirun(2, [], mpi="mpich")
    assert solver.mpirun(2, [])[0] == "mpirun"
    shutil.copy(programs / "c-mpich", tmp_path / "crumple-solver")
    with pytest.raises(FileNotFoundError, match="is built for MPICH, and mpirun is of Open MPI"):
        solver.mpirun(2, [])
