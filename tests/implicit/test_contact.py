"""Mortar contact in implicit runs: problems with known answers."""

import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, plot, prescribe, solve
from small_decks import STEEL, Deck
from solver_run import Run, run

YOUNG, POISSON = 210.0, 0.3
BULK = YOUNG / (3 * (1 - 2 * POISSON))
DENSITY = 7.85e-6


def touch(
    deck: Deck, first: int, second: int, friction: float = 0.0, more: str = "", scale: float = 1.0
) -> None:
    """Mortar contact of two parts; `scale` is SFSA and SFSB, `more` the optional cards."""
    deck.add(
        f"*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR\n{first},{second},3,3,,,1,1\n{friction}\n{scale},{scale}\n{more}"
    )


def hold(deck: Deck, number: int, nodes: list[int], directions: str) -> None:
    deck.set("NODE", number, nodes)
    deck.add(f"*BOUNDARY_SPC_SET\n{number},0,{directions}")


def stress(done: Run, state: int = -1) -> np.ndarray:
    """(solids, 6) in the order of reading, the mean of their points."""
    return plot(done)["element_solid_stress"][state].mean(axis=1)


def contact_force(done: Run) -> np.ndarray:
    """(states, 3): on the first side of the first contact."""
    rows = histories(done)
    return np.stack([rows.read("rcforc", f"{axis}_force")[:, 0] for axis in "xyz"], axis=1)


def penetration(pressure: float, length: float) -> float:
    """Where 0.1 K f(d / (0.01 L)) = pressure, f a parabola to 2."""
    f = pressure / (0.1 * BULK)
    assert f < 1
    return 0.01 * length * 2 * np.sqrt(f)


@pytest.mark.parametrize("form", [1, 2])
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_patch(form, order, tmp_path):
    """Two blocks whose meshes do not match, pressed together, free to widen: uniform stress to rounding."""
    deck = Deck()
    control(deck)
    for part in (1, 2):
        deck.part(part, f"SOLID,{form}", f"ELASTIC,{STEEL}")
    lower = deck.block(1, (3, 3, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 5.0))
    upper = deck.block(2, (4, 5, 2), (0.0, 0.0, 5.0), (10.0, 10.0, 5.0))
    touch(deck, *order)
    hold(deck, 1, lower[:16], "0,0,1")
    hold(deck, 2, lower[::4] + upper[::5], "1,0,0")
    at_front = [n for k in range(3) for n in lower[16 * k : 16 * k + 4]]
    hold(deck, 3, at_front + [n for k in range(3) for n in upper[30 * k : 30 * k + 5]], "0,1,0")
    for n in upper[60:]:
        prescribe(deck, n, (-0.05,), (3,))
    done = solve(deck, tmp_path)
    s = stress(done)
    mean = s[:, 2].mean()
    assert mean == pytest.approx(-YOUNG * 0.05 / 10, rel=0.3)  # less the penetration
    assert s[:, 2] == pytest.approx(mean, rel=1e-8)
    assert np.abs(np.delete(s, 2, axis=1)).max() < 1e-8 * abs(mean)
    pressed = -displacements(done)[upper[60] - 1, 2] - penetration(-mean, 2.5)
    assert mean == pytest.approx(-YOUNG * np.log(1 / (1 - pressed / 10)), rel=2e-3)
    force = contact_force(done)[-1]
    assert abs(force[2]) == pytest.approx(-mean * 100 * (1 - POISSON * mean / YOUNG) ** 2, rel=1e-3)


def shear_inside(deck: Deck) -> None:
    """Moves all nodes along x and y, but not those on the sides of the square of 10 by 10."""
    for k, line in enumerate(deck.lines):
        if line == "*NODE":
            number, x, y, z, *held = deck.lines[k + 1].split(",")
            a, b = float(x) / 10, float(y) / 10
            bump = 16 * a * (1 - a) * b * (1 - b)
            x, y = 10 * a + 0.6 * bump, 10 * b - 0.4 * bump
            deck.lines[k + 1] = ",".join([number, f"{x:.9g}", f"{y:.9g}", z, *held])


