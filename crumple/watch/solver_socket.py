"""A run that is watched over a socket of the solver: keeps the connection, and what has come."""

import queue
import select
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from crumple.results.convergence import NAME as CONVERGENCE
from crumple.results.d3hsp import RunLog
from crumple.results.run_files import RunError, RunFiles
from crumple.watch.run_source import Surfaces, wait_until
from crumple.watch.run_state import Going, RunState, state_at_end
from crumple.watch.sense_switch import SWITCHES, SwitchError
from crumple.watch.sent_surfaces import SentSurfaces
from crumple.watch.socket_messages import PROTOCOL, Message, SocketError, greeting, read_message
from crumple.watch.solver_address import SolverAddress

#: files that a run may send; nothing else is written here
FILES = frozenset({"d3hsp", "glstat", "rcforc", "rwforc", "secforc", "nodout", "load_profile", CONVERGENCE})
CONNECT, ANSWER = 10.0, 5.0  #: s
AGAIN = 3.0  #: s between two tries to connect
SILENT = 30.0  #: s without the rest of a message, after which the connection has broken off


class SocketSource:
    """What comes over a connection, as files in a folder of its own and as states of the model."""

    def __init__(self, find: Callable[[], SolverAddress]) -> None:
        """Connect.

        Args:
            find: where the run listens; asked again after a restart, which has another port and token

        Raises:
            OSError: nobody listens there.
            RunError: it is not known where.
            SocketError: it is no run, or the token is wrong.
        """
        self.find_ = find
        self.folder_ = tempfile.TemporaryDirectory(prefix="crumple-watch-")
        self.files = RunFiles(Path(self.folder_.name))
        self.sent_ = SentSurfaces()
        self.surfaces: Surfaces = self.sent_
        self.from_ = ""
        self.ended_ = self.gone_ = self.waits_ = False
        self.answers_: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.asking_ = threading.Lock()
        self.connection_: socket.socket | None = self.connect()
        self.thread_ = threading.Thread(target=self.follow, daemon=True)
        self.thread_.start()

    @property
    def place(self) -> str:
        """Host and folder of the run."""
        return self.from_

    @property
    def reached(self) -> float | None:
        """The time of the last state."""
        return self.sent_.reached

    def connect(self) -> socket.socket:
        """A connection that has been greeted.

        Raises:
            OSError: nobody listens there.
            RunError: it is not known where.
            SocketError: it is no run, or the token is wrong.
        """
        address = self.find_()
        connection = socket.create_connection((address.host, address.port), CONNECT)
        try:
            connection.sendall(greeting(address.token))
            try:
                hello = read_message(connection)
            except SocketError:
                raise SocketError("refused: the token is not the one of this run") from None
            except TimeoutError:
                raise SocketError("no answer: is that a run of Crumple?") from None
            if hello.kind != "hello":
                raise SocketError("what answers is no run of Crumple")
            if hello.about.get("protocol") != PROTOCOL:
                raise SocketError("the run is of another version of Crumple")
        except BaseException:
            connection.close()
            raise
        connection.settimeout(SILENT)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.begin(hello)
        return connection

    def begin(self, hello: Message) -> None:
        """Everything is sent from the start."""
        folder, host = (str(hello.about.get(name, "")) for name in ("folder", "host"))
        self.from_ = f"{host}:{folder}, by socket"
        for path in self.files.directory.iterdir():
            path.unlink()
        self.sent_.begin()
        self.gone_ = False

    def follow(self) -> None:
        """Read what comes; connect again where the connection has broken off."""
        while not self.ended_:
            connection = self.connection_
            try:
                if connection is None:
                    self.connection_ = self.connect()
                    continue
                # During a long step there is nothing to send.
                if select.select([connection], [], [], AGAIN)[0]:
                    self.take(read_message(connection))
            except (ConnectionRefusedError, RunError):
                self.gone_ = True  # the process has ended: nobody listens any more
                time.sleep(AGAIN)
            except (OSError, SocketError, ValueError, LookupError, TypeError):
                self.drop()
                time.sleep(AGAIN)
        self.drop()

    def drop(self) -> None:
        """Close the connection."""
        connection, self.connection_ = self.connection_, None
        if connection is not None:
            connection.close()

    def take(self, message: Message) -> None:
        """Keep a message.

        Raises:
            SocketError: it is damaged.
        """
        match message.kind:
            case "text" | "file":
                self.write(str(message.about.get("file")), message)
            case "surface":
                self.sent_.take_surface(message)
            case "state":
                self.sent_.take_state(message)
            case "said":
                self.answers_.put(str(message.about.get("problem", "")))
            case "switch":
                self.waits_ = bool(message.about.get("waiting"))
            case "end":
                self.ended_ = True

    def write(self, name: str, message: Message) -> None:
        """Add to a file, or replace it; files with other names are not written."""
        if name not in FILES:
            return
        path = self.files.path(name)
        if message.kind == "text":
            with path.open("ab") as file:
                file.write(message.content)
            return
        new = path.with_suffix(".new")
        new.write_bytes(message.content)
        new.replace(path)

    def before(self) -> None:
        """Files are written as they come."""

    def state(self, log: RunLog, reached_end: bool | None, changed: float) -> RunState:
        """What the run is doing."""
        del changed
        if ended := state_at_end(log, reached_end):
            return ended
        if self.ended_:
            return RunState(Going.failed, "ended")
        if self.connection_ is not None:
            return RunState(Going.running, "running: connected to it")
        if self.gone_:
            return RunState(Going.killed, "killed: nobody listens there any more")
        return RunState(Going.silent, "the connection has broken off: trying again")

    def give(self, switch: str) -> None:
        """Send a sense switch; the solver writes it into its folder.

        Raises:
            SwitchError: there is no such switch, no answer, or it cannot be written.
        """
        if switch not in SWITCHES:
            raise SwitchError("there is no such switch")
        connection = self.connection_
        if connection is None:
            raise SwitchError("there is no connection to the run")
        with self.asking_:
            while not self.answers_.empty():
                self.answers_.get()
            try:
                connection.sendall(f"switch {switch}\n".encode())
                problem = self.answers_.get(timeout=ANSWER)
            except (OSError, queue.Empty):
                raise SwitchError("the run has not answered") from None
        if problem:
            raise SwitchError(problem)
        self.waits_ = True

    def switch_waits(self) -> bool:
        """Whether the run has not read the last one yet."""
        return self.waits_ and not self.ended_

    def wait_for_log(self, seconds: float) -> bool:
        """Whether the d3hsp has come in this time."""
        return wait_until(lambda: self.files.path("d3hsp").exists(), seconds)
