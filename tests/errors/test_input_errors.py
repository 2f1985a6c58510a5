"""What is wrong with a deck or a command line is said with its place, and the exit status is 2."""

import re

import pytest
from small_decks import STEEL, Deck, block
from solver_run import run

STEEL_LAW = f"ELASTIC,{STEEL}"

# What is put into a good deck, the id of the message, and words of it.
MISTAKES = {
    "missing include": ("*INCLUDE\nnot_there.k", "CR-D002", ["not_there.k"]),
    "malformed number": ("*LOAD_BODY_X\n1x,2.0", "CR-D110", ["LCID", "1x", "expected"]),
    "unknown keyword": ("*LOAD_BODY_EVERYWHERE\n1,2.0", "CR-D101", ["LOAD_BODY_EVERYWHERE"]),
    "physics that is not supported": ("*CONTROL_IMPLICIT_MODES\n5", "CR-D102", ["implicit"]),
    "undefined parameter": ("*LOAD_BODY_X\n1,&push", "CR-D011", ["push"]),
    "unknown node": ("*ELEMENT_SOLID\n77,1,1,2,4,3,10,11,13,999", "CR-D303", ["77", "999"]),
    "unknown part": ("*ELEMENT_SOLID\n77,5,1,2,4,3,10,11,13,12", "CR-D302", ["77", "part 5"]),
    "unknown material": (
        "*PART\nx\n9,1,44\n*ELEMENT_SOLID\n77,9,1,2,4,3,10,11,13,12",
        "CR-D30",
        ["material 44"],
    ),
    "unknown curve": ("*LOAD_BODY_X\n17,2.0", "CR-D304", ["17"]),
    "unknown set": ("*BOUNDARY_SPC_SET\n55,0,1,1,1", "CR-D305", ["55"]),
    "damping twice": (
        "*DAMPING_PART_MASS\n1,1,2.\n*DAMPING_GLOBAL\n0,1.",
        "CR-D310",
        ["DAMPING_PART_MASS", "DAMPING_GLOBAL"],
    ),
    "damping of no part": ("*DAMPING_PART_STIFFNESS\n7,0.1", "CR-D302", ["part 7"]),
    "history of no solid": ("*DATABASE_HISTORY_SOLID\n77", "CR-D302", ["77"]),
    "segments of nodes": (
        "*CONTACT_AUTOMATIC_NODES_TO_SURFACE\n1,1,3,3\n0.\n1.,1.\n2",
        "CR-D320",
        ["SOFT = 2", "surfaces"],
    ),
    "unknown depth": (
        "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n0.\n1.,1.\n2,0.1,0,0.,3,7",
        "CR-D320",
        ["DEPTH", "7"],
    ),
    "element twice": ("*ELEMENT_SOLID\n1,1,1,2,4,3,10,11,13,12", "CR-D301", ["1", "twice"]),
}


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_in_deck(name, ranks, tmp_path):
    if ranks == 2 and name not in ("missing include", "malformed number", "unknown node"):
        pytest.skip("one rank reads the deck; three of the mistakes are tried on two ranks")
    text, number, words = MISTAKES[name]
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more=text))
    lines = deck.read_text().splitlines()
    line = len(lines) - lines[::-1].index(text.splitlines()[0])
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 2, done.said
    told = [row for row in done.stdout.splitlines() if f"error {number}" in row]
    assert told, done.said
    place, _, message = told[0].partition(": error ")
    assert place.startswith(f"{deck}:"), place
    where = int(place.removeprefix(f"{deck}:").split()[0])
    assert line <= where <= line + len(text.splitlines()), "the line is not that of the mistake"
    for word in words:
        assert word.lower() in (place + message).lower()
    assert "CR-K002" in done.stderr
    assert not (tmp_path / "out" / "d3plot").exists()


