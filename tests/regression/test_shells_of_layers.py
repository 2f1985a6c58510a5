"""*ELEMENT_SHELL_COMPOSITE: the same as *PART_COMPOSITE with the same layers."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import run

from crumple.results.glstat import read_glstat

CONSTANTS = "1.6e-6,140.,10.,10.,0.0214,0.0214,0.4|5.,3.5,5.,0.|,|,"
LAYERS = ((0.3, 0.0), (0.4, 90.0), (0.3, 30.0))


def rows(more: float) -> list[str]:
    """A line for each layer."""
    return [f"9,{t},{angle + more}" for t, angle in LAYERS]


def strip(by_element: bool, turned: float, offset: float = 0.0) -> str:
    """A clamped strip of 6 x 2 shells, each turned by its number more, that falls."""
    deck = Deck()
    deck.control(0.2, 0.2)
    deck.add("*DEFINE_CURVE\n1\n0.,1.\n10.,1.\n*LOAD_BODY_Z\n1,0.5")
    if by_element:
        deck.add("*PART\nstrip\n1,1,9\n*SECTION_SHELL\n1,2,0.8333\n2.0")
    else:
        nloc = -2.0 * offset
        deck.add("*PART_COMPOSITE_LONG\nstrip\n1,2,0.8333," + f"{nloc}\n" + "\n".join(rows(turned)))
    deck.add("*MAT_ORTHOTROPIC_ELASTIC\n9," + CONSTANTS.replace("|", "\n"))
    grid = [[deck.node((2.0 * i, 2.0 * j, 0.0), held=7 * (i == 0)) for i in range(7)] for j in range(3)]
    for j in range(2):
        for i in range(6):
            corners = [grid[j][i], grid[j][i + 1], grid[j + 1][i + 1], grid[j + 1][i]]
            if not by_element:
                deck.element("SHELL", 1, corners)
                continue
            deck.elements += 1
            form = "OFFSET_COMPOSITE_LONG" if offset else "COMPOSITE_LONG"
            card = f"{deck.elements},1," + ",".join(map(str, corners))
            deck.add(
                "\n".join([f"*ELEMENT_SHELL_{form}", card, *([f"{offset}"] if offset else []), *rows(turned)])
            )
    return deck.text()


@pytest.mark.parametrize(("turned", "offset"), ((0.0, 0.0), (25.0, 0.0), (-70.0, 0.4)))
def test_they_are_those_of_a_part(turned, offset, tmp_path):
    energies = []
    for by_element in (False, True):
        deck = tmp_path / f"{by_element}.k"
        deck.write_text(strip(by_element, turned, offset))
        done = run(deck, tmp_path / str(by_element))
        assert done.status == 0, done.said
        last = read_glstat(done.directory / "glstat").iloc[-1]
        energies.append((last["internal energy"], last["kinetic energy"]))
    assert energies[0][0] > 1e-11
    np.testing.assert_allclose(energies[0], energies[1], rtol=2e-5)
