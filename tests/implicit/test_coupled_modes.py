"""Modes with rigid bodies, ties, node sets, interpolations and contacts; and against ARPACK."""

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from implicit_decks import solve
from small_decks import Deck
from solver_run import Run
from test_eigenvalues import ask, assert_rigid, counts, modes

STEEL = "ELASTIC,7.85e-6,210.,0.0"


def eigenvalues(done: Run) -> np.ndarray:
    """All digits: the times of d3eigv are frequencies."""
    from lasso.dyna import D3plot

    cycles = D3plot(str(done.directory / "d3eigv")).arrays["timesteps"]
    return np.sign(cycles) * (2 * np.pi * cycles) ** 2


def roots_of(f, low: float, high: float, number: int) -> list[float]:
    """The first sign changes of f, by bisection."""
    grid = np.linspace(low, high, 4000)
    values = [f(x) for x in grid]
    roots = []
    for k in range(1, len(grid)):
        if values[k - 1] * values[k] >= 0:
            continue
        a, b = grid[k - 1], grid[k]
        for _ in range(60):
            middle = (a + b) / 2
            a, b = (middle, b) if f(a) * f(middle) > 0 else (a, middle)
        roots.append((a + b) / 2)
        if len(roots) == number:
            return roots
    raise AssertionError(roots)


def tip_body_frequencies(length, bending, per_length, mass, inertia, offset) -> list[float]:
    """In cycles: E I w'' = o^2 (J w' + M c w_c) and E I w''' = -o^2 M w_c at the tip."""

    def determinant(beta: float) -> float:
        o2 = beta**4 * bending / per_length
        x = beta * length
        ch, sh, c, s = math.cosh(x), math.sinh(x), math.cos(x), math.sin(x)
        rows = []
        for w, w1, w2, w3 in ((ch - c, sh + s, ch + c, sh - s), (sh - s, ch - c, sh + s, ch + c)):
            w1, w2, w3 = w1 * beta, w2 * beta**2, w3 * beta**3
            at_centre = w + offset * w1
            rows.append(
                (
                    bending * w2 - o2 * (inertia * w1 + mass * offset * at_centre),
                    bending * w3 + o2 * mass * at_centre,
                )
            )
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]

    betas = roots_of(determinant, 1e-4, 8.0 / length, 2)
    return [beta**2 * math.sqrt(bending / per_length) / (2 * math.pi) for beta in betas]


@pytest.mark.parametrize("given", [False, True])
def test_beam_with_a_rigid_body_at_its_tip(given: bool, tmp_path: Path) -> None:
    """Frequencies of bending in both planes, with the body's mass from its elements, or given."""
    length, side, cells, depth, density = 100.0, 2.0, 40, 8.0, 2e-5
    deck = Deck()
    area, second = side**2, side**4 / 12
    deck.part(1, f"BEAM,2,0.8333|{area},{second},{second},{2 * second}", STEEL)
    nodes = [deck.node((length * i / cells, 0.0, 0.0), 7 if i == 0 else 0) for i in range(cells + 1)]
    third = deck.node((0.0, 0.0, 10.0), 7)
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    mass = density * depth**3
    inertia, offset = mass * depth**2 / 2, depth / 2  # of masses at the corners
    if given:
        inertia, offset = 1.5 * inertia, 5.0
        deck.add(f"*PART_INERTIA\ntip\n2,2,2\n{length + offset},0.,0.,{mass!r},0")
        deck.add(f"{inertia!r},0.,0.,{inertia!r},0.,{inertia!r}\n,")
        deck.add(f"*SECTION_SOLID\n2,1\n*MAT_RIGID\n2,{density},210.,0.3\n0.\n,")
    else:
        deck.part(2, "SOLID,1", f"RIGID,{density},210.,0.3|0.|")
    deck.block(2, (1, 1, 1), (length, -depth / 2, -depth / 2), (depth, depth, depth))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n2,{nodes[-1]}")
    ask(deck, "8")
    done = solve(deck, tmp_path)
    counted, found = counts(done)
    assert counted == found >= 8
    exact = tip_body_frequencies(length, 210.0 * second, 7.85e-6 * area, mass, inertia, offset)
    cycles = modes(done)[:, 2]
    for f in exact:
        pair = np.sort(np.abs(cycles / f - 1))[:2]
        assert pair.max() < 0.01, (cycles, exact)


