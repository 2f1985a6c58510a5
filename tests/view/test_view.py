"""crumple view: fields, parts, cameras and films."""

import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from crumple_command import crumple
from PIL import Image
from small_decks import torn_plate

from crumple.view.animation import FRAME, animate, look_over, palette
from crumple.view.camera import camera_position, half_height, read_direction
from crumple.view.field import Field
from crumple.view.fields import cell_values, equivalent
from crumple.view.film_workers import Extent, FilmWorkers
from crumple.view.parts import PartChoice, read_ranges
from crumple.view.picture import Frame, aim, pixels, without_display
from crumple.view.plot_file import ResultError
from crumple.view.plot_states import PlotStates


@pytest.fixture(scope="module")
def plate(tmp_path_factory) -> Path:
    """Results of a plate of which elements are torn off: parts 1, 2 and 3."""
    folder = tmp_path_factory.mktemp("plate")
    (folder / "deck.k").write_text(torn_plate(end_time=0.06))
    crumple("run", "deck.k", "-n", "1", directory=folder)
    return folder


def test_ranges_of_parts():
    assert read_ranges("3,7-9") == ((3, 3), (7, 9))
    parts = {1, 3, 7, 8, 12}
    assert PartChoice(read_ranges("3,7-9")).shown(parts) == {3, 7, 8}
    assert PartChoice((), read_ranges("7-12")).shown(parts) == {1, 3}
    assert PartChoice(read_ranges("3,7-9"), read_ranges("8")).shown(parts) == {3, 7}
    for wrong in ("a", "3,", "9-7", "1-2-3"):
        with pytest.raises(ValueError, match="no list|no range"):
            read_ranges(wrong)
    with pytest.raises(ValueError, match=r"no part 4; the model has 1, 3, 7, 8, 12"):
        PartChoice(read_ranges("4")).shown(parts)
    with pytest.raises(ValueError, match="no part is left"):
        PartChoice(read_ranges("3"), read_ranges("1-5")).shown(parts)


def test_view_just_holds_the_box():
    """Along y a box of 4 x 1 x 2 shows 4 x 2: the height decides in a square, the width in a flat picture."""
    bounds = np.array([[0.0, 0.0, 0.0], [4.0, 1.0, 2.0]])
    along_y = camera_position(bounds, np.array([0.0, -1.0, 0.0]))
    assert half_height(bounds, along_y, aspect=4.0) == pytest.approx(1.0)
    assert half_height(bounds, along_y, aspect=1.0) == pytest.approx(2.0)


@pytest.mark.parametrize("size", [(4.0, 1.0, 1.5), (1.0, 4.0, 9.0), (1.0, 1.0, 1.0)])
@pytest.mark.parametrize("direction", [None, "+x", "-z"])
def test_model_stays_in_its_frame(size, direction):
    """Seen in parallel the box touches the frame on two sides at least, and is beyond it on none."""
    bounds = np.array([(1.0, -2.0, 0.5), np.array([1.0, -2.0, 0.5]) + size])
    frame = Frame(0.1, 0.8, 0.25, 0.95)
    without_display()
    plotter = pv.Plotter(off_screen=True, window_size=[400, 200])
    aim(plotter, bounds, frame, direction and read_direction(direction))
    seen = []
    for corner in np.indices((2, 2, 2)).reshape(3, -1).T:
        plotter.renderer.SetWorldPoint(*bounds[corner, np.arange(3)], 1.0)
        plotter.renderer.WorldToView()
        seen.append([0.5 + 0.5 * part for part in plotter.renderer.GetViewPoint()[:2]])
    plotter.close()
    low, high = np.min(seen, axis=0), np.max(seen, axis=0)
    room = np.array([low - (frame.left, frame.bottom), (frame.right, frame.top) - high])
    assert room.min() == pytest.approx(0.0, abs=1e-6)
    assert room[0] == pytest.approx(room[1]), "in the middle of the frame"


