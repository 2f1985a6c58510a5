"""The theory pages: each law's file is named on one, and each element formulation has a section."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
THEORY = {page.stem: page.read_text() for page in (ROOT / "docs" / "theory").glob("*.md")}
MATERIALS = ROOT / "solver" / "materials"
PAGES_OF = {
    "shell": ["shells"],
    "solid": ["solids"],
    "thick shell": ["thick-shells"],
    "beam": ["beams", "discrete-beams"],
    "discrete": ["beams"],
}  #: pages that have the formulations of a kind


def registered_laws() -> list[str]:
    """Files of solver/ with the row of a law."""
    files = sorted(MATERIALS.rglob("*.hpp"))
    row = re.compile(r"^CRUMPLE_(LAW|ROW)\(", re.M)
    return [str(f.relative_to(ROOT)) for f in files if row.search(f.read_text())]


def registered_formulations() -> list[tuple[str, int]]:
    """Kinds and numbers of the elements' kernels."""
    found = set()
    for file in (ROOT / "solver" / "elements").rglob("*_kernel.cpp"):
        text = file.read_text()
        for kind, number in re.findall(r"^CRUMPLE_REGISTER_KERNEL\((\w+), (-?\d+)", text, re.M):
            found.add((kind, int(number)))
        for number in re.findall(
            r"^CRUMPLE_REGISTER_KERNEL\(solid, model::kThickShells \+ (\d+)", text, re.M
        ):
            found.add(("thick shell", int(number)))
    return sorted(found)


def names_of_law(file: str) -> list[str]:
    """MAT_024 and the like, as a row registers them; MAT_S01 for springs."""
    numbers = re.findall(r"\.number = (\d+)", (ROOT / file).read_text())
    return [f"S{int(n) - 1000:02d}" if 1000 < int(n) < 1100 else f"{int(n):03d}" for n in numbers]


def numbers_named(text: str) -> set[str]:
    """Numbers of laws in a text: MAT_003, and those of lists such as MAT_003, 012, 066 to 068."""
    found = set()
    for group in re.findall(r"MAT_((?:S?\d+(?:_[A-Z])?(?:, | and | to |, and )?)+)", text):
        words = re.findall(r"S?\d+|to", group)
        for k, word in enumerate(words):
            if word == "to":
                first, last = words[k - 1], words[k + 1]
                kind, digits = ("S", 2) if first[0] == "S" else ("", 3)
                found |= {f"{kind}{n:0{digits}d}" for n in range(int(first.strip("S")), int(last.strip("S")))}
            else:
                found.add(word)
    return found


def has_section(text: str, number: int) -> bool:
    """Whether a heading, or the first sentence of a page, names ELFORM `number`."""
    heads = [*re.findall(r"^##+ (ELFORM .*)$", text, re.M), *re.findall(r"^(ELFORM \d+):", text, re.M)]
    for head in heads:
        if str(number) in re.findall(r"(?<![\d-])-?\d+", head.replace("−", "-")):
            return True
    return False


def test_the_registry_is_read():
    assert len(registered_laws()) > 40
    assert ("shell", -16) in registered_formulations() and ("beam", 6) in registered_formulations()


@pytest.mark.parametrize("file", registered_laws(), ids=lambda f: Path(f).stem)
def test_every_law_is_on_a_theory_page(file):
    assert any(f"](../../{file})" in text for text in THEORY.values()), f"no page of docs/theory has {file}"
    named = set().union(*map(numbers_named, THEORY.values()))
    for name in names_of_law(file):
        assert name in named or name == "771", f"MAT_{name} of {file} is not named"


@pytest.mark.parametrize("kind, number", registered_formulations())
def test_every_formulation_has_a_section(kind, number):
    if kind == "discrete":
        assert "## Springs and dampers" in THEORY["beams"]
        return
    if kind == "sph":
        assert "# Smooth particles" in THEORY["particles"]
        return
    assert any(has_section(THEORY[page], number) for page in PAGES_OF[kind]), f"{kind} {number}"


def test_the_front_page_names_every_theory_page():
    front = (ROOT / "docs" / "theory.md").read_text()
    for page in THEORY:
        assert f"](theory/{page}.md)" in front, page


def test_numbers_in_lists_are_found():
    found = numbers_named("MAT_066 to 068, 071, and MAT_S01 to S06; MAT_077_H, 181")
    assert found >= {"066", "067", "068", "071", "S01", "S05", "S06", "077", "181"}
    assert "072" not in found
