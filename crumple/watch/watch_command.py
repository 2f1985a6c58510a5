"""`crumple watch`: finds the run, starts the server, says how to reach it."""

import getpass
import os
import platform
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from crumple.results.run_files import RunError, RunFiles, find_run
from crumple.units import find_units
from crumple.watch.run_source import RunSource
from crumple.watch.socket_messages import SocketError
from crumple.watch.solver_address import SolverAddress, address_in, asked_for_token, host_and_port
from crumple.watch.solver_socket import SocketSource
from crumple.watch.watched_run import WatchedRun
from crumple.watch.web_server import ADDRESS, WatchServer

Say = Callable[[str], None]
FIRST = 10.0  #: s for the first rows of a run that listens


def watched(where: Path, wait: float, say: Say) -> RunFiles:
    """The run of a folder; one that is about to start is waited for.

    Raises:
        RunError: there is no such folder, or no run in it.
    """
    until = time.monotonic() + wait
    told = False
    while True:
        try:
            return find_run(where)
        except RunError as error:
            if not where.exists():
                raise RunError(f"{where} does not exist") from None
            if not where.is_dir() or any(where.glob("*d3hsp")) or time.monotonic() >= until:
                raise error from None
        if not told:
            say(f"{where} has no d3hsp yet: waiting for the run to start")
            told = True
        time.sleep(0.5)


def connected(find: Callable[[], SolverAddress]) -> SocketSource:
    """A run that listens.

    Raises:
        RunError: nobody listens there, or it is no run, or the token is wrong.
    """
    address = find()
    where = f"{address.host}:{address.port}"
    try:
        source = SocketSource(find)
    except SocketError as error:
        raise RunError(f"{where}: {error}") from None
    except OSError as error:
        raise RunError(f"no run listens at {where}: {error.strerror or error}") from None
    source.wait_for_log(FIRST)
    return source


def source_of(where: str, options: "WatchOptions", say: Say) -> RunFiles | RunSource:
    """The folder of a run, or a connection to it.

    Raises:
        RunError: there is no run.
    """
    if at := host_and_port(where):
        address = SolverAddress(*at, asked_for_token())
        return connected(lambda: address)
    if options.socket:
        return connected(lambda: address_in(Path(where)))
    return watched(Path(where), options.wait, say)


def advice(server: WatchServer) -> list[str]:
    """What to print: address, tunnel, token."""
    port, host = server.port, platform.node()
    lines = [server.address]
    lines.append(f"from another machine: ssh -N -L {port}:{ADDRESS}:{port} {getpass.getuser()}@{host}")
    if server.token:
        lines.append(f"token for stop, dump and plot state: {server.token}")
    lines.append("Ctrl-C ends the watch, not the run")
    return lines


@dataclass(frozen=True)
class WatchOptions:
    """Options of the command."""

    port: int
    units: str
    switches: bool
    private: bool
    triangles: int
    wait: float
    socket: bool = False  #: the run listens: connect to it


def watch(where: str, options: WatchOptions, say: Say) -> None:
    """Serve the page until Ctrl-C or SIGTERM.

    Raises:
        RunError: there is no run.
        ValueError: there is no such system of units.
        OSError: the port is in use.
    """
    given = find_units(options.units) or None
    run = WatchedRun(source_of(where, options, say), given, options.triangles)
    try:
        server = WatchServer(run, options.port, options.switches, options.private)
    except OSError as error:
        why = f"port {options.port}: {error.strerror}; --port 0 takes one that is free"
        raise OSError(error.errno, why) from None
    give_way()
    for line in advice(server):
        say(line)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with server:
            server.serve_forever(poll_interval=1.0)
    except KeyboardInterrupt:
        return


def give_way() -> None:
    """Run at the lowest priority: the run that is watched comes first."""
    try:
        os.nice(19)
    except OSError:
        return
