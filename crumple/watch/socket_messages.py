"""Messages of a run that listens for `crumple watch`: solver/output/live/live_message.hpp describes them."""

import json
import socket
from dataclasses import dataclass
from typing import Any

PROTOCOL = 1
LONGEST_TEXT, LONGEST_CONTENT = 1 << 24, 1 << 30  #: bytes of a message


class SocketError(Exception):
    """A connection that is not one to a run, or that has broken off."""


@dataclass(frozen=True)
class Message:
    """What a message says of itself, and its bytes."""

    about: dict[str, Any]
    content: bytes

    @property
    def kind(self) -> str:
        """What it is."""
        return str(self.about.get("kind", ""))


def greeting(token: str) -> bytes:
    """The first line of a reader.

    Raises:
        SocketError: a token has no blanks and no ends of lines.
    """
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise SocketError("that is no token")
    return f"crumple-watch {PROTOCOL} {token}\n".encode()


def read_message(connection: socket.socket) -> Message:
    """The next message.

    Raises:
        SocketError: the connection has ended, or what comes is no message.
        OSError: it has broken off.
    """
    head = read_bytes(connection, 12)
    text, content = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
    if text > LONGEST_TEXT or content > LONGEST_CONTENT:
        raise SocketError("what answers is no run of Crumple")
    try:
        about = json.loads(read_bytes(connection, text))
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise SocketError("what answers is no run of Crumple")
    return Message(about, read_bytes(connection, content))


def read_bytes(connection: socket.socket, count: int) -> bytes:
    """So many bytes.

    Raises:
        SocketError: the connection has ended before.
        OSError: it has broken off.
    """
    found = bytearray()
    while len(found) < count:
        piece = connection.recv(min(count - len(found), 1 << 20))
        if not piece:
            raise SocketError("the connection has ended")
        found += piece
    return bytes(found)
