"""Blasts on a rigid plate: its velocity is the reflected impulse over its mass."""

from dataclasses import dataclass
from math import exp, log

import numpy as np
import pytest
from small_decks import Deck
from solver_run import run
from test_local_motions import displacements

CHARGE, DISTANCE = 10.0, 5.0  # kg, m
SIDE, THICK = 0.2, 0.05  # m
DENSITY = 7850.0


@dataclass(frozen=True)
class Units:
    """UNIT of the card, and what a kg, m, s are in the deck."""

    number: int
    mass: float
    length: float
    time: float


SI, MM_T_S, MM_KG_MS, OWN = (
    Units(2, 1, 1, 1),
    Units(7, 1e-3, 1e3, 1),
    Units(6, 1, 1e3, 1e3),
    Units(5, 1, 1e3, 1e3),
)


def reflected_impulse(scaled: float) -> float:
    """kPa ms / kg^(1/3) of surface bursts, by Swisdak (1994)."""
    c, z = (6.7853, -1.3466, 0.101, -0.01123), log(scaled)
    return exp(sum(k * z**i for i, k in enumerate(c)))


def plate(units: Units, more: str, end: float = 0.03) -> str:
    """A rigid plate whose front, of 2 by 2 segments, has its normal towards +x; the charge is there."""
    deck = Deck()
    end *= units.time
    deck.control(end, end / 30)
    m = units.length
    density = DENSITY * units.mass / m**3
    stiff = 2.1e11 * units.mass / (m * units.time**2)
    deck.part(1, "SOLID,1", f"RIGID,{density:.9g},{stiff:.9g},0.3")
    nodes = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (THICK * m, SIDE * m, SIDE * m))
    deck.add(f"*DATABASE_NODOUT\n{end / 30}\n*DATABASE_HISTORY_NODE\n14")
    step = 1e-5 * units.time
    deck.add(f"*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,{step}\n{10 * end},{step}")
    deck.add("*SET_SEGMENT\n3")
    for j in range(2):
        for k in range(2):
            corners = [
                nodes[(n * 3 + i) * 3 + 2] for i, n in ((j, k), (j + 1, k), (j + 1, k + 1), (j, k + 1))
            ]
            deck.lines.append(",".join(map(str, corners)))
    deck.add("*LOAD_BLAST_SEGMENT_SET\n7,3")
    deck.add(more)
    return deck.text()


def charge(units: Units, blast: int = 1, card: str = ",,,,,,1") -> str:
    """A charge in front of the middle of the plate."""
    m = units.length
    x, y = (THICK + DISTANCE) * m, 0.5 * SIDE * m
    return f"*LOAD_BLAST_ENHANCED\n7,{CHARGE * units.mass},{x},{y},{y},0.0,{units.number},{blast}\n{card}"


def velocity_and_arrival(done, units: Units) -> tuple[float, float]:
    """Of the plate at the end [m/s], and when it began to move [s]."""
    assert done.status == 0, done.said
    rows = displacements(done, 14)
    t, x = rows[:, 0] / units.time, rows[:, 1] / units.length
    speed = -(x[-1] - x[-4]) / (t[-1] - t[-4])
    moving = np.flatnonzero(x < 0.01 * x[-1])
    return speed, t[moving[0]]


OWN_CARD = f"{1 / 0.45359237},{1e-3 / 0.3048},1.0,{1e6 / 6.894757293168},,,1"


@pytest.mark.parametrize(
    ("units", "card"), [(SI, ",,,,,,1"), (MM_T_S, ",,,,,,1"), (MM_KG_MS, ",,,,,,1"), (OWN, OWN_CARD)]
)
def test_the_plate_takes_the_reflected_impulse(units, card, tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(plate(units, charge(units, card=card)))
    root = CHARGE ** (1 / 3)
    speed, arrival = velocity_and_arrival(run(deck, tmp_path / "out"), units)
    wanted = reflected_impulse(DISTANCE / root) * root / (DENSITY * THICK)  # kPa ms is Pa s
    assert speed == pytest.approx(wanted, rel=0.01)
    assert 0.004 < arrival < 0.009


def test_same_bits_and_restart(tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(plate(SI, charge(SI, blast=2, card=",,,,,,0")))
    one = run(deck, tmp_path / "one", "--dump-cycles", "800")
    assert one.status == 0, one.said
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=2).hash == one.hash


def test_death_and_air(tmp_path):
    """Ended before it arrives, it does nothing; in the air, the same charge does less."""
    speeds = []
    for blast, card in ((1, ",,,,,,1"), (2, ",,,,,,1"), (1, ",,,,,0.003,1")):
        deck, out = tmp_path / "plate.k", tmp_path / f"{blast}{len(speeds)}"
        deck.write_text(plate(SI, charge(SI, blast, card)))
        done = run(deck, out)
        assert done.status == 0, done.said
        rows = displacements(done, 14)
        speeds.append(-(rows[-1, 1] - rows[-4, 1]) / (rows[-1, 0] - rows[-4, 0]))
    assert speeds[2] == 0.0
    assert 0.5 * speeds[0] < speeds[1] < 0.8 * speeds[0]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (charge(SI, blast=4), "BLAST"),
        (charge(SI, card=",,,,,,11"), "NEGPHS"),
        ("", "*LOAD_BLAST_ENHANCED 7 does not exist"),
        ("*LOAD_BLAST_ENHANCED\n7,0.0,5.0\n,", "M = 0 is no mass"),
        ("*LOAD_BLAST_ENHANCED\n7,10.0,0.1\n,", "has the scaled distance"),
        ("*LOAD_BLAST_ENHANCED\n7,10.0,5.0,,,,5\n,", "UNIT = 5 needs CFM"),
    ],
)
def test_what_is_refused(more, says, tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(plate(SI, more))
    refused = run(deck, tmp_path / "out")
    assert refused.status == 2, refused.said
    assert says in refused.said
