"""The package's structure: imports go round in no circle and up no layer; one name is one thing."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from crumple.lab import LAYERS

ROOT = Path(__file__).resolve().parents[2]
LEVEL = {folder: level for level, folders in enumerate(LAYERS, 1) for folder in folders}
#: of the package outside the lab, those that start its commands: the only ones that may import it
STARTS_COMMANDS = {"crumple.__main__", "crumple.cli", "crumple.lazy_commands"}

Graph = dict[str, set[str]]


def module_of(path: Path) -> str:
    """crumple/lab/words.py: crumple.lab.words; a package is called as its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted((ROOT / "crumple").rglob("*.py"))}
TREES = {name: ast.parse(path.read_text()) for name, path in MODULES.items()}


def imports_of(tree: ast.Module, modules: Iterable[str]) -> Iterator[str]:
    """Modules that one imports: anywhere, so also within functions, and where only type checkers look."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in modules)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written with the whole name"
            for one in node.names:
                below = f"{node.module}.{one.name}"
                yield from [name for name in (below, node.module) if name in modules][:1]


def graph_of(trees: dict[str, ast.Module]) -> Graph:
    """What each module imports of the others."""
    return {name: set(imports_of(tree, trees)) - {name} for name, tree in trees.items()}


GRAPH = graph_of(TREES)


def circle_in(graph: Graph) -> list[str]:
    """Modules that import each other in a circle, the first again at the end; nothing where there is none."""
    done: set[str] = set()
    way: list[str] = []

    def follow(module: str) -> list[str]:
        if module in way:
            return [*way[way.index(module) :], module]
        if module in done:
            return []
        way.append(module)
        for other in sorted(graph[module]):
            if found := follow(other):
                return found
        way.pop()
        done.add(module)
        return []

    return next((found for module in sorted(graph) if (found := follow(module))), [])


def folder_of(module: str) -> str:
    """The lab's folder that a module is in; empty for those beside it."""
    path = MODULES[module].relative_to(ROOT / "crumple" / "lab")
    return path.parts[0] if len(path.parts) > 1 else ""


def upward(graph: Graph) -> list[str]:
    """Imports of the lab that go up a layer, or to another folder of the same."""
    found = []
    for module, others in graph.items():
        for other in others:
            if not (module.startswith("crumple.lab.") and other.startswith("crumple.lab.")):
                continue
            from_, to = folder_of(module), folder_of(other)
            if from_ != to and LEVEL.get(from_, 0) <= LEVEL.get(to, 0):
                found.append(f"{module} imports {other}")
    return sorted(found)


def several(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names that more than one place has, from pairs of name and place."""
    places = defaultdict(list)
    for name, place in named:
        places[name].append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_imports_go_round_in_no_circle():
    found = circle_in(GRAPH)
    assert not found, "a circle of imports: " + " -> ".join(found)


def test_folders_import_each_other_in_no_circle():
    """Folders of the package and of the lab, each with what is below it; modules beside them are of none."""

    def folder(name: str) -> str:
        parts = name.split(".")[: 3 if name.startswith("crumple.lab") else 2]
        return ".".join(parts) if MODULES.get(".".join(parts), ROOT).name == "__init__.py" else ""

    between: Graph = defaultdict(set)
    for module, others in GRAPH.items():
        between[folder(module)] |= {folder(other) for other in others} - {folder(module), ""}
    del between[""]
    found = circle_in(between)
    assert not found, "a circle of folders: " + " -> ".join(found)


def test_lab_has_a_layer_for_each_folder():
    there = {path.name for path in (ROOT / "crumple" / "lab").iterdir() if (path / "__init__.py").is_file()}
    assert sorted(LEVEL) == sorted(there)
    assert len(LEVEL) == sum(map(len, LAYERS)), "a folder is in one layer"


def test_nothing_of_the_lab_imports_upward():
    assert not upward(GRAPH)


def test_only_what_starts_commands_imports_the_lab():
    outside = [name for name in MODULES if not name.startswith("crumple.lab")]
    users = {name for name in outside if any(other.startswith("crumple.lab") for other in GRAPH[name])}
    assert users <= STARTS_COMMANDS


def test_a_class_has_a_name_of_its_own():
    classes = (
        (node.name, name)
        for name, tree in TREES.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    )
    assert not several(classes)


def test_a_module_has_a_name_of_its_own():
    assert not several((path.name, name) for name, path in MODULES.items() if path.name != "__init__.py")


@pytest.mark.parametrize(
    "way_back",
    [
        "import p.a",
        "from p import a",
        "from p.a import x",
        "def f():\n    from p.a import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.a import x",
    ],
)
def test_circles_are_found_wherever_the_import_stands(way_back):
    texts = {"p": "", "p.a": "from p import b\nx = 1", "p.b": "import p.c", "p.c": way_back}
    graph = graph_of({name: ast.parse(text) for name, text in texts.items()})
    assert circle_in(graph) == ["p.a", "p.b", "p.c", "p.a"]
    graph["p.c"].clear()
    assert circle_in(graph) == []


def test_a_way_up_is_found():
    assert upward({"crumple.lab.simulate.loggp": {"crumple.lab.report.measurements"}}) == [
        "crumple.lab.simulate.loggp imports crumple.lab.report.measurements"
    ]
    assert upward({"crumple.lab.words": {"crumple.lab.study.cases"}})
    assert upward({"crumple.lab.study.cases": {"crumple.lab.simulate.loggp"}}), "of the same layer"
    assert not upward({"crumple.lab.study.cases": {"crumple.lab.words", "crumple.lab.applications.case"}})