def test_patch_of_skewed_meshes(tmp_path):
    """Segments that are no parallelograms: shape functions over polygons are integrated by points."""
    deck = Deck()
    control(deck)
    for part in (1, 2):
        deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
    lower = deck.block(1, (3, 3, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 5.0))
    shear_inside(deck)
    upper = deck.block(2, (4, 5, 2), (0.0, 0.0, 5.0), (10.0, 10.0, 5.0))
    touch(deck, 2, 1)
    hold(deck, 1, lower[:16], "0,0,1")
    hold(deck, 2, lower[::4] + upper[::5], "1,0,0")
    at_front = [n for k in range(3) for n in lower[16 * k : 16 * k + 4]]
    hold(deck, 3, at_front + [n for k in range(3) for n in upper[30 * k : 30 * k + 5]], "0,1,0")
    for n in upper[60:]:
        prescribe(deck, n, (-0.05,), (3,))
    s = stress(solve(deck, tmp_path))[:, 2]
    assert s == pytest.approx(s.mean(), rel=1e-7)


def graded(far: float, near: float, fine: int, growth: float) -> np.ndarray:
    """Positions from 0 to `far`: `fine` cells of length `near`, then growing ones."""
    x = [near * k for k in range(fine + 1)]
    step = near
    while x[-1] < far:
        step *= growth
        x.append(x[-1] + step)
    x = np.array(x)
    x[fine:] = x[fine] + (x[fine:] - x[fine]) * (far - x[fine]) / (x[-1] - x[fine])
    return x


def test_hertz_line_contact(tmp_path):
    """A cylinder on a rigid plane, plane strain: p = p0 sqrt(1 - x^2 / b^2), b = sqrt(4 P R / (pi E*)).

    Cells of b / 12 under a parabola; the stress of their row against the plane is the pressure.
    """
    radius, modulus = 100.0, YOUNG / (1 - POISSON**2)
    half = 1.0  # the half width that is wanted
    deck = Deck()
    control(deck, steps=4)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,2", f"ELASTIC,{STEEL}")
    x, z = graded(10.0, 1 / 12, 18, 1.2), graded(10.0, 1 / 12, 8, 1.2)
    ids = [
        [[deck.node((a, 0.1 * y, c + a * a / (2 * radius) * (1 - c / z[-1]))) for a in x] for y in (0, 1)]
        for c in z
    ]
    for k in range(len(z) - 1):
        for i in range(len(x) - 1):
            ring = ((i, 0), (i + 1, 0), (i + 1, 1), (i, 1))
            deck.element("SOLID", 1, [ids[m][j][i] for m in (k, k + 1) for i, j in ring])
    plane = deck.block(2, (7, 1, 1), (-0.1, -0.1, -1.0), (10.3, 0.4, 1.0))
    hold(deck, 1, plane, "1,1,1")
    hold(deck, 2, [ids[m][j][0] for m in range(len(z)) for j in (0, 1)], "1,0,0")
    hold(deck, 3, [n for layer in ids for row in layer for n in row], "0,1,0")
    touch(deck, 1, 2)
    for j in (0, 1):
        for n in ids[-1][j]:
            prescribe(deck, n, (-0.026,), (3,))
    done = solve(deck, tmp_path)
    load = 2 * abs(contact_force(done)[-1, 2]) / 0.1  # both halves, over the length
    b = np.sqrt(4 * load * radius / (np.pi * modulus))
    peak = np.sqrt(load * modulus / (np.pi * radius))
    assert 0.6 * half < b < 1.4 * half
    pressure = -stress(done)[: len(x) - 1, 2]
    middle = 0.5 * (x[1:] + x[:-1])
    inside = middle < 0.9 * b
    slope, top = np.polyfit(middle[inside] ** 2, pressure[inside] ** 2, 1)
    assert np.sqrt(top) == pytest.approx(peak, rel=0.03)
    assert np.sqrt(-top / slope) == pytest.approx(b, rel=0.03)
    assert np.abs(pressure[middle > 1.2 * b]).max() < 0.02 * peak


