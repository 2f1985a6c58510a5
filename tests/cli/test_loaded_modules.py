"""What each command loads: help waits for nothing, a page or picture for nothing that it does not show."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from command_line import crumple
from small_decks import block

from crumple.cli import app
from crumple.lazy_commands import LINES

ROOT = Path(__file__).resolve().parents[2]
SLOW = set("matplotlib numpy pandas PIL plotly psutil pyvista scipy sqlite3 vtkmodules".split())

#: Runs a command and tells which modules its process loaded.
TELL = f"""
import atexit, sys
sys.path.insert(0, {str(ROOT)!r})
atexit.register(lambda: print("loaded:", *sys.modules, file=sys.stderr))
from crumple.cli import app
app(sys.argv[1:], prog_name="crumple")
"""


def loaded(directory: Path, *words: str) -> set[str]:
    """Top-level modules that a command has loaded in its own process."""
    line = [sys.executable, "-I", "-c", TELL, *words]
    done = subprocess.run(line, cwd=directory, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = next(row for row in done.stderr.splitlines() if row.startswith("loaded: "))
    return {name.split(".")[0] for name in said.split()[1:]} | {n for n in said.split() if "." in n}


def all_commands() -> list[tuple[str, ...]]:
    """Each command by its words, with those below it."""
    found: list[tuple[str, ...]] = [()]
    group = typer.main.get_command(app)
    context = typer.Context(group)
    for name in group.list_commands(context):
        found.append((name,))
        below = getattr(group.get_command(context, name), "commands", {})
        found += [(name, each) for each in below]
    return found


#: Shows the help of each command, in a process of its own that begins where all of them do: with the command
#: line imported, and no command. Prints the exit status and the modules that were loaded then.
TELL_OF_HELP = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from crumple.cli import app
for line in sys.stdin:
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    out, status = os.dup(1), 1
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        app([*line.split(), "--help"], prog_name="crumple")
    except SystemExit as ended:
        status = ended.code
    os.write(out, f"{{line.strip()}}: {{status}} {{' '.join(sys.modules)}}\\n".encode())
    os._exit(0)
"""


@pytest.fixture(scope="module")
def after_help(tmp_path_factory) -> dict[str, list[str]]:
    """Exit status and loaded modules of the help of each command."""
    names = [" ".join(words) for words in all_commands()]
    done = subprocess.run(
        [sys.executable, "-I", "-c", TELL_OF_HELP],
        input="".join(f"{name}\n" for name in names),
        cwd=tmp_path_factory.mktemp("help"),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = dict(row.split(": ") for row in done.stdout.splitlines())
    assert list(told) == names, done.stderr
    return {name: said.split() for name, said in told.items()}


@pytest.mark.parametrize("words", all_commands(), ids=" ".join)
def test_help_loads_nothing_slow(after_help, words):
    status, *modules = after_help[" ".join(words)]
    assert status == "0"
    assert not {name.split(".")[0] for name in modules} & SLOW
    assert not words or f"crumple.lab.commands.{words[0]}_command" in modules or words[0] not in LINES


def test_list_of_commands_imports_none_of_them(tmp_path):
    assert not [name for name in loaded(tmp_path, "--help") if name.startswith("crumple.lab.commands.")]


def test_mistyped_command_is_answered_at_once(tmp_path):
    """With the nearest name, also of commands that are not imported."""
    done = crumple("advize", directory=tmp_path)
    assert done.returncode == 2
    assert "Did you mean 'advise'" in done.stderr


def test_lines_of_the_help_page_are_those_of_the_commands():
    group = typer.main.get_command(app)
    context = typer.Context(group)
    for name, line in LINES.items():
        assert group.get_command(context, name).get_short_help_str(200) == line


def test_help_names_all_there_is(tmp_path):
    from crumple.lab.calibrate.calibration import PARTS
    from crumple.lab.catalogue.entries import KINDS

    said = " ".join(crumple("catalogue", "list", "--help", directory=tmp_path).stdout.split())
    assert f"one of {', '.join(KINDS)}; all" in said
    said = " ".join(crumple("calibrate", "--help", directory=tmp_path).stdout.split())
    assert f"of {', '.join(PARTS)}" in said


@pytest.mark.parametrize("words", [("fetch", "camry", "--help"), ("run", "deck.k", "--help")])
def test_help_behind_an_argument_is_help(tmp_path, words):
    done = crumple(*words, directory=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: crumple {words[0]} ")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """A run, and the same without its plot states and histories."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "deck.k").write_text(block(0.02, 0.01))
    done = crumple("run", "deck.k", "-n", "1", "-d", "whole", directory=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "bare").mkdir()
    (folder / "bare" / "d3hsp").write_bytes((folder / "whole" / "d3hsp").read_bytes())
    return folder


def test_report_without_plots_loads_no_plotly(results):
    assert not loaded(results, "report", "bare") & {"plotly", "pyvista", "vtkmodules", "matplotlib"}
    page = (results / "bare" / "report.html").read_text()
    assert "plotly" not in page
    assert len(page) < 100_000


def test_pictures_are_drawn_in_the_other_process_only(results):
    """A damaged file ends the process that reads it; the one that waits for it needs no VTK."""
    assert not loaded(results, "report", "whole") & {"pyvista", "vtkmodules", "matplotlib"}
    found = loaded(results, "view", "whole", "-o", "view.png")
    assert not found & {"plotly", "pyvista", "vtkmodules", "matplotlib"}


@pytest.mark.parametrize(
    ("work", "arguments", "not_needed"),
    [
        (
            "crumple.view.drawing.last_state",
            "Path('whole'), Path('last.png'), Units()",
            {"plotly", "imageio_ffmpeg"},
        ),
        (
            "crumple.view.drawing.film",
            "Path('whole'), Path('film.gif'), Field.plastic_strain, PartChoice(), None, 5.0",
            {"plotly", "imageio_ffmpeg"},
        ),
        ("crumple.view.ranks.draw_ranks", "Path('shares'), Path('ranks.png')", {"plotly", "imageio_ffmpeg"}),
    ],
)
def test_a_picture_loads_nothing_of_pages(results, work, arguments, not_needed):
    if "ranks" in work:
        done = crumple("decompose", "deck.k", "-n", "2", "-d", "shares", directory=results)
        assert done.returncode == 0, done.stdout + done.stderr
    module, name = work.rsplit(".", 1)
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from crumple.view.field import Field
from crumple.units import Units
from crumple.view.parts import PartChoice
from {module} import {name}
{name}({arguments})
print(*sys.modules)
"""
    line = [sys.executable, "-I", "-c", code]
    done = subprocess.run(line, cwd=results, capture_output=True, text=True, timeout=120, check=True)
    assert not {name.split(".")[0] for name in done.stdout.split()} & not_needed