def test_decomposition_is_drawn(plate):
    crumple("decompose", "deck.k", "-n", "2", "-d", "ranks", directory=plate)
    with Image.open(plate / "ranks" / "decomposition.png") as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
        width, height = picture.size
        gap = picture.convert("RGB").crop((int(0.892 * width), 0, int(0.908 * width), height))
        assert gap.getcolors() == [(gap.width * height, (255, 255, 255))], "the legend is beside the model"
    assert any(b > r + 60 for r, _, b in colours), "rank 0 is blue"
    assert any(r > b + 60 for r, _, b in colours), "rank 1 is orange"


def test_cameras():
    bounds = np.array([[0.0, 0.0, 0.0], [4.0, 2.0, 1.0]])
    for name, axis, sign in (("+x", 0, 1), ("-y", 1, -1), ("+z", 2, 1)):
        eye, centre, up = (np.array(v) for v in camera_position(bounds, read_direction(name)))
        look = eye - centre
        assert np.sign(look[axis]) == sign
        assert np.abs(np.delete(look, axis)).max() == 0
        assert abs(up @ look) < 1e-12, "up is across the line of sight"
    assert read_direction("1,-2,0.5").tolist() == [1.0, -2.0, 0.5]
    assert read_direction("auto") is None
    for wrong in ("x", "1,2", "0,0,0", "a,b,c", "nan,1,1"):
        with pytest.raises(ValueError, match="is no camera"):
            read_direction(wrong)


def test_von_mises_of_known_stresses():
    stress = np.array(
        [[5, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0], [7, 7, 7, 0, 0, 0], [3, -3, 0, 0, 0, 4]], float
    )
    assert equivalent(stress) == pytest.approx([5.0, 2 * 3**0.5, 0.0, (27 + 48) ** 0.5])


def test_states_know_their_parts(plate):
    states = PlotStates(plate)
    assert sorted(states[0].parts) == [1, 2, 3]
    assert PlotStates(plate, PartChoice(((1, 2),)))[0].parts == [1, 2]
    with pytest.raises(ResultError, match="no part 9"):
        PlotStates(plate, PartChoice(((9, 9),)))[0]


def test_deleted_elements_vanish(plate):
    states = PlotStates(plate)
    count = [sum(block.n_cells for block in state.blocks) for state in states]
    assert count[0] > count[-1], "the plate tears"
    glstat = (plate / "glstat").read_text()
    assert "eroded" in glstat


def test_displacement_is_how_far_nodes_moved(plate):
    states = PlotStates(plate)
    first, last = states[0], states[-1]
    block = last.parts.index(3)
    far = cell_values(last.blocks[block], 3, Field.displacement)
    moved = last.blocks[block].points - first.blocks[first.parts.index(3)].points
    assert far.mean() == pytest.approx(np.linalg.norm(moved, axis=1).mean(), rel=0.2)
    assert far.min() > 0
    assert cell_values(first.blocks[0], 1, Field.displacement).max() == 0


def test_the_time_is_on_each_picture(plate):
    """The same state at another time differs above left, and nowhere else."""
    state = PlotStates(plate)[2]
    look = look_over([Extent(0.1, state.bounds)], Field.plastic_strain, None)
    shown, later = (pixels(one, look).astype(int) for one in (state, replace(state, time=9.87e-3)))
    rows, columns = np.nonzero(np.abs(shown - later).max(axis=2) > 20)
    assert len(rows) > 50
    assert rows.max() < FRAME[1] / 5 and columns.max() < FRAME[0] / 4


@pytest.mark.parametrize("field", [Field.plastic_strain, Field.von_mises, Field.displacement])
def test_one_scale_for_all_states(plate, field):
    """The scale of a film is that of its highest state, and is not that of the first."""
    states = PlotStates(plate)
    with FilmWorkers(plate, PartChoice(), cores=1) as workers:
        look = look_over(workers.extents(field), field, None)
    highs = [look_over_one(states, k, field) for k in range(len(states))]
    assert look.limits[1] == pytest.approx(max(highs))
    assert min(highs) < max(highs)
    for state in states:
        assert (state.bounds[0] >= look.bounds[0]).all()
        assert (state.bounds[1] <= look.bounds[1]).all()


