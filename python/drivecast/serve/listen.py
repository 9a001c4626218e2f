"""The socket: bound before anything is said, served until a signal comes.

Connections that never ask for anything are closed: uvicorn waits for a first request for ever, so the protocol here has
a clock. Of too many connections those that wait for a request go first, the oldest of them before the others, so that
idle ones lock nobody out; requests themselves wait for their turn in `middleware`.
"""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from drivecast import lock
from drivecast.errors import InputError, refused
from drivecast.serve.application import application
from drivecast.serve.middleware import Middleware
from drivecast.serve.settings import Settings
from drivecast.thread import heard

CONNECTIONS_MAX = 512
CLOSE_S = 3


def run(settings: Settings, ready: Callable[[str, int], None]) -> None:
    """Serve until interrupted; `ready` is called with address and port once requests are heard.

    Raises `InputError` where the address or the data folder is taken, or cannot be used.
    """
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.hold(settings.data / "serve")
    except InputError:
        raise InputError(f"another server uses `{settings.data}`; name another folder: `--data`") from None
    except OSError as error:
        raise InputError(f"cannot use `{settings.data}`: {refused(error)}") from None
    with contextlib.closing(bound(settings)) as listening:
        middleware = application(settings)
        config = uvicorn.Config(
            middleware,
            http=type("Timed", (_Timed,), {"seconds": settings.header_s, "others": {}}),
            ws="none",
            lifespan="on",
            log_level="warning",
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=CLOSE_S,
            h11_max_incomplete_event_size=32 << 10,
        )
        server = _Server(config, middleware, lambda: ready(*listening.getsockname()[:2]))
        server.run(sockets=[listening])


def bound(settings: Settings) -> socket.socket:
    """A socket at the address.

    Raises `InputError` where it cannot be had.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except OSError as error:
        place = f"{settings.host}:{settings.port}"
        raise InputError(f"cannot listen on {place}: {refused(error)}") from None
    return made


class _Server(uvicorn.Server):
    """A server that says when it listens, and ends its streams before it waits for requests to end."""

    def __init__(self, config: uvicorn.Config, middleware: Middleware, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._middleware, self._ready = middleware, ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take a signal for the end of a server, which is what it was started for, and not for an error."""
        with heard(self.handle_exit, signal.SIGINT, signal.SIGTERM):
            yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._middleware.end()
        await super().shutdown(sockets)


class _Timed(H11Protocol):
    """The protocol with a clock on the head of each request."""

    seconds = 15.0
    others: ClassVar[dict["_Timed", None]] = {}
    """All connections of the server, the oldest first."""
    _clock: asyncio.TimerHandle | None = None

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.others) >= CONNECTIONS_MAX:
            leaving = next((other for other in self.others if other._is_idle), self)
            self.others.pop(leaving, None)
            leaving.transport.close()
        self.others[self] = None
        self._set_clock(heading=True)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_clock(heading=self.conn.their_state is h11.IDLE)

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_clock(heading=False)
        self.others.pop(self, None)
        super().connection_lost(exc)

    def _set_clock(self, *, heading: bool) -> None:
        if heading and self._clock is None:
            self._clock = self.loop.call_later(self.seconds, self.transport.close)
        elif not heading and self._clock is not None:
            self._clock.cancel()
            self._clock = None
