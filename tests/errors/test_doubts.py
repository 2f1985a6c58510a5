"""What `crumple check` takes for a mistake though it is allowed, and what it does not."""

import re

import pytest
from small_decks import Deck, falling_bodies, torn_plate
from solver_run import run

STEEL = "7.85e-6,210.,0.3"  # kg-mm-ms
IDS = ("CR-D340", "CR-D341", "CR-D342", "CR-D343", "CR-C019", "CR-O110", "CR-K003")


def plate(material: str = STEEL, more: str = "", thickness: float = 1.0) -> str:
    deck = Deck()
    deck.part(1, f"SHELL,16|{thickness}", f"ELASTIC,{material}")
    deck.plate(1, (4, 4), lambda u, v: (40 * u, 40 * v, 0.0))
    deck.add("*CONTROL_TERMINATION\n0.01\n" + more)
    return deck.text()


def warnings(text: str, tmp_path, *arguments: str) -> dict[str, str]:
    """Text of each warning or error by its id."""
    path = tmp_path / "deck.k"
    path.write_text(text)
    said = run(path, tmp_path, "--check", *arguments).stdout
    return {m[2]: m[0] for m in re.finditer(r"^.*(warning|error) (CR-\w+): .*$", said, re.MULTILINE)}


#: Steel and aluminium in many systems: density, Young's modulus.
SOLIDS = {
    "kg-m-s": ("7850,2.1e11,0.3", "2700,7e10,0.33"),
    "t-mm-s": ("7.85e-9,2.1e5,0.3", "2.7e-9,7e4,0.33"),
    "kg-mm-ms": ("7.85e-6,210.,0.3", "2.7e-6,70.,0.33"),
    "g-mm-ms": ("7.85e-3,2.1e5,0.3", "2.7e-3,7e4,0.33"),
    "kg-mm-s": ("7.85e-6,2.1e8,0.3", "2.7e-6,7e7,0.33"),
    "g-cm-us": ("7.85,2.1,0.3", "2.7,0.7,0.33"),
    "lbf-in-s": ("7.35e-4,3.05e7,0.3", "2.5e-4,1e7,0.33"),
    "slug-ft-s": ("15.2,4.4e9,0.3", "5.24,1.46e9,0.33"),
}


@pytest.mark.parametrize("units", SOLIDS)
def test_solids_in_any_system(units, tmp_path):
    for material in SOLIDS[units]:
        for given in ((), ("--units", units)):
            assert not warnings(plate(material), tmp_path, *given)


@pytest.mark.parametrize(
    "material",
    ["7.85e-6,2.1e5,0.3", "7.85e-9,210.,0.3", "7.85e-3,2.1e8,0.3", "7850,2.1e5,0.3", "1e-3,1.,0.3"],
)
def test_mixed_units(material, tmp_path):
    said = warnings(plate(material), tmp_path)
    assert set(said) == {"CR-D341"}
    assert re.search(r"deck\.k:\d+.*: warning CR-D341: speed of sound of material 1: ", said["CR-D341"])
    assert "in none of the usual systems" in said["CR-D341"]


def test_one_of_several_materials(tmp_path):
    """The others say which units the deck is in."""
    deck = Deck()
    for part, material in enumerate([STEEL, "2.7e-6,70.,0.33", "7.85e-6,2.1e5,0.3"], 1):
        deck.part(part, "SHELL,16|1.", f"ELASTIC,{material}")
        deck.plate(part, (2, 2), lambda u, v, z=30.0 * part: (40 * u, 40 * v, z))
    deck.add("*CONTROL_TERMINATION\n0.01")
    said = warnings(deck.text(), tmp_path)
    assert set(said) == {"CR-D341"}
    assert "of material 3: 164 km/s in kg-mm-ms" in said["CR-D341"]


def test_ballast(tmp_path):
    """Steel with a density that makes up for what is not modelled; ten times or a thousand is a slip."""
    for density, doubted in (("4.34e-3", False), ("7.85e-3", True)):
        deck = Deck()
        for part, material in enumerate([STEEL, f"{density},210.,0.3"], 1):
            deck.part(part, "SHELL,16|1.", f"ELASTIC,{material}")
            deck.plate(part, (2, 2), lambda u, v, z=30.0 * part: (40 * u, 40 * v, z))
        deck.add("*CONTROL_TERMINATION\n0.01")
        assert ("CR-D341" in warnings(deck.text(), tmp_path)) == doubted


def test_against_the_units_that_are_named(tmp_path):
    said = warnings(plate(STEEL), tmp_path, "--units", "t-mm-s")
    assert "of material 1: 0.00517 km/s in t-mm-s" in said["CR-D341"]
    said = warnings(plate(STEEL, "*CONTROL_UNITS\nmm,sec,mtrc_ton"), tmp_path)
    assert "in t-mm-s" in said["CR-D341"]


def test_mass_out_of_all_reason(tmp_path):
    said = warnings(plate(STEEL, "*ELEMENT_MASS\n99,1,5e13"), tmp_path)
    assert set(said) == {"CR-D342"}
    assert re.search(r"deck\.k:\d+: .*mass of 5e\+13 is 5e\+13 kg in kg-mm-ms", said["CR-D342"])