def ring(deck: Deck, part: int, inner: float, outer: float, cells: tuple[int, int]) -> dict[tuple, int]:
    """A quarter of a ring in plane strain; nodes by place along radius, round and axis."""
    nr, nt = cells
    at = {}
    for z in (0, 1):
        for t in range(nt + 1):
            a = np.pi / 2 * t / nt
            for r in range(nr + 1):
                radius = inner + (outer - inner) * r / nr
                at[r, t, z] = deck.node((radius * np.cos(a), radius * np.sin(a), float(z)))
    for t in range(nt):
        for r in range(nr):
            corners = ((r, t), (r + 1, t), (r + 1, t + 1), (r, t + 1))
            deck.element("SOLID", part, [at[*c, z] for z in (0, 1) for c in corners])
    return at


def test_press_fit(tmp_path):
    """Lame: rings of radii 10, 20, 30 that overlap by 0.1 less the penetration, in plane strain."""
    a, b, c, overlap = 10.0, 20.0, 30.0, 0.1
    deck = Deck()
    control(deck)
    for part in (1, 2):
        deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
    inner = ring(deck, 1, a, b + overlap / 2, (10, 45))
    outer = ring(deck, 2, b - overlap / 2, c, (10, 40))
    touch(deck, 1, 2)
    hold(deck, 1, [*inner.values(), *outer.values()], "0,0,1")
    hold(deck, 2, [n for at in (inner, outer) for (_, t, _), n in at.items() if t == 0], "0,1,0")
    hold(deck, 3, [inner[r, 45, z] for r in range(11) for z in (0, 1)], "1,0,0")
    hold(deck, 4, [outer[r, 40, z] for r in range(11) for z in (0, 1)], "1,0,0")
    done = solve(deck, tmp_path)
    factor = YOUNG / (1 - POISSON**2) / b * (b**2 - a**2) * (c**2 - b**2) / (2 * b**2 * (c**2 - a**2))
    pressure = 0.0
    for _ in range(100):
        pressure = 0.5 * (pressure + factor * (overlap - penetration(pressure, 1.0)))
    # Hoop stress at the bore: - 2 p b^2 / (b^2 - a^2); its first cell's centre is at 10.5.
    s = stress(done)[0]
    r = 10.5
    hoop = -pressure * b**2 / (b**2 - a**2) * (1 + a**2 / r**2)
    assert s[1] == pytest.approx(hoop, rel=0.02)
    u = displacements(done)
    bore = (1 + POISSON) * -pressure * b**2 / (YOUNG * (b**2 - a**2)) * ((1 - 2 * POISSON) * a + a)
    assert u[inner[0, 0, 0] - 1, 0] == pytest.approx(bore, rel=0.02)


