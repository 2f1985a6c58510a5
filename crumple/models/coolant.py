"""Writes an OpenFOAM case of any size: coolant that flows through a jacket around a row of bores."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Solver = Literal["simpleFoam", "pisoFoam"]

BORES = 4
PITCH = 0.100  #: m, from bore to bore, and the jacket's width
RADIUS = 0.038  #: m, of a bore
HEIGHT = 0.040  #: m
LEAD = 0.100  #: m, of the passage before and behind the bores
LENGTH = BORES * PITCH + 2 * LEAD
SPEED = 0.5  #: m/s, at the inlet
VISCOSITY = 1.0e-6  #: m2/s, of water with glycol at about 90 degrees
START = 2  #: iterations before those whose time counts
COURANT = 0.5  #: of pisoFoam's time step
CLEARANCE = PITCH / 2 - RADIUS  #: m, between a bore and the jacket's wall, where the flow is fastest

HEADER = """FoamFile
{{
    version 2.0;
    format  ascii;
    class   {kind};
    object  {name};
}}
"""


@dataclass(frozen=True)
class JacketDivisions:
    """Cells along the edges of the blocks."""

    lead: int  #: along the passages before and behind
    around: int  #: of a quarter of a bore, and so across the jacket
    outwards: int  #: from a bore to the wall
    up: int

    @property
    def cells(self) -> int:
        """Of the whole mesh."""
        return self.around * self.up * (4 * BORES * self.outwards + 2 * self.lead)


def divisions(cells: int) -> JacketDivisions:
    """Divisions whose number of cells comes nearest to what is asked for, cells about as long as wide."""
    volume = PITCH * HEIGHT * LENGTH - BORES * math.pi * RADIUS**2 * HEIGHT
    middle = (volume / cells) ** (1 / 3)

    def of_size(size: float, more: int) -> JacketDivisions:
        across = (PITCH + math.pi / 2 * RADIUS) / 2
        outwards = (CLEARANCE + math.sqrt(0.5) * PITCH - RADIUS) / 2
        lengths = (LEAD, across, outwards, HEIGHT)
        *sides, up = (max(2, round(length / size)) for length in lengths)
        return JacketDivisions(*sides, max(2, up + more))

    tried = [of_size(middle * (0.7 + 0.002 * k), more) for k in range(301) for more in (0, -1, 1)]
    return min(tried, key=lambda d: abs(d.cells - cells))


def split(ranks: int) -> tuple[int, int, int]:
    """Numbers of parts along x, y and z, which cut as little as can be."""

    def cut(n: tuple[int, int, int]) -> float:
        faces = (PITCH * HEIGHT, LENGTH * HEIGHT, LENGTH * PITCH)
        return sum((parts - 1) * face for parts, face in zip(n, faces, strict=True))

    found = [
        (x, y, ranks // (x * y))
        for x in range(1, ranks + 1)
        if ranks % x == 0
        for y in range(1, ranks // x + 1)
        if (ranks // x) % y == 0
    ]
    return min(found, key=cut)


def vector(values: tuple[float, ...] | tuple[int, ...]) -> str:
    """Numbers in OpenFOAM's brackets."""
    return "(" + " ".join(f"{v:.9g}" for v in values) + ")"


