"""Benchmark models: what is in them, that they run, and that they have the published sizes."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from command_line import crumple
from solver_run import run

from crumple.models import Wishes, find_model, models, write_model
from crumple.models.car import build_car, plan_car, wanted_welds
from crumple.models.car_class import COMPACT, MINIVAN
from crumple.models.car_parts import CarPart
from crumple.models.cylinders import ON_AXIS, make_cylinders

CARS = {"three-vehicle": 6000, "neon": 4000, "barrier": 6000, "caravan": 4000, "car2car": 6000}


def counts(deck: Path) -> Counter:
    """Data lines of each keyword of a deck."""
    found, keyword = Counter(), ""
    for line in deck.read_text().splitlines():
        if line.startswith("*"):
            keyword = line
        elif not line.startswith("$"):
            found[keyword] += 1
    return found


@pytest.fixture(scope="module", params=CARS)
def car_deck(request, tmp_path_factory) -> tuple[str, Path]:
    """A model of cars of some thousand elements."""
    path = tmp_path_factory.mktemp(request.param) / "m.k"
    assert write_model(request.param, path, Wishes(CARS[request.param])) == CARS[request.param]
    return request.param, path


def test_car_deck_has_what_a_crash_model_has(car_deck):
    name, path = car_deck
    found = counts(path)
    cars = {"three-vehicle": 3, "car2car": 2}.get(name, 1)
    shells, solids, beams = (found[f"*ELEMENT_{kind}"] for kind in ("SHELL", "SOLID", "BEAM"))
    assert shells + solids + beams == CARS[name]
    assert beams >= 100 * cars, "spot welds"
    assert solids >= 16 * cars, "engine and radiator"
    text = path.read_text()
    assert text.count("*CONTACT_SPOTWELD_ID") == cars
    assert text.count("*CONTACT_TIED_") == 5 * cars
    assert text.count("*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID") == 1
    assert text.count("*CONSTRAINED_EXTRA_NODES_SET") == 3 * cars
    assert found["*CONSTRAINED_SPOTWELD"] == 24 * cars, "four corners of four doors and two lids"
    for part in ("rails", "crash boxes", "front bumper beam", "floor", "pillars", "engine", "front wheels"):
        assert re.search(rf"^\w+ {part}", text, re.M), part


def test_car_deck_runs(car_deck, tmp_path):
    """No initial penetration, all ties hold, energy is kept, and the step is that of the mesh."""
    name, path = car_deck
    done = run(path, tmp_path, "endtime=0.5", ranks=2)
    assert done.status == 0, done.said[-3000:]
    for warning in ("CR-C013", "CR-C030", "CR-C031", "CR-C032", "CR-C033"):
        assert warning not in done.said, done.said[-3000:]
    assert all(0.97 < row.ratio < 1.03 for row in done.progress)
    steps = [row.step for row in done.progress]
    cell = max(float(c) for c in re.findall(r"cells of ([\d.]+) mm", path.read_text()))
    median = 1e3 * float(np.median(steps))  # us
    assert 4.0 < median < 0.19 * cell, f"{median} us with cells of {cell} mm"


@pytest.mark.parametrize("car", [COMPACT, MINIVAN])
@pytest.mark.parametrize("elements", [1300, 9000, 60_000])
def test_cars_have_the_number_of_elements_asked_for(car, elements):
    mesh = build_car(car, elements)
    assert mesh.elements() == elements
    assert np.isfinite(mesh.nodes).all()
    used = np.concatenate([mesh.shells.ravel(), mesh.solids.ravel(), mesh.welds.ravel()])
    assert set(np.unique(used)) == set(range(len(mesh.nodes))), "no node without an element"


@pytest.mark.parametrize(("car", "elements"), [(COMPACT, 535_070), (MINIVAN, 1_200_000)])
def test_published_sizes_are_met_with_a_fair_number_of_welds(car, elements):
    mesh = build_car(car, elements)
    assert mesh.elements() == elements
    wanted = wanted_welds(plan_car(car, mesh.cell))
    assert 0.3 * wanted < len(mesh.welds) < 4.0 * wanted
    corners = mesh.nodes[mesh.shells[mesh.shell_parts < CarPart.FRONT_WHEEL]]
    shortest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).min(axis=1)
    steps = shortest / 5.4  # us: plane stress waves in steel
    assert 0.8 < np.median(steps) < 1.5
    assert steps.min() > 0.5


@pytest.mark.parametrize("elements", [1000, 1700, 20_000])
def test_a_rail_node_has_one_mount(elements):
    mounts = build_car(COMPACT, elements).mounts
    assert all(len(nodes) >= 8 for nodes in mounts.values()), "both rails"
    nodes = np.concatenate(list(mounts.values()))
    assert len(nodes) == len(set(nodes.tolist()))


def test_welds_lie_on_both_sheets():
    mesh = build_car(COMPACT, 9000)
    length = np.linalg.norm(np.diff(mesh.nodes[mesh.welds], axis=1)[:, 0], axis=1)
    assert length == pytest.approx(6.0, rel=0.01)


def test_decks_are_the_same_each_time(tmp_path):
    for name in models():
        first, second = tmp_path / "a.k", tmp_path / "b.k"
        write_model(name, first, Wishes(5000))
        write_model(name, second, Wishes(5000))
        assert first.read_bytes() == second.read_bytes(), name


def test_speed_and_end_time_are_those_asked_for(tmp_path):
    write_model("car2car", tmp_path / "m.k", Wishes(3000, 7.5, 12.0))
    text = (tmp_path / "m.k").read_text()
    assert re.search(r"ENDTIM\n\s*12\.000", text)
    assert sorted(float(v) for v in re.findall(r" 0\.0 +(-?7\.5000)", text)) == [-7.5, 7.5]


def test_cylinders_have_the_published_counts():
    cylinders = make_cylinders(921_600)
    assert [sum(n) for n in zip(*(c.count() for c in cylinders), strict=True)] == [
        921_600,
        1_014_751 - ON_AXIS,
    ]
    first, second = cylinders[:2]
    assert len(first.nodes()) == first.count()[1]
    assert len(np.unique(second.solids())) == second.count()[1]
    assert all(b.inner < a.outer < b.inner + 1e-3 for a, b in zip(cylinders[:-1], cylinders[1:], strict=True))
    apart = make_cylinders(3000, gap=0.1)
    assert [b.inner - a.outer for a, b in zip(apart[:-1], apart[1:], strict=True)] == pytest.approx([0.1] * 5)


def test_nothing_of_cylinders_is_refused(tmp_path):
    assert write_model("cylinders", tmp_path / "c.k", Wishes(3000)) == pytest.approx(3000, rel=0.05)
    done = crumple("check", "c.k", directory=tmp_path)
    said = done.stdout + done.stderr
    assert "error CR-" not in said, said
    with pytest.raises(ValueError, match="speed"):
        write_model("cylinders", tmp_path / "c.k", Wishes(3000, speed=1.0))


def test_unknown_model_gives_the_nearest():
    with pytest.raises(ValueError, match="no model 'nean'; did you mean 'neon'"):
        find_model("nean")
    with pytest.raises(
        ValueError,
        match="there are: barrier, bird, car2car, caravan, .*cylinders, headform, neon, sled, three-vehicle",
    ):
        find_model("ship")


def test_too_few_elements_are_refused(tmp_path):
    for name, kind in models().items():
        with pytest.raises(ValueError, match=f"{kind.least} or more"):
            write_model(name, tmp_path / "m.k", Wishes(kind.least - 1))
    assert not (tmp_path / "m.k").exists()


def test_study_names_the_nearest_model(tmp_path):
    (tmp_path / "s.toml").write_text('[study]\nname = "s"\n[workload]\nmodel = "carcar"\n')
    done = crumple("study", "run", "s.toml", "--dry-run", directory=tmp_path)
    assert done.returncode == 2
    assert "did you mean 'car2car'" in (done.stdout + done.stderr).replace("\n", " ")


def test_plot_states_are_as_many_as_asked_for(tmp_path):
    write_model("neon", tmp_path / "m.k", Wishes(2000, end_time=0.5, plots=100))
    lines = (tmp_path / "m.k").read_text().splitlines()
    assert float(lines[lines.index("*DATABASE_BINARY_D3PLOT") + 1]) == pytest.approx(0.005)
    with pytest.raises(ValueError, match="plot states"):
        write_model("cylinders", tmp_path / "m.k", Wishes(2000, plots=3))
