"""What goes to each of several volumes, `volumes(log=raid1(2 * a), data=raid5(4 * b))`: the load, parted.

    --volume log=range:0..64GiB        requests that begin in these addresses, which begin at 0 of the volume
    --volume log=process:postgres      requests of the processes of this name, with `*` for any letters
    --volume log=stream:1204+1207      requests of these processes, CPUs or disks: what `stream` is in the log's format
    --volume log=disk:8:16             requests of one disk of a log that holds several; for counters its name

One volume may be without: it gets what is left. Where disks are named, each volume has one.

Model. A request goes whole to the volume where it begins. A flush goes to the volume of its stream or disk; where
addresses decide it goes to all, as a file system's own flushes do. Times are those of the whole log.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import polars as pl

from drivecast.document.profile import CounterLog, Process, TraceLog
from drivecast.errors import HintedError, InputError
from drivecast.lock import temporary_folder
from drivecast.quantity import number
from drivecast.quantity import parse as quantity
from drivecast.stage import trace
from drivecast.stage.design import items

_PART = re.compile(r"^\s*([A-Za-z][\w-]*)\s*=\s*(\S.*?)\s*$", re.DOTALL)
_RANGE = re.compile(r"^\s*(.*?)\s*\.\.\s*(.*?)\s*$")
NAMES_SHOWN = 20
"""Names of processes in a message."""
OTHER = {"log": "data", "data": "log"}
"""What to call what is left of a load."""
EXAMPLE = "such as `--volume log=range:0..64GiB`, `log=process:ib_log*` or `log=disk:8:16`"


@dataclass(frozen=True)
class Selector:
    """Which requests a volume gets."""

    text: str
    """As written, without the volume's name."""
    low_bytes: int = 0
    high_bytes: int | None = None
    streams: tuple[int, ...] = ()
    disk: str | None = None
    processes: tuple[str, ...] = ()
    """Names, of which the log says the streams."""

    @property
    def by_address(self) -> bool:
        """Whether addresses decide."""
        return self.disk is None and not self.streams


@dataclass(frozen=True)
class Part:
    """The load of a volume: files, and how they are read."""

    name: str
    files: tuple[Path, ...]
    reading: trace.Reading
    selector: str


def is_of_volumes(line: str) -> bool:
    """Whether a design is of several volumes."""
    return items(line, "volumes") is not None


def split(lines: Sequence[str], options: Sequence[str], *, several_logs: bool) -> tuple[list[str], list[str]]:
    """The designs of several volumes, and the others.

    Raises `HintedError` where there are several loads to part.
    """
    found = [line for line in lines if is_of_volumes(line)]
    if (found or options) and several_logs:
        raise HintedError("--together: designs of several volumes take one log", "one of the logs at a time")
    return found, [line for line in lines if line not in found]


def volumes(line: str) -> dict[str, str]:
    """The volumes of a design and the line of each, in order.

    Raises `HintedError` where a volume has no name, or one that another has.
    """
    hint = "such as `volumes(log=raid1(2 * a), data=raid5(4 * b))`"
    named: dict[str, str] = {}
    for text in items(line, "volumes") or ():
        part = _PART.match(text)
        if part is None or part[1] in named:
            raise HintedError(
                f"`{line}`: expected volumes with names of their own, found `{text.strip()}`", hint
            )
        named[part[1]] = part[2]
    if len(named) < 2:
        raise HintedError(f"`{line}`: expected two volumes or more, found {len(named)}", hint)
    return named


def selectors(options: Sequence[str]) -> dict[str, Selector]:
    """What `--volume` says of each volume.

    Raises `HintedError` for what is not of these forms.
    """
    found: dict[str, Selector] = {}
    for option in options:
        name, equals, text = option.partition("=")
        if not equals or name.strip() in found:
            raise HintedError(f"--volume: expected each volume once, as NAME=…, found `{option}`", EXAMPLE)
        found[name.strip()] = _selector(text.strip())
    return found


def volume_names(chosen: Mapping[str, Selector]) -> tuple[str, ...]:
    """The volumes that the load is parted into; where one is named, the other gets what is left."""
    (*others, last) = chosen or ("",)
    if others or not last:
        return tuple(chosen)
    return last, OTHER.get(last, "rest")


def _selector(text: str) -> Selector:
    kind, _, value = text.partition(":")
    if kind == "range" and (ends := _RANGE.match(value)):
        low, high = (_bytes(end) if end else None for end in ends.groups())
        if high is not None and high <= (low or 0):
            raise HintedError(f"--volume: the range `{value}` is empty", "FROM..TO, the end not included")
        return Selector(text, low or 0, high)
    if kind == "stream" and re.fullmatch(r"\d+(\+\d+)*", value):
        return Selector(text, streams=tuple(map(int, value.split("+"))))
    if kind == "process" and (patterns := tuple(filter(None, value.split("+")))):
        return Selector(text, processes=patterns)
    if kind == "disk" and value:
        return Selector(text, disk=value)
    raise HintedError(f"--volume: expected range:…, process:…, stream:… or disk:…, found `{text}`", EXAMPLE)


def _bytes(text: str) -> int:
    found = quantity.option("--volume", quantity.size_bytes, text)
    return int(found or 0)