def test_no_mass(tmp_path):
    deck = Deck()
    deck.part(1, "BEAM,2|0.,1.,1.,1.,0.", f"ELASTIC,{STEEL}")
    nodes = [deck.node((float(x), 0.0, 0.0)) for x in range(3)]
    aside = deck.node((0.0, 5.0, 0.0))
    deck.element("BEAM", 1, (nodes[0], nodes[1], aside))
    deck.add("*CONTROL_TERMINATION\n0.01")
    said = warnings(deck.text(), tmp_path)
    assert "the model has no mass" in said.get("CR-D342", ""), said


@pytest.mark.parametrize("factor", ["1.2", "1.0", "0.67"])
def test_step_scale(factor, tmp_path):
    said = warnings(plate(STEEL, f"*CONTROL_TIMESTEP\n,{factor}"), tmp_path)
    assert ("CR-D340" in said) == (factor == "1.2")
    if said:
        assert "field TSSFAC: warning CR-D340: *CONTROL_TIMESTEP: TSSFAC = 1.2" in said["CR-D340"]


def towards_wall(velocity: float, normal: float, more: str = "", second: str = "") -> str:
    cards = f"*INITIAL_VELOCITY_GENERATION\n1,2,0.,0.,0.,{velocity}\n,\n"
    wall = f"*RIGIDWALL_PLANAR\n0,0\n0.,0.,-10.,0.,0.,{-10.0 + normal}\n{second}{more}"
    return plate(STEEL, cards + wall)


def test_away_from_all_walls(tmp_path):
    floor = "*RIGIDWALL_PLANAR\n0,0\n-100.,0.,0.,-99.,0.,0.\n"
    gravity = "*DEFINE_CURVE\n1\n0.,1.\n9.,1.\n*LOAD_BODY_Z\n1,0.01\n"
    away = {
        "leaves": (5.0, 1.0),
        "normal turned": (-5.0, -1.0),
    }
    for case, (velocity, normal) in away.items():
        for second in ("", floor):
            said = warnings(towards_wall(velocity, normal, second=second), tmp_path)
            assert set(said) == {"CR-D343"}, case
            assert re.search(r"deck\.k:\d+: .*away from rigid wall 1", said["CR-D343"]), said
    assert not warnings(towards_wall(-5.0, 1.0), tmp_path)
    assert not warnings(towards_wall(0.0, 1.0), tmp_path)
    assert not warnings(towards_wall(5.0, 1.0, gravity), tmp_path)  # it falls back


def test_contact_thicker_than_edges(tmp_path):
    contact = "*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE\n1,1,3,3\n,\n,"
    assert not warnings(plate(STEEL, contact, 3.0), tmp_path)
    said = warnings(plate(STEEL, contact, 12.0), tmp_path)
    assert set(said) == {"CR-C019"}
    assert re.search(
        r"deck\.k:\d+.*contact 1: 32 of its 32 segments .* up to 12 on 10 in part 1", said["CR-C019"]
    )
    # A single surface takes at most 40 % of the edge.
    assert not warnings(plate(STEEL, "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0\n,\n,", 12.0), tmp_path)


WIDE = {
    "NODE": "*NODE\n{id},100.,100.,0.",
    "ELEMENT_SHELL": "*ELEMENT_SHELL\n{id},1,1,2,7,6",
    "PART": "*PART\nlarge\n{id},1,1",
}


@pytest.mark.parametrize("what", WIDE)
def test_numbers_that_d3plot_has_no_room_for(what, tmp_path):
    largest = 2**31 - 1
    text = plate(STEEL, WIDE[what].format(id=4000000001))
    said = warnings(text, tmp_path)
    line = 1 + text.splitlines().index(WIDE[what].format(id=4000000001).splitlines()[-1])
    words = rf"deck\.k:{line}\b.*error CR-O110: \*{what} 4000000001: .*up to {largest}; 1 is above"
    assert re.search(words, said["CR-O110"])
    done = run(tmp_path / "deck.k", tmp_path / "run")
    assert done.status == 2
    assert "CR-O110" in done.stdout
    assert not list((tmp_path / "run").glob("d3plot*"))
    assert run(tmp_path / "deck.k", tmp_path / "run", "--double-files").status == 0
    assert "CR-O110" not in warnings(plate(STEEL, WIDE[what].format(id=largest)), tmp_path)


@pytest.mark.parametrize("make", [falling_bodies, torn_plate])
def test_sound_decks(make, tmp_path):
    assert not set(warnings(make(), tmp_path)) & set(IDS)


REAL = [
    "boxdrop/main.k",
    "dynakw/joint_revolute.k",
    "dynakw/mat_piecewise_linear.plate-shatter.k",
    "dynakw/taylor2.k",
]


@pytest.mark.parametrize("name", REAL)
def test_real_decks(name, real_deck, tmp_path):
    done = run(real_deck(name), tmp_path, "--check", "--allow-unsupported")
    assert not [key for key in IDS if key in done.stdout], done.stdout
