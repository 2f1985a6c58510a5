"""`make bench` without measuring: its decks, its limits and its tables, of figures that are made up."""

from pathlib import Path

import pytest
import speed_decks
import speed_limits
import speed_runs
import speed_tables
from solver_run import run
from speed_figure import Figure
from speed_page import Page, to_html, to_markdown

RATES = {
    "machine/triad/32 MiB": 0.05,  # ns a byte: 20 GB/s
    "machine/multiply-add/double": 0.01,
    "machine/divide/double": 1.0,
    "machine/root/double": 0.5,
}
WORK = {"sums": 600.0, "products": 900.0, "divisions": 20.0, "roots": 10.0}


def figures(values: dict[str, float]) -> dict[str, Figure]:
    """Three values each, 10 % around."""
    return {name: Figure.of([0.9 * v, v, 1.1 * v]) for name, v in values.items()}


def test_limits_of_the_belytschko_tsay_shell_are_those_counted_by_hand():
    limit = speed_limits.limits(figures(RATES), dict.fromkeys(speed_limits.TRAFFIC, WORK))["shell 2/double"]
    # 63 variables, survival and step read and written; 2 energies; 4 corners; the prefetched node;
    # 200 bytes of 225^2/224^2 nodes
    moved = 8 * (63 + 4) + 32 + 16 + 4 + 200 * 225**2 / 224**2
    assert limit.bytes == pytest.approx(moved)
    assert limit.memory_ns == pytest.approx(0.05 * moved)
    assert limit.flops_ns == pytest.approx(0.01 * (1530 + 26))
    assert limit.divisions_ns == pytest.approx(25.0)
    assert (limit.by, limit.ns) == ("memory", limit.memory_ns)


def test_the_page_tells_ratios_to_targets_and_to_what_was_committed():
    key = "Belytschko-Tsay shell/double/1x1"
    runs = {key: figures({"processor": 260.0})}
    table = speed_tables.run_table(runs, {key: figures({"processor": 325.0})})
    assert table.rows == [("Belytschko-Tsay shell, double", "260", "234-286", "130", "2.00", "0.80")]
    page = Page("Speed <of> the solver", "a machine", [table])
    assert "| Belytschko-Tsay shell, double | 260 |" in to_markdown(page)
    assert "Speed &lt;of&gt; the solver" in to_html(page) and "<of>" not in to_html(page)


def model_of(deck: Path) -> str:
    """What --check says of a deck, to its total mass."""
    said = run(None, deck.parent / "check", "--check", str(deck)).stdout
    return said[: said.index("centre of gravity")]


@pytest.mark.parametrize("name", ["plate50k", "block50k", "mini_tube"])
def test_decks_made_here_are_those_of_the_shared_folder(name, tmp_path, monkeypatch, real_deck):
    real_deck("bench")
    shared = model_of(speed_decks.bench_deck(name, tmp_path))
    (tmp_path / "made").mkdir()
    monkeypatch.setattr(speed_decks, "SHARED", tmp_path / "nowhere")
    made = model_of(speed_decks.bench_deck(name, tmp_path / "made"))
    assert "total mass" in made and made == shared


def test_a_deck_with_another_formulation_and_hourglass_control(tmp_path, monkeypatch):
    monkeypatch.setattr(speed_decks, "SHARED", tmp_path / "nowhere")
    deck = speed_decks.bench_deck("mini_tube", tmp_path)
    changed = speed_decks.changed_deck(deck, 16, 8).read_text()
    assert changed.count("        16    0.8333         5") == 2
    assert "*HOURGLASS\n         1         8       0.1\n*END" in changed
    assert changed.count("         0         1\n") >= 2  # HGID of both parts
    ended = speed_decks.set_end_time(deck, 4.5e-4).read_text()
    assert "*CONTROL_TERMINATION\n 4.500e-04\n" in ended


def test_the_camry_without_output(tmp_path, monkeypatch, real_deck):
    real_deck("camry2012.tar.xz")
    assert "Camry frontal/double/1x2" in [case.key for case in speed_runs.cases(quick=False)]
    assert speed_runs.not_found() == ""
    deck = speed_decks.bench_deck(speed_decks.CAMRY, tmp_path)
    assert deck == speed_decks.bench_deck(speed_decks.CAMRY, tmp_path)
    text = deck.read_text()
    assert "*DATABASE" not in text and "*RIGIDWALL_PLANAR_ID" in text
    includes = [line for line in text.splitlines() if line.endswith(".k")]
    assert includes and all((deck.parent / name).exists() for name in includes)
    monkeypatch.setattr(speed_decks, "SHARED", tmp_path / "nowhere" / "bench")
    assert not any("Camry" in case.key for case in speed_runs.cases(quick=False))
    assert "camry2012.tar.xz" in speed_runs.not_found()


def test_phases_are_means_over_ranks():
    text = (
        "  rank     elements      contact        loads     exchange  constraints       output\n"
        "     0       1.00 s       0.50 s       0.00 s       0.00 s       0.20 s       0.10 s\n"
        "     1       3.00 s       0.10 s       0.00 s       0.00 s       0.20 s       0.10 s\n"
    )
    phases = speed_runs.phases_of(text)
    assert phases["elements"] == 2.0
    assert phases["contact"] == pytest.approx(0.3)
