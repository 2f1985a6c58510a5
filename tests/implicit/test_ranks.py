"""Implicit runs on 1, 2, 3, 4 and 7 ranks and 1 and 2 threads: the same state and files, bit for bit."""

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from implicit_decks import control, prescribe
from same_results import different_files
from small_decks import STEEL, Deck
from solver_run import Run, run

#: ranks, threads; compared with one rank and one thread
LAYOUTS = [(2, 1), (2, 2), (3, 1), (4, 2), (7, 1)]
MULTIGRID_LAYOUTS = [(2, 1), (3, 2), (7, 1)]
SOFT = "ELASTIC,7.85e-6,210.,0.3"


def held_block(deck: Deck, cells: tuple[int, int, int], law: str = f"ELASTIC,{STEEL}") -> list[int]:
    """A block of bricks, part 1, held at one face; the nodes of the other."""
    deck.part(1, "SOLID,2", law)
    ids = deck.block(1, cells, (0.0, 0.0, 0.0), tuple(float(n) for n in cells))
    n = cells[0] + 1
    deck.set("NODE", 1, ids[0::n])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    return ids[n - 1 :: n]


def pulled(steps: int = 1) -> Deck:
    deck = Deck()
    control(deck, steps=steps)
    for n in held_block(deck, (9, 9, 9)):
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,0.002")
    return deck


def pressed() -> Deck:
    """Two blocks in contact with friction; one is pressed on the other, and moved along."""
    deck = Deck()
    control(deck, solution="12,1,60")
    for part in (1, 2):
        deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
    lower = deck.block(1, (8, 8, 3), (0.0, 0.0, 0.0), (10.0, 10.0, 4.0))
    upper = deck.block(2, (6, 6, 3), (1.0, 1.0, 3.99), (7.5, 7.5, 4.0))
    deck.set("NODE", 1, lower[:81])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    for n in upper[-49:]:
        prescribe(deck, n, (0.01, 0.0, -0.02))
    deck.add("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR\n1,2,3,3,,,1,1\n0.2\n1.,1.\n*DATABASE_RCFORC\n1.")
    return deck


