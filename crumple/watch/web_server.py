"""Serves the page of a watched run to browsers on this machine, and to nobody else."""

import gzip
import hmac
import json
import secrets
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from crumple.local_server import ADDRESS, LocalHandler, LocalServer
from crumple.view.plot_file import ResultError
from crumple.watch.sense_switch import SwitchError
from crumple.watch.surface_server import Busy
from crumple.watch.watched_run import WatchedRun

HERE = Path(__file__).parent
FILES = {
    "/": ("watch.html", "text/html; charset=utf-8"),
    "/watch.css": ("watch.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/plots.js": ("plots.js", "text/javascript; charset=utf-8"),
    "/scene.js": ("scene.js", "text/javascript; charset=utf-8"),
    "/model.js": ("model.js", "text/javascript; charset=utf-8"),
    "/tables.js": ("tables.js", "text/javascript; charset=utf-8"),
    "/report.css": ("../report/page.css", "text/css; charset=utf-8"),
}
LONGEST = 1000  #: bytes of a request with a switch
WRONG_TOKEN = 1.0  #: s before the answer to a wrong token, one request at a time


class WatchServer(LocalServer):
    """The server of one run."""

    def __init__(self, run: WatchedRun, port: int, switches: bool = True, private: bool = False) -> None:
        """Listen on this machine only.

        Args:
            port: 0: any that is free
            switches: whether the sense switches may be given
            private: whether nothing is answered without a secret in the address

        Raises:
            OSError: the port is in use.
        """
        self.run = run
        self.token = secrets.token_urlsafe(12) if switches else ""
        self.secret = secrets.token_urlsafe(12) if private else ""
        self.plotly = packed_plotly()
        super().__init__((ADDRESS, port), Handler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{ADDRESS}:{self.port}/" + (f"{self.secret}/" if self.secret else "")


def packed_plotly() -> bytes:
    """The script of the charts, compressed; it is in the installed package, so no network is needed."""
    from plotly.offline import get_plotlyjs

    return gzip.compress(get_plotlyjs().encode(), 3)


class Handler(LocalHandler):
    """Answers one browser."""

    server: WatchServer

    def do_GET(self) -> None:  # noqa: N802 - the name of the base class
        """The page, and what it asks for."""
        if not self.is_for_us():
            return
        url = urlsplit(self.own_path())
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        if url.path in FILES:
            name, kind = FILES[url.path]
            self.answer((HERE / name).read_bytes(), kind)
        elif url.path == "/plotly.js":
            self.answer_plotly()
        elif url.path == "/run.json":
            self.answer_json(self.server.run.summary(versions(query.get("have", ""))))
        elif url.path == "/state":
            self.answer_bytes(lambda: self.state(query))
        elif url.path == "/surface":
            self.answer_bytes(lambda: self.server.run.surfaces.triangles(query.get("name", "")))
        else:
            self.refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    do_HEAD = do_GET  # noqa: N815 - the name of the base class

    def do_POST(self) -> None:  # noqa: N802 - the name of the base class
        """A sense switch, with the token."""
        if not self.is_for_us():
            return
        if urlsplit(self.own_path()).path != "/switch":
            return self.refuse(HTTPStatus.NOT_FOUND, "there is no such page")
        asked = self.posted()
        if asked is None:
            return self.refuse(HTTPStatus.BAD_REQUEST, "not a request of this page")
        token = str(asked.get("token", ""))
        if not self.server.token:
            return self.refuse(HTTPStatus.FORBIDDEN, "switches are off: crumple watch --read-only")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            time.sleep(WRONG_TOKEN)
            return self.refuse(HTTPStatus.FORBIDDEN, "wrong token")
        if self.server.run.over:
            return self.refuse(HTTPStatus.CONFLICT, "the run is over")
        try:
            self.server.run.source.give(str(asked.get("switch", "")))
        except SwitchError as error:
            return self.refuse(HTTPStatus.CONFLICT, str(error))
        self.answer_json({"given": asked["switch"]})

    def own_path(self) -> str:
        """What is asked for, without the secret of a private page; of no page if the secret is wrong."""
        if not self.server.secret:
            return self.path
        secret, slash, rest = self.path.lstrip("/").partition("/")
        right = hmac.compare_digest(secret.encode(), self.server.secret.encode())
        return f"/{rest}" if right and slash else ""

    def posted(self) -> dict[str, Any] | None:
        """The JSON of a request; None if it is none, or from the page of another server."""
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            length = -1
        if not 0 <= length <= LONGEST:
            self.close_connection = True
            return None
        body = self.rfile.read(length)
        origin = self.headers.get("Origin")
        if self.headers.get_content_type() != "application/json":
            return None
        if origin is not None and urlsplit(origin).netloc != self.headers.get("Host"):
            return None
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            return None
        return asked if isinstance(asked, dict) else None

    def state(self, query: dict[str, str]) -> bytes:
        """A plot state; of a run that is over at once."""
        number = query.get("number", "")
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            raise ResultError("there is no such state")
        return self.server.run.surfaces.state(int(number), self.server.run.over, "any" in query)

    def answer_bytes(self, make) -> None:  # noqa: ANN001 - a function that gives bytes
        """Packed numbers, or why there are none."""
        try:
            content = make()
        except Busy:
            return self.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "later: the run comes first")
        except (ResultError, OSError) as error:
            return self.refuse(HTTPStatus.NOT_FOUND, str(error))
        self.answer(content, "application/octet-stream")

    def answer_plotly(self) -> None:
        """The script of the charts, which does not change."""
        content = self.server.plotly
        packed = "gzip" in self.headers.get("Accept-Encoding", "")
        more = {"Cache-Control": "max-age=86400"} | ({"Content-Encoding": "gzip"} if packed else {})
        body = content if packed else gzip.decompress(content)
        self.send(HTTPStatus.OK, body, "text/javascript; charset=utf-8", more)


def versions(text: str) -> dict[str, int]:
    """The charts that a page has: "energies:3,rcforc:4"; what is not of this form is left out."""
    found = {}
    for pair in text[:2000].split(","):
        name, _, number = pair.partition(":")
        if number.isascii() and number.isdigit() and len(number) < 12:
            found[name] = int(number)
    return found