def look_over_one(states: PlotStates, k: int, field: Field) -> float:
    """Where the colours of one state alone would end."""
    from crumple.view.fields import highest

    return highest(states[k], field)


def test_workers_draw_the_same_pictures_in_their_order(plate, monkeypatch):
    monkeypatch.setattr("crumple.view.film_workers.FEW", 1)
    for name, cores in (("one.gif", 1), ("two.gif", 2)):
        animate(plate, plate / name, cores=cores)
    assert (plate / "one.gif").read_bytes() == (plate / "two.gif").read_bytes()


def test_a_worker_that_ends_is_an_error(plate):
    """On a damaged file VTK's reader crashes: the film says so instead of waiting."""
    with FilmWorkers(plate, PartChoice(), cores=2) as workers:
        if workers.pool_ is None:
            workers.pool_ = ProcessPoolExecutor(1, get_context("spawn"))
        with pytest.raises(ResultError, match="is damaged"):
            list(workers.each(os._exit))


@pytest.mark.parametrize("field", list(Field))
def test_palette_has_all_colours(field):
    colours = palette(field)
    assert colours.shape == (255, 3)
    assert colours.min() == 0
    assert colours.max() == 255


def test_gif(plate):
    from PIL import Image

    crumple("view", ".", "-o", "crash.gif", "--hide", "2", "--camera", "-y", directory=plate)
    film = Image.open(plate / "crash.gif")
    assert film.n_frames == len(PlotStates(plate))
    pictures = []
    for k in (0, film.n_frames - 1):
        film.seek(k)
        pictures.append(np.asarray(film.convert("RGB")).astype(int))
    first, last = pictures
    assert first.shape == (FRAME[1], FRAME[0], 3)
    assert (np.abs(first - last).max(axis=2) > 20).mean() > 0.005, "something moves"
    bar = slice(int(0.93 * FRAME[1]), FRAME[1])
    assert (first[bar] == last[bar]).mean() > 0.99, "the colour bar stands still"


def test_mp4(plate):
    import imageio_ffmpeg

    crumple("view", ".", "-o", "crash.mp4", "--field", "parts", "--rate", "4", directory=plate)
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(plate / "crash.mp4"))
    assert count == len(PlotStates(plate)) + 4
    assert seconds == pytest.approx(count / 4, rel=0.01)


def test_damaged_files_are_refused(plate, tmp_path):
    shutil.copy(plate / "d3plot", tmp_path)
    whole = (plate / "d3plot").read_bytes()
    states = (plate / "d3plot01").read_bytes()
    (tmp_path / "d3plot01").write_bytes(states[: len(states) // 40])  # VTK's reader crashes
    assert "damaged" in crumple("view", ".", "-o", "a.png", directory=tmp_path, status=2)
    (tmp_path / "d3plot").write_bytes(whole[:64] + b"\xff\xff\xff\x7f" + whole[68:])  # 2^31 nodes
    for output in ([], ["-o", "a.png"]):
        said = crumple("view", ".", *output, directory=tmp_path, status=2)
        assert "announces more than its files hold" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "a.avi"], "none of .png, .html, .gif, .mp4"),
        (["-o", "a.gif", "--state", "0"], "leave out --state"),
        (["--parts", "9"], "no part 9"),
        (["--parts", "x"], "no list of parts"),
        (["--hide", "1-3"], "no part is left"),
        (["--camera", "up"], "is no camera"),
    ],
)
def test_what_cannot_be_shown(plate, arguments, said):
    assert said in crumple("view", ".", *arguments, directory=plate, status=2)
