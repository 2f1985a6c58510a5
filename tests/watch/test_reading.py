"""What a watch reads of a run: files that grow or are replaced, plot states, surfaces, the time left."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import solver_run
from small_decks import block, eroded_block, torn_plate

from crumple.models.bird import write_bird
from crumple.report.run_results import read_results
from crumple.results.d3hsp import Ending, RunLog, read_d3hsp
from crumple.results.d3plot_file import PlotFamily
from crumple.results.run_files import RunFiles, find_run
from crumple.units import find_units
from crumple.view.field import Field
from crumple.view.fields import cell_values
from crumple.view.plot_file import ResultError
from crumple.view.plot_states import PlotStates
from crumple.watch import charts, run_state
from crumple.watch.binout_histories import BinoutHistories
from crumple.watch.growing_text import PIECE, GrowingText
from crumple.watch.model_surface import (
    DELETED,
    Surface,
    scaled_positions,
    scaled_values,
    surface_of,
    values_of,
)
from crumple.watch.pace import LEAST, Pace
from crumple.watch.plot_family import END_MARK, GrowingPlotFamily
from crumple.watch.run_state import Going, StateOfRun, is_locked
from crumple.watch.sense_switch import SwitchError, give, is_waiting
from crumple.watch.share_of_time import ShareOfTime
from crumple.watch.surface_server import Busy, SurfaceServer
from crumple.watch.text_histories import EnergyFile, ForceFile, NodeFile, TextHistory
from crumple.watch.watched_run import WatchedRun


@pytest.fixture(scope="module")
def torn(tmp_path_factory) -> Path:
    """Results of a plate of which elements are torn off."""
    folder = tmp_path_factory.mktemp("torn")
    (folder / "deck.k").write_text(torn_plate())
    done = solver_run.run(folder / "deck.k", folder / "out")
    assert done.status == 0, done.said
    return folder / "out"


@pytest.fixture(scope="module")
def eroded(tmp_path_factory) -> Path:
    """Results of solids that are deleted, histories in binout only."""
    folder = tmp_path_factory.mktemp("eroded")
    text = eroded_block()
    for name in ("GLSTAT", "RCFORC", "RWFORC"):
        text = text.replace(f"*DATABASE_{name}\n0.0025", f"*DATABASE_{name}\n0.0025,2")
    (folder / "deck.k").write_text(text)
    done = solver_run.run(folder / "deck.k", folder / "out")
    assert done.status == 0, done.said
    return folder / "out"


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def lines_of(text: GrowingText) -> list[str]:
    """All that is new."""
    found: list[str] = []
    while lines := text.next_lines():
        found += lines
    return found


def test_a_half_written_line_waits_for_its_end(tmp_path):
    path = tmp_path / "text"
    text = GrowingText(path)
    assert not text.begins_anew()
    assert lines_of(text) == []
    path.write_text("one\ntw")
    assert not text.begins_anew()
    assert lines_of(text) == ["one"]
    with path.open("a") as file:
        file.write("o\nthree\n")
    assert not text.begins_anew()
    assert lines_of(text) == ["two", "three"]
    assert text.behind == 0


def test_a_file_that_is_cut_back_or_replaced_is_read_anew(tmp_path):
    path = tmp_path / "text"
    path.write_text("one\ntwo\nthree\n")
    text = GrowingText(path)
    assert not text.begins_anew(), "the first time is no new beginning"
    assert len(lines_of(text)) == 3
    path.write_text("one\n")
    assert text.begins_anew()
    assert lines_of(text) == ["one"]
    (tmp_path / "new").write_text("other\nlines\nmany of them\n")
    (tmp_path / "new").replace(path)
    assert text.begins_anew()
    assert lines_of(text) == ["other", "lines", "many of them"]
    path.unlink()
    assert text.begins_anew()
    assert lines_of(text) == []


def test_a_large_file_is_read_in_pieces(tmp_path):
    path = tmp_path / "text"
    row = "x" * 99 + "\n"
    path.write_text(row * (3 * PIECE // 100))
    history = TextHistory(path, NodeFile)
    history.look(lambda: False)
    assert PIECE < history.behind < 3 * PIECE
    history.look(lambda: True)
    assert history.behind == 0


def test_work_takes_its_share_of_time_only():
    clock = Clock()
    share = ShareOfTime(clock, clock)

    def work() -> None:
        clock.now += 0.5

    assert share.is_due()
    share.do(work)
    clock.now += 49.0
    assert not share.is_due()
    assert share.is_due(hurry=True), "nothing runs that could be slowed down"
    clock.now += 2.0
    assert share.is_due()


def test_time_left():
    clock = Clock()
    pace = Pace(clock)
    pace.see(10.0)
    assert pace.left(90.0, None, None) is None
    assert pace.left(90.0, 0.1, 2.0) == pytest.approx(1800.0), "from the mean so far"
    clock.now += LEAST
    pace.see(11.0)
    assert pace.left(90.0, 0.1, 2.0) == pytest.approx(90.0 * LEAST), "as watched"
    pace.see(5.0)
    assert pace.left(90.0, None, None) is None, "a restart"


def test_histories_as_the_report_reads_them(torn):
    """Line by line, and in pieces of any length."""
    whole = read_results(torn)
    history = TextHistory(torn / "glstat", EnergyFile)
    history.look(lambda: True)
    assert history.found.count == len(whole.history)
    for name in ("time", "kinetic energy", "internal energy", "time step"):
        assert list(history.found.columns[name]) == whole.history[name].tolist()
    forces = TextHistory(torn / "rcforc", lambda: ForceFile("rcforc"))
    forces.look(lambda: True)
    rows = whole.contacts.rows
    for key, values in forces.found.curves.values.items():
        number, _, side = key.partition(":")
        mine = rows[(rows["id"] == int(number)) & (rows["side"] == side)]
        np.testing.assert_allclose(values, mine["resultant"], rtol=1e-12)
        assert list(forces.found.curves.times[key]) == mine["time"].tolist()


def test_a_last_row_that_is_half_written_does_not_count(torn, tmp_path):
    text = (torn / "glstat").read_text()
    cut = text.rindex(" internal energy")
    (tmp_path / "glstat").write_text(text[:cut])
    history = TextHistory(tmp_path / "glstat", EnergyFile)
    history.look(lambda: True)
    before = history.found.count
    (tmp_path / "glstat").write_text(text)
    history.look(lambda: True)
    assert history.found.count == before + 1
    assert np.isfinite(np.array(history.found.columns["total energy"])).all()


def test_a_damaged_line_is_left_out_and_said(tmp_path):
    (tmp_path / "glstat").write_text(
        " time...........................   1.0\n kinetic energy.................   1,2\n"
    )
    history = TextHistory(tmp_path / "glstat", EnergyFile)
    history.look(lambda: True)
    (tmp_path / "nodout").write_text("( at time 1.0 )\n nodal point  x-disp\n       1234 wrong\n")
    nodes = TextHistory(tmp_path / "nodout", NodeFile)
    nodes.look(lambda: True)
    assert "nodout" in nodes.damage


def test_histories_of_binout(eroded):
    files = find_run(eroded)
    assert files.find("glstat") is None
    histories = BinoutHistories(files)
    histories.look(hurry=False)
    whole = read_results(eroded)
    assert histories.damage == ""
    assert histories.energies is not None
    assert list(histories.energies.columns["internal energy"]) == whole.history["internal energy"].tolist()
    assert histories.energies.held
    assert histories.forces
    summary = WatchedRun(files).summary({})
    assert summary["charts"]["energies"]["curves"]
    assert summary["step"]["now"] > 0


def test_charts_that_the_page_has_are_not_sent_again(torn):
    run = WatchedRun(find_run(torn))
    every = run.summary({})["charts"]
    assert {"energies", "rcforc", "step"} <= set(every)
    assert run.summary({name: chart["version"] for name, chart in every.items()})["charts"] == {}
    assert set(run.summary({"step": every["step"]["version"] - 1})["charts"]) == set(every)


def test_accelerations_are_filtered_and_in_g_with_units():
    file = NodeFile()
    time = np.arange(0.0, 100.0, 0.05)
    for t in time:
        file.feed(f" n o d a l   p r i n t   o u t   f o r   t i m e  s t e p  1 ( at time {t:.5E} )")
        file.feed(" nodal point  x-disp")
        push = 0.0981 * (1 + np.sin(2000 * t))
        numbers = [0.0] * 6 + [push, 0.0, 0.0] + [0.0] * 3
        file.feed(f"{7:9d} " + "".join(f"{x:12.4E}" for x in numbers))
        file.feed("")
    chart = charts.acceleration_chart(file.curves, find_units("kg-mm-ms"))
    assert chart["title"].endswith("CFC 60")
    assert chart["y"] == "acceleration, g"
    middle = np.array(chart["curves"][0]["y"])[100:-100]
    assert middle == pytest.approx(10.0, rel=0.02), "10 g, its ripple is filtered out"
    assert charts.acceleration_chart(file.curves, find_units(""))["title"].endswith("not filtered")


def test_states_as_vtk_reads_them(torn):
    family, states = GrowingPlotFamily(torn / "d3plot"), PlotStates(torn)
    family.look()
    assert [time for *_, time in family.states] == [state.time for state in states]
    for number, state in enumerate(states):
        shape = family.shape(number)
        surface = surface_of(family.geometry, shape)
        values = values_of(surface, shape)
        left = shape.positions[surface.nodes[np.unique(surface.triangles[~np.isnan(values)])]]
        np.testing.assert_allclose([left.min(axis=0), left.max(axis=0)], state.bounds, atol=1e-5)
        strains = [
            cell_values(grid, part, Field.plastic_strain)
            for grid, part in zip(state.blocks, state.parts, strict=True)
        ]
        assert np.nanmax(values) == pytest.approx(np.concatenate(strains).max())
        shells = sum(len(s) for s, part in zip(strains, state.parts, strict=True) if part in (1, 2))
        assert (~np.isnan(shape.shells)).sum() == shells
    assert np.isnan(family.shape(4).shells).any(), "some are torn off"


def test_particles_beside_shells_are_passed_over(tmp_path):
    """Their list is before the geometry, and their rows are the end of a state."""
    write_bird(tmp_path / "bird.k", 300, 4, 100.0, 0.02, 2)
    done = solver_run.run(tmp_path / "bird.k", tmp_path / "out")
    assert done.status == 0, done.said
    family, known = GrowingPlotFamily(tmp_path / "out" / "d3plot"), PlotFamily(tmp_path / "out" / "d3plot")
    family.look()
    assert len(known.elements["particle"].ids) > 10
    assert [time for *_, time in family.states] == known.times.tolist()
    last = len(known.times) - 1
    shape = family.shape(last)
    assert np.array_equal(shape.positions, known.nodal("position").read(last))
    assert surface_of(family.geometry, shape).whole == 2 * len(known.elements["shell"].ids)


def test_a_state_that_is_half_written_is_not_shown(torn, tmp_path):
    for name in ("d3plot", "d3plot01"):
        shutil.copy(torn / name, tmp_path / name)
    path, content = tmp_path / "d3plot01", (torn / "d3plot01").read_bytes()
    family = GrowingPlotFamily(tmp_path / "d3plot")
    size = family.geometry.state.end * family.geometry.size
    mark = np.array([END_MARK], family.geometry.real).tobytes()
    path.write_bytes(content[: 2 * size] + mark + content[2 * size + len(mark) : 3 * size + 4])
    family.look()
    assert len(family.states) == 2, "the time of the third is written last"
    path.write_bytes(content[: 3 * size - 1])
    family.look()
    assert len(family.states) == 2
    path.write_bytes(content)
    family.look()
    assert len(family.states) == 6
    path.write_bytes(content[:size] + mark)
    family.look()
    assert len(family.states) == 1, "a restart has cut it back"
    with pytest.raises(ResultError, match="no state 3"):
        family.shape(3)


def test_the_surface_of_a_block_is_its_outside(tmp_path):
    (tmp_path / "deck.k").write_text(block(0.02, 0.01, cells=3))
    assert solver_run.run(tmp_path / "deck.k", tmp_path).status == 0
    family = GrowingPlotFamily(tmp_path / "d3plot")
    family.look()
    surface = surface_of(family.geometry, family.shape(0))
    assert len(surface.triangles) == 6 * 9 * 2
    assert len(surface.nodes) == 4**3 - 2**3


def test_faces_behind_deleted_solids_are_shown(eroded):
    family = GrowingPlotFamily(eroded / "d3plot")
    family.look()
    shapes = [family.shape(k) for k in range(len(family.states))]
    first, last = (surface_of(family.geometry, shapes[k]) for k in (0, -1))
    assert np.isnan(shapes[-1].solids).sum() > np.isnan(shapes[0].solids).sum()
    assert first.key != last.key
    assert not set(last.faces) & set(np.flatnonzero(np.isnan(shapes[-1].solids)))

    def drawn(surface: Surface) -> set[tuple[int, ...]]:
        return {tuple(sorted(three)) for three in surface.nodes[surface.triangles].tolist()}

    assert drawn(last) - drawn(first), "faces that were inside"


def test_a_large_surface_is_simplified(torn):
    family = GrowingPlotFamily(torn / "d3plot")
    family.look()
    shape = family.shape(4)
    whole = surface_of(family.geometry, shape)
    few = surface_of(family.geometry, shape, limit=200)
    assert len(few.triangles) <= 200 < len(whole.triangles) == few.whole
    assert set(few.nodes) <= set(whole.nodes), "real nodes, which move with the model"
    assert set(few.parts) == set(whole.parts), "no part is lost"
    assert len(few.first) == len(few.triangles)
    assert np.nanmax(values_of(few, shape)) <= np.nanmax(values_of(whole, shape))
    x = shape.positions[few.nodes][few.triangles]
    assert (np.linalg.norm(np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), axis=1) > 0).any()


def test_packed_numbers(torn):
    family = GrowingPlotFamily(torn / "d3plot")
    family.look()
    shape = family.shape(2)
    surface = surface_of(family.geometry, shape)
    packed, low, size = scaled_positions(surface, shape)
    again = np.array(low) + packed / 65535.0 * np.array(size)
    np.testing.assert_allclose(again, shape.positions[surface.nodes], atol=max(size) / 65535)
    values, highest = scaled_values(np.array([0.0, 0.5, np.nan, 1.0]))
    assert values.tolist() == [0, 32767, DELETED, 65534]
    assert highest == 1.0
    assert scaled_values(np.array([np.nan]))[0].tolist() == [DELETED]
    assert scaled_values(np.zeros(0))[1] == 0.0


def test_a_family_that_is_replaced(torn, eroded, tmp_path):
    server = SurfaceServer(tmp_path / "d3plot")
    server.look()
    assert server.summary()["times"] == []
    assert "no d3plot" in server.summary()["why"]
    for name in ("d3plot", "d3plot01"):
        shutil.copy(torn / name, tmp_path / name)
    server.look()
    assert len(server.summary()["times"]) == 6
    first = server.state(0, hurry=True)
    second = server.state(1, hurry=False)
    with pytest.raises(Busy):
        server.state(2, hurry=False)
    assert server.state(0, hurry=False) == first, "kept"
    assert server.state(1, hurry=False) == second
    assert server.state(2, hurry=False, any_other=True) == second, "better an earlier state than none"
    for name in ("d3plot", "d3plot01"):
        (tmp_path / name).unlink()
        shutil.copy(eroded / name, tmp_path / name)
    server.look()
    assert server.summary()["generation"] == 2
    assert server.state(0, hurry=True) != first
    (tmp_path / "d3plot").write_bytes(b"no plot file" * 100)
    server.look()
    assert server.summary()["times"] == []
    assert "not a d3plot" in server.summary()["why"]


def test_damaged_plot_files_are_refused(torn, tmp_path):
    content = bytearray((torn / "d3plot").read_bytes())
    (tmp_path / "d3plot").write_bytes(content[: len(content) // 3])
    with pytest.raises(ResultError, match="damaged or cut off"):
        GrowingPlotFamily(tmp_path / "d3plot")
    generator = np.random.default_rng(1)
    for _ in range(200):
        broken = content.copy()
        for at in generator.integers(44, len(content), 4):
            broken[at] = generator.integers(256)
        (tmp_path / "d3plot").write_bytes(broken)
        server = SurfaceServer(tmp_path / "d3plot")
        server.look()  # raises nothing
        server.summary()


def test_the_lock_of_a_run_is_seen_and_not_tried(tmp_path):
    import fcntl

    path = tmp_path / "d3hsp"
    path.write_text("")
    assert not is_locked(path)
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert is_locked(path)
    assert not is_locked(path)
    assert not is_locked(tmp_path / "missing")


def test_what_a_run_is_doing(tmp_path, monkeypatch):
    files = RunFiles(tmp_path)
    (tmp_path / "d3hsp").write_text("title\n")
    state = StateOfRun(files)
    now = run_state.time.time()
    log = RunLog()

    def going(held: bool, changed: float = now, of: RunLog = log, at_end: bool | None = None) -> Going:
        return state.look(held, of, at_end, changed).going

    assert going(held=False) is Going.running, "perhaps on another machine"
    assert going(held=False, changed=now - 1000) is Going.silent
    assert going(held=True, changed=now - 1000) is Going.running, "a long cycle"
    assert going(held=False) is Going.killed
    assert going(held=True) is Going.running, "it was started again"
    assert going(held=False, of=RunLog(ending=Ending.error)) is Going.failed
    assert going(held=False, of=RunLog(ending=Ending.normal), at_end=False) is Going.stopped
    assert going(held=False, of=RunLog(ending=Ending.normal)) is Going.finished
    (tmp_path / "run.json").write_text(
        '{"deck": "a.k", "ranks": 1, "threads": 1, "precision": "double", "decomposition": "rcb",'
        ' "status": 137}'
    )
    assert StateOfRun(files).look(False, log, None, now).going is Going.killed


def test_switches_wait_for_the_run(tmp_path):
    give(tmp_path, "plot")
    assert (tmp_path / "d3kil").read_text() == "sw4\n"
    assert is_waiting(tmp_path)
    with pytest.raises(SwitchError, match="has not read"):
        give(tmp_path, "stop")
    (tmp_path / "d3kil").unlink()
    (tmp_path / "elsewhere").write_text("kept")
    (tmp_path / "d3kil").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SwitchError):
        give(tmp_path, "stop")
    assert (tmp_path / "elsewhere").read_text() == "kept"
    with pytest.raises(SwitchError, match="no such switch"):
        give(tmp_path, "sw1")


def test_d3hsp_is_read_as_it_grows(torn, tmp_path):
    """In any pieces the same as at once; deletions are counted and not kept."""
    content = (torn / "d3hsp").read_bytes()
    run = WatchedRun(RunFiles(tmp_path))
    path = tmp_path / "d3hsp"
    for end in (*range(200, len(content), 997), len(content)):
        path.write_bytes(content[:end])
        run.text_.look(lambda: True)
    whole = read_d3hsp(torn / "d3hsp")
    assert run.text_.log.states == whole.states
    assert run.text_.log.parts == whole.parts
    assert run.text_.log.ending is Ending.normal
    assert run.text_.deletions.count == len(
        [x for x in whole.sections["deleted elements"] if " was deleted" in x]
    )
    assert run.text_.log.sections["deleted elements"] == []
