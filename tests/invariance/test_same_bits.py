"""The whole result is the same, bit for bit, on any number of ranks and threads and any decomposition."""

from pathlib import Path

import pytest
import small_decks
from solver_run import run

from crumple.results.glstat import read_glstat

# Ranks, threads, decomposition; compared with one rank and one thread.
LAYOUTS = {
    "double": [
        (1, 2, "rcb"),
        (2, 2, "metis"),
        (3, 1, "metis"),
        (4, 1, "rcb"),
        (7, 1, "metis"),
        (7, 2, "rcb"),
    ],
    "single": [(2, 1, "metis"), (3, 2, "rcb"), (4, 1, "metis"), (7, 1, "rcb")],
}
SMALL = small_decks.CRASHES
REAL = {
    "taylor_bar": ("pydyna/taylor_bar/input.k", 250, []),
    "pipe_whip": ("pydyna/pipe_whip/pipe.k", 100, []),
    "pendulum": ("pydyna/pendulum/pendulum.k", 700, ["endtime=20"]),
    "bar_impact": ("pydyna/bar_impact/input.k", 2200, []),
    "plate_shatter": ("dynakw/mat_piecewise_linear.plate-shatter.k", 300, []),
}


def largest_force(path: Path) -> float:
    """Largest force component in an rcforc or rwforc file."""
    forces = [0.0]
    for line in path.read_text().splitlines():
        words = line.split()
        if words and words[0] in ("slave", "master"):
            forces += [abs(float(words[k])) for k in (5, 7, 9)]
        elif len(words) == 6 and words[1].isdigit():
            forces += [abs(float(w)) for w in words[2:]]
    return max(forces)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", SMALL)