def block_mesh(d: JacketDivisions) -> str:
    """The dictionary blockMeshDict: four blocks around each bore, and one before and behind them all."""
    points: dict[tuple[float, float], int] = {}

    def point(x: float, y: float) -> int:
        return points.setdefault((round(x, 9), round(y, 9)), len(points))

    flat: list[tuple[tuple[int, ...], tuple[int, int]]] = []  # corners below, cells along two sides
    arcs: list[tuple[int, int, float, float]] = []
    ends = [(point(x, 0.0), point(x, PITCH)) for x in (0.0, LEAD, LENGTH - LEAD, LENGTH)]
    for left, right in (ends[:2], ends[2:]):
        flat.append(((left[0], right[0], right[1], left[1]), (d.lead, d.around)))
    for bore in range(BORES):
        x, y = LEAD + (bore + 0.5) * PITCH, PITCH / 2
        half, near = PITCH / 2, RADIUS * math.sqrt(0.5)
        turns = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        outer = [point(x + half * a, y + half * b) for a, b in turns]
        inner = [point(x + near * a, y + near * b) for a, b in turns]
        for k, (a, b) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
            after = (k + 1) % 4
            flat.append(((outer[k], outer[after], inner[after], inner[k]), (d.around, d.outwards)))
            arcs.append((inner[k], inner[after], x + RADIUS * a, y + RADIUS * b))
    count = len(points)
    vertices = [(x, y, z) for z in (0.0, HEIGHT) for x, y in points]
    blocks = [
        f"    hex {vector((*low, *(p + count for p in low)))} {vector((*n, d.up))} simpleGrading (1 1 1)"
        for low, n in flat
    ]
    edges = [
        f"    arc {a + up * count} {b + up * count} {vector((x, y, up * HEIGHT))}"
        for a, b, x, y in arcs
        for up in (0, 1)
    ]
    return "\n".join(
        [
            "scale 1;",
            "vertices\n(",
            *(f"    {vector(v)}" for v in vertices),
            ");\nblocks\n(",
            *blocks,
            ");\nedges\n(",
            *edges,
            ");\nboundary\n(",
            f"    inlet {{ type patch; faces ({side(ends[0], count)}); }}",
            f"    outlet {{ type patch; faces ({side(ends[3], count)}); }}",
            ");\ndefaultPatch { name walls; type wall; }",
            "",
        ]
    )


def side(low: tuple[int, int], count: int) -> str:
    """The upright face above an edge."""
    return vector((low[0], low[1], low[1] + count, low[0] + count))


def fields() -> dict[str, tuple[str, str]]:
    """Kind and text of the fields in the folder 0: what the flow starts with, and its boundaries."""
    k = 1.5 * (0.05 * SPEED) ** 2  # 5 % turbulence
    omega = math.sqrt(k) / (0.09**0.25 * 0.07 * PITCH)  # eddies of 7 % of the width

    def field(units: str, start: str, inlet: str, outlet: str, walls: str) -> tuple[str, str]:
        kind = "volVectorField" if start.startswith("(") else "volScalarField"
        return kind, (
            f"dimensions [0 {units} 0 0 0 0];\ninternalField uniform {start};\nboundaryField\n{{\n"
            f"    inlet {{ {inlet} }}\n    outlet {{ {outlet} }}\n    walls {{ {walls} }}\n}}\n"
        )

    def swept(units: str, start: str, walls: str) -> tuple[str, str]:
        outlet = f"type inletOutlet; inletValue uniform {start}; value uniform {start};"
        return field(units, start, f"type fixedValue; value uniform {start};", outlet, walls)

    def modelled(units: str, value: float, function: str) -> tuple[str, str]:
        return swept(units, f"{value:.6g}", f"type {function}; value uniform {value:.6g};")

    none, nut = "type zeroGradient;", f"{k / omega:.6g}"
    calculated = f"type calculated; value uniform {nut};"
    function = f"type nutkWallFunction; value uniform {nut};"
    return {
        "U": swept("1 -1", f"({SPEED} 0 0)", "type noSlip;"),
        "p": field("2 -2", "0", none, "type fixedValue; value uniform 0;", none),
        "k": modelled("2 -2", k, "kqRWallFunction"),
        "omega": modelled("0 -1", omega, "omegaWallFunction"),
        "nut": field("2 -1", nut, calculated, calculated, function),
    }


SCHEMES = """ddtSchemes {{ default {ddt}; }}
gradSchemes {{ default cellLimited Gauss linear 1; }}
divSchemes
{{
    default none;
    div(phi,U) {bounded}Gauss linearUpwind default;
    div(phi,k) {bounded}Gauss upwind;
    div(phi,omega) {bounded}Gauss upwind;
    div((nuEff*dev2(T(grad(U))))) Gauss linear;
}}
laplacianSchemes {{ default Gauss linear corrected; }}
interpolationSchemes {{ default linear; }}
snGradSchemes {{ default corrected; }}
wallDist {{ method meshWave; }}
"""

