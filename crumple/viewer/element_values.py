"""The fields that the viewer shows, and their values in a state: of nodes, or of elements of all kinds."""

from dataclasses import dataclass

import numpy as np

from crumple.results.d3plot_file import PlotFamily
from crumple.viewer.model_faces import KINDS

NONE = np.float32(-3e38)  #: the value of an element that does not have the quantity
AXES = ("x", "y", "z")
STRESSES = ("xx", "yy", "zz", "xy", "yz", "zx")


class NoSuchField(Exception):
    """A field or a layer that the run does not have."""


@dataclass(frozen=True)
class ShownField:
    """A field on the page.

    Attributes:
        name: in addresses, such as "stress/von_mises"
        title: for people
        quantity: of `crumple.units.Units`, or nothing for plain numbers
        of: "node" or "element"
        layers: integration points that may be chosen; 0: there is one value an element
        signed: whether zero is in the middle
    """

    name: str
    title: str
    quantity: str
    of: str
    layers: int = 0
    signed: bool = False


def node_fields(family: PlotFamily) -> list[ShownField]:
    """Lengths and components of the vectors of nodes."""
    found = []
    for name, block, quantity in (
        ("displacement", "x", "length"),
        ("velocity", "v", "speed"),
        ("acceleration", "a", "acceleration"),
    ):
        if block in family.places:
            found.append(ShownField(name, name, quantity, "node"))
            found += [ShownField(f"{name}/{a}", f"{a} {name}", quantity, "node", signed=True) for a in AXES]
    return found


#: of the scalars of elements: name in the file, title, quantity, whether it has a sign
SCALARS = (
    ("thickness", "thickness", "length", False),
    ("internal_energy_density", "internal energy density", "stress", False),
    ("axial_force", "axial force of beams", "force", True),
    ("torsion", "torsion of beams", "", True),
)


def element_fields(family: PlotFamily) -> list[ShownField]:
    """Plastic strain, stresses and the scalars that the elements have."""
    columns = {kind: family.columns(kind) for kind in KINDS}
    layers = max((columns[k]["stress"][1][0] for k in KINDS if "stress" in columns[k]), default=0)
    plastic = [columns[k]["plastic_strain"][1][0] for k in KINDS if "plastic_strain" in columns[k]]
    found = []
    if plastic:
        title = "effective plastic strain"
        found.append(ShownField("plastic_strain", title, "", "element", max(plastic)))
    if layers:
        found.append(ShownField("stress/von_mises", "von Mises stress", "stress", "element", layers))
        found.append(ShownField("stress/pressure", "pressure", "stress", "element", layers, True))
        found += [
            ShownField(f"stress/{c}", f"{c} stress", "stress", "element", layers, True) for c in STRESSES
        ]
    if any("strain" in columns[k] for k in KINDS):
        found += [ShownField(f"strain/{c}", f"{c} strain", "", "element", 2, True) for c in STRESSES]
    for name, title, quantity, signed in SCALARS:
        if any(name in columns[k] for k in KINDS):
            found.append(ShownField(name, title, quantity, "element", signed=signed))
    return found


def fields_of(family: PlotFamily) -> list[ShownField]:
    """All fields, the one that is shown first at the beginning."""
    return [*element_fields(family), *node_fields(family)]


def of_tensor(tensor: np.ndarray, component: str) -> np.ndarray:
    """A component or an invariant of (..., 6) stresses or strains."""
    if component in STRESSES:
        return tensor[..., STRESSES.index(component)]
    xx, yy, zz, xy, yz, zx = np.moveaxis(tensor, -1, 0).astype(np.float32)
    if component == "pressure":
        return -(xx + yy + zz) / 3.0
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))


def over_layers(values: np.ndarray, layer: int) -> np.ndarray:
    """One value an element of those of its points (n, points): that of a layer, or the largest by size."""
    if layer > 0:
        return values[:, min(layer, values.shape[1]) - 1]
    high, low = values.max(axis=1), values.min(axis=1)
    return np.where(-low > high, low, high)


class FieldValues:
    """Reads values of a family, of all nodes or elements or of one."""

    def __init__(self, family: PlotFamily) -> None:
        self.family_ = family
        self.fields = {field.name: field for field in fields_of(family)}
        self.rows_ = family.shell_rows if family.layout.rigid_shells else None

    def field(self, name: str) -> ShownField:
        """A field by its name.

        Raises:
            NoSuchField: there is none.
        """
        if name not in self.fields:
            raise NoSuchField(f"the run has no field '{name}'")
        return self.fields[name]

    def values(self, name: str, layer: int, state: int) -> np.ndarray:
        """Values of all nodes or all elements, float32; NONE where there is none.

        Args:
            layer: from 1 as in the file; 0: the largest by size over all

        Raises:
            NoSuchField: there is no such field.
        """
        if self.field(name).of == "node":
            return self.of_nodes(name, state, slice(None))
        return np.concatenate([self.of_kind(kind, name, layer, state) for kind in KINDS])

    def history(self, name: str, layer: int, place: int) -> np.ndarray:
        """Values of one node, or of one element counted over all kinds, in all states.

        Raises:
            NoSuchField: there is no such field, node or element.
        """
        states = range(len(self.family_.states))
        if self.field(name).of == "node":
            if not 0 <= place < len(self.family_.node_ids):
                raise NoSuchField("there is no such node")
            at = slice(place, place + 1)
            return np.array([self.of_nodes(name, k, at)[0] for k in states], dtype=np.float32)
        for kind in KINDS:
            count = len(self.family_.elements[kind].ids)
            if 0 <= place < count:
                return np.array([self.of_kind(kind, name, layer, k, place)[0] for k in states], np.float32)
            place -= count
        raise NoSuchField("there is no such element")

    def of_nodes(self, name: str, state: int, at: slice) -> np.ndarray:
        """Length or component of a vector of some nodes."""
        vector, _, axis = name.partition("/")
        rows = self.vectors(vector, state, at)
        found = rows[:, AXES.index(axis)] if axis else np.linalg.norm(rows, axis=1)
        return found.astype(np.float32)

    def vectors(self, name: str, state: int, at: slice | np.ndarray) -> np.ndarray:
        """A vector of some nodes, (n, 3)."""
        block = {"displacement": "x", "velocity": "v", "acceleration": "a"}[name]
        rows = self.family_.block(block, state)[at]
        return rows - self.family_.coordinates[at] if name == "displacement" else rows

    def of_kind(self, kind: str, name: str, layer: int, state: int, place: int | None = None) -> np.ndarray:
        """Values of the elements of one kind, or of one of them."""
        family = self.family_
        count = len(family.elements[kind].ids)
        quantity, _, component = name.partition("/")
        columns = family.columns(kind)
        none = np.full(count if place is None else 1, NONE, dtype=np.float32)
        if quantity not in columns or not count:
            return none
        rows = family.block(kind, state)
        where = self.rows_ if kind == "shell" else None
        if place is not None:
            row = place if where is None else int(np.searchsorted(where, place))
            if where is not None and (row == len(where) or where[row] != place):
                return none
            rows, where = rows[row : row + 1], None
        values = columns[quantity][0](rows)
        if component:
            values = of_tensor(values, component)
        if values.ndim > 1:
            values = over_layers(values, layer)
        if where is None:
            return values.astype(np.float32)
        none[where] = values
        return none
