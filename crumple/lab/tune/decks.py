"""Small decks of one formulation and law, elastic or yielding everywhere."""

import io
from dataclasses import dataclass

import numpy as np

from crumple.models.deck_text import write_elements, write_nodes
from crumple.models.grids import block, plate

CURVE = """*DEFINE_CURVE
         1
                 0.0               270.0
                0.01               320.0
                 0.1               435.0
                 1.0               655.0
"""
SIZE = 4.0  #: size of an element in mm
STRAIN_RATE = 1000.0  #: 1/s: yields within three cycles
ELASTIC_RATE = 1e-3

#: Cards after the title, with number 1; {} is the yield stress. mm, s, t.
LAWS = {
    1: "*MAT_ELASTIC\n         1  7.85e-09  210000.0       0.3\n",
    3: "*MAT_PLASTIC_KINEMATIC\n         1  7.85e-09  210000.0       0.3     270.0    1000.0       1.0\n"
    "       0.0       0.0       0.0\n",
    24: "*MAT_PIECEWISE_LINEAR_PLASTICITY\n         1  7.85e-09  210000.0       0.3     270.0       0.0\n"
    "       0.0       0.0         1         0\n       0.0\n       0.0\n",
    98: "*MAT_SIMPLIFIED_JOHNSON_COOK\n         1  7.85e-09  210000.0       0.3\n"
    "     270.0     400.0       0.4      0.02       0.0       0.0       0.0       1.0\n",
}


@dataclass(frozen=True)
class Specimen:
    """A specimen to measure."""

    kind: str  #: shell or solid
    elform: int
    law: int
    layers: int = 1
    yields: bool = False


def deck(specimen: Specimen, elements: int) -> tuple[str, int]:
    """The deck, and its number of elements (about as many as asked for).

    A velocity field stretches it evenly along x.
    """
    shell = specimen.kind == "shell"
    n = max(2, round(elements ** (1 / 2 if shell else 1 / 3)))
    nodes, corners = plate(n, SIZE) if shell else block((n, n, n), SIZE)
    out = io.BytesIO()
    out.write(b"*KEYWORD\n*TITLE\ncost of elements\n*CONTROL_TERMINATION\n       1.0\n")
    out.write(b"*PART\nspecimen\n         1         1         1         0         1\n")
    if shell:
        section = (
            f"         1{specimen.elform:10d}       0.0{specimen.layers:10d}\n" + "       1.2" * 4 + "\n"
        )
        out.write(f"*SECTION_SHELL\n{section}".encode())
    else:
        out.write(f"*SECTION_SOLID\n         1{specimen.elform:10d}\n".encode())
    out.write(f"*HOURGLASS\n         1{4 if shell else 6:10d}\n".encode())
    out.write(LAWS[specimen.law].encode())
    if specimen.law == 24:
        out.write(CURVE.encode())
    write_nodes(out, 1, nodes)
    keyword = "ELEMENT_SHELL" if shell else "ELEMENT_SOLID"
    write_elements(out, keyword, 1, np.ones(len(corners), dtype=int), corners)
    rate = STRAIN_RATE if specimen.yields else ELASTIC_RATE
    out.write(b"*INITIAL_VELOCITY_NODE\n")
    for number, x in enumerate(nodes[:, 0], 1):
        out.write(f"{number:10d}{rate * x:10.4g}       0.0       0.0\n".encode())
    out.write(b"*END\n")
    return out.getvalue().decode(), len(corners)
