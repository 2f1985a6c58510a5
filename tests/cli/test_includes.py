"""Folders of the solver that must not know of each other."""

import re
from pathlib import Path

import pytest

SOLVER = Path(__file__).parents[2] / "solver"
#: But what features have read from the deck, which is as much the model as the model's own members are, and
#: the values of its curves.
INPUTS = (
    r"(?:loads/(?:rigid_wall/rigid_wall|entity/contact_entity|nodal/nodal_load|pressure/pressure_load"
    r"|body/body_load|load_curve)"
    r"|constraints/(?:joints/joint|joint_stiffness/joint_stiffness|relative_motion/relative_motion))\.hpp"
)
INCLUDE = re.compile(rf'^\s*#\s*include\s+"(?!{INPUTS})(\w+)/', re.MULTILINE)
#: Writers serve any solver; the element phase alone knows of precision.
FORBIDDEN = {
    "output": {"explicit", "loads", "constraints", "contact", "control"},
    "state": {"explicit", "output", "control"},
    "elements": {"state", "explicit", "output", "control"},
}


def included(folder: Path) -> dict[str, set[str]]:
    """The folders that the headers and sources below a folder include, by file."""
    files = sorted(folder.rglob("*.[ch]pp"))
    return {str(path.relative_to(SOLVER)): set(INCLUDE.findall(path.read_text())) for path in files}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_folder_does_not_include_those_above_it(folder):
    all_files = included(SOLVER / folder)
    assert len(all_files) > 5
    assert {
        path: found & FORBIDDEN[folder] for path, found in all_files.items() if found & FORBIDDEN[folder]
    } == {}


def test_precision_ends_at_the_element_forces():
    """Templates on it are left to element work: nothing else names a group of one precision."""
    allowed = re.compile(
        r"^(state/(groups|prefetch|group_view|archive_state)|explicit/(element_forces|element_copies|block_shares)"
        r"|implicit/elements)\."
    )
    named = [
        path
        for path in included(SOLVER)
        if re.search(r"\bElementGroup<|\bElementForces<", (SOLVER / path).read_text())
    ]
    assert [path for path in named if not allowed.match(path)] == []
    assert named
