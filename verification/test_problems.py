"""Every problem on 1 and 3 ranks: figures within tolerance, the same state on both, the page up to date."""

import pytest

from verification.problems import PROBLEMS
from verification.report import PAGE, names_on_page
from verification.runs import RANKS

every_problem = pytest.mark.parametrize(
    "problem", [pytest.param(p, id=p.name, marks=[pytest.mark.slow] * p.slow) for p in PROBLEMS]
)


def line(figure) -> str:
    return (
        f"{figure.case}, {figure.quantity}: expected {figure.expected}, computed {figure.computed:.8g}, "
        f"error {figure.error:.3g}, tolerance {figure.tolerance:g} {figure.known_wrong}"
    )


@every_problem
@pytest.mark.parametrize("ranks", RANKS)
def test_figures(problem, ranks, runs):
    if ranks not in problem.ranks:
        pytest.skip(f"is for {problem.ranks} ranks")
    figures = runs.figures(problem, ranks)
    assert figures
    bad = [line(f) for f in figures if not f.good and not f.known_wrong]
    assert not bad, "\n".join(bad)
    repaired = [line(f) for f in figures if f.good and f.known_wrong]
    assert not repaired, "known_wrong can go:\n" + "\n".join(repaired)
    wrong = [line(f) for f in figures if f.known_wrong]
    if wrong:
        pytest.xfail("\n".join(wrong))


@every_problem
def test_same_state_on_any_number_of_ranks(problem, runs):
    by_ranks = {n: {deck: r.hash for deck, r in runs.results(problem, n).items()} for n in problem.ranks}
    assert all(hashes == by_ranks[problem.ranks[0]] for hashes in by_ranks.values()), by_ranks


def test_page_lists_the_problems_that_exist():
    assert names_on_page() == [p.name for p in PROBLEMS], f"write {PAGE} anew: python -m verification.report"


def test_figure_out_of_tolerance_is_told():
    from verification.problem import Figure

    assert not Figure("", "", 1.0, 1.011, 0.01).good
    assert Figure("", "", 1.0, 1.009, 0.01).good
    assert not Figure("", "", (2.0, 3.0), 3.1, 0.0).good
    assert Figure("", "", (2.0, 3.0), 2.9, 0.0).good
    assert not Figure("", "", 0.0, float("nan"), 1.0, 1.0).good


def test_result_of_a_formulation_that_cannot_reach_the_known_value():
    from verification.problem import Figure

    def locked(computed: float) -> Figure:
        return Figure("", "", 1.0, computed, 0.01, reached=0.5, why="locks")

    assert locked(0.504).good
    assert not locked(0.506).good
    assert not locked(1.0).good
    assert not locked(float("nan")).good
    assert locked(0.504).error == pytest.approx(0.496)


def test_page_of_some_problems_keeps_the_others():
    from verification.problem import Figure
    from verification.report import page

    earlier = PAGE.read_text()
    assert page({}, earlier=earlier) == earlier
    changed = page({PROBLEMS[1].name: [Figure("a case", "a length", 2.0, 2.5, 0.1)]}, earlier=earlier)
    assert "| a case | a length | 2 | 2.5 | 25 | 10 | 1, 3 |" in changed
    section = changed[changed.index(f"## {PROBLEMS[1].name}") : changed.index(f"## {PROBLEMS[2].name}")]
    assert len([line for line in section.splitlines() if line.startswith("| ")]) == 2
    assert changed[: changed.index("## ")] != earlier[: earlier.index("## ")]
    assert (
        changed[changed.index(f"## {PROBLEMS[2].name}") :]
        == earlier[earlier.index(f"## {PROBLEMS[2].name}") :]
    )


def test_exponent_of_convergence():
    from verification.implicit import exponent

    assert exponent([[1.0, 1e-2, 1e-4, 1e-8, 1e-9]]) == pytest.approx(2.0)  # the last pair begins too low
    assert exponent([[1.0, 1e-2, 1e-4], [1.0, 1e-2, 1e-3]]) == pytest.approx(1.5)
    assert exponent([[1.0, 0.2]]) != exponent([[1.0, 0.2]])  # nothing near: not a number


def test_parabola_through_centres_is_exact_for_parabolas():
    from verification.stresses import parabola

    for at in (0.0, 3.2, 8.0):
        chosen, weights = parabola(8, at)
        assert sum(
            w * (2 - 3 * (i + 0.5) + (i + 0.5) ** 2) for i, w in zip(chosen, weights, strict=True)
        ) == (pytest.approx(2 - 3 * at + at**2))


#: w D / q a^4 and w D / P a^2 of b / a = 1 and 5; clamped plates of 5 are as those that are infinitely long
PLATES = {
    (False, False): (0.00406, 0.01297),
    (False, True): (0.01160, 0.01696),
    (True, False): (0.00126, 0.00260),
    (True, True): (0.00560, 0.00725),
}


@pytest.mark.parametrize(("clamped", "force"), PLATES)
def test_series_of_plates_have_the_deflections_of_timoshenkos_tables(clamped, force):
    from verification.problems.implicit import plates

    rigidity = plates.YOUNG * plates.SHELL_THICKNESS**3 / (12 * (1 - plates.POISSON**2))
    unit = plates.FORCE * plates.WIDTH**2 if force else plates.PRESSURE * plates.WIDTH**4
    for length, known in zip(plates.LENGTHS, PLATES[clamped, force], strict=True):
        w = plates.series(length, clamped, force, plates.SHELL_THICKNESS)
        assert w * rigidity / unit == pytest.approx(known, abs=1.3e-5)
