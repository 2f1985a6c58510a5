"""`crumple check` tells the step that the run begins with, whatever gives it."""

import re

import pytest
from small_decks import STEEL, Deck, falling_bodies, torn_plate
from solver_run import run


def block(more: str = "", law: str = f"ELASTIC,{STEEL}") -> str:
    """Bricks with springs and a mass, as wide as high."""
    deck = Deck()
    deck.part(1, "SOLID,1", law)
    deck.block(1, (3, 3, 4), (0.0, 0.0, 0.0), (9.0, 9.0, 8.0))
    deck.add("*CONTROL_TERMINATION\n0.003\n" + more)
    return deck.text()


def pressed_together() -> str:
    """Plates whose nodes are moved apart before the run."""
    deck = Deck()
    deck.part(1, "SHELL,16|1.", f"ELASTIC,{STEEL}")
    deck.plate(1, (6, 6), lambda u, v: (30 * u, 30 * v, 0.0))
    deck.plate(1, (5, 5), lambda u, v: (30 * u, 30 * v, 0.2 * u))
    deck.add("*CONTROL_TERMINATION\n0.003\n*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,\n,")
    return deck.text()


def springs() -> str:
    """The spring sets the step."""
    deck = Deck()
    deck.part(1, "SHELL,16|1.", f"ELASTIC,{STEEL}")
    grid = deck.plate(1, (3, 3), lambda u, v: (30 * u, 30 * v, 0.0))
    deck.part(2, "DISCRETE,0", "SPRING_ELASTIC,5000.")
    end = deck.node((0.0, 0.0, 10.0))
    deck.element("DISCRETE", 2, (grid[0][0], end))
    deck.add(f"*ELEMENT_MASS\n900,{end},1e-6\n*CONTROL_TERMINATION\n0.003")
    return deck.text()


SHOCK = "*INITIAL_VELOCITY_NODE\n" + "\n".join(f"{n},0.,0.,{-20.0 if n > 40 else 20.0}" for n in range(1, 81))
DECKS = {
    "elements": block,
    "crash": torn_plate,
    "bodies": falling_bodies,
    "viscosity": lambda: block(SHOCK),
    "DTINIT": lambda: block("*CONTROL_TIMESTEP\n1e-5"),
    "LCTM": lambda: block("*CONTROL_TIMESTEP\n,,,,,5\n*DEFINE_CURVE\n5\n0.,2e-5\n1.,2e-5"),
    "TSSFAC": lambda: block("*CONTROL_TIMESTEP\n,0.5"),
    "mass scaling": lambda: block("*CONTROL_TIMESTEP\n,,,,-1e-3"),
    "rigid": lambda: block(law=f"RIGID,{STEEL}|,|"),
    "moved out": pressed_together,
    "springs": springs,
}


def told(said: str) -> float:
    match = re.search(r"^Time step (\S+) at the start \((.*)\)", said, re.MULTILINE)
    assert match, said
    return float(match[1])


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("case", DECKS)
def test_the_step_of_the_run(case, precision, tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(DECKS[case]())
    check = run(deck, tmp_path, "--check", "--precision", precision)
    assert check.status == 0, check.said
    done = run(deck, tmp_path, "ncycle=2", "--precision", precision)
    assert done.progress, done.said
    assert told(check.stdout) == pytest.approx(done.progress[0].step, rel=1e-9)


def test_what_gives_the_step(tmp_path):
    deck = tmp_path / "deck.k"
    words = {
        "elements": "0.9 of the smallest element's)",
        "DTINIT": "(DTINIT; 0.9 of the smallest element's would be ",
        "LCTM": "(curve LCTM; 0.9 of",
        "mass scaling": "with scaled masses)",
        "rigid": "(no element deforms: of rigid bodies and contact)",
    }
    for case, text in words.items():
        deck.write_text(DECKS[case]())
        said = run(deck, tmp_path, "--check").stdout
        assert text in said, (case, said)


def test_an_estimate_where_the_deck_has_errors(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(block("*LOAD_NODE_POINT\n999,1,7"))
    said = run(deck, tmp_path, "--check").stdout
    assert "an estimate, 0.9 of the smallest element's: the deck has errors" in said
    assert told(said) > 0


@pytest.mark.parametrize("name", ["dynakw/taylor2.k", "dynakw/joint_revolute.k", "boxdrop/main.k"])
def test_real_decks(name, real_deck, tmp_path):
    deck = real_deck(name)
    check = run(deck, tmp_path, "--check", "--allow-unsupported")
    done = run(deck, tmp_path, "ncycle=2", "--allow-unsupported")
    assert told(check.stdout) == pytest.approx(done.progress[0].step, rel=1e-9)
