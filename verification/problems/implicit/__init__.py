"""Problems of implicit analysis with published answers, in the order of docs/verification.md."""

from verification.problem import Problem
from verification.problems.implicit import (
    buckling,
    convergence,
    curved_beam,
    curved_shells,
    glued_strips,
    laminates,
    large_rotations,
    nafems_modes,
    nafems_stress,
    necking,
    plastic_cylinder,
    snap_through,
    straight_beam,
    ten_node_tetrahedra,
    thermal_stress,
    thick_cylinder,
)

PROBLEMS: list[Problem] = [
    straight_beam.PROBLEM,
    *curved_beam.PROBLEMS,
    *curved_shells.PROBLEMS,
    thick_cylinder.PROBLEM,
    *nafems_stress.PROBLEMS,
    ten_node_tetrahedra.PROBLEM,
    *thermal_stress.PROBLEMS,
    laminates.PROBLEM,
    glued_strips.PROBLEM,
    convergence.PROBLEM,
    *large_rotations.PROBLEMS,
    *snap_through.PROBLEMS,
    plastic_cylinder.PROBLEM,
    necking.PROBLEM,
    *nafems_modes.PROBLEMS,
    buckling.PROBLEM,
]
