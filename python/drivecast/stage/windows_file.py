"""An archive of windows that represent a trace: `model.toml`, to read and edit, and three tables, in a zip.

`windows.parquet` is a trace of its own, of what is played: each window after what leads into it, in the order of the
trace. `order.parquet` has the cluster of each window of the trace. `map.parquet` has the addresses that the whole
trace accessed, in order (`address_map`).
"""

import hashlib
import io
import tomllib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import tomli_w
from numpy.typing import NDArray
from pydantic import ValidationError

from drivecast import _core
from drivecast.document.windows import VERSION, Windows
from drivecast.errors import HintedError, InputError
from drivecast.files import write_whole
from drivecast.stage import address_map, trace

SUFFIX = ".windows"
HEADER, ROWS, ORDER, MAP = "model.toml", "windows.parquet", "order.parquet", "map.parquet"
COLUMNS: dict[str, dict[str, type[pl.DataType]]] = {
    ROWS: {
        "time_ns": pl.UInt64,
        "op": pl.String,
        "offset_bytes": pl.UInt64,
        "size_bytes": pl.UInt32,
        "fua": pl.Boolean,
    },
    ORDER: {"cluster": pl.UInt16},
    MAP: address_map.SCHEMA,
}
PASS_MAX = 100_000_000
"""Requests of a pass."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Of every member, so that the same windows are the same bytes."""
_ALONE = pl.lit(0, pl.UInt32).alias("stream")
"""What a trace has, and windows do not keep."""
BYTES_MAX = 1 << 30
"""Of a member, unpacked."""


@dataclass(frozen=True)
class Archive:
    """A header and the requests of its windows."""

    header: Windows
    rows: pl.DataFrame
    order: pl.DataFrame
    map: pl.DataFrame


def kept(header: Windows) -> list[int]:
    """The windows that are played, in the order of the trace."""
    return sorted({number for cluster in header.clusters for number in cluster.windows})


def weights(header: Windows) -> dict[int, int]:
    """How often each window that is kept counts: of a cluster's weight as even whole shares as there are."""
    found = {}
    for cluster in header.clusters:
        each = [
            round(share * cluster.weight / len(cluster.windows)) for share in range(len(cluster.windows) + 1)
        ]
        for place, number in enumerate(cluster.windows):
            found[number] = each[place + 1] - each[place]
    return found


def spans_ns(header: Windows) -> list[tuple[int, int]]:
    """Of each window that is kept, in ns of the trace, where its play begins and where it ends."""
    lead = {
        number: round(lead_s * 1e9)
        for cluster in header.clusters
        for number, lead_s in zip(cluster.windows, cluster.leads_s, strict=True)
    }
    return spans(lead, round(header.window_s * 1e9))


def spans(lead_ns: Mapping[int, int], width_ns: int) -> list[tuple[int, int]]:
    """The same of windows of this width: each after as much of the trace, at most back to the one before it."""
    found, behind = [], 0
    for number in sorted(lead_ns):
        begin = max(number * width_ns - lead_ns[number], behind)
        behind = (number + 1) * width_ns
        found.append((begin, behind))
    return found


def play(rows: pl.DataFrame, over: Sequence[tuple[int, int]]) -> pl.DataFrame:
    """The requests of these spans of a trace, at the times of their play."""
    found, at = [], 1
    for begin, behind in over:
        some = rows.select(*COLUMNS[ROWS]).filter(pl.col("time_ns").is_between(begin, behind, closed="left"))
        found.append(some.with_columns(time_ns=pl.col("time_ns") - begin + at))
        at += behind - begin
    return pl.concat(found)


def ends_ns(over: Sequence[tuple[int, int]], width_ns: int) -> list[int]:
    """The last instant of each part of the play, which begins at 1 ns: of a lead-in, of its window, and so on."""
    return list(
        accumulate(length for begin, behind in over for length in (behind - begin - width_ns, width_ns))
    )


def write(path: Path, found: Archive) -> None:
    """Write the archive, whole or not at all."""
    write_whole(path, content(found))


