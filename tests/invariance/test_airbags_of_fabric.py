"""Airbags whose gas has mass: a pillow of fabric with a vent and leakage, and a rigid box with an orifice.

The pillow has the same bits on any number of ranks, and its gas obeys the equation of state. The box is
compared with the same equations of the control volume, integrated here.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from small_decks import Deck
from solver_run import run

CV, CP, AMBIENT, DENSITY = 718.0, 1005.0, 1.01325e-4, 1.2e-9  # J/(kg K), GPa, kg/mm3
CURVES = "*DEFINE_CURVE\n1\n0.,0.\n2.,1.e-3\n10.,0.\n*DEFINE_CURVE\n2\n0.,0.\n0.1,0.01\n0.4,0.07\n"


BAG = (
    f"*AIRBAG_WANG_NEFSKE_ID\n3,pillow\n5,1\n{CV},{CP},600.,0,1\n0.6,0,200.,0\n"
    f"{AMBIENT},{DENSITY},1.,0,0.,2.e-5,1\n"
)


def pillow(form: int, bag: str = BAG, deck: Deck | None = None) -> str:
    """Two square sheets, sewn together at their edges and slightly domed."""
    deck = deck or Deck()
    deck.control(12.0, 4.0, 0.5)
    n, side, rise = 10, 200.0, 12.0
    fabric = (
        "FABRIC,8.e-7,0.3,0.25,,0.1|0.05,,,1.,0.02,0.3,0.1,0.05|0.,0.2,0.01,,,14,1||,,,,,,30.|2,0,0,0,0,0"
    )
    nodes: dict[tuple[int, int, int], int] = {}

    def corner(i: int, j: int, above: int) -> int:
        edge = i in (0, n) or j in (0, n)
        key = (i, j, 0 if edge else above)
        if key not in nodes:
            dome = rise * np.sin(np.pi * i / n) * np.sin(np.pi * j / n)
            nodes[key] = deck.node((side * i / n, side * j / n, (0 if edge else above) * dome))
        return nodes[key]

    for part, above in ((1, 1), (2, -1)):
        deck.part(part, f"SHELL,{form},1.,1|0.3,0.3,0.3,0.3", fabric)
        for i in range(n):
            for j in range(n):
                square = [corner(i + a, j + b, above) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                deck.element("SHELL", part, square if above > 0 else square[::-1])
    deck.set("PART", 5, (1, 2))
    deck.add(f"{bag}*DATABASE_ABSTAT\n0.5\n{CURVES}")
    return deck.text()


def abstat(done) -> np.ndarray:
    """Time, number, volume, pressure, energy, inflow, density, outflow, mass, temperature, area, 0."""
    rows = []
    for line in done.history("abstat"):
        words = line.split()
        try:
            values = [float(word) for word in words]
        except ValueError:
            continue
        if len(values) == 12:
            rows.append(values)
    return np.array(rows)


@pytest.mark.parametrize("form", [5, 9])
def test_pillow(form, tmp_path):
    deck = tmp_path / "pillow.k"
    deck.write_text(pillow(form))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = abstat(one)
    time, volume, pressure, energy, mass, temperature = rows[:, [0, 2, 3, 4, 8, 9]].T
    assert volume[-1] > 2 * volume[0]
    assert pressure.max() > 2e-5
    np.testing.assert_allclose(energy, mass * CV * temperature, rtol=2e-3)
    np.testing.assert_allclose((pressure + AMBIENT) * volume, mass * (CP - CV) * temperature, rtol=2e-3)
    into = np.interp(time, [0, 2, 10], [0, 1e-3, 0])
    np.testing.assert_allclose(rows[:, 5], into, rtol=1e-3, atol=1e-8)
    assert mass[-1] < mass[0] + 5e-3  # some has left
    assert one.progress[-1].internal > 0
    assert abs(one.progress[-1].ratio - 1) < 0.02
    hashes = {
        ranks: run(deck, tmp_path / str(ranks), ranks=ranks, threads=threads).hash
        for ranks, threads in ((2, 2), (3, 1))
    }
    assert set(hashes.values()) == {one.hash}, hashes
    stopped = tmp_path / "stopped"
    assert run(deck, stopped, "ncycle=200", "--dump-cycles", "200", ranks=2).status == 0
    again = run(deck, stopped, "--restart", "auto")
    assert again.status == 0, again.said
    assert again.hash == one.hash


def rigid_cube(deck: Deck, part: int, side: float, low: float) -> None:
    """Its gas is in a part of that number; it stays where it is."""
    rigid = "RIGID,7.8e-6,210.,0.3|1.,7,7|"
    deck.part(part, "SHELL,2,0.8333,2|1.,1.,1.,1.", rigid)
    ids = [
        deck.node((low + side * i, low + side * j, low + side * k))
        for k in (0, 1)
        for j in (0, 1)
        for i in (0, 1)
    ]
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    for face in faces:
        deck.element("SHELL", part, [ids[k] for k in face])


def stored_gas() -> str:
    """A pillow of fabric, filled from a cube with gas of high pressure; helium comes in, too."""
    deck = Deck()
    rigid_cube(deck, 7, 120.0, -400.0)
    deck.set("PART", 6, (7,))
    air, molar = 0.02897, 8.314
    temperature = AMBIENT * air / (DENSITY * molar)
    bags = (
        f"*AIRBAG_WANG_NEFSKE_ID\n4,cube\n6,1\n0.,0.,600.,0,9\n0.,0,0.,0\n{AMBIENT},{DENSITY},1.,0,6.e-4\n"
        f"{temperature},29.,0.,{air},{molar}\n"
        f"*AIRBAG_HYBRID_ID\n3,pillow\n5,1\n{temperature},{AMBIENT},{DENSITY},{molar},1.,1.e-8\n"
        f"0.6,0,100.,0\n1,2.e-5,2\n0,0,,{air},1.,29.,0.,0.\n0.\n3,4,,0.004,0.,20.786,0.,0.\n0.\n"
        "*AIRBAG_INTERACTION\n3,4,300.,0.7,0,0,1\n"
        "*DEFINE_CURVE\n3\n0.,0.\n2.,1.e-5\n10.,0.\n*DEFINE_CURVE\n4\n0.,500.\n10.,500.\n"
        "*DEFINE_CURVE\n9\n0.,0.\n100.,0.\n"
    )
    return pillow(5, bags, deck)


def test_chambers_of_mixtures(tmp_path):
    deck = tmp_path / "chambers.k"
    deck.write_text(stored_gas())
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = abstat(one)
    cube, bag = (rows[rows[:, 1] == number] for number in (4, 3))
    assert bag[-1, 2] > 2 * bag[0, 2]
    assert cube[-1, 8] < 0.9 * cube[0, 8]
    assert cube[:, 7].max() > 0
    assert (cube[:, 5] == 0).all()  # one way only
    time = bag[:, 0]
    helium = np.trapezoid(np.interp(time, [0, 2, 10], [0, 1e-5, 0]), time)
    left = np.trapezoid(bag[:, 7], time)
    total = cube[:, 8] + bag[:, 8]
    assert left > 2 * helium
    assert total[-1] - total[0] == pytest.approx(helium - left, rel=0.05)
    flow = np.concatenate([cube[1:2, 7], cube[1:, 7]])  # the first row is before any flow
    assert cube[0, 8] - cube[-1, 8] == pytest.approx(np.trapezoid(flow, time), rel=5e-3)
    assert abs(one.progress[-1].ratio - 1) < 0.02
    hashes = {
        ranks: run(deck, tmp_path / str(ranks), ranks=ranks, threads=threads).hash
        for ranks, threads in ((2, 2), (3, 1))
    }
    assert set(hashes.values()) == {one.hash}, hashes
    stopped = tmp_path / "stopped"
    assert run(deck, stopped, "ncycle=200", "--dump-cycles", "200", ranks=2).status == 0
    again = run(deck, stopped, "--restart", "auto")
    assert again.status == 0, again.said
    assert again.hash == one.hash


def box() -> str:
    """A rigid cube of 300 mm, which stays where it is."""
    deck = Deck()
    deck.control(40.0, 20.0, 1.0)
    rigid_cube(deck, 1, 300.0, 0.0)
    deck.set("PART", 5, (1,))
    deck.add(
        f"*CONTROL_TIMESTEP\n0.,0.9\n*AIRBAG_SIMPLE_AIRBAG_MODEL_ID\n3,box\n5,1\n"
        f"{CV},{CP},600.,1,0.6,1000.,{AMBIENT},{DENSITY}\n0\n*DATABASE_ABSTAT\n1.\n"
        "*DEFINE_CURVE\n1\n0.,0.\n10.,2.e-3\n20.,0.\n"
    )
    return deck.text()


def test_rigid_box(tmp_path):
    deck = tmp_path / "box.k"
    deck.write_text(box())
    done = run(deck, tmp_path / "box")
    assert done.status == 0, done.said
    gas, gamma, volume = CP - CV, CP / CV, 300.0**3

    def rates(time, state):
        mass, energy = state
        temperature = energy / mass / CV
        pressure = mass * gas * temperature / volume
        out = 0.0
        if pressure > AMBIENT:
            q = max(AMBIENT / pressure, (2 / (gamma + 1)) ** (gamma / (gamma - 1)))
            flow = 2 * gamma / (gamma - 1) * (q ** (2 / gamma) - q ** ((gamma + 1) / gamma))
            # J/kg = 1e-6 mm2/ms2 times 1e6: 1 J/kg is 1 mm2/ms2
            out = 600.0 * pressure / np.sqrt(gas * temperature) * np.sqrt(flow)
        into = np.interp(time, [0, 10, 20], [0, 2e-3, 0])
        return [into - out, into * CP * 600 - out * CP * temperature]

    rows = abstat(done)
    start = np.array([DENSITY * volume, AMBIENT * volume / (gamma - 1)])
    state, at = start, 0.0
    for time, _, _, pressure, energy, _, _, _, mass, temperature, *_ in rows[1:]:
        state = solve_ivp(rates, (at, time), state, rtol=1e-10, atol=1e-14, max_step=0.2).y[:, -1]
        at = time
        assert mass == pytest.approx(state[0], rel=1e-3)
        assert energy == pytest.approx(state[1], rel=1e-3)
        assert temperature == pytest.approx(state[1] / state[0] / CV, rel=2e-3)
        assert pressure + AMBIENT == pytest.approx((gamma - 1) * state[1] / volume, rel=1e-3)
    assert rows[:, 3].max() > AMBIENT  # choked
