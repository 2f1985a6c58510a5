"""Reads the histories of a binout family, as the same tables as from the text files."""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from crumple.results.damage import names_its_file
from crumple.results.forces import Forces, with_resultants
from crumple.results.lsda import LsdaContents, LsdaFile, VariablePlace
from crumple.results.matsum import PartEnergies

STATE = re.compile(r"d(\d+)")
TITLE = 80  #: characters of a title in a legend
SIDES = ("slave", "master")

#: glstat: names in binout and in the text
GLSTAT = {
    "time": "time",
    "cycle": "cycle",
    "time_step": "time step",
    "kinetic_energy": "kinetic energy",
    "internal_energy": "internal energy",
    "stonewall_energy": "stonewall energy",
    "spring_and_damper_energy": "spring and damper energy",
    "joint_internal_energy": "joint internal energy",
    "hourglass_energy": "hourglass energy",
    "system_damping_energy": "system damping energy",
    "sliding_interface_energy": "sliding interface energy",
    "external_work": "external work",
    "eroded_kinetic_energy": "eroded kinetic energy",
    "eroded_internal_energy": "eroded internal energy",
    "eroded_hourglass_energy": "eroded hourglass energy",
    "total_energy": "total energy",
    "energy_ratio": "total energy / initial energy",
    "energy_ratio_wo_eroded": "energy ratio w/o eroded energy",
    "global_x_velocity": "global x velocity",
    "global_y_velocity": "global y velocity",
    "global_z_velocity": "global z velocity",
    "nzc": "time per zone cycle.(nanosec)",
    "added_mass": "added mass",
    "percent_increase": "percentage increase",
    "ts_element": "controlling element",
    "ts_part": "controlling part",
}
IF_ANY = (
    "added mass",
    "percentage increase",
    "stonewall energy",
)  #: the text has these lines only if needed
#: the same for matsum
MATSUM = {
    "internal_energy": "inten",
    "kinetic_energy": "kinen",
    "hourglass_energy": "hgeng",
    "eroded_internal_energy": "eroded_ie",
    "eroded_kinetic_energy": "eroded_ke",
    "eroded_hourglass_energy": "eroded_he",
    "x_momentum": "x-mom",
    "y_momentum": "y-mom",
    "z_momentum": "z-mom",
    "x_rbvelocity": "x-rbv",
    "y_rbvelocity": "y-rbv",
    "z_rbvelocity": "z-rbv",
    "mass": "+mass",
}


def binout_files(directory: Path, prefix: str = "") -> list[Path]:
    """The files of a family, in their order: binout0000, binout0001, ..., binout0000%001, or one binout."""
    name = re.compile(re.escape(prefix) + r"binout(\d+(%\d+)?)?")
    return sorted(p for p in directory.glob("*binout*") if p.is_file() and name.fullmatch(p.name))


class Binout:
    """A family: the states of each history, over all its files."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Read the directory, not the numbers.

        Raises:
            DamagedFile: a file is not of a binout family.
        """
        self.places_: dict[str, dict[str, VariablePlace]] = {}
        self.contents_ = LsdaContents()
        for path in paths:
            for directory, names in read_names(path).items():
                self.places_.setdefault(directory, {}).update(names)

    def has(self, history: str) -> bool:
        """Whether a history has any state."""
        return bool(self.states(history))

    def states(self, history: str) -> list[dict[str, VariablePlace]]:
        """Variables of each state, in their order."""
        found = []
        for directory, names in self.places_.items():
            parent, _, last = directory.rpartition("/")
            if parent == f"/{history}" and (match := STATE.fullmatch(last)):
                found.append((int(match[1]), names))
        return [names for _, names in sorted(found, key=lambda state: state[0])]

    def about(self, history: str) -> dict[str, VariablePlace]:
        """Variables that do not change during the run."""
        return self.places_.get(f"/{history}/metadata", {})

    def column(self, history: str, name: str, width: int = 1) -> np.ndarray | None:
        """A variable of all states, [states][width]; NaN in states without it, None if no state has it."""
        states = self.states(history)
        if not any(name in state for state in states):
            return None
        values = np.full((len(states), width), np.nan)
        for row, state in zip(values, states, strict=True):
            if name in state:
                row[:] = self.contents_.numbers(state[name])  # of any other width: ValueError
        return values

    def integers(self, history: str, name: str) -> list[int]:
        """Integers that do not change."""
        place = self.about(history).get(name)
        return [] if place is None else [int(n) for n in self.contents_.numbers(place)]

    def words(self, history: str, name: str) -> str:
        """Text that does not change; empty without."""
        place = self.about(history).get(name)
        return "" if place is None else self.contents_.text(place)

    def titles(self, history: str) -> dict[int, str]:
        """Titles by number, of the legend."""
        about = self.about(history)
        if "legend" not in about or "legend_ids" not in about:
            return {}
        legend, keys = self.contents_.text(about["legend"]), self.contents_.numbers(about["legend_ids"])
        return {int(key): legend[TITLE * k : TITLE * (k + 1)].strip() for k, key in enumerate(keys)}


