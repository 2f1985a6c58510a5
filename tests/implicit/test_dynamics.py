"""Dynamics against closed forms: discrete oscillators, waves, spinning bodies, prescribed motion."""

from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, solve
from small_decks import STEEL, Deck
from solver_run import Run

SPRING, MASS = 2.0, 0.5  # an oscillator with the angular frequency 2
OMEGA = np.sqrt(SPRING / MASS)


def dynamics(deck: Deck, fields: str = "1") -> None:
    deck.add(f"*CONTROL_IMPLICIT_DYNAMICS\n{fields}")


def watch(deck: Deck, *nodes: int) -> None:
    """nodout of these nodes."""
    for n in nodes:
        deck.add(f"*DATABASE_HISTORY_NODE\n{n}")


def oscillator(steps: int, end: float, fields: str = "1", speed: float = 0.0, **of_control) -> Deck:
    """A mass on a spring along x; node 2 moves."""
    deck = Deck()
    control(deck, steps, end, **of_control)
    dynamics(deck, fields)
    deck.part(1, "DISCRETE,0", f"SPRING_ELASTIC,{SPRING}")
    deck.node((0.0, 0.0, 0.0), 7)
    deck.node((1.0, 0.0, 0.0))
    deck.element("DISCRETE", 1, (1, 2))
    deck.add(f"*ELEMENT_MASS\n91,2,{MASS}\n*BOUNDARY_SPC_NODE\n2,0,0,1,1")
    if speed:
        deck.add(f"*INITIAL_VELOCITY_NODE\n2,{speed}")
    watch(deck, 2)
    return deck


def history(done: Run, what: str, node: int = 0) -> np.ndarray:
    """A column of nodout over time, of the node with this place among those that are watched."""
    rows = histories(done)
    return rows.read("nodout", what).reshape(-1, len(rows.read("nodout", "ids")))[:, node]


def energy(done: Run, what: str) -> np.ndarray:
    return histories(done).read("glstat", what)


def newmark(omega: float, dt: float, n: int, alpha: float, v0: float) -> np.ndarray:
    """(n + 1, 3): motion of a free oscillator: u, v, a (Hilber, Hughes, Taylor 1977)."""
    gamma, beta = 0.5 - alpha, 0.25 * (1 - alpha) ** 2
    u, v, a = 0.0, v0, 0.0
    rows = [(u, v, a)]
    for _ in range(n):
        # a+ + (1 + alpha) w^2 u+ - alpha w^2 u = 0 with u+ = reach + beta dt^2 a+
        reach = u + dt * v + dt**2 * (0.5 - beta) * a
        right = alpha * omega**2 * u - (1 + alpha) * omega**2 * reach
        a_next = right / (1 + (1 + alpha) * omega**2 * beta * dt**2)
        u = reach + beta * dt**2 * a_next
        v += dt * ((1 - gamma) * a + gamma * a_next)
        a = a_next
        rows.append((u, v, a))
    return np.array(rows)


@pytest.mark.parametrize("steps_a_period", [8, 40])
def test_period_of_average_acceleration(steps_a_period: int, tmp_path: Path) -> None:
    """Exact: u_n = v0 / w sin(n a), tan(a / 2) = w dt / 2 (Hughes 2000, section 9.1)."""
    dt, n = 2 * np.pi / OMEGA / steps_a_period, 5 * steps_a_period
    done = solve(oscillator(n, n * dt, speed=0.01), tmp_path)
    k = np.arange(n + 1)
    angle = 2 * np.arctan(0.5 * OMEGA * dt)
    assert history(done, "x_displacement") == pytest.approx(0.01 / OMEGA * np.sin(k * angle), abs=1e-10)
    assert history(done, "x_velocity") == pytest.approx(0.01 * np.cos(k * angle), abs=1e-10)
    assert history(done, "x_acceleration") == pytest.approx(-0.01 * OMEGA * np.sin(k * angle), abs=1e-10)
    assert energy(done, "total_energy") == pytest.approx(0.5 * MASS * 0.01**2, rel=1e-9)
    assert energy(done, "energy_ratio") == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("alpha", [-0.05, -0.3])
