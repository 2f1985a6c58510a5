"""crumple plot: pictures, tables and messages of the command."""

import csv
import io
import re

import numpy as np
import pytest
from command_line import crumple
from written_run import motion, write_run

T = np.arange(0, 120.0, 0.05)  # ms
G = 9.80665e-3  # mm/ms^2


def pulse(size: float) -> np.ndarray:
    """A deceleration of half a sine that stops 15 m/s in 80 ms, times a size."""
    peak = 15.0 * np.pi / (2 * 80.0)
    return np.where(T <= 80, -size * peak * np.sin(np.pi * T / 80), 0.0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, size in (("base", 1.0), ("stiff", 1.2)):
        nodes = {
            12: ("left sill", motion(T, {"x": pulse(size)})),
            34: ("head", motion(T, {"z": 60 * G * (T < 20)})),
        }
        write_run(folder / name, T, nodes)
    return folder


def said(done) -> str:
    return " ".join((done.stdout + done.stderr).split())


def test_pulse_of_two_runs(runs):
    """Extremes, OLC and VPI of both, as text and picture."""
    from PIL import Image

    line = (
        "plot base stiff nodout/left sill/x_acceleration --filter CFC60 --olc --vpi -o pulse.png -o pulse.svg"
    )
    words = line.replace("left sill", "left_sill").split()
    words[3] = words[3].replace("_sill", " sill")
    done = crumple(*words, directory=runs)
    assert done.returncode == 0, said(done)
    assert "base max" in said(done)
    assert said(done).count("OLC") == 2
    pixels = np.asarray(Image.open(runs / "pulse.png").convert("RGB"))
    for colour in ((31, 111, 180), (200, 69, 46)):  # a curve of each run
        assert (np.abs(pixels.astype(int) - colour).sum(axis=2) < 30).sum() > 500
    assert (runs / "pulse.svg").read_text().startswith("<?xml")


def test_pictures_are_the_same_bytes_each_time(runs):
    for name in ("one", "two"):
        done = crumple(
            "plot", "base", "nodout/12/vx", "-o", f"{name}.svg", "-o", f"{name}.png", directory=runs
        )
        assert done.returncode == 0, said(done)
    for suffix in (".svg", ".png"):
        assert (runs / f"one{suffix}").read_bytes() == (runs / f"two{suffix}").read_bytes()


def test_hic_and_clip_of_a_constant(runs):
    """60 g for 20 ms: HIC15 = 60^2.5 0.015."""
    done = crumple("plot", "base", "nodout/head/acceleration", "--hic", "15", "--clip", directory=runs)
    assert f"HIC15 {60**2.5 * 0.015:.0f} " in said(done)
    assert "3 ms clip 60 g" in said(done)
    assert (runs / "nodout-head-acceleration.png").exists()


def test_csv_is_a_test_of_the_next_run(runs):
    """What is written is read again: a run rated against itself has 1."""
    done = crumple("plot", "base", "nodout/12/ax", "-o", "base.csv", directory=runs)
    assert done.returncode == 0, said(done)
    rows = list(csv.reader(io.StringIO((runs / "base.csv").read_text())))
    assert rows[0] == ["time [ms]", "base x acceleration [g]"]
    assert len(rows) == len(T) + 1
    done = crumple("plot", "base", "stiff", "nodout/12/ax", "--against", "base.csv", directory=runs)
    assert "ISO 18571 1.00 excellent" in said(done)
    assert "CORA 1.00" in said(done)
    assert said(done).count("ISO 18571") == 2


def test_force_over_displacement(runs):
    """100 kN/mm on the way u: the energy is 50 u^2 in J; negative displacement is crushing."""
    done = crumple("plot", "base", "rwforc/1/x_force", "--versus", "nodout/12/dx", directory=runs)
    way = -motion(T, {"x": pulse(1.0)})[:, 0].min()
    energy, mean = re.search(r"energy absorbed (\S+) kJ mean force (\S+) kN", said(done)).groups()
    assert float(energy.replace(",", "")) == pytest.approx(50 * way**2 / 1e3, rel=1e-3)
    assert float(mean.replace(",", "")) == pytest.approx(50 * way, rel=1e-3)
    assert "efficiency 50 %" in said(done)


def test_limits_and_corridor(runs):
    (runs / "corridor.csv").write_text("time [ms],low [g],high [g]\n0,-40,1\n100,-40,1\n")
    options = ["--limit", "-35:door", "--corridor", "corridor.csv", "--to", "90"]
    done = crumple("plot", "base", "nodout/12/ax", *options, directory=runs)
    assert done.returncode == 0, said(done)
    assert "in corridor 100 %" in said(done)


def test_limits_of_dummies(runs):
    """60 g for 20 ms: HIC15 is 60^2.5 0.015, 60 % of its limit, and the clip 75 % of 80 g."""
    done = crumple("plot", "base", "nodout/head/acceleration", "--atd", "head", directory=runs)
    hic = 60**2.5 * 0.015
    found = re.search(r"HIC15 (\d+) \(within the limit: (\d+) % of 700, FMVSS 208", said(done))
    value, share = found.groups()
    assert float(value) == pytest.approx(hic, rel=0.01)
    assert float(share) == pytest.approx(100 * hic / 700, abs=1)
    assert "max 60 g" not in said(done), "filtered by the class of a head: the corners ring"
    done = crumple("plot", "base", "nodout/head/acceleration", "--atd", "head-r94", directory=runs)
    assert "HIC36" in said(done)
    assert re.search(r"3 ms clip 6\d(\.\d)? g \(within the limit: 7\d % of 80 g, UN R94", said(done))
    done = crumple("plot", "base", "rwforc/1/x_force", "--atd", "chest", directory=runs)
    assert done.returncode == 2
    assert "these limits are for accelerations, not for 'x force" in said(done)
    done = crumple("plot", "base", "rwforc/1/x_force", "nodout/12/ax", "--atd", "neck", directory=runs)
    assert done.returncode == 2
    assert "Nij is of two components" in said(done)
    done = crumple("plot", "base", "nodout/head/acceleration", "--atd", "knee", directory=runs)
    assert "'knee' is no place of a dummy: head, " in said(done)


def test_contents(runs):
    done = crumple("plot", "base", "--list", directory=runs)
    assert "base: units kg-mm-ms" in said(done)
    assert "node: 12 left sill, 34 head" in said(done)
    assert "x_acceleration" in said(done)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nowhere", "nodout/12/ax"], "'nowhere' is neither a folder of results nor a quantity"),
        (["base", "nodout/12/axe"], "no component 'axe'"),
        (["base"], "no quantity named"),
        (["base", "nodout/12/ax", "--filter", "CFC61"], "'CFC61' is no filter"),
        (["base", "nodout/12/ax", "--hic", "15"], "HIC15 is of a resultant"),
        (["base", "nodout/12/vx", "--olc"], "OLC is of an acceleration"),
        (["base", "nodout/12/ax", "-o", "a.pdf"], "ends in none of .png, .svg, .csv"),
        (["base", "nodout/12/ax", "--limit", "high"], "'high' is no limit"),
        (["base", "nodout/12/ax", "--against", "none.csv"], "none.csv"),
        (["base", "nodout/12/ax", "--units", "ell-oz-h"], "no system of units"),
        (["base", "nodout/12/ax", "--from", "500"], "fewer than two points"),
    ],
)
def test_messages(runs, words, why):
    """Exit status 2 and a sentence; no traceback."""
    done = crumple("plot", *words, directory=runs)
    assert done.returncode == 2, said(done)
    assert why in said(done)
    assert "Traceback" not in said(done)


