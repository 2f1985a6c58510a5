"""Kernels of shells and solids ask for the next block: the prefetches are in the program, seen by objdump.

GCC has once dropped those of pairs of points, taking a function that does nothing else for one without
effect. Nothing failed, and models beyond the caches became slower by a third.
"""

import re

import pytest
from program_listing import instructions

SEVERAL_POINTS = r"avx512\d+explicit_lanes_flatI.*{}.*(13IsoparametricI|23AssumedStrainHexahedron)"
FUNCTIONS = {  # of mangled names, as objdump reads some of them back only in part; how many each has at least
    "points of shells, in pairs": (r"5shell6avx512\d+integrate_pointsINS_4simd6avx5127Several", 1),
    "points of shells, one by one": (r"5shell6avx512\d+integrate_pointsINS_4simd6avx5123Vec", 1),
    # Thick shells, also those that are made of these (LayeredShell), leave their state to the hardware.
    "Belytschko-Tsay shells": (r"avx512\d+explicit_lanesI(?!.*12LayeredShell).*14BelytschkoTsayI", 1),
    "fully integrated shells": (r"avx512\d+explicit_lanesI(?!.*12LayeredShell).*15FullyIntegratedI", 1),
    # Solids are one function each: their nodes and rows, their points' rows, hourglass stresses.
    "one-point solids, double": (r"avx512\d+explicit_lanes_flatI.*VecIdLi8.*10HexahedronI", 44),
    "one-point solids, single": (r"avx512\d+explicit_lanes_flatI.*VecIfLi16.*10HexahedronI", 70),
    "solids of several points, double": (SEVERAL_POINTS.format("VecIdLi8"), 32),
    "solids of several points, single": (SEVERAL_POINTS.format("VecIfLi16"), 58),
}


@pytest.fixture(scope="module")
def prefetches() -> dict[str, int]:
    """How many prefetches each function has, by its mangled name."""
    found: dict[str, int] = {}
    for name, line in instructions():
        found[name] = found.get(name, 0) + bool(re.search(r"\tprefetcht[01] ", line))
    return found


@pytest.mark.parametrize("which", FUNCTIONS)
def test_every_kernel_asks_for_the_next_block(prefetches, which):
    pattern, least = FUNCTIONS[which]
    functions = {name: n for name, n in prefetches.items() if re.search(pattern, name)}
    if not any("avx512" in name for name in prefetches):
        pytest.skip("the build has no AVX-512 kernels (CRUMPLE_ISAS)")
    assert functions, f"no function matches {pattern}"
    assert {name: n for name, n in functions.items() if n < least} == {}
