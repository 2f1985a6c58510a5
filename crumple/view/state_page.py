"""An interactive page of one plot state: plotly's 3D mesh in one self-contained HTML file."""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from crumple.view.fields import Field, cell_values, colour_map
from crumple.view.particle_blocks import is_of_points
from crumple.view.picture import Look
from crumple.view.plot_states import PlotState


def triangles(state: PlotState, field: Field) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Surface triangles of all blocks: points (n, 3), triangles (m, 3), value of each triangle (m,)."""
    points: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    values: list[np.ndarray] = []
    offset = 0
    for block, part in zip(state.blocks, state.parts, strict=True):
        mesh = block.copy(deep=False)
        mesh.cell_data.clear()
        mesh.cell_data["value"] = cell_values(block, part, field)
        surface = mesh.extract_surface(algorithm=None).triangulate()
        if surface.n_cells == 0:
            continue
        points.append(np.asarray(surface.points, dtype=np.float32))
        faces.append(surface.faces.reshape(-1, 4)[:, 1:] + offset)
        values.append(np.asarray(surface.cell_data["value"], dtype=np.float32))
        offset += surface.n_points
    if not points:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=int), np.zeros(0)
    return np.vstack(points), np.vstack(faces), np.concatenate(values)


def face_colours(points: np.ndarray, faces: np.ndarray, values: np.ndarray, look: Look) -> list[str]:
    """Colour of each triangle, shaded from both sides, because shells have no outer side."""
    corners = points[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    light = np.array([-0.31, -0.62, 0.72])
    shade = 0.58 + 0.42 * np.abs(normal @ light)
    rgb = colour_map(look.field)(np.clip(values / look.limits[1], 0.0, 1.0))[:, :3] * shade[:, None]
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.round(255 * rgb).astype(int)]


def colour_bar(points: np.ndarray, look: Look) -> go.Scatter3d:
    """An invisible point that carries the colour bar."""
    scale = []
    for x in np.linspace(0.0, 1.0, 9):
        r, g, b, _ = (255 * np.array(colour_map(look.field)(x))).astype(int)
        scale.append([float(x), f"rgb({r},{g},{b})"])
    return go.Scatter3d(
        x=points[:1, 0],
        y=points[:1, 1],
        z=points[:1, 2],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={
            "size": 0.1,
            "color": [0.0],
            "cmin": 0.0,
            "cmax": look.limits[1],
            "colorscale": scale,
            "colorbar": {"title": look.title.replace(" ", "<br>", 1), "len": 0.6},
        },
    )


def particles(state: PlotState, look: Look) -> list[go.Scatter3d]:
    """The smooth particles, coloured as faces are."""
    found = []
    for block, part in zip(state.blocks, state.parts, strict=True):
        if is_of_points(block):
            x, y, z = np.asarray(block.points, dtype=np.float32).T
            values = cell_values(block, part, look.field)
            rgb = np.round(255 * colour_map(look.field)(np.clip(values / look.limits[1], 0.0, 1.0))[:, :3])
            marker = {"size": 2.5, "color": [f"rgb({r:.0f},{g:.0f},{b:.0f})" for r, g, b in rgb]}
            found.append(
                go.Scatter3d(x=x, y=y, z=z, mode="markers", marker=marker, hoverinfo="skip", showlegend=False)
            )
    return found


def eye(look: Look) -> dict[str, float]:
    """The position of plotly's camera."""
    if look.direction is None:
        return {"x": -0.6, "y": -1.3, "z": 0.7}
    x, y, z = 1.6 * look.direction / np.linalg.norm(look.direction)
    return {"x": x, "y": y, "z": z}


def write_page(state: PlotState, look: Look, path: Path) -> None:
    """Write the page; plotly's script is in it, so it opens without a network."""
    points, faces, values = triangles(state, look.field)
    mesh = go.Mesh3d(
        x=points[:, 0],
        y=points[:, 1],
        z=points[:, 2],
        i=faces[:, 0],
        j=faces[:, 1],
        k=faces[:, 2],
        facecolor=face_colours(points, faces, values, look),
        flatshading=True,
        lighting={"ambient": 1.0, "diffuse": 0.0, "specular": 0.0},
        hoverinfo="skip",
    )
    drawn = [mesh, *particles(state, look)]
    if look.field is not Field.parts and state.blocks:
        drawn.append(colour_bar(np.asarray(state.blocks[0].points), look))
    figure = go.Figure(drawn)
    figure.update_layout(
        title=f"{state.title or path.parent.name}, t = {state.time:.6g}{look.units.behind('time')}",
        scene={
            "aspectmode": "data",
            "camera": {"eye": eye(look), "projection": {"type": "orthographic"}},
            "xaxis": {"visible": False},
            "yaxis": {"visible": False},
            "zaxis": {"visible": False},
        },
        margin={"l": 0, "r": 0, "t": 50, "b": 0},
    )
    figure.write_html(str(path), include_plotlyjs=True, full_html=True)
