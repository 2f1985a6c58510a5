"""The sled: what its deck holds, that nothing of it is refused, and the same bits on ranks and threads."""

import re

import numpy as np
import pytest
from command_line import crumple
from solver_run import expect_same_bits, run

from crumple.curves.run_curves import RunCurves
from crumple.models import Wishes, write_model
from crumple.models.deck_mesh import read_mesh
from crumple.models.sled_bag import GAP, LEAF, LEAVES, MIDDLE, RADIUS, RISE, TURN, columns, folded
from crumple.models.sled_belt import taut_string
from crumple.models.sled_mesh import Ellipsoid, SledMesh, cube_sphere
from crumple.models.sled_occupant import joints, segments
from crumple.report import restraints
from crumple.report.run_page import write_report
from crumple.results.glstat import read_glstat
from crumple.results.matsum import read_matsum

SMALL = 3600
FIRED = 15.0  #: ms: pretensioner and bag have fired


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("sled") / "sled.k"
    assert write_model("sled", path, Wishes(SMALL, end_time=FIRED, plots=4)) == pytest.approx(SMALL, rel=0.05)
    return path


@pytest.fixture(scope="module")
def done(deck, tmp_path_factory):
    found = run(deck, tmp_path_factory.mktemp("run"))
    assert found.status == 0, found.said[-3000:]
    return found


def test_nothing_of_the_deck_is_refused(deck):
    checked = crumple("check", str(deck), directory=deck.parent)
    said = checked.stdout + checked.stderr
    assert checked.returncode == 0, said
    assert "error CR-" not in said
    text = deck.read_text()
    for keyword in ("AIRBAG_WANG_NEFSKE", "ELEMENT_SEATBELT_PRETENSIONER", "CONSTRAINED_JOINT_TRANSLATIONAL"):
        assert f"*{keyword}" in text
    assert text.count("*PART_INERTIA") == len(segments())
    assert text.count("*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED") == len(joints()) + 1


@pytest.mark.parametrize("elements", [5000, 20_000, 100_000])
def test_any_size(elements, tmp_path):
    path = tmp_path / "sled.k"
    assert write_model("sled", path, Wishes(elements)) == pytest.approx(elements, rel=0.05)
    mesh = read_mesh(path)
    first, _, third, _ = np.moveaxis(mesh.x[mesh.corners], 1, 0)
    assert np.linalg.norm(third - first, axis=1).min() > 1.0


def test_the_man_weighs_77_kg():
    assert sum(s.mass for s in segments()) == pytest.approx(77.0, abs=1.0)
    for s in segments():
        principal = np.linalg.eigvalsh(s.inertia())
        assert principal[0] > 0
        assert principal[0] + principal[1] > principal[2]
        a, b, c = np.sort(s.body.half)
        assert principal == pytest.approx(
            s.mass / 5 * np.array([a * a + b * b, a * a + c * c, b * b + c * c])
        )


def test_a_joint_is_in_both_of_its_bodies():
    bodies = {s.part: s.body for s in segments()}
    for joint in joints():
        for part in joint.parts:
            assert np.linalg.norm(bodies[part].local(joint.at)) < 1.35, joint.name


def test_faces_of_a_cube_sphere_look_outwards():
    points, quads = cube_sphere(4)
    assert len(points) == 6 * 16 + 2
    a, b, c, d = np.moveaxis(points[quads], 1, 0)
    assert (np.cross(c - a, d - b) * (a + b + c + d)).sum(axis=1).min() > 0


def test_bricks_are_not_inside_out():
    mesh = SledMesh()
    x = np.stack(np.meshgrid([0.0, 1.0, 3.0], [0.0, 2.0], [0.0, 1.0], indexing="ij"), axis=-1)
    mesh.bricks(1, mesh.add(x))
    corners = mesh.x()[mesh.solids.nodes() - 1]
    e = [corners[:, k] - corners[:, 0] for k in (1, 3, 4)]
    assert np.einsum("ij,ij->i", np.cross(e[0], e[1]), e[2]) == pytest.approx([2.0, 4.0])


def test_the_folds_keep_lengths_and_a_distance():
    """The line is as long as the flat disc, leaves are RISE apart, the normal is across the line."""
    lengths = np.linspace(0.0, RADIUS, 20_001)
    places, normals = (np.array(v) for v in zip(*(folded(s) for s in lengths), strict=True))
    steps = np.diff(places, axis=0)
    assert np.linalg.norm(steps, axis=1).sum() == pytest.approx(RADIUS, rel=1e-4)
    assert np.abs((steps * normals[1:]).sum(axis=1)).max() < 1e-3
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    for leaf in range(LEAVES):
        middle = MIDDLE + (leaf + 1) * TURN + (leaf + 0.5) * LEAF
        assert folded(middle)[0][1] == pytest.approx((leaf + 1) * RISE)
    assert GAP < RISE / 2
    assert folded(RADIUS)[0][0] > RISE / 2 + GAP / 2 or LEAVES % 2 == 0
    assert columns(30.0)[-1] == pytest.approx(RADIUS)


