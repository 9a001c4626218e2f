"""Where a log is: files are read in place; a URL or standard input is copied into a temporary folder.

A URL is one of a Prometheus server (`prometheus+http://…`, see `drivecast.source.prometheus`) or any that fsspec knows
(`https://…`, `s3://…`), where names may contain `*`. The folder is removed afterwards.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivecast import optional_dependency
from drivecast.errors import HintedError, InputError
from drivecast.lock import temporary_folder
from drivecast.plain_text import redacted
from drivecast.source import download_limit, prometheus
from drivecast.timing import timed

if TYPE_CHECKING:
    from fsspec import Callback

Progress = Callable[[float, str], None]

STANDARD_INPUT = "-"

_URL = re.compile(r"^([a-z][a-z0-9+.-]+):/+")


@dataclass(frozen=True)
class Located:
    """The files of a log, with notes on how they were fetched."""

    files: list[Path]
    notes: list[str]
    losses: list[str]
    """What the source could not deliver."""

    def remarks(self, strict: bool) -> list[str]:
        """Notes and losses.

        Raises `InputError` if `strict` and something is missing.
        """
        if strict and self.losses:
            raise HintedError(
                f"the log is not whole: {'; '.join(self.losses)}", "without `--strict` this is a note"
            )
        return [*self.notes, *self.losses]


@contextmanager
def located(
    paths: Sequence[Path | str], progress: Progress | None = None, *, again: bool = False
) -> Iterator[Located]:
    """The files of a log, for as long as they are read; `again`: they are read more than once.

    Raises `InputError` for a place that cannot be reached or has no such log.
    """
    if not any(is_url(path) or (again and str(path) == STANDARD_INPUT) for path in paths):
        yield Located([Path(path) for path in paths], [], [])
        return
    with temporary_folder("drivecast-log-") as folder:
        found = Located([], [], [])
        for number, path in enumerate(paths):
            into = folder / str(number)
            into.mkdir()
            if prometheus.is_url(path):
                file, notes, losses = prometheus.fetch(path, into, progress)
                found.files.append(file)
                found.notes.extend(notes)
                found.losses.extend(losses)
            elif is_url(path):
                found.files.extend(fetch(path, into))
            elif again and str(path) == STANDARD_INPUT:
                found.files.append(spool(into))
            else:
                found.files.append(Path(path))
        try:
            yield found
        except InputError as error:
            # The temporary folder means nothing to the user: files in it are called by the name that was given.
            text = str(error)
            for number, path in enumerate(paths):
                given = "standard input" if str(path) == STANDARD_INPUT else redacted(url_of(path))
                text = re.sub(re.escape(f"{folder}/{number}/") + "[^`]*", given.replace("\\", r"\\"), text)
            raise InputError(text) from None


def is_url(path: Path | str) -> bool:
    """Whether it names a protocol."""
    return _URL.match(str(path)) is not None


def url_of(path: Path | str) -> str:
    """The URL that was given: a path makes one slash of two."""
    return _URL.sub(lambda found: f"{found[1]}://{'/' if found[1] == 'file' else ''}", str(path))


def spool(folder: Path) -> Path:
    """Standard input as a file."""
    file = folder / "standard input"
    taken = download_limit.onto_disk("standard input", folder)
    with file.open("wb") as out:
        while part := sys.stdin.buffer.read(1 << 20):
            taken.more(len(part))
            out.write(part)
    return file


def fetch(path: Path | str, folder: Path) -> list[Path]:
    """The files behind a URL of fsspec, under their own names in `folder`; those of this machine are where they are.

    Raises `InputError` with what the protocol said, and where more comes than `download_limit` lets in.
    """
    url = url_of(path)
    shown = redacted(url)
    try:
        import fsspec  # noqa: PLC0415 (only reading a URL waits for it)

        system, place = fsspec.core.url_to_fs(url, **_patience(url))
        found = sorted(str(match) for match in system.glob(place)) if "*" in url else [place]
        if not found:
            raise InputError(f"nothing matches `{shown}`")
        if url.startswith("file:"):
            return [_here(Path(remote)) for remote in found]
        files = [folder / re.sub(r"[?#].*", "", remote.rstrip("/")).rsplit("/", 1)[-1] for remote in found]
        counted = _counting(download_limit.onto_disk(shown, folder))
        for remote, file in zip(found, files, strict=True):
            with timed("fetch %s as %s", shown, file.name):
                system.get_file(remote, str(file), callback=counted)
    except InputError:
        raise
    except ImportError as error:
        package = optional_dependency.missing(error)
        hint = package.hint if package else "install the package that the message names"
        raise HintedError(f"cannot open `{shown}`: {redacted(str(error), url)}", hint) from error
    except TimeoutError:
        raise InputError(
            f"cannot read `{shown}`: the server was silent for {download_limit.SILENT_S:.0f} s"
        ) from None
    except ValueError as error:
        raise InputError(f"cannot open `{shown}`: {redacted(str(error), url)}") from error
    except FileNotFoundError as error:
        raise InputError(f"no such file: `{shown}`") from error
    except Exception as error:  # each protocol has its own errors
        raise InputError(
            f"cannot read `{shown}`: {type(error).__name__}: {redacted(str(error), url)}"
        ) from error
    return files


def _here(path: Path) -> Path:
    """The path of what is there; raises `OSError` where nothing is."""
    path.stat()
    return path


def _counting(taken: download_limit.Intake) -> "Callback":
    """What fsspec tells as bytes arrive, and stops at."""
    from fsspec import Callback  # noqa: PLC0415

    class Counting(Callback):  # type: ignore[misc]  # fsspec has no types
        def set_size(self, size: int | None) -> None:
            taken.announced(size)

        def relative_update(self, inc: int = 1) -> None:
            taken.more(inc)

    return Counting()


def _patience(url: str) -> dict[str, Any]:
    """How long a web server may be silent; by default all of a log had to come within five minutes."""
    if not url.startswith(("http://", "https://")):
        return {}
    from aiohttp import ClientResponse, ClientTimeout  # noqa: PLC0415

    class Page(ClientResponse):
        """An answer that is held in memory whole: a list of files, where the URL has a `*`."""

        async def read(self) -> bytes:
            if self._body is None:
                taken = download_limit.into_memory(redacted(url), "give the URL of one file")
                parts = []
                async for part in self.content.iter_any():
                    taken.more(len(part))
                    parts.append(part)
                self._body = b"".join(parts)
            return self._body

    timeout = ClientTimeout(
        total=None, sock_connect=download_limit.CONNECT_S, sock_read=download_limit.SILENT_S
    )
    return {"client_kwargs": {"timeout": timeout, "response_class": Page}}
