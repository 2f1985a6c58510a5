"""Belts and accelerometers in runs: closed forms, and the same bits on any number of ranks."""

import math
import re

import pytest
import small_decks
from solver_run import run

from crumple.results.glstat import read_glstat

STRAIN = "*DEFINE_CURVE\n1\n0.,0.\n1.,{}\n"
WEBBING = "*SECTION_SEATBELT\n{0}\n*MAT_SEATBELT\n{0},{1},1,0,{2}\n*PART\nbelt\n{0},{0},{0}\n"
NUMBER = r"[-+]?\d\.\d+E[-+]\d+"


def belts(deck: small_decks.Deck, nodes: list[int], part: int, slack: float = 0.0) -> list[int]:
    """Elements between nodes in turn."""
    ids = []
    for first, second in zip(nodes, nodes[1:], strict=False):
        deck.elements += 1
        deck.add(f"*ELEMENT_SEATBELT\n{deck.elements},{part},{first},{second},0,{slack:.9g}")
        ids.append(deck.elements)
    return ids


def brick(
    deck: small_decks.Deck, part: int, low: tuple[float, float, float], size: float, law: str
) -> list[int]:
    """One brick."""
    deck.part(part, "SOLID,1", law)
    return deck.block(part, (1, 1, 1), low, (size, size, size))


def table(text: str, title: str) -> dict[int, list[list[float]]]:
    """Rows of sbtout below a title, by number, in order of time."""
    rows: dict[int, list[list[float]]] = {}
    inside = False
    for line in text.splitlines():
        if line.startswith(" ") and "number" in line:
            inside = title in line
        elif inside and (found := re.match(rf"^ *(\d+) +({NUMBER}) *({NUMBER})?", line)):
            rows.setdefault(int(found[1]), []).append([float(v) for v in found.groups()[1:] if v])
    return rows


def swinging_mass() -> str:
    """A rigid cube on a light belt that is stretched by 2 mm: kg, mm, ms, kN."""
    deck = small_decks.Deck()
    cube = brick(deck, 1, (100.0, 0.0, 0.0), 10.0, "RIGID,2e-3,200.,0.3|1.,5.,7.|")
    anchor = deck.node((0.0, 0.0, 0.0), 7)
    deck.add(STRAIN.format(10.0) + WEBBING.format(9, 1e-6, 5.0))
    belts(deck, [anchor, cube[0]], 9)
    deck.add(f"*INITIAL_VELOCITY_RIGID_BODY\n1,0.2\n*DATABASE_HISTORY_NODE\n{cube[0]}")
    deck.control(20.0, 20.0, 0.05)
    deck.add("*DATABASE_NODOUT\n0.05\n*DATABASE_SBTOUT\n0.05\n*CONTROL_TIMESTEP\n0,0.5,0,0,0,0,0,0\n")
    return deck.text()


def test_a_belt_pulls_a_mass(tmp_path):
    """Half a sine of the spring F' / L on the mass, its force on the curve, and free flight afterwards."""
    deck = tmp_path / "mass.k"
    deck.write_text(swinging_mass())
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    rows = table((tmp_path / "out" / "sbtout").read_text(), "seat belt")
    (force_and_length,) = rows.values()
    length0 = 100.0
    for force, length in force_and_length:
        curve = 10.0 * max(0.0, length / length0 - 1.0)
        printed = 10.0 * 1e-3 / length0  # lengths have six digits
        assert abs(force - curve) <= 0.1001 * curve + printed  # with the damping, a tenth at most
    mass, stiffness, speed = 2e-3 * 1000 + 0.5e-4, 10.0 / length0, 0.2
    half_period = math.pi * math.sqrt(mass / stiffness)
    times = [0.05 * k for k in range(len(force_and_length))]
    taut = [t for t, (force, _) in zip(times, force_and_length, strict=True) if force > 0]
    assert taut[-1] == pytest.approx(half_period, rel=0.02)
    peak = max(length for _, length in force_and_length) - length0
    assert peak == pytest.approx(speed * math.sqrt(mass / stiffness), rel=0.02)


