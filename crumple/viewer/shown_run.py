"""One run as the viewer shows it: what there is, its faces, its states, its values."""

import threading
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from crumple.results.d3hsp import RunLog, read_d3hsp
from crumple.results.d3plot_file import PlotFamily
from crumple.results.damage import DamagedFile
from crumple.results.histories import Histories
from crumple.results.run_files import RunFiles
from crumple.results.run_units import units_of
from crumple.units import Units
from crumple.view.plot_file import ResultError, check_family, find_d3plot
from crumple.viewer.colour_tables import colour_tables
from crumple.viewer.cut_solids import cut_solids
from crumple.viewer.deck_shapes import DeckShapes, shapes_of_run
from crumple.viewer.element_values import FieldValues
from crumple.viewer.feature_edges import feature_edges
from crumple.viewer.fewer_faces import fewer_faces
from crumple.viewer.model_faces import KINDS, ModelFaces, faces_of_model, first_of, lines_of
from crumple.viewer.packed_arrays import packed_arrays
from crumple.viewer.wall_motion import Curve

LIGHT = 40_000  #: triangles that are drawn while a larger model turns
LEAST = 1_000  #: fewest that may be asked for


class ShownRun:
    """A run of the viewer. Everything is read when it is asked for; threads may ask at the same time."""

    def __init__(self, where: Path, units: Units | None = None, deck: Path | None = None) -> None:
        """Open the d3plot family of a folder, or of its first file.

        Args:
            units: instead of those of the run
            deck: from which walls, sections and airbags are read, instead of the deck that run.json names

        Raises:
            ResultError: there is none, or it is damaged.
        """
        path = d3plot_of(where)
        check_family(path)
        try:
            self.family = PlotFamily(path)
        except DamagedFile as error:
            raise ResultError(str(error)) from None
        if not self.family.states:
            raise ResultError(f"{path} has no whole state yet")
        self.path, self.deck_ = path, deck
        self.log: RunLog | None = log_beside(path)
        self.units = units or (units_of(self.log) if self.log else Units())
        self.values = FieldValues(self.family)
        self.lock_ = threading.Lock()

    # ---- what there is ------------------------------------------------------------------------------

    def about(self) -> dict[str, Any]:
        """What the page shows of the run beside the model itself."""
        family = self.family
        labels = {
            name: self.units.labels.get(name, "") for name in ("length", "time", "stress", "speed", "force")
        }
        if labels["length"]:
            labels["acceleration"] = f"{labels['length']}/{labels['time']}²"
        return {
            "title": (self.log.title if self.log else "") or family.layout.title,
            "name": self.path.parent.resolve().name,
            "times": [float(f"{t:.7g}") for t in family.times],
            "units": labels,
            "kinds": [[kind, len(family.elements[kind].ids)] for kind in KINDS],
            "nodes": len(family.node_ids),
            "parts": self.parts(),
            "fields": [vars(field) for field in self.values.fields.values()],
            "colours": colour_tables(),
        }

    def parts(self) -> list[dict[str, Any]]:
        """Number, title, kind and elements of each part, in the order of the file."""
        titles = dict(self.family.part_titles)
        if self.log:
            titles |= {part.id: part.title for part in self.log.parts if part.title}
        count = len(self.family.part_ids)
        found = [
            {"id": int(n), "title": titles.get(int(n), ""), "kind": "", "elements": 0}
            for n in self.family.part_ids
        ]
        for kind in KINDS:
            each = np.bincount(self.family.elements[kind].parts, minlength=count)
            for place in np.flatnonzero(each):
                found[place]["kind"], found[place]["elements"] = kind, int(each[place])
        return found

    # ---- the model ----------------------------------------------------------------------------------

    @cached_property
    def faces(self) -> ModelFaces:
        """All faces."""
        return faces_of_model(self.family)

    def geometry(self) -> bytes:
        """Faces, beams and particles, numbers of nodes and elements."""
        with self.lock_:
            faces = self.faces
        family = self.family
        lines, owners = lines_of(family)
        return packed_arrays(
            {"faces": len(faces), "beams": len(lines)},
            faces=(faces.nodes, "u4"),
            owners=(faces.owners, "u4"),
            parts=(faces.parts, "u4"),
            beams=(lines, "u4"),
            beam_owners=(owners, "u4"),
            element_parts=(np.concatenate([family.elements[kind].parts for kind in KINDS]), "u4"),
            element_ids=(np.concatenate([family.elements[kind].ids for kind in KINDS]), "u4"),
            node_ids=(family.node_ids, "u4"),
        )

    @cached_property
    def light_faces(self) -> ModelFaces:
        """The faces that are drawn while the model turns."""
        return fewer_faces(self.faces, self.family.coordinates, LIGHT)

    def light(self, most: int = LIGHT) -> bytes:
        """The faces that are drawn while the model turns, or still fewer."""
        with self.lock_:
            found = self.light_faces
            if most < LIGHT:
                found = fewer_faces(found, self.family.coordinates, max(most, LEAST))
        return packed_arrays(
            {"faces": len(found)},
            faces=(found.nodes, "u4"),
            owners=(found.owners, "u4"),
            parts=(found.parts, "u4"),
        )

    def edges(self) -> bytes:
        """Feature edges: nodes, and a face of each."""
        with self.lock_:
            nodes, face = feature_edges(self.faces, self.family.coordinates)
        return packed_arrays({"edges": len(nodes)}, nodes=(nodes, "u4"), faces=(face, "u4"))

    def shapes(self) -> dict[str, Any]:
        """Rigid walls, sections and airbags of the deck."""
        times = np.asarray(self.family.times, dtype=float)
        nodes = (self.family.node_ids, np.asarray(self.family.coordinates, dtype=float))
        return self.deck_shapes.described(self.parts_with, times, lambda: wall_forces(self.path), nodes)

    def parts_with(self, node_ids: set[int]) -> list[int]:
        """Numbers of the parts that have shells whose nodes are all among some."""
        inside = np.isin(self.family.node_ids, list(node_ids))
        shells = self.family.elements["shell"]
        whole = inside[shells.nodes].all(axis=1) if len(shells.ids) else np.zeros(0, dtype=bool)
        return self.family.part_ids[np.unique(shells.parts[whole])].tolist()

    @cached_property
    def deck_shapes(self) -> DeckShapes:
        """Rigid walls, sections and airbags of the deck."""
        return shapes_of_run(self.path, self.deck_)

    # ---- states -------------------------------------------------------------------------------------

    def positions(self, state: int) -> np.ndarray:
        """Positions of all nodes, (nodes, 3)."""
        return self.family.block("x", state) if "x" in self.family.places else self.family.coordinates

    def gone(self, state: int) -> np.ndarray:
        """Whether each element of all kinds is deleted."""
        return np.concatenate([~self.family.alive(kind).read(state) for kind in KINDS])

    def state(self, number: int) -> bytes:
        """Positions of nodes, and which elements are deleted.

        Raises:
            ResultError: there is no such state.
        """
        self.check(number)
        gone = self.gone(number)
        return packed_arrays(
            {"state": number, "deleted": int(gone.sum())},
            positions=(self.positions(number), "f4"),
            gone=(gone if gone.any() else gone[:0], "u1"),
        )

    def field(self, name: str, layer: int, number: int) -> bytes:
        """Values of a field in a state.

        Raises:
            ResultError, NoSuchField: there is no such state or field.
        """
        self.check(number)
        return packed_arrays(
            {"of": self.values.field(name).of}, values=(self.values.values(name, layer, number), "f4")
        )

    def vectors(self, name: str, number: int, most: int) -> bytes:
        """A vector at nodes of the model's faces, at most so many of them, evenly taken.

        Raises:
            ResultError, NoSuchField: there is no such state or vector.
        """
        self.check(number)
        self.values.field(f"{name}/x")
        with self.lock_:
            nodes = self.face_nodes
        nodes = nodes[:: max(1, -(-len(nodes) // most))]
        return packed_arrays(
            {}, nodes=(nodes, "u4"), vectors=(self.values.vectors(name, number, nodes), "f4")
        )

    @cached_property
    def face_nodes(self) -> np.ndarray:
        """Nodes that faces, beams and particles have."""
        return np.union1d(self.faces.nodes, lines_of(self.family)[0])

    def cut(self, number: int, plane: list[float]) -> bytes:
        """Triangles where a plane cuts solids and thick shells, and the element of each.

        Args:
            plane: normal and distance from the origin, (4,)

        Raises:
            ResultError: there is no such state or plane.
        """
        self.check(number)
        if len(plane) != 4 or not np.isfinite(plane).all():
            raise ResultError("that is no plane")
        x, normal = (
            np.asarray(self.positions(number), dtype=np.float32),
            np.array(plane[:3], dtype=np.float32),
        )
        pieces = []
        for kind in ("solid", "thick_shell"):
            nodes, there = self.family.elements[kind].nodes, self.family.alive(kind).read(number)
            points, of = cut_solids(nodes, there, x, normal, plane[3])
            pieces.append((points, first_of(self.family, kind) + of))
        points, of = (np.concatenate(both) for both in zip(*pieces, strict=True))
        return packed_arrays({}, points=(points, "f4"), owners=(of, "u4"))

    def history(self, name: str, layer: int, place: int) -> list[float | None]:
        """Values of one node or element in all states.

        Raises:
            NoSuchField: there is no such field, node or element.
        """
        found = self.values.history(name, layer, place)
        return [None if v < -1e38 or not np.isfinite(v) else float(v) for v in found]

    def check(self, number: int) -> None:
        """Refuse a state that is not there."""
        if not 0 <= number < len(self.family.states):
            raise ResultError(f"there is no state {number}")


def d3plot_of(where: Path) -> Path:
    """The d3plot of a folder; that of the only run there, where its files have a prefix.

    Raises:
        ResultError: there is none.
    """
    if where.is_dir() and not (where / "d3plot").exists():
        found = sorted(where.glob("*d3plot"))
        if len(found) == 1:
            return found[0]
    return find_d3plot(where)


def wall_forces(d3plot: Path) -> dict[int, Curve]:
    """Times and forces along the normals of the walls in the rwforc beside a d3plot."""
    files = RunFiles(d3plot.parent, d3plot.name.removesuffix("d3plot"))
    try:
        found = Histories(files).rwforc()
    except (OSError, DamagedFile):
        return {}
    if found is None or "normal" not in found.rows:
        return {}
    return {
        int(number): (rows["time"].to_numpy(dtype=float), rows["normal"].to_numpy(dtype=float))
        for number, rows in found.rows.groupby("id")
    }


def log_beside(d3plot: Path) -> RunLog | None:
    """What the d3hsp beside a d3plot says; None where there is none, as beside results of others."""
    try:
        return read_d3hsp(d3plot.with_name(d3plot.name.replace("d3plot", "d3hsp")))
    except (OSError, DamagedFile):
        return None