def test_friction_holds_then_slides(tmp_path):
    """A block is pressed on a plate and then pushed along: less than mu N, then mu N, which is lost work."""
    friction = 0.25
    deck = Deck()
    control(deck, steps=10)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,2", f"ELASTIC,{STEEL}")
    block = deck.block(1, (3, 2, 1), (0.0, 0.0, 0.0), (6.0, 5.0, 1.0))
    plate = deck.block(2, (5, 3, 1), (-5.0, -5.0, -1.0), (20.0, 15.0, 1.0))
    hold(deck, 1, plate, "1,1,1")
    deck.add("*DEFINE_CURVE\n8\n0.,0.\n0.2,1.\n10.,1.\n*DEFINE_CURVE\n9\n0.,0.\n0.2,0.\n1.0,1.0\n10.,12.25")
    for n in block[-12:]:
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},3,2,8,-0.02\n{n},1,2,9,0.08\n{n},2,2,2,1.")
    touch(deck, 2, 1, friction)  # the plate stays flat: so does what is integrated
    deck.add("*DATABASE_SLEOUT\n0.1\n*DATABASE_NCFORC\n0.1")
    done = solve(deck, tmp_path)
    force = contact_force(done)
    along, normal = force[:, 0], -force[:, 2]
    assert np.all(normal[1:] > 0.1)
    assert np.abs(along[:3]).max() < 1e-6 * normal[-1]
    assert 0.2 * friction * normal[3] < along[3] < 0.98 * friction * normal[3]  # holds
    assert along[-3:] == pytest.approx(friction * normal[-3:], rel=2e-4)  # some slides sideways
    assert force[:, 1] == pytest.approx(0.0, abs=1e-8 * normal[-1])
    rows = histories(done)
    assert np.sum(rows.read("ncforc", "master_100000", "x_force")[-1]) == pytest.approx(-along[-1], rel=1e-6)
    lost = np.ravel(rows.read("sleout", "friction_energy"))
    slid = displacements(done)[block[0] - 1, 0] - displacements(done, -2)[block[0] - 1, 0]
    assert lost[-1] - lost[-2] == pytest.approx(friction * normal[-1] * slid, rel=0.02)


def test_a_strip_touches_itself(tmp_path):
    """Three times the force that closes a hairpin of shells: the legs stay a thickness apart.

    The contact thickness of a single surface is at most 0.4 of the shortest edge.
    """
    thickness, gap = 0.8, 4.0
    deck = Deck()
    control(deck, steps=10, solution="12,1,50,1e-5,1e-8,,,1e-20")
    deck.part(1, "SHELL,16,0.8333,3|1.,1.,1.,1.", f"ELASTIC,7.85e-6,{YOUNG},0.0")
    half = 0.5 * gap
    straight, bend = 12, 6

    def place(u, v):
        s = u * (2 * straight + bend)
        if s <= straight:
            return (2.0 * (straight - s), 3.0 * v, 0.0)
        if s <= straight + bend:
            a = np.pi * (s - straight) / bend
            return (-half * np.sin(a), 3.0 * v, half - half * np.cos(a))
        return (2.0 * (s - straight - bend), 3.0 * v, gap)

    grid = deck.plate(1, (2 * straight + bend, 1), place)
    hold(deck, 1, [row[k] for row in grid for k in range(8)], "1,1,1,1,1,1")
    for row in grid:
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,1,-0.02")
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,0,5,0\n0.\n1.")
    done = solve(deck, tmp_path)
    x = plot(done)
    order = np.argsort(x["node_ids"])
    at = x["node_displacement"][-1][order]
    lower, upper = at[[n - 1 for n in grid[0][:8]]], at[[n - 1 for n in grid[0][-9:]]]
    heights = np.interp(upper[:, 0], lower[::-1, 0], lower[::-1, 2])
    above = upper[:, 2] - heights
    assert above[-3:].min() > 0.97 * thickness
    assert above.min() < 1.02 * thickness
    assert histories(done).read("glstat", "sliding_interface_energy")[-1] >= 0.0


def test_initial_penetration_is_taken_out(tmp_path):
    """IGNORE = 1 and 2 take it out; 0 lets it push, 3 in the end: here in the time of the run."""
    moved = {}
    for ignore in (0, 1, 2, 3):
        deck = Deck()
        control(deck, steps=2 if ignore == 3 else 1)
        for part in (1, 2):
            deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
        lower = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (4.0, 4.0, 4.0))
        upper = deck.block(2, (3, 3, 2), (0.0, 0.0, 3.9), (4.0, 4.0, 4.0))
        hold(deck, 1, lower[:9] + upper[-16:], "1,1,1")
        touch(deck, 1, 2, more=f",\n,\n,{ignore},{1.0 if ignore == 3 else 0.0}")
        moved[ignore] = np.abs(displacements(solve(deck, tmp_path / str(ignore)))).max()
    assert moved[0] > 0.03
    assert moved[3] == pytest.approx(moved[0], rel=1e-6)
    assert moved[1] < 1e-12
    assert moved[2] < 1e-12


