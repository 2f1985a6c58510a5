"""Mortar contact in explicit runs: known answers, balances, the same bits on ranks and threads."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import histories, plot
from small_decks import STEEL, Deck, falling_bodies
from solver_run import Run, run

from crumple.results.glstat import read_glstat
from crumple.results.matsum import read_matsum

YOUNG, POISSON, DENSITY = 210.0, 0.3, 7.85e-6
MORTAR = "CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR"
PENALTY = "CONTACT_AUTOMATIC_SURFACE_TO_SURFACE"


def solve(deck: Deck, folder: Path, *arguments: str, ranks: int = 1, threads: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(deck.text())
    done = run(folder / "deck.k", folder / "out", *arguments, ranks=ranks, threads=threads)
    assert done.status == 0, done.said[-4000:]
    return done


def hold(deck: Deck, number: int, nodes: list[int], directions: str) -> None:
    deck.set("NODE", number, nodes)
    deck.add(f"*BOUNDARY_SPC_SET\n{number},0,{directions}")


def contact_force(done: Run) -> np.ndarray:
    """(states, 3): on the first side of the first contact."""
    rows = histories(done)
    return np.stack([rows.read("rcforc", f"{axis}_force")[:, 0] for axis in "xyz"], axis=1)


def two_blocks(deck: Deck, gap: float) -> tuple[list[int], list[int]]:
    """A block of 10 by 10 by 5 mm on another, with meshes that do not match; their nodes."""
    for part in (1, 2):
        deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
    lower = deck.block(1, (3, 3, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 5.0))
    upper = deck.block(2, (4, 5, 2), (0.0, 0.0, 5.0 + gap), (10.0, 10.0, 5.0))
    return lower, upper


def press(deck: Deck, upper: list[int], pressure: float) -> None:
    """Pressure on the top of the upper block, by curve 1."""
    for j in range(5):
        for i in range(4):
            at = 60 + 5 * j + i
            corners = [upper[k] for k in (at, at + 1, at + 6, at + 5)]
            deck.add(f"*LOAD_SEGMENT\n1,{pressure},0.," + ",".join(map(str, corners)))
    deck.add("*DEFINE_CURVE\n1\n0.,0.\n0.05,1.\n100.,1.")


def pressed(keyword: str, order: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Stress along z of all bricks, and the force of contact, at rest under a pressure of 0.1."""
    deck = Deck()
    deck.control(0.15, 0.05)
    lower, upper = two_blocks(deck, 0.0)
    hold(deck, 1, lower[:16], "0,0,1")
    hold(deck, 2, lower[::4] + upper[::5], "1,0,0")
    at_front = [n for k in range(3) for n in lower[16 * k : 16 * k + 4]]
    hold(deck, 3, at_front + [n for k in range(3) for n in upper[30 * k : 30 * k + 5]], "0,1,0")
    press(deck, upper, 0.1)
    deck.add(f"*{keyword}\n{order},3,3\n0.\n,\n*DAMPING_GLOBAL\n0,1600.")
    done = solve(deck, folder)
    return plot(done)["element_solid_stress"][-1].mean(axis=1)[:, 2], contact_force(done)[-1]


@pytest.mark.parametrize("order", ["1,2", "2,1"])
def test_uniform_pressure(order, tmp_path):
    """The stress is the pressure to rounding of the plot file; that under nodes against segments is not."""
    stress, force = pressed(MORTAR, order, tmp_path)
    assert stress == pytest.approx(-0.1, rel=1e-4)
    area = 100 * (1 + POISSON * 0.1 / YOUNG) ** 2
    assert abs(force[2]) == pytest.approx(0.1 * area, rel=1e-4)
    other, _ = pressed(PENALTY, order, tmp_path / "penalty")
    assert np.abs(other + 0.1).max() > 1e-3


