"""Studies of parameters, and optimisation with scipy and Optuna: they find the optimum that is known."""

import math

import numpy as np
import optuna
import pytest
from buffer_deck import buffer_deck, peak, stroke
from scipy.optimize import minimize_scalar

import crumple

#: of the peak acceleration times the stroke over the square of the speed, over all damping ratios
BEST_DAMPING, LEAST_PRODUCT = 0.404, 0.5206


def deck(stiffness: float, damping: float) -> str:
    return buffer_deck(stiffness, damping, end_time=8.0)


def motion(results: crumple.Results) -> dict[str, float]:
    node = results.nodout[2]
    return {"peak": node["x_acceleration"].max(), "stroke": -node["x_displacement"].min()}


def test_closed_forms_of_the_buffer():
    """The peak and the stroke are those of the motion itself; the optimum is where handbooks have it."""
    t = np.linspace(0.0, 20.0, 400_001)
    for stiffness, damping in ((0.5, 0.3), (0.5, 0.9), (2.0, 2.2)):
        w = math.sqrt(stiffness / 2.0)
        z = damping / (4.0 * w)
        s = math.sqrt(1.0 - z * z)
        x = 10.0 / (s * w) * np.exp(-z * w * t) * np.sin(s * w * t)
        assert stroke(stiffness, damping) == pytest.approx(x.max(), rel=1e-8)
        assert peak(stiffness, damping) == pytest.approx(
            np.abs(np.gradient(np.gradient(x, t), t))[2:-2].max(), rel=1e-4
        )
    ratios = np.linspace(0.01, 0.99, 981)
    product = [peak(0.5, 2 * z) * stroke(0.5, 2 * z) / 100.0 for z in ratios]
    assert ratios[int(np.argmin(product))] == pytest.approx(BEST_DAMPING, abs=2e-3)
    assert min(product) == pytest.approx(LEAST_PRODUCT, abs=1e-4)


def test_points_of_a_grid(tmp_path):
    points = list(crumple.grid(stiffness=[0.4, 0.8], damping=[0.5, 1.0]))
    assert points[1] == {"stiffness": 0.4, "damping": 1.0} and len(points) == 4
    study = crumple.ParameterStudy(deck, motion, tmp_path / "study")
    told = []
    table = study.run(points, workers=2, on_point=lambda point, measured: told.append(point))
    assert table[["stiffness", "damping"]].to_dict("records") == points
    assert sorted(map(str, told)) == sorted(map(str, points))
    for row in table.itertuples():
        # a force of the damper is that of half a step before
        assert row.peak == pytest.approx(peak(row.stiffness, row.damping), rel=5e-3)
        assert row.stroke == pytest.approx(stroke(row.stiffness, row.damping), rel=2e-3)
        assert crumple.Results(row.folder).ending == "normal termination"
    assert len(study.table) == 4


def test_what_was_run_is_not_run_again(tmp_path):
    first = crumple.ParameterStudy(deck, motion, tmp_path)
    measured = first(stiffness=0.5, damping=0.6)
    assert first(stiffness=0.5, damping=0.6) == measured
    again = crumple.ParameterStudy(deck, lambda r: motion(r)["stroke"], tmp_path)
    assert again(stiffness=0.5, damping=0.6) == {"value": measured["stroke"]}
    assert [path.name for path in tmp_path.iterdir()] == ["run-0001"]
    assert crumple.ParameterStudy(deck, motion, tmp_path, precision="single")(stiffness=0.5, damping=0.6)
    assert crumple.ParameterStudy(deck, motion, tmp_path, precision="double")(stiffness=0.5, damping=0.6)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run-0001", "run-0002", "run-0003"]


def wrong(stiffness: float) -> str:
    text = deck(abs(stiffness), 0.5)
    return text if stiffness > 0 else text.replace("*MAT_SPRING_ELASTIC", "*MAT_SPRING_ELASTICC")


def test_runs_that_fail(tmp_path):
    study = crumple.ParameterStudy(wrong, motion, tmp_path)
    points = [{"stiffness": 0.5}, {"stiffness": -1.0}]
    table = study.run(points, on_error="keep")
    assert table["error"][0] == "" and "unknown keyword" in table["error"][1]
    assert np.isnan(table["peak"][1]) and table["peak"][0] > 0
    with pytest.raises(crumple.DeckRefused):
        study.run(points)
    with pytest.raises(crumple.DeckRefused):
        study.objective(["stiffness"], "peak")([-1.0])
    assert study.objective(["stiffness"], "peak", failed=1e9)([-1.0]) == 1e9
    assert study.objective(["stiffness"], "peak", scale=-1.0)([0.5]) == -table["peak"][0]


def test_scipy_finds_the_damping_of_the_least_peak(tmp_path):
    """At a given stiffness: a damping ratio of 0.265 and 0.81 v w (closed form in buffer_deck)."""
    stiffness = 0.5
    study = crumple.ParameterStudy(lambda damping: deck(stiffness, damping), motion, tmp_path)
    found = minimize_scalar(
        lambda c: study(damping=float(c))["peak"],
        bounds=(0.1, 1.5),
        method="bounded",
        options={"xatol": 0.01},
    )
    known = minimize_scalar(lambda c: peak(stiffness, c), bounds=(0.1, 1.5), method="bounded")
    assert known.x / (2 * math.sqrt(2.0 * stiffness)) == pytest.approx(0.265, abs=2e-3)
    assert found.x == pytest.approx(known.x, abs=0.04)
    assert found.fun == pytest.approx(known.fun, rel=5e-3)
    assert len(study.table) == found.nfev


@pytest.mark.slow
def test_optuna_finds_the_buffer_of_a_given_stroke(tmp_path):
    """The least peak acceleration within 12 mm is 0.52 v^2 / stroke."""
    study = crumple.ParameterStudy(deck, motion, tmp_path)

    def objective(trial: optuna.Trial) -> float:
        measured = study(
            stiffness=trial.suggest_float("stiffness", 0.1, 1.0),
            damping=trial.suggest_float("damping", 0.2, 2.0),
        )
        return measured["peak"] + 10.0 * max(0.0, measured["stroke"] - 12.0)

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    search = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=2))
    search.optimize(objective, n_trials=20)
    assert search.best_value == pytest.approx(LEAST_PRODUCT * 100.0 / 12.0, rel=0.1)
    assert search.best_value > LEAST_PRODUCT * 100.0 / 12.0 * 0.99
