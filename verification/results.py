"""Runs a deck, and reads what the solver wrote: binout, d3plot, and what it printed."""

import hashlib
import re
import subprocess
from functools import cached_property
from pathlib import Path

import numpy as np
from lasso.dyna import Binout, D3plot

from crumple import solver
from verification.deck import Deck

Array = np.ndarray
TIME_LIMIT = 300.0  # s


class Results:
    """What one run left in its directory."""

    def __init__(self, directory: Path, printed: str) -> None:
        self.directory, self.printed = directory, printed

    @property
    def hash(self) -> str:
        """Of the whole state at the end; of the table of modes, where the run has no steps."""
        if (self.directory / "eigout").exists():
            return hashlib.sha256(self.modes.encode()).hexdigest()[:16]
        found = re.search(r"state hash: ([0-9a-f]+)", self.printed)
        if not found:
            raise AssertionError(f"no state hash was printed:\n{self.printed[-3000:]}")
        return found.group(1)

    @property
    def modes(self) -> str:
        """The table of eigout: a line for each mode."""
        text = (self.directory / "eigout").read_text()
        return text[text.index("MODE    EIGENVALUE") :].split("\n\n")[0]

    @cached_property
    def _binout(self) -> Binout:
        return Binout(str(self.directory / "binout0000"))

    @cached_property
    def plot(self) -> D3plot:
        """All plot states."""
        return D3plot(str(self.directory / "d3plot"))

    def time(self, history: str) -> Array:
        """Times of a history's rows."""
        path = (history, "forces", "time") if history == "rwforc" else (history, "time")
        return np.atleast_1d(self._binout.read(*path))

    def energy(self, quantity: str) -> Array:
        """A column of glstat, e.g. `kinetic_energy`."""
        return np.asarray(self._binout.read("glstat", quantity), dtype=float).reshape(
            len(self.time("glstat"))
        )

    def part(self, number: int, quantity: str) -> Array:
        """A column of matsum for a part, e.g. `internal_energy`."""
        return self._column("matsum", quantity, number)

    def part_at_end(self, number: int, quantity: str) -> float:
        """Of a part in the last plot state, e.g. `internal_energy`: rows of histories end a cycle before."""
        place = int(np.flatnonzero(self.plot.arrays["part_ids"] == number)[0])
        return float(self.plot.arrays[f"part_{quantity}"][-1, place])

    def node(self, number: int, quantity: str) -> Array:
        """A column of nodout for a node, e.g. `x_displacement`."""
        return self._column("nodout", quantity, number)

    def vector(self, number: int, quantity: str) -> Array:
        """Three columns of nodout for a node, e.g. `displacement`: [time, xyz]."""
        return np.column_stack([self.node(number, f"{axis}_{quantity}") for axis in "xyz"])

    def weld(self, number: int, quantity: str) -> Array:
        """A column of swforc for a spot weld, e.g. `axial`."""
        return self._column("swforc", quantity, number)

    def section(self, number: int, quantity: str) -> Array:
        """A column of secforc for a cross section, e.g. `x_force`."""
        return self._column("secforc", quantity, number)

    def constraints(self, quantity: str) -> Array:
        """A column of spcforc of all nodes, e.g. `x_resultant`."""
        return np.asarray(self._binout.read("spcforc", quantity), dtype=float)

    def constraint_moment(self, node: int, quantity: str) -> Array:
        """A column of spcforc for a node, e.g. `y_moment`."""
        numbers = list(np.atleast_1d(self._binout.read("spcforc", "moment_ids")))
        values = np.asarray(self._binout.read("spcforc", quantity), dtype=float)
        return values.reshape(-1, len(numbers))[:, numbers.index(node)]

    def moved(self, quantity: str) -> Array:
        """A column of bndout of all nodes with prescribed motion, e.g. `x_total`."""
        return np.asarray(self._binout.read("bndout", "velocity", "nodes", quantity), dtype=float)

    def beam_force(self, number: int) -> Array:
        """Axial force of a beam in elout."""
        numbers = list(np.atleast_1d(self._binout.read("elout", "beam", "ids")).ravel())
        values = np.asarray(self._binout.read("elout", "beam", "axial"), dtype=float)
        return values.reshape(len(values), -1)[:, numbers.index(number)]

    def body(self, number: int, quantity: str) -> Array:
        """A column of rbdout for a rigid body, e.g. `global_x`."""
        return self._column("rbdout", quantity, number)

    def body_vector(self, number: int, quantity: str) -> Array:
        """Three columns of rbdout for a rigid body, e.g. `global_v`: [time, xyz]."""
        return np.column_stack([self.body(number, f"{quantity}{axis}") for axis in "xyz"])

    def joint(self, number: int, quantity: str) -> Array:
        """A column of jntforc for a joint, e.g. `resultant_force`."""
        numbers = list(np.atleast_1d(self._binout.read("jntforc", "joints", "ids")))
        values = np.asarray(self._binout.read("jntforc", "joints", quantity), dtype=float)
        return values.reshape(-1, len(numbers))[:, numbers.index(number)]

    def airbag(self, quantity: str) -> Array:
        """A column of abstat of the first control volume, e.g. `pressure`."""
        values = np.asarray(self._binout.read("abstat", quantity), dtype=float)
        return values.reshape(len(self.time("abstat")), -1)[:, 0]

    def airbags(self, quantity: str) -> Array:
        """A column of abstat of all control volumes: [time, volume]."""
        values = np.asarray(self._binout.read("abstat", quantity), dtype=float)
        return values.reshape(len(self.time("abstat")), -1)

    @property
    def end(self) -> float:
        """Time of the last plot state: the first step at or after the end time."""
        return float(self.plot.arrays["timesteps"][-1])

    def position(self, node: int, state: int = -1) -> Array:
        """Of a node in a plot state; lasso-python calls it displacement."""
        return self._of_node(node, "displacement", state)

    def displacement(self, node: int, state: int = -1) -> Array:
        """Of a node in a plot state."""
        return self.position(node, state) - self.position(node, 0)

    def velocity(self, node: int, state: int = -1) -> Array:
        """Of a node in a plot state."""
        return self._of_node(node, "velocity", state)

    def acceleration(self, node: int, state: int = -1) -> Array:
        """Of a node in a plot state."""
        return self._of_node(node, "acceleration", state)

    def wall(self, quantity: str) -> Array:
        """A column of rwforc of the first wall, e.g. `normal_force`."""
        values = np.asarray(self._binout.read("rwforc", "forces", quantity), dtype=float)
        return values.reshape(len(self.time("rwforc")), -1)[:, 0]

    def contact(self, quantity: str, side: int = 0) -> Array:
        """A column of rcforc of the first contact, e.g. `x_force`."""
        values = np.asarray(self._binout.read("rcforc", quantity), dtype=float)
        return values.reshape(len(self.time("rcforc")), -1)[:, side]

    def stress(self, kind: str, number: int, state: int = -1) -> Array:
        """Stresses of an element in a plot state: [layer, xx yy zz xy yz zx]; kind shell or solid."""
        return self._of_element(kind, number, "stress", state)

    def plastic_strain(self, kind: str, number: int, state: int = -1) -> Array:
        """Plastic strain of an element's layers in a plot state."""
        return self._of_element(kind, number, "effective_plastic_strain", state)

    @cached_property
    def _node_index(self) -> dict[int, int]:
        return {int(n): i for i, n in enumerate(self.plot.arrays["node_ids"])}

    def _of_node(self, node: int, quantity: str, state: int) -> Array:
        return np.asarray(self.plot.arrays[f"node_{quantity}"][state, self._node_index[node]], dtype=float)

    def _of_element(self, kind: str, number: int, quantity: str, state: int) -> Array:
        arrays = self.plot.arrays
        index = int(np.flatnonzero(arrays[f"element_{kind}_ids"] == number)[0])
        return np.asarray(arrays[f"element_{kind}_{quantity}"][state, index], dtype=float)

    def _column(self, history: str, quantity: str, number: int) -> Array:
        numbers = list(np.atleast_1d(self._binout.read(history, "ids")))
        values = np.asarray(self._binout.read(history, quantity), dtype=float)
        return values.reshape(len(self.time(history)), len(numbers))[:, numbers.index(number)]


def run(deck: Deck, ranks: int, directory: Path, arguments: list[str]) -> Results:
    """Run to the end time.

    Raises:
        AssertionError: the solver did not end normally; with the end of what it printed.
    """
    directory.mkdir(parents=True)
    (directory / "deck.k").write_text(deck.text())
    done = subprocess.run(
        solver.mpirun(ranks, ["i=deck.k", "--double-files", *arguments]),
        env=solver.environment(),
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    printed = done.stdout + done.stderr
    (directory / "screen").write_text(printed)
    if done.returncode != 0:
        raise AssertionError(f"{directory}: exit status {done.returncode}\n{printed[-3000:]}")
    return Results(directory, printed)
