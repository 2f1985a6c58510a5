"""After one mistake in a deck, what only follows from it is not reported."""

import re

import pytest
from small_decks import block
from solver_run import run

NODES = "\n".join(f"{i},{i // 2}.,{i % 2}.,0." for i in range(1000, 1401))
SHELLS = "\n".join(f"{i},5,{i},{i + 2},{i + 3},{i + 1}" for i in range(1000, 1300, 2))
SHEET = "*PART\nsheet\n5,5,5\n*SECTION_SHELL\n5,2\n1.0\n"
LAW = "*MAT_ELASTIC\n5,7.85e-6,210.,0.3\n"
MESH = f"*NODE\n{NODES}\n*ELEMENT_SHELL\n{SHELLS}\n"

# What is put into a good deck, and the ids of all errors.
DECKS = {
    "refused material": (SHEET + "*MAT_STEINBERG\n5,1.,2.\n" + MESH, ["CR-D102"]),
    "refused materials": (
        SHEET + "*MAT_011\n5,1.\n*MAT_RESULTANT_PLASTICITY_TITLE\nx\n6\n*PART\ny\n6,5,6\n" + MESH,
        ["CR-D102", "CR-D102"],
    ),
    "misspelt material": (SHEET + "*MAT_ELASTC\n5,7.85e-6,210.,0.3\n" + MESH, ["CR-D101"]),
    "refused option of a material": (SHEET + "*MAT_024_STOCHASTIC\n5,1.\n" + MESH, ["CR-D102"]),
    "refused section": ("*PART\nx\n5,5,5\n*SECTION_ALE1D\n5,7\n1.\n" + LAW + MESH, ["CR-D102"]),
    "section without its last card": ("*PART\nx\n5,5,5\n*SECTION_SHELL\n5,2\n" + LAW + MESH, ["CR-D105"]),
    "malformed section number": ("*PART\nx\n5,5,5\n*SECTION_SHELL\n5x,2\n1.0\n" + LAW + MESH, ["CR-D110"]),
    "malformed density": (SHEET + "*MAT_ELASTIC\n5,7.85e--6,210.,0.3\n" + MESH, ["CR-D110"]),
    "malformed stiffness": (SHEET + "*MAT_ELASTIC\n5,7.85e-6,21O.,0.3\n" + MESH, ["CR-D110"]),
    "malformed end": ("*CONTROL_TERMINATION\n1.O\n", ["CR-D110"]),
    "refused set": ("*SET_NODE_ADD_ADVANCED\n8\n1,7\n*BOUNDARY_SPC_SET\n8,0,1,1,1\n", ["CR-D320"]),
    "misspelt set": ("*SET_NODE_LST\n8\n1,1\n*BOUNDARY_SPC_SET\n8,0,1,1,1\n", ["CR-D101"]),
    "refused part set": ("*SET_PART_TREE\n8\n1,1\n*LOAD_BODY_PARTS\n8\n", ["CR-D102"]),
    "refused curve": ("*DEFINE_CURVE_FUNCTION\n8\nDX(1,2)\n*LOAD_BODY_Z\n8\n", ["CR-D320"]),
    "refused function": ("*DEFINE_FUNCTION\n8\nf(t)=g(t)\n*LOAD_BODY_Z\n8\n", ["CR-D320"]),
    "malformed curve number": ("*DEFINE_CURVE\n8a\n0.,0.\n1.,1.\n*LOAD_BODY_Z\n8\n", ["CR-D110"]),
    "refused parts": (
        "*PART_STACKED_ELEMENTS\nx\n5,2\n1,1.,0.\n" + MESH + "*SET_SHELL_LIST\n1\n1000,1002\n",
        ["CR-D102"],
    ),
    "misspelt nodes": (SHEET + LAW + MESH.replace("*NODE\n", "*NDOE\n"), ["CR-D101"]),
    "part that does not exist": (MESH + "*SET_SHELL_LIST\n1\n1000,1002,1004\n", ["CR-D302"]),
    "missing mesh": (
        SHEET + LAW + "*INCLUDE\nmesh.k\n*ELEMENT_SHELL\n" + SHELLS + "\n*SET_NODE_LIST\n8\n1001,1002\n",
        ["CR-D002", "CR-D303"],
    ),
    "missing everything": (
        "*INCLUDE\nall.k\n*BOUNDARY_SPC_SET\n77,0,1\n78,0,1\n79,0,1\n*LOAD_BODY_X\n76\n*LOAD_BODY_Y\n75\n",
        ["CR-D002", "CR-D304", "CR-D305"],
    ),
}


@pytest.mark.parametrize("name", DECKS)
def test_one_mistake_is_told_once(name, tmp_path):
    text, expected = DECKS[name]
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more=text))
    done = run(deck, tmp_path / "out")
    assert done.status == 2, done.said
    told = re.findall(r"error (CR-[A-Z]\d+): ", done.stdout)
    assert sorted(told) == expected, done.stdout


def test_all_missing_of_an_include_are_counted(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more=DECKS["missing mesh"][0]))
    told = run(deck, tmp_path / "out").stdout
    assert re.search(r"node 1000 does not exist; \d+ more like it are not shown, since an include file", told)


def test_a_deck_whose_include_is_missing_has_one_error(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text("*KEYWORD\n*INCLUDE\nall.k\n*END\n")
    told = run(deck, tmp_path / "out").stdout
    assert re.findall(r"error (CR-[A-Z]\d+): ", told) == ["CR-D002"], told


def test_refused_physics_does_not_hide_other_mistakes(tmp_path):
    """What a refused keyword cannot define is still missed."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more="*MAT_143\n5,1.\n*BOUNDARY_SPC_SET\n55,0,1,1,1\n*LOAD_BODY_X\n17\n"))
    told = run(deck, tmp_path / "out").stdout
    assert sorted(re.findall(r"error (CR-[A-Z]\d+): ", told)) == ["CR-D102", "CR-D304", "CR-D305"], told


def test_a_set_that_is_allowed_to_be_missing_is_missed(tmp_path):
    """With --allow-unsupported nothing else stops the run, so nothing is left out without a word."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more=DECKS["refused part set"][0]))
    done = run(deck, tmp_path / "out", "--allow-unsupported")
    assert done.status == 2, done.said
    assert "part set 8 does not exist" in done.stdout


def test_a_refused_include_does_not_hide_what_stops_a_run(tmp_path):
    """With --allow-unsupported it is no error, so a deck without an end time is one."""
    deck = tmp_path / "deck.k"
    text = block(1.0, 0.1, more="*INCLUDE_NASTRAN\nmesh.nas")
    deck.write_text(text.replace("*CONTROL_TERMINATION", "*CONTROL_CPU"))
    done = run(deck, tmp_path / "out", "--allow-unsupported")
    assert done.status == 2, done.said
    assert "CONTROL_TERMINATION gives neither" in done.stdout
