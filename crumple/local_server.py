"""A web server for browsers on this machine only: what `crumple watch` and `crumple view` share."""

import gzip
import json
import re
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ADDRESS = "127.0.0.1"
#: names by which a browser may call this machine: another name in a request is a page elsewhere that has its
#: own name point here
OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
HOST = re.compile(r"(\[[0-9a-f:]+\]|[^:]+)(:\d+)?", re.IGNORECASE)
HEADERS = {
    # Plotly puts its styles into the page; no script but our files runs, whatever a name in a deck says.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
WORTH = 1000  #: bytes, from which an answer is compressed


class LocalServer(ThreadingHTTPServer):
    """A server that listens on this machine only."""

    daemon_threads = True

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is no error; others are shown."""
        import sys

        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class LocalHandler(BaseHTTPRequestHandler):
    """Answers one browser, with headers that keep pages elsewhere out."""

    server_version, sys_version = "crumple", ""
    protocol_version = "HTTP/1.1"
    timeout = 60.0

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Requests are not printed."""

    def is_for_us(self) -> bool:
        """Whether the request names this machine; otherwise it is refused."""
        match = HOST.fullmatch(self.headers.get("Host", ""))
        if match and match[1].lower() in OWN_NAMES:
            return True
        self.refuse(HTTPStatus.FORBIDDEN, "ask for localhost")
        return False

    def answer_json(self, content: dict[str, Any]) -> None:
        """An object; numbers that are not finite become null."""
        try:
            text = json.dumps(content, allow_nan=False)
        except ValueError:
            text = json.dumps(finite(content), allow_nan=False)
        self.answer(text.encode(), "application/json")

    def answer(self, content: bytes, kind: str, pack: bool = True) -> None:
        """A content, compressed if it is long; numbers for a page on this machine are sent as they are."""
        more = {"Cache-Control": "no-store"}
        if pack and len(content) > WORTH and "gzip" in self.headers.get("Accept-Encoding", ""):
            content = gzip.compress(content, 1)
            more["Content-Encoding"] = "gzip"
        self.send(HTTPStatus.OK, content, kind, more)

    def refuse(self, status: HTTPStatus, why: str) -> None:
        """An error, in words."""
        body = json.dumps({"error": why}).encode()
        self.send(status, body, "application/json", {"Cache-Control": "no-store"})

    def send(self, status: HTTPStatus, body: bytes, kind: str, more: dict[str, str]) -> None:
        """Send an answer."""
        self.send_response(status)
        for name, value in (
            HEADERS | more | {"Content-Type": kind, "Content-Length": str(len(body))}
        ).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def finite(content: Any) -> Any:  # noqa: ANN401 - any JSON
    """The content with null for numbers that JSON does not have."""
    if isinstance(content, dict):
        return {str(name): finite(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [finite(value) for value in content]
    if isinstance(content, float) and not -1.8e308 < content < 1.8e308:
        return None
    return content