def bar(joined: str) -> Deck:
    """A cantilever of solids: one bar, or two that are joined at their ends, where their nodes meet."""
    deck = Deck()
    deck.part(1, "SOLID,2", STEEL)
    if joined == "one":
        ids = deck.block(1, (20, 2, 2), (0.0, 0.0, 0.0), (100.0, 10.0, 12.0))
        held = ids[0::21]
    else:
        deck.part(2, "SOLID,2", STEEL)
        left = deck.block(1, (10, 2, 2), (0.0, 0.0, 0.0), (50.0, 10.0, 12.0))
        right = deck.block(2, (10, 2, 2), (50.0, 0.0, 0.0), (50.0, 10.0, 12.0))
        held, a, b = left[0::11], left[10::11], right[0::11]
        if joined == "tied":
            deck.set("NODE", 7, b)
            deck.set("PART", 8, (1,))
            deck.add("*CONTACT_TIED_NODES_TO_SURFACE\n7,8,4,2\n,\n,")
        for k, (m, n) in enumerate(zip(a, b, strict=True), start=20):
            if joined == "sets":
                deck.set("NODE", k, (m, n))
                deck.add(f"*CONSTRAINED_NODE_SET\n{k},7")
            elif joined == "welds":
                deck.add(f"*CONSTRAINED_SPOTWELD\n{m},{n}")
            elif joined == "means":
                deck.set("NODE", k, (m,))
                deck.add(f"*CONSTRAINED_INTERPOLATION\n{k},{n},123,0,1\n{k},123,1.")
    deck.set("NODE", 1, held)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    return deck


@pytest.mark.parametrize("joined", ["tied", "sets", "welds", "means"])
def test_two_bars_that_are_joined_are_one(joined: str, tmp_path: Path) -> None:
    found = []
    for kind in ("one", joined):
        deck = bar(kind)
        ask(deck, "12")
        done = solve(deck, tmp_path / kind)
        counted, number = counts(done)
        assert counted == number
        found.append(eigenvalues(done))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8)


def test_plates_that_are_tied_at_an_angle_are_free(tmp_path: Path) -> None:
    """Ties with arms, by mean rotations and by those of shells: six rigid modes."""
    deck = Deck()
    deck.part(1, "SHELL,16,0.8333,2|2.,2.,2.,2.", STEEL)
    deck.part(2, "SHELL,16,0.8333,2|2.,2.,2.,2.", STEEL)
    deck.part(3, "SOLID,2", STEEL)
    deck.plate(1, (4, 4), lambda u, v: (20 * u, 20 * v, 0.0))
    upper = deck.plate(2, (3, 3), lambda u, v: (10.0 + u, 4.0 + 12 * v, 1.2 + 15 * u))
    deck.block(3, (2, 2, 2), (2.0, 3.0, -7.2), (9.0, 8.0, 6.0))
    deck.set("NODE", 7, [row[0] for row in upper])
    deck.set("PART", 8, (1,))
    deck.set("PART", 9, (3,))
    deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_CONSTRAINED_OFFSET\n7,8,4,2\n,\n,,-2.,-2.")
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE_CONSTRAINED_OFFSET\n9,8,2,2\n,\n,,-2.,-2.")
    ask(deck, "10")
    done = solve(deck, tmp_path)
    assert_rigid(modes(done), 6)
    counted, number = counts(done)
    assert counted == number


