"""Names of *DATABASE_HISTORY_..._ID in the legends of nodout, elout and deforc, in text and in binout."""

import re

import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run


def _deck() -> str:
    """Two bricks, a shell, a beam and a spring that hang still."""
    deck = Deck()
    deck.control(1e-3, 1e-3, 5e-4)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    deck.part(2, "SHELL,2,0.8333,3|1.,1.,1.,1.", "ELASTIC,7.85e-6,210.,0.3")
    deck.part(3, "BEAM,1,1.0,2,0|2.,2.,2.,2.", "ELASTIC,7.85e-6,210.,0.3")
    deck.part(4, "DISCRETE,0", "SPRING_ELASTIC,1.0")
    deck.block(1, (2, 1, 1), (0.0, 0.0, 0.0), (20.0, 10.0, 10.0))
    n = [deck.node(p) for p in ((30, 0, 0), (40, 0, 0), (40, 10, 0), (30, 10, 0))]
    deck.element("SHELL", 2, n)
    deck.element("BEAM", 3, (n[0], n[1], n[3]))
    deck.element("DISCRETE", 4, (n[1], n[2]))
    for name in ("NODOUT", "ELOUT", "DEFORC"):
        deck.add(f"*DATABASE_{name}\n5e-4,3")
    deck.add(
        "*DATABASE_HISTORY_NODE_ID\n         2B-pillar, low\n1,head of the dummy\n*DATABASE_HISTORY_NODE\n3"
    )
    deck.add("*DATABASE_HISTORY_SOLID_ID\n2,engine block\n*DATABASE_HISTORY_SOLID\n1")
    deck.add("*DATABASE_HISTORY_SHELL_ID\n3,roof\n*DATABASE_HISTORY_BEAM_ID\n4,strut")
    deck.add("*DATABASE_HISTORY_DISCRETE_ID\n5,damper")
    return deck.text()


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    (folder / "deck.k").write_text(_deck())
    done = run(folder / "deck.k", folder / "out", ranks=2)
    assert done.status == 0, done.said
    assert "CR-D" not in done.said, "nothing of the deck is left out"
    return folder / "out"


def _legend(path) -> dict[int, str]:
    text = path.read_text()
    legend = text[text.index("{BEGIN LEGEND}") : text.index("{END LEGEND}")]
    return {int(n): title for n, title in re.findall(r"^ +(\d+) +(\S.*?) *$", legend, re.M)}


def test_text(out):
    assert _legend(out / "nodout") == {1: "head of the dummy", 2: "B-pillar, low"}
    assert _legend(out / "elout") == {2: "engine block", 4: "strut", 3: "roof"}
    assert _legend(out / "deforc") == {5: "damper"}


@pytest.mark.parametrize(
    ("branch", "names"),
    [
        ("nodout", {1: "head of the dummy", 2: "B-pillar, low", 3: ""}),
        ("elout/solid", {2: "engine block"}),
        ("elout/shell", {3: "roof"}),
        ("elout/beam", {4: "strut"}),
        ("deforc", {5: "damper"}),
    ],
)
def test_binout(out, branch, names):
    binout = Binout(str(out / "binout0000"))
    legend, numbers = (binout.read(*branch.split("/"), key) for key in ("legend", "legend_ids"))
    read = {int(n): legend[80 * k : 80 * k + 80].strip() for k, n in enumerate(numbers)}
    assert read == names


def test_a_name_goes_with_its_transformed_number(tmp_path):
    (tmp_path / "part.k").write_text(_deck())
    moved = "*KEYWORD\n*INCLUDE_TRANSFORM\npart.k\n1000,1000\n\n\n\n*END\n"
    (tmp_path / "deck.k").write_text(moved)
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status == 0, done.said
    assert _legend(tmp_path / "out" / "nodout") == {1001: "head of the dummy", 1002: "B-pillar, low"}
