"""What is needed is listed the same in pyproject.toml and in the recipes, and the pinned versions fit."""

import re
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import crumple

ROOT = Path(__file__).resolve().parents[2]
INSTALL = ROOT / "install"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NEEDED = {one.name: one.specifier for one in map(Requirement, PROJECT["project"]["dependencies"])}


def pinned(file: str) -> dict[str, str]:
    """Versions of a requirements file."""
    return dict(re.findall(r"^(\S+)==(\S+)$", (INSTALL / file).read_text(), re.M))


def test_the_pinned_versions_are_of_what_is_needed_and_fit():
    versions = pinned("requirements.txt")
    assert set(versions) == set(NEEDED)
    for name, version in versions.items():
        assert version in NEEDED[name], name


def test_the_extra_for_optimisation_has_what_the_examples_import_in_versions_that_are_tested():
    extra = {
        one.name: one.specifier
        for one in map(Requirement, PROJECT["project"]["optional-dependencies"]["optimise"])
    }
    docs = ROOT / "docs"
    examples = (docs / "python.md").read_text() + (docs / "notebooks" / "buffer.ipynb").read_text()
    assert {name for name in ("optuna", "scipy") if re.search(rf"(?:from|import) {name}\b", examples)} == set(
        extra
    )
    versions = pinned("requirements-docs.txt")
    for name, specifier in extra.items():
        assert versions[name] in specifier, name


def test_the_backend_is_one_version_everywhere():
    (backend,) = PROJECT["build-system"]["requires"]
    assert backend == f"scikit-build-core=={pinned('requirements-package.txt')['scikit-build-core']}"
    assert backend.replace("==", " ==") in (INSTALL / "conda" / "recipe.yaml").read_text()


def test_conda_recipe():
    text = (INSTALL / "conda" / "recipe.yaml").read_text()
    assert f'version: "{crumple.__version__}"' in text
    run = text.split("\n  run:\n")[1].split("\n\n")[0]
    listed = dict(re.findall(r"^    - (\S+) (\S+)$", run, re.M))
    assert listed.pop("python") == PROJECT["project"]["requires-python"]
    names = {"matplotlib": "matplotlib-base"}
    assert set(listed) == {names.get(name, name) for name in NEEDED}
    for name, specifier in NEEDED.items():
        assert set(listed[names.get(name, name)].split(",")) == {str(one) for one in specifier}, name


@pytest.fixture
def spack_recipe(monkeypatch) -> dict[str, list[str]]:
    """What a Spack recipe says, by directive, run with names that only take note."""
    said: dict[str, list[str]] = {}
    names = ModuleType("spack.package")

    def directive(name: str):
        return lambda *words, **_: said.setdefault(name, []).extend(words)

    for name in ("license", "version", "variant", "depends_on", "conflicts"):
        setattr(names, name, directive(name))
    names.default_args = lambda **_: nullcontext()
    systems = ModuleType("spack_repo.builtin.build_systems.python")
    systems.PythonPackage = object
    for module in (names, systems):
        parts = module.__name__.split(".")
        for count in range(1, len(parts)):
            monkeypatch.setitem(sys.modules, ".".join(parts[:count]), ModuleType(parts[count - 1]))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile((INSTALL / "spack" / "package.py").read_text(), "package.py", "exec"), {})
    return said


def test_spack_recipe(spack_recipe):
    """Spack has ranges such as @9.3:9, whose end contains 9.6."""
    listed = dict(re.fullmatch(r"([\w-]+)@?(\S*).*", one).groups() for one in spack_recipe["depends_on"])
    assert {"mpi", "hdf5", "metis", "openblas", "mumps", "fmt"} <= set(listed)
    for name, specifier in NEEDED.items():
        found = listed["vtk" if name == "vtk" else f"py-{name}"].split("+")[0]
        bounds = {one.operator: one.version for one in specifier}
        low, colon, high = found.partition(":")
        assert low == bounds[">="], name
        if "<" in bounds:
            assert int(high if colon else low) == int(bounds["<"]) - 1, name
        else:
            assert (colon, high) == (":", ""), name
