"""Dynamics with rigid bodies and dependent nodes, against closed forms and the explicit solver."""

from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, displacements, histories, solve
from small_decks import Deck
from solver_run import Run

#: A block of 30 x 20 x 8 about the origin; its moments are given on *PART_INERTIA
SIZE = np.array([30.0, 20.0, 8.0])
MASS = 2e-6 * SIZE.prod()
MOMENTS = (
    MASS
    / 12
    * np.array([SIZE[1] ** 2 + SIZE[2] ** 2, SIZE[2] ** 2 + SIZE[0] ** 2, SIZE[0] ** 2 + SIZE[1] ** 2])
)
RIGID = "RIGID,2e-6,210.,0.3|0.|"
NEWTON = "12,1,30,1e-10,1e-20,1e-10,1e6,1e-20"


def dynamics(deck: Deck, fields: str = "1") -> None:
    deck.add(f"*CONTROL_IMPLICIT_DYNAMICS\n{fields}")


def block(
    deck: Deck, spin, velocity=(0.0, 0.0, 0.0), centre=(0.0, 0.0, 0.0), given: bool = True, con: str = "0."
) -> list[int]:
    """The block, with given mass properties, or with a spin of its nodes."""
    low = tuple(np.asarray(centre) - SIZE / 2)
    if given:
        number = 1
        deck.add(f"*PART_INERTIA\nblock\n{number},{number},{number}")
        deck.add(f"{centre[0]},{centre[1]},{centre[2]},{MASS},0")
        deck.add(f"{MOMENTS[0]},0.,0.,{MOMENTS[1]},0.,{MOMENTS[2]}")
        deck.add(",".join(map(repr, map(float, (*velocity, *spin)))))
        deck.add(f"*SECTION_SOLID\n{number},1\n*MAT_RIGID\n{number},2e-6,210.,0.3\n{con}\n,")
        return deck.block(number, (3, 2, 1), low, tuple(SIZE))
    deck.part(1, "SOLID,1", f"RIGID,2e-6,210.,0.3|{con}|")
    ids = deck.block(1, (3, 2, 1), low, tuple(SIZE))
    x = positions(deck)
    for n in ids:
        v = np.asarray(velocity) + np.cross(spin, x[n - 1] - np.asarray(centre))
        deck.add(f"*INITIAL_VELOCITY_NODE\n{n},{','.join(f'{c:.12e}' for c in v)}")
    return ids


def positions(deck: Deck) -> np.ndarray:
    rows = [deck.lines[k + 1].split(",")[1:4] for k, line in enumerate(deck.lines) if line == "*NODE"]
    return np.array(rows, float)


def body_rows(done: Run, name: str) -> np.ndarray:
    """(times, 3) of rbdout."""
    rows = histories(done)
    return np.stack([np.ravel(rows.read("rbdout", f"global_{name}{c}")) for c in "xyz"], axis=1)


def direction(done: Run) -> np.ndarray:
    """(times, 3, 3): the body's rotation, by rows."""
    rows = histories(done)
    entries = [[np.ravel(rows.read("rbdout", f"dircos_{i}{j}")) for j in (1, 2, 3)] for i in (1, 2, 3)]
    return np.moveaxis(np.array(entries), 2, 0)


def momentum(done: Run) -> np.ndarray:
    """(times, 3): angular momentum about the centre of mass."""
    r, w = direction(done), body_rows(done, "rv")
    return np.einsum("tij,j,tkj,tk->ti", r, MOMENTS, r, w)


def energy(done: Run, what: str) -> np.ndarray:
    return histories(done).read("glstat", what)


SPINS = {"first": (0.3, 0, 0), "second": (0, 0.3, 0), "third": (0, 0, 0.3), "tumbling": (0.02, 0.3, 0.01)}


