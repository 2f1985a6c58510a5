"""crumple report of implicit runs: iterations, steps, parts of the run, memory and disk."""

import json
import re
from pathlib import Path

import pytest
from crumple_command import crumple, rendered
from small_decks import STEEL, Deck

from crumple.report.implicit_figures import (
    NORMS,
    iterations_of_steps,
    memory,
    norms,
    part_seconds,
    step_lengths,
)
from crumple.results.convergence import read_convergence
from crumple.units import Units

SECONDS = {"stiffness": 0.3, "factor": 0.8, "solve": 0.1, "forces": 0.2, "output": 0.05}


def pressed_block() -> str:
    """Four steps of a block under a load on one of its corners."""
    deck = Deck()
    deck.control(1.0, 0.25)
    deck.add("*CONTROL_IMPLICIT_GENERAL\n1,0.25\n*CONTROL_IMPLICIT_SOLUTION\n12,1")
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    ids = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (4.0, 4.0, 4.0))
    deck.set("NODE", 1, ids[:9])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n1.,1.\n")
    deck.add(f"*LOAD_NODE_POINT\n{ids[-1]},1,1,0.05")
    return deck.text()


@pytest.fixture(scope="module")
def block(tmp_path_factory) -> tuple[Path, str]:
    """Results of the block, and what the run said; two ranks are not asked for."""
    folder = tmp_path_factory.mktemp("block")
    (folder / "deck.k").write_text(pressed_block())
    said = crumple("run", "deck.k", directory=folder)
    crumple("report", ".", directory=folder)
    return folder, said


def test_one_rank_with_threads_is_chosen_and_said(block):
    _, said = block
    assert re.search(r"^implicit analysis: 1 rank with \d+ threads?;", said, re.M)
    assert "N o r m a l" in said


def test_report_has_the_run(block):
    folder, _ = block
    page = (folder / "report.html").read_text()
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", re.sub(r"<script.*?</script>", " ", page, flags=re.S)))
    of = read_convergence(folder / "convergence.jsonl")
    assert re.search(rf"Steps 4 {len(of.iterations)} iterations", text)
    assert re.search(rf"Equations {of.equations['equations'][0]} ", text)
    for words in ("Iterations of each step", "Length of steps", "Norms of all iterations", "Memory and disk"):
        assert words in text
    assert re.search(rf"factors [\d.]+ [\d.]+ {of.end['factors']} factors", text)
    assert "Cycles" not in text
    assert "nothing is known of ranks" not in text


def test_plots_are_drawn(block, tmp_path):
    folder, _ = block
    dom = rendered(folder / "report.html", 1200, tmp_path / "profile")
    assert dom.count("main-svg") >= 2 * 5, "five plots of the run, beside those of energies"


def made_up(folder: Path, failed: bool, disk: float):
    """Records of two steps, the second of which was tried twice if the first try failed."""
    lines = [{"record": "settings", "displacement": 1e-3, "energy": 1e-2, "residual": 1e10}]
    lines.append({"record": "equations", "step": 1, "equations": 9, "flops": 1e3, "memory_bytes": 2e9})
    step = {"record": "step", "time": 0.5, "dt": 0.5, "trouble": "", "factors": 1, "memory_bytes": 3e9}
    step |= {"written_bytes": disk, "read_bytes": 2 * disk, "seconds": SECONDS}
    tries = [(1, True), (2, False), (2, True)] if failed else [(1, True), (2, True)]
    for number, good in tries:
        for k in range(3):
            norm = {name: 10.0**-k for name in NORMS}
            lines.append({"record": "iteration", "iteration": k + 1, "seconds": SECONDS} | norm)
        lines.append(step | {"step": number, "iterations": 3, "converged": good})
    path = folder / "convergence.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read_convergence(path)


def test_failed_tries_are_in_red(tmp_path):
    of = made_up(tmp_path, failed=True, disk=0.0)
    bars = {bar.name: list(bar.y) for bar in iterations_of_steps(of).data}
    assert bars["of steps that did not converge"] == [0, 3, 0]
    assert bars["with a new factor"] == [1, 0, 1]
    assert bars["with the factor before"] == [2, 0, 2]
    assert [len(curve.x) for curve in step_lengths(of, Units()).data] == [3, 1]
    good = made_up(tmp_path, failed=False, disk=0.0)
    assert len(iterations_of_steps(good).data) == 2
    assert len(step_lengths(good, Units()).data) == 1


def test_norms_are_interrupted_between_steps(tmp_path):
    plot = norms(made_up(tmp_path, failed=False, disk=0.0))
    x = plot.data[0].x
    assert len(x) == 7
    assert x[3] != x[3], "a gap"  # noqa: PLR0124 - not a number
    tolerances = [shape.y0 for shape in plot.layout.shapes if shape.y0 == shape.y1]
    assert tolerances == [1e-3, 1e-2], "that of the residual is off the plot"


def test_parts_and_disk(tmp_path):
    of = made_up(tmp_path, failed=False, disk=4e9)
    assert [bar.name for bar in part_seconds(of).data] == [
        "stiffness",
        "factors",
        "solutions",
        "forces",
        "output",
    ]
    names = [trace.name for trace in memory(of).data]
    assert names[:2] == ["peak memory of the process", "stiffness and factor, predicted"]
    assert names[2:] == ["written to the factor's file", "read from it"]
    assert len(memory(made_up(tmp_path, failed=False, disk=0.0)).data) == 2
