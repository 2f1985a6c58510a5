"""Consistent masses of solids against closed forms: modes of rods, rigid motion, waves, energy."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, solve
from small_decks import Deck
from solver_run import Run
from test_dynamics import dynamics, energy, history, newmark, watch
from test_eigenvalues import ask, assert_rigid, modes

#: kg, mm, ms, kN; no Poisson's ratio, so that rods have one stress
YOUNG, DENSITY = 210.0, 7.85e-6
ROD = f"ELASTIC,{DENSITY},{YOUNG},0.0"
SPEED = np.sqrt(YOUNG / DENSITY)
LENGTH, CELLS, SIDE = 60.0, 6, 4.0
STEP = LENGTH / CELLS


def consistent(deck: Deck, flag: int = 1) -> None:
    deck.add(f"*CONTROL_IMPLICIT_CONSISTENT_MASS\n{flag}")


def rod(elform: int = 2, held: bool = True) -> tuple[Deck, list[int]]:
    """A row of bricks along x that move along x alone; the nodes, four at each section."""
    deck = Deck()
    deck.part(1, f"SOLID,{elform}", ROD)
    nodes = deck.block(1, (CELLS, 1, 1), (0.0, 0.0, 0.0), (LENGTH, SIDE, SIDE))
    for n in nodes:
        first = held and (n - 1) % (CELLS + 1) == 0
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{int(first)},1,1")
    return deck, nodes


def frequency(kh: float) -> float:
    """Angular, of a wave in a row of linear elements with consistent masses (Belytschko and Mullen 1978)."""
    return SPEED / STEP * np.sqrt(6 * (1 - np.cos(kh)) / (2 + np.cos(kh)))


def matrices(cells: int, end_mass: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and consistent masses of a rod that is held at its first node."""
    stiffness, mass = np.zeros((2, cells + 1, cells + 1))
    for e in range(cells):
        own = slice(e, e + 2)
        stiffness[own, own] += YOUNG * SIDE**2 / STEP * np.array([[1, -1], [-1, 1]])
        mass[own, own] += DENSITY * SIDE**2 * STEP / 6 * np.array([[2, 1], [1, 2]])
    mass[-1, -1] += end_mass
    return stiffness[1:, 1:], mass[1:, 1:]


def nearest(found: np.ndarray, exact: Sequence[float]) -> np.ndarray:
    return np.array([found[np.argmin(np.abs(found - f))] for f in exact])


@pytest.mark.parametrize("elform", [1, 2, -1])
def test_frequencies_of_a_rod(elform: int, tmp_path: Path) -> None:
    """Held at one end: k = (2 m - 1) pi / 2 L. Masses at nodes give sqrt(2 (1 - cos)), up to 40 % less."""
    deck, _ = rod(elform)
    ask(deck, "24")
    consistent(deck)
    found = modes(solve(deck, tmp_path))[:, 1]
    exact = [frequency((2 * m - 1) * np.pi / 2 / CELLS) for m in range(1, CELLS + 1)]
    assert nearest(found, exact) == pytest.approx(exact, rel=1e-6)


def test_without_the_flag_masses_are_at_nodes(tmp_path: Path) -> None:
    deck, _ = rod()
    ask(deck, "24")
    consistent(deck, 0)
    found = modes(solve(deck, tmp_path))[:, 1]
    angles = [(2 * m - 1) * np.pi / 2 / CELLS for m in range(1, CELLS + 1)]
    exact = [SPEED / STEP * np.sqrt(2 * (1 - np.cos(a))) for a in angles]
    assert nearest(found, exact) == pytest.approx(exact, rel=1e-6)


def totals(done: Run) -> np.ndarray:
    """r' M r of the six rigid motions, from the table of eigout."""
    text = (done.directory / "eigout").read_text()
    rows = re.findall(r"^ *TOTAL(?: MASS)?((?: +[-+.\dE]+){6}) *$", text, re.MULTILINE | re.IGNORECASE)
    assert rows, text
    return np.array([float(x) for x in rows[-1].split()])


