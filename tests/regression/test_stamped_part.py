"""*INCLUDE_STAMPED_PART: a sheet of four shells gives its state to a part with another mesh."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import Run, run

SIDE = 20.0
LAW = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},5.,2.|0.|,|,"
GAUSS = (-0.774597, 0.0, 0.774597)
#: the sheet's x, y and z in the model
AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
SHIFT = np.array([5.0, 6.0, 7.0])


def stress(shell: int, t: float) -> np.ndarray:
    """Tensor in the sheet's axes."""
    xx, yy, xy = 0.1 * shell * (1 + 0.5 * t), -0.05 * shell, 0.02 * shell * (1 - t)
    return np.array([[xx, xy, 0], [xy, yy, 0], [0, 0, 0]])


def thickness(shell: int) -> float:
    return 1.0 + 0.1 * shell


def strain(shell: int, t: float) -> float:
    """Plastic."""
    return 0.01 * shell * (1 + 0.2 * t)


def sheet(heights: tuple[float, ...] = GAUSS) -> str:
    """A dynain file of two by two shells."""
    lines = ["*KEYWORD", "*NODE"]
    for j in range(3):
        lines += [f"{101 + 3 * j + i},{SIDE / 2 * i},{SIDE / 2 * j},0." for i in range(3)]
    lines.append("*ELEMENT_SHELL_THICKNESS")
    for k in range(1, 5):
        a = 101 + 3 * ((k - 1) // 2) + (k - 1) % 2
        lines += [f"{k},9,{a},{a + 1},{a + 4},{a + 3}", ",".join([str(thickness(k))] * 4)]
    lines.append("*INITIAL_STRESS_SHELL")
    for k in range(1, 5):
        lines.append(f"{k},1,{len(heights)},0")
        for t in heights:
            s = stress(k, t)
            lines.append(f"{t},{s[0, 0]},{s[1, 1]},0.,{s[0, 1]},0.,0.,{strain(k, t)}")
    return "\n".join([*lines, "*END", ""])


def part(
    folder: Path, fields: str = "", points: int = 3, flipped: bool = False, triangles: bool = False
) -> Run:
    """A run of two cycles with the part; no node moves."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sheet.dynain").write_text(sheet())
    deck = Deck()
    deck.part(1, f"SHELL,2,0.8333,{points}|3.,3.,3.,3.", LAW)

    def place(u: float, v: float) -> tuple[float, float, float]:
        x = np.array([u, v, 0.0]) * SIDE
        return tuple(x[[1, 0, 2]] @ AXES + SHIFT if flipped else x @ AXES + SHIFT)

    grid = deck.plate(1, (4, 4), place, triangles)
    corners = (grid[0][0], grid[0][-1], grid[-1][0])
    if flipped:
        corners = (grid[0][0], grid[-1][0], grid[0][-1])
    for row in grid:
        for n in row:
            deck.add(f"*BOUNDARY_SPC_NODE\n{n},0,1,1,1,1,1,1")
    fields = fields or f"1,0,0,0,0,0,,1.\n101,103,107,{','.join(map(str, corners))}"
    deck.add(f"*INCLUDE_STAMPED_PART\nsheet.dynain\n{fields.format(corners=','.join(map(str, corners)))}")
    deck.add("*DATABASE_EXTENT_BINARY\n0,0,3")
    deck.control(1e-3, 1e-3)
    (folder / "deck.k").write_text(deck.text())
    return run(folder / "deck.k", folder / "out", "--double-files")


def first_state(done: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stresses, plastic strains and thickness of each shell."""
    assert done.status == 0, done.said
    plot = D3plot(str(done.directory / "d3plot")).arrays
    return (
        plot["element_shell_stress"][0],
        plot["element_shell_effective_plastic_strain"][0],
        plot["element_shell_thickness"][0],
    )


def quarter(i: int, j: int) -> int:
    """The sheet's shell below the part's in row j and column i of a mesh of four by four."""
    return 1 + i // 2 + 2 * (j // 2)


@pytest.mark.parametrize("flipped", [False, True])
def test_part_has_the_state_of_the_sheet(flipped: bool, tmp_path: Path) -> None:
    stresses, strains, thick = first_state(part(tmp_path, flipped=flipped))
    for j in range(4):
        for i in range(4):
            shell = quarter(j, i) if flipped else quarter(i, j)
            e = 4 * j + i
            assert thick[e] == pytest.approx(thickness(shell), rel=1e-6)
            for at, t in enumerate((0.0, GAUSS[0], GAUSS[2])):  # the order of MAXINT = 3
                of = -t if flipped else t
                s = AXES.T @ stress(shell, of) @ AXES
                wanted = [s[0, 0], s[1, 1], s[2, 2], s[0, 1], s[1, 2], s[2, 0]]
                np.testing.assert_allclose(stresses[e, at], wanted, atol=1e-6)
                assert strains[e, at] == pytest.approx(strain(shell, of), rel=1e-5)


def test_layers_are_interpolated(tmp_path: Path) -> None:
    """Five layers from three: linear in between, constant beyond the outermost."""
    text = "*DATABASE_EXTENT_BINARY\n0,0,3"
    done = part(tmp_path, points=5)
    assert done.status == 0, done.said
    deck = (tmp_path / "deck.k").read_text().replace(text, "*DATABASE_EXTENT_BINARY\n0,0,5")
    (tmp_path / "deck.k").write_text(deck)
    _, strains, _ = first_state(run(tmp_path / "deck.k", tmp_path / "five", "--double-files"))
    heights = np.clip([-0.906180, -0.538469, 0.0, 0.538469, 0.906180], GAUSS[0], GAUSS[2])
    for e, shell in ((0, 1), (15, 4)):
        np.testing.assert_allclose(strains[e], [strain(shell, t) for t in heights], rtol=1e-4)


def test_what_is_not_mapped(tmp_path: Path) -> None:
    stresses, strains, thick = first_state(part(tmp_path / "a", "1,1,1,1,0\n101,103,107,{corners}"))
    assert np.abs(strains).max() == 0.0
    np.testing.assert_allclose(thick, 3.0, rtol=1e-6)
    assert np.abs(stresses).max() > 0.1
    stresses, strains, thick = first_state(part(tmp_path / "b", "1,0,0,1,2\n101,103,107,{corners},,2."))
    assert np.abs(stresses).max() == 0.0
    assert strains.max() == pytest.approx(strain(4, GAUSS[2]), rel=1e-5)
    np.testing.assert_allclose(thick.max(), 2 * thickness(4), rtol=1e-6)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ("1,2,0,0,0\n101,103,107,{corners}", "THICK = 2"),
        ("1,0,0,0,0\n101,103,107,{corners}\n1", "ISYM = 1"),
        ("1,0,0,0,0\n101,103,199,{corners}", "the file has no node 199"),
        ("1,0,0,0,0\n101,102,103,{corners}", "are on a line"),
        ("1,0,0,0,0\n101,103,107,{corners}\n0,0,0.,0,,,3", "MTYPE = 3"),
        ("1,0,0,0,0,0,,0.1\n0,0,0\n0,0,90.", "PERCELE is 90"),
    ],
)
def test_what_is_refused_of_sheets(fields: str, says: str, tmp_path: Path) -> None:
    refused = part(tmp_path, fields)
    assert refused.status == 2, refused.said
    assert says in refused.said


def test_far_sheets_are_told(tmp_path: Path) -> None:
    done = part(tmp_path, "1,0,0,0,0,0,,0.1\n0,0,0")
    assert done.status == 0, done.said
    assert "are not within RMAX" in done.said
    assert "there is no such file" in run(_without_sheet(tmp_path), tmp_path / "none").said


def _without_sheet(folder: Path) -> Path:
    (folder / "sheet.dynain").unlink()
    return folder / "deck.k"