@pytest.mark.parametrize("more", ["", "0.3", "0.,0.,0.,0.,20."], ids=["smooth", "rubs", "damps"])
def test_impact(more, tmp_path):
    """A block hits another one at rest: momentum stays, and work against the contact balances energy."""
    speed = 20.0
    deck = Deck()
    deck.control(0.02, 2e-4)
    _, upper = two_blocks(deck, 0.01)
    deck.set("NODE", 1, upper)
    deck.add(f"*INITIAL_VELOCITY\n1\n2.,0.,-{speed}")
    deck.add(f"*{MORTAR}\n2,1,3,3\n{more or '0.'}\n,")
    done = solve(deck, tmp_path)
    rows = read_glstat(done.directory / "glstat")
    start, force = rows.iloc[0], contact_force(done)
    total = rows["total energy"]
    assert total.to_numpy() == pytest.approx(start["total energy"], rel=2e-3)
    sliding = rows["sliding interface energy"].to_numpy()
    assert sliding.max() > 1e-2 * start["kinetic energy"]
    times = rows["time"].to_numpy()
    impulse = ((force[1:] + force[:-1]) / 2 * np.diff(times)[:, None]).sum(axis=0)
    parts = read_matsum(done.directory / "matsum").rows
    upper_one = parts[parts["part"] == 2]
    for axis in "xyz":
        momenta = parts.groupby("time", sort=False)[f"{axis}-mom"].sum()
        assert momenta.to_numpy() == pytest.approx(momenta.iloc[0], abs=1e-4 * 500 * DENSITY * speed)
    gained = upper_one["z-mom"].iloc[-1] - upper_one["z-mom"].iloc[0]
    assert impulse[2] == pytest.approx(gained, rel=0.01)
    assert gained > 0.5 * 500 * DENSITY * speed
    assert force[-1] == pytest.approx(0.0, abs=1e-9)
    if more == "":
        assert abs(sliding[-1]) < 5e-3 * start["kinetic energy"]
        assert np.abs(force[:, :2]).max() < 1e-6 * np.abs(force[:, 2]).max()
    else:
        assert sliding[-1] > 0


@pytest.mark.parametrize("law", ["0.3,0.3", "0.4,0.1,0.05", "0.3,0.3,0.,0.01"], ids=["fs", "fd", "vc"])
def test_friction(law, tmp_path):
    """A pressed block is pulled over another one: shear by Coulomb's law, or VC."""
    speed = 4.0
    deck = Deck()
    deck.control(0.25, 0.01)
    lower, upper = two_blocks(deck, 0.0)
    hold(deck, 1, lower, "1,1,1")
    hold(deck, 2, upper, "0,1,0")
    press(deck, upper, 0.1)
    deck.set("NODE", 3, upper[60:])
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n3,1,0,2,{speed}\n*DEFINE_CURVE\n2\n0.,0.\n0.05,1.\n1.,1.")
    deck.add(f"*{MORTAR}\n2,1,3,3\n{law}\n,\n*DEFINE_CURVE\n5\n0.,300.\n9.,300.\n*DAMPING_PART_MASS\n2,5,1.")
    done = solve(deck, tmp_path)
    force = contact_force(done)[-8:]
    time = histories(done).read("rcforc", "time")[-8:]
    fs, fd, dc, vc = [*map(float, law.split(",")), 0.0, 0.0][:4]
    area = 10 * (10 - speed * (time - 0.025))  # of both blocks
    coefficient = fd + (fs - fd) * np.exp(-dc * speed)
    expected = vc * area if vc else coefficient * np.abs(force[:, 2])
    assert np.abs(force[:, 0]) == pytest.approx(expected, rel=0.02)


def mortar_bodies() -> str:
    """Bricks and shells, deformable and rigid, that fall onto each other with friction; corners break off."""
    text = falling_bodies()
    single = "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n"
    assert single in text
    return text.replace(single, single.replace("SURFACE\n", "SURFACE_MORTAR\n"))


def test_same_bits(tmp_path):
    """On any number of ranks and threads, in state and forces."""
    (tmp_path / "deck.k").write_text(mortar_bodies())
    found = []
    for ranks, threads in ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2)):
        done = run(
            tmp_path / "deck.k", tmp_path / f"{ranks}-{threads}", "ncycle=400", ranks=ranks, threads=threads
        )
        assert done.status == 0, done.said
        assert "CR-C015" not in done.stdout
        found.append((done.hash, done.history("rcforc"), done.history("glstat")))
    assert any(" 0.00000E+00" not in line for line in found[0][1])
    for other in found[1:]:
        assert other == found[0]


def test_restart(tmp_path):
    """From a dump amid the contact, on other ranks too."""
    (tmp_path / "deck.k").write_text(mortar_bodies())
    whole = run(tmp_path / "deck.k", tmp_path / "whole", "ncycle=400")
    part = run(tmp_path / "deck.k", tmp_path / "part", "ncycle=200", "--dump-cycles", "200")
    assert part.status == 0, part.said
    for ranks in (1, 2):
        folder = tmp_path / f"on{ranks}"
        shutil.copytree(tmp_path / "part", folder)
        done = run(None, folder, f"r={folder}/runrsf", "ncycle=400", ranks=ranks)
        assert done.status == 0, done.said
        assert done.hash == whole.hash
        assert done.history("rcforc") == whole.history("rcforc")
