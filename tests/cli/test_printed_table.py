"""Tables on a terminal: no number is cut or broken at any width."""

import io

import pytest
from rich.console import Console
from rich.table import Table

from crumple.compare.compared_runs import table as table_of_differences
from crumple.compare.run_difference import Group, RunDifference
from crumple.lab.traces.show_trace import grid
from crumple.printed_table import print_folded, print_whole, table_of

WIDTHS = (200, 100, 80, 70, 60, 40, 10)
NUMBERS = ("-1.234567e-01", "9.876543e+102", "12,345,678", "~0.117", "100.0%")
WORDS = "a sentence that says where these come from, eroded_hourglass_energy_of_the_barrier"


def printed(table: Table, width: int, how=print_folded) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    how(table, console)
    assert console.width == width
    return console.file.getvalue().splitlines()


def differences() -> list[RunDifference]:
    energy = "glstat/eroded_hourglass_energy at 0.0012"
    return [
        RunDifference(Group.deck, "deck", "/a/long/path/base.k", "/a/long/path/thicker.k"),
        RunDifference(Group.results, energy, NUMBERS[0], NUMBERS[1], 0.7234, True, "3 quantities beyond"),
        RunDifference(Group.results, "state hash", "0123456789abcdef", "fedcba9876543210", None, False),
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("pad_edge", [False, True])
def test_folded_numbers_are_whole(width, pad_edge):
    """Also those among words; texts are folded, and nothing of them is lost."""
    table = Table(box=None, pad_edge=pad_edge)
    for name in ("quantity", "first", "second", "source"):
        table.add_column(name)
    for number in NUMBERS:
        table.add_row("eroded_hourglass_energy", number, f"{number} GB/s", WORDS)
    lines = printed(table, width)
    for number in NUMBERS:
        assert sum(line.split().count(number) for line in lines) == 2
    row = "eroded_hourglass_energy" + "GB/s" + WORDS
    expected = "quantityfirstsecondsource" + len(NUMBERS) * row + 2 * "".join(NUMBERS)
    assert sorted("".join(lines).replace(" ", "")) == sorted(expected.replace(" ", ""))
    if width >= 60:
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_a_column_that_is_not_to_wrap_is_cut(width):
    """Descriptions in the last column, one line per row; the numbers beside them are whole."""
    table = Table(box=None)
    table.add_column("rate")
    table.add_column("", no_wrap=True, overflow="ellipsis")
    for number in NUMBERS:
        table.add_row(number, WORDS)
    lines = printed(table, width)
    assert len(lines) == 1 + len(NUMBERS)
    assert [line.split()[0] for line in lines[1:]] == list(NUMBERS)
    assert max(map(len, lines)) <= max(width, 20)


@pytest.mark.parametrize("make", [lambda *names: table_of("title", *names), grid])
def test_whole_tables_have_a_line_per_row(make):
    names = [f"column {k}" for k in range(30)]
    table = make(*names)
    table.add_row(*(f"{k}.123456e-05" for k in range(30)))
    for width in WIDTHS:
        lines = printed(table, width, print_whole)
        assert lines[-1].split() == [f"{k}.123456e-05" for k in range(30)]


@pytest.mark.parametrize("width", WIDTHS)
def test_differences_of_runs(width):
    """At 80 columns names of quantities are whole, too; at 60 the table still fits."""
    names = ("base-with-a-long-name", "results/of/the/thicker/box")
    lines = printed(table_of_differences(differences(), names, width), width)
    words = [word for line in lines for word in line.split()]
    assert {NUMBERS[0], NUMBERS[1], "7.2e-01"} <= set(words)
    assert "relative" in words
    if width >= 60:
        assert max(map(len, lines)) <= width
    if width >= 80:
        assert "glstat/eroded_hourglass_energy" in words


def test_words_in_brackets_have_their_width(monkeypatch, capsys):
    """They are no markup, which would have none."""
    monkeypatch.setenv("COLUMNS", "20")
    table = table_of("times", "", "2 ranks [us]", "4 ranks [us]")
    table.add_row("sum", "2.0", "4.0")
    print_whole(table, Console())
    assert capsys.readouterr().out.count("ranks [us]") == 2
