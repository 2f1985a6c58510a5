"""Settings of implicit runs that are read in another way than LS-DYNA has them, or refused by name."""

from pathlib import Path

import pytest
from implicit_decks import control, displacements, prescribe, solve
from small_decks import STEEL, Deck
from solver_run import Run


def block(extra: str = "", cells: tuple[int, int, int] = (2, 2, 2), **of_control) -> Deck:
    """A block that is stretched and bent; with more keywords."""
    deck = Deck()
    control(deck, 2, **of_control)
    deck.part(1, "SOLID,2", f"PLASTIC_KINEMATIC,{STEEL},0.3,1.0")
    nodes = deck.block(1, cells, (0.0, 0.0, 0.0), (6.0, 4.0, 4.0))
    nx = cells[0] + 1
    for n in nodes:
        if (n - 1) % nx == 0:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,1,1")
        elif (n - 1) % nx == cells[0]:
            prescribe(deck, n, (0.01, 0.2, 0.0))
    if extra:
        deck.add(extra)
    return deck


def said(done: Run) -> str:
    return " ".join(done.said.split())


@pytest.mark.parametrize("method", [2, 3, 4, 5])
def test_old_methods_are_read_as_bfgs(method: int, tmp_path: Path) -> None:
    """The same bits as NSOLVR = 12, with a warning."""
    rest = "11,,1e-9,1e-18,1e-9,,1e-20"
    new = solve(block(solution=f"12,{rest}"), tmp_path / "new")
    old = solve(block(solution=f"{method},{rest}"), tmp_path / "old")
    assert old.hash == new.hash
    assert f"NSOLVR = {method}: an old quasi-Newton method, read as 12" in said(old)
    assert "NSOLVR" not in said(new)


@pytest.mark.parametrize("method", [-1, 10, 13])
def test_other_methods_are_refused(method: int, tmp_path: Path) -> None:
    assert f"NSOLVR = {method}" in said(solve(block(solution=f"{method}"), tmp_path, status=2))


def operations(done: Run) -> float:
    import json

    rows = map(json.loads, (done.directory / "convergence.jsonl").read_text().splitlines())
    return next(row["flops"] for row in rows if row["record"] == "equations")


def test_planes_order_the_equations(tmp_path: Path) -> None:
    """ORDER = 4: another factor of the same solution; 2 is METIS, as without it."""
    runs = {n: solve(block(cells=(8, 6, 6), solver=f"2,,,{n}"), tmp_path / str(n)) for n in (0, 1, 2, 4)}
    assert operations(runs[0]) == operations(runs[1]) == operations(runs[2])
    assert operations(runs[4]) != operations(runs[0])
    assert runs[0].hash == runs[2].hash
    assert displacements(runs[4]) == pytest.approx(displacements(runs[0]), abs=1e-8)
    assert "nested dissection by planes" in said(runs[4])
    assert "the ordering is that of METIS" in said(runs[1])
    assert "ORDER" not in said(runs[2])


def test_planes_order_the_equations_of_all_ranks(tmp_path: Path) -> None:
    deck = block(cells=(8, 6, 6), solver="2,,,4")
    one = solve(deck, tmp_path / "one")
    assert solve(deck, tmp_path / "threads", threads=2).hash == one.hash


@pytest.mark.parametrize(
    ("keyword", "why"),
    [
        ("CONTROL_IMPLICIT_STABILIZATION\n1", "springs that hold nodes back"),
        ("CONTROL_IMPLICIT_FORMING\n1", "steps by the penetration of contacts"),
        ("CONTROL_IMPLICIT_TERMINATION\n0.1", "goes on to its end time"),
        ("CONTROL_IMPLICIT_DYNAMIC\n1", "did you mean *CONTROL_IMPLICIT_DYNAMICS?"),
    ],
)
def test_keywords_that_are_refused_say_why(keyword: str, why: str, tmp_path: Path) -> None:
    assert why in said(solve(block(f"*{keyword}"), tmp_path, status=2))


@pytest.mark.parametrize(
    "keyword", ["STABILIZATION\n2,0.5", "SOLUTION_DYN\n12,1", "GENERAL_SPR\n1,0.5", "JOINTS\n1"]
)
def test_keywords_without_effect(keyword: str, tmp_path: Path) -> None:
    """There is no relaxation, no springback and no joint."""
    plain = solve(block(), tmp_path / "plain")
    assert solve(block(f"*CONTROL_IMPLICIT_{keyword}"), tmp_path / "with").hash == plain.hash


def test_settings_of_relaxation_and_springback_are_not_dropped(tmp_path: Path) -> None:
    """Where there is such a part of the run, it would have the settings of the others."""
    relaxed = block("*CONTROL_DYNAMIC_RELAXATION\n,,,,,,,5\n*CONTROL_IMPLICIT_SOLUTION_DYN\n12,1")
    text = said(solve(relaxed, tmp_path / "relaxation", status=2))
    assert "*CONTROL_IMPLICIT_SOLUTION_DYN: settings of the implicit relaxation" in text
    back = block("*INTERFACE_SPRINGBACK_SEAMLESS\n9\n*CONTROL_IMPLICIT_AUTO_SPR\n1")
    back.set("PART", 9, (1,))
    text = said(solve(back, tmp_path / "springback", status=2))
    assert "*CONTROL_IMPLICIT_AUTO_SPR: settings of the implicit springback" in text
