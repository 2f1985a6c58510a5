"""The camera of a picture."""

import numpy as np

Position = list[tuple[float, float, float]]

AXES = {
    f"{sign}{name}": tuple(value if axis == k else 0.0 for k in range(3))
    for axis, name in enumerate("xyz")
    for sign, value in (("+", 1.0), ("-", -1.0))
}


def read_direction(text: str) -> np.ndarray | None:
    """The direction from the model to the eye: `+x`, `-z`, or three numbers; None for `auto`.

    Raises:
        ValueError: it is none of these.
    """
    if text == "auto":
        return None
    if text in AXES:
        return np.array(AXES[text])
    try:
        direction = np.array([float(word) for word in text.split(",")])
    except ValueError:
        direction = np.zeros(0)
    if direction.shape != (3,) or not np.isfinite(direction).all() or not direction.any():
        raise ValueError(
            f"'{text}' is no camera: auto, +x, -x, +y, -y, +z, -z, or a direction such as 1,-2,0.5"
        )
    return direction


def camera_position(bounds: np.ndarray, direction: np.ndarray | None = None) -> Position:
    """Eye, centre and up direction. By default from the front, the side and above, with z up."""
    low, high = bounds
    centre, size = (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0
    extent = high - low
    if direction is None:
        ahead = extent[0] >= extent[1]
        direction = np.array([-0.45, -1.0, 0.45]) if ahead else np.array([-1.0, -0.45, 0.45])
    direction = direction / np.linalg.norm(direction)
    # Seen along z, the longer side of the model is horizontal.
    along = np.array([0.0, 1.0, 0.0]) if extent[0] >= extent[1] else np.array([1.0, 0.0, 0.0])
    up = along if abs(direction[2]) > 0.99 else np.array([0.0, 0.0, 1.0])
    return [tuple(centre + direction * 1.35 * size), tuple(centre), tuple(up)]


def sides(camera: Position) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors to the right and upwards in the picture."""
    eye, centre, up = (np.array(v) for v in camera)
    ahead = (centre - eye) / np.linalg.norm(centre - eye)
    right = np.cross(ahead, up)
    right /= np.linalg.norm(right)
    return right, np.cross(right, ahead)


def moved(camera: Position, right: float, up: float) -> Position:
    """The same view from an eye that is moved across it, in the model's units."""
    to_right, upwards = sides(camera)
    by = right * to_right + up * upwards
    return [tuple(np.array(camera[0]) + by), tuple(np.array(camera[1]) + by), camera[2]]


def half_height(bounds: np.ndarray, camera: Position, aspect: float) -> float:
    """Half the height of the view, in the model's units, that just holds a box.

    Args:
        bounds: low and high corner of the box, (2, 3)
        camera: eye, centre and up direction; the view is parallel
        aspect: width over height
    """
    right, up = sides(camera)
    corners = bounds[np.indices((2, 2, 2)).reshape(3, -1).T, np.arange(3)] - np.array(camera[1])
    across = np.abs(corners @ right).max()
    upwards = np.abs(corners @ up).max()
    return float(max(upwards, across / aspect)) or 1.0
