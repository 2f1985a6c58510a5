"""The speed of the recording machine at the time of a recording: the value of one operation of a trace."""

import json
import os
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median

from crumple.cache_folder import cache_folder
from crumple.lab.calibrate.element_rate import rates_side_by_side
from crumple.lab.catalogue.platform_file import CalibrationError, read_platform
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import sha256_of
from crumple.lab.provenance import machine
from crumple.models import Wishes, write_model
from crumple.solver import solver_path
from crumple.whole_file import write_whole

ELEMENTS = 20_000
MEAN_COST = 1.61  #: mean cost of an element of that deck, by the partitioner
SAME = 0.03  #: relative difference up to which a rate is equal to the earlier one
TRIES = 4  #: further measurements if it is not; the best counts


def reference_of(precision: str, platform: Path | None, ranks: int) -> dict[str, str | float]:
    """This machine's processor, and the element updates per second of one of its cores.

    As many cores are busy as in the recording, whose work was timed in this way.

    Args:
        platform: file of `crumple calibrate` with them; None: they are measured
        ranks: number of ranks of the recording

    Raises:
        TraceError: the file does not have the figure, or the measurement failed.
    """
    busy = min(ranks, len(os.sched_getaffinity(0)))
    if platform:
        return from_platform(precision, platform, busy)
    known = machine()
    reference = {"machine": str(known.get("processor", "")), "precision": precision, "busy_cores": busy}
    key = f"{sha256_of(solver_path())} {precision} {reference['machine']} {busy}"
    with tempfile.TemporaryDirectory(prefix="crumple-rate-") as folder:
        deck = Path(folder) / "model.k"
        count = write_model("three-vehicle", deck, Wishes(ELEMENTS))
        rate = rate_now(key, lambda: measured_rate(precision, busy, deck, count))
    return reference | {"element_rate": rate}


def rate_now(key: str, measure: Callable[[], float]) -> float:
    """The earlier rate if one measurement confirms it; otherwise the best of several new ones.

    So a figure from a busy moment is not used later. And if the machine has become slower, a new recording is
    that of the slower machine, so the best rate of all times would be wrong.
    """
    store = cache_folder() / "element-rates.json"
    rates, found = read_rates(store), measure()
    if abs(found / rates.get(key, float("inf")) - 1.0) <= SAME:
        return rates[key]
    rates[key] = max(found, *(measure() for _ in range(TRIES)))
    keep_rates(store, rates)
    return rates[key]


def from_platform(precision: str, path: Path, busy: int) -> dict[str, str | float]:
    """The figures of a platform file for a number of busy cores, with linear interpolation."""
    try:
        platform = read_platform(path)
    except CalibrationError as error:
        raise TraceError(str(error)) from None
    rates = {k.busy_cores: k.median for k in platform.kernel if k.precision == precision}
    if 1 not in rates:
        raise TraceError(f"{path}: kernel: it has no rate of one busy core in {precision} precision")
    rate = rates[max(rates)]
    for (fewer, above), (more, below) in pairwise(sorted(rates.items())):
        if fewer <= busy <= more:
            rate = above + (below - above) * (busy - fewer) / (more - fewer)
    return {
        "machine": platform.machine.processor,
        "precision": precision,
        "busy_cores": busy,
        "element_rate": rates.get(busy, rate),
    }


def read_rates(path: Path) -> dict[str, float]:
    """Rates that were measured earlier; empty if the file cannot be read."""
    try:
        rates = {str(k): float(v) for k, v in json.loads(path.read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        return {}
    return {k: v for k, v in rates.items() if 0.0 < v < float("inf")}


def keep_rates(path: Path, rates: dict[str, float]) -> None:
    """Store the rates; if the folder cannot be written, they are measured again later."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(rates, indent=1) + "\n")
    except OSError:
        return


def measured_rate(precision: str, busy: int, deck: Path, count: int) -> float:
    """Element updates per second of a core with some cores busy; the median of these cores.

    Raises:
        TraceError: the measurement failed.
    """
    return round(median(rates_side_by_side(precision, busy, deck, count)[0]), 1)
