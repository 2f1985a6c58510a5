"""Where a run listens for `crumple watch`: from its watch.json, or as host:port with a token."""

import json
import os
import platform
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from getpass import getpass
from pathlib import Path

from crumple.results.run_files import RunError

NAME = "watch.json"
VARIABLE = "CRUMPLE_WATCH_TOKEN"
HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:]+\]|[^\s/:\[\]]+):(\d{1,5})")
THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})
ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - an address that a run has been given


@dataclass(frozen=True)
class SolverAddress:
    """Where to connect, and what to say."""

    host: str
    port: int
    token: str


def host_and_port(where: str) -> tuple[str, int] | None:
    """The two of node17:8267 or [::1]:8267; None for other texts and existing names."""
    match = HOST_AND_PORT.fullmatch(where)
    if not match or Path(where).exists() or int(match[2]) > 65535:
        return None
    return match[1].strip("[]"), int(match[2])


def asked_for_token() -> str:
    """The token, from the environment or from the terminal. It is no option: others see command lines."""
    if given := os.environ.get(VARIABLE):
        return given.strip()
    if sys.stdin.isatty():
        return getpass("token (in watch.json beside the results): ").strip()
    return sys.stdin.readline().strip()


def address_in(folder: Path, node: Callable[[], str] = platform.node) -> SolverAddress:
    """Where the run of a folder listens.

    Raises:
        RunError: it does not, or cannot be reached from here.
    """
    if folder.is_file():  # the d3hsp of one of several runs
        found = (
            [path] if (path := folder.with_name(folder.name.removesuffix("d3hsp") + NAME)).exists() else []
        )
    else:
        found = sorted(folder.glob(f"*{NAME}"))
    if not found:
        raise RunError(f"{folder} has no {NAME}: start the run with --listen 0")
    if len(found) > 1:
        names = ", ".join(path.name.removesuffix(NAME) + "d3hsp" for path in found)
        raise RunError(f"{folder} has several runs that listen: name one of {names}")
    try:
        at = json.loads(found[0].read_text())
        host, address, port, token = str(at["host"]), str(at["address"]), int(at["port"]), str(at["token"])
    except OSError as error:
        raise RunError(f"{found[0]}: {error.strerror}") from None
    except (ValueError, LookupError, TypeError):
        raise RunError(f"{found[0]} is damaged") from None
    if address in THIS_MACHINE and host != node():
        raise RunError(
            f"the run listens on {host} for programs of that machine only: start the watch there, "
            f"or make a tunnel, ssh -N -L {port}:{address}:{port} {host}, and watch 127.0.0.1:{port}, "
            f"or start runs with --listen 0.0.0.0:{port}"
        )
    if address in ANY:
        address = "127.0.0.1" if host == node() else host
    return SolverAddress(address, port, token)
