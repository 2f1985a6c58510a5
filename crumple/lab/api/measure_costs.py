"""The costs of elements on this machine from Python, as `crumple tune` measures them."""

import os
from collections.abc import Callable
from pathlib import Path

from crumple.lab.api.trace_deck import quiet
from crumple.lab.tune.costs_file import Costs
from crumple.lab.tune.measure import measure


def measure_costs(
    file: str | os.PathLike[str], quick: bool = False, say: Callable[[str], None] = quiet
) -> Costs:
    """Measure the costs of elements, by which decompositions give all ranks equal work.

    Args:
        file: to write; `crumple.run(..., costs=file)` reads it
        quick: faster and less exact: few laws, short runs
        say: told of each stage

    Raises:
        TuneError: a run failed.
        FileNotFoundError: the solver is not built.
        OSError: the file cannot be written.
    """
    costs = measure(quick, say)
    costs.write(Path(file))
    return costs
