"""Composites that fail, and materials with axes: the same bits on any ranks, and after a restart."""

import small_decks
from solver_run import expect_same_after_restart, expect_same_bits, run

from crumple.results.glstat import read_glstat

CONSTANTS = "1.6e-6,140.,10.,10.,0.02,0.02,0.4|5.,3.5,5."
LAWS = {
    1: f"COMPOSITE_DAMAGE,{CONSTANTS},0.,0.|,|,,,,,,20.|0.1,2.0,0.05,0.2,0.5",
    2: f"ENHANCED_COMPOSITE_DAMAGE,{CONSTANTS},,3.|,|0.,1.,0.,,,,0.1,0.2|0.,0.5,1.,0.,2.,0.03,-0.03"
    "|1.5,2.,0.2,0.05,0.1,54.,0.5",
    3: f"ORTHOTROPIC_ELASTIC,{CONSTANTS},2.|,,,1.,1.,0.|,,,0.,0.,1.",
    4: f"ORTHOTROPIC_ELASTIC,{CONSTANTS},4.|20.,-5.,3.|0.,0.,1.",
    5: f"ENHANCED_COMPOSITE_DAMAGE,{CONSTANTS},,0.|,|,|,|1.5,2.,0.2,0.05,0.1,55.",
    6: "LAMINATED_COMPOSITE_FABRIC,1.6e-6,60.,60.,10.,0.05,0.06,0.016|5.,3.5,5.,0.1,0.5,0.1,0.5,1."
    "|0.,1.e-7,0.12,0.,-1.,0.02,0.1,0.8|,|,,,,,,25.|0.02,0.022,0.02,0.022,0.06|0.7,0.9,0.7,0.9,0.1",
    7: "LAMINATED_COMPOSITE_FABRIC,1.6e-6,60.,60.,10.,0.05|5.,3.5,5.,0.1,0.5,0.1,0.5,1."
    "|2.,0.,0.1,0.,1.|,,,1.,0.,1.|,,,0.,1.,0.|0.02,0.022,0.02,0.022,0.06|0.7,0.9,0.7,0.9,0.1",
    8: f"LAMINATED_FRACTURE_DAIMLER_CAMANHO,{CONSTANTS},0.,0.,0.,0.,0.3|,|,,,,,,15.|0.08,0.1,0.02,0.001,0.008"
    "|1.5,2.,0.2,0.05,0.1|53.,0.04,1.,0.5",
}
SECTIONS = {
    1: "SHELL,2,0.8333,3",
    2: "SHELL,16,0.8333,2,0,0,1",
    3: "SOLID,1",
    4: "SOLID,-1",
    5: "SHELL,4,0.8333,4",
    6: "SHELL,2,0.8333,3",
    7: "SHELL,-16,0.8333,2",
    8: "SHELL,16,0.8333,2",
}


def strips(end: float = 0.06) -> str:
    """Plates and blocks, held at one end and pulled at the other until layers and elements fail."""
    deck = small_decks.Deck()
    deck.control(end, end / 2, end / 10)
    held, pulled = [], []
    for part, law in LAWS.items():
        section, y = SECTIONS[part], 20.0 * part
        if section.startswith("SOLID"):
            deck.part(part, section, law)
            ids = deck.block(part, (2, 2, 2), (0.0, y, 0.0), (12.0, 7.0, 6.0))
            held += ids[::3]
            pulled += ids[2::3]
        else:
            angles = "|10.,-50." if "0,0,1" in section else ""
            deck.part(part, f"{section}|1.,1.,1.,1.{angles}", law)
            grid = deck.plate(
                part, (4, 3), lambda u, v, y=y: (12 * u, y + 8 * v, 0.3 * u * v), triangles=part == 5
            )
            held += [row[0] for row in grid]
            pulled += [row[-1] for row in grid]
    deck.add("*PART_COMPOSITE\nlaminate\n11,16,0.8333,0.3\n1,0.2,0.,0,12,0.3,45.\n12,0.1,-45.,0,1,0.4,90.")
    first, *rest = LAWS[1].replace("2.0,0.05", "1.0,0.04").split(",", 1)[1].split("|")
    deck.add("\n".join(["*MAT_COMPOSITE_DAMAGE", f"12,{first}", *rest]))
    grid = deck.plate(11, (4, 3), lambda u, v: (12 * u, 8 * v, 0.2 * u))
    held += [row[0] for row in grid]
    pulled += [row[-1] for row in grid]
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.005,20.\n10.,20.")
    for direction, scale in ((1, 1.0), (2, 0.3), (3, 0.5)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{scale}")
    return deck.text()


def test_same_bits(tmp_path):
    deck = tmp_path / "strips.k"
    deck.write_text(strips())
    for precision in ("double", "single"):
        one = run(deck, tmp_path / f"one_{precision}", "--precision", precision)
        assert one.status == 0, one.said
        energies = read_glstat(one.directory / "glstat")
        assert energies["total energy / initial energy"].between(0.97, 1.03).all()
        assert energies["eroded internal energy"].iloc[-1] > 0.01
        expect_same_bits(one, deck, tmp_path / precision, precision)


def test_restart_of_failing_layers(tmp_path):
    """From the middle, where some layers have failed, on another number of ranks."""
    deck = tmp_path / "strips.k"
    deck.write_text(strips())
    expect_same_after_restart(deck, tmp_path)