@pytest.mark.parametrize(("gap", "iterations"), [(None, 2), (0.2, 25)])
def test_nested_cylinders(tmp_path, gap, iterations):
    """Six cylinders with the defaults of the solution: pressed together from the start, in one step, and with
    gaps that the pressure closes, in smaller ones. Pressed ones expand as one thick cylinder (Lame 1852)."""
    from crumple.models import cylinders as model

    made = model.make_cylinders(2000, gap)
    deck = tmp_path / "deck.k"
    model.write_deck(deck, made, 1.0)
    text = deck.read_text().replace("*DATABASE_GLSTAT", "*DATABASE_RCFORC\n1.\n*DATABASE_GLSTAT")
    if gap is not None:  # no contact holds the others to the outermost yet: their ends are clamped
        supported = "*BOUNDARY_SPC_SET\n         1         0         {0}         {0}         1"
        text = text.replace(supported.format(0), supported.format(1))
        text = text.replace("*DATABASE_RCFORC", "*CONTROL_IMPLICIT_AUTO\n1,15,5\n*DATABASE_RCFORC")
    deck.write_text(text)
    done = run(deck, tmp_path / "out", "--double-files")
    assert done.status == 0, done.said[-3000:]
    assert gap is not None or "\n 1 steps" in done.stdout
    steps = re.findall(r" converged: (\d+) iterations, (\d+) factors", done.stdout)
    assert sum(int(n) for n, _ in steps) <= iterations
    assert sum(int(n) for _, n in steps) <= iterations
    rows = histories(done)
    total, work = (rows.read("glstat", name)[-1] for name in ("total_energy", "external_work"))
    assert total == pytest.approx(work, rel=0.01)
    sliding = rows.read("glstat", "sliding_interface_energy")[-1]
    if gap is not None:
        assert sliding > 0.0
    else:
        assert abs(sliding) < 0.01 * total, "what presses at the start presses at the end"
        u = displacements(done)
        bore = slice(0, made[0].cells[1] * (made[0].cells[2] + 1))
        radial = np.hypot(*(made[0].nodes()[bore, :2] + u[bore, :2]).T) - model.BORE
        a, b = model.BORE, model.OUTSIDE
        exact = model.PRESSURE * a / model.YOUNG * ((b * b + a * a) / (b * b - a * a) + model.POISSON)
        assert radial == pytest.approx(exact, rel=0.03)


def test_same_bits_on_threads(tmp_path):
    hashes = set()
    for threads in (1, 2):
        deck = Deck()
        control(deck)
        for part in (1, 2):
            deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
        lower = deck.block(1, (3, 3, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 2.0))
        upper = deck.block(2, (2, 2, 1), (1.0, 1.0, 1.99), (5.0, 5.0, 2.0))
        hold(deck, 1, lower[:16], "1,1,1")
        for n in upper[-9:]:
            prescribe(deck, n, (0.01, 0.0, -0.02))
        touch(deck, 1, 2, 0.2)
        hashes.add(solve(deck, tmp_path / str(threads), threads=threads).hash)
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("keyword", "said"),
    [
        ("AUTOMATIC_NODES_TO_SURFACE", "contacts of nodes with a surface"),
        ("SURFACE_TO_SURFACE", "contacts that are not automatic"),
        ("ERODING_SURFACE_TO_SURFACE", "eroding contacts"),
    ],
)
def test_other_contacts_are_refused_by_name(keyword, said, tmp_path: Path):
    deck = Deck()
    control(deck)
    for part in (1, 2):
        deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
        deck.block(part, (1, 1, 1), (0.0, 0.0, float(part)), (1.0, 1.0, 1.0))
    deck.add(f"*CONTACT_{keyword}\n1,2,3,3\n0.\n1." + ("\n0,1,0" if "ERODING" in keyword else ""))
    done = solve(deck, tmp_path, status=2)
    assert "CR-I101" in done.said
    assert said in done.said


