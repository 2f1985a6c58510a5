"""A whole car of a number of elements: body, sheets, frame, running gear, welds and ties, as arrays."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from crumple.models.car_body import paint_body
from crumple.models.car_class import CarClass
from crumple.models.car_frame import floor_weld_count, floor_welds, frame_grids
from crumple.models.car_lattice import Lattice, make_lattice
from crumple.models.car_mesh import Block, Grid, Panels, panel_shells, positions_of
from crumple.models.car_parts import SHEETS, CarPart
from crumple.models.car_running_gear import engine, radiator, wheel_grids
from crumple.models.car_sheets import Double, lids, sheet_grids

LEAST = 1000  #: elements with which a car keeps its features
WELD_PITCH = 40.0  #: mm between welds along a flange


@dataclass(frozen=True)
class CarPlan:
    """A car before anything is computed but counts."""

    lattice: Lattice
    panels: Panels
    grids: list[Grid]
    doubles: list[Double]
    blocks: list[Block]

    def sites(self) -> int:
        """Where a weld can be."""
        return sum(d.sites() for d in self.doubles) + floor_weld_count(self.lattice)

    def base(self) -> int:
        """Elements without welds."""
        return self.panels.count() + sum(g.count() for g in [*self.grids, *self.blocks])


@dataclass(frozen=True)
class CarMesh:
    """A car; node indices count from 0. Lengths in mm."""

    car: CarClass
    cell: float
    nodes: np.ndarray  #: (n, 3)
    shells: np.ndarray  #: (n, 4)
    shell_parts: np.ndarray
    solids: np.ndarray  #: (n, 8)
    solid_parts: np.ndarray
    welds: np.ndarray  #: (n, 2)
    weld_pitch: float  #: mm, mean along the flanges
    ties: dict[str, np.ndarray]  #: nodes by the name of their tie
    hinges: np.ndarray  #: pairs of nodes (n, 2) that hold doors and lids
    mounts: dict[CarPart, np.ndarray]  #: nodes of the rails that move with a rigid part

    def elements(self) -> int:
        """Number of elements."""
        return len(self.shells) + len(self.solids) + len(self.welds)


def plan_car(car: CarClass, cell: float) -> CarPlan:
    """Everything that decides the number of elements at a cell size."""
    lattice = make_lattice(car, cell)
    grids, doubles = sheet_grids(lattice)
    grids += frame_grids(lattice) + wheel_grids(lattice)
    return CarPlan(lattice, paint_body(lattice), grids, doubles, [engine(lattice), radiator(lattice)])


def wanted_welds(plan: CarPlan) -> float:
    """Welds at the usual pitch."""
    return plan.sites() * min(0.7, plan.lattice.cell / WELD_PITCH)


@lru_cache(maxsize=4)
def choose_cell(car: CarClass, elements: int) -> float:
    """Cell size with which base and a fair number of welds give just the number of elements."""
    low, high = 1.5, 420.0
    for _ in range(20):
        cell = (low * high) ** 0.5
        plan = plan_car(car, cell)
        low, high = (cell, high) if plan.base() + wanted_welds(plan) > elements else (low, cell)
    best, best_cost = low, np.inf
    for factor in np.linspace(0.97, 1.03, 61):
        plan = plan_car(car, low * float(factor))
        welds, wanted, sites = elements - plan.base(), wanted_welds(plan), plan.sites()
        cost = abs(welds - wanted) / wanted + (1e3 if not 0.3 * wanted <= welds <= sites else 0.0)
        if cost < best_cost:
            best, best_cost = low * float(factor), cost
    return best


def build_car(car: CarClass, elements: int) -> CarMesh:
    """A car with just this number of elements; some more or less where a coarse mesh cannot hit it."""
    cell = choose_cell(car, elements)
    plan = plan_car(car, cell)
    sites = plan.sites()
    count = int(np.clip(elements - plan.base(), min(20, sites), sites))
    return assemble(plan, count)


def assemble(plan: CarPlan, welds: int) -> CarMesh:
    """Compute all positions and put the meshes together."""
    lattice = plan.lattice
    keys, shells, parts = panel_shells(plan.panels)
    nodes, shells, parts = [positions_of(lattice, keys)], [shells], [parts]
    starts: dict[str, tuple[int, np.ndarray]] = {}
    total = len(keys)
    rail_nodes = []
    for grid in plan.grids:
        points = grid.points()
        numbers = total + np.arange(points[..., 0].size).reshape(points.shape[:2])
        starts[grid.name] = (total, numbers)
        shells.append(total + grid.corners())
        parts.append(grid.part_of())
        if grid.part == CarPart.RAIL:
            rail_nodes.append(numbers.ravel())
        nodes.append(points.reshape(-1, 3))
        total += len(nodes[-1])
    solids, solid_parts, radiator_foot = [], [], np.empty(0, dtype=np.int64)
    for block in plan.blocks:
        points = block.points()
        if block.part == CarPart.RADIATOR:
            radiator_foot = total + np.arange(points[..., 0].size).reshape(points.shape[:3])[:, :, 0].ravel()
        solids.append(total + block.corners())
        solid_parts.append(np.full(block.count(), int(block.part)))
        nodes.append(points.reshape(-1, 3))
        total += len(nodes[-1])
    ends = chosen_welds(plan, welds)
    weld_nodes = total + np.arange(2 * len(ends)).reshape(-1, 2)
    nodes.append(ends.reshape(-1, 3))
    grid_nodes = {name: numbers for name, (_, numbers) in starts.items()}
    positions = np.concatenate(nodes)
    return CarMesh(
        car=lattice.car,
        cell=lattice.cell,
        nodes=positions,
        shells=np.concatenate(shells),
        shell_parts=np.concatenate(parts),
        solids=np.concatenate(solids),
        solid_parts=np.concatenate(solid_parts),
        welds=weld_nodes,
        weld_pitch=max(WELD_PITCH, 1.1 * lattice.cell * plan.sites() / max(1, welds)),
        ties=tied_nodes(grid_nodes, radiator_foot),
        hinges=hinge_pairs(lattice, keys, grid_nodes),
        mounts=mounts(lattice, positions, np.concatenate(rail_nodes)),
    )


def chosen_welds(plan: CarPlan, count: int) -> np.ndarray:
    """Ends (count, 2, 3) of welds, evenly picked from the sites."""
    sites = np.concatenate([*(d.welds(plan.lattice) for d in plan.doubles), floor_welds(plan.lattice)])
    picked = (np.arange(count) * len(sites) + len(sites) // 2) // max(1, count)
    return sites[picked]


def tied_nodes(grids: dict[str, np.ndarray], radiator_foot: np.ndarray) -> dict[str, np.ndarray]:
    """Nodes of each tie: edges of tubes that stand on other sheets, the radiator's foot."""
    rails = [grids["left rail"], grids["right rail"]]
    return {
        "crash boxes to bumper beam": np.concatenate([r[0] for r in rails]),
        "rails to rear beam": np.concatenate([r[-1] for r in rails]),
        "radiator support to rails": np.concatenate([grids["support"][0], grids["support"][-1]]),
        "panel beam to hinge posts": np.concatenate([grids["panel beam"][0], grids["panel beam"][-1]]),
        "radiator to its support": radiator_foot,
    }