def spinning_cube(parts: str = "") -> str:
    """A rigid cube that turns about z with 0.5 / ms and falls with 0.01 mm/ms^2 along -z."""
    deck = small_decks.Deck()
    cube = brick(deck, 1, (-5.0, -5.0, -5.0), 10.0, "RIGID,1e-6,200.,0.3||")
    origin, first, second = (deck.node(x) for x in ((20.0, 0.0, 0.0), (30.0, 0.0, 0.0), (20.0, 10.0, 0.0)))
    deck.add(f"*SET_NODE_LIST\n3\n{origin},{first},{second}\n*CONSTRAINED_EXTRA_NODES_SET\n1,3")
    deck.add(f"*ELEMENT_SEATBELT_ACCELEROMETER\n7,{origin},{first},{second},{parts}")
    deck.add("*DEFINE_CURVE\n4\n0.,0.01\n100.,0.01\n*LOAD_BODY_Z\n4,1.")
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,0.5\n0.,0.,0.,0.,0.,1.")
    deck.add(f"*DATABASE_HISTORY_NODE\n{origin},{cube[0]}\n*DATABASE_NODOUT\n0.1")
    deck.control(6.0, 6.0, 0.1)
    return deck.text()


def nodout(text: str, node: int) -> list[list[float]]:
    """Twelve numbers of a node, by time: displacement, velocity, acceleration, position."""
    rows = []
    for line in text.splitlines():
        if re.match(rf"^ *{node} ", line) and len(found := re.findall(NUMBER, line.replace("e", "E"))) == 12:
            rows.append([float(v) for v in found])
    return rows


@pytest.mark.parametrize(("options", "gravity"), [("0", -0.01), ("1", 0.0), ("-3", 0.0), ("-1", -0.01)])
def test_an_accelerometer_on_a_spinning_body(options, gravity, tmp_path):
    """In its axes the acceleration is -w^2 r along the radius and g; the velocity w r across it and g t."""
    deck = tmp_path / "spin.k"
    deck.write_text(spinning_cube(options))
    done = run(deck, tmp_path / "out")
    assert done.status == 0, done.said
    rows = nodout((tmp_path / "out" / "nodout").read_text(), 9)
    assert len(rows) > 50
    w, r = 0.5, 20.0
    for k, row in enumerate(rows[1:-1], start=1):
        t = 0.1 * k
        velocity, acceleration = row[3:6], row[6:9]
        assert velocity[1] == pytest.approx(w * r, rel=1e-3), t
        assert abs(velocity[0]) < 0.05 * w * r, t
        assert velocity[2] == pytest.approx(-0.01 * t, abs=2e-3), t
        assert acceleration[0] == pytest.approx(-w * w * r, rel=1e-2), t
        assert abs(acceleration[1]) < 0.02 * w * w * r, t
        assert acceleration[2] == pytest.approx(gravity, abs=1e-4), t
        x = [r * math.cos(w * t) - r, r * math.sin(w * t)]
        c, s = math.cos(w * t), math.sin(w * t)
        assert row[0] == pytest.approx(c * x[0] + s * x[1], abs=0.02 * r), t
        assert row[1] == pytest.approx(-s * x[0] + c * x[1], abs=0.02 * r), t