def test_small_deck(name, precision, tmp_path):
    deck = tmp_path / f"{name}.k"
    deck.write_text(SMALL[name]())
    one = run(deck, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    assert largest_force(tmp_path / "one" / "rcforc") > 1.0
    history = read_glstat(tmp_path / "one" / "glstat")
    assert history["total energy / initial energy"].between(0.97, 1.03).all()
    if name not in ("all_forms", "other_forms"):
        assert history["eroded internal energy"].iloc[-1] > 0.1
    if name in ("falling_bodies", "all_forms", "joined_plates"):
        assert largest_force(tmp_path / "one" / "rwforc") > 0.1
    different = []
    for ranks, threads, method in LAYOUTS[precision]:
        where = tmp_path / f"{ranks}x{threads}{method}"
        options = ("--precision", precision, "--decomposition", method)
        if run(deck, where, *options, ranks=ranks, threads=threads).hash != one.hash:
            different.append((ranks, threads, method))
    assert not different


@pytest.mark.parametrize("environment", [{"OMP_THREAD_LIMIT": "1"}, {"OMP_THREAD_LIMIT": "2"}])
def test_fewer_threads_than_asked_for(environment, tmp_path):
    """OpenMP need not give as many threads as are asked for: those that come do all the work."""
    deck = tmp_path / "deck.k"
    deck.write_text(small_decks.all_forms(0.01))
    one = run(deck, tmp_path / "one")
    three = run(deck, tmp_path / "three", threads=3, environment=environment)
    assert three.hash == one.hash


@pytest.mark.parametrize("name", SMALL)
def test_output_leaves_no_trace(name, tmp_path):
    """States of all cycles, or of two only, are written of the same run."""
    deck = tmp_path / f"{name}.k"
    text = SMALL[name]()
    deck.write_text(text)
    seldom = run(deck, tmp_path / "seldom", "ncycle=60")
    often = "*DATABASE_NODOUT\n1e-9\n*DATABASE_HISTORY_NODE\n1\n*END"
    deck.write_text(text.replace("*END", often))
    assert run(deck, tmp_path / "often", "ncycle=60", ranks=2).hash == seldom.hash


@pytest.mark.parametrize("name", SMALL)
def test_files_are_the_same(name, tmp_path):
    """What others read is the same too, but for dates and speeds."""
    deck = tmp_path / f"{name}.k"
    deck.write_text(SMALL[name](end_time=0.02))
    one, four = (run(deck, tmp_path / str(n), ranks=n) for n in (1, 4))
    folders = [one.directory, four.directory]
    for path in sorted(folders[0].glob("d3plot[0-9]*")):
        assert path.read_bytes() == (folders[1] / path.name).read_bytes(), path.name
    names = ("glstat", "matsum", "rcforc", "rwforc", "secforc", "spcforc", "bndout", "ncforc")
    written = [f for f in names if (folders[0] / f).exists()]
    assert len(written) >= (6 if name == "all_forms" else 3)
    for file in written:
        assert one.history(file) == four.history(file), file


# Decks with cards of *DATABASE_EXTENT_BINARY and options that change what a plot state has, or its files.
PLOTS = {
    "strains, points and histories": ("all_forms", "4,4,5,1", []),
    "no rigid shells": ("falling_bodies", ",,3\n,,,2", []),
    "a file each, no resultants": ("all_forms", ",,3,,,,2,2\n,1", []),
    "added masses": ("all_forms", "\n\n,,,,1", []),
    "8-byte words": ("all_forms", ",,3,11", ["--double-files"]),
}


@pytest.mark.parametrize("name", PLOTS)
def test_plot_states_are_the_same(name, tmp_path):
    """All ranks write them."""
    model, extent, options = PLOTS[name]
    text = SMALL[model](end_time=0.01)
    if name == "added masses":
        text = text.replace("*END", "*CONTROL_TIMESTEP\n0,0.5,0,0,-6e-4\n*END")
    deck = tmp_path / "deck.k"
    deck.write_text(text.replace("*END", f"*DATABASE_EXTENT_BINARY\n{extent}\n*END"))
    one = run(deck, tmp_path / "1", *options)
    assert one.status == 0, one.said
    written = sorted(one.directory.glob("d3plot[0-9]*"))
    assert len(written) >= (2 if name.startswith("a file each") else 1)
    for ranks in (2, 3, 4):
        other = run(deck, tmp_path / str(ranks), *options, ranks=ranks)
        names = [path.name for path in sorted(other.directory.glob("d3plot[0-9]*"))]
        assert names == [path.name for path in written]
        for path in written:
            assert path.read_bytes() == (other.directory / path.name).read_bytes(), (ranks, path.name)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_three_vehicles(three_vehicles, precision, tmp_path):
    one = run(three_vehicles, tmp_path / "one", "--precision", precision)
    assert largest_force(tmp_path / "one" / "rcforc") > 1.0, "the van did not reach the car"
    different = []
    for ranks, threads, method in LAYOUTS[precision][::2]:
        where = tmp_path / f"{ranks}x{threads}{method}"
        options = ("--precision", precision, "--decomposition", method)
        if run(three_vehicles, where, *options, ranks=ranks, threads=threads).hash != one.hash:
            different.append((ranks, threads, method))
    assert not different


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "bar_impact" else n for n in REAL]
)
def test_real_deck(name, real_deck, tmp_path):
    path, cycles, more = REAL[name]
    deck = real_deck(path)
    options = [f"ncycle={cycles}", *more]
    one = run(deck, tmp_path / "one", *options)
    assert one.status == 0, one.said
    assert one.progress[-1].cycle >= cycles - 1
    for ranks, method in ((3, "rcb"), (7, "metis")):
        other = run(deck, tmp_path / f"{ranks}", *options, "--decomposition", method, ranks=ranks)
        assert other.hash == one.hash, f"{ranks} ranks, {method}"


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("forms", [small_decks.all_forms, small_decks.other_forms])
def test_instruction_sets_agree(forms, precision, tmp_path):
    """Sums inside an element may round differently, so energies agree to a tolerance and not in bits."""
    deck = tmp_path / "deck.k"
    deck.write_text(forms(end_time=0.03))
    last = {}
    for isa in ("baseline", "avx2", "avx512"):
        done = run(deck, tmp_path / isa, "--isa", isa, "--precision", precision)
        assert done.status == 0, done.said
        last[isa] = read_glstat(tmp_path / isa / "glstat").iloc[-1]
    tolerance = 1e-6 if precision == "double" else 2e-3
    for isa in ("avx2", "avx512"):
        for quantity in ("kinetic energy", "internal energy", "total energy"):
            assert last[isa][quantity] == pytest.approx(last["baseline"][quantity], rel=tolerance)
