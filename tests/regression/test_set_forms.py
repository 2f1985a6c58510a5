"""Decks with every form of *SET: no set is refused, ignored or unknown."""

import subprocess

import pytest

from crumple import solver


@pytest.mark.parametrize("name", ["sets.k", "yaris_sets.k", "various.k"])
def test_sets_are_read(name, real_deck, tmp_path):
    done = subprocess.run(
        [str(solver.solver_path()), "--check", f"i={real_deck(f'dynakw/{name}')}"],
        capture_output=True, cwd=tmp_path, env=solver.environment(), timeout=60, check=False, text=True,
    )  # fmt: skip
    said = [line for line in done.stdout.splitlines() if "*SET_" in line]
    assert any("SET_NODE_LIST" in line for line in said)
    # Members and boxes are in other files of those models.
    fine = ("CR-D202", "CR-D301", "CR-D302", "CR-D303", "CR-D305")
    bad = [line for line in said if "CR-" in line and not any(id in line for id in fine)]
    assert not bad
