"""The files of the viewer's page."""

from pathlib import Path

HERE = Path(__file__).parent
PAGE, STYLE = "viewer.html", "viewer.css"
#: in an order in which each comes after those that it imports
SCRIPTS = (
    "numbers.js",
    "arrays.js",
    "source.js",
    "shaders.js",
    "gpu.js",
    "camera.js",
    "scene3d.js",
    "model_view.js",
    "chart.js",
    "parts_tree.js",
    "picked.js",
    "page.js",
)


def read(name: str) -> str:
    """The text of a file."""
    return (HERE / name).read_text(encoding="utf-8")
