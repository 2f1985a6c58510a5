"""crumple fetch: decks from a package shaped like PyDYNA's wheel, and from its lists."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from crumple.fetch import camry
from crumple.fetch.pydyna import INSIDE, FetchError, read_properties
from crumple.solver import solver_path

ROOT = Path(__file__).resolve().parents[2]

PROPERTIES = """# Copyright
from ansys.dyna.core.pre.dynabase import BeamFormulation, ShellFormulation

spotweld = [[1, 5]]
cnrbs = [[2, 6]]
spc = [1, 4]
partswithmat300 = [3]
partswithmat250 = [4, 3]
partswithmat360 = []
partswithmat180 = []
partswithmat450 = []
partswithmat400 = []
partswithmat500 = []
beamparts = [[7, BeamFormulation.SPOTWELD, 4.0]]
shellparts = [
    [3, ShellFormulation.FULLY_INTEGRATED, 1.25],
    [4, ShellFormulation.BELYTSCHKO_TSAY, 0.75],
    [57, ShellFormulation.FULLY_INTEGRATED, 1.25],
    [50000001, ShellFormulation.FULLY_INTEGRATED, 1.0],
]
spotweldbeams = [7]
spotweldsurfaces = [3, 4]
vehicle = [3, 4, 57]
biw = [3]
platen = [50000001]
"""


def shell(element: int, part: int, *nodes: int) -> str:
    return "".join(f"{value:8d}" for value in (element, part, *nodes)) + "\n"


def part(number: int, title: str) -> str:
    return f"*PART\n$HMNAME COMPS {number}\n$# title\n{title}\n$# pid\n{number:10d}" + 7 * f"{0:10d}" + "\n"


def nodes(first: int, z: float) -> str:
    places = ((0, 0), (1, 0), (1, 1), (0, 1))
    rows = (f"{first + k:8d}{x:16.4f}{y:16.4f}{z:16.4f}\n" for k, (x, y) in enumerate(places))
    return "*NODE\n" + "".join(rows)


@pytest.fixture
def wheel(tmp_path) -> Path:
    """A package with the example's files, three shells and a beam."""
    body = "Camry_V1_NoSusAndPowerTrain_impl7"
    weld = f"*ELEMENT_BEAM\n{shell(9, 7, 1, 5, 0)}{part(7, 'weld')}"
    platen = f"*ELEMENT_SHELL\n{shell(50, 50000001, 21, 22, 23, 24)}{nodes(21, 9)}"
    shells = (
        "*ELEMENT_SHELL\n" + shell(1, 3, 1, 2, 3, 4) + shell(2, 4, 5, 6, 7, 8) + shell(3, 57, 9, 10, 11, 12)
    )
    files = {
        f"{body}.k": f"*KEYWORD\n{shells}{part(3, 'rail')}{part(4, 'hood')}*END\n",
        f"{body}_nodes.k": f"*KEYWORD\n{nodes(1, 0)}{nodes(5, 2)}{nodes(9, 4)}*END\n",
        "xtra_sw.k": f"*KEYWORD\n*TITLE\nnot ours\n{weld}*END\n",
        "weld7.k": "*KEYWORD\n*END\n",
        "roof_welds.k": "*KEYWORD\n*END\n",
        "501_RIG_BAR_roof_crush_platen5.key": f"*KEYWORD\n{platen}{part(50000001, 'platen')}*END\n",
    }
    path = tmp_path / "ansys_dyna_core-0.9.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(INSIDE + name, text.replace("\n", "\r\n"))
        archive.writestr("ansys_dyna_core-0.9.1.dist-info/licenses/LICENSE", "MIT License")
    (tmp_path / "camry_rc_data.py").write_text(PROPERTIES)
    return path


def fetch(wheel: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "crumple", "fetch", *arguments],
        cwd=wheel.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_decks_of_a_wheel(wheel):
    done = fetch(wheel, "camry", "--wheel", wheel.name, "--properties", "camry_rc_data.py")
    assert done.returncode == 0, done.stdout + done.stderr
    folder = wheel.parent / "camry"
    assert (folder / "LICENSE.MIT").read_text() == "MIT License"
    assert "*PART" not in (folder / "camry_elements.k").read_text()
    assert "not ours" not in (folder / "camry_xtra_sw.k").read_text()
    deck = folder / "main_roofcrush.k"
    done = subprocess.run(
        [solver_path(), "--check", f"i={deck}"], capture_output=True, text=True, check=False
    )
    said = " ".join((done.stdout + done.stderr).split())
    assert "nodes 16" in said
    assert "shells 4" in said
    for error in ("CR-D301", "CR-D302", "CR-D303", "CR-D305"):
        assert error not in said, "all that is named is there"


def test_parts_get_their_materials_and_sections(wheel):
    data = read_properties(PROPERTIES)
    assert camry.material_of(data) == camry.SINGLE | camry.REST | {3: 11, 4: 12}
    text = camry.parts_and_sections(data, {3: "rail"}, None)
    assert "*PART\nrail\n         3      9001        11" in text
    assert "        57      9001        16" in text, "one section for one thickness"
    assert "*SECTION_SHELL\n      9002         2       1.0         5" in text
    assert text.count("*SECTION_SHELL") == 3
    assert "      9001         2 " in camry.parts_and_sections(data, {}, 2)


def test_lists_are_read_and_never_run():
    with pytest.raises(FetchError, match="cannot be read"):
        read_properties("spotweld = __import__('os').listdir('.')")
    with pytest.raises(FetchError, match="no list 'spc'"):
        read_properties("biw = [1]")["spc"]


def test_what_cannot_be_fetched(wheel):
    assert fetch(wheel, "yaris").returncode == 2
    done = fetch(wheel, "camry", "--wheel", "camry_rc_data.py", "--properties", "camry_rc_data.py")
    assert done.returncode == 2
    assert "camry_rc_data.py has no" in done.stdout
    assert not (wheel.parent / "camry").exists()


def test_materials_are_those_of_the_archive(real_deck, tmp_path):
    """The archive was made from the same script: its materials are ours, line by line."""
    import tarfile

    with tarfile.open(real_deck("camry2012.tar.xz")) as archive:
        member = next(m for m in archive if m.name.endswith("camry_props.k"))
        text = archive.extractfile(member).read().decode()
    ours = [line.rstrip() for line in camry.materials().splitlines()]
    theirs = [line.rstrip() for line in text[text.index("*MAT_NULL") : text.index("*PART")].splitlines()]
    assert ours == theirs
