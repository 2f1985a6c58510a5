"""The examples of docs/python.md run, one after the other; the names there exist, with their types."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from small_decks import torn_plate

import crumple
from crumple import lab

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text()
BLOCK = re.compile(r"^```python( no-test)?\n(.*?)^```", re.M | re.S)
SLOW = {"numpy", "pandas", "xarray", "scipy", "vtkmodules", "pyvista", "typer", "pydantic", "matplotlib"}


def test_examples_run(tmp_path, monkeypatch):
    (tmp_path / "crash.k").write_text(torn_plate(0.03))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = [code for no_test, code in BLOCK.findall(PAGE) if not no_test]
    assert len(blocks) >= 8
    for code in blocks:
        exec(compile(code, "docs/python.md", "exec"), names)
    assert len(names["table"]) == 4 and names["found"].fun < 0
    assert (tmp_path / "last.png").is_file() and (tmp_path / "page.html").is_file()


def test_examples_of_the_lab_name_what_is_there():
    code = next(code for no_test, code in BLOCK.findall(PAGE) if no_test)
    used = set(re.findall(r"lab\.(\w+)", code))
    assert used <= set(lab.NAMES)
    ast.parse(code)


@pytest.mark.parametrize("package", [crumple, lab], ids=lambda package: package.__name__)
def test_every_name_can_be_imported_and_has_a_type(package):
    for name in package.NAMES:
        assert getattr(package, name).__doc__, name
    stub = ast.parse(Path(package.__file__).with_suffix(".pyi").read_text())
    imported = {
        one.asname: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    prefix = "" if package is crumple else "crumple.lab."
    assert imported == {name: prefix + module for name, module in package.NAMES.items()}
    assert set(package.NAMES) <= set(dir(package))
    with pytest.raises(AttributeError, match="no attribute 'Dek'"):
        getattr(package, "De" + "k")


def test_import_waits_for_nothing():
    code = "import sys, crumple, crumple.lab; print(*sys.modules)"
    line = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"]
    loaded = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    assert not {name.split(".")[0] for name in loaded} & SLOW
    assert [name for name in loaded if name.startswith("crumple")] == ["crumple", "crumple.lab"]


def test_a_deck_needs_no_slow_module():
    code = "import sys, crumple; crumple.Deck().append('*CONTROL_ENERGY'); print(*sys.modules)"
    line = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"]
    loaded = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    assert not {name.split(".")[0] for name in loaded} & SLOW
