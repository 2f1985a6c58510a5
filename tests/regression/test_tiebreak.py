"""Tiebreak contacts: strengths and softening by hand, free flight, a crack as in beam theory, ranks."""

from pathlib import Path

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run

from crumple.results.forces import read_rcforc
from crumple.results.glstat import read_glstat

END = 2.0
AREA = 80.0
AUTOMATIC = "CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_TIEBREAK"
ONE_WAY = "CONTACT_AUTOMATIC_ONE_WAY_SURFACE_TO_SURFACE_TIEBREAK"
Path_ = list[tuple[float, float, float]]  #: time, sliding, opening


def solve(text: str, where: Path, *arguments: str, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    (where / "deck.k").write_text(text)
    done = run(where / "deck.k", where, *arguments, ranks=ranks)
    assert done.status == 0, done.said[-4000:]
    return done


def contact(keyword: str, card: str, friction: float = 0.0) -> str:
    """Nodes of part 2 on part 1."""
    return f"*{keyword}\n2,1,3,3\n{friction},{friction}\n,\n{card}"


def moved_block(keyword: str, card: str, path: Path_, friction: float = 0.0) -> str:
    """A rigid brick of 10 x 8 on another, moved along x and z; four nodes are tied, all alike."""
    deck = Deck()
    deck.control(END, END, END / 400)
    deck.part(1, "SOLID,1", f"RIGID,{STEEL}|1.,7,7|")
    deck.part(2, "SOLID,1", f"RIGID,{STEEL}|1.,2,7|")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 8.0, 6.0))
    deck.block(2, (1, 1, 1), (0.0, 0.0, 6.0), (10.0, 8.0, 6.0))
    for curve, column in ((1, 1), (2, 2)):
        deck.add(f"*DEFINE_CURVE\n{curve}\n" + "\n".join(f"{row[0]},{row[column]}" for row in path))
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,1,2,1\n2,3,2,2")
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,3\n*DEFINE_CURVE\n3\n0.,0.001\n100.,0.001")
    deck.add(contact(keyword, card, friction))
    return deck.text()