def block_on_springs() -> tuple[Deck, np.ndarray]:
    """A rigid block on springs between its nodes and the ground; its eigenvalues."""
    rng = np.random.default_rng(4)
    deck = Deck()
    size = np.array([4.0, 3.0, 2.0])
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    ids = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), tuple(size))
    x = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 1)], float) * size
    stiffness = np.zeros((6, 6))
    for number in range(8):
        k = round(float(rng.uniform(0.5, 2.0)), 4)
        deck.part(10 + number, "DISCRETE,0", f"SPRING_ELASTIC,{k}")
        away = np.round(rng.normal(size=3), 4) * 5
        ground = deck.node(tuple(x[number] + away), 7)
        deck.element("DISCRETE", 10 + number, (ground, ids[number]))
        e = away / np.linalg.norm(away)
        row = np.concatenate([e, np.cross(x[number] - size / 2, e)])
        stiffness += k * np.outer(row, row)
    mass = 7.85e-6 * size.prod()
    # lumped at eight corners
    moments = (
        mass
        / 4
        * np.array([size[1] ** 2 + size[2] ** 2, size[2] ** 2 + size[0] ** 2, size[0] ** 2 + size[1] ** 2])
    )
    half = 1 / np.sqrt([mass] * 3 + list(moments))
    return deck, np.linalg.eigvalsh(stiffness * np.outer(half, half))


def test_a_rigid_body_on_springs(tmp_path: Path) -> None:
    deck, exact = block_on_springs()
    ask(deck, "6")
    done = solve(deck, tmp_path)
    np.testing.assert_allclose(eigenvalues(done), exact, rtol=1e-8)


def test_a_free_rigid_body_has_its_mass_in_six_modes(tmp_path: Path) -> None:
    """A plate on a rigid block: effective masses of rigid modes are those of both."""
    deck = Deck()
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.part(2, "SHELL,16,0.8333,2|2.,2.,2.,2.", STEEL)
    ids = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    grid = deck.plate(2, (4, 4), lambda u, v: (10 + 20 * u, 10 * v, 10.0))
    deck.set("NODE", 5, [row[0] for row in grid])
    deck.add("*CONSTRAINED_EXTRA_NODES_SET\n1,5")
    ask(deck, "8")
    done = solve(deck, tmp_path)
    assert ids
    assert_rigid(modes(done), 6)
    text = (done.directory / "eigout").read_text()
    table = text[text.index("MODAL EFFECTIVE MASS") :].splitlines()
    masses = np.array([[float(v) for v in row.split()[1:]] for row in table[2:8]])
    whole = 7.85e-6 * (1000.0 + 400.0)
    np.testing.assert_allclose(masses[:, :3].sum(axis=0), whole, rtol=1e-5)


def test_contact_that_presses_is_a_spring(tmp_path: Path) -> None:
    """Two rods, one on the other, pressed together by d: their axial modes with p' = k between them."""
    length, cells, overlap = 10.0, 10, 0.05
    deck = Deck()
    for number in (1, 2):
        deck.part(number, "SOLID,2", STEEL)
    lower = deck.block(1, (2, 2, cells), (0.0, 0.0, 0.0), (2.0, 2.0, length))
    upper = deck.block(2, (2, 2, cells), (0.0, 0.0, length - overlap), (2.0, 2.0, length))
    for n in (*lower, *upper):
        held = "1,1,1" if n in lower[:9] else "1,1,0"
        deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,{held}")
    deck.set("PART", 8, (1,))
    deck.set("PART", 9, (2,))
    deck.add("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR\n9,8,2,2\n0.\n,")
    ask(deck, "12")
    done = solve(deck, tmp_path)
    young, density = 210.0, 7.85e-6
    k = 100 * 0.1 * (young / 3) / 1.0  # per area, L = 1
    speed = math.sqrt(young / density)

    def balance(omega: float) -> float:
        q = omega / speed
        lower_rod = math.cos(q * length) * young * q  # times 1 / sin
        upper_rod = math.sin(q * length) * young * q  # times 1 / cos
        s, c = math.sin(q * length), math.cos(q * length)
        # 1 / a + 1 / k = 1 / b with a = lower_rod / s, b = upper_rod / c, times all denominators
        return s * k * upper_rod + lower_rod * upper_rod - c * lower_rod * k

    exact = np.array(roots_of(balance, 1e-3, 4 * math.pi * speed / (2 * length), 3)) / (2 * math.pi)
    assert exact[0] < 0.995 * speed / (8 * length)  # softer than one rod
    found = modes(done)[:, 2]
    assert found[0] == pytest.approx(exact[0], rel=1e-3)
    nearest = [np.abs(found / f - 1).min() for f in exact]
    assert np.all(np.array(nearest) < [1e-3, 5e-3, 0.015])