@pytest.mark.parametrize("name", SPINS)
def test_free_body_keeps_momentum_and_energy(name: str, tmp_path: Path) -> None:
    """Exactly, whatever the step: about main axes and, tumbling, about the middle one, which is unstable."""
    deck = Deck()
    end, n = (60.0, 60) if name != "tumbling" else (300.0, 300)
    control(deck, n, end, solution=NEWTON)
    dynamics(deck)
    block(deck, SPINS[name], (0.5, 0.0, 0.0))
    deck.add(f"*DATABASE_RBDOUT\n{end / n}")
    done = solve(deck, tmp_path)
    p = momentum(done)
    size = np.linalg.norm(p[0])
    assert p == pytest.approx(
        np.tile(MOMENTS * SPINS[name], (len(p), 1)), abs=2e-6 * size
    )  # of rbdout's digits
    kinetic = energy(done, "kinetic_energy")
    exact = 0.5 * (MOMENTS * np.square(SPINS[name])).sum() + 0.5 * MASS * 0.25
    assert kinetic == pytest.approx(exact, rel=1e-6)
    x = body_rows(done, "d")
    assert x[:, 0] == pytest.approx(0.5 * np.linspace(0, end, n + 1), rel=1e-6)
    turn = direction(done)[-1]
    if name == "tumbling":
        in_body = np.einsum("tji,tj->ti", direction(done), body_rows(done, "rv"))
        assert in_body[:, 1].min() < -0.2  # it has turned over
        assert energy(done, "energy_ratio") == pytest.approx(1.0, rel=1e-9)
    else:
        angle = 2 * n * np.arctan(0.5 * 0.3 * end / n)
        assert np.trace(turn) == pytest.approx(1 + 2 * np.cos(angle), abs=1e-5)


def test_tumbling_body_like_the_explicit_solver(tmp_path: Path) -> None:
    """The same deck with the mass of its elements: errors against a fine explicit run fall with dt^2."""

    def deck_of(steps: int) -> Deck:
        deck = Deck()
        end = 40.0
        if steps:
            control(deck, steps, end, solution=NEWTON)
            dynamics(deck)
        else:
            deck.control(end, end)
            deck.add("*DEFINE_CURVE\n9\n0.,0.005\n1000.,0.005\n*CONTROL_TIMESTEP\n0.,0.9,0,0.,0.,9")
        block(deck, (0.02, 0.3, 0.01), given=False)
        return deck

    exact = displacements(solve(deck_of(0), tmp_path / "explicit"))
    errors = [
        np.abs(displacements(solve(deck_of(n), tmp_path / str(n))) - exact).max() / np.abs(exact).max()
        for n in (80, 160)
    ]
    assert errors[1] < 7e-3
    assert errors[0] == pytest.approx(4 * errors[1], rel=0.1)