@contextmanager
def parted(
    logs: Sequence[Path], reading: trace.Reading, names: Sequence[str], chosen: Mapping[str, Selector]
) -> Iterator[list[Part]]:
    """The load of each volume, while the block runs.

    Raises `InputError` for volumes that are not those of the design, and where a volume or a request is left over.
    """
    unknown = [name for name in chosen if name not in names]
    left = [name for name in names if name not in chosen]
    if unknown:
        raise InputError(f"--volume: no design has a volume `{unknown[0]}`; found {', '.join(names)}")
    if len(left) > 1:
        raise HintedError(f"--volume: nothing says which requests go to {' and '.join(left)}", EXAMPLE)
    disks = [selector.disk for selector in chosen.values() if selector.disk is not None]
    if disks:
        if left or len(disks) < len(chosen):
            raise HintedError(
                "--volume: where a disk is named, each volume has one", "`disk:…` for each of them"
            )
        yield [
            Part(name, tuple(logs), replace(reading, disk=chosen[name].disk), chosen[name].text)
            for name in names
        ]
        return
    with temporary_folder("drivecast-volumes-") as folder:
        whole = folder / "whole.parquet"
        log = trace.convert(logs, whole, reading)
        resolved = in_log(chosen, log)
        yield list(_cut(pl.read_parquet(whole), folder, names, resolved))


def in_log(chosen: Mapping[str, Selector], log: TraceLog | CounterLog) -> dict[str, Selector]:
    """The selectors with the streams that the log has for them.

    Raises `HintedError` where it has none: known once the log is read, and before anything is judged.
    """
    if isinstance(log, CounterLog) and any(selector.disk is None for selector in chosen.values()):
        raise HintedError("--volume: counters have no addresses and no streams", "`disk:…` for each volume")
    processes = () if isinstance(log, CounterLog) else log.processes or ()
    return {name: _with_streams(selector, processes) for name, selector in chosen.items()}


def _with_streams(selector: Selector, processes: Sequence[Process]) -> Selector:
    """The selector with the streams of the processes that it names."""
    if not selector.processes:
        return selector
    if not processes:
        raise HintedError(
            f"--volume: `{selector.text}`: the log does not name its processes",
            "`stream:NUMBER`; recordings of blktrace, blkparse, ftrace and biosnoop usually name them",
        )
    named = [each for each in processes if any(fnmatchcase(each.name, text) for text in selector.processes)]
    if not named:
        names = sorted({each.name for each in processes})
        shown = ", ".join(names[:NAMES_SHOWN]) + (" …" if len(names) > NAMES_SHOWN else "")
        raise HintedError(f"--volume: `{selector.text}`: no process has such a name", f"it has {shown}")
    return replace(selector, streams=tuple(each.stream for each in named))


def _cut(
    table: pl.DataFrame, folder: Path, names: Sequence[str], chosen: Mapping[str, Selector]
) -> Iterator[Part]:
    by_address = all(selector.by_address for selector in chosen.values())
    is_flush = pl.col("op").cast(pl.String) == "flush"
    rest = table
    # What is left comes last, whatever its place in the line.
    for name in sorted(names, key=lambda name: name not in chosen):
        selector = chosen.get(name)
        takes = pl.lit(value=True) if selector is None else _takes(selector)
        flushes = is_flush & by_address
        rows = rest.filter(takes | flushes)
        if rows.filter(~is_flush).is_empty():
            raise HintedError(_nothing(name, selector), _extent(table))
        rest = rest.filter(~takes | flushes)
        if selector is not None and selector.by_address:
            low = pl.lit(selector.low_bytes, dtype=pl.UInt64)
            moved = pl.when(is_flush).then(pl.col("offset_bytes")).otherwise(pl.col("offset_bytes") - low)
            rows = rows.with_columns(moved.alias("offset_bytes"))
        rows.write_parquet(file := folder / f"{name}.parquet")
        yield Part(name, (file,), trace.AS_IT_IS, selector.text if selector else "what is left")
    left = rest.filter(~is_flush)
    if not left.is_empty():
        raise HintedError(
            f"--volume: {left.height:,} of {table.height:,} requests go to no volume",
            "a volume without `--volume` gets what is left",
        )


def _takes(selector: Selector) -> pl.Expr:
    if selector.streams:
        return pl.col("stream").is_in(selector.streams)
    found = pl.col("offset_bytes") >= selector.low_bytes
    return found if selector.high_bytes is None else found & (pl.col("offset_bytes") < selector.high_bytes)


def _nothing(name: str, selector: Selector | None) -> str:
    what = f"`{selector.text}`" if selector else "what the others leave"
    return f"--volume: volume `{name}` gets no requests: {what} meets none"


def _extent(table: pl.DataFrame) -> str:
    """Where the requests lie."""
    ends = table.select(
        low=pl.col("offset_bytes").min(), high=(pl.col("offset_bytes") + pl.col("size_bytes")).max()
    ).row(0, named=True)
    streams = table["stream"].unique().sort()
    shown = ", ".join(map(str, streams.head(8))) + (" …" if len(streams) > 8 else "")
    return (
        f"the requests lie from {number.binary_size(ends['low'])} to {number.binary_size(ends['high'])}; "
        f"their streams are {shown}"
    )
