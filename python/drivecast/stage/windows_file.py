"""An archive of windows that represent a trace: `model.toml`, to read and edit, and four tables, in a zip.

`windows.parquet` is a trace of its own, of what is played: each window after what leads into it, in the order of the
trace. `order.parquet` has the cluster of each window of the trace. `map.parquet` has the addresses that the whole
trace accessed, in order (`address_map`). `pass.parquet` has the windows of a pass in turn: those of the trace, until
its length is changed.
"""

import hashlib
import io
import tomllib
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl
import tomli_w
from numpy.typing import NDArray
from pydantic import ValidationError

from drivecast.document.windows import VERSION, WINDOWS_MAX, Windows
from drivecast.errors import HintedError, InputError
from drivecast.files import write_whole
from drivecast.stage import address_map, windows_play

HEADER = "model.toml"
ROWS, ORDER, MAP, PASS = "windows.parquet", "order.parquet", "map.parquet", "pass.parquet"
COLUMNS: dict[str, dict[str, type[pl.DataType]]] = {
    ROWS: windows_play.REQUEST,
    ORDER: {"cluster": pl.UInt16},
    MAP: address_map.SCHEMA,
    PASS: {"window": pl.UInt32},
}
PASS_MAX = 100_000_000
"""Requests of a trace, and of a pass that is played."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Of every member, so that the same windows are the same bytes."""
BYTES_MAX = 1 << 30
"""Of a member, unpacked."""
ARCHIVE_MAX = 5_000_000
"""Bytes of an archive, whatever the length of its trace, unless what is played alone is more."""
ROWS_MIN = 10_000
"""Of a map, which is not made smaller than this."""


@dataclass(frozen=True)
class Archive:
    """A header and the requests of its windows."""

    header: Windows
    rows: pl.DataFrame
    order: pl.DataFrame
    map: pl.DataFrame
    turns: pl.DataFrame
    """The windows of a pass."""

    @property
    def tables(self) -> tuple[pl.DataFrame, ...]:
        """All of them, as `COLUMNS` names them."""
        return self.rows, self.order, self.map, self.turns


def write(path: Path, found: Archive) -> None:
    """Write the archive, whole or not at all."""
    write_whole(path, content(found))