def network(rigid: bool) -> tuple[Deck, scipy.sparse.csr_matrix, scipy.sparse.csr_matrix]:
    """Masses at random places, springs between them; with a rigid body of four nodes if asked. K and M."""
    rng = np.random.default_rng(7)
    number, held = 150, 3
    x = np.round(rng.uniform(0.0, 10.0, (number, 3)), 5)
    deck = Deck()
    for k, p in enumerate(x):
        deck.node(tuple(p), 7 if k < held else 0)
    mass = np.round(rng.uniform(0.5, 2.0, number), 5)
    for k in range(held, number):
        deck.add(f"*ELEMENT_MASS\n{1000 + k},{k + 1},{mass[k]}")
    stiffness = scipy.sparse.lil_matrix((3 * number, 3 * number))
    for kind, k in enumerate((0.7, 1.3, 2.9), start=1):
        deck.part(kind, "DISCRETE,0", f"SPRING_ELASTIC,{k}")
    far = np.linalg.norm(x[:, None] - x[None], axis=2)
    for a in range(number):
        for b in np.argsort(far[a])[1:12]:
            if b < a and a in np.argsort(far[b])[1:12]:
                continue  # it is there
            kind = int(rng.integers(0, 3))
            deck.element("DISCRETE", kind + 1, (a + 1, int(b) + 1))
            e = (x[b] - x[a]) / far[a, b]
            block = (0.7, 1.3, 2.9)[kind] * np.outer(e, e)
            for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                stiffness[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] += sign * block
    columns = list(range(3 * held, 3 * number))
    t = scipy.sparse.identity(3 * number, format="csr")[:, columns]
    if rigid:
        members = np.array([20, 57, 83, 101])
        deck.set("NODE", 5, members + 1)
        deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n77,0,5")
        free = [c for c in columns if c // 3 not in members]
        whole = scipy.sparse.lil_matrix((3 * number, len(free) + 6))
        for column, c in enumerate(free):
            whole[c, column] = 1.0
        centre = x[members].mean(axis=0)
        for m in members:
            r = x[m] - centre
            lever = np.array([[0, r[2], -r[1]], [-r[2], 0, r[0]], [r[1], -r[0], 0]])
            whole[3 * m : 3 * m + 3, len(free) : len(free) + 3] = np.eye(3)
            whole[3 * m : 3 * m + 3, len(free) + 3 :] = lever
        t = whole.tocsr()
    masses = scipy.sparse.diags(np.repeat(mass, 3))
    return deck, (t.T @ stiffness.tocsr() @ t).tocsc(), (t.T @ masses @ t).tocsc()


@pytest.mark.parametrize("rigid", [False, True])
def test_like_arpack(rigid: bool, tmp_path: Path) -> None:
    """Eigenvalues and their count against scipy's eigsh, of a matrix that is not ours."""
    deck, stiffness, mass = network(rigid)
    ask(deck, "25")
    done = solve(deck, tmp_path)
    exact = np.sort(scipy.sparse.linalg.eigsh(stiffness, 25, mass, sigma=0.0, return_eigenvectors=False))
    np.testing.assert_allclose(eigenvalues(done), exact, rtol=1e-8)
    counted, found = counts(done)
    assert counted == found
    every = scipy.linalg.eigh(stiffness.toarray(), mass.toarray(), eigvals_only=True)
    assert counted == np.count_nonzero(every <= exact[-1] * (1 + 1e-6))