def content(found: Archive) -> bytes:
    """The archive as it is in a file."""
    text = _text(found.header)
    tables = zip(COLUMNS, (found.rows, found.order, found.map), strict=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in ((HEADER, text.encode()), *((name, _parquet(table)) for name, table in tables)):
            how = zipfile.ZIP_DEFLATED if name == HEADER else zipfile.ZIP_STORED
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type, member.external_attr = how, 0o644 << 16
            archive.writestr(member, data)
    return packed.getvalue()


def fingerprint(found: Archive) -> str:
    """A hash of the header and of the values of the tables, however these are packed."""
    digest = hashlib.sha256(_text(found.header).encode())
    for table in (found.rows, found.order, found.map):
        digest.update(table.write_csv().encode())
    return digest.hexdigest()


def _text(header: Windows) -> str:
    return tomli_w.dumps(header.model_dump(mode="json"))


def _parquet(table: pl.DataFrame) -> bytes:
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
        (ROWS, found.rows["time_ns"].max(), _ends_ns(header)[-1]),
    ):
        if isinstance(value, int) and value > most:
            column = {ORDER: "cluster", MAP: "window", ROWS: "time_ns"}[name]
            raise InputError(f"`{path}`: `{name}` has `{column}` {value}, and the header goes up to {most}")
    for name, table, time in ((ROWS, found.rows, "time_ns"), (MAP, found.map, "window")):
        _check_requests(f"`{path}`: `{name}`", table, time, header.span_bytes)
    requests = (found.map["copies"].cast(pl.Float64) * found.map["again"].cast(pl.Float64)).sum()
    if requests > PASS_MAX:
        raise InputError(f"`{path}`: `{MAP}` represents {requests:.0f} requests, more than {PASS_MAX}")


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


def _ends_ns(header: Windows) -> list[int]:
    return ends_ns(spans_ns(header), round(header.window_s * 1e9))


def workload(found: Archive) -> _core.Workload:
    """The windows, to be played."""
    weight = weights(found.header)
    counts = [weight[number] for number in kept(found.header)]
    return weighed(found.rows, played(whole(found)), _ends_ns(found.header), counts)


def weighed(
    rows: pl.DataFrame, whole: _core.Workload, ends: Sequence[int], counts: Sequence[int]
) -> _core.Workload:
    """What is played, with what it represents, the ends of its parts, and how often each window counts."""
    parts = list(zip(ends, (times for count in counts for times in (0, count)), strict=True))
    return _core.Workload.windows(played(rows), whole=whole, parts=parts)


def whole(found: Archive) -> pl.DataFrame:
    """A pass of the whole trace: the addresses of the map, at the times of the windows that are kept.

    A window that is kept has its own times. Any other has those of one of its cluster: the n-th of its N requests comes
    when the share n/N of the other's have come; at even distances where the other has none.
    """
    header = found.header
    window = round(header.window_s * 1e9)
    rows = address_map.unfold(found.map, header.span_bytes)
    number = rows["window"].to_numpy().astype(np.int64)
    count = np.bincount(number, minlength=header.windows)
    rank = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    times, begin = _times(found)
    place = {number: at for at, number in enumerate(kept(header))}
    of = np.array([place[other] for other in _in_turn(found)])[number]
    have = (begin[1:] - begin[:-1])[of]
    even = (2 * rank + 1) * window // (2 * count[number])
    at = begin[of] + rank * have // count[number]
    since = np.where(have > 0, times[np.minimum(at, len(times) - 1)] if len(times) else 0, even)
    time = pl.Series("time_ns", number * window + since, dtype=pl.UInt64)
    return rows.select(time, "op", "offset_bytes", "size_bytes", pl.lit(value=False).alias("fua"))


def _times(found: Archive) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """When requests of the windows that are kept come, in ns from the start of each; where each begins in these."""
    ends = np.array(_ends_ns(found.header), dtype=np.int64)
    time = found.rows["time_ns"].to_numpy().astype(np.int64)
    part = np.searchsorted(ends, time)
    inside = part % 2 == 1
    part, time = part[inside], time[inside]
    begin = np.searchsorted(part, np.arange(1, len(ends) + 1, 2))
    return time - ends[part - 1] - 1, np.r_[begin, len(time)]


def _in_turn(archive: Archive) -> Sequence[int]:
    """For each window of the trace one that is kept: itself, or those of its cluster by turns."""
    clusters = archive.header.clusters
    turns = [0] * len(clusters)
    found = []
    for number, cluster in enumerate(archive.order["cluster"].to_list()):
        windows = clusters[cluster].windows
        found.append(number if number in windows else windows[turns[cluster] % len(windows)])
        turns[cluster] += 1
    return found


def played(rows: pl.DataFrame) -> _core.Workload:
    """Requests of a trace, to be played."""
    with TemporaryDirectory(prefix="drivecast-windows-") as folder:
        path = Path(folder) / ROWS
        rows.select(*COLUMNS[ROWS], _ALONE).write_parquet(path)
        return trace.workload([path], trace.AS_IT_IS)


def generate(found: Archive, out: Path) -> tuple[int, float]:
    """Write a pass of the whole trace as Parquet, whole or not at all; how many requests it has, and how long it is.

    Raises `InputError` for a file that cannot be written.
    """
    rows = whole(found).with_columns(_ALONE)
    write_whole(out, _parquet(rows))
    return len(rows), found.header.duration_s