def joined() -> Deck:
    """Tied blocks, a nodal rigid body with a load at an end, and a plastic law."""
    deck = Deck()
    control(deck, steps=2, solution="12,1,60")
    for number in (1, 2):
        deck.part(number, "SOLID,2", f"PLASTIC_KINEMATIC,{STEEL},0.3,2.0")
    below = deck.block(1, (6, 6, 5), (0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    above = deck.block(2, (8, 8, 5), (0.0, 0.0, 2.0), (2.0, 2.0, 2.0))
    deck.set("PART", 1, (1,))
    deck.set("PART", 2, (2,))
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE\n2,1,2,2\n,\n,\n*DATABASE_RCFORC\n1.")
    deck.set("NODE", 1, below[:49])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    tip = deck.node((1.0, 1.0, 4.5))
    deck.set("NODE", 5, [*above[-81:], tip])
    deck.add(f"*CONSTRAINED_NODAL_RIGID_BODY\n77,0,5\n*LOAD_NODE_POINT\n{tip},1,1,0.05")
    return deck


def swinging() -> Deck:
    """A block with a plate of shells on it, in free vibration."""
    deck = Deck()
    control(deck, steps=3, end=0.03)
    deck.add("*CONTROL_IMPLICIT_DYNAMICS\n1,,,,,,,-0.05")
    held_block(deck, (10, 6, 6), SOFT)
    deck.part(2, "SHELL,16,0.8333,3|0.5,0.5,0.5,0.5", SOFT)
    deck.plate(2, (8, 8), lambda u, v: (10.0 * u, 6.0 * v, 8.0))
    deck.add("*INITIAL_VELOCITY\n\n0.1,0.2,-0.3")
    return deck


def free_modes() -> Deck:
    deck = Deck()
    deck.part(1, "SOLID,2", SOFT)
    deck.block(1, (8, 7, 6), (0.0, 0.0, 0.0), (9.0, 7.0, 5.0))
    deck.add(
        "*CONTROL_IMPLICIT_GENERAL\n1,1.\n*CONTROL_IMPLICIT_EIGENVALUE\n12\n"
        "*CONTROL_TERMINATION\n1.\n*DATABASE_BINARY_D3PLOT\n1."
    )
    return deck


DECKS: dict[str, Callable[[], Deck]] = {
    "pulled": pulled,
    "pressed": pressed,
    "joined": joined,
    "swinging": swinging,
    "modes": free_modes,
}


def shared(done: Run) -> bool:
    """Whether more than one rank had work."""
    found = re.search(r" on \d+ ranks: operations of the busiest (\d+) % of all", done.stdout)
    assert found, done.said
    return int(found.group(1)) < 90


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", DECKS)
def test_same_files(name, precision, tmp_path):
    path = tmp_path / f"{name}.k"
    path.write_text(DECKS[name]().text())
    options = ("--precision", precision)
    one = run(path, tmp_path / "one", *options)
    assert one.status == 0, one.said[-3000:]
    for ranks, threads in LAYOUTS if precision == "double" else LAYOUTS[::2]:
        other = run(path, tmp_path / f"{ranks}x{threads}", *options, ranks=ranks, threads=threads)
        assert other.status == 0, other.said[-3000:]
        assert shared(other)
        assert not different_files(one.directory, other.directory), (ranks, threads)
        if name != "modes":
            assert other.hash == one.hash, (ranks, threads)


def needs(path: Path, *words: str) -> tuple[dict, int]:
    """The factor of `check`, and the words of memory= that the model takes without it."""
    done = run(path, path.parent / "check", "--check", "--json", str(path.parent / "need.json"), *words)
    assert done.status == 0, done.said
    [of_model] = re.findall(r"memory=(\d+)k words", done.stdout)
    return json.loads((path.parent / "need.json").read_text())["factor"], 1000 * int(of_model)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_out_of_core_on_each_rank(precision, tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(pulled().text())
    word = 4 if precision == "single" else 8
    one = run(path, tmp_path / "one", "--precision", precision)
    for ranks, threads in LAYOUTS:
        where = tmp_path / f"{ranks}x{threads}"
        options = ("--precision", precision)
        factor, model = needs(path, *options, "--ranks", str(ranks), "--threads", str(threads))
        assert len(factor["rank_bytes"]) == ranks and max(factor["rank_bytes"]) == factor["bytes"]
        bytes_allowed = 0.5 * (factor["least_bytes"] + factor["in_memory_bytes"])
        words = math.ceil(bytes_allowed / word)
        done = run(
            path,
            where,
            *(*options, f"memory={model + words}", f"memory2={words}"),
            ranks=ranks,
            threads=threads,
        )
        assert done.status == 0, done.said[-3000:]
        # On 7 ranks the parts are no more than what `check` rounds the model's memory up by.
        assert "out of core" in done.stdout or ranks == 7
        assert done.hash == one.hash


def test_what_a_run_says_of_its_ranks(tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(pulled().text())
    done = run(path, tmp_path / "out", ranks=3)
    assert done.status == 0, done.said
    assert "the same bits on any number of ranks and threads" in done.stdout
    memory = re.search(r"^ peak memory: .* on rank 0, .* on rank 1, .* on rank 2$", done.stdout, re.MULTILINE)
    assert memory, done.stdout[-2000:]


def test_mumps_is_on_rank_0_alone(tmp_path):
    deck = pulled()
    deck.add("*CONTROL_IMPLICIT_SOLVER\n30")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    runs = [run(path, tmp_path / str(ranks), ranks=ranks) for ranks in (1, 2)]
    if "CR-I201" in runs[0].said:
        pytest.skip("a build without MUMPS")
    assert "MUMPS solves on rank 0 alone" in runs[1].stdout, runs[1].said
    assert runs[0].hash == runs[1].hash


@pytest.mark.parametrize("name", ["pulled", "pressed"])
def test_multigrid_has_the_bits_of_one_rank(name, tmp_path):
    """Conjugate gradients: the files of one rank, and the same iterations, whatever the ranks and threads."""
    deck = DECKS[name]()
    deck.add("*CONTROL_IMPLICIT_SOLVER\n22")
    path = tmp_path / f"{name}.k"
    path.write_text(deck.text())
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said[-3000:]
    lines = re.findall(r"^ +iteration .*", one.stdout, re.MULTILINE)
    assert all("of conjugate gradients" in line for line in lines), lines
    assert "the same bits on any number of ranks and threads" in one.stdout
    for ranks, threads in MULTIGRID_LAYOUTS:
        other = run(path, tmp_path / f"{ranks}x{threads}", ranks=ranks, threads=threads)
        assert other.status == 0, other.said[-3000:]
        assert re.findall(r"^ +iteration .*", other.stdout, re.MULTILINE) == lines
        assert other.hash == one.hash, (ranks, threads)
        assert not different_files(one.directory, other.directory), (ranks, threads)


def test_errors_end_all_ranks(tmp_path):
    """Too little memory on rank 1, a step that does not converge, a deck that is refused: as on one rank."""
    path = tmp_path / "deck.k"
    path.write_text(pulled().text())
    factor, model = needs(path, "--ranks", "2")
    words = math.ceil(0.5 * factor["least_bytes"] / 8)
    little = run(path, tmp_path / "little", f"memory={10 * model + 100 * words}", f"memory2={words}", ranks=2)
    assert little.status == 4 and "CR-I203" in little.stderr and "rank 1" in little.stderr
    loose = Deck()
    control(loose)
    for n in held_block(loose, (6, 6, 6)):
        loose.add(f"*LOAD_NODE_POINT\n{n},1,1,1e9")
    path.write_text(loose.text())
    failed = run(path, tmp_path / "failed", ranks=3)
    assert failed.status == 3 and "CR-I104" in failed.stdout, failed.said[-2000:]
    refused = pulled()
    refused.add("*CONTROL_IMPLICIT_SOLUTION\n-1")
    path.write_text(refused.text())
    assert run(path, tmp_path / "refused", ranks=3).status == 2


def test_factor_that_is_not_positive(tmp_path):
    """A slender column beyond its buckling load: negative eigenvalues are counted on all ranks."""
    deck = Deck()
    control(deck, steps=2, solution="1")
    deck.part(1, "SOLID,2", SOFT)
    ids = deck.block(1, (40, 4, 4), (0.0, 0.0, 0.0), (100.0, 2.0, 2.0))
    deck.set("NODE", 1, ids[0::41])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    load = 4.0 * math.pi**2 * 210.0 * (2.0**4 / 12) / (4 * 100.0**2)
    for n in ids[40::41]:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,{-load / 25!r}")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    runs = [run(path, tmp_path / str(ranks), ranks=ranks) for ranks in (1, 2, 3, 7)]
    assert "negative eigenvalues" in runs[0].stdout
    said = [re.findall(r"^ +iteration .*", done.stdout, re.MULTILINE) for done in runs]
    for done, lines in zip(runs[1:], said[1:], strict=True):
        assert done.status == runs[0].status and lines == said[0]
        assert done.hash == runs[0].hash