def tetrahedra(deck: Deck, x: np.ndarray, quadratic: bool) -> None:
    """A brick as six tetrahedra around its diagonal."""
    numbers: dict[tuple[float, ...], int] = {}

    def node(p: np.ndarray) -> int:
        key = tuple(np.round(p, 9))
        if key not in numbers:
            numbers[key] = deck.node(tuple(p))
        return numbers[key]

    ring = (1, 2, 3, 7, 4, 5)  # around the diagonal from corner 0 to corner 6
    for k in range(6):
        corners = [x[0], x[ring[k]], x[ring[(k + 1) % 6]], x[6]]
        if np.linalg.det([c - corners[0] for c in corners[1:]]) < 0:
            corners[1], corners[2] = corners[2], corners[1]
        ids = [node(c) for c in corners]
        if quadratic:
            edges = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
            ids += [node((corners[a] + corners[b]) / 2) for a, b in edges]
            deck.elements += 1
            deck.add(f"*ELEMENT_SOLID\n{deck.elements},1\n{','.join(map(str, ids))}")
        else:
            deck.element("SOLID", 1, ids + [ids[3]] * 4)


@pytest.mark.parametrize("kind", ["brick", "wedge", "tetrahedron", "ten nodes"])
def test_rigid_motions_have_exact_inertia(kind: str, tmp_path: Path) -> None:
    """The total of effective masses is r' M r: the mass, and the inertia about the origin, of the body."""
    deck = Deck()
    elform = {"brick": 2, "wedge": 15, "tetrahedron": 10, "ten nodes": 16}[kind]
    deck.part(1, f"SOLID,{elform}", ROD)
    low, size = np.array([3.0, -2.0, 1.0]), np.array([10.0, 6.0, 4.0])
    unit = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    x = low + size * np.array(unit)
    if kind == "brick":
        deck.element("SOLID", 1, [deck.node(tuple(p)) for p in x])
    elif kind == "wedge":
        n = [deck.node(tuple(p)) for p in x]
        for a, b, c in ((0, 1, 2), (0, 2, 3)):  # with repeated nodes: 5 = 6, 7 = 8
            deck.element("SOLID", 1, (n[b], n[a], n[a + 4], n[b + 4], n[c], n[c], n[c + 4], n[c + 4]))
    else:
        tetrahedra(deck, x, kind == "ten nodes")
    ask(deck, "12")
    consistent(deck)
    done = solve(deck, tmp_path)
    assert_rigid(modes(done), 6)
    mass = DENSITY * size.prod()
    centre = low + size / 2
    squares = mass * (centre**2 + size**2 / 12)
    exact = [mass] * 3 + [squares.sum() - s for s in squares]
    assert totals(done) == pytest.approx(exact, rel=1e-5)


