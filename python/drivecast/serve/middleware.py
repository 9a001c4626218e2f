"""What every request passes before anything is done for it, and what every answer carries.

1. `Host` must be a name of ours: a page of an attacker whose name was pointed at this machine (DNS rebinding) calls us
   by that name.
2. What changes something must come from a page of ours: `Origin`, if there is one, is our own address, the browser says
   nothing of another site (`Sec-Fetch-Site`), and the request has a header or a content type that no form and no
   script of another site can send without being let (`X-Drivecast`, or JSON; there is no CORS, so none is let).
3. The token, for all but the pages and the login.
4. Bodies are counted as they come, whatever `Content-Length` says of them, and neither pause nor trickle.

Answers carry a strict content policy, and are neither framed, sniffed nor stored. A body that is refused ends the
connection: what is left of it would be taken for the next request.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drivecast.serve.event_feed import EventFeed
from drivecast.serve.http_error import Refused
from drivecast.serve.login import Login
from drivecast.serve.settings import BODY_BYTES_MAX, DOCUMENT_BYTES_MAX, Settings

API = "/api/v1"
UPLOADS = f"{API}/traces"
"""Where bodies may be as large as uploads."""
DOCUMENTS = (f"{API}/health/samples", f"{API}/results")
EVENTS, ALIVE = f"{API}/events", "/healthz"
CLIENT_MAX = 8
"""Requests of one client that are worked on at once; its others wait."""
SESSION = f"{API}/session"
READING = frozenset(("GET", "HEAD", "OPTIONS"))
SLOW_S, SLOW_BYTES_PER_S = 20.0, 1024
PAGE_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), usb=()",
    "cache-control": "no-store",
}
"""Unless the answer has its own."""


class Middleware:
    """The server behind its checks."""

    def __init__(self, app: ASGIApp, settings: Settings, login: Login, feed: EventFeed) -> None:
        self._app, self._settings, self._login, self._feed = app, settings, login, feed
        self._turns: dict[str, asyncio.Semaphore] = {}
        self._waiting: Counter[str] = Counter()

    def end(self) -> None:
        """Let go of streams, which would hold up the end of the server."""
        self._feed.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        # HEAD is GET, of which the server sends the head alone.
        scope = {**scope, "method": "GET" if scope["method"] == "HEAD" else scope["method"]}
        body = Body(receive, self._limit(scope), self._settings.body_idle_s)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if not scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-cache")  # sent again where they have changed
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not body.ended and scope["method"] not in READING:
                    headers["connection"] = "close"
            await send(message)

        try:
            self._check(scope, Headers(scope=scope))
        except Refused as refused:
            await answered(refused)(scope, receive, dressed)
            return
        async with self._turn(scope):
            await self._app(scope, body.receive, dressed)

    @asynccontextmanager
    async def _turn(self, scope: Scope) -> AsyncIterator[None]:
        """Wait until fewer requests of this client are worked on than it may have; streams of events last."""
        if scope["path"] in (EVENTS, ALIVE):
            yield
            return
        client = str((scope.get("client") or ("",))[0])
        turn = self._turns.setdefault(client, asyncio.Semaphore(CLIENT_MAX))
        self._waiting[client] += 1
        try:
            async with turn:
                yield
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client], self._turns[client]

    def _limit(self, scope: Scope) -> int:
        path, most = scope["path"], self._settings.upload_bytes_max
        if scope["method"] not in ("POST", "PUT"):
            return BODY_BYTES_MAX
        if path in DOCUMENTS:
            return min(most, DOCUMENT_BYTES_MAX)
        upload = path == UPLOADS or (path.startswith(f"{UPLOADS}/t-") and "/files/" in path)
        return most if upload else BODY_BYTES_MAX

    def _check(self, scope: Scope, headers: Headers) -> None:
        """Raise `Refused` for what must not come in."""
        if len(headers.getlist("host")) != 1 or not self._settings.called_rightly(_host(headers["host"])):
            raise Refused(
                421,
                "host",
                "this server is not called by that name",
                "call it by its address, or start it with `--name NAME`",
            )
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise Refused(400, "input", "`Content-Length` is no number")
        if int(length) > self._limit(scope):
            raise too_large(self._limit(scope))
        if not scope["path"].startswith("/api/"):
            if scope["method"] not in READING:
                raise Refused(405, "input", "pages are only read")
            return
        _from_ours(scope["method"], headers)
        allowed = self._login.allows(headers.get("authorization"), headers.get("cookie"))
        if scope["path"] != SESSION and not allowed:
            raise Refused(401, "token", "this server needs its token", headers={"www-authenticate": "Bearer"})


def _from_ours(method: str, headers: Headers) -> None:
    """Raise `Refused` for what a page of another site has sent."""
    site, origin = headers.get("sec-fetch-site", "none"), headers.get("origin")
    foreign = site not in ("same-origin", "none") or (
        origin is not None and urlsplit(origin).netloc.lower() != headers["host"].lower()
    )
    if foreign:
        raise Refused(403, "cross-site", "this request comes from a page of another site")
    if method in READING:
        return
    is_json = headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
    if not is_json and "x-drivecast" not in headers:
        raise Refused(
            403,
            "cross-site",
            "this request may come from a form of another site",
            "send the header `X-Drivecast: 1`",
        )


def _host(text: str) -> str:
    """A host without its port."""
    try:
        return urlsplit(f"//{text}").hostname or ""
    except ValueError:
        return ""


class Body:
    """The body of a request, counted and timed as it comes."""

    def __init__(self, receive: Receive, most: int, idle_s: float) -> None:
        self._receive, self._most, self._idle_s = receive, most, idle_s
        self._bytes, self._began_s = 0, time.monotonic()
        self.ended = False

    async def receive(self) -> Message:
        """The next part.

        Raises `Refused` where it is too much, or too slow.
        """
        if self.ended:
            return await self._receive()
        try:
            async with asyncio.timeout(self._idle_s):
                message = await self._receive()
        except TimeoutError:
            raise Refused(408, "slow", f"nothing came for {self._idle_s:g} s") from None
        self._bytes += len(message.get("body", b""))
        if self._bytes > self._most:
            raise too_large(self._most)
        passed_s = time.monotonic() - self._began_s
        if passed_s > SLOW_S and self._bytes < passed_s * SLOW_BYTES_PER_S:
            raise Refused(
                408, "slow", f"less than 1 KiB a second came: {self._bytes:,} bytes in {passed_s:.0f} s"
            )
        self.ended = message["type"] != "http.request" or not message.get("more_body", False)
        return message


def too_large(most: int) -> Refused:
    """More than may be sent."""
    size = f"{most / 1e9:,.1f} GB" if most >= 1e9 else f"{most / 1e6:,.1f} MB"
    hint = "put the file into a named folder (`--folder`), or start the server with a larger `--max-upload`"
    return Refused(413, "too-large", f"that is more than {size}", hint)


def answered(refused: Refused) -> ASGIApp:
    """The answer of a refusal."""
    from starlette.responses import JSONResponse  # noqa: PLC0415

    headers: Mapping[str, Any] | None = refused.headers
    return JSONResponse(refused.failure.model_dump(), refused.status_code, headers=headers)
