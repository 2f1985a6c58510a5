"""Mass scaling: what DT2MS adds, where, and that nothing else changes."""

import re
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import Run, run

from crumple.results.glstat import read_glstat

TARGET = 6e-4  #: ms, between the steps of the two bars


def bars(dt2ms: float, more: str = "", speed: str = "0.,1.,0.") -> str:
    """Two bars of bricks, of 5 mm and flat ones of 2.5 mm, and a plate, in uniform motion."""
    deck = Deck()
    deck.control(0.2, 0.1)
    deck.add(f"*CONTROL_TIMESTEP\n0.,0.9,0,0.,{dt2ms}\n*DATABASE_MATSUM\n0.1\n{more}")
    for part in (1, 2):
        deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(3, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.block(1, (2, 2, 4), (0.0, 0.0, 0.0), (10.0, 10.0, 20.0))
    deck.block(2, (2, 2, 8), (30.0, 0.0, 0.0), (10.0, 10.0, 20.0))
    deck.plate(3, (6, 6), lambda s, t: (60 + 60 * s, 60 * t, 0.0))
    deck.add(f"*SET_PART_LIST\n1\n1,2,3\n*INITIAL_VELOCITY_GENERATION\n1,1,0.,{speed}\n0.,0.,0.,0.,0.,0.")
    return deck.text()


def go(text: str, tmp_path: Path, *words: str, ranks: int = 1) -> Run:
    tmp_path.mkdir(exist_ok=True)
    deck = tmp_path / "deck.k"
    deck.write_text(text)
    done = run(deck, tmp_path / f"out{ranks}", *words, ranks=ranks)
    assert done.status == 0, done.said
    return done


def added_by_part(done: Run) -> dict[int, float]:
    """The table of d3hsp at the start."""
    text = (done.directory / "d3hsp").read_text()
    table = text.split("a t   t h e   s t a r t")[1].split("s m a l l e s t")[0]
    return {int(p): float(m) for p, m in re.findall(r"^ +(\d+) +(\S+e[+-]\d+)$", table, re.MULTILINE)}


def own_mass(done: Run) -> dict[int, float]:
    """Mass of the parts' elements by volume."""
    rho = float(STEEL.split(",")[0])
    return {1: rho * 2000.0, 2: rho * 2000.0, 3: rho * 3600.0}


def test_mass_goes_with_the_square_of_the_step(tmp_path):
    """An element's mass becomes m (DT2MS / dt)^2, so the masses for two targets are as their squares."""
    targets = {name: go(bars(-t), tmp_path / name) for name, t in {"small": 1.2e-3, "large": 2.4e-3}.items()}
    masses = {}
    for name, done in targets.items():
        added, own = added_by_part(done), own_mass(done)
        masses[name] = {p: added.get(p, 0.0) + own[p] for p in own}
    for part in (1, 2):
        assert masses["large"][part] == pytest.approx(4.0 * masses["small"][part], rel=2e-5)
    for name, target in (("small", 1.2e-3), ("large", 2.4e-3)):
        history = read_glstat(targets[name].directory / "glstat")
        np.testing.assert_allclose(history["time step"], 0.9 * target, rtol=1e-5)
        total = sum(added_by_part(targets[name]).values())
        assert f"{total:.5g} added" in targets[name].stdout


def test_only_what_needs_mass_gets_it(tmp_path):
    """Between the steps of the two bars; the plate's elements are large."""
    done = go(bars(-TARGET), tmp_path)
    assert set(added_by_part(done)) == {2}
    assert read_glstat(done.directory / "glstat")["total energy / initial energy"].iloc[-1] == 1.0


def test_positive_dt2ms_takes_mass_too(tmp_path):
    done = go(bars(TARGET), tmp_path)
    added, own = added_by_part(done), own_mass(done)
    assert added[2] > 0.0
    assert -own[1] < added[1] < 0.0
    assert -own[3] < added[3] < 0.0
    other = added_by_part(go(bars(2 * TARGET), tmp_path))
    for part, mass in own.items():
        assert added[part] + mass == pytest.approx((other[part] + mass) / 4.0, rel=2e-5)


@pytest.mark.parametrize("dt2ms", [-1.2e-3, 1.2e-3])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_same_bits(dt2ms, precision, tmp_path):
    """Bars that spin: their strains change, so mass is added during the run."""
    text = bars(dt2ms).replace("1,1,0.,0.,1.,0.\n0.,0.,0.,0.,0.,0.", "1,1,3.,0.,1.,0.\n0.,0.,0.,0.3,0.2,1.")
    assert "1,1,3.," in text
    hashes = {go(text, tmp_path, "--precision", precision, ranks=n).hash for n in (1, 2, 3)}
    assert len(hashes) == 1
    history = read_glstat(tmp_path / "out1" / "glstat")
    np.testing.assert_allclose(history["total energy / initial energy"], 1.0, atol=1e-4)


def test_once(tmp_path):
    """With MS1ST = 1 masses stay, and the step may fall."""
    spin = bars(-1.2e-3).replace("1,1,0.,0.,1.,0.\n0.,0.,0.,0.,0.,0.", "1,1,3.,0.,1.,0.\n0.,0.,0.,0.3,0.2,1.")
    often, once = (go(t, tmp_path / n) for n, t in {
        "often": spin, "once": spin.replace(",-0.0012\n", ",-0.0012,,,1\n")}.items())  # fmt: skip
    mass = {
        n: read_glstat(r.directory / "glstat")["added mass"] for n, r in (("often", often), ("once", once))
    }
    assert mass["once"].iloc[0] == mass["once"].iloc[-1] == mass["often"].iloc[0]
    assert mass["often"].iloc[-1] > mass["often"].iloc[0]
    assert read_glstat(once.directory / "glstat")["time step"].iloc[-1] < 0.9 * 1.2e-3


def test_added_mass_in_plot_files(tmp_path):
    done = go(bars(-TARGET, "*DATABASE_EXTENT_BINARY\n\n\n0,0,0,0,1"), tmp_path)
    plot = D3plot(str(done.directory / "d3plot"))
    added = plot.arrays["node_mass_scaling"]
    assert added.shape == (plot.n_timesteps, plot.header.n_nodes)
    np.testing.assert_allclose(added[0].sum(), added_by_part(done)[2], rtol=1e-5)
    np.testing.assert_allclose(plot.arrays["node_velocity"][0][:, 1], 1.0, rtol=1e-6)


def test_endmas(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(bars(-TARGET).replace("*CONTROL_TERMINATION\n0.2", "*CONTROL_TERMINATION\n0.2,,,,1."))
    done = run(deck, tmp_path / "out")
    assert done.status == 3, done.said
    assert "error CR-R106" in done.stdout


def test_erode(tmp_path):
    """A block pressed flat: its bricks are deleted at half their first step instead of ending the run."""
    from small_decks import block

    text = block(1.0, 0.1, push=[(0.0, -8.0), (9.0, -8.0)])
    text = text.replace("*CONTROL_TERMINATION\n1.0", "*CONTROL_TERMINATION\n1.0,,0.5")
    done = run_text(text, tmp_path / "stop")
    assert done.status == 3, done.said
    assert "error CR-R102" in done.stdout
    eroding = run_text(
        text.replace("*CONTROL_TIMESTEP\n0.,0.9", "*CONTROL_TIMESTEP\n0.,0.9,,,,,1"), tmp_path / "go"
    )
    assert eroding.status == 0, eroding.said
    assert read_glstat(eroding.directory / "glstat")["eroded internal energy"].iloc[-1] > 0.0
    assert "deleted" in eroding.stdout
    told = (eroding.directory / "d3hsp").read_text()
    assert "d e l e t e d   e l e m e n t s" in told
    # What holds the step changes as the block gets flat, and is listed then.
    assert told.count("s m a l l e s t   s t e p s") > 2


def run_text(text: str, directory: Path) -> Run:
    directory.mkdir()
    (directory / "deck.k").write_text(text)
    return run(directory / "deck.k", directory / "out")


def test_erosion_by_the_step_counts_the_mass_given(tmp_path):
    """With the mass that they get elements keep the step, however small their own is."""
    text = bars(-2 * TARGET, more="*CONTROL_TERMINATION\n0.05,0,0.9").replace(
        f"{-2 * TARGET}", f"{-2 * TARGET},0,11"
    )
    done = go(text, tmp_path)
    assert "deleted" not in done.stdout
    assert added_by_part(done)[2] > 0.0
