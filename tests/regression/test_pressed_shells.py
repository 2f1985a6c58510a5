"""Pressure on shells ends with them; pressure on segments stays, whatever becomes of elements there."""

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import same_on_two_ranks

from crumple.results.glstat import read_glstat

END, PRESSURE, SIDE, THICKNESS = 0.2, 0.001, 40.0, 1.0  #: ms, kN/mm^2, mm
DENSITY = float(STEEL.split(",")[0])


@pytest.mark.parametrize("load", ["SHELL_ELEMENT", "SHELL_SET", "SEGMENT"])
def test_pressure_ends_with_the_shell(load, tmp_path):
    """A free plate, half of whose shells are deleted in the middle of the run: its momentum. 2 ranks."""
    deck = Deck()
    deck.control(END, END, END / 20)
    section = "SHELL,2,0.8333,2|" + ",".join([str(THICKNESS)] * 4)
    for part in (1, 2):
        deck.part(part, section, f"ELASTIC,{STEEL}")
    cells = 4
    size = SIDE / cells
    nodes = [[deck.node((size * i, size * j, 0.0)) for i in range(cells + 1)] for j in range(cells + 1)]
    corners = {}
    for i in range(cells):
        for j in range(cells):
            ring = (nodes[j][i], nodes[j][i + 1], nodes[j + 1][i + 1], nodes[j + 1][i])
            corners[deck.element("SHELL", 1 + (i + j) % 2, ring)] = ring
    deck.add(f"*MAT_ADD_EROSION\n2\n,,,,,,,{END / 2}\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    if load == "SHELL_SET":
        deck.set("SHELL", 3, corners)
        deck.add(f"*LOAD_SHELL_SET\n3,1,{-PRESSURE}")
    for shell, ring in corners.items():
        if load == "SHELL_ELEMENT":
            deck.add(f"*LOAD_SHELL_ELEMENT\n{shell},1,{-PRESSURE}")
        elif load == "SEGMENT":
            deck.add(f"*LOAD_SEGMENT\n1,{-PRESSURE},0.,{','.join(map(str, ring))}")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = same_on_two_ranks(path, tmp_path)
    assert "8 elements were deleted" in done.stdout
    history = read_glstat(done.directory / "glstat")
    time, pressed = history["time"], 1.0 if load == "SEGMENT" else 0.5
    pushed = np.minimum(time, END / 2) + pressed * np.maximum(time - END / 2, 0.0)
    velocity = PRESSURE / (DENSITY * THICKNESS) * pushed
    np.testing.assert_allclose(history["global z velocity"], velocity, atol=0.02 * velocity.max())
    assert history["total energy / initial energy"].iloc[-1] == pytest.approx(1.0, abs=0.01)
