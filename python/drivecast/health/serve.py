"""Metrics over HTTP: `/metrics` for Prometheus, `/healthz` for whoever watches the exporter.

Nothing is computed on a request. There is no password and no encryption, so it listens on loopback by default;
put a reverse proxy in front where more is needed.
"""

import errno
import ipaddress
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from drivecast.errors import HintedError, InputError
from drivecast.health.exporter import Exporter

INDEX = """Drives in service, for Prometheus.

/metrics   the metrics
/healthz   200 while the last refresh is recent, 503 and the reason otherwise
"""
TEXT = "text/plain; charset=utf-8"
REQUEST_TIMEOUT_S = 30.0
HINTS = {
    errno.EADDRINUSE: "`--listen 127.0.0.1:PORT` takes another port; `ss -ltnp` reports who has this one",
    errno.EADDRNOTAVAIL: "no interface of this machine has that address; `ip address` lists those it has",
    errno.EACCES: "ports below 1024 are for root; take a higher one",
}
STOP_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class Address:
    """Where to listen."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "Address":
        """An address such as `127.0.0.1:19633`, `[::1]:19633` or `:19633`, which is every interface."""
        host, colon, port = text.rpartition(":")
        if not colon or not port.isdecimal() or int(port) > 65535 or (":" in host and host[:1] != "["):
            raise InputError(f"--listen: expected an address such as 127.0.0.1:19633, found `{text}`")
        return cls(host.removeprefix("[").removesuffix("]") or "0.0.0.0", int(port))  # noqa: S104 (requested)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Handler(BaseHTTPRequestHandler):
    """Answers from the exporter's last snapshot."""

    server: "Server"
    protocol_version = "HTTP/1.1"
    server_version = "drivecast"
    sys_version = ""
    timeout = REQUEST_TIMEOUT_S

    def do_GET(self) -> None:
        """Answer by path."""
        match self.path.partition("?")[0]:
            case "/metrics":
                zipped = "gzip" in self.headers.get("Accept-Encoding", "")
                body, kind = self.server.exporter.body(self.headers.get("Accept", ""), zipped=zipped)
                self._answer(HTTPStatus.OK, body, kind, zipped=zipped)
            case "/healthz":
                problem = self.server.exporter.problem()
                status = HTTPStatus.SERVICE_UNAVAILABLE if problem else HTTPStatus.OK
                self._answer(status, f"{problem or 'ok'}\n".encode())
            case "/":
                self._answer(HTTPStatus.OK, INDEX.encode())
            case _:
                self._answer(HTTPStatus.NOT_FOUND, b"not found; there are /metrics and /healthz\n")

    do_HEAD = do_GET  # noqa: N815 (the base class finds it by this name)

    def _answer(self, status: HTTPStatus, body: bytes, kind: str = TEXT, *, zipped: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        """Log no request: a scrape is no event."""


class Server(ThreadingHTTPServer):
    """Listens on an address and answers for one exporter."""

    daemon_threads = True
    request_queue_size = 4096
    """Connections that wait to be taken; with the five that are usual, the sixth of a burst waits for seconds."""

    def __init__(self, address: Address, exporter: Exporter) -> None:
        self.exporter = exporter
        self.address_family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        try:
            super().__init__((address.host, address.port), Handler)
        except OSError as error:
            hint = HINTS.get(error.errno or 0, "")
            raise HintedError(f"cannot listen on {address}: {error.strerror or error}", hint) from None

    @property
    def address(self) -> Address:
        """Where it listens; the port that was given out where 0 was requested."""
        return Address(str(self.server_address[0]), int(self.server_address[1]))

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle of its answer is no event either."""


def run(
    address: Address,
    exporter: Exporter,
    *,
    ready: Callable[[Address], None],
    patience_s: float = STOP_TIMEOUT_S,
) -> bool:
    """Serve until SIGINT or SIGTERM, then let go of the port; return whether the refresh under way ended.

    One that is stuck in a drive may be left behind: the history keeps whole transactions only.
    """
    with Server(address, exporter) as server:
        stop = threading.Event()
        ends = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, lambda *_: stop.set()) for number in ends}
        looking = threading.Thread(target=exporter.run, daemon=True)
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        try:
            serving.start()
            ready(server.address)
            looking.start()
            stop.wait()
        finally:
            exporter.stop()
            server.shutdown()
            looking.join(patience_s)
            for number, handler in before.items():
                signal.signal(number, handler)
        return not looking.is_alive()
