"""Cohesive layers that fail: the same bits on any ranks and threads, and after a restart."""

import small_decks
from solver_run import expect_same_after_restart, expect_same_bits, run

from crumple.results.glstat import read_glstat

LAWS = {
    1: "COHESIVE_MIXED_MODE,2.e-6,1,1.,60.,60.,1.e-3,2.e-3|1.5,0.1,0.12",
    2: "COHESIVE_ELASTIC,2.e-6,1,2.,60.,60.,0.1,0.12",
    3: "COHESIVE_TH,2.e-6,1,-2.,0.1,0.02,0.03|0.05,0.5,1.,1.",
    4: "COHESIVE_GENERAL,2.e-6,1,1.,1.,9,1.e-3,2.e-3|1.5,0.1,0.12,0.5",
    5: "COHESIVE_MIXED_MODE,2.e-6,1,0.,60.,60.,1.e-3,2.e-3|-1.5,-8.,0.12,0.,0.,2.",
    6: "COHESIVE_MIXED_MODE,2.e-6,1,1.,60.,60.,1.e-3,2.e-3|1.,0.1,0.12",
    7: "COHESIVE_TH,2.e-6,1,1.,0.1,0.02,0.03|0.05,0.5,1.,1.",
    8: "COHESIVE_MIXED_MODE_ELASTOPLASTIC_RATE,2.e-6,1,1.,12.,12.,0.2"
    "|-1.e-3,2.e-3,1.,-0.1,0.01,0.5,0.3|2.e-3,,,0.12,,,-0.4",
    9: "ARUP_ADHESIVE,1.e-6,2.,0.3,0.1,3.e-3,0.12,1.2e-2|2.,2.,0.2,0.1,,,1",
}


def glued_blocks(end: float = 0.05) -> str:
    """For each law two blocks of bricks, glued, of which the lower one is held and the upper one moves."""
    deck = small_decks.Deck()
    deck.control(end, end / 2, end / 10)
    deck.add("*DEFINE_CURVE\n8\n1.,0.08\n3.,0.12\n*DEFINE_CURVE\n9\n0.,0.\n0.05,1.\n1.,0.")
    moved, held = [], []
    cells, size = (4, 3, 1), (8.0, 6.0, 2.0)
    for part in (1, 2, 3, 4, 5, 8):
        law = LAWS[part]
        y, blocks = 20.0 * part, 10 * part
        deck.part(blocks, "SOLID,1", f"ELASTIC,{small_decks.STEEL}")
        lower = deck.block(blocks, cells, (0.0, y, 0.0), size)
        upper = deck.block(blocks, cells, (0.0, y, 2.0), size)
        nx = cells[0] + 1
        layer = nx * (cells[1] + 1)
        deck.part(part, "SOLID,19", law)
        for j in range(cells[1]):
            for i in range(cells[0]):
                ring = (i + nx * j, i + 1 + nx * j, i + 1 + nx * (j + 1), i + nx * (j + 1))
                below, above = [lower[layer + k] for k in ring], [upper[k] for k in ring]
                if (i + j) % 2:
                    deck.element("SOLID", part, [*below, *above])
                else:  # two wedges
                    for a, b, c in ((0, 1, 2), (0, 2, 3)):
                        three = [(side[a], side[b], side[c], side[c]) for side in (below, above)]
                        deck.element("SOLID", part, [*three[0], *three[1]])
        held += lower[:layer]
        moved += upper[layer:]
    gap = 0.5  # bricks of adhesive
    deck.part(90, "SOLID,1", f"ELASTIC,{small_decks.STEEL}")
    deck.part(9, "SOLID,1", LAWS[9])
    lower = deck.block(90, cells, (0.0, 180.0, 0.0), size)
    upper = deck.block(90, cells, (0.0, 180.0, 2.0 + gap), size)
    for j in range(cells[1]):
        for i in range(cells[0]):
            ring = (i + nx * j, i + 1 + nx * j, i + 1 + nx * (j + 1), i + nx * (j + 1))
            deck.element("SOLID", 9, [*(lower[layer + k] for k in ring), *(upper[k] for k in ring)])
    held += lower[:layer]
    moved += upper[layer:]
    for part in (6, 7):  # plates whose glue has offsets
        y = 20.0 * part
        deck.part(10 * part, "SHELL,16,0.8333,2|1.,1.,1.,1.", f"ELASTIC,{small_decks.STEEL}")
        sides = [
            deck.plate(10 * part, (4, 3), lambda u, v, y=y, z=z: (8 * u, y + 6 * v, z)) for z in (0.0, 1.5)
        ]
        deck.part(part, "SOLID,20,0,,,,0.3", LAWS[part])
        for j in range(3):
            for i in range(2):  # the other half is not glued
                rings = [[s[j][i], s[j][i + 1], s[j + 1][i + 1], s[j + 1][i]] for s in sides]
                for a, b, c, d in ((0, 1, 2, 3),) if part == 6 else ((0, 1, 2, 2), (0, 2, 3, 3)):
                    deck.element("SOLID", part, [r[k] for r in rings for k in (a, b, c, d)])
        held += [row[-1] for row in sides[0]]
        moved += [row[-1] for row in sides[1]]
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, moved)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.01,2.\n10.,2.")
    for direction, scale in ((1, 0.6), (2, -0.2), (3, 1.0)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{scale}")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "glued.k"
    deck.write_text(glued_blocks())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        energies = read_glstat(one.directory / "glstat")
        assert energies["total energy / initial energy"].between(0.97, 1.03).all()
        assert energies["eroded internal energy"].iloc[-1] > 0.01
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_restart_of_failing_layers(tmp_path):
    """From the middle, where some elements have failed, on another number of ranks."""
    deck = tmp_path / "glued.k"
    deck.write_text(glued_blocks())
    expect_same_after_restart(deck, tmp_path)
