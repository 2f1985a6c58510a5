"""Serves the viewer of one run, or of two side by side, to browsers on this machine. It only reads."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from crumple.local_server import ADDRESS, LocalHandler, LocalServer
from crumple.view.plot_file import ResultError
from crumple.viewer.element_values import NoSuchField
from crumple.viewer.page_files import PAGE, SCRIPTS, STYLE, read
from crumple.viewer.shown_run import LIGHT, ShownRun

LONGEST = 9  #: digits of a number in an address
LONGEST_LIST = 200  #: characters of a list of numbers
ARROWS = 20_000  #: most vectors of an answer
TEXT = "charset=utf-8"


class ViewerServer(LocalServer):
    """The server of one run or two."""

    def __init__(self, runs: list[ShownRun], port: int, start: dict[str, object] | None = None) -> None:
        """Listen on this machine only.

        Args:
            port: 0: any that is free
            start: what the page shows at first

        Raises:
            OSError: the port is in use.
        """
        self.runs, self.start = runs, start or {}
        super().__init__((ADDRESS, port), ViewerHandler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{ADDRESS}:{self.port}/"


class ViewerHandler(LocalHandler):
    """Answers one browser."""

    server: ViewerServer

    def do_GET(self) -> None:  # noqa: N802 - the name of the base class
        """The page, and what it asks for: /0/about is of the first run, /1/about of the second."""
        if not self.is_for_us():
            return
        url = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        name = url.path.removeprefix("/")
        if name == "":
            self.answer(read(PAGE).encode(), f"text/html; {TEXT}")
        elif name == STYLE:
            self.answer(read(STYLE).encode(), f"text/css; {TEXT}")
        elif name in SCRIPTS:
            self.answer(read(name).encode(), f"text/javascript; {TEXT}")
        elif name == "start":
            self.answer_json({"runs": len(self.server.runs)} | self.server.start)
        else:
            self.answer_run(name, query)

    do_HEAD = do_GET  # noqa: N815 - the name of the base class

    def answer_run(self, name: str, query: dict[str, str]) -> None:
        """Something of one run, or why it is not there."""
        number, _, what = name.partition("/")
        known = number.isascii() and number.isdigit() and len(number) < LONGEST
        if not known or int(number) >= len(self.server.runs) or what not in ANSWERS:
            return self.refuse(HTTPStatus.NOT_FOUND, "there is no such page")
        try:
            found = ANSWERS[what](self.server.runs[int(number)], query)
        except (ResultError, NoSuchField, OSError) as error:
            return self.refuse(HTTPStatus.NOT_FOUND, str(error))
        if isinstance(found, bytes):
            # Within a machine, packing takes longer than sending.
            self.answer(found, "application/octet-stream", pack=False)
        else:
            self.answer_json(found)


def number(query: dict[str, str], name: str, otherwise: int = -1) -> int:
    """A number of an address; another one where it is none."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else otherwise


def numbers(text: str) -> list[float]:
    """The numbers of a list in an address; none where it is no such list."""
    try:
        return [float(word) for word in text[:LONGEST_LIST].split(",")]
    except ValueError:
        return []


def history(run: ShownRun, query: dict[str, str]) -> dict[str, object]:
    """The history of a node or an element."""
    return {"values": run.history(query.get("field", ""), number(query, "layer", 0), number(query, "place"))}


Answer = Callable[[ShownRun, dict[str, str]], bytes | dict[str, object]]
ANSWERS: dict[str, Answer] = {
    "about": lambda run, query: run.about(),
    "geometry": lambda run, query: run.geometry(),
    "light": lambda run, query: run.light(number(query, "most", LIGHT)),
    "edges": lambda run, query: run.edges(),
    "shapes": lambda run, query: run.shapes(),
    "state": lambda run, query: run.state(number(query, "number")),
    "field": lambda run, query: run.field(
        query.get("name", ""), number(query, "layer", 0), number(query, "number")
    ),
    "vectors": lambda run, query: run.vectors(
        query.get("name", ""), number(query, "number"), min(ARROWS, max(1, number(query, "most", 4000)))
    ),
    "cut": lambda run, query: run.cut(number(query, "number"), numbers(query.get("plane", ""))),
    "history": history,
}
