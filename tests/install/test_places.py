"""Where commands find what belongs to them, and which solver they take."""

import os
from pathlib import Path

import pytest

from crumple import mpich_name, places, solver
from crumple.lab.build_once import BuildError, build_once

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """An installed package with solvers for both libraries, and a cache."""
    package = tmp_path / "site-packages" / "crumple"
    for folder in ("bin", "share"):
        (package / folder).mkdir(parents=True)
    for name in ("crumple-solver", "crumple-solver-mpich"):
        (package / "bin" / name).write_text("")
    monkeypatch.setattr(places, "PACKAGE", package)
    monkeypatch.setattr(places, "CHECKOUT", package.parent)
    monkeypatch.setattr(places, "SHARE", package / "share")
    monkeypatch.setattr(solver, "PROGRAMS", package / "bin")
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CRUMPLE_SOLVER", raising=False)
    return package


def test_a_checkout_has_its_own_build_folder():
    assert places.shipped("benchmarks/clusters") == ROOT / "benchmarks" / "clusters"
    assert places.builds("profiler") == ROOT / "build" / "profiler"


def test_an_installed_package_builds_in_the_cache(package, tmp_path):
    assert places.shipped("profiler") == package / "share" / "profiler"
    assert places.builds("profiler") == tmp_path / "cache" / "build" / "profiler"


def test_a_checkout_that_is_read_only_builds_in_the_cache(tmp_path, monkeypatch):
    (tmp_path / "build").mkdir()
    monkeypatch.setattr(places, "CHECKOUT", tmp_path)
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    assert places.builds("world") == tmp_path / "build" / "world"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert places.builds("world") == tmp_path / "cache" / "build" / "world"


def test_a_machine_without_make_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match="there is no `make` on the PATH"):
        build_once(ROOT / "calibrate", tmp_path / "build")


def families(monkeypatch, launcher: str) -> None:
    """Let solvers be of the libraries that their names say, and mpirun of one."""

    def of_program(program: Path) -> tuple[str, Path]:
        return ("mpich" if program.name.endswith("-mpich") else "openmpi", program)

    monkeypatch.setattr(solver, "family_of_program", of_program)
    monkeypatch.setattr(solver, "known_family_of_launcher", lambda path: launcher)
    monkeypatch.setattr(solver.shutil, "which", lambda name: f"/usr/bin/{name}")


def test_the_solver_is_that_of_the_launcher(package, monkeypatch):
    """As after `module load` of another MPI library."""
    programs = package / "bin"
    families(monkeypatch, "openmpi")
    assert solver.solver_of_launcher("mpirun") == (programs / "crumple-solver", "openmpi")
    families(monkeypatch, "mpich")
    assert solver.solver_of_launcher("mpirun") == (programs / "crumple-solver-mpich", "mpich")
    (programs / "crumple-solver-mpich").unlink()
    assert solver.solver_of_launcher("mpirun") == (programs / "crumple-solver", "openmpi")


def test_a_solver_that_the_user_names_is_not_replaced(package, monkeypatch):
    families(monkeypatch, "mpich")
    named = package / "bin" / "crumple-solver"
    monkeypatch.setenv("CRUMPLE_SOLVER", str(named))
    assert solver.solver_of_launcher("mpirun") == (named, "openmpi")


def test_an_installation_for_mpich_alone_has_one_solver(package, monkeypatch):
    (package / "bin" / "crumple-solver-mpich").unlink()
    monkeypatch.setattr(solver, "family_of_program", lambda program: ("mpich", program))
    assert solver.solver_for("mpich") == package / "bin" / "crumple-solver"
    with pytest.raises(FileNotFoundError, match="is built for MPICH, not Open MPI: install Crumple with"):
        solver.solver_for("openmpi")


def test_the_stand_in_is_searched_last_and_only_where_it_is_needed(monkeypatch):
    monkeypatch.setattr(mpich_name, "needed", lambda searched: True)
    found = mpich_name.with_name_of_abi({"LD_LIBRARY_PATH": "/opt/lib"})
    assert found["LD_LIBRARY_PATH"] == f"/opt/lib:{mpich_name.STAND_IN}"
    assert mpich_name.with_name_of_abi({})["LD_LIBRARY_PATH"] == str(mpich_name.STAND_IN)
    monkeypatch.setattr(mpich_name, "needed", lambda searched: False)
    assert mpich_name.with_name_of_abi({"A": "b"}) == {"A": "b"}
