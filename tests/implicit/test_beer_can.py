"""PyDYNA's beer can, an implicit deck of others: a thin can under a load that grows until it buckles."""

import numpy as np
from solver_run import run

from crumple.results.convergence import read_convergence

END = 0.2194  #: past the limit load, while the can gives way
LIMIT = 0.2188  #: of the full load, 1000 lb, of this mesh


def test_beer_can_reaches_its_limit_load(real_deck, tmp_path):
    """Until then nearly at rest; then it accelerates, under a load that hardly grows any more. The classical
    load of a perfect cylinder, 2 pi E t^2 / sqrt(3 (1 - nu^2)) = 154 lb, has waves of 0.09 in that these
    elements of 0.1 in do not have: a finer mesh buckles earlier."""
    deck = real_deck("pydyna/beer_can/beer_can.k")
    done = run(deck, tmp_path, f"endtime={END}", threads=2)
    assert done.status == 0, done.said[-3000:]
    steps = read_convergence(tmp_path / "convergence.jsonl").taken
    share = (steps["kinetic"] / steps["internal"]).to_numpy()
    moves = steps["time"].to_numpy()[np.argmax(share > 1e-5)]
    assert abs(moves - LIMIT) < 0.002
    assert (share[steps["time"].to_numpy() < LIMIT - 0.003] < 1e-6).all()
    assert share[-1] > 1e-4
    # Newmark's method with gamma = 0.6 takes a little.
    energy = (steps["internal"] + steps["kinetic"]).to_numpy()
    assert np.abs(energy / steps["work"].to_numpy() - 1.0).max() < 1e-3
