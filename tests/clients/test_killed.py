"""What a run leaves when it is killed while writing: every state before, readable by everybody."""

import re
import subprocess
import time

import numpy as np
import pytest
import pyvista
from lasso.dyna import Binout, D3plot
from vtkmodules.vtkIOLSDyna import vtkLSDynaReader

STEP = 0.25e-3  # between states


def _kill_after_states(program, folder, seconds):
    process = subprocess.Popen([str(program), str(folder), "endless"])
    try:
        deadline = time.monotonic() + 30
        while not ((folder / "glstat").exists() and (folder / "results.vtkhdf").exists()):
            assert time.monotonic() < deadline, "nothing was written"
            time.sleep(0.01)
        time.sleep(seconds)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("seconds", [0.05, 0.31, 0.53])
def test_killed(write_samples, tmp_path, seconds):
    _kill_after_states(write_samples, tmp_path, seconds)

    plot = D3plot(str(tmp_path / "d3plot"))
    states = plot.n_timesteps
    times = plot.arrays["timesteps"]
    if times[-1] == -999999:  # killed in the microsecond between the state's last words and its time
        states -= 1
    assert states > 0
    np.testing.assert_allclose(times[:states], STEP * np.arange(states), rtol=1e-6)
    assert np.isfinite(plot.arrays["node_displacement"]).all()
    assert (plot.arrays["element_solid_is_alive"][2:, 0] == 0).all()

    vtk = vtkLSDynaReader()
    vtk.SetFileName(str(tmp_path / "d3plot"))
    vtk.UpdateInformation()
    assert vtk.GetNumberOfTimeSteps() == states

    reader = pyvista.get_reader(str(tmp_path / "results.vtkhdf")).reader
    reader.UpdateInformation()
    steps = reader.GetNumberOfSteps()
    assert states - 1 <= steps <= states  # written after the plot state
    reader.UpdateTimeStep(STEP * (steps - 1))
    grid = pyvista.wrap(reader.GetOutput())
    np.testing.assert_allclose(grid.points, plot.arrays["node_displacement"][steps - 1], rtol=1e-6, atol=1e-7)

    times = Binout(str(tmp_path / "binout0000")).read("glstat", "time")
    assert steps - 1 <= len(times) <= steps
    np.testing.assert_allclose(times, STEP * np.arange(len(times)), rtol=1e-6)

    text = (tmp_path / "glstat").read_text()
    assert len(times) - 1 <= len(re.findall(r"time per zone cycle", text)) <= len(times)
    assert text.endswith("\n")