def forces(done: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time, and forces along x and z on the moved block."""
    rows = read_rcforc(done.directory / "rcforc").rows
    one = rows[rows["side"] == rows["side"].iloc[0]]
    return one["time"].to_numpy(), one["x"].to_numpy(), one["z"].to_numpy()


STRAIGHT = {"tension": (0.0, 1.0), "shear": (1.0, 0.0), "mixed": (1.0, 1.0)}
NFLS, SFLS = 0.01, 0.004  # kN/mm2

BRITTLE = {
    "option 2": (AUTOMATIC, f"2,{NFLS},{SFLS}", (2, 2), 1),
    "one way": (ONE_WAY, f"2,{NFLS},{SFLS}", (2, 2), 1),
    "surface": ("CONTACT_TIEBREAK_SURFACE_TO_SURFACE", f"{NFLS},{SFLS}", (2, 2), 1),
    "nodes": (
        "CONTACT_TIEBREAK_NODES_TO_SURFACE",
        f"{NFLS * AREA / 4},{SFLS * AREA / 4},1.0,1.5",
        (1, 1.5),
        1,
    ),
}


@pytest.mark.parametrize("mode", STRAIGHT)
@pytest.mark.parametrize("what", BRITTLE)
def test_breaks_at_its_strength(what, mode, tmp_path):
    """The largest force meets the criterion; then there is none."""
    keyword, card, powers, _ = BRITTLE[what]
    along = STRAIGHT[mode]
    done = solve(moved_block(keyword, card, [(0, 0, 0), (END, 0.006 * along[0], 0.006 * along[1])]), tmp_path)
    t, x, z = forces(done)
    reached = (np.maximum(-z, 0) / (NFLS * AREA)) ** powers[0] + (np.abs(x) / (SFLS * AREA)) ** powers[1]
    assert 0.95 < reached.max() <= 1.0001
    assert abs(x[-1]) + abs(z[-1]) < 1e-9
    assert (reached > 0.05).sum() > 10


def test_option_4_slides_until_it_is_torn_off(tmp_path):
    path = [(0, 0, 0), (0.5 * END, 0.5, 0), (END, 0.5, 0.006)]
    t, x, z = forces(solve(moved_block(AUTOMATIC, f"4,{NFLS}", path), tmp_path))
    assert abs(x).max() < 1e-3 * NFLS * AREA
    assert (-z).max() == pytest.approx(NFLS * AREA, rel=0.05)
    assert z[-1] == 0


def test_touches_after_failure(tmp_path):
    """Before failure the tie carries compression; after it, the contact, with friction."""
    path = [(0, 0, 0), (0.2, 0, -0.002), (0.8, 0, 0.06), (1.2, 0, -0.01), (END, 0.5, -0.01)]
    t, x, z = forces(solve(moved_block(AUTOMATIC, f"2,{NFLS},{SFLS}", path, 0.2), tmp_path))
    assert z[np.searchsorted(t, 0.199)] > 0
    assert z[np.searchsorted(t, 0.9)] == 0
    last = t > 1.6
    assert (z[last] > 0).all()
    np.testing.assert_allclose(np.abs(x[last]), 0.2 * z[last], rtol=1e-3)


CN, GI, GII = 1.0, 2e-4, 4e-4
PEAK_N, PEAK_S = 0.01, 0.008


def tractions(path: Path_, t: np.ndarray, ultimate, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Forces of a bilinear law over a path; `ultimate` is m_F of the shares of both modes and m_0."""
    times = np.array([row[0] for row in path])
    damage, out = 0.0, []
    fine = np.unique(np.concatenate([t, np.linspace(0, times[-1], 20001)]))
    u = np.interp(fine, times, [row[1] for row in path])
    w = np.interp(fine, times, [row[2] for row in path])
    for a, b in zip(u, w, strict=True):
        opening = max(b, 0.0)
        m = np.hypot(a, opening)
        if m > 0:
            s, c = (a / m) ** 2, (opening / m) ** 2
            onset = 1 / np.sqrt(c * (CN / PEAK_N) ** 2 + s * (ratio * CN / PEAK_S) ** 2)
            if m > onset:
                last = ultimate(c, s, onset)
                damage = max(damage, min(1.0, last * (m - onset) / (m * (last - onset))))
        alive = damage < 1
        out.append([-(1 - damage) * ratio * CN * a, -(1 - damage if b > 0 else float(alive)) * CN * b])
    found = np.searchsorted(fine, t)
    forces_ = AREA * np.array(out)[found]
    return forces_[:, 0], forces_[:, 1]


def power_law(xmu: float, ratio: float):
    def last(c, s, onset):
        return 2 / onset * ((CN * c / GI) ** xmu + (ratio * CN * s / GII) ** xmu) ** (-1 / xmu)

    return last


def benzeggagh_kenane(xmu: float, ratio: float):
    def last(c, s, onset):
        of_shear = ratio * s / (c + ratio * s)
        return 2 / (onset * CN * (c + ratio * s)) * (GI + (GII - GI) * of_shear**xmu)

    return last


SOFT = {
    "power 1": ("9", 1.0, 1.0, power_law(1.0, 1.0)),
    "power 2": ("11", 2.0, 0.7, power_law(2.0, 0.7)),
    "B-K": ("9", -1.5, 0.7, benzeggagh_kenane(1.5, 0.7)),
}


@pytest.mark.parametrize("mode", STRAIGHT)
@pytest.mark.parametrize("what", SOFT)
def test_softens_by_energies(what, mode, tmp_path):
    """The whole curve, with unloading to the origin; the work is that of the law."""
    option, xmu, ratio, last = SOFT[what]
    p, q = STRAIGHT[mode]
    path = [(0, 0, 0), (0.5, 0.02 * p, 0.02 * q), (0.9, 0.005 * p, 0.005 * q), (END, 0.12 * p, 0.12 * q)]
    card = f"{option},{PEAK_N},{PEAK_S},{xmu},{GI},{GII},{ratio},{CN}"
    done = solve(moved_block(AUTOMATIC, card, path), tmp_path)
    t, x, z = forces(done)
    wanted_x, wanted_z = tractions(path, t, last, ratio)
    np.testing.assert_allclose(x, wanted_x, atol=0.01 * PEAK_N * AREA)
    np.testing.assert_allclose(z, wanted_z, atol=0.01 * PEAK_N * AREA)
    work = float(read_glstat(tmp_path / "glstat")["sliding interface energy"].iloc[-1])
    if mode != "mixed":
        assert work == pytest.approx(AREA * (GI if mode == "tension" else GII), rel=0.01)


def test_softens_up_to_a_distance(tmp_path):
    """OPTION 6: from the strength, at an opening near zero, a line to zero at PARAM."""
    path = [(0, 0, 0), (END, 0, 0.06)]
    t, _, z = forces(solve(moved_block(AUTOMATIC, f"6,{NFLS},{SFLS},0.05", path), tmp_path))
    opening = 0.06 * t / END
    line = NFLS * AREA * (0.05 - opening) / 0.05
    soft = (opening > 0.015) & (opening < 0.049)
    np.testing.assert_allclose(-z[soft], line[soft], rtol=0.12)
    slope = np.polyfit(opening[soft], -z[soft], 1)
    assert -slope[1] / slope[0] == pytest.approx(0.05, rel=2e-3)
    assert (z[opening > 0.0502] == 0).all()


def spinning(shells: bool) -> str:
    """Two elastic plates or blocks, tied, that fly and spin freely; their meshes do not match."""
    deck = Deck()
    deck.control(0.5, 0.5, 0.0025)
    for part, cells in ((1, (4, 3)), (2, (5, 4))):
        if shells:
            deck.part(part, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
            deck.plate(part, cells, lambda u, v, z=float(part - 1): (20 * u, 15 * v, z))
        else:
            deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
            deck.block(part, (*cells, 2), (0.0, 0.0, 4.0 * (part - 1)), (20.0, 15.0, 4.0))
    deck.set("PART", 9, (1, 2))
    deck.add("*INITIAL_VELOCITY_GENERATION\n9,1,6.0,3.,1.,2.\n10.,7.,0.,1.,0.3,0.2")
    deck.add(contact(AUTOMATIC, "11,10.,10.,1.,10.,10." if shells else "9,10.,10.,1.,10.,10.,0.5"))
    return deck.text()


@pytest.mark.parametrize("what", ["shells", "solids"])
def test_a_tied_pair_spins_freely(what, tmp_path):
    solve(spinning(what == "shells"), tmp_path)
    history = read_glstat(tmp_path / "glstat")
    total = history["total energy"].to_numpy()
    np.testing.assert_allclose(total, total[0], rtol=2e-3)
    assert abs(history["kinetic energy"].to_numpy()[-1] / total[0] - 1) < 0.02


def peeled(option: str) -> str:
    """A plate is peeled off a block, and its far end is pressed on it."""
    deck = Deck()
    deck.control(0.4, 0.1, 0.01)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.block(1, (7, 3, 2), (0.0, 0.0, 0.0), (35.0, 12.0, 6.0))
    grid = deck.plate(2, (9, 4), lambda u, v: (0.3 + 34 * u, 0.2 + 11 * v, 6.5))
    deck.set("NODE", 1, [row[0] for row in grid])
    deck.set("NODE", 2, range(1, 33))
    deck.add("*BOUNDARY_SPC_SET\n2,0,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.4,4.\n100.,4.")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n1,3,2,1")
    deck.add(contact(AUTOMATIC, option, 0.1))
    deck.add("*DATABASE_BINARY_D3DUMP\n400")
    return deck.text()


@pytest.mark.parametrize("option", ["2,0.05,0.05", "8,0.05,0.05,0.05", "11,0.05,0.05,1.,5e-4,1e-3"])
def test_same_bits_on_any_number_of_ranks_and_after_a_dump(option, tmp_path):
    text = peeled(option)
    one = solve(text, tmp_path / "one")
    _, _, z = forces(one)
    assert (np.abs(z) > 1e-3).any()
    for ranks in (2, 3):
        assert solve(text, tmp_path / str(ranks), ranks=ranks).hash == one.hash, ranks
    dumps = sorted((tmp_path / "one").glob("d3dump*"))
    assert len(dumps) >= 2
    gone_on = run(None, tmp_path / "one", f"r={dumps[0]}")
    assert gone_on.status == 0, gone_on.said
    assert gone_on.hash == one.hash


E, ARM, WIDTH, LENGTH, GLUED_FROM = 120.0, 1.5, 1.0, 60.0, 20.0
GIC, PEAK, OPENING, DCB_END = 0.28e-3, 0.03, 1.8, 8.0


def double_cantilever(option: str = "11") -> str:
    """Two strips of shells, tied from GLUED_FROM on, whose ends are pulled apart."""
    deck = Deck()
    deck.control(DCB_END, DCB_END, DCB_END / 1000)
    n = 120
    rows = []
    for part in (1, 2):
        deck.part(part, f"SHELL,16,1.0,2|{ARM},{ARM},{ARM},{ARM}", f"ELASTIC,1.6e-6,{E},0.")
        z = (part - 1.5) * ARM
        grid = deck.plate(part, (n, 1), lambda u, v, z=z: (LENGTH * u, WIDTH * v, z))
        first = round(GLUED_FROM / LENGTH * n)
        segments = "\n".join(
            f"{grid[0][i]},{grid[0][i + 1]},{grid[1][i + 1]},{grid[1][i]}" for i in range(first, n)
        )
        deck.add(f"*SET_SEGMENT\n{part}\n{segments}")
        deck.set("NODE", part, [grid[0][-1], grid[1][-1]])
        deck.set("NODE", part + 10, [node for row in grid for node in row[:-1]])
        deck.add(f"*BOUNDARY_SPC_SET\n{part},0,1,1,1,1,1,1\n{part + 10},0,0,1,0,1,0,1")
        deck.set("NODE", part + 20, [grid[0][0], grid[1][0]])
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n{part + 20},3,2,1,{1.0 if part == 2 else -1.0}")
        rows.append(grid)
    t = np.linspace(0, DCB_END, 200)
    path = OPENING / 2 * np.where(t < 1, 0.5 * t**2, t - 0.5) / (DCB_END - 0.5)
    deck.add("*DEFINE_CURVE\n1\n" + "\n".join(f"{a:.6g},{b:.8g}" for a, b in zip(t, path, strict=True)))
    deck.add(f"*DATABASE_BNDOUT\n{DCB_END / 1000}\n*DAMPING_GLOBAL\n0,4.0")
    deck.add(f"*{AUTOMATIC}\n2,1,0,0\n,\n,\n{option},{PEAK},{PEAK},1.,{GIC},{4 * GIC},1.,100.")
    return deck.text()


@pytest.mark.slow
def test_a_crack_grows_as_in_beam_theory(tmp_path):
    """While it grows the work of a crack length is GIC: P d^(1/2) is constant (de Moura and others 2006)."""
    done = solve(double_cantilever(), tmp_path)
    history = read_glstat(tmp_path / "glstat")
    t, work = history["time"].to_numpy(), history["external work"].to_numpy()
    path = np.interp(
        t,
        np.linspace(0, DCB_END, 2000),
        OPENING
        * (lambda s: np.where(s < 1, 0.5 * s**2, s - 0.5))(np.linspace(0, DCB_END, 2000))
        / (DCB_END - 0.5),
    )
    growing = (path > 1.0) & (path < 0.98 * OPENING)
    # dW = P dd; damping takes little at this rate.
    force = np.gradient(work[growing], path[growing])
    bending = E * WIDTH * ARM**3 / 12
    p = float((force * np.sqrt(path[growing])).mean())
    released = p**2 / (WIDTH * bending) * (1.5 * bending / p) ** (2 / 3)
    assert released == pytest.approx(GIC, rel=0.03)
    sliding = float(history["sliding interface energy"].iloc[-1])
    longest = float(np.sqrt(1.5 * OPENING * np.sqrt(bending / (GIC * WIDTH))))
    assert longest - 5.0 < GLUED_FROM + sliding / (GIC * WIDTH) < longest
    assert done.status == 0


REFUSED = {
    "1": "nodes that stick when they come into contact later",
    "3": "nodes that stick when they come into contact later",
    "5": "plastic yield",
    "7": "friction angle",
    "10": "friction angle",
    "13": "MAT_240",
    "-2": "moments",
}


@pytest.mark.parametrize("option", REFUSED)
def test_refused(option, tmp_path):
    more = "\n,\n," if option == "13" else ""
    (tmp_path / "deck.k").write_text(
        moved_block(AUTOMATIC, f"{option},0.1,0.1{more}", [(0, 0, 0), (END, 0, 0.1)])
    )
    done = run(tmp_path / "deck.k", tmp_path / "run")
    assert done.status != 0
    assert REFUSED[option] in done.said


def test_refused_in_implicit_runs_and_with_soft_2(tmp_path):
    text = moved_block(AUTOMATIC, "2,0.1,0.1", [(0, 0, 0), (END, 0, 0.1)])
    for name, changed, said in (
        (
            "implicit",
            text.replace("*KEYWORD", "*KEYWORD\n*CONTROL_IMPLICIT_GENERAL\n1,0.1"),
            "tied until they fail",
        ),
        ("soft", text.replace("2,0.1,0.1", "2,0.1,0.1\n2"), "SOFT = 2"),
    ):
        (tmp_path / f"{name}.k").write_text(changed)
        done = run(tmp_path / f"{name}.k", tmp_path / name)
        assert done.status != 0
        assert said in done.said, done.said