def test_an_include_without_names_does_not_stop(tmp_path):
    """Its names are comments for now."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more="*INCLUDE\n$ part.k"))
    done = run(deck, tmp_path / "out", "--check")
    assert done.status == 0, done.said
    assert "warning CR-D004: *INCLUDE names no file" in done.stdout


def test_all_mistakes_at_once(tmp_path):
    deck = tmp_path / "deck.k"
    several = ["unknown node", "malformed number", "unknown set", "missing include"]
    deck.write_text(block(1.0, 0.1, more="\n".join(MISTAKES[n][0] for n in several)))
    done = run(deck, tmp_path / "out")
    assert done.status == 2
    for name in several:
        assert MISTAKES[name][1] in done.stdout


def test_a_deck_without_a_model_names_its_end(tmp_path):
    """Cut off after the first keywords, such as a file that was not copied whole."""
    deck = tmp_path / "deck.k"
    whole = block(1.0, 0.1).splitlines()
    kept = next(k for k, line in enumerate(whole) if line.startswith("*NODE"))
    deck.write_text("\n".join(whole[:kept]))
    done = run(deck, tmp_path / "out")
    assert done.status == 2
    for what in ("nodes", "elements"):
        assert f"{deck}:{kept}: error CR-D310: the deck ends here and has no {what}" in done.stdout


def test_every_problem_has_a_place(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text("*KEYWORD\n*DEFINE_CURVE\n8\n0.,0.\n1.,1.\n*DEFINE_TABLE\n8\n0.\n*END\nafter\n")
    told = [row for row in run(deck, tmp_path / "out").stdout.splitlines() if "error CR-D" in row]
    assert f"{deck}:9: error CR-D310: the deck ends here and has no nodes" in told
    assert any("8 is the number of a curve and of a table" in row for row in told)
    assert all(row.startswith(str(deck)) for row in told)


def test_mistake_in_include_names_the_include(tmp_path):
    (tmp_path / "part.k").write_text("*KEYWORD\n*LOAD_BODY_X\n1,what\n*END\n")
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more="*INCLUDE\npart.k"))
    done = run(deck, tmp_path / "out")
    assert done.status == 2
    assert "part.k:3 " in done.stdout
    assert "CR-D110" in done.stdout


def test_malformed_include(tmp_path):
    """A binary file where keywords should be."""
    (tmp_path / "part.k").write_bytes(bytes(range(256)) * 20)
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more="*INCLUDE\npart.k"))
    done = run(deck, tmp_path / "out")
    assert done.status == 2, done.said
    assert "part.k" in done.stdout
    assert "CR-D006" in done.stdout


def test_include_of_itself(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, more="*INCLUDE\ndeck.k"))
    done = run(deck, tmp_path / "out")
    assert done.status == 2, done.said
    assert "CR-D003" in done.stdout


@pytest.mark.parametrize("density", ["", "0.0", "-7.85e-6"])
def test_material_without_density(density, tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, density=density))
    done = run(deck, tmp_path / "out")
    assert done.status == 2, done.said
    assert "CR-D311" in done.stdout
    assert "RO" in done.stdout
    assert "deck.k:" in done.stdout
    assert "part 1" in done.stdout


@pytest.mark.parametrize("ranks", [1, 2])
def test_negative_volume_at_the_start(ranks, tmp_path):
    text = block(1.0, 0.1)
    good = next(row for row in text.splitlines() if row.startswith("3,1,"))
    number, part, *nodes = good.split(",")
    deck = tmp_path / "deck.k"
    deck.write_text(text.replace(good, ",".join([number, part, *nodes[4:], *nodes[:4]])))
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 2, done.said
    assert "CR-E201" in done.said
    assert re.search(r"deck\.k:\d+: error CR-E201: \*ELEMENT_SOLID 3: .*volume", done.said)


def test_elements_without_size(tmp_path):
    deck = Deck()
    deck.part(1, "SHELL,2|1.,1.,1.,1.", STEEL_LAW)
    deck.part(2, "BEAM,3|10.", STEEL_LAW)
    nodes = [deck.node(x) for x in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (1.0, 0.0, 0.0))]
    deck.element("SHELL", 1, (*nodes[:3], nodes[2]))
    deck.element("BEAM", 2, (nodes[1], nodes[3]))
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path, "--check")
    assert done.status == 2, done.said
    assert re.search(r"deck\.k:\d+: error CR-E103: \*ELEMENT_SHELL 1: ", done.said)
    assert re.search(r"deck\.k:\d+: error CR-E301: \*ELEMENT_BEAM 2: ", done.said)


@pytest.mark.parametrize("ranks", [2, 3])
def test_more_ranks_than_elements(ranks, tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1, cells=1))
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 2, done.said
    assert "CR-P010" in done.said
    assert f"{ranks} ranks for 1 element" in done.said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--no-such-option"], ["no-such-option"]),
        (["speed=7"], ["speed=7"]),
        (["endtime=soon"], ["endtime=soon", "number"]),
        (["--precision", "half"], ["half"]),
        (["--decomposition", "slices"], ["slices"]),
        (["--isa", "mmx"], ["mmx"]),
        (["--cores", "0,x"], ["0,x", "list of cores"]),
        (["--cores", "0/"], ["list of cores"]),
        (["--cores", "-1"], ["list of cores"]),
        (["--cores", "0,1", "--threads", "1"], ["1 threads"]),
    ],
)
def test_wrong_argument(arguments, words, tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1))
    done = run(deck, tmp_path / "out", *arguments)
    assert done.status == 2, done.said
    assert "CR-K001" in done.said
    for word in words:
        assert word in done.said


def test_no_deck(tmp_path):
    done = run(None, tmp_path / "out")
    assert done.status == 2, done.said
    assert "CR-K001" in done.said
    assert "i=" in done.said


def test_deck_that_is_not_there(tmp_path):
    done = run(tmp_path / "nothing.k", tmp_path / "out")
    assert done.status == 2, done.said
    assert "CR-D001" in done.said
    assert "nothing.k" in done.said


def test_results_that_cannot_be_created(tmp_path):
    (tmp_path / "d3plot").mkdir()
    (tmp_path / "d3plot" / "in the way").write_text("")
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.1))
    done = run(deck, tmp_path)
    assert done.status == 4, done.said
    assert "CR-O10" in done.said
    assert "d3plot" in done.said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fly"], "error CR-K001"),
        (["i=nothing.k"], "error CR-D001"),
        (["--walltime", "8x"], "error CR-K001: --walltime 8x is no duration, such as 8h"),
    ],
)
def test_said_once_by_all_ranks(words, said, tmp_path):
    done = run(None, tmp_path, *words, ranks=3)
    assert done.status == 2
    assert done.stderr.count(said) == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
