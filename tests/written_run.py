"""Writes result folders as the solver's text files are, with motions that are known."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

Motion = Callable[[np.ndarray], np.ndarray]

D3HSP = """ {title}
                         crumple 0.1.0 d (revision 4be54c941ed5)     date 11/27/2026


 r u n

 deck deck.k
 2 elements, mass 1 kg, {ranks} rank x 1 thread, double precision, AVX2


 c o n t r o l

 end time {end}
{units}

 k e y w o r d   c o v e r a g e

keyword                                              support   blocks   records
*NODE                                                yes            1         {nodes}


 10 cycles in 0.1 s, 100.0 ns per zone and cycle
state hash: {hash}
 N o r m a l   t e r m i n a t i o n
"""


def field(value: float, width: int = 12, digits: int = 4) -> str:
    """A number as in the text files."""
    return f"{value:{width}.{digits}E}"


def nodout_text(times: np.ndarray, nodes: dict[int, tuple[str, np.ndarray]]) -> str:
    """nodout of nodes: title, and motion (times, 12): displacement, velocity, acceleration, coordinate."""
    text = " title\n{BEGIN LEGEND}\n Entity #        Title\n"
    text += "".join(f"{node:9d}     {title}\n" for node, (title, _) in nodes.items()) + "{END LEGEND}\n"
    for k, time in enumerate(times):
        head = f"\n\n\n n o d a l   p r i n t   o u t   f o r   t i m e  s t e p{k:8d}"
        head += f"                              ( at time{field(time, 14, 7)} )\n"
        text += head + "\n nodal point  x-disp     y-disp      z-disp      x-vel       y-vel       z-vel\n"
        for node, (_, rows) in nodes.items():
            text += f"{node:9d} " + "".join(field(v) for v in rows[k]) + "\n"
        text += head + "\n nodal point  x-rot      y-rot       z-rot       x-rot vel ...\n"
        for node in nodes:
            text += f"{node:9d} " + field(0.0) * 9 + "\n"
    return text


def motion(
    times: np.ndarray,
    acceleration: dict[str, np.ndarray],
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> np.ndarray:
    """A node's rows from its accelerations, integrated by the trapezoidal rule."""
    rows = np.zeros((len(times), 12))
    steps = np.diff(times, prepend=times[0])
    for k, axis in enumerate("xyz"):
        a = acceleration.get(axis, np.zeros_like(times))
        v = np.cumsum(0.5 * (a + np.roll(a, 1)) * steps)
        u = np.cumsum(0.5 * (v + np.roll(v, 1)) * steps)
        rows[:, k], rows[:, 3 + k], rows[:, 6 + k], rows[:, 9 + k] = u, v, a, start[k] + u
    return rows


def write_run(
    folder: Path,
    times: np.ndarray,
    nodes: dict[int, tuple[str, np.ndarray]],
    units: str = "kg-mm-ms",
    title: str = "two nodes",
    hash: str = "0123456789abcdef",
    ranks: int = 1,
) -> Path:
    """d3hsp, nodout, and rwforc with a wall whose x force is 100 times the first node's displacement."""
    folder.mkdir(parents=True, exist_ok=True)
    known = f" units {units}: mass, length, time\n" if units else ""
    (folder / "d3hsp").write_text(
        D3HSP.format(title=title, end=times[-1], units=known, nodes=len(nodes), hash=hash, ranks=ranks)
    )
    (folder / "nodout").write_text(nodout_text(times, nodes))
    first = next(iter(nodes.values()))[1]
    text = "{BEGIN LEGEND}\n       1     barrier\n{END LEGEND}\n"
    text += "\n\n    time       wall#   normal-force    x-force        y-force        z-force\n"
    for time, row in zip(times, first, strict=True):
        force = 100.0 * row[0]
        text += f"{field(time, 12, 5)}{1:8d}{field(force, 15, 6)}{field(force, 15, 6)}{field(0, 15, 6) * 2}\n"
    (folder / "rwforc").write_text(text)
    return folder