def test_many_curves_show_the_largest(tmp_path):
    nodes = {k: (f"n{k}", motion(T[:50], {"x": k * pulse(1.0)[:50]})) for k in range(1, 31)}
    write_run(tmp_path / "many", T[:50], nodes)
    done = crumple("plot", "many", "nodout/*/ax", "-o", "many.svg", "-o", "many.csv", directory=tmp_path)
    assert done.returncode == 0, said(done)
    assert len((tmp_path / "many.csv").read_text().splitlines()[0].split(",")) > 30


def test_report_has_accelerations(runs, tmp_path):
    """With units a table of figures; without them a sentence."""
    done = crumple("report", "base", "-o", "report.html", directory=runs)
    assert done.returncode == 0, said(done)
    page = (runs / "report.html").read_text()
    assert "Accelerations of nodes, resultant, CFC 60" in page
    assert "12, left sill" in page
    assert "15 m/s in x" in page
    row = re.search(r"<td[^>]*>34, head</td>.*?</tr>", page)[0]
    hic15, hic36 = (float(value) for value in re.findall(r"<td[^>]*>([^<]*)</td>", row)[-2:])
    assert hic15 == pytest.approx(60**2.5 * 0.015, rel=0.01)
    assert hic36 == pytest.approx(60**2.5 * 0.020, rel=0.02), "20 ms are within 36"
    write_run(tmp_path / "none", T, {12: ("left sill", motion(T, {"x": pulse(1.0)}))}, units="")
    crumple("report", "none", "-o", "report.html", directory=tmp_path)
    assert "only if their units are known" in (tmp_path / "report.html").read_text()