@pytest.mark.parametrize("by_step", [0.3, 3.0])
def test_damping_of_hilber_hughes_taylor(alpha: float, by_step: float, tmp_path: Path) -> None:
    """Against their recursion, and its decay against the spectral radius of the amplification matrix."""
    dt, n = by_step / OMEGA, 120 if by_step < 1 else 45
    done = solve(oscillator(n, n * dt, f"1,,,,,,,{alpha}", speed=0.01), tmp_path)
    exact = newmark(OMEGA, dt, n, alpha, 0.01)
    for k, what in enumerate(("x_displacement", "x_velocity", "x_acceleration")):
        assert history(done, what) == pytest.approx(exact[:, k], abs=1e-10)
    # columns: where unit u, dt v, dt^2 a go in a step
    gamma, beta = 0.5 - alpha, 0.25 * (1 - alpha) ** 2
    w2 = by_step**2
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 + alpha) * w2, 0, 1]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [alpha * w2, 0, 0]])
    radius = np.abs(np.linalg.eigvals(np.linalg.solve(left, right))).max()
    u = history(done, "x_displacement")
    top = [np.abs(u[m : m + n // 3]).max() for m in (0, 2 * n // 3)]
    assert radius < 1
    assert (top[1] / top[0]) ** (1.5 / n) == pytest.approx(radius, rel=0.02)


def test_defaults_without_alpha_and_own_constants(tmp_path: Path) -> None:
    """GAMMA = 0.6, BETA = 0.38: more damping; the screen names them."""
    done = solve(oscillator(100, 50.0, "1,0.6,0.38", speed=0.01), tmp_path)
    assert "Newmark's method, gamma 0.6, beta 0.38" in done.stdout
    assert energy(done, "total_energy")[-1] < 0.2 * energy(done, "total_energy")[0]


def test_damping_by_mass(tmp_path: Path) -> None:
    """v+ = v (1 - D dt / 2) / (1 + D dt / 2) without a spring's force; what is lost is in glstat."""
    rate, dt, n = 0.8, 0.25, 20
    deck = Deck()
    control(deck, n, n * dt)
    dynamics(deck)
    deck.node((0.0, 0.0, 0.0))
    deck.add(f"*ELEMENT_MASS\n91,1,{MASS}\n*INITIAL_VELOCITY_NODE\n1,3.0\n*DAMPING_GLOBAL\n0,{rate}")
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (5.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    watch(deck, 1)
    done = solve(deck, tmp_path)
    factor = (1 - 0.5 * rate * dt) / (1 + 0.5 * rate * dt)
    assert history(done, "x_velocity") == pytest.approx(3.0 * factor ** np.arange(n + 1), rel=1e-9)
    lost = 0.5 * MASS * 9.0 * (1 - factor ** (2 * np.arange(n + 1)))
    assert energy(done, "system_damping_energy") == pytest.approx(lost, abs=1e-9)
    assert energy(done, "energy_ratio") == pytest.approx(1.0, rel=1e-9)


def test_damping_of_parts(tmp_path: Path) -> None:
    """One of two bodies is damped, along x only."""
    rate, dt, n = 0.5, 0.2, 10
    deck = Deck()
    control(deck, n, n * dt)
    dynamics(deck)
    for part, y in ((1, 0.0), (2, 5.0)):
        deck.part(part, "SOLID,2", f"ELASTIC,{STEEL}")
        deck.block(part, (1, 1, 1), (0.0, y, 0.0), (1.0, 1.0, 1.0))
    for node in range(1, 17):
        deck.add(f"*INITIAL_VELOCITY_NODE\n{node},1.0,2.0")
    deck.add("*DEFINE_CURVE\n9\n0.,1.\n100.,1.")
    deck.add(f"*DAMPING_PART_MASS\n2,9,{rate},1\n1.,0.,0.,0.,0.,0.")
    watch(deck, 1, 9)
    done = solve(deck, tmp_path)
    factor = (1 - 0.5 * rate * dt) / (1 + 0.5 * rate * dt)
    assert history(done, "x_velocity", 0) == pytest.approx(1.0, rel=1e-9)
    assert history(done, "x_velocity", 1) == pytest.approx(factor ** np.arange(n + 1), rel=1e-8)
    assert history(done, "y_velocity", 1) == pytest.approx(2.0, rel=1e-9)


def bar(cells: int, length: float, law: str = "ELASTIC,7.85e-6,210.,0.") -> tuple[Deck, list[int], list[int]]:
    """A bar of bricks along x, 1 by 1; nodes of both ends. Motion is along x only."""
    deck = Deck()
    deck.part(1, "SOLID,2", law)
    ids = deck.block(1, (cells, 1, 1), (0.0, 0.0, 0.0), (length, 1.0, 1.0))
    deck.set("NODE", 1, ids)
    deck.add("*BOUNDARY_SPC_SET\n1,0,0,1,1")
    return deck, ids[0 :: cells + 1], ids[cells :: cells + 1]


def test_a_bar_hit_by_a_step_load(tmp_path: Path) -> None:
    """Its end moves with F / (A rho c) until the wave comes back: to twice the static displacement."""
    cells, length, load = 100, 100.0, 1e-3
    speed = np.sqrt(210.0 / 7.85e-6)
    steps = 200
    end = 2 * length / speed
    deck, near, far = bar(cells, length)
    control(deck, steps, end)
    dynamics(deck)
    deck.set("NODE", 2, near)
    deck.add("*BOUNDARY_SPC_SET\n2,0,1,0,0")
    deck.add(f"*DEFINE_CURVE\n7\n0.,1.\n{10 * end},1.")
    for n in far:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,7,{load / 4!r}")
    watch(deck, far[0])
    done = solve(deck, tmp_path)
    velocity = load / (7.85e-6 * speed)
    time = np.linspace(0.0, end, steps + 1)
    u = history(done, "x_displacement")
    assert u == pytest.approx(velocity * time, abs=0.012 * velocity * end)
    assert u[-1] == pytest.approx(2 * load * length / 210.0, rel=0.015)  # fronts are some bricks wide
    assert energy(done, "energy_ratio")[1:] == pytest.approx(1.0, abs=1e-5)
    assert energy(done, "external_work")[-1] == pytest.approx(load * u[-1], rel=1e-6)
    # the first acceleration is that of the load on the node
    assert history(done, "x_acceleration")[0] == pytest.approx(load / (7.85e-6 * 0.5), rel=1e-6)


def test_energy_of_linear_motion_is_constant(tmp_path: Path) -> None:
    """The trapezoidal rule keeps it: all modes of a free bar, at 3 steps a period of the first."""
    deck, near, far = bar(10, 10.0)
    dt = 2 * 10.0 / np.sqrt(210.0 / 7.85e-6) / 3
    control(deck, 60, 60 * dt)
    dynamics(deck)
    for n in far:
        deck.add(f"*INITIAL_VELOCITY_NODE\n{n},1e-3")
    watch(deck, near[0])
    done = solve(deck, tmp_path)
    total = energy(done, "total_energy")
    assert total == pytest.approx(total[0], rel=1e-8)
    assert np.ptp(energy(done, "kinetic_energy")) > 0.2 * total[0]
    # of the parts, too: matsum
    assert histories(done).read("matsum", "kinetic_energy").ravel() == pytest.approx(
        energy(done, "kinetic_energy"), rel=1e-6
    )


def test_steps_of_changing_length_keep_the_energy(tmp_path: Path) -> None:
    """IAUTO = 1: linear steps take two iterations, so that they grow; old factors (ISTIF) do not fit them."""
    deck = oscillator(100, 10.0, speed=0.01, automatic="1,8,1,0.01,0.8")
    deck.lines = [",,50,3,4." if line == ",,,3,4." else line for line in deck.lines]
    done = solve(deck, tmp_path)
    times = histories(done).read("nodout", "time")
    assert np.diff(times).max() > 5 * np.diff(times).min()
    assert energy(done, "energy_ratio") == pytest.approx(1.0, rel=1e-9)
    u = history(done, "x_displacement")
    v = history(done, "x_velocity")
    assert u**2 * OMEGA**2 + v**2 == pytest.approx(1e-4, rel=1e-9)


def test_like_the_explicit_solver(tmp_path: Path) -> None:
    """A bar that flies against its support, at steps of an eighth of a brick: the same deck."""
    cells, length = 20, 20.0
    speed = np.sqrt(210.0 / 7.85e-6)
    steps = 640
    end = float(4 * length / speed)

    def deck_of(implicit: bool) -> Deck:
        deck, near, far = bar(cells, length)
        if implicit:
            control(deck, steps, end)
            dynamics(deck)
        else:
            deck.control(end, end / steps)
            deck.add(f"*DATABASE_NODOUT\n{end / steps!r}\n*CONTROL_TIMESTEP\n0.,0.1")
            deck.add("*CONTROL_BULK_VISCOSITY\n1e-12,1e-12")
        deck.set("NODE", 2, near)
        deck.add("*BOUNDARY_SPC_SET\n2,0,1,0,0")
        for n in range(1, deck.nodes + 1):
            deck.add(f"*INITIAL_VELOCITY_NODE\n{n},-1.0")
        watch(deck, far[0])
        return deck

    done = {name: solve(deck_of(name == "implicit"), tmp_path / name) for name in ("implicit", "explicit")}
    assert "implicit:" not in done["explicit"].stdout
    times = {name: histories(of).read("nodout", "time") for name, of in done.items()}

    def both(what: str) -> tuple[np.ndarray, np.ndarray]:
        """The explicit history at the times of the implicit one, which are not those of its cycles."""
        rows = {name: history(of, what) for name, of in done.items()}
        return rows["implicit"], np.interp(times["implicit"], times["explicit"], rows["explicit"])

    u, exact = both("x_displacement")
    assert u == pytest.approx(exact, abs=0.01 * np.abs(exact).max())
    v, exact = both("x_velocity")
    assert np.sqrt(np.mean((v - exact) ** 2)) < 0.05


def test_a_mode_of_a_cantilever_keeps_its_period(tmp_path: Path) -> None:
    """The first mode as initial velocity: a sine with the period of the eigenvalue, as the method has it."""
    from lasso.dyna import D3plot

    def cantilever() -> tuple[Deck, int]:
        deck = Deck()
        deck.part(1, "SOLID,2", "ELASTIC,7.85e-6,210.,0.3")
        ids = deck.block(1, (10, 2, 1), (0.0, 0.0, 0.0), (40.0, 4.0, 3.0))
        deck.set("NODE", 1, ids[0::11])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
        return deck, ids[-1]

    deck, _ = cantilever()
    deck.add("*CONTROL_IMPLICIT_GENERAL\n1,1.\n*CONTROL_IMPLICIT_EIGENVALUE\n1")
    deck.add("*CONTROL_TERMINATION\n1.\n*DATABASE_BINARY_D3PLOT\n1.")
    modes = D3plot(str(solve(deck, tmp_path / "modes").directory / "d3eigv")).arrays
    order = np.argsort(modes["node_ids"])
    shape = (modes["node_displacement"][0] - modes["node_coordinates"])[order]
    omega = 2 * np.pi * modes["timesteps"][0]

    deck, tip = cantilever()
    n = 75  # 3 periods
    dt = 2 * np.pi / omega / 25
    control(deck, n, n * dt)
    dynamics(deck)
    scale = 1e-4 * omega
    for k, v in enumerate(shape, start=1):
        deck.add(f"*INITIAL_VELOCITY_NODE\n{k},{','.join(f'{scale * c:.9e}' for c in v)}")
    watch(deck, tip)
    done = solve(deck, tmp_path / "run")
    angle = 2 * np.arctan(0.5 * omega * dt)
    axis = np.argmax(np.abs(shape[tip - 1]))
    u = history(done, "xyz"[axis] + "_displacement")
    exact = 1e-4 * shape[tip - 1, axis] * np.sin(angle * np.arange(n + 1))
    assert u == pytest.approx(exact, abs=2e-3 * np.abs(exact).max())


def nodes_over_time(done: Run) -> tuple[np.ndarray, np.ndarray]:
    """(steps, nodes, 3): positions and velocities of all nodes that are watched."""
    rows = histories(done)
    return tuple(
        np.stack([rows.read("nodout", f"{c}_{what}") for c in "xyz"], axis=2)
        for what in ("coordinate", "velocity")
    )


def spinning(kind: str, turns: int, steps_a_turn: int, fields: str = "1") -> Deck:
    """A block or a plate turns about an oblique axis through its middle, a main one.

    It is so soft that its radial oscillation, about 30 in a turn, is resolved.
    """
    rate = 1.0  # radians a ms
    soft = "ELASTIC,7.85e-6,0.03,0.3"
    deck = Deck()
    steps = turns * steps_a_turn
    control(deck, steps, 2 * np.pi * turns / rate, solution="12,1,,1e-9,1e-18,1e-9,1e6,1e-20")
    dynamics(deck, fields)
    basis = np.array([[0.48, 0.6, 0.64], [-0.8, 0.6, 0.0], [-0.384, -0.512, 0.768]])
    half = np.array([3.0, 3.0, 1.0])
    if kind == "solid":
        deck.part(1, "SOLID,2", soft)
        grid = [(x, y, z) for z in (-1, 1) for y in (-1, 0, 1) for x in (-1, 0, 1)]
        points = np.array(grid) * half @ basis
        for p in points:
            deck.node(tuple(p))
        for j in range(2):
            for i in range(2):
                a = 1 + i + 3 * j
                ring = (a, a + 1, a + 4, a + 3)
                deck.element("SOLID", 1, (*ring, *(n + 9 for n in ring)))
    else:
        deck.part(1, f"SHELL,{kind},0.8333,3|0.5,0.5,0.5,0.5", soft)
        deck.plate(1, (2, 2), lambda u, v: tuple(np.array([6 * u - 3, 6 * v - 3, 0.0]) @ basis))
        points = np.array([(3.0 * x, 3.0 * y, 0.0) for y in (-1, 0, 1) for x in (-1, 0, 1)]) @ basis
    axis = basis[2] if kind == "solid" else basis[0]  # shells turn over, about an axis in their plane
    for k, p in enumerate(points, start=1):
        v = rate * np.cross(axis, p)
        w = rate * axis if kind != "solid" else np.zeros(3)
        deck.add(f"*INITIAL_VELOCITY_NODE\n{k},{','.join(f'{c:.12e}' for c in (*v, *w))}")
    watch(deck, *range(1, deck.nodes + 1))
    return deck


def drifts(done: Run, kind: str) -> tuple[float, float]:
    """Largest relative changes of energy and of angular momentum about the origin."""
    total = energy(done, "total_energy")
    x, v = nodes_over_time(done)
    w = np.stack([histories(done).read("nodout", f"r{c}_velocity") for c in "xyz"], axis=2)
    mass = np.array([1, 2, 1, 2, 4, 2, 1, 2, 1] * (2 if kind == "solid" else 1), float)
    mass *= 7.85e-6 * (72.0 if kind == "solid" else 18.0) / mass.sum()
    spin = (mass[None, :, None] * np.cross(x, v)).sum(axis=1)
    if kind != "solid":  # rotary inertias are as their masses: what is left of the kinetic energy
        of_turns = 2 * total[0] - (mass[:, None] * v[0] ** 2).sum()
        inertia = of_turns / (mass[:, None] * w[0] ** 2).sum() * mass
        spin += (inertia[None, :, None] * w).sum(axis=1)
    size = np.linalg.norm(spin[0])
    return np.abs(total / total[0] - 1).max(), np.linalg.norm(spin - spin[0], axis=1).max() / size


@pytest.mark.parametrize("kind", ["solid", "2", "16"])
def test_spinning_bodies_keep_energy_and_angular_momentum(kind: str, tmp_path: Path) -> None:
    """Three turns: errors fall with the square of the step; the method that damps keeps them, too."""
    coarse, fine, damped = (
        drifts(solve(spinning(kind, 3, n, fields), tmp_path / f"{n}{fields}"), kind)
        for n, fields in ((64, "1"), (128, "1"), (128, "1,,,,,,,-0.05"))
    )
    assert fine[0] < 2.5e-3
    assert fine[1] < 1.3e-3
    for large, small in zip(coarse, fine, strict=True):
        assert large == pytest.approx(4 * small, rel=0.1)
    assert damped[0] < 3e-3
    assert damped[1] < 1.5e-3


def test_a_pendulum_turns_where_nothing_is_stiff(tmp_path: Path) -> None:
    """A mass on a truss: across it nothing is stiff, but the mass may move there when inertia counts."""
    n = 200
    deck = Deck()
    control(deck, n, 2 * np.pi, solution="12,1,,1e-9,1e-18,1e-9,1e6,1e-20")
    dynamics(deck)
    deck.part(1, "BEAM,3|3.", "ELASTIC,1e-9,210.,0.3")
    deck.node((0.0, 0.0, 0.0), 7)
    deck.node((10.0, 0.0, 0.0))
    deck.element("BEAM", 1, (1, 2))
    deck.add("*ELEMENT_MASS\n91,2,0.01\n*INITIAL_VELOCITY_NODE\n2,0.,10.\n*BOUNDARY_SPC_NODE\n2,0,0,0,1")
    watch(deck, 2)
    done = solve(deck, tmp_path)
    assert "AUTOSPC" not in done.stdout
    angle = 2 * n * np.arctan(0.5 * 2 * np.pi / n)  # of n steps
    u = displacements(done)[1]
    assert u == pytest.approx([10 * np.cos(angle) - 10, 10 * np.sin(angle), 0.0], abs=0.05)


def test_stiff_bodies_that_turn_need_damping(tmp_path: Path) -> None:
    """A mass that circles on a spring, 32 steps a turn, about 300 oscillations a turn.

    The trapezoidal rule makes its energy grow. ALPHA = -0.1 loses (w dt)^2 in the first step, which starts
    without stress, and little afterwards.
    """
    n, turns = 32, 5

    def energies(fields: str) -> np.ndarray:
        deck = Deck()
        control(deck, n * turns, 2 * np.pi * turns, solution="12,1,30,1e-9,1e-18,1e-9,1e6,1e-20")
        dynamics(deck, fields)
        deck.part(1, "DISCRETE,0", f"SPRING_ELASTIC,{1e5 * MASS}")
        deck.node((0.0, 0.0, 0.0), 7)
        deck.node((1.0, 0.0, 0.0))
        deck.element("DISCRETE", 1, (1, 2))
        deck.add(
            f"*ELEMENT_MASS\n91,2,{MASS}\n*BOUNDARY_SPC_NODE\n2,0,0,0,1\n*INITIAL_VELOCITY_NODE\n2,0.,1."
        )
        done = solve(deck, tmp_path / fields)
        return energy(done, "total_energy") / energy(done, "total_energy")[0]

    assert energies("1").max() > 2
    held = energies("1,,,,,,,-0.1")
    first = 1 - (2 * np.pi / n) ** 2
    assert held[:10].min() == pytest.approx(first, abs=3e-3)
    assert held.max() == 1
    assert held[-1] == pytest.approx(first, abs=0.02)


PATH = "*DEFINE_CURVE\n7\n0.,0.\n1.,2.\n3.,2."  # a ramp of slope 2, then constant


@pytest.mark.parametrize("kind", ["velocity", "acceleration", "displacement"])
def test_prescribed_motion_has_its_velocity_and_acceleration(kind: str, tmp_path: Path) -> None:
    """A free mass: the force of its drive is m a; the work of the drive is its kinetic energy."""
    n, end = 30, 3.0
    deck = Deck()
    control(deck, n, end)
    dynamics(deck)
    deck.add(PATH)
    deck.node((0.0, 0.0, 0.0))
    deck.add(f"*ELEMENT_MASS\n91,1,{MASS}")
    vad = {"velocity": 0, "acceleration": 1, "displacement": 2}[kind]
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n1,1,{vad},7,1.0")
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    deck.block(1, (1, 1, 1), (5.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    watch(deck, 1)
    done = solve(deck, tmp_path)
    t = np.linspace(0.0, end, n + 1)
    ramp, integral = np.where(t < 1, 2 * t, 2.0), np.where(t < 1, t**2, 2 * t - 1)
    twice = np.where(t < 1, t**3 / 3, t**2 - t + 1 / 3)
    u, v, a = (history(done, f"x_{what}") for what in ("displacement", "velocity", "acceleration"))
    force = histories(done).read("bndout", "velocity", "nodes", "x_force").ravel()
    if kind == "velocity":
        assert u == pytest.approx(integral, abs=1e-12)
        assert v == pytest.approx(ramp, abs=1e-12)
        assert a[1:] == pytest.approx(np.diff(ramp) / 0.1, abs=1e-11)
    elif kind == "acceleration":
        assert u == pytest.approx(twice, abs=1e-12)
        assert v == pytest.approx(integral, abs=1e-12)
        assert a[1:] == pytest.approx(ramp[1:], abs=1e-12)
    else:
        assert u == pytest.approx(ramp, abs=1e-12)
        assert v[1:] == pytest.approx(np.where(t[1:] < 1.05, 2.0, 0.0), abs=1e-11)
    assert force[1:] == pytest.approx(MASS * a[1:], abs=1e-9)
    assert energy(done, "external_work") == pytest.approx(0.5 * MASS * v**2, abs=1e-9)


def test_birth_death_and_burial(tmp_path: Path) -> None:
    """A step load: in statics at once in balance; in dynamics to twice the displacement."""
    deck = oscillator(80, 8.0, "1,,,2.,4.,6.", solution="12,1,,1e-9,1e-18,1e-9,,1e-14")
    deck.add("*DEFINE_CURVE\n8\n0.,1.\n2.049,1.\n2.051,2.\n100.,2.\n*LOAD_NODE_POINT\n2,1,8,0.02")
    done = solve(deck, tmp_path)
    u, v = history(done, "x_displacement"), history(done, "x_velocity")
    t = np.linspace(0.0, 8.0, 81)
    assert u[t < 2.01] == pytest.approx(np.where(t < 0.05, 0.0, 0.01)[t < 2.01], abs=1e-12)
    assert not v[t < 2.01].any()
    assert u[(t > 2.05) & (t < 4.0)].max() == pytest.approx(0.03, rel=0.02)
    assert u[t > 6.05] == pytest.approx(0.02, abs=1e-12)
    assert not v[t > 6.05].any()


def test_share_of_inertia_by_a_curve(tmp_path: Path) -> None:
    """Half of the inertia: the frequency is higher by the root of 2."""
    dt, n = 0.05, 60
    deck = oscillator(n, n * dt, "-8", speed=0.01)
    deck.add("*DEFINE_CURVE\n8\n0.,0.5\n100.,0.5")
    done = solve(deck, tmp_path)
    omega = np.sqrt(2) * OMEGA
    angle = 2 * np.arctan(0.5 * omega * dt)
    exact = 0.01 / omega * np.sin(angle * np.arange(n + 1))
    assert history(done, "x_displacement") == pytest.approx(exact, abs=1e-10)
    assert energy(done, "energy_ratio") == pytest.approx(1.0, rel=1e-9)


def test_free_bodies_need_no_support(tmp_path: Path) -> None:
    """A body without supports that falls: s = g t^2 / 2 exactly."""
    deck = Deck()
    control(deck, 10, 2.0)
    dynamics(deck)
    deck.part(1, "SHELL,16,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.plate(1, (2, 2), lambda u, v: (4 * u, 4 * v, 0.0))
    deck.add("*DEFINE_CURVE\n8\n0.,1.\n100.,1.\n*LOAD_BODY_Z\n8,9.81e-3")
    done = solve(deck, tmp_path)
    assert displacements(done)[:, 2] == pytest.approx(-0.5 * 9.81e-3 * 4.0, rel=1e-9)
    assert energy(done, "energy_ratio")[1:] == pytest.approx(1.0, rel=1e-9)


def test_same_bits_on_threads(tmp_path: Path) -> None:
    hashes = {solve(spinning("16", 1, 40), tmp_path / str(n), threads=n).hash for n in (1, 2)}
    assert len(hashes) == 1


REFUSED = {
    "modes": ("2", "IMASS = 2: modal superposition"),
    "rates": ("1,,,,,,1", "IRATE = 1: laws without their rates"),
    "composite": ("1,,,,,,,0.5", "ALPHA = 0.5: the composite scheme of Bathe"),
    "part sets": ("1,,,,,,,-1\n1", "ALPHA = -1: part sets that turn"),
    "too much": ("1,,,,,,,-0.5", "ALPHA = -0.5 is not between -1/3 and 0"),
    "growth": ("1,0.4", "GAMMA = 0.4 makes motions grow"),
    "burial": ("1,,,,5.,4.", "TDYBUR = 4 is before TDYDTH"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_there_is_refused(what: str, tmp_path: Path) -> None:
    fields, said = REFUSED[what]
    done = solve(oscillator(1, 1.0, fields), tmp_path, status=2)
    assert said in done.stdout


def test_ordinates_of_the_share_are_checked(tmp_path: Path) -> None:
    deck = oscillator(1, 1.0, "-8")
    deck.add("*DEFINE_CURVE\n8\n0.,0.5\n100.,1.5")
    assert "ordinates of curve 8 are not between 0 and 1" in solve(deck, tmp_path, status=2).stdout
