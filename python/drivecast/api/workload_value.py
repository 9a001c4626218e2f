"""A workload as a value: what names it, how it is read, and the content where it has no name.

The requests themselves are in the compiled core and are read when the workload is played, so a value costs nothing to
make, compares by what it says, and pickles. What is read from a file depends on that file.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from io import BytesIO
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from drivecast import _core
from drivecast.document.model import Model
from drivecast.document.windows import SUFFIX
from drivecast.errors import HintedError, InputError
from drivecast.lock import temporary_folder
from drivecast.stage.trace import AS_IT_IS, Reading

if TYPE_CHECKING:
    import polars as pl

    from drivecast.stage.simulate import Options
    from drivecast.stage.windows_file import Archive
    from drivecast.stage.workload_input import WorkloadInput

    class Archived(Protocol):
        """Windows, as `drivecast.fit` gives them."""

        @property
        def archive(self) -> Archive:
            """Their file."""

    Source: TypeAlias = "str | PathLike[str] | Workload | Model | Archived | pl.DataFrame"
    """What a log or a workload is taken from: a path, a URL, a line, a model or its name, a frame."""

COLUMNS = ("time_ns", "op", "offset_bytes", "size_bytes")
"""What a frame of requests has at least, as `drivecast.read` gives them."""


@dataclass(frozen=True)
class Workload:
    """A load to be played on designs, as often as wanted."""

    text: str
    """A line, the path or URL of a log or model, or the name of a shipped model; of a frame what to call it."""
    reading: Reading = AS_IT_IS
    """How a log is read."""
    content: bytes | None = None
    """Requests as Parquet, or a model, where they are not read from `text`."""
    suffix: str = ".parquet"
    """What the content is."""

    def __repr__(self) -> str:
        if self.content is None:
            return f"Workload({self.text!r})"
        return f"Workload({self.text!r}, {len(self.content):,} bytes, {self.digest[:12]})"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    @property
    def digest(self) -> str:
        """SHA-256 of what the value holds; of a file its name, not its content."""
        return sha256(self.content if self.content is not None else self.text.encode()).hexdigest()

    def opened(self, options: "Options") -> "WorkloadInput":
        """The requests, to be played with these options.

        Raises `InputError` where there are none, or an option is not for them.
        """
        from drivecast.stage import workload_input  # noqa: PLC0415 (polars is slow to import)

        with self.place() as place:
            return workload_input.opened(place, options, self.reading)

    @contextmanager
    def place(self) -> Iterator[str]:
        """What the stages take, while the block runs: the text, or a file that holds the content."""
        if self.content is None:
            yield self.text
            return
        with temporary_folder("drivecast-workload-") as folder:
            file = folder / f"workload{self.suffix}"
            file.write_bytes(self.content)
            yield str(file)


def workload(source: "Source", **reading: Any) -> Workload:
    """A workload from a line, a path, a URL, a model or the name of a shipped one, or a frame of requests.

    Parameters
    ----------
    source
        `"random(4KiB, read=0.7, iodepth=32)"`, `"trace.blktrace"`, `"tpcc-innodb"`, what `drivecast.fit` returns, or a
        polars frame (or any table with the Arrow interface) with the columns `time_ns`, `op`, `offset_bytes` and
        `size_bytes`.
    reading
        How a log is read: `event`, `disk`, `interval_s`, `skip_first`, `format`, `csv`, `strict`.

    Raises
    ------
    InputError
        For a line that does not parse, a file that is not there, and a frame without these columns.

    Examples
    --------
    >>> import drivecast as dc
    >>> dc.workload("random(4KiB, read=0.7, iodepth=32)")
    Workload('random(4KiB, read=0.7, iodepth=32)')
    """
    if isinstance(source, Workload):
        return replace(source, reading=Reading(**reading)) if reading else source
    if isinstance(source, str | PathLike):
        found = Workload(fspath(source), Reading(**reading))
        _known(found.text)
        return found
    return _fitted(source) or Workload("frame", content=parquet(source))


def _fitted(source: object) -> Workload | None:
    """A model as a workload; none for what is none."""
    if isinstance(source, Model):
        from drivecast.stage import model_file  # noqa: PLC0415 (polars is slow to import)

        return Workload(source.name, content=model_file.toml(source).encode(), suffix=".toml")
    if hasattr(source, "archive"):
        from drivecast.stage import windows_file  # noqa: PLC0415

        if isinstance(source.archive, windows_file.Archive):
            name, content = source.archive.header.name, windows_file.content(source.archive)
            return Workload(name, content=content, suffix=SUFFIX)
    return None


def _known(text: str) -> None:
    """Refuse at once a line that does not parse, and a name that is none; a file is read when it is played."""
    from drivecast.stage import model_file  # noqa: PLC0415 (polars is slow to import)

    if model_file.find(text) is None and not _is_file(text):
        _core.Workload.line(text)


def _is_file(text: str) -> bool:
    from drivecast.files import exists  # noqa: PLC0415
    from drivecast.source.locate import is_url  # noqa: PLC0415
    from drivecast.stage.simulate import is_path  # noqa: PLC0415

    return is_url(text) or exists(text) or is_path(text)


def trace_of(load: Workload) -> _core.Workload:
    """The requests of a trace, in memory. Raises `InputError` where it is none."""
    from drivecast.stage import trace  # noqa: PLC0415

    with load.place() as place:
        return trace.workload([place], load.reading)


def parquet(table: Any) -> bytes:
    """A table of requests as Parquet. Raises `InputError` where it lacks a column."""
    import polars as pl  # noqa: PLC0415

    tables = ("__arrow_c_stream__", "__dataframe__")
    if not (isinstance(table, Mapping) or any(hasattr(table, name) for name in tables)):
        raise InputError(f"expected a path, a line, a model or a table, found {type(table).__name__}")
    try:
        frame = pl.DataFrame(table)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"expected a path, a line or a table, found {type(table).__name__}: {error}"
        ) from None
    lacking = [name for name in COLUMNS if name not in frame.columns]
    if lacking:
        raise HintedError(
            f"the frame has no column `{lacking[0]}`: found {', '.join(frame.columns)}",
            "`drivecast.read` gives a frame of requests as it must be",
        )
    default = {"stream": pl.lit(0), "latency_ns": pl.lit(None), "fua": pl.lit(value=False)}
    whole = frame.with_columns(
        **{name: value for name, value in default.items() if name not in frame.columns}
    )
    kinds: dict[str, Any] = {
        "time_ns": pl.UInt64,
        "op": pl.Categorical,
        "offset_bytes": pl.UInt64,
        "size_bytes": pl.UInt32,
        "stream": pl.UInt32,
        "latency_ns": pl.UInt64,
        "fua": pl.Boolean,
    }
    try:
        requests = whole.select(pl.col(name).cast(kind) for name, kind in kinds.items())
    except pl.exceptions.PolarsError as error:
        raise InputError(f"the frame has a value that its column cannot hold: {error}") from None
    buffer = BytesIO()
    requests.write_parquet(buffer)
    return buffer.getvalue()
