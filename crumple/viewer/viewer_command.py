"""`crumple view`: serves the viewer until Ctrl-C, or writes a picture, a page or a film."""

import getpass
import platform
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crumple.local_server import ADDRESS
from crumple.units import find_units
from crumple.view.drawing import FILMS, film, picture_and_page
from crumple.view.field import Field
from crumple.view.own_process import in_own_process
from crumple.view.parts import PartChoice
from crumple.view.plot_file import ResultError

if TYPE_CHECKING:
    import numpy as np

    from crumple.viewer.shown_run import ShownRun

Say = Callable[[str], None]
#: names of the command line for fields of the page
FIELDS = {"plastic-strain": "plastic_strain", "von-mises": "stress/von_mises", "parts": ""}


@dataclass(frozen=True)
class ViewerOptions:
    """Options of the command.

    Attributes:
        state: from 0, negative: from the end; None: the last one
        direction: from the model to the eye; None: the usual one
        rate: states per second of a film
        megabytes: most that a page with all states may take
    """

    port: int = 0
    units: str = ""
    deck: Path | None = None
    state: int | None = None
    field: Field = Field.plastic_strain
    choice: PartChoice = PartChoice()
    direction: "np.ndarray | None" = None
    rate: float = 12.0
    megabytes: float = 50.0


def view_run(where: list[Path], output: Path | None, options: ViewerOptions, say: Say) -> None:
    """Serve the page of one run or two; or write a file.

    Raises:
        ResultError: there is no run, or no such state.
        ValueError: there is no such system of units or part, or the file is of no kind that can be written.
        OSError: a file cannot be read or written, or the port is in use.
    """
    if output is None:
        return serve_viewer(where, options, say)
    kind = output.suffix
    if kind not in (".png", ".html", *FILMS):
        raise ValueError(f"'{output}' is none of .png, .html, .gif, .mp4")
    if len(where) > 1:
        raise ValueError("two runs are seen in the browser only: leave out -o and --film")
    if options.state is not None and kind in FILMS:
        raise ValueError("a film shows all states: leave out --state, or write a .png")
    (result,) = where
    units = find_units(options.units) or None
    look = (options.field, options.choice, options.direction)
    if kind in FILMS:
        count = in_own_process(result, film, result, output, *look, options.rate, units)
        say(f"{output}: {count} states")
    elif kind == ".html":
        from crumple.viewer.standalone_page import write_standalone

        (run,) = opened(where, options)
        say(f"{output}: {write_standalone(run, output, start_of(run, options), options.megabytes)}")
    else:
        shown = -1 if options.state is None else options.state
        for path in in_own_process(result, picture_and_page, result, output, shown, *look, units):
            say(str(path))


def opened(where: list[Path], options: ViewerOptions) -> "list[ShownRun]":
    """The runs.

    Raises:
        ResultError: there is none.
        ValueError: there is no such system of units.
    """
    from crumple.viewer.shown_run import ShownRun

    units = find_units(options.units) or None
    return [ShownRun(path, units, options.deck if k == 0 else None) for k, path in enumerate(where)]


def start_of(run: "ShownRun", options: ViewerOptions) -> dict[str, object]:
    """What the page shows at first.

    Raises:
        ResultError: there is no such state.
        ValueError: there is no such part.
    """
    count = len(run.family.states)
    state = -1 if options.state is None else options.state
    if not -count <= state < count:
        raise ResultError(f"{run.path} has {count} states; there is no state {state}")
    found: dict[str, object] = {"state": -1 if options.state is None else state % count}
    found["field"] = FIELDS.get(options.field.value, options.field.value)
    if options.choice != PartChoice():
        ids = {part["id"] for part in run.parts() if part["elements"]}
        found["shown"] = sorted(options.choice.shown(ids))
    if options.direction is not None:
        found["camera"] = options.direction.tolist()
    return found


def serve_viewer(where: list[Path], options: ViewerOptions, say: Say) -> None:
    """Serve the page of one run, or of two, until Ctrl-C or SIGTERM.

    Raises:
        ResultError: there is no run, or no such state.
        ValueError: there is no such system of units or part.
        OSError: the port is in use.
    """
    from crumple.viewer.viewer_server import ViewerServer

    runs = opened(where, options)
    start = start_of(runs[0], options)
    try:
        server = ViewerServer(runs, options.port, start)
    except OSError as error:
        raise OSError(
            error.errno, f"port {options.port}: {error.strerror}; --port 0 takes a free one"
        ) from None
    say(server.address)
    tunnel = f"{server.port}:{ADDRESS}:{server.port} {getpass.getuser()}@{platform.node()}"
    say(f"from another machine: ssh -N -L {tunnel}")
    say("Ctrl-C ends the viewer")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with server:
            server.serve_forever(poll_interval=1.0)
    except KeyboardInterrupt:
        return
