"""Gears, screws, motors, stoppers, joints that fail: the same bits on any number of ranks, after a dump."""

import pytest
from solver_run import run

from verification.problems import mechanisms


def deck_with(tmp_path, more: str = "", end: float = 6.0):
    """The deck of the verification problem, with more keywords; TFAIL within its time."""
    deck = mechanisms.decks()["mechanisms"]
    text = deck.text().replace(f"*CONTROL_TERMINATION\n{mechanisms.END},", f"*CONTROL_TERMINATION\n{end},")
    text = text.replace(f"0,{mechanisms.FAILS}", "0,2.0")
    path = tmp_path / "mechanisms.k"
    path.write_text(text.replace("*END\n", more + "*END\n"))
    return path


@pytest.mark.parametrize("precision", ["double", "single"])
def test_ranks(precision, tmp_path):
    deck = deck_with(tmp_path)
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    for ranks, threads, method in ((2, 1, "metis"), (3, 2, "rcb"), (7, 1, "metis")):
        where = tmp_path / f"{ranks}{method}"
        options = ("--precision", precision, "--decomposition", method)
        done = run(deck, where, *options, ranks=ranks, threads=threads)
        assert done.hash == one.hash, ranks
        for file in ("jntforc", "rbdout", "glstat"):
            assert done.history(file) == one.history(file), (ranks, file)


def test_a_dump_goes_on_with_the_same_bits(tmp_path):
    deck = deck_with(tmp_path, "*DATABASE_BINARY_D3DUMP\n100\n")
    whole = run(deck, tmp_path / "whole")
    assert whole.status == 0, whole.said
    for ranks in (1, 3):
        gone_on = run(None, tmp_path / "whole", f"r={tmp_path / 'whole' / 'd3dump01'}", ranks=ranks)
        assert gone_on.status == 0, gone_on.said
        assert gone_on.hash == whole.hash


def test_implicit_runs_refuse_them(tmp_path):
    deck = deck_with(tmp_path, "*CONTROL_IMPLICIT_GENERAL\n1,1.0\n")
    done = run(deck, tmp_path / "run")
    assert done.status != 0
    for said in (
        "joints that relate or prescribe velocities (screws, gears, pulleys, racks, motors)",
        "planar joints",
        "joints that fail (TFAIL)",
        "velocities over displacement (VAD 3)",
        "stoppers of rigid bodies (*CONSTRAINED_RIGID_BODY_STOPPERS)",
    ):
        assert f"{said} are not supported in implicit analysis" in done.said
