"""The results of a run as Python has them: what `crumple.Results` is."""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crumple.results.d3hsp import Ending, RunLog, read_d3hsp
from crumple.results.d3plot_file import PlotElements, PlotFamily
from crumple.results.lasso_names import LassoArrays
from crumple.results.run_files import RunError, RunFiles, find_run
from crumple.results.run_record import RunRecord, read_record
from crumple.results.run_tables import RunTables
from crumple.results.state_array import StateArray

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from crumple.compare.run_difference import RunDifference
    from crumple.curves.run_curves import RunCurves
    from crumple.curves.shown_curve import ShownCurve
    from crumple.report.curve_options import CurveOptions
    from crumple.results.convergence import Convergence
    from crumple.results.history_table import HistoryTable


DPF = {"plastic_strain_eqv": "plastic_strain"}  #: names of DPF, and ours


class ElementResults:
    """The elements of one kind, and their results over all plot states.

    Arrays are (states, elements, ...); `stress` is (states, elements, points, 6) with the components xx, yy,
    zz, xy, yz, zx in global axes.
    """

    def __init__(self, plot: PlotFamily, kind: str) -> None:
        self.plot_, self.kind = plot, kind
        self.elements_: PlotElements = plot.elements[kind]

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<{len(self)} {self.kind}s: {', '.join(self.names)}>"

    @property
    def ids(self) -> np.ndarray:
        """The user's numbers, (n,)."""
        return self.elements_.ids

    @property
    def node_ids(self) -> np.ndarray:
        """The numbers of the nodes, (n, corners); of a beam the third node gives its orientation."""
        known = np.append(self.plot_.node_ids, 0)  # a beam may have no third node
        return known[self.elements_.nodes[:, :3] if self.kind == "beam" else self.elements_.nodes]

    @property
    def part_ids(self) -> np.ndarray:
        """The numbers of the parts, (n,)."""
        return self.plot_.part_ids[self.elements_.parts]

    def of_part(self, part: int) -> np.ndarray:
        """Places of the elements of a part, for an index: `shells.stress[-1, shells.of_part(3)]`."""
        return np.flatnonzero(self.part_ids == part)

    @property
    def names(self) -> list[str]:
        """The quantities that the run wrote."""
        return [*self.plot_.columns(self.kind), "alive"]

    def __getitem__(self, name: str) -> StateArray:
        """A quantity over all states; also DPF's "stress_von_mises" and "plastic_strain_eqv".

        Raises:
            KeyError: the run has not written it.
        """
        if name == "stress_von_mises":
            return self.von_mises
        return self.plot_.element(self.kind, DPF.get(name, name))

    @property
    def stress(self) -> StateArray:
        """Stresses of the integration points, (states, n, points, 6)."""
        return self["stress"]

    @property
    def plastic_strain(self) -> StateArray:
        """Effective plastic strain of the integration points, (states, n, points)."""
        return self["plastic_strain"]

    @property
    def von_mises(self) -> StateArray:
        """Von Mises stress of the integration points, (states, n, points)."""
        stress = self["stress"]

        def read(state: int) -> np.ndarray:
            xx, yy, zz, xy, yz, zx = np.moveaxis(stress.read(state), -1, 0)
            normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
            return np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))

        return StateArray(f"{self.kind} von_mises", stress.shape[:-1], stress.dtype, read)

    @property
    def thickness(self) -> StateArray:
        """Thickness of shells, (states, n)."""
        return self["thickness"]

    @property
    def alive(self) -> StateArray:
        """Whether elements are not deleted, (states, n), True or False."""
        return self["alive"]


