"""Rigid bodies that constraints of their nodes hold: what spcforc says of these keeps them in balance."""

import numpy as np
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import same_on_two_ranks

END, GRAVITY, SIDE, DENSITY = 0.2, 0.5, 15.0, 7.85e-6  #: ms, mm/ms^2, mm, kg/mm^3
SIZE = (SIDE, 2 * SIDE, SIDE / 3)
MASS = DENSITY * SIZE[0] * SIZE[1] * SIZE[2]
CELLS = (2, 3, 2)
WEIGHT = np.array([0.0, 0.0, -MASS * GRAVITY])
MIDDLE = 0.5 * np.array(SIZE)


def corner(i: int, j: int, k: int) -> int:
    """Number of a node of the block at one of its corners, counted from 0 in each direction."""
    nx, ny, nz = CELLS
    return 1 + i * nx + (nx + 1) * (j * ny + (ny + 1) * k * nz)


def place(i: int, j: int, k: int) -> np.ndarray:
    """Where it is."""
    return np.array((i, j, k)) * SIZE


def block(holds: str, gravity: float = GRAVITY, con: str = "0.") -> Deck:
    """A rigid box that falls; `holds`: cards of *BOUNDARY_SPC_NODE."""
    deck = Deck()
    deck.control(END, END, END / 10)
    deck.part(1, "SOLID,1", f"RIGID,{DENSITY},210.,0.3|{con}|")
    deck.block(1, CELLS, (0.0, 0.0, 0.0), SIZE)
    deck.add(f"*BOUNDARY_SPC_NODE\n{holds}")
    if gravity:
        deck.add(f"*LOAD_BODY_Z\n1,{gravity}\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add(f"*DATABASE_SPCFORC\n{END / 10},3\n*DATABASE_RBDOUT\n{END / 10},3")
    return deck


class Held:
    """What spcforc and rbdout have of a run."""

    def __init__(self, deck: Deck, tmp_path) -> None:
        path = tmp_path / "deck.k"
        path.write_text(deck.text())
        self.directory = same_on_two_ranks(path, tmp_path).directory
        self._binout = Binout(str(self.directory / "binout0000"))
        self.forces, self.moments = self._read("force"), self._read("moment")
        self.time = np.ravel(self._binout.read("spcforc", "time"))
        self.resultant = np.column_stack([self._binout.read("spcforc", f"{c}_resultant") for c in "xyz"])

    def _read(self, quantity: str) -> dict[int, np.ndarray]:
        if f"{quantity}_ids" not in self._binout.read("spcforc"):
            return {}
        ids = np.atleast_1d(self._binout.read("spcforc", f"{quantity}_ids"))
        columns = [np.reshape(self._binout.read("spcforc", f"{c}_{quantity}"), (-1, len(ids))) for c in "xyz"]
        return {int(n): np.column_stack([column[:, k] for column in columns]) for k, n in enumerate(ids)}

    def body(self, quantity: str) -> np.ndarray:
        """Three columns of rbdout."""
        return np.column_stack([np.ravel(self._binout.read("rbdout", f"{quantity}{c}")) for c in "xyz"])


def equal(computed: np.ndarray, expected: np.ndarray, tolerance: float = 1e-6) -> None:
    """To a tolerance of the weight, or of its moment about a corner."""
    expected = np.broadcast_to(expected, computed.shape)
    np.testing.assert_allclose(computed, expected, rtol=0, atol=tolerance * MASS * GRAVITY)


def test_a_clamped_corner_carries_the_weight(tmp_path):
    held = Held(block(f"{corner(1, 0, 0)},0,1,1,1,1,1,1"), tmp_path)
    node = corner(1, 0, 0)
    equal(held.forces[node], -WEIGHT)
    equal(held.moments[node], -np.cross(MIDDLE - place(1, 0, 0), WEIGHT), 1e-5)
    equal(held.resultant, -WEIGHT)


def test_equal_constraints_have_equal_shares(tmp_path):
    """Four corners of the bottom, and the moment is that about the middle: none."""
    corners = [(i, j, 0) for i in (0, 1) for j in (0, 1)]
    held = Held(block("\n".join(f"{corner(*c)},0,1,1,1,1,1,1" for c in corners)), tmp_path)
    for c in corners:
        equal(held.forces[corner(*c)], -WEIGHT / 4)
        equal(held.moments[corner(*c)], np.zeros(3), 1e-5)
    equal(held.resultant, -WEIGHT)


def test_pins_add_up_to_what_moves_the_body(tmp_path):
    """Three corners that may turn are held by penalties, which spring: forces are m a without the weight."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    held = Held(block("\n".join(f"{corner(*c)},0,1,1,1" for c in corners)), tmp_path)
    total = sum(held.forces[corner(*c)] for c in corners)
    equal(total, held.resultant)
    equal(held.resultant, MASS * held.body("global_a") - WEIGHT, 1e-5)
    assert abs(held.resultant[1:, 2]).max() > 0.1 * MASS * GRAVITY
    assert not held.moments


def test_cmo_keeps_its_share(tmp_path):
    """CON1 = 3 holds z, so that the node has none of the weight, which acts at the centre."""
    held = Held(block(f"{corner(0, 0, 0)},0,1,1,1,1,1,1", con="1.,3,0"), tmp_path)
    equal(held.forces[corner(0, 0, 0)], np.zeros(3))
    equal(held.moments[corner(0, 0, 0)], np.zeros(3), 1e-5)


def test_a_shaft_out_of_balance(tmp_path):
    """A free box that may turn about one axis askew: its bearing takes w x J w, in the node's own axes."""
    rate, axis = 2.0, np.array([0.6, 0.8, 0.0])
    frame = np.array([axis, [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    deck = block(f"{corner(0, 0, 0)},5,0,0,0,0,1,1", gravity=0.0)
    deck.add("*DEFINE_COORDINATE_SYSTEM\n5,0.,0.,0.,0.6,0.8,0.\n-0.8,0.6,0.")
    middle = ",".join(map(str, MIDDLE))
    deck.add(f"*SET_PART_LIST\n6\n1\n*INITIAL_VELOCITY_GENERATION\n6,1,{rate},0.,0.,0.\n{middle},0.6,0.8,0.")
    held = Held(deck, tmp_path)
    spread = [MASS / 12 * a**2 * (1 + 2 / n**2) for a, n in zip(SIZE, CELLS, strict=True)]  # of the nodes
    inertia = sum(spread) * np.eye(3) - np.diag(spread)
    moments = held.moments[corner(0, 0, 0)]
    for time, moment in zip(held.time[1:], moments[1:], strict=True):  # at the start: of the first step
        s, c = np.sin(rate * time), np.cos(rate * time)
        turn = np.array([axis * (axis @ e) * (1 - c) + c * e + s * np.cross(axis, e) for e in np.eye(3)]).T
        expected = np.cross(rate * axis, turn @ inertia @ turn.T @ (rate * axis))
        equal(moment, frame @ expected, 1e-3)
    assert np.linalg.norm(moments, axis=1).min() > 0.1
