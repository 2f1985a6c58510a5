"""Runs each real deck once per number of ranks and keeps what it wrote for all tests."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from real_decks import DECKS
from solver_run import Run, run

from crumple.results.glstat import read_glstat


@dataclass
class Result:
    """A finished run and its files."""

    run: Run

    @cached_property
    def plot(self) -> dict[str, np.ndarray]:
        """Arrays of the d3plot family as lasso-python reads them."""
        from lasso.dyna import D3plot

        return D3plot(str(self.run.directory / "d3plot")).arrays

    @cached_property
    def history(self):
        """glstat, a row a time."""
        return read_glstat(self.run.directory / "glstat")

    def part_nodes(self, part: int) -> np.ndarray:
        """Rows of the nodes of a part."""
        rows = []
        for kind, corners in (("shell", 4), ("solid", 8), ("beam", 2)):
            mine = np.isin(
                self.plot[f"element_{kind}_part_indexes"], np.flatnonzero(self.plot["part_ids"] == part)
            )
            rows.append(self.plot[f"element_{kind}_node_indexes"][mine][:, :corners].ravel())
        return np.unique(np.concatenate(rows))

    def positions(self, part: int) -> np.ndarray:
        """(state, node, 3); lasso's displacement is the place."""
        return self.plot["node_displacement"][:, self.part_nodes(part)]

    def velocities(self, part: int) -> np.ndarray:
        return self.plot["node_velocity"][:, self.part_nodes(part)]

    @property
    def times(self) -> np.ndarray:
        return self.plot["timesteps"]


@pytest.fixture(scope="session")
def results(real_deck, tmp_path_factory):
    """A function (deck's name, ranks, arguments) -> Result; each is run once."""
    root = tmp_path_factory.mktemp("real-decks")
    kept: dict[tuple, Result] = {}

    def of(name: str, ranks: int = 1, *arguments: str) -> Result:
        key = (name, ranks, arguments)
        if key not in kept:
            where = root / f"{name}-{ranks}-{len(kept)}"
            kept[key] = Result(run(real_deck(DECKS[name]), where, *arguments, ranks=ranks))
        return kept[key]

    return of
