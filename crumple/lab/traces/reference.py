"""What one operation of a trace is worth: how fast the machine is that it was recorded on."""

import json
import tempfile
from pathlib import Path
from statistics import median

from crumple.lab.cache_folder import cache_folder
from crumple.lab.calibrate.platform_file import CalibrationError, read_platform
from crumple.lab.profile.launch import TraceWish, run_profiled
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.study.provenance import machine
from crumple.lab.traces.steps import steps_of
from crumple.lab.traces.trace import open_trace, sha256_of
from crumple.models import Wishes, write_model
from crumple.solver import solver_path

ELEMENTS = 20_000
FIRST, END = 10, 40  #: cycles that count


def reference_of(precision: str, platform: Path | None) -> dict[str, str | float]:
    """This machine's processor, and the element updates a second of one of its cores.

    Args:
        platform: file of `crumple calibrate` to take them from; else they are measured, once for each solver

    Raises:
        TraceError: the file has no such figure, or the measurement failed.
    """
    if platform:
        return from_platform(precision, platform)
    known = machine()
    reference = {"machine": str(known.get("processor", "")), "precision": precision}
    store = cache_folder() / "element-rates.json"
    key = f"{sha256_of(solver_path())} {precision} {reference['machine']}"
    rates = read_rates(store)
    if key not in rates:
        rates[key] = measured_rate(precision)
        keep_rates(store, rates)
    return reference | {"element_rate": rates[key]}


def from_platform(precision: str, path: Path) -> dict[str, str | float]:
    """The figures of a platform file: of one busy core."""
    try:
        platform = read_platform(path)
    except CalibrationError as error:
        raise TraceError(str(error)) from None
    for kernel in platform.kernel:
        if kernel.precision == precision and kernel.busy_cores == 1:
            name = platform.machine.processor
            return {"machine": name, "precision": precision, "element_rate": kernel.median}
    raise TraceError(f"{path}: kernel: it has no rate of one busy core in {precision} precision")


def read_rates(path: Path) -> dict[str, float]:
    """Rates measured earlier; none where the file cannot be read."""
    try:
        return {str(k): float(v) for k, v in json.loads(path.read_text()).items()}
    except (OSError, ValueError, AttributeError):
        return {}


def keep_rates(path: Path, rates: dict[str, float]) -> None:
    """Keep them; where the folder cannot be written to they are measured again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rates, indent=1) + "\n")
    except OSError:
        return


def measured_rate(precision: str) -> float:
    """Element updates a second of the solver's element work on three-vehicle, by processor time.

    The same model and count as those of `crumple calibrate`; the median over cycles.
    """
    with tempfile.TemporaryDirectory(prefix="crumple-rate-") as name:
        folder = Path(name)
        deck, wish = folder / "model.k", TraceWish(folder / "trace", f"{FIRST}:{END}", marks=True)
        count = write_model("three-vehicle", deck, Wishes(ELEMENTS))
        command = [str(solver_path()), f"i={deck}", f"ncycle={END}", "-d", str(folder)]
        with (folder / "log").open("w") as log:
            run_profiled([*command, "--precision", precision], 1, None, False, wish, log)
        if wish.error or not wish.summary:
            raise TraceError(f"the solver's speed could not be measured: {wish.error}")
        trace, spent = open_trace(wish.folder), dict.fromkeys(range(FIRST, END), 0)
        for step in steps_of(trace.marked_lines(0), str(wish.folder)):
            if step.phase == "elements" and step.cycle in spent:
                spent[step.cycle] += step.compute
    if not median(spent.values()):
        raise TraceError("the solver's speed could not be measured: it names no phase 'elements'")
    return round(count / (median(spent.values()) * 1e-9), 1)