def sled(end_time: float = 40.0) -> str:
    """A block on a sled that stops, held at three points; two rings, a retractor that locks with an element
    inside, and a pretensioner. kg, mm, ms, kN."""
    deck = small_decks.Deck()
    frame = brick(deck, 1, (-400.0, -50.0, -50.0), 100.0, "RIGID,1e-6,200.,0.3|1.,5.,7.|")
    deck.part(2, "SOLID,1", "ELASTIC,5e-6,0.05,0.3")
    body = deck.block(2, (2, 3, 3), (0.0, 0.0, 0.0), (100.0, 150.0, 150.0))
    low = deck.node((-150.0, -40.0, 0.0))  # anchor of the lap belt
    buckle = deck.node((-150.0, 190.0, 0.0))  # ring
    shoulder = deck.node((-150.0, -40.0, 250.0))  # ring
    reel = deck.node((-150.0, -40.0, 50.0))
    held = [low, buckle, shoulder, reel]
    deck.add(f"*SET_NODE_LIST\n5\n{','.join(map(str, held))}\n*CONSTRAINED_EXTRA_NODES_SET\n1,5")

    def line(start, end, count, ends):
        points = [
            tuple(a + (b - a) * k / count for a, b in zip(start, end, strict=True)) for k in range(1, count)
        ]
        return [ends[0], *(deck.node(p) for p in points), ends[1]]

    at_buckle, at_shoulder, at_reel, inside = (
        deck.node(x) for x in ((-150.0, 190.0, 0.0), (-150.0, -40.0, 250.0), *[(-150.0, -40.0, 50.0)] * 2)
    )

    def corner(i, j, k):
        return body[(k * 4 + j) * 3 + i], (50.0 * i, 50.0 * j, 50.0 * k)

    lap, lap_x = corner(2, 1, 0)
    lap2, lap2_x = corner(2, 2, 0)
    chest, chest_x = corner(2, 2, 2)
    upper, upper_x = corner(2, 1, 3)
    deck.add(STRAIN.format(60.0) + WEBBING.format(9, 6e-5, 8.0))
    first = line((-150.0, -40.0, 0.0), lap_x, 4, (low, lap)), line(lap_x, lap2_x, 2, (lap, lap2))
    to_buckle = line(lap2_x, (-150.0, 190.0, 0.0), 6, (lap2, at_buckle))
    from_buckle = line((-150.0, 190.0, 0.0), chest_x, 6, (at_buckle, chest))
    across = line(chest_x, upper_x, 3, (chest, upper))
    to_shoulder = line(upper_x, (-150.0, -40.0, 250.0), 6, (upper, at_shoulder))
    to_reel = line((-150.0, -40.0, 250.0), (-150.0, -40.0, 50.0), 8, (at_shoulder, at_reel))
    chains = [
        belts(deck, nodes, 9) for nodes in (*first, to_buckle, from_buckle, across, to_shoulder, to_reel)
    ]
    deck.elements += 1
    deck.add(f"*ELEMENT_SEATBELT\n{deck.elements},9,{at_reel},{inside},3")
    deck.add(f"*ELEMENT_SEATBELT_SLIPRING\n1,{chains[2][-1]},{chains[3][0]},0.1,{buckle}")
    deck.add(f"*ELEMENT_SEATBELT_SLIPRING\n2,{chains[5][-1]},{chains[6][0]},0.15,{shoulder}")
    deck.add(f"*ELEMENT_SEATBELT_SENSOR\n1,1\n{frame[0]},1,-0.1,0.5")
    deck.add("*ELEMENT_SEATBELT_SENSOR\n2,3\n2.0")
    deck.add("*DEFINE_CURVE\n2\n0.,0.02\n20.,0.5\n60.,1.\n*DEFINE_CURVE\n3\n0.,0.\n10.,2.")
    deck.add(f"*ELEMENT_SEATBELT_RETRACTOR\n3,{reel},{chains[6][-1]},1\n1.,0.,2,3,40.")
    deck.add("*DEFINE_CURVE\n5\n0.,0.\n4.,30.\n")
    deck.add("*ELEMENT_SEATBELT_PRETENSIONER\n1,5,2\n3,1.,5,0.4")
    deck.add("*INITIAL_VELOCITY\n0\n10.")
    deck.add("*DEFINE_CURVE\n6\n0.,10.\n5.,10.\n35.,0.\n100.,0.\n*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,1,0,6")
    deck.add(f"*ELEMENT_SEATBELT_ACCELEROMETER\n8,{frame[0]},{frame[1]},{frame[2]}")
    deck.add(f"*DATABASE_HISTORY_NODE\n{frame[0]},{body[0]}\n*DATABASE_NODOUT\n1.\n*DATABASE_SBTOUT\n1.,3")
    deck.control(end_time, end_time, 1.0)
    return deck.text()


@pytest.mark.parametrize("precision", ["double", "single"])
def test_sled(precision, tmp_path):
    deck = tmp_path / "sled.k"
    deck.write_text(sled())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    text = (tmp_path / "one" / "sbtout").read_text()
    slips = table(text, "slip ring")
    (retractor,) = table(text, "retractor").values()
    assert max(abs(row[0]) for row in slips[2]) > 8.0
    assert retractor[-1][0] > min(out for out, _ in retractor) + 8.0  # pulled in, and out again
    assert max(force for _, force in retractor) > 0.2
    energies = read_glstat(tmp_path / "one" / "glstat")
    assert energies["total energy / initial energy"].between(0.97, 1.03).all()
    different = []
    for ranks, threads, method in ((1, 2, "rcb"), (2, 1, "metis"), (3, 2, "rcb"), (7, 1, "metis")):
        where = tmp_path / f"{ranks}x{threads}{method}"
        options = ("--precision", precision, "--decomposition", method)
        done = run(deck, where, *options, ranks=ranks, threads=threads)
        if done.hash != one.hash:
            different.append((ranks, threads, method))
            continue
        for file in ("sbtout", "nodout", "glstat"):
            assert done.history(file) == one.history(file), (file, ranks)
    assert not different
