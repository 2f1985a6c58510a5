"""--allow-unsupported: a part that cannot be computed is left out by name, and the run says so to its end."""

import re
from pathlib import Path

import pytest
from command_line import crumple
from small_decks import STEEL, Deck
from solver_run import run, same_on_two_ranks

LAW = f"ELASTIC,{STEEL}"
#: What makes a part impossible to compute: its section, its material, and words of the reason.
UNUSABLE = {
    "refused material": ("SOLID,1", "STEINBERG,3e-8,5.,0.,200,0.1", "its material 2"),
    "unknown material": ("SOLID,1", "VACUUMX,3e-8,5.,0.,200,0.1", "its material 2"),
    "unknown form": ("SOLID,99", LAW, "ELFORM 99"),
    "refused section": ("SOLID_PERI,1", LAW, "its section 2"),
}


def deck_with(tmp_path: Path, section: str, law: str, more: str = "", alone: bool = False) -> Path:
    """A plate that is held at an edge and loaded, and beside it a block of which it shares no node."""
    deck = Deck()
    deck.control(0.05, 0.05)
    if not alone:
        deck.part(1, "SHELL,2|1.,1.,1.,1.", LAW)
        grid = deck.plate(1, (4, 4), lambda u, v: (20 * u, 20 * v, 0.0))
        deck.set("NODE", 1, [row[0] for row in grid])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1")
    deck.part(2, section, law)
    nodes = deck.block(2, (2, 2, 2), (0.0, 0.0, 1.0), (20.0, 20.0, 10.0))
    deck.set("NODE", 2, nodes)
    deck.set("PART", 2, (2,))
    deck.set("PART", 3, (1, 2) if not alone else (2,))
    first = deck.elements - 7
    deck.add(f"*SET_SOLID\n7\n{first},{first + 1}\n*DATABASE_HISTORY_SOLID\n{first}\n*DATABASE_ELOUT\n0.01")
    deck.add("*LOAD_BODY_Z\n1,9.81e-3\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add("*LOAD_NODE_SET\n2,3,1,-1e-6\n*INITIAL_VELOCITY_GENERATION\n2,1,0.,0.,0.,-1.\n0.,0.,0.")
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n3,0,2,0\n0.2\n,")
    deck.add(more)
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    return path


@pytest.mark.parametrize("name", UNUSABLE)
def test_part_is_left_out(name, tmp_path):
    section, law, reason = UNUSABLE[name]
    more = "*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE\n1,2,3,3\n0.2\n,"
    deck = deck_with(tmp_path, section, law, more)
    for arguments in ([], ["--check"]):
        refused = run(deck, tmp_path / "out", *arguments)
        assert refused.status == 2, refused.said
    for ranks in (1, 2):
        done = run(deck, tmp_path / f"out{ranks}", "--allow-unsupported", ranks=ranks)
        assert done.status == 0, done.said
        said = re.search(r"warning CR-D321: \*PART 2 \(part 2\) is left out.* 8 elements .*", done.stdout)
        assert said, done.said
        assert reason in said[0]
        assert "without physics that the deck asks for (--allow-unsupported)" in done.stdout
        assert re.search(r"contact\S* *2? .*is left out|2 is left out: all", done.stdout, re.I), done.said
        log = (tmp_path / f"out{ranks}" / "d3hsp").read_text()
        assert "without physics that the deck asks for" in log
        assert "l e f t   o u t" in log
    checked = run(deck, tmp_path / "out", "--check", "--allow-unsupported")
    assert checked.status == 0, checked.said
    assert "CR-D321" in checked.stdout


def test_nothing_is_left(tmp_path):
    """All parts are left out: refused, not computed."""
    deck = deck_with(tmp_path, *UNUSABLE["refused material"][:2], alone=True)
    for arguments in ([], ["--check"]):
        done = run(deck, tmp_path / "out", "--allow-unsupported", *arguments)
        assert done.status == 2, done.said
        assert "no elements but those of parts that are left out" in done.said


@pytest.mark.parametrize(
    ("what", "keywords", "number"),
    [("an equation of state", "*EOS_GRUNEISEN\n5\n1.,1.\n*PART\neos\n5,6,6,5", "CR-D321")],
)
def test_other_reasons(what, keywords, number, tmp_path):
    deck = deck_with(tmp_path, "SOLID,1", LAW)
    text = deck.read_text().replace("*END", "")
    solid = "eos" in keywords
    corners = "1,2,7,6,26,27,30,29" if solid else "1,2,7,6"
    text += f"{keywords}\n*SECTION_SOLID\n6,1\n*MAT_ELASTIC\n6,{STEEL}\n"
    text += f"*ELEMENT_{'SOLID' if solid else 'SHELL'}\n900,5,{corners}\n*END\n"
    deck.write_text(text)
    done = run(deck, tmp_path / "out", "--allow-unsupported")
    assert f"{number}: *PART 5" in done.stdout, done.said
    assert done.status == 0, done.said


def test_joint_of_a_left_out_body(tmp_path):
    """What cannot be without the part is refused, with its place."""
    law = f"RIGID,{STEEL}|0.|"
    more = "*CONSTRAINED_EXTRA_NODES_NODE\n2,1"
    done = run(deck_with(tmp_path, "SOLID,99", law, more), tmp_path / "out", "--allow-unsupported")
    assert done.status == 2, done.said
    assert "part 2 is left out" in done.said


def test_same_as_without_the_part(tmp_path):
    """The run is that of a deck in which the part has no elements."""
    deck = deck_with(tmp_path, *UNUSABLE["refused material"][:2])
    done = run(deck, tmp_path / "out", "--allow-unsupported")
    text = re.sub(r"\*ELEMENT_SOLID\n.*\n", "", deck.read_text())
    text = re.sub(r"\*SET_SOLID\n.*\n.*\n", "", text)
    text = re.sub(r"\*LOAD_NODE_SET\n.*\n", "", text)
    text = re.sub(r"\*DATABASE_HISTORY_SOLID\n.*\n", "", text)
    (tmp_path / "without").mkdir()
    without = tmp_path / "without" / "deck.k"
    without.write_text(re.sub(r"\*MAT_STEINBERG\n.*\n", f"*MAT_ELASTIC\n2,{STEEL}\n", text))
    plain = same_on_two_ranks(without, tmp_path / "without")
    assert done.hash == plain.hash


def test_report_says_it(tmp_path):
    deck = deck_with(tmp_path, *UNUSABLE["refused material"][:2])
    done = crumple("run", str(deck), "-n", "1", "-d", "out", "--allow-unsupported", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert crumple("report", "out", directory=tmp_path).returncode == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert "without physics that the deck asks for" in page
    assert "PART 2" in page