def hinge_pairs(n: Lattice, keys: np.ndarray, grids: dict[str, np.ndarray]) -> np.ndarray:
    """Corners of doors and lids with the nodes of the body beside them (n, 2)."""
    pairs = []
    for lid in lids(n):
        patch = lid.patch
        for u, v in lid.hinges:
            index = [patch.at] * 3
            index[(patch.axis + 1) % 3], index[(patch.axis + 2) % 3] = patch.u[u], patch.v[v]
            key = (index[0] * (n.ny + 1) + index[1]) * (n.levels[3] + 1) + index[2]
            at = int(np.searchsorted(keys, key))
            if at < len(keys) and keys[at] == key:
                pairs.append((int(grids[lid.name][u, v]), at))
    return np.array(pairs)


def mounts(n: Lattice, nodes: np.ndarray, rails: np.ndarray) -> dict[CarPart, np.ndarray]:
    """Nodes of the rails near each axle and near the engine's front."""
    reach = float(np.clip(0.6 * n.cell, 45.0, 150.0))
    x = nodes[rails, 0]
    places = {
        CarPart.FRONT_WHEEL: n.car.front_axle,
        CarPart.REAR_WHEEL: n.car.rear_axle,
        CarPart.ENGINE: n.car.front_axle - 320.0,
    }
    away = {part: np.abs(x - at) for part, at in places.items()}
    return {part: rails[d < max(reach, d.min() + 1.0)] for part, d in away.items()}


def sheet_areas(mesh: CarMesh) -> dict[CarPart, float]:
    """Area (mm^2) of each part of shells."""
    a, b, c, d = (mesh.nodes[mesh.shells[:, k]] for k in range(4))
    areas = 0.5 * np.linalg.norm(np.cross(c - a, d - b), axis=1)
    sums = np.bincount(mesh.shell_parts, areas, minlength=64)
    return {part: float(sums[part]) for part in SHEETS}


def block_volume(mesh: CarMesh, part: CarPart) -> float:
    """Volume (mm^3) of a part of bricks, each cut into six tetrahedra round its diagonal."""
    x = mesh.nodes[mesh.solids[mesh.solid_parts == part]]
    round_it = (1, 2, 3, 7, 4, 5, 1)
    diagonal = x[:, 6] - x[:, 0]
    six = (
        np.einsum("ij,ij->i", np.cross(x[:, a] - x[:, 0], x[:, b] - x[:, 0]), diagonal)
        for a, b in zip(round_it[:-1], round_it[1:], strict=True)
    )
    return float(sum(six).sum()) / 6.0
