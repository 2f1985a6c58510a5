"""Two runs whose pages are shown: a plate that is torn, fast and slow."""

import sys
from pathlib import Path

import pytest
from command_line import crumple
from small_decks import torn_plate

for folder in ("viewer", "watch"):
    sys.path.append(str(Path(__file__).resolve().parents[1] / folder))

WALL = "*RIGIDWALL_PLANAR_ID\n1,stop\n0\n0.,0.,-9.,0.,0.,-8.,0.1\n"


@pytest.fixture(scope="session")
def runs(tmp_path_factory) -> tuple[Path, Path]:
    """Folders of results, with a report each."""
    folders = []
    for name, speed in (("fast", 200.0), ("slow", 150.0)):
        folder = tmp_path_factory.mktemp("pages") / name
        folder.mkdir()
        text = torn_plate(speed=speed).replace("*END", f"{WALL}*END")
        (folder / "deck.k").write_text(
            text.replace("*KEYWORD\n", "*KEYWORD\n*TITLE\nA plate that is torn\n", 1)
        )
        done = crumple("run", "deck.k", "-n", "1", "--units", "kg-mm-ms", directory=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        done = crumple("report", ".", directory=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        folders.append(folder)
    return folders[0], folders[1]