SOLUTION = """solvers
{
    p { solver GAMG; smoother GaussSeidel; tolerance 1e-8; relTol 0.05; }
    pFinal { $p; relTol 0; tolerance 1e-6; }
    "(U|k|omega)" { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-9; relTol 0.1; }
    "(U|k|omega)Final" { $U; relTol 0; tolerance 1e-6; }
}
SIMPLE { consistent no; nNonOrthogonalCorrectors 0; }
PISO { nCorrectors 2; nNonOrthogonalCorrectors 0; }
relaxationFactors
{
    fields { p 0.3; }
    equations { U 0.7; k 0.5; omega 0.5; ".*Final" 1; }
}
"""

CONTROL = """application {solver};
startFrom startTime;
startTime 0;
stopAt endTime;
endTime {end:.9g};
deltaT {step:.9g};
writeControl timeStep;
writeInterval {write};
writeFormat binary;
timeFormat general;
timePrecision 9;
runTimeModifiable no;
flow
{{
    type surfaceFieldValue;
    libs (fieldFunctionObjects);
    regionType patch;
    operation sum;
    fields (phi);
    executeControl onEnd;
    writeControl onEnd;
    writeFields no;
    log yes;
}}
functions
{{
    begin
    {{
        $:flow;
        name inlet;
        executeControl timeStep;
        writeControl timeStep;
        timeEnd {start:.9g};
        log no;
    }}
    inflow {{ $:flow; name inlet; }}
    outflow {{ $:flow; name outlet; }}
}}
"""


def time_step(cells: int) -> float:
    """pisoFoam's step (s): the Courant number where the flow is fastest, between bore and wall."""
    size = CLEARANCE / divisions(cells).outwards
    return COURANT * size / (SPEED * PITCH / (2 * CLEARANCE))


def dictionaries(cells: int, solver: Solver, iterations: int, write: bool) -> dict[str, str]:
    """Text of the case's dictionaries, by path; iterations are time steps of pisoFoam."""
    steady = solver == "simpleFoam"
    step = 1.0 if steady else time_step(cells)
    schemes = {"ddt": "steadyState" if steady else "Euler", "bounded": "bounded " if steady else ""}
    control = {
        "solver": solver,
        "end": step * iterations,
        "step": step,
        "start": step * START,
        "write": iterations if write else 10 * iterations,
    }
    return {
        "system/blockMeshDict": block_mesh(divisions(cells)),
        "system/controlDict": CONTROL.format(**control),
        "system/fvSchemes": SCHEMES.format(**schemes),
        "system/fvSolution": SOLUTION,
        "constant/transportProperties": f"transportModel Newtonian;\nnu {VISCOSITY:g};\n",
        "constant/turbulenceProperties": "simulationType RAS;\n"
        "RAS { RASModel kOmegaSST; turbulence on; printCoeffs off; }\n",
    }


def write_decomposition(directory: Path, ranks: int, method: str) -> None:
    """Write decomposeParDict: the method is "hierarchical" or "simple"."""
    body = (
        f"numberOfSubdomains {ranks};\nmethod {method};\n"
        f"coeffs {{ n {vector(split(ranks))}; order xyz; delta 0.001; }}\n"
    )
    write(directory / "system/decomposeParDict", "dictionary", body)


def write(path: Path, kind: str, body: str) -> None:
    """Write a file of OpenFOAM's with its header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.format(kind=kind, name=path.name) + body)


def write_coolant(
    directory: Path,
    cells: int,
    solver: Solver = "simpleFoam",
    iterations: int = 20,
    results: bool = False,
) -> None:
    """Write a case without its mesh, which blockMesh makes.

    Args:
        directory: the case's folder
        cells: asked for; the mesh has about as many
        iterations: of simpleFoam, or time steps of pisoFoam
        results: have the last fields written
    """
    for name, body in dictionaries(cells, solver, iterations, results).items():
        write(directory / name, "dictionary", body)
    for name, (kind, body) in fields().items():
        write(directory / "0" / name, kind, body)
