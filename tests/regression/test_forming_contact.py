"""Forming contact: a sheet drawn over a rigid radius has the forces of Euler and Eytelwein."""

import math
from pathlib import Path

import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run

from crumple.results.forces import read_rcforc
from crumple.results.glstat import read_glstat

RADIUS = 20.0
THICK = 0.2
WIDTH = 4.0
FLAT = 12.0  #: mm of the sheet beyond the radius, at both ends
TENSION = 0.1  #: kN
END = 4.0

NAMES = (
    "FORMING_ONE_WAY_SURFACE_TO_SURFACE",
    "FORMING_SURFACE_TO_SURFACE",
    "FORMING_NODES_TO_SURFACE",
)


def solve(text: str, where: Path, *arguments: str, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    (where / "deck.k").write_text(text)
    done = run(where / "deck.k", where, *arguments, ranks=ranks)
    assert done.status == 0, done.said[-4000:]
    return done


def on_sheet(s: float, radius: float) -> tuple[float, float]:
    """x and z at the length s of the middle surface: along -x, around the radius, down."""
    arc = 0.5 * math.pi * radius
    if s < FLAT:
        return s - FLAT, radius
    if s > FLAT + arc:
        return radius, FLAT + arc - s
    angle = (s - FLAT) / radius
    return radius * math.sin(angle), radius * math.cos(angle)


def drawn_sheet(name: str, friction: str, inward: bool, half_sbst: float = 0.0, more: str = "") -> str:
    """Part 1: a strip on a quarter of a cylinder, part 2, with a dead load at one end, drawn at the other."""
    deck = Deck()
    deck.control(END, END, END / 1000)
    deck.part(1, f"SHELL,2,0.8333,2|{THICK},{THICK},{THICK},{THICK}", f"ELASTIC,{STEEL}")
    deck.part(2, "SHELL,2,0.8333,2|1.,1.,1.,1.", f"RIGID,{STEEL}|1.,7,7|")
    middle = RADIUS + half_sbst + 0.5 * THICK
    length = 2 * FLAT + 0.5 * math.pi * middle

    def sheet(u: float, v: float) -> tuple[float, float, float]:
        x, z = on_sheet(u * length, middle)
        return x, (v - 0.5) * WIDTH, z

    def tool(u: float, v: float) -> tuple[float, float, float]:
        angle = math.radians(-8 + 106 * (1 - u if inward else u))
        return RADIUS * math.sin(angle), (v - 0.5) * 2 * WIDTH, RADIUS * math.cos(angle)

    grid = deck.plate(1, (36, 2), sheet)
    deck.plate(2, (64, 3), tool)
    first, last = ([row[k] for row in grid] for k in (0, -1))
    deck.set("NODE", 1, first)
    deck.set("NODE", 2, last)
    deck.set("NODE", 3, [node for row in grid for node in row])
    deck.add("*BOUNDARY_SPC_SET\n3,0,0,1,0,1,0,1")
    deck.add("*DEFINE_CURVE\n1\n0.,0.\n1.,1.\n100.,1.\n*DEFINE_CURVE\n2\n0.,0.\n1.,0.\n1.5,1.\n100.,1.")
    for node, share in zip(first, (0.25, 0.5, 0.25), strict=True):
        deck.add(f"*LOAD_NODE_POINT\n{node},1,1,{-TENSION * share}")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n2,3,0,2,-0.2")
    sides = "3,2,4,3" if name.endswith("NODES_TO_SURFACE") else "1,2,3,3"
    deck.add(f"*CONTACT_{name}\n{sides}\n{friction},,,20.\n,,,{2 * half_sbst}")
    deck.add(f"*DAMPING_GLOBAL\n0,2.\n{more}")
    return deck.text()


def ends(done: Run) -> tuple[float, float]:
    """Pulls of the sheet at the dead load and at the drawn end: the tool's force along x and z."""
    rows = read_rcforc(done.directory / "rcforc").rows
    mean = {}
    for side, one in rows.groupby("side"):
        late = one[one["time"] > 0.75 * END]
        mean[side] = (late["x"].mean(), late["z"].mean())
    a, b = mean.values()
    assert a == pytest.approx((-b[0], -b[1]), rel=1e-6)
    return abs(a[0]), abs(a[1])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("inward", [False, True], ids=["normals out", "normals in"])
def test_capstan(name, inward, tmp_path):
    """T2 / T1 = exp(mu pi / 2), whichever way the mesh of the tool is turned."""
    mu = 0.2
    done = solve(drawn_sheet(name, f"{mu},{mu}", inward), tmp_path)
    held, drawn = ends(done)
    assert held == pytest.approx(TENSION, rel=0.005)
    # Nodes of the tool that cross the facets of the sheet brake it, by 3 % also without friction.
    within = 0.05 if name == "FORMING_SURFACE_TO_SURFACE" else 0.01
    assert drawn / held == pytest.approx(math.exp(0.5 * math.pi * mu), rel=within)
    history = read_glstat(tmp_path / "glstat")
    assert float(history["total energy / initial energy"].iloc[-1]) == pytest.approx(1.0, abs=0.02)


def test_without_friction(tmp_path):
    held, drawn = ends(solve(drawn_sheet(NAMES[0], "0.,0.", False), tmp_path))
    assert drawn == pytest.approx(held, rel=0.005)


def test_offset_of_the_tool(tmp_path):
    """Half of SBST in front of the mesh: the same forces on a sheet that lies there."""
    mu = 0.2
    held, drawn = ends(solve(drawn_sheet(NAMES[0], f"{mu},{mu}", True, half_sbst=0.4), tmp_path))
    assert held == pytest.approx(TENSION, rel=0.005)
    assert drawn / held == pytest.approx(math.exp(0.5 * math.pi * mu), rel=0.01)


PAIRS = "*DEFINE_FRICTION\n7,0.05\n1,2,0.2,0.2\n"
SOURCES = {"pairs": ("-2.,7", PAIRS), "the only table": ("-2.,0", PAIRS)}


@pytest.mark.parametrize("source", SOURCES)
def test_friction_of_pairs(source, tmp_path):
    """The same bits as with the coefficient in the contact."""
    friction, cards = SOURCES[source]
    plain = solve(drawn_sheet(NAMES[0], "0.2,0.2", False), tmp_path / "plain", "ncycle=2000")
    pairs = solve(drawn_sheet(NAMES[0], friction, False, more=cards), tmp_path / "pairs", "ncycle=2000")
    assert pairs.hash == plain.hash


@pytest.mark.parametrize("name", NAMES[:2])
def test_same_bits_on_ranks(name, tmp_path):
    deck = drawn_sheet(name, "-2.,7", True, more=PAIRS)
    hashes = {solve(deck, tmp_path / str(n), "ncycle=500", ranks=n).hash for n in (1, 2, 3)}
    assert len(hashes) == 1