@names_its_file
def read_names(path: Path) -> dict[str, dict[str, VariablePlace]]:
    """Variables of a file by directory."""
    return LsdaFile(path).places


def glstat_of(binout: Binout) -> pd.DataFrame:
    """The same as read_glstat, but with one column "stonewall energy" for all walls."""
    table = {}
    for name, as_text in GLSTAT.items():
        values = binout.column("glstat", name)
        if values is not None and not (as_text in IF_ANY and not np.nan_to_num(values).any()):
            table[as_text] = values[:, 0]
    if (kinds := binout.column("glstat", "ts_eltype")) is not None:
        names = binout.words("glstat", "element_types").split(",")
        table["controlled by"] = [kind_of(names, kind) for kind in kinds[:, 0]]
    return pd.DataFrame(table)


def kind_of(names: list[str], kind: float) -> str:
    """The kind of element that limits the step, by its index in the file's list of names, from 1."""
    if np.isnan(kind):
        return "load curve"
    return names[int(kind) - 1].strip() if 0 < kind <= len(names) else f"type {kind:.0f}"


def matsum_of(binout: Binout) -> PartEnergies:
    """The same as read_matsum."""
    parts = binout.integers("matsum", "ids")
    times = times_of(binout, "matsum")
    rows = {"time": np.repeat(times, len(parts)), "part": np.tile(np.array(parts, dtype=int), len(times))}
    for name, as_text in MATSUM.items():
        if (values := binout.column("matsum", name, len(parts))) is not None:
            rows[as_text] = values.ravel()
    return PartEnergies(pd.DataFrame(rows), binout.titles("matsum"))


def times_of(binout: Binout, history: str) -> np.ndarray:
    """Times of all states."""
    times = binout.column(history, "time")
    if times is None:
        raise ValueError(f"{history} has no times")
    return times[:, 0]


def forces_of(binout: Binout, history: str, keys: list[int], sides: list[str]) -> Forces:
    """Rows of each state, of the entities with these numbers."""
    times, width = times_of(binout, history), len(keys)
    rows = pd.DataFrame(
        {
            "id": np.tile(np.array(keys, dtype=int), len(times)),
            "side": np.tile(np.array(sides, dtype=object), len(times)),
            "time": np.repeat(times, width),
        }
    )
    for axis in "xyz":
        values = binout.column(history, f"{axis}_force", width)
        rows[axis] = 0.0 if values is None else values.ravel()
    if (normal := binout.column(history, "normal_force", width)) is not None:
        rows["normal"] = normal.ravel()
    return Forces(with_resultants(rows), binout.titles(history))


def rwforc_of(binout: Binout) -> Forces:
    """The same as read_rwforc."""
    history = "rwforc/forces"
    keys = binout.integers(history, "setid") or binout.integers(history, "ids")
    return forces_of(binout, history, keys, [""] * len(keys))


def rcforc_of(binout: Binout) -> Forces:
    """The same as read_rcforc."""
    keys = binout.integers("rcforc", "ids")
    sides = binout.integers("rcforc", "side") or [0] * len(keys)
    return forces_of(binout, "rcforc", keys, [SIDES[1 if side else 0] for side in sides])


def secforc_of(binout: Binout) -> Forces:
    """The same as read_secforc."""
    keys = binout.integers("secforc", "ids")
    return forces_of(binout, "secforc", keys, [""] * len(keys))
