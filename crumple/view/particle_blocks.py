"""Smooth particles of a plot state as grids of points, one a part; VTK's reader leaves some of them out."""

import numpy as np
import pyvista as pv

from crumple.results.d3plot_file import PlotFamily

#: of the file, by the names that VTK gives them
ARRAYS = {"stress": "Stress", "plastic_strain": "EffPlastStrn", "pressure": "Pressure", "density": "Density"}


def is_of_points(block: pv.UnstructuredGrid) -> bool:
    """Whether all cells are points."""
    return bool(block.n_cells) and bool((block.celltypes == pv.CellType.VERTEX).all())


def particle_blocks(family: PlotFamily, state: int) -> list[pv.UnstructuredGrid]:
    """The particles that are not deleted."""
    particles, there = family.elements["particle"], family.alive("particle").read(state)
    x = np.asarray(family.nodal("position").read(state) if "x" in family.places else family.coordinates)
    values = {
        name: np.asarray(family.element("particle", ours).read(state)).reshape(len(there), -1)
        for ours, name in ARRAYS.items()
        if ours in family.columns("particle")
    }
    found = []
    for part in np.unique(particles.parts[there]):
        chosen = np.flatnonzero(there & (particles.parts == part))
        nodes = particles.nodes[chosen, 0]
        cells = np.column_stack((np.ones(len(chosen), dtype=np.int64), np.arange(len(chosen))))
        block = pv.UnstructuredGrid(
            cells.ravel(), np.full(len(chosen), pv.CellType.VERTEX, dtype=np.uint8), x[nodes].astype(float)
        )
        for name, rows in values.items():
            block.cell_data[name] = rows[chosen] if rows.shape[1] > 1 else rows[chosen, 0]
        block.point_data["Deflection"] = x[nodes] - family.coordinates[nodes]
        block.field_data["Material Id"] = [int(family.part_ids[part])]
        found.append(block)
    return found
