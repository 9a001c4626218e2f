"""The token, and what a browser has in its place.

Whoever has the token may do everything. Programs send it with each request (`Authorization: Bearer`); a browser sends
it once and gets a cookie that scripts cannot read and that other sites cannot have sent (`HttpOnly`,
`SameSite=Strict`): the time at which it ends, and its HMAC under the token, so that nothing need be stored and a new
token ends all sessions. Comparisons take the same time whatever is wrong. Guesses are slowed down: after ten wrong
ones in a minute there is no answer until the minute is over.
"""

import hashlib
import hmac
import os
import secrets
import stat
import time
from collections import deque
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from drivecast.errors import HintedError, InputError, refused

COOKIE = "drivecast_session"
SESSION_S = 12 * 3600
CHARACTERS_MIN = 16
GUESSES_MAX, GUESSES_S = 10, 60.0


class Login:
    """Who may come in: all, where there is no token."""

    def __init__(self, token: str | None) -> None:
        self._key = None if token is None else token.encode()
        self._wrong: deque[float] = deque()

    @property
    def needed(self) -> bool:
        """Whether there is a token."""
        return self._key is not None

    def is_token(self, text: str) -> bool:
        """Whether this is the token."""
        return self._key is None or hmac.compare_digest(_digest(text.encode()), _digest(self._key))

    def waiting(self) -> bool:
        """Whether too many wrong tokens came of late."""
        now = time.monotonic()
        while self._wrong and now - self._wrong[0] > GUESSES_S:
            self._wrong.popleft()
        return len(self._wrong) >= GUESSES_MAX

    def wrong(self) -> None:
        """Count a wrong token."""
        self._wrong.append(time.monotonic())

    def session(self, *, secure: bool) -> str:
        """The value of `Set-Cookie` for a browser that has shown the token."""
        end = str(int(time.time()) + SESSION_S)
        more = "; Secure" if secure else ""
        return f"{COOKIE}={end}.{self._sealed(end)}; Path=/; Max-Age={SESSION_S}; HttpOnly; SameSite=Strict{more}"

    def ended(self) -> str:
        """The value of `Set-Cookie` that ends a session."""
        return f"{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"

    def allows(self, authorization: str | None, cookie: str | None) -> bool:
        """Whether a request with these headers may come in."""
        if self._key is None:
            return True
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            right = scheme.lower() == "bearer" and not self.waiting() and self.is_token(token.strip())
            if not right:
                self.wrong()
            return right
        end, _, seal = _value(cookie).partition(".")
        right = hmac.compare_digest(seal.encode(), self._sealed(end).encode())
        return right and end.isascii() and end.isdigit() and int(end) > time.time()

    def _sealed(self, end: str) -> str:
        return hmac.new(self._key or b"", b"session " + end.encode(), hashlib.sha256).hexdigest()


def _digest(content: bytes) -> bytes:
    """Of one length, whatever is compared."""
    return hashlib.sha256(content).digest()


def _value(cookie: str | None) -> str:
    try:
        found = SimpleCookie(cookie or "").get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def token_of(path: Path) -> tuple[str, bool]:
    """The token in a file, which is made with a new one where there is none; whether it is new.

    Raises `InputError` for one that is too short, or that others of the machine may read.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path), False
    except OSError as error:
        raise InputError(f"--token-file: cannot write `{path}`: {refused(error)}") from None
    token = secrets.token_urlsafe(32)
    with open(handle, "w", encoding="ascii") as file:  # noqa: PTH123 (of a descriptor)
        file.write(token + "\n")
    return token, True


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise HintedError(
                    f"--token-file: other users of this machine may read `{path}`", f"chmod 600 {path}"
                )
            token = file.read(4096).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = refused(error) if isinstance(error, OSError) else "it is not text"
        raise InputError(f"--token-file: cannot read `{path}`: {reason}") from None
    if len(token) < CHARACTERS_MIN or not token.isascii() or any(sign.isspace() for sign in token):
        raise HintedError(
            f"--token-file: `{path}` holds no token: expected {CHARACTERS_MIN} characters or more, on one line",
            "name a file that is not there: it is made, with a token",
        )
    return token