def pendulum(
    steps: int, end: float, start: float, hinge: str = "1,1,1,1,0,1", spin: float = 0.0
) -> tuple[Deck, np.ndarray]:
    """A block that hangs from one node, which may turn about y; released at an angle. `end` in periods."""
    deck = Deck()
    arm = np.array([0.0, 0.0, -30.0])
    c, s = np.cos(start), np.sin(start)
    centre = np.array([-30.0 * s, 0.0, -30.0 * c])
    inertia = MOMENTS[1] + MASS * 900.0
    period = 2 * np.pi * np.sqrt(inertia / (MASS * 0.00981 * 30.0))
    control(deck, steps, end * period, solution=NEWTON)
    dynamics(deck)
    turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    j = turned @ np.diag(MOMENTS) @ turned.T
    deck.add("*PART_INERTIA\nblock\n1,1,1")
    deck.add(f"{centre[0]},0.,{centre[2]},{MASS},0")
    deck.add(f"{j[0, 0]},{j[0, 1]},{j[0, 2]},{j[1, 1]},{j[1, 2]},{j[2, 2]}")
    axis = turned @ [0.0, 0.0, spin]  # about its own axis
    deck.add(f"0.,0.,0.,{axis[0]},{axis[1]},{axis[2]}")
    deck.add("*SECTION_SOLID\n1,1\n*MAT_RIGID\n1,2e-6,210.,0.3\n0.\n,")
    ids = []
    for k in (-1, 1):
        for b in (-1, 1):
            for a in (-1, 1):
                p = turned @ (np.array([a, b, k]) * SIZE / 2 + arm)
                ids.append(deck.node(tuple(p)))
    deck.element("SOLID", 1, [ids[q] for q in (0, 1, 3, 2, 4, 5, 7, 6)])
    pivot = deck.node((0.0, 0.0, 0.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n1,{pivot}\n*BOUNDARY_SPC_NODE\n{pivot},0,{hinge}")
    deck.add("*DEFINE_CURVE\n8\n0.,1.\n1e9,1.\n*LOAD_BODY_Z\n8,0.00981")
    deck.add(f"*DATABASE_RBDOUT\n{end * period / steps}")
    return deck, centre


def elliptic(k: float) -> float:
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, np.sqrt(1 - k * k)
    for _ in range(20):
        a, b = (a + b) / 2, np.sqrt(a * b)
    return float(np.pi / (2 * a))


@pytest.mark.parametrize("hinge", ["1,1,1,1,0,1", "1,1,1"])
def test_period_of_a_pendulum(hinge: str, tmp_path: Path) -> None:
    """60 degrees: the period is 2 K(sin 30) / pi times that of small angles. A hinge, and a ball."""
    start = np.radians(60.0)
    exact = 2 / np.pi * elliptic(np.sin(start / 2))

    def period(steps: int) -> float:
        deck, _ = pendulum(steps, 1.25, start, hinge)
        done = solve(deck, tmp_path / f"{steps}{hinge}")
        x = body_rows(done, "")[:, 0]
        lost = energy(done, "total_energy") - energy(done, "external_work")
        assert np.abs(lost).max() < 40.0 / steps**2 * energy(done, "kinetic_energy").max()
        t = np.linspace(0.0, 1.25, len(x))
        k = [i for i in range(1, len(x)) if x[i - 1] * x[i] <= 0.0][1]  # the second passage
        return float(4 / 3 * (t[k - 1] + (t[k] - t[k - 1]) * x[k - 1] / (x[k - 1] - x[k])))

    errors = [period(n) / exact - 1 for n in (80, 160)]
    assert abs(errors[1]) < 2e-3
    assert errors[0] == pytest.approx(4 * errors[1], rel=0.15)


def test_a_top_precesses(tmp_path: Path) -> None:
    """A spinning block on a ball: slow precession at m g l / (J3 w3) (Goldstein, chapter 5)."""
    # So fast that nutation is small. To first order in 1 / spin J1 = J2 is not needed.
    deck, centre = pendulum(1200, 1.0, np.radians(90.0), "1,1,1", spin=2.0)
    done = solve(deck, tmp_path)
    x = body_rows(done, "")
    angle = np.unwrap(np.arctan2(x[:, 1], x[:, 0]))
    time = histories(done).read("rbdout", "time")
    rate = np.polyfit(time, angle, 1)[0]
    assert abs(rate) == pytest.approx(MASS * 0.00981 * 30.0 / (MOMENTS[2] * 2.0), rel=0.03)
    assert np.abs(x[:, 2]).max() < 1.0  # it does not fall
    assert energy(done, "energy_ratio") == pytest.approx(1.0, abs=1e-4)


def test_a_body_on_a_spring(tmp_path: Path) -> None:
    """It moves as a mass does: the trapezoidal rule to rounding."""
    stiffness = 2.0
    omega = np.sqrt(stiffness / MASS)
    n = 100
    dt = 2 * np.pi / omega / 20
    deck = Deck()
    control(deck, n, n * dt, solution=NEWTON)
    dynamics(deck)
    ids = block(deck, (0, 0, 0), (0.01, 0.0, 0.0), con="1.,0,7")
    far, near = deck.node((-100.0, 0.0, 0.0), 7), deck.node((-20.0, 0.0, 0.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n1,{near}")
    deck.part(2, "DISCRETE,0", f"SPRING_ELASTIC,{stiffness}")
    deck.element("DISCRETE", 2, (far, near))
    deck.add(f"*DATABASE_HISTORY_NODE\n{ids[0]}")
    done = solve(deck, tmp_path)
    angle = 2 * np.arctan(0.5 * omega * dt) * np.arange(n + 1)
    rows = histories(done)
    assert np.ravel(rows.read("nodout", "x_displacement")) == pytest.approx(
        0.01 / omega * np.sin(angle), abs=1e-10
    )
    assert np.ravel(rows.read("nodout", "x_velocity")) == pytest.approx(0.01 * np.cos(angle), abs=1e-10)
    assert np.ravel(rows.read("nodout", "x_acceleration")) == pytest.approx(
        -0.01 * omega * np.sin(angle), abs=1e-9
    )
    assert energy(done, "total_energy") == pytest.approx(0.5 * MASS * 1e-4, rel=1e-9)


def test_a_wheel_that_is_driven(tmp_path: Path) -> None:
    """A spin by a curve about an axis that is no main one: the drive's work is the kinetic energy."""
    n, end = 60, 30.0
    deck = Deck()
    control(deck, n, end, solution=NEWTON)
    dynamics(deck)
    block(deck, (0, 0, 0))
    for dof in (1, 2, 3):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,{dof},2,2,1.0")
    # about an oblique axis, by a vector
    deck.add("*DEFINE_VECTOR\n5,0.,0.,0.,0.,3.,4.\n*DEFINE_CURVE\n7\n0.,0.\n10.,0.2\n1000.,0.2")
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,8,0,7,1.0,5")
    deck.add("*DEFINE_VECTOR\n6,0.,0.,0.,1.,0.,0.\n*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,8,0,2,1.0,6")
    deck.add("*DEFINE_VECTOR\n4,0.,0.,0.,0.,-4.,3.\n*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,8,0,2,1.0,4")
    deck.add(f"*DATABASE_RBDOUT\n{end / n}")
    done = solve(deck, tmp_path)
    axis = np.array([0.0, 0.6, 0.8])
    inertia = axis @ (MOMENTS * axis)
    t = np.linspace(0.0, end, n + 1)
    w = np.minimum(0.02 * t, 0.2)
    assert energy(done, "kinetic_energy") == pytest.approx(0.5 * inertia * w**2, abs=1e-9)
    assert energy(done, "external_work") == pytest.approx(0.5 * inertia * w**2, abs=1e-8)
    rows = histories(done)
    moment = np.stack(
        [np.ravel(rows.read("bndout", "velocity", "rigidbodies", f"{c}moment")) for c in "xyz"], axis=1
    )
    r = direction(done)
    j = np.einsum("tij,j,tkj->tik", r, MOMENTS, r)
    rate = np.where(t < 10.01, 0.02, 0.0)
    exact = np.einsum("tij,j->ti", j, axis) * rate[:, None] + np.cross(
        w[:, None] * axis, w[:, None] * (j @ axis)
    )
    assert moment[1:] == pytest.approx(exact[1:], abs=1e-5 * np.abs(exact).max())


def test_a_mass_tied_to_a_beam(tmp_path: Path) -> None:
    """A rigid tip that is tied: its first period is that of its mode."""
    from lasso.dyna import D3plot

    def deck_of() -> tuple[Deck, int]:
        deck = Deck()
        deck.part(1, "SOLID,2", "ELASTIC,7.85e-6,210.,0.")
        deck.part(2, "SOLID,1", "RIGID,7.85e-5,210.,0.3|0.|")
        ids = deck.block(1, (10, 2, 1), (0.0, 0.0, 0.0), (40.0, 4.0, 3.0))
        tip = deck.block(2, (1, 1, 1), (40.0, 0.0, 0.0), (4.0, 4.0, 3.0))
        deck.set("NODE", 1, ids[0::11])
        deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
        deck.set("NODE", 2, ids[10::11])
        deck.set("PART", 3, (2,))
        deck.add("*CONTACT_TIED_NODES_TO_SURFACE\n2,3,4,2\n,\n,")
        return deck, tip[-1]

    deck, _ = deck_of()
    deck.add("*CONTROL_IMPLICIT_GENERAL\n1,1.\n*CONTROL_IMPLICIT_EIGENVALUE\n1")
    deck.add("*CONTROL_TERMINATION\n1.\n*DATABASE_BINARY_D3PLOT\n1.")
    modes = D3plot(str(solve(deck, tmp_path / "modes").directory / "d3eigv")).arrays
    order = np.argsort(modes["node_ids"])
    shape = (modes["node_displacement"][0] - modes["node_coordinates"])[order]
    omega = 2 * np.pi * modes["timesteps"][0]
    deck, tip = deck_of()
    n = 75  # 3 periods
    dt = 2 * np.pi / omega / 25
    control(deck, n, n * dt, solution="12,1,,1e-9,1e-18,1e-9,,1e-14")
    dynamics(deck)
    scale = 1e-5 * omega
    for k, v in enumerate(shape, start=1):
        deck.add(f"*INITIAL_VELOCITY_NODE\n{k},{','.join(f'{scale * c:.9e}' for c in v)}")
    deck.add(f"*DATABASE_HISTORY_NODE\n{tip}")
    done = solve(deck, tmp_path / "run")
    angle = 2 * np.arctan(0.5 * omega * dt)
    axis = np.argmax(np.abs(shape[tip - 1]))
    u = np.ravel(histories(done).read("nodout", "xyz"[axis] + "_displacement"))
    exact = 1e-5 * shape[tip - 1, axis] * np.sin(angle * np.arange(n + 1))
    assert u == pytest.approx(exact, abs=5e-3 * np.abs(exact).max())
    assert energy(done, "energy_ratio") == pytest.approx(1.0, abs=1e-4)


KINDS = ("tie", "weld", "set", "interpolation")


@pytest.mark.parametrize("kind", KINDS)
def test_joined_bodies_that_spin(kind: str, tmp_path: Path) -> None:
    """Two soft blocks that are joined turn freely: momentum and energy stay, errors fall with dt^2."""

    def drifts(steps: int) -> tuple[float, float]:
        deck = Deck()
        end = 6.0
        control(deck, steps, end, solution=NEWTON)
        dynamics(deck)
        soft = "ELASTIC,7.85e-6,0.03,0.3"
        for number in (1, 2):
            deck.part(number, "SOLID,2", soft)
        gap = 0.2 if kind in ("weld", "interpolation") else 0.0
        one = deck.block(1, (2, 1, 1), (-4.0 - gap / 2, -1.0, -1.0), (4.0, 2.0, 2.0))
        cells = (2, 1, 1) if kind in ("set", "weld") else (2, 2, 2)
        two = deck.block(2, cells, (gap / 2, -1.0, -1.0), (4.0, 2.0, 2.0))
        ends, starts = one[2::3], two[0::3]
        if kind == "tie":
            deck.set("NODE", 7, starts)
            deck.set("PART", 8, (1,))
            deck.add("*CONTACT_TIED_NODES_TO_SURFACE\n7,8,4,2\n,\n,")
        for k, (a, b) in enumerate(zip(ends, starts, strict=False), start=20):
            if kind == "weld":
                deck.add(f"*CONSTRAINED_SPOTWELD\n{a},{b}")
            elif kind == "set":
                deck.set("NODE", k, (a, b))
                deck.add(f"*CONSTRAINED_NODE_SET\n{k},7")
        if kind == "interpolation":
            for k, b in enumerate(starts, start=20):
                deck.set("NODE", k, ends)
                deck.add(f"*CONSTRAINED_INTERPOLATION\n{k},{b},123,0,1\n{k},123,1.")
        x = positions(deck)
        for k, p in enumerate(x, start=1):
            v = np.cross([0.0, 0.6, 0.8], p)
            deck.add(f"*INITIAL_VELOCITY_NODE\n{k},{','.join(f'{c:.12e}' for c in v)}")
            deck.add(f"*DATABASE_HISTORY_NODE\n{k}")
        done = solve(deck, tmp_path / str(steps))
        rows = histories(done)
        now, v = (
            np.stack([rows.read("nodout", f"{c}_{w}") for c in "xyz"], axis=2)
            for w in ("coordinate", "velocity")
        )
        mass = np.zeros(len(x))
        for ids, nx, ny, nz in ((one, 2, 1, 1), (two, *cells)):
            share = [np.array([0.5, *[1.0] * (n - 1), 0.5]) / n for n in (nx, ny, nz)]
            mass[np.array(ids) - 1] += (
                7.85e-6 * 16.0 * np.einsum("k,j,i->kji", share[2], share[1], share[0]).ravel()
            )
        spin = (mass[None, :, None] * np.cross(now, v)).sum(axis=1)
        total = energy(done, "total_energy")
        return (
            np.abs(total / total[0] - 1).max(),
            np.linalg.norm(spin - spin[0], axis=1).max() / np.linalg.norm(spin[0]),
        )

    coarse, fine = drifts(40), drifts(80)
    assert fine[0] < 8e-3
    assert fine[1] < 8e-3
    for large, small in zip(coarse, fine, strict=True):
        assert large > 3.0 * small


def test_damping_of_a_body(tmp_path: Path) -> None:
    """By the momentum of a body with given mass, or by nodes: v+ = v (1 - D dt/2) / (1 + D dt/2)."""
    rate, dt, n = 0.8, 0.25, 20
    for given in (True, False):
        deck = Deck()
        control(deck, n, n * dt, solution=NEWTON)
        dynamics(deck)
        ids = block(deck, (0, 0, 0), (3.0, 0.0, 0.0), given=given)
        deck.add(f"*DAMPING_GLOBAL\n0,{rate}\n*DATABASE_HISTORY_NODE\n{ids[0]}")
        done = solve(deck, tmp_path / str(given))
        factor = (1 - rate * dt / 2) / (1 + rate * dt / 2)
        v = np.ravel(histories(done).read("nodout", "x_velocity"))
        assert v == pytest.approx(3.0 * factor ** np.arange(n + 1), rel=1e-9)
        assert energy(done, "energy_ratio") == pytest.approx(1.0, abs=1e-2)


def test_statics_then_dynamics_of_a_body(tmp_path: Path) -> None:
    """A body is carried by a spring in statics; its load is then doubled: the motion of a step load."""
    stiffness, n, end = 2.0, 400, 4.0
    omega = np.sqrt(stiffness / MASS)
    deck = Deck()
    control(deck, n, end, solution="12,1,,1e-9,1e-18,1e-9,,1e-14")
    dynamics(deck, "1,,,2.")
    ids = block(deck, (0, 0, 0), con="1.,0,7")
    far, near = deck.node((-100.0, 0.0, 0.0), 7), deck.node((-20.0, 0.0, 0.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n1,{near}")
    deck.part(2, "DISCRETE,0", f"SPRING_ELASTIC,{stiffness}")
    deck.element("DISCRETE", 2, (far, near))
    deck.add("*DEFINE_CURVE\n8\n0.,1.\n2.041,1.\n2.042,2.\n100.,2.\n*LOAD_RIGID_BODY\n1,1,8,0.02")
    deck.add(f"*DATABASE_HISTORY_NODE\n{ids[0]}")
    # only x is free: the spring holds nothing else
    deck.lines = ["1.,5,7" if line == "1.,0,7" else line for line in deck.lines]
    done = solve(deck, tmp_path)
    u = np.ravel(histories(done).read("nodout", "x_displacement"))
    t = np.linspace(0.0, end, n + 1)
    assert u[(t > 0.1) & (t < 2.01)] == pytest.approx(0.01, abs=1e-9)
    assert u.max() == pytest.approx(0.03, rel=0.02)
    assert omega > 1


def test_same_bits_on_threads(tmp_path: Path) -> None:
    hashes = set()
    for threads in (1, 2):
        deck, _ = pendulum(400, 0.5, 1.0, "1,1,1", spin=0.5)
        hashes.add(solve(deck, tmp_path / str(threads), threads=threads).hash)
    assert len(hashes) == 1
