"""Decks of smooth particles; units mm, ms, kg, GPa."""

from dataclasses import dataclass, field

import numpy as np

#: water as *MAT_NULL with *EOS_GRUNEISEN: density, speed of sound, slope of the Hugoniot, GAMMA0
DENSITY, SOUND, SLOPE, GAMMA = 1.0e-6, 1480.0, 1.75, 0.28
WATER = f"*MAT_NULL\n1,{DENSITY},-1.e-6\n*EOS_GRUNEISEN\n1,{SOUND},{SLOPE},0.,0.,{GAMMA},0.,0.\n0."
STEEL = "*MAT_ELASTIC\n1,7.85e-6,210.,0.3"


@dataclass
class Particles:
    """Particles of one spacing in one or more parts, with a material number 1."""

    spacing: float
    x: list[np.ndarray] = field(default_factory=list)
    v: list[np.ndarray] = field(default_factory=list)
    part: list[np.ndarray] = field(default_factory=list)

    def add(self, part: int, x: np.ndarray, v: np.ndarray) -> None:
        """Particles at `x` (n, 3) with velocities that broadcast to it."""
        self.x.append(x)
        self.v.append(np.broadcast_to(v, x.shape))
        self.part.append(np.full(len(x), part))

    def text(
        self,
        end: float,
        material: str = WATER,
        control: str = "1,0,1.e20,3,150,0",
        more: str = "",
        held: int = 0,
    ) -> str:
        """The deck; `held` is the code of translations of *NODE."""
        x, v, part = (np.concatenate(a) for a in (self.x, self.v, self.part))
        density = float(material.split("\n")[1].split(",")[1])
        eos = 1 if "*EOS" in material else 0
        lines = [
            "*KEYWORD",
            "*CONTROL_TERMINATION",
            f"{end}",
            "*CONTROL_ENERGY",
            "2,2,2,2",
            "*DATABASE_BINARY_D3PLOT",
            f"{end / 4}",
            "*DATABASE_GLSTAT",
            f"{end / 50}",
            "*DATABASE_MATSUM",
            f"{end / 50}",
            "*CONTROL_SPH",
            control,
            material,
            "*SECTION_SPH",
            "1,1.2",
            more,
        ]
        for p in np.unique(part):
            lines += ["*PART", f"particles {p}", f"{p},1,1,{eos}"]
        lines.append("*NODE")
        lines += [f"{n + 1},{a[0]:.9g},{a[1]:.9g},{a[2]:.9g},{held},0" for n, a in enumerate(x)]
        lines.append("*ELEMENT_SPH")
        mass = density * self.spacing**3
        lines += [f"{n + 1},{p},{mass:.9g}" for n, p in enumerate(part)]
        lines.append("*INITIAL_VELOCITY_NODE")
        lines += [f"{n + 1},{a[0]:.9g},{a[1]:.9g},{a[2]:.9g}" for n, a in enumerate(v)]
        return "\n".join([*[line for line in lines if line], "*END", ""])


def lattice(low: tuple[float, float, float], cells: tuple[int, int, int], spacing: float) -> np.ndarray:
    """Centres of cubes, x fastest."""
    k, j, i = np.meshgrid(*(np.arange(n) for n in cells[::-1]), indexing="ij")
    return np.asarray(low) + spacing * (np.stack([i.ravel(), j.ravel(), k.ravel()], axis=1) + 0.5)


def slabs(
    speed: float, cells: tuple[int, int, int], form: int, end: float, iavis: int = 0, gap: float = 0.0
) -> str:
    """Two slabs of water meet with +speed and -speed along x; nothing moves across."""
    nx, ny, nz = cells
    particles = Particles(1.0)
    particles.add(1, lattice((-float(nx), 0.0, 0.0), cells, 1.0), np.array([speed, 0.0, 0.0]))
    particles.add(2, lattice((gap, 0.0, 0.0), cells, 1.0), np.array([-speed, 0.0, 0.0]))
    control = f"1,0,1.e20,3,150,{form}\n0,0,0,0,0,0,{iavis}"
    return particles.text(end, control=control, held=5, more="*CONTROL_BULK_VISCOSITY\n1.5,1.0")
