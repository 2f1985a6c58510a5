"""The arrays of plot states under the names that lasso-python has for them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from crumple.results.state_array import StateArray

if TYPE_CHECKING:
    from crumple.results.d3plot_file import PlotFamily

#: of nodes; lasso's "displacement" is the position, as the file has it
NODAL = {
    "node_displacement": "position",
    "node_velocity": "velocity",
    "node_acceleration": "acceleration",
}
#: of elements: kind and quantity
OF_ELEMENTS = {
    "element_shell_stress": ("shell", "stress"),
    "element_shell_effective_plastic_strain": ("shell", "plastic_strain"),
    "element_shell_history_vars": ("shell", "history"),
    "element_shell_bending_moment": ("shell", "moment"),
    "element_shell_shear_force": ("shell", "shear"),
    "element_shell_normal_force": ("shell", "force"),
    "element_shell_thickness": ("shell", "thickness"),
    "element_shell_internal_energy": ("shell", "internal_energy_density"),
    "element_shell_strain": ("shell", "strain"),
    "element_solid_stress": ("solid", "stress"),
    "element_solid_effective_plastic_strain": ("solid", "plastic_strain"),
    "element_solid_history_variables": ("solid", "history"),
    "element_solid_strain": ("solid", "strain"),
    "element_beam_axial_force": ("beam", "axial_force"),
    "element_beam_shear_force": ("beam", "shear_force"),
    "element_beam_bending_moment": ("beam", "bending_moment"),
    "element_beam_torsion_moment": ("beam", "torsion"),
}


OTHERWISE = ("particle", "thick_shell")  #: kinds that lasso calls otherwise


class LassoArrays(Mapping[str, np.ndarray | StateArray]):
    """`arrays["element_shell_stress"]`: arrays with the names, shapes and numbers of lasso.dyna.D3plot."""

    def __init__(self, plot: "PlotFamily") -> None:
        self.plot_ = plot

    def names(self) -> list[str]:
        """Names of what the file has."""
        plot = self.plot_
        found = ["timesteps", "node_ids", "node_coordinates", "part_ids", "part_titles"]
        blocks = {"position": "x", "velocity": "v", "acceleration": "a"}
        found += plot.sums()
        found += [name for name, quantity in NODAL.items() if blocks[quantity] in plot.places]
        for kind, elements in plot.elements.items():
            if len(elements.ids) and kind not in OTHERWISE:
                found += [
                    f"element_{kind}_{what}" for what in ("ids", "node_indexes", "part_indexes", "is_alive")
                ]
        return found + [name for name, (kind, what) in OF_ELEMENTS.items() if what in plot.columns(kind)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __getitem__(self, name: str) -> np.ndarray | StateArray:
        plot = self.plot_
        if name not in self.names():
            raise KeyError(f"{plot.path} has no '{name}'")
        if name in (sums := plot.sums()):
            return sums[name]
        if name in NODAL:
            return plot.nodal(NODAL[name])
        if name in OF_ELEMENTS:
            return plot.element(*OF_ELEMENTS[name])
        if name.startswith("element_"):
            _, kind, what = name.split("_", 2)
            elements = plot.elements[kind]
            plain = {"ids": elements.ids, "node_indexes": elements.nodes, "part_indexes": elements.parts}
            return plain[what] if what in plain else plot.alive(kind)
        titles = [plot.part_titles.get(int(part), "") for part in plot.part_ids]
        return {
            "timesteps": plot.times,
            "node_ids": plot.node_ids,
            "node_coordinates": plot.coordinates,
            "part_ids": plot.part_ids,
            "part_titles": np.array(titles),
        }[name]
