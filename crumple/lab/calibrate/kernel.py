"""Rate of the solver's element computations on each core, with one to all cores busy."""

import tempfile
from pathlib import Path

from crumple.lab.calibrate.element_rate import rates_side_by_side
from crumple.lab.calibrate.network import counts
from crumple.lab.calibrate.this_machine import cores
from crumple.lab.catalogue.platform_file import CalibrationError, Kernel, Platform, summarized
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.profile.trace.events import TraceError
from crumple.models import Wishes, write_model
from crumple.solver import solver_path

HOW = {
    "kernel": "the solver on three-vehicle, one process of one rank on each busy core, side by side; "
    "elements over the processor time of the phase 'elements', the median over cycles; a sample is a process"
}


def measure_kernel(
    platform: Platform, repeats: int, elements: int, cycles: int, precisions: tuple[str, ...]
) -> None:
    """Measure with 1, 2, 4, ... all cores busy.

    Raises:
        FileNotFoundError: the solver is not built.
        CalibrationError: the measurement failed.
    """
    solver_path()
    with tempfile.TemporaryDirectory(prefix="crumple-calibrate-") as folder:
        deck = Path(folder) / "model.k"
        count = write_model("three-vehicle", deck, Wishes(elements))
        for precision in precisions:
            for busy in counts(len(cores())):
                values: list[float] = []
                shares: list[float] = []
                for _ in range(repeats):
                    try:
                        more, on_core = rates_side_by_side(precision, busy, deck, count, cycles)
                    except (TraceError, ProfileError) as error:
                        raise CalibrationError(str(error)) from None
                    values += more
                    shares += on_core
                platform.kernel.append(
                    Kernel(busy_cores=busy, precision=precision, elements=count, **summarized(values, shares))
                )