def with_rigid_end() -> Deck:
    """The rod with one more brick at its end that is rigid, of the same mass as another."""
    deck, nodes = rod()
    deck.part(2, "SOLID,1", f"RIGID,{DENSITY},{YOUNG},0.0|1.,5.,7.|")
    end = [n for n in nodes if (n - 1) % (CELLS + 1) == CELLS]
    far = [deck.node((LENGTH + STEP, SIDE * (k % 2), SIDE * (k // 2))) for k in range(4)]
    a, b = end, far
    deck.element("SOLID", 2, (a[0], b[0], b[1], a[1], a[2], b[2], b[3], a[3]))
    text = deck.text().removesuffix("*END\n")
    for n in end:  # the body holds them
        text = text.replace(f"*BOUNDARY_SPC_NODE\n{n},0,0,1,1\n", "")
    deck.lines = text.splitlines()
    return deck


def test_frequencies_with_a_rigid_end(tmp_path: Path) -> None:
    """Masses couple nodes of the rod with those of the body."""
    from scipy.linalg import eigh

    deck = with_rigid_end()
    ask(deck, "22")
    consistent(deck)
    found = modes(solve(deck, tmp_path))[:, 1]
    exact = np.sqrt(eigh(*matrices(CELLS, DENSITY * SIDE**2 * STEP), eigvals_only=True))
    assert nearest(found, exact) == pytest.approx(exact, rel=1e-6)


def moving_rod(n: int, dt: float, fields: str, mode: int, v0: float) -> Deck:
    """A mode of the rod as its initial velocity."""
    deck, nodes = rod()
    control(deck, n, n * dt)
    dynamics(deck, fields)
    consistent(deck)
    k = (2 * mode - 1) * np.pi / 2 / LENGTH
    for node in nodes:
        x = STEP * ((node - 1) % (CELLS + 1))
        if x > 0:
            deck.add(f"*INITIAL_VELOCITY_NODE\n{node},{float(v0 * np.sin(k * x))!r}")
    watch(deck, CELLS + 1)
    return deck


@pytest.mark.parametrize("alpha", [0.0, -0.1])
@pytest.mark.parametrize("mode", [1, CELLS])
def test_modes_oscillate(mode: int, alpha: float, tmp_path: Path) -> None:
    """The recursion of the method with the frequency of the mode; energy as 1/2 v' M v at the start."""
    kh = (2 * mode - 1) * np.pi / 2 / CELLS
    omega, n, v0 = frequency(kh), 40, 1e-4
    dt = 0.3 / omega
    done = solve(moving_rod(n, dt, f"1,,,,,,,{alpha}", mode, v0), tmp_path)
    at_end = v0 * np.sin(kh * CELLS)
    exact = newmark(omega, dt, n, alpha, at_end)
    size = np.abs(exact).max(axis=0)
    for k, what in enumerate(("x_displacement", "x_velocity", "x_acceleration")):
        assert history(done, what) == pytest.approx(exact[:, k], abs=2e-6 * size[k])
    shape = v0 * np.sin(kh * np.arange(1, CELLS + 1))
    kinetic = 0.5 * shape @ matrices(CELLS)[1] @ shape
    assert energy(done, "kinetic_energy")[0] == pytest.approx(kinetic, rel=1e-9)
    if alpha == 0.0:
        assert energy(done, "total_energy") == pytest.approx(kinetic, rel=1e-6)
        assert energy(done, "energy_ratio") == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("body", [False, True])
def test_work_of_a_drive(body: bool, tmp_path: Path) -> None:
    """A node section, or a rigid end, that gains speed evenly: its work is all the energy there is."""
    deck, nodes = (with_rigid_end(), []) if body else rod(held=False)
    n, dt = 30, 0.4 * STEP / SPEED
    control(deck, n, n * dt)
    dynamics(deck)
    consistent(deck)
    deck.add(f"*DEFINE_CURVE\n9\n0.,0.\n{float(10 * n * dt)!r},{float(10 * n * dt * 0.01)!r}")
    if body:
        deck.add("*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,1,0,9,1.")
    for node in nodes:
        if (node - 1) % (CELLS + 1) == 0:
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},1,0,9,1.")
    done = solve(deck, tmp_path)
    assert energy(done, "external_work")[-1] > 0.0
    assert energy(done, "energy_ratio")[1:] == pytest.approx(1.0, rel=1e-6)


def test_elements_that_have_no_such_masses_are_refused(tmp_path: Path) -> None:
    deck, _ = rod()
    deck.part(2, "SHELL,16,0.8333,2|1.,1.,1.,1.", ROD)
    deck.plate(2, (1, 1), lambda u, v: (u, v, 50.0))
    ask(deck, "3")
    consistent(deck)
    done = solve(deck, tmp_path, status=2)
    assert re.search(r"CR-I101.*shell elements with consistent masses", done.said.replace("\n", " "))


def test_statics_have_no_use_for_it(tmp_path: Path) -> None:
    deck, _ = rod()
    control(deck)
    consistent(deck)
    assert "*CONTROL_IMPLICIT_CONSISTENT_MASS has no effect" in solve(deck, tmp_path).said


def test_other_flags_are_an_error(tmp_path: Path) -> None:
    deck, _ = rod()
    ask(deck, "3")
    consistent(deck, 2)
    assert "IFLAG = 2" in solve(deck, tmp_path, status=2).said
