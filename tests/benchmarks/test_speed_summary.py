"""Tables with a column for each kind of processor, and docs/performance.md, which has them."""

import performance_page
import pytest
import speed_summary
from made_up_records import record
from performance_page import PAGE, with_tables
from speed_crashes import CRASHES
from speed_record import committed

CRASH = CRASHES[0].name
PHASES = ("elements", "contact", "loads", "exchange", "constraints", "output")


def run(elapsed: float, shares: tuple[float, ...] = (50, 30, 0, 5, 10, 5)) -> dict[str, float]:
    """A run's figures, with shares of phases in percent."""
    phases = {name: 0.01 * elapsed * share for name, share in zip(PHASES, shares, strict=True)}
    return {"processor": elapsed, "elapsed": elapsed, "seconds": elapsed / 5} | phases


def crash(double: float, single: float, two: float) -> dict[str, dict[str, float]]:
    """A crash on one core in both precisions, and in double on two."""
    return {
        f"{CRASH}/double/1x1": run(double),
        f"{CRASH}/single/1x1": run(single, (40, 40, 0, 5, 10, 5)),
        f"{CRASH}/double/2x1": run(two, (60, 20, 0, 10, 5, 5)),
    }


def test_whole_crashes_have_a_column_for_each_kind_of_processor():
    zen4 = record("zen4", 1, crash(100, 80, 60))
    zen3 = record("zen3", 2, crash(200, 150, 125), generation="Zen 3", isa="AVX2")
    table = speed_summary.tables([zen3, zen4])["crashes"]
    assert table.columns == ("crash", "Zen 3, AVX2", "Zen 4, AVX-512")
    cells = [row[1:] for row in table.rows]
    assert cells == [
        ("40.0; 30.0", "20.0; 16.0"),  # seconds
        ("200; 150", "100; 80.0"),  # ns
        ("1.33; 1.60", "1.25; 1.67"),  # single; two ranks
        ("50, 30, 10, 5, 5 %",) * 2,
        ("60, 20, 5, 10, 5 %",) * 2,
        ("50 %; 40 %; 60 %; -",) * 2,
    ]


def test_a_cell_is_of_the_newest_record_that_has_it_and_ratios_of_one_record():
    old = record("old", 1, crash(100, 80, 50))
    new = record("new", 2, {f"{CRASH}/double/1x1": run(90.0)})
    tables = speed_summary.tables([new, old])
    rows = dict(tables["two-cores"].rows)
    assert rows[CRASH] == "2.00; -"  # not 90 / 50
    assert tables["crashes"].rows[1][1] == "90.0; -"
    assert [row[-1] for row in tables["machines"].rows] == ["new.json", "old.json"]


RATES = {"machine/triad/32 MiB": 0.02, "machine/divide/double": 0.5, "machine/root/double": 0.5}
WORK = {"shell 2": {"sums": 974.0, "products": 1000.0, "divisions": 0.0, "roots": 0.0}}  # and 26 outside
SHELL = "element/shell 2/024/50000/double"


def kernels(shell: float, multiply_add: float) -> dict[str, float]:
    return RATES | {SHELL: shell, "machine/multiply-add/double": multiply_add}


def test_limits_are_by_the_rate_of_the_same_instruction_set():
    of = {"AVX-512": kernels(60, 0.01), "AVX2": kernels(120, 0.02), "baseline": kernels(240, 0.06)}
    records = [record(isa, 1, {}, values, WORK, isa=isa) for isa, values in of.items()]
    tables = speed_summary.tables(records)
    assert tables["kernels"].columns[1:] == ("Zen 4, AVX-512", "Zen 4, AVX2", "Zen 4, baseline")
    assert tables["kernels"].rows[0][1:] == ("60.0 / 20.0 = 3.0", "120 / 40.0 = 3.0", "240 / 120 = 2.0")
    assert tables["gains"].columns[1:] == ("Zen 4, AVX-512", "Zen 4, AVX2")
    assert tables["gains"].rows == [("shell ELFORM 2", "4.00; -", "2.00; -")]


def test_a_limit_by_memory_says_so():
    slow = kernels(60, 0.01) | {"machine/triad/32 MiB": 0.1}
    row = speed_summary.tables([record("a", 1, {}, slow, WORK)])["kernels"].rows[0]
    assert row[1].startswith("60.0 / 79.0 memory = ")


def test_contact_has_limits_of_its_own_work_only():
    rates = kernels(60, 0.01) | {"contact/forces": 300.0, "ties/motion": 12.0}
    done = {"sums": 40.0, "products": 60.0, "divisions": 0.0, "roots": 0.0}
    work = {"contact forces": done | {"bytes": 1000.0}, "tie motion": done | {"sums": 340.0, "bytes": 50.0}}
    rows = dict(speed_summary.tables([record("a", 2, {}, rates, work)])["others"].rows)
    assert rows["contact forces, a node that touches one segment"] == "300 / 20.0 memory = 15.0"
    assert rows["ties: motion"] == "12.0 / 4.00 = 3.0"
    assert rows["triad of 32 MiB, GB/s"] == "50.0"
    old = record("b", 1, {}, rates)  # of two threads
    assert speed_summary.tables([record("a", 2, {}, {}, work), old])["others"].rows == [
        ("triad of 32 MiB, GB/s", "50.0")
    ]


def test_rates_beside_elements_are_those_of_their_record():
    whole = record("a", 1, {}, kernels(60, 0.01), WORK)
    contact = record("b", 2, {}, kernels(60, 0.01) | {"machine/triad/32 MiB": 0.1}, WORK)
    del contact.kernels[SHELL]
    rows = dict(speed_summary.tables([contact, whole])["kernels"].rows)
    assert rows["triad of 32 MiB, GB/s"] == "50.0"


def test_kernels_without_rates_are_left_out():
    alone = record("a", 2, {}, {SHELL: 50.0}, WORK)
    whole = record("b", 1, {}, kernels(60, 0.01), WORK)
    assert speed_summary.tables([alone, whole])["kernels"].rows[0][1] == "60.0 / 20.0 = 3.0"
    assert speed_summary.tables([alone])["kernels"].rows == []


def test_tables_are_written_between_the_marks():
    text = "by hand\n<!-- figures: two-cores -->\nold\n<!-- end of figures -->\nmore\n"
    made = with_tables(text, [record("a", 1, crash(100, 80, 50))])
    assert made.startswith("by hand\n<!-- figures: two-cores -->\n\n| double precision | Zen 4, AVX-512 |\n")
    assert f"| {CRASH} | 2.00; - |" in made and "old" not in made
    assert made.endswith("<!-- end of figures -->\nmore\n")
    assert with_tables(made, [record("a", 1, crash(100, 80, 50))]) == made
    assert "Not measured yet." in with_tables(text, [])
    with pytest.raises(ValueError, match="no table 'two'"):
        with_tables(text.replace("two-cores", "two"), [])


def test_the_page_has_the_figures_that_are_committed():
    """Otherwise run `python benchmarks/performance_page.py`."""
    text = PAGE.read_text()
    assert with_tables(text, committed()) == text
    asked = {name for _, name, _ in performance_page.BLOCK.findall(text)}
    assert asked == set(speed_summary.tables([]))