class Results:
    """The results in a folder. Files are read when something of them is asked for.

    Plot states are arrays over all states that read a state at a time (StateArray); histories are tables of
    pandas. All numbers are in units of the deck.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Find the files of a run.

        Args:
            folder: of the results, or the d3hsp or d3plot in it

        Raises:
            RunError: there is no run, or there are several.
        """
        self.files: RunFiles = find_run(Path(folder))
        self.folder = self.files.directory

    def __repr__(self) -> str:
        return f"<Results in {self.folder}: {self.ending}>"

    # ---- the run --------------------------------------------------------------------------------------

    @cached_property
    def log(self) -> RunLog:
        """What d3hsp says: sections, parts, warnings, how it ended, its state hash.

        Raises:
            DamagedFile: it cannot be read.
        """
        return read_d3hsp(self.files.path("d3hsp"))

    @property
    def ending(self) -> Ending:
        """How the run ended."""
        return self.log.ending

    @property
    def record(self) -> RunRecord | None:
        """How it was started, of run.json."""
        return read_record(self.files)

    @property
    def convergence(self) -> "Convergence":
        """The iterations and steps of an implicit run, as tables.

        Raises:
            RunError: it has none.
        """
        from crumple.results.convergence import NAME, read_convergence

        if (path := self.files.find(NAME)) is None:
            raise RunError(f"{self.folder} has no {NAME}: it is no implicit run")
        return read_convergence(path)

    # ---- plot states ----------------------------------------------------------------------------------

    @cached_property
    def plot(self) -> PlotFamily:
        """The d3plot family.

        Raises:
            RunError: there is none.
            DamagedFile: it cannot be read.
        """
        if (path := self.files.find("d3plot")) is None:
            raise RunError(f"{self.folder} has no d3plot: the deck has no *DATABASE_BINARY_D3PLOT")
        return PlotFamily(path)

    @property
    def times(self) -> np.ndarray:
        """Times of the plot states, (states,)."""
        return self.plot.times

    def state_at(self, time: float) -> int:
        """The number of the plot state that is nearest to a time."""
        return int(np.abs(self.times - time).argmin())

    @property
    def node_ids(self) -> np.ndarray:
        """The user's numbers of nodes, (nodes,)."""
        return self.plot.node_ids

    @property
    def coordinates(self) -> np.ndarray:
        """Initial coordinates, (nodes, 3)."""
        return self.plot.coordinates

    def nodes(self, *numbers: int) -> np.ndarray:
        """Places of nodes by their numbers, for an index: `results.displacement[:, results.nodes(12)]`.

        Raises:
            KeyError: there is no such node.
        """
        return places_of(self.node_ids, numbers, "node")

    def nodal(self, name: str) -> StateArray:
        """A vector of all nodes: position, displacement, velocity or acceleration, (states, nodes, 3).

        Raises:
            KeyError: there is none of this name.
        """
        return self.plot.nodal(name)

    @property
    def displacement(self) -> StateArray:
        """Displacements of nodes, (states, nodes, 3)."""
        return self.nodal("displacement")

    @property
    def velocity(self) -> StateArray:
        """Velocities of nodes, (states, nodes, 3)."""
        return self.nodal("velocity")

    @property
    def acceleration(self) -> StateArray:
        """Accelerations of nodes, (states, nodes, 3)."""
        return self.nodal("acceleration")

    @property
    def shells(self) -> ElementResults:
        """Shells."""
        return ElementResults(self.plot, "shell")

    @property
    def solids(self) -> ElementResults:
        """Solids."""
        return ElementResults(self.plot, "solid")

    @property
    def thick_shells(self) -> ElementResults:
        """Thick shells of LS-DYNA's files, layers as integration points; our own are among the solids."""
        return ElementResults(self.plot, "thick_shell")

    @property
    def beams(self) -> ElementResults:
        """Beams."""
        return ElementResults(self.plot, "beam")

    @property
    def particles(self) -> ElementResults:
        """Smooth particles, whose numbers are those of their nodes."""
        return ElementResults(self.plot, "particle")

    @property
    def arrays(self) -> LassoArrays:
        """The same arrays by the names of lasso-python: `arrays["node_velocity"]`."""
        return LassoArrays(self.plot)

    @property
    def parts(self) -> "pd.DataFrame":
        """Parts by number: kind, law, elements, title."""
        import pandas as pd

        rows = [vars(part) for part in self.log.parts]
        return pd.DataFrame(rows, columns=["id", "kind", "law", "elements", "title"]).set_index("id")

    def to_xarray(self) -> "xr.Dataset":
        """All plot states as a dataset over time, node, shell, ...; values are read when they are used.

        Raises:
            RunError, DamagedFile: as for `plot`.
            ImportError: xarray is not installed.
        """
        from crumple.results.lazy_dataset import states_dataset

        return states_dataset(self.plot)

    # ---- histories ------------------------------------------------------------------------------------

    @cached_property
    def tables(self) -> RunTables:
        """The histories as arrays.

        Raises:
            DamagedFile: binout is damaged.
        """
        return RunTables(self.files)

    @property
    def histories(self) -> list[str]:
        """Names of the histories: "glstat", "nodout", "elout/shell", ..."""
        return self.tables.names

    def history(self, name: str) -> "pd.DataFrame":
        """A history: times as index, quantities as columns; of several nodes, parts, ... below their number.

        `history("nodout")[12]["x_velocity"]`; `attrs["titles"]` has titles by number.

        Raises:
            RunError: the run has none of this name.
            DamagedFile: it cannot be read.
        """
        from crumple.results.history_frame import frame_of

        return frame_of(self.table(name))

    def history_xarray(self, name: str) -> "xr.Dataset":
        """A history as a dataset over time, id, and point where there are integration points.

        Raises:
            RunError, DamagedFile: as for `history`.
            ImportError: xarray is not installed.
        """
        from crumple.results.history_frame import dataset_of

        return dataset_of(self.table(name))

    def table(self, name: str) -> "HistoryTable":
        """A history as arrays; errors are those of `history`."""
        try:
            return self.tables.table(name)
        except KeyError:
            has = ", ".join(self.histories) or "none"
            raise RunError(f"{self.folder} has no history '{name}'; there is: {has}") from None

    @property
    def glstat(self) -> "pd.DataFrame":
        """Energies of the model."""
        return self.history("glstat")

    @property
    def matsum(self) -> "pd.DataFrame":
        """Energies of parts."""
        return self.history("matsum")

    @property
    def nodout(self) -> "pd.DataFrame":
        """Motion of nodes."""
        return self.history("nodout")

    @property
    def rcforc(self) -> "pd.DataFrame":
        """Forces of contacts, by number and side: "3:master"."""
        return self.history("rcforc")

    @property
    def rwforc(self) -> "pd.DataFrame":
        """Forces on rigid walls."""
        return self.history("rwforc")

    @property
    def secforc(self) -> "pd.DataFrame":
        """Forces of cross sections."""
        return self.history("secforc")

    @property
    def spcforc(self) -> "pd.DataFrame":
        """Forces of held nodes, and of all of them as "total"."""
        return self.history("spcforc")

    @cached_property
    def curves_(self) -> "RunCurves":
        """The reader of curves, opened once."""
        from crumple.curves.run_curves import RunCurves

        return RunCurves(self.files.path("d3hsp"))

    def curves(self, words: str, channel_filter: str = "") -> "list[ShownCurve]":
        """Curves as `crumple plot` draws them, in g, kN, mm and ms where the units are known.

        Args:
            words: such as "nodout/*/x_acceleration" (docs/curves.md)
            channel_filter: CFC60, CFC180, CFC600 or CFC1000

        Raises:
            QuantityError: the run has no such quantity.
            SignalError: the filter cannot be applied.
        """
        from crumple.curves.filters import read_class

        return self.curves_.curves(words, read_class(channel_filter) if channel_filter else None)

    def curve(self, words: str, channel_filter: str = "") -> "ShownCurve":
        """The one curve that words name; errors are those of `curves`, also for several."""
        from crumple.curves.quantity import QuantityError

        found = self.curves(words, channel_filter)
        if len(found) > 1:
            raise QuantityError(f"'{words}' names {len(found)} curves: use curves()")
        return found[0]

    # ---- pages and pictures ---------------------------------------------------------------------------

    def picture(
        self,
        output: str | os.PathLike[str] | None = None,
        state: int = -1,
        field: str = "plastic-strain",
        parts: str = "",
    ) -> Path:
        """Draw a state, as `crumple view` does; returns the PNG, beside which there is an interactive page.

        Args:
            output: a .png; default: in the folder of the results
            state: from 0, negative from the end
            field: plastic-strain, von-mises, displacement or parts
            parts: to show, such as "3,7-9"; default: all

        Raises:
            ResultError: there is no such state or part, or the file is damaged.
        """
        from crumple.view.drawing import picture_and_page
        from crumple.view.field import Field
        from crumple.view.own_process import in_own_process
        from crumple.view.parts import PartChoice, read_ranges

        path = self.files.path("d3plot")
        choice = PartChoice(read_ranges(parts) if parts else ())
        named = None if output is None else Path(output)
        drawn = in_own_process(path, picture_and_page, path, named, state, Field(field), choice, None, None)
        return drawn[0]

    def report(
        self,
        output: str | os.PathLike[str] | None = None,
        curves: "CurveOptions | str | Sequence[str]" = (),
        others: "Sequence[Results]" = (),
    ) -> Path:
        """Write the HTML page of `crumple report`; returns its path.

        Args:
            output: page to write; default: report.html beside the results
            curves: to draw, such as "nodout/12-34/distance"; with tests, filters and limits as CurveOptions
            others: runs whose curves are drawn over this one's

        Raises:
            QuantityError: a run has no such curve, or options do not go together.
            MeasuredError: a measured curve cannot be read.
            SignalError: a filter or figure does not apply to a curve.
        """
        from crumple.report.curve_options import CurveOptions, curves_asked
        from crumple.report.run_page import write_report

        options = curves if isinstance(curves, CurveOptions) else CurveOptions(curves=curves)
        runs = (*options.others, *(other.files.path("d3hsp") for other in others))
        asked = curves_asked(replace(options, others=runs))
        return write_report(self.files.path("d3hsp"), None if output is None else Path(output), "", asked)

    def compare(self, other: "Results", tolerance: float = 1e-6) -> "list[RunDifference]":
        """What differs between two runs, as `crumple diff` lists it; empty if nothing does."""
        from crumple.compare.compared_runs import compare

        return compare(self.files.path("d3hsp"), other.files.path("d3hsp"), tolerance)


def places_of(ids: np.ndarray, numbers: tuple[int, ...], what: str) -> np.ndarray:
    """Places of numbers in an array of them.

    Raises:
        KeyError: one is not there.
    """
    order = np.argsort(ids, kind="stable")
    found = np.searchsorted(ids, numbers, sorter=order)
    for number, at in zip(numbers, found, strict=True):
        if at == len(ids) or ids[order[at]] != number:
            raise KeyError(f"there is no {what} {number}")
    return order[found]
