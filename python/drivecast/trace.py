"""Logs and traces in: profiles and Parquet out. Thin over `_core`.

`event` chooses which events of a block trace make rows: `"D"`, sent to the drive (latency D→C), or `"Q"`, asked of the
block layer (latency Q→C). `None` is `"D"`, or whatever the log holds.

A path may be `-` for standard input, or a URL that fsspec knows (`https://…`, `s3://…`): it is fetched into a temporary
folder that lasts as long as the program.
"""

import atexit
import functools
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivecast import _core
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast._core import Reading as CoreReading

Progress = Callable[[float, str], None]

URL = re.compile(r"[a-z][a-z0-9+.-]+://")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What the caller says where the content of a log leaves a doubt."""

    format: str | None = None
    """A text format by name, as `formats` lists them."""
    csv: str | None = None
    """What the columns of a table are: `time=ts:us,op=type:R/W,offset=lba:512,size=len:1`."""
    strict: bool = False
    """Refuse a log that lacks something or has lines that cannot be read."""

    def to_core(self) -> "CoreReading":
        """As the compiled core takes it."""
        return {"format": self.format, "csv": self.csv, "strict": self.strict}


def formats() -> list[dict[str, Any]]:
    """The formats of traces: name, title, how each is recognised, the mapping of those that are tables."""
    return list(json.loads(_core.trace_formats()))


def convert(
    paths: Sequence[Path | str],
    out: Path,
    *,
    event: str | None = None,
    disk: str | None = None,
    interval_s: float | None = None,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Any supported log or trace to Parquet at `out`; the summary of what was read.

    Raises `InputError` for a file that is not understood, and leaves nothing behind then.
    """
    core = reading.to_core() if reading else None
    summary = _core.convert(local(paths), str(out), event, disk, interval_s, progress, core)
    return dict(json.loads(summary))


def log_name(paths: Sequence[Path]) -> str:
    """What to call a log: the name of its first file without the endings of formats and compression."""
    if str(paths[0]) == "-":
        return "standard input"
    name = Path(paths[0]).resolve().name
    for ending in (
        *(".gz", ".xz", ".zst", ".lz4", ".bz2", ".tar"),
        *(".parquet", ".blktrace", ".vscsi", ".csv", ".json", ".txt", ".log", ".trace"),
    ):
        name = name.removesuffix(ending)
    return name


def profile(
    paths: Sequence[Path | str],
    *,
    event: str | None = None,
    disk: str | None = None,
    interval_s: float | None = None,
    peak_window_s: float = 60.0,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The profile of a trace or counter log, with the reader's `summary` under `log`.

    Raises `InputError` for a file that is not understood.
    """
    core = reading.to_core() if reading else None
    text = _core.profile(local(paths), event, disk, interval_s, peak_window_s, progress, core)
    return dict(json.loads(text))


def local(paths: Sequence[Path | str]) -> list[str]:
    """The paths, with what lies behind a URL fetched."""
    return [str(one) for path in paths for one in (fetch(path) if is_url(path) else [path])]


def is_url(path: Path | str) -> bool:
    """Whether it names a protocol."""
    return URL.match(str(path)) is not None


def fetch(url: Path | str) -> list[Path]:
    """The files behind a URL, which may hold `*`, in a temporary folder and under their own names."""
    url = str(url)
    try:
        import fsspec  # noqa: PLC0415 (only those who read from elsewhere pay for it)
    except ImportError as error:
        raise InputError(f"cannot open `{url}`: {error}\nhint: `pip install fsspec`") from error
    try:
        system, path = fsspec.core.url_to_fs(url)
        found = sorted(str(one) for one in system.glob(path)) if "*" in url else [path]
        if not found:
            raise InputError(f"nothing matches `{url}`")
        folder = Path(tempfile.mkdtemp(dir=_folder()))
        files = [folder / re.sub(r"[?#].*", "", one.rstrip("/")).rsplit("/", 1)[-1] for one in found]
        for one, file in zip(found, files, strict=True):
            system.get_file(one, str(file))
    except ImportError as error:
        protocol = url.split("://", 1)[0]
        hint = f"`pip install 'fsspec[{protocol}]'`, or the package that the message names"
        raise InputError(f"cannot open `{url}`: {error}\nhint: {hint}") from error
    except ValueError as error:
        raise InputError(f"cannot open `{url}`: {error}") from error
    except FileNotFoundError as error:
        raise InputError(f"no such file: `{url}`") from error
    except Exception as error:  # each protocol has errors of its own
        raise InputError(f"cannot read `{url}`: {type(error).__name__}: {error}") from error
    return files


@functools.cache
def _folder() -> str:
    """Where files from elsewhere lie until the program ends."""
    folder = tempfile.mkdtemp(prefix="drivecast-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
