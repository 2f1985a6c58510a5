"""Modes of free vibration from decks: rigid bodies, beams in closed form, NAFEMS plates, files."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import solve
from small_decks import Deck
from solver_run import Run

#: kg, m, s, N
PLATE_STEEL = "ELASTIC,8000.,200e9,0.3"
#: kg, mm, ms, kN; no Poisson's ratio, so that plates bend like beams
BEAM_STEEL = "ELASTIC,7.85e-6,210.,0.0"

#: Solutions of cos(b) cosh(b) = -1 (clamped and free) and = 1 (free and free).
CLAMPED_FREE = (1.8751040687, 4.6940911330, 7.8547574382)
FREE_FREE = (4.7300407449, 7.8532046241)


def ask(deck: Deck, fields: str, control: str = "1,1.") -> None:
    """Ask for modes: fields of *CONTROL_IMPLICIT_EIGENVALUE."""
    deck.add(
        f"*CONTROL_IMPLICIT_GENERAL\n{control}\n*CONTROL_IMPLICIT_EIGENVALUE\n{fields}\n"
        "*CONTROL_TERMINATION\n1.\n*DATABASE_BINARY_D3PLOT\n1."
    )


def modes(done: Run) -> np.ndarray:
    """(modes, 4): eigenvalue, radians, cycles, period, as eigout has them."""
    text = (done.directory / "eigout").read_text()
    table = text[text.index("MODE    EIGENVALUE") :].split("\n\n")[0].splitlines()[1:]
    return np.array([[float(x) for x in row.split()[1:]] for row in table])


def counts(done: Run) -> tuple[int, int]:
    """Eigenvalues of the Sturm count, and found."""
    found = re.search(r"^ (\d+) eigenvalues .*Sturm count, (\d+) found$", done.stdout, re.MULTILINE)
    assert found, done.stdout
    return int(found.group(1)), int(found.group(2))


def assert_rigid(found: np.ndarray, number: int) -> None:
    """Modes without energy but for rounding, about 1e-16 of the largest eigenvalue of the mesh."""
    eigenvalues = found[:, 0]
    assert np.abs(eigenvalues[:number]).max() < 1e-9 * eigenvalues[number], eigenvalues
    assert eigenvalues[number] > 0.0


def bending(beta: float, length: float, height: float, young: float = 210.0, density: float = 7.85e-6):
    """Frequency in cycles of a slender bar with a rectangular section (Euler and Bernoulli)."""
    return beta**2 / (2 * math.pi * length**2) * math.sqrt(young * height**2 / 12 / density)


def bar_of_shells(elform: int, cells: tuple[int, int], size=(100.0, 10.0, 1.0)) -> Deck:
    length, width, thickness = size
    deck = Deck()
    deck.part(1, f"SHELL,{elform},0.8333,5|" + f"{thickness}," * 4, BEAM_STEEL)
    # turned in space, so that no axis is special
    a, b = np.array([0.48, 0.6, 0.64]), np.array([-0.8, 0.6, 0.0])
    b = b - a * (a @ b)
    b /= np.linalg.norm(b)
    deck.plate(1, cells, lambda u, v: tuple(length * u * a + width * v * b))
    return deck


def bar_of_solids(elform: int, cells: tuple[int, int, int], size=(100.0, 10.0, 10.0)) -> Deck:
    deck = Deck()
    deck.part(1, f"SOLID,{elform}", BEAM_STEEL)
    deck.block(1, cells, (3.0, -2.0, 1.0), size)
    return deck


def bar_of_beams(elform: int, cells: int, length: float = 100.0, side: float = 2.0, clamped: bool = False):
    deck = Deck()
    section = f"BEAM,{elform},0.8333,2,0|{side},{side},{side},{side}"
    if elform == 2:
        area, inertia = side**2, side**4 / 12
        section = f"BEAM,2,0.8333|{area},{inertia},{inertia},{2 * inertia}"
    deck.part(1, section, BEAM_STEEL)
    nodes = [
        deck.node((length * i / cells, 0.0, 0.0), 7 if clamped and i == 0 else 0) for i in range(cells + 1)
    ]
    third = deck.node((0.0, 0.0, 10.0), 7)
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    return deck


FREE = {
    "solid 1": lambda: bar_of_solids(1, (20, 2, 2)),
    "solid 2": lambda: bar_of_solids(2, (20, 2, 2)),
    "solid -1": lambda: bar_of_solids(-1, (20, 2, 2)),
    "shell 2": lambda: bar_of_shells(2, (20, 2)),
    "shell 16": lambda: bar_of_shells(16, (20, 2)),
    "beam 1": lambda: bar_of_beams(1, 20),
    "beam 2": lambda: bar_of_beams(2, 20),
}


@pytest.mark.parametrize("name", FREE)
def test_free_bars_have_six_rigid_modes(name: str, tmp_path: Path) -> None:
    deck = FREE[name]()
    ask(deck, "10")
    done = solve(deck, tmp_path)
    found = modes(done)
    assert len(found) == 10
    assert_rigid(found, 6)
    counted, found = counts(done)
    assert counted == found >= 10


def test_free_bars_bend_as_in_closed_form(tmp_path: Path) -> None:
    deck = bar_of_shells(16, (100, 1), (100.0, 1.0, 0.5))
    ask(deck, "12")
    first = modes(solve(deck, tmp_path))[6, 2]
    assert first == pytest.approx(bending(FREE_FREE[0], 100.0, 0.5), rel=2e-3)


def cantilever(kind: str, cells: int) -> Deck:
    if kind.startswith("beam"):
        return bar_of_beams(int(kind[4:]), cells, clamped=True)
    deck = Deck()
    deck.part(1, f"SHELL,{kind[5:]},0.8333,5|2.,2.,2.,2.", BEAM_STEEL)
    grid = deck.plate(1, (cells, 1), lambda u, v: (100.0 * u, 2.0 * v, 0.0))
    for row in grid:
        deck.add(f"*BOUNDARY_SPC_NODE\n{row[0]},0,1,1,1,1,1,1")
    return deck


@pytest.mark.parametrize("kind", ["shell2", "shell16", "beam1", "beam2"])
def test_cantilevers_bend_as_euler_and_bernoulli_say(kind: str, tmp_path: Path) -> None:
    """Errors of two meshes fall with the square of the size; what is left is shear and rotary inertia."""

    def bending_modes(cells: int) -> np.ndarray:
        deck = cantilever(kind, cells)
        ask(deck, "6")
        found = modes(solve(deck, tmp_path / str(cells)))[:, 2]
        return found[::2] if kind.startswith("beam") else found

    coarse, fine = bending_modes(10), bending_modes(40)
    exact = bending(CLAMPED_FREE[0], 100.0, 2.0)
    nearest = [found[np.argmin(np.abs(found - exact))] for found in (coarse, fine)]
    errors = [abs(f / exact - 1) for f in nearest]
    assert errors[1] < 3e-3
    assert errors[0] > 4 * errors[1] or errors[0] < 3e-3, errors
    second = bending(CLAMPED_FREE[1], 100.0, 2.0)
    assert np.abs(fine / second - 1).min() < 1e-2


def square_plate(cells: int, elform: int = 16) -> tuple[Deck, list[list[int]]]:
    deck = Deck()
    deck.part(1, f"SHELL,{elform},0.8333,5|0.05,0.05,0.05,0.05", PLATE_STEEL)
    return deck, deck.plate(1, (cells, cells), lambda u, v: (10.0 * u, 10.0 * v, 0.0))


def plate_frequencies(tmp_path: Path, cells: int, clamped: bool) -> np.ndarray:
    deck, grid = square_plate(cells)
    for row in grid:
        for i, node in enumerate(row):
            held = "1,1,0,0,0,1" if not clamped else "1,1,1,0,1,0" if i == 0 else ""
            if held:
                deck.add(f"*BOUNDARY_SPC_NODE\n{node},0,{held}")
    ask(deck, "10")
    done = solve(deck, tmp_path / str(cells))
    counted, found = counts(done)
    assert counted == found
    if not clamped:
        assert_rigid(modes(done), 3)
    return modes(done)[:, 2] if clamped else modes(done)[3:, 2]


def check_plate(tmp_path: Path, clamped: bool, published: list[float], thin: list[float]) -> None:
    """The error of two meshes falls with the square of their size, towards the theory of thin plates.

    Frequencies come from below, since the explicit solver's rotary inertia of shells grows with their size.
    `thin` has the coefficients of omega a^2 sqrt(rho h / D), Leissa (1973), J. Sound Vib. 31, 257-293; the
    published values come from few terms of a series and are up to 1 % above.
    """
    stiffness = 200e9 * 0.05**3 / 12 / (1 - 0.3**2)
    exact = np.array(thin) / (2 * math.pi * 100.0) * math.sqrt(stiffness / (8000.0 * 0.05))
    coarse, fine = (plate_frequencies(tmp_path, cells, clamped)[:6] for cells in (16, 32))
    errors = [1 - found / exact for found in (coarse, fine)]
    assert np.all(errors[1] < 0.011), errors
    assert np.all((errors[0] > 3.3 * errors[1]) & (errors[0] < 4.2 * errors[1])), errors
    limit = fine + (fine - coarse) / 3
    np.testing.assert_allclose(limit, exact, rtol=1.5e-3)
    np.testing.assert_allclose(limit, published, rtol=0.011)


def test_nafems_fv12_free_square_plate(tmp_path: Path) -> None:
    """Reference: NAFEMS, TNSB, test FV12, modes 4 to 9."""
    published = [1.622, 2.360, 2.922, 4.233, 4.233, 7.416]
    check_plate(tmp_path, False, published, [13.468, 19.596, 24.270, 34.801, 34.801, 61.093])


def test_nafems_fv16_cantilevered_square_plate(tmp_path: Path) -> None:
    """Reference: NAFEMS, TNSB, test FV16."""
    published = [0.421, 1.029, 2.582, 3.306, 3.753, 6.555]
    check_plate(tmp_path, True, published, [3.4711, 8.5073, 21.285, 27.199, 30.956, 54.187])


def test_intervals_and_centres(tmp_path: Path) -> None:
    def cycles(fields: str) -> np.ndarray:
        deck = bar_of_shells(16, (12, 2))
        ask(deck, fields)
        done = solve(deck, tmp_path / fields.replace(",", "_"))
        counted, found = counts(done)
        assert counted == found
        return modes(done)[:, 2]

    all_of = cycles("14")
    left, right = 0.5 * (all_of[7] + all_of[8]), 0.5 * (all_of[11] + all_of[12])
    np.testing.assert_allclose(cycles(f"50,,1,{left:.6g},1,{right:.6g}"), all_of[8:12], rtol=1e-6)
    np.testing.assert_allclose(cycles(f"3,,1,{left:.6g}"), all_of[8:11], rtol=1e-6)
    np.testing.assert_allclose(cycles(f"1,{all_of[9]:.6g}"), all_of[9:10], rtol=1e-6)


def test_d3eigv_has_a_state_a_mode(tmp_path: Path) -> None:
    from lasso.dyna import D3plot

    deck = bar_of_solids(1, (20, 2, 2))
    ask(deck, "8")
    done = solve(deck, tmp_path)
    arrays = D3plot(str(done.directory / "d3eigv")).arrays
    np.testing.assert_allclose(arrays["timesteps"], modes(done)[:, 2], rtol=1e-5, atol=1e-6)
    shapes = arrays["node_displacement"] - arrays["node_coordinates"]
    largest = np.linalg.norm(shapes, axis=2).max(axis=1)
    np.testing.assert_allclose(largest, 0.1 * np.linalg.norm([100.0, 10.0, 10.0]), rtol=1e-6)
    # rigid modes strain nothing: lengths along the bar stay as they were, to first order
    x = arrays["node_coordinates"]
    a, b = x[0], x[20]
    change = (shapes[:, 20] - shapes[:, 0]) @ (b - a) / np.linalg.norm(b - a)
    assert np.abs(change[:6]).max() < 1e-5


def test_effective_masses_of_a_free_bar_are_those_of_its_rigid_modes(tmp_path: Path) -> None:
    deck = bar_of_solids(2, (10, 1, 1))
    ask(deck, "7")
    done = solve(deck, tmp_path)
    text = (done.directory / "eigout").read_text()
    total, sum_of = (
        np.array([float(x) for x in re.search(rf"^ +{word}(.*)$", text, re.MULTILINE).group(1).split()])
        for word in ("TOTAL", "SUM")
    )
    np.testing.assert_allclose(sum_of, total, rtol=1e-5)
    assert total[0] == pytest.approx(7.85e-6 * 1e4, rel=1e-5)


REFUSED = {
    "another method": ("5,,,,,,102", "EIGMTH = 102"),
    "other elements": ("5\n,,16", "ISHELL = 16"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_missing_is_refused_by_name(what: str, tmp_path: Path) -> None:
    fields, name = REFUSED[what]
    deck = bar_of_solids(1, (2, 1, 1))
    ask(deck, fields)
    done = solve(deck, tmp_path, status=2)
    assert re.search(rf"error CR-D320: \*CONTROL_IMPLICIT_EIGENVALUE: {name}: ", done.said), done.said


def test_modes_need_no_first_step_and_are_the_same_on_threads(tmp_path: Path) -> None:
    found = []
    for threads in (1, 2):
        deck = bar_of_shells(16, (12, 2))
        ask(deck, "12", control="1")
        found.append(modes(solve(deck, tmp_path / str(threads), threads=threads)))
    np.testing.assert_array_equal(found[0], found[1])
