"""An archive of windows that stand for a trace: `model.toml`, to read and edit, and three tables, in a zip.

`windows.parquet` is a trace of its own, of what is played: each window after what leads into it, in the order of the
trace. `extents.parquet` has the pages of each window, by its place in that order, with how long ago they were accessed
(`crates/workload/src/window`). `footprint.parquet` has the pages that the whole trace touches, as runs: `gap` pages
from the end of the run before, and as many `pages`; first those `written`, then those that are accessed at all.
"""

import hashlib
import io
import tomllib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import tomli_w
from pydantic import ValidationError

from drivecast import _core
from drivecast.document.windows import VERSION, Windows
from drivecast.errors import HintedError, InputError
from drivecast.files import write_whole
from drivecast.stage import trace

SUFFIX = ".windows"
HEADER, ROWS, EXTENTS, PAGES = "model.toml", "windows.parquet", "extents.parquet", "footprint.parquet"
COLUMNS = {
    ROWS: ("time_ns", "op", "offset_bytes", "size_bytes"),
    EXTENTS: ("window", "first", "pages", "anchor", "depth", "back", "written"),
    PAGES: ("gap", "pages", "written"),
}
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Of every member, so that the same windows are the same bytes."""
RUNS_MAX = 1 << 16
"""Of a footprint: the narrowest gaps between more count as accessed."""
BYTES_MAX = 1 << 30
"""Of a member, unpacked."""


@dataclass(frozen=True)
class Archive:
    """A header and the requests of its windows."""

    header: Windows
    rows: pl.DataFrame
    extents: pl.DataFrame
    footprint: pl.DataFrame
    """Of the whole trace; as in the file."""


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


def leads_s(header: Windows) -> list[float]:
    """How much of the trace is played before each window that is kept: nothing where the one before it is kept, too."""
    numbers = kept(header)
    lead = {number: min(header.lead_s, number * header.window_s) for number in numbers}
    return [0.0 if number - 1 in lead else lead[number] for number in numbers]


def write(path: Path, found: Archive) -> None:
    """Write the archive, whole or not at all."""
    write_whole(path, content(found))


def content(found: Archive) -> bytes:
    """The archive as it is in a file."""
    text = tomli_w.dumps(found.header.model_dump(mode="json"))
    tables = zip(COLUMNS, (found.rows, found.extents, found.footprint), strict=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in ((HEADER, text.encode()), *((name, _parquet(table)) for name, table in tables)):
            how = zipfile.ZIP_DEFLATED if name == HEADER else zipfile.ZIP_STORED
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type, member.external_attr = how, 0o644 << 16
            archive.writestr(member, data)
    return packed.getvalue()


def fingerprint(found: Archive) -> str:
    """A hash of header and tables, however they are packed."""
    return hashlib.sha256(content(found)).hexdigest()


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
    except (OSError, zipfile.BadZipFile, EOFError, RuntimeError) as error:
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
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"`{path}`: cannot read `{name}`: {error}") from None
    lacking = [column for column in COLUMNS[name] if column not in found.columns]
    if lacking:
        raise InputError(f"`{path}`: `{name}` lacks {', '.join(lacking)}")
    return found


def _check(path: Path, found: Archive) -> None:
    windows, last = len(kept(found.header)), found.extents["window"].max()
    if isinstance(last, int) and last >= windows:
        raise InputError(f"`{path}`: `{EXTENTS}` has window {last}, and the header has {windows}")
    last, end = found.rows["time_ns"].max(), ends_ns(found.header)[-1]
    if isinstance(last, int) and last > end:
        raise InputError(f"`{path}`: `{ROWS}` has a request at {last} ns, and the windows end at {end} ns")


def ends_ns(header: Windows) -> list[int]:
    """The last instant of each part of the play, in ns: of a lead-in, of its window, and so on."""
    window = round(header.window_s * 1e9)
    lengths = [length for lead in leads_s(header) for length in (round(lead * 1e9), window)]
    return [end - 1 if end else 0 for end in accumulate(lengths)]


def workload(found: Archive) -> _core.Workload:
    """The windows, to be played."""
    header = found.header
    weight = weights(header)
    numbers = kept(header)
    counts = [times for number in numbers for times in (0, weight[number])]
    place = {number: at for at, number in enumerate(numbers)}
    return _core.Workload.windows(
        _played(found.rows),
        extents=found.extents.select(COLUMNS[EXTENTS]).rows(),
        parts=list(zip(ends_ns(header), counts, strict=True)),
        order=[place[number] for number in _in_turn(header)],
        window_ns=round(header.window_s * 1e9),
        span_bytes=header.span_bytes,
        footprints=(_runs(found.footprint, written=True), _runs(found.footprint, written=False)),
    )


def footprint(trace: _core.Workload) -> pl.DataFrame:
    """The pages that a trace touches, as the file has them."""
    tables = []
    for written, runs in zip((True, False), trace.footprints(RUNS_MAX), strict=True):
        first, behind = (pl.Series([run[side] for run in runs], dtype=pl.UInt64) for side in (0, 1))
        before = behind.shift(1, fill_value=0)
        tables.append(
            pl.DataFrame({"gap": first - before, "pages": behind - first}).with_columns(written=written)
        )
    return pl.concat(tables)


def _runs(pages: pl.DataFrame, *, written: bool) -> list[tuple[int, int]]:
    some = pages.filter(pl.col("written") == written)
    behind = (some["gap"] + some["pages"]).cum_sum()
    return list(zip((behind - some["pages"]).to_list(), behind.to_list(), strict=True))


def _in_turn(header: Windows) -> Sequence[int]:
    """For each window of the trace one that is kept: itself, or those of its cluster by turns."""
    turns = [0] * len(header.clusters)
    found = []
    for number, cluster in enumerate(header.order):
        windows = header.clusters[cluster].windows
        found.append(number if number in windows else windows[turns[cluster] % len(windows)])
        turns[cluster] += 1
    return found


def _played(rows: pl.DataFrame) -> _core.Workload:
    with TemporaryDirectory(prefix="drivecast-windows-") as folder:
        path = Path(folder) / ROWS
        rows.write_parquet(path)
        return trace.workload([path], trace.AS_IT_IS)


def generate(found: Archive, out: Path) -> tuple[int, float]:
    """Write a pass of the whole trace as Parquet, whole or not at all; how many requests it has, and how long it is.

    Raises `InputError` for a file that cannot be written.
    """
    rows = pl.DataFrame(workload(found).rows())
    write_whole(out, _parquet(rows))
    return len(rows), found.header.duration_s