def test_a_taut_string_over_a_ball():
    """Two tangents and an arc of a great circle."""
    ball = Ellipsoid(np.zeros(3), np.full(3, 97.0), np.eye(3))  # 100 with what is clear
    ends = np.array([-200.0, 0.0, 0.0]), np.array([200.0, 0.0, 0.0])
    line = taut_string(ends, np.array([0.0, 30.0, 40.0]), [ball])
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    assert length == pytest.approx(2 * np.sqrt(3) * 100 + 100 * np.pi / 3, rel=1e-4)
    assert np.linalg.norm(line, axis=1).min() > 99.9
    assert line[[0, -1]] == pytest.approx(np.array(ends))
    assert line[:, 1] * 4 == pytest.approx(line[:, 2] * 3)
    straight = taut_string(ends, np.array([0.0, 300.0, 400.0]), [])
    assert straight == pytest.approx(np.array(ends))


def test_belt_and_bag_are_outside_of_bodies(deck):
    """Belt nodes outside of all bodies that they touch; the bag clear of wheel and hands."""
    text = deck.read_text().split("*ELEMENT_SEATBELT\n")[1].partition("*")[0]
    nodes = sorted({int(line[k : k + 8]) for line in text.splitlines() for k in (16, 24)})
    mesh = read_mesh(deck)
    x = mesh.x[np.searchsorted(mesh.node, nodes)]
    for segment in segments():
        if segment.part <= 4 or "thigh" in segment.name:
            assert np.linalg.norm(segment.surface().local(x), axis=1).min() > 1.0, segment.name
    bag = mesh.x[np.unique(mesh.corners[np.isin(mesh.part, (201, 202))])]
    for segment in segments():
        assert np.linalg.norm(segment.surface().local(bag), axis=1).min() > 1.0, segment.name


@pytest.mark.slow
def test_same_bits(deck, done, tmp_path):
    expect_same_bits(done, deck, tmp_path, "double")


def test_belt_and_bag_have_fired(done):
    curves = RunCurves(done.directory)
    (pull_out,) = curves.curves("sbtout/retractor/pull_out")
    assert pull_out.values.min() < -30.0
    assert pull_out.unit == "mm"
    forces = curves.curves("sbtout/belt/*/force")
    assert 0.8 < max(f.values.max() for f in forces) < 4.0
    (volume,) = curves.curves("abstat/volume")
    assert volume.values[-1] > 1.5 * volume.values[0]
    energies = read_glstat(done.directory / "glstat")
    assert energies["total energy / initial energy"].between(0.98, 1.02).all()


def test_glass_cracks_and_the_film_holds(deck, tmp_path):
    """With a strength that the pulse alone reaches: the screen is softer, and no shell is deleted."""
    text = deck.read_text()
    law = "*MAT_GLASS_TITLE\nglass\n"
    place = text.index(law) + len(law)
    cards = text[place:].split("\n", 2)
    assert float(cards[1].split()[1]) == 0.06
    energies = {}
    for strength in ("0.06", "0.0005"):
        (tmp_path / "m.k").write_text(text[:place] + f"{cards[0]}\n0.,{strength},1.0\n{cards[2]}")
        found = run(tmp_path / "m.k", tmp_path / strength, "endtime=6.0")
        assert found.status == 0, found.said[-2000:]
        assert read_glstat(found.directory / "glstat")["eroded internal energy"].iloc[-1] == 0
        parts = read_matsum(found.directory / "matsum").rows
        energies[strength] = parts[parts["part"] == 110]["inten"].max()
    assert 0 < energies["0.0005"] < 0.9 * energies["0.06"]


def test_belts_airbag_and_springs_are_in_the_report(done):
    page = write_report(done.directory).read_text()
    for section in ("belts", "airbags", "springs"):
        assert f'<section id="{section}">' in page
    assert "Retractors: pull-out" in page
    assert "driver airbag" in page
    assert "kPa" in page
    row = re.search(r"driver airbag</td>(.*?)</tr>", page)[1]
    pressure, _, volume, _ = re.findall(r">([\d.,]+)(?: kPa| l)?<", row)
    assert 5.0 < float(pressure) < 60.0
    assert 1.5 < float(volume) < 20.0


def test_curves_that_cannot_be_told_apart_are_drawn_once(done):
    """Elements of one stretch have the same force."""
    forces = RunCurves(done.directory).curves("sbtout/belt/*/force")
    kept = restraints.largest(forces)
    assert 2 <= len(kept) <= restraints.CURVES < len(forces)
    least = restraints.ALIKE * max(restraints.peak(c) for c in forces)
    for k, curve in enumerate(kept):
        assert all(restraints.apart(curve, other) > least for other in kept[:k])
    assert [c.subject for c in restraints.largest(forces[:1])] == [forces[0].subject]


def test_a_report_says_that_text_is_not_drawn(deck, tmp_path):
    text = deck.read_text()
    for name, interval in (("SBTOUT", "0.05"), ("ABSTAT", "0.05"), ("DEFORC", "0.05")):
        text = text.replace(
            f"*DATABASE_{name}\n{interval:>10}         3", f"*DATABASE_{name}\n{interval:>10}         1"
        )
    other = tmp_path / "text.k"
    other.write_text(text)
    found = run(other, tmp_path / "out", "endtime=0.2")
    assert found.status == 0, found.said[-2000:]
    page = write_report(found.directory).read_text()
    assert "BINARY = 2 or 3" in page
    assert '<section id="belts">' not in page