def content(found: Archive) -> bytes:
    """The archive as it is in a file."""
    text = _text(found.header)
    tables = zip(COLUMNS, found.tables, strict=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in ((HEADER, text.encode()), *((name, parquet(table)) for name, table in tables)):
            how = zipfile.ZIP_DEFLATED if name == HEADER else zipfile.ZIP_STORED
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type, member.external_attr = how, 0o644 << 16
            archive.writestr(member, data)
    return packed.getvalue()


def mapped(found: Archive, rows: pl.DataFrame) -> Archive:
    """The archive with as large a map of these requests of its whole trace as it has room for."""
    rows_max = address_map.ROWS_MAX
    while True:
        table, rate = address_map.sample(rows, round(found.header.window_s * 1e9), rows_max)
        header = found.header.model_copy(update={"map_rate": rate})
        whole = replace(found, header=header, map=table)
        if len(content(whole)) <= ARCHIVE_MAX or rows_max <= ROWS_MIN:
            return whole
        rows_max = min(rows_max, len(rows)) // 2


def fingerprint(found: Archive) -> str:
    """A hash of the header and of the values of the tables, however these are packed."""
    digest = hashlib.sha256(_text(found.header).encode())
    for table in found.tables:
        digest.update(table.write_csv().encode())
    return digest.hexdigest()


def _text(header: Windows) -> str:
    return tomli_w.dumps(header.model_dump(mode="json"))


def parquet(table: pl.DataFrame) -> bytes:
    """A table as it is in a file."""
    packed = io.BytesIO()
    table.write_parquet(packed, compression="zstd", compression_level=19)
    return packed.getvalue()


def read(path: Path) -> Archive:
    """The archive in a file.

    Raises `InputError` where it is none, is cut off, or its header and rows do not fit together.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {info.filename: info for info in archive.infolist()}
            for name in (HEADER, *COLUMNS):
                if name not in members or members[name].file_size > BYTES_MAX:
                    raise InputError(
                        f"`{path}` is no archive of windows: expected `{name}`, found {sorted(members)}"
                    )
            header = archive.read(HEADER)
            tables = [_table(path, name, archive.read(name)) for name in COLUMNS]
    except FileNotFoundError:
        raise InputError(f"no such file: `{path}`") from None
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise HintedError(
            f"cannot read `{path}` as windows: {error}",
            "`drivecast model fit TRACE -o NAME.windows` writes one",
        ) from None
    found = Archive(_header(path, header), *tables)
    _check(path, found)
    return found


def _header(path: Path, data: bytes) -> Windows:
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"`{path}`: `{HEADER}`: {error}") from None
    if (version := content.get("schema_version")) != VERSION:
        raise HintedError(
            f"`{path}`: expected `schema_version` {VERSION}, found {version!r}",
            "fit it again with this version",
        )
    try:
        return Windows.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"`{path}`: `{HEADER}`: `{place}`: {first['msg']}") from None


def _table(path: Path, name: str, data: bytes) -> pl.DataFrame:
    try:
        found = pl.read_parquet(io.BytesIO(data))
        lacking = [column for column in COLUMNS[name] if column not in found.columns]
        if lacking:
            raise InputError(f"`{path}`: `{name}` lacks {', '.join(lacking)}")
        found = found.select(*COLUMNS[name]).cast(COLUMNS[name])  # type: ignore[arg-type]
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(f"`{path}`: cannot read `{name}`: {str(error).splitlines()[0]}") from None
    empty = [column for column in found.columns if found[column].null_count()]
    if empty:
        raise InputError(f"`{path}`: `{name}` lacks values of {', '.join(empty)}")
    return found


def _check(path: Path, found: Archive) -> None:
    header = found.header
    if len(found.order) != header.windows:
        raise InputError(
            f"`{path}`: `{ORDER}` has {len(found.order)} windows, and the header {header.windows}"
        )
    for name, value, most in (
        (ORDER, found.order["cluster"].max(), len(header.clusters) - 1),
        (MAP, found.map["window"].max(), header.windows - 1),
        (PASS, found.turns["window"].max(), header.windows - 1),
        (ROWS, found.rows["time_ns"].max(), windows_play.parts_ns(header)[-1]),
    ):
        if isinstance(value, int) and value > most:
            column = {ORDER: "cluster", MAP: "window", PASS: "window", ROWS: "time_ns"}[name]
            raise InputError(f"`{path}`: `{name}` has `{column}` {value}, and the header goes up to {most}")
    for name, table, time in ((ROWS, found.rows, "time_ns"), (MAP, found.map, "window")):
        _check_requests(f"`{path}`: `{name}`", table, time, header.span_bytes)
    if not 0 < len(found.turns) <= WINDOWS_MAX:
        raise InputError(f"`{path}`: `{PASS}` has {len(found.turns)} windows; expected 1 to {WINDOWS_MAX}")
    if (requests := requests_by_window(found).sum()) > PASS_MAX:
        raise InputError(f"`{path}`: `{MAP}` represents {requests:.0f} requests, more than {PASS_MAX}")


def requests_by_window(found: Archive) -> NDArray[np.float64]:
    """How many requests the map represents in each window of the trace."""
    window = found.map["window"].to_numpy()
    counts = found.map["copies"].to_numpy().astype(float) * found.map["again"].to_numpy().astype(float)
    return np.bincount(window, weights=counts, minlength=found.header.windows).astype(np.float64)


def _check_requests(where: str, table: pl.DataFrame, time: str, span_bytes: int) -> None:
    """Refuse requests out of order, beyond the span, or of no operation."""
    if not table[time].is_sorted():
        raise InputError(f"{where} is not in the order of `{time}`")
    ops = set(table["op"].unique()) - {"read", "write", "flush", "discard"}
    if ops:
        raise InputError(f"{where} has `op` `{min(ops)}`; expected read, write, flush or discard")
    room = span_bytes - table["offset_bytes"].clip(upper_bound=span_bytes)
    if ((table["offset_bytes"] > span_bytes) | (table["size_bytes"] > room)).any():
        raise InputError(f"{where} has requests beyond the {span_bytes} bytes of the header")
