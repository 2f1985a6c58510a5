"""Notebooks as pages of the site: each is executed when the site is built, and the page has its outputs.

Without a solver, or without what a notebook imports, the page has the code only, and says how to run it.
"""

import re
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbformat import NotebookNode

LIMIT = 300  #: s for a cell
IMPORT = re.compile(r"^(?:import|from) (\w+)", re.M)
TABLE = re.compile(r"<table.*</table>", re.S)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")  #: colours of a terminal

WITH_OUTPUTS = "Executed when this page was made."
WITHOUT_OUTPUTS = "**Not executed when this page was made, so the outputs are missing** ({why})."
HOW_TO_RUN = (
    "The notebook is [{name}]({name}). To run it: `pip install jupyterlab optuna scipy` where Crumple is "
    "installed, then `jupyter lab {name}`."
)


def notebook_page(path: Path, run: bool) -> str:
    """A notebook in Markdown, after it has been executed if `run`, and if this machine has what it needs.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    why = why_not(notebook) if run else "notebooks are switched off"
    if not why:
        execute(notebook)
    heading, _, text = notebook.cells[0].source.partition("\n")
    said = WITHOUT_OUTPUTS.format(why=why) if why else WITH_OUTPUTS
    parts = [heading, f"{said} {HOW_TO_RUN.format(name=path.name)}", text]
    for cell in notebook.cells[1:]:
        parts += [cell.source] if cell.cell_type == "markdown" else code_and_outputs(cell)
    return "\n\n".join(parts) + "\n"


def why_not(notebook: NotebookNode) -> str:
    """Why a notebook cannot be executed here; empty if it can."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    needed = sorted({"nbclient", "ipykernel", *IMPORT.findall(code)})
    if missing := [name for name in needed if find_spec(name) is None]:
        return f"{', '.join(missing)} not installed"
    from crumple.solver import solver_path

    try:
        solver_path()
    except FileNotFoundError:
        return "no solver"
    return ""


def execute(notebook: NotebookNode) -> None:
    """Execute all cells in a folder of their own."""
    from nbclient import NotebookClient
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        # by sockets in the folder: other users of the machine could read ports
        config = Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}})
        place = {"metadata": {"path": folder}}
        NotebookClient(
            notebook, timeout=LIMIT, kernel_name="python3", resources=place, config=config
        ).execute()


def code_and_outputs(cell: NotebookNode) -> Iterator[str]:
    """The blocks of a cell of code, without the warnings that libraries print."""
    yield block(cell.source, "python")
    for output in cell.outputs:
        if output.output_type == "stream":
            if output.name == "stdout":
                yield block(ESCAPE.sub("", output.text), "text")
            continue
        data = output.get("data", {})
        if table := TABLE.search(data.get("text/html", "")):
            yield re.sub(r"<(table|tr)\b[^>]*>", r"<\1>", table[0])
        elif picture := data.get("image/png"):
            yield f'<img alt="output" src="data:image/png;base64,{picture.strip()}">'
        elif text := data.get("text/plain"):
            yield block(text, "text")


def block(text: str, language: str) -> str:
    """A block of code, with a fence that is not in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