def pressed(deck: Deck, contact: str) -> None:
    """A block is pushed into another one by a contact between their parts, or node and part sets."""
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,2", f"ELASTIC,{STEEL}")
    lower = deck.block(1, (3, 3, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 2.0))
    upper = deck.block(2, (2, 2, 1), (1.0, 1.0, 2.0), (5.0, 5.0, 2.0))
    hold(deck, 1, lower[:16], "1,1,1")
    for n in upper[-9:]:
        prescribe(deck, n, (0.0, 0.0, -0.01))
    deck.set("NODE", 7, upper[:9])
    deck.add(f"*CONTACT_{contact}\n0.\n1.")


def test_one_way_contacts_are_those_of_both_surfaces(tmp_path: Path):
    """The same bits, with a warning; of a node set they are refused, with the reason."""
    hashes = {}
    for kind in ("SURFACE_TO_SURFACE", "ONE_WAY_SURFACE_TO_SURFACE"):
        deck = Deck()
        control(deck)
        pressed(deck, f"AUTOMATIC_{kind}\n2,1,3,3")
        done = solve(deck, tmp_path / kind)
        hashes[kind] = done.hash
        assert ("a contact of both surfaces" in done.said) == (kind[0] == "O")
    assert len(set(hashes.values())) == 1
    deck = Deck()
    control(deck)
    pressed(deck, "AUTOMATIC_ONE_WAY_SURFACE_TO_SURFACE\n7,1,4,3")
    said = " ".join(solve(deck, tmp_path / "nodes", status=2).said.split())
    assert "nodes have no area over which a pressure could be integrated" in said


def test_bars_that_collide_exchange_their_velocities(tmp_path):
    """A bar hits one of the same length at rest, nu = 0: after the wave has gone there and back it rests.

    Newmark's method keeps momentum, and energy but for what the gap's opening takes.
    """
    length, cells, speed, gap = 50.0, 20, 1.0, 1e-3
    wave = np.sqrt(YOUNG / DENSITY)
    deck = Deck()
    control(deck, 120, 3.0 * length / wave, solution="12,1,30,1e-6,1e-9,,,1e-20")
    deck.add("*CONTROL_IMPLICIT_DYNAMICS\n1,,,,,,,-0.1")
    for part in (1, 2):
        deck.part(part, "SOLID,2", f"ELASTIC,{DENSITY},{YOUNG},0.")
    size = (length, 2.5, 2.5)
    first = deck.block(1, (cells, 1, 1), (0.0, 0.0, 0.0), size)
    second = deck.block(2, (cells, 1, 1), (length + gap, 0.0, 0.0), size)
    touch(deck, 1, 2, scale=10.0)
    hold(deck, 1, first + second, "0,1,1")
    deck.set("NODE", 2, first)
    deck.add(f"*INITIAL_VELOCITY\n2\n{speed}")
    done = solve(deck, tmp_path)
    velocity = plot(done)["node_velocity"][-1, :, 0]
    mean = [velocity[np.array(nodes) - 1].mean() / speed for nodes in (first, second)]
    assert mean == pytest.approx([0.0, 1.0], abs=0.05)
    assert sum(mean) == pytest.approx(1.0, abs=1e-2)
    force = -contact_force(done)[:, 0]
    plateau = 0.5 * DENSITY * wave * speed * 2.5**2  # rho c v / 2 over the section
    assert np.median(force[force > 0.5 * plateau]) == pytest.approx(plateau, rel=0.1)
    assert force[-1] == 0.0
