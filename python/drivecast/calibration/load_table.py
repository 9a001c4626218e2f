"""Tables of latency under load and of steady writes, as others measured them.

Represented: a row a run. `nvme-latency-under-load.csv`: `drive`, `region_gib`, `pattern`, `offered_per_s`,
`reads_per_s`, `writes_per_s`, then for `read_` and `write_` the mean and quantiles `p50`, `p90`, `p99`, `p999`,
`p9999` in microseconds (`read_p99_us`). `nvme-steady-writes.csv`: `drive`, `region_gib`, `pattern`, `placement`,
`details`, `threads`, `seconds`, `write_iops_last_third`. Left out: everything else such a file may hold.
"""

import csv
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from drivecast.errors import HintedError, InputError
from drivecast.files import read_text

OUTSTANDING = 384
"""Requests in flight at most, which the tables do not state. Rate times mean latency at saturation is 257 to 412."""
BELOW_SATURATION = 0.9
"""Of the offered rate that must come through for a run to count as not saturated."""
READS_PER_S = 5000
WRITERS = 512
"""Outstanding writes of a steady run: four threads of 128. Assumed."""
WARMUP_S = 0.5
SECONDS_LOAD, SECONDS_STEADY = 4.0, 2.0
"""Simulated time of either kind of run."""
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999, "p9999": 0.9999}
"""Names in the tables, and what they are."""
MEAN_SLACK = 1.05
"""A mean may exceed the largest quantile kept by what lies behind it."""

Wanted = Callable[[str], bool]
"""Whether rows of a drive are wanted, by the title that a table has for it."""


@dataclass(frozen=True)
class Load:
    """A run of reads beside writes: rates a second, latencies in microseconds by quantile."""

    drive: str
    region_gib: float
    pattern: str
    offered_per_s: float
    reads_per_s: float
    writes_per_s: float
    read_us: dict[str, float]
    write_us: dict[str, float]
    offered_reads_per_s: float = READS_PER_S
    arrivals: str = "fixed"

    @property
    def offered_in_all_per_s(self) -> float:
        """Reads and writes."""
        return self.offered_reads_per_s + self.offered_per_s

    def line(self, user_bytes: float) -> str:
        """Return the workload on a drive of this capacity, as it was asked of the drive."""
        rate = self.offered_in_all_per_s
        read = f"{self.offered_reads_per_s / rate:.6g}"
        pace = f"rate={rate:.6g}iops, iodepth={OUTSTANDING}, arrivals={self.arrivals}"
        return f"random(4KiB, read={read}, {pace}{span(self.region_gib, user_bytes)})"


def catalog_name(title: str) -> str:
    """Return what the catalog calls a drive: `Samsung PM9A3 960 GB` is `samsung-pm9a3-960gb`."""
    return title.lower().replace(" tb", "tb").replace(" gb", "gb").replace(" ", "-")


def span(region_gib: float, user_bytes: float) -> str:
    """Return the option of a workload that keeps to a region; nothing for the whole drive."""
    share = region_gib * (1 << 30) / user_bytes
    return f", span={share:.4f}" if share < 0.99 else ""


@dataclass(frozen=True)
class Steady:
    """A run of writes alone, hours long: its rate in the last third."""

    drive: str
    region_gib: float
    pattern: str
    details: str
    writes_per_s: float


def any_drive(_title: str) -> bool:
    """Want the rows of all drives."""
    return True


def loads(path: Path, wanted: Wanted = any_drive) -> list[Load]:
    """Read a table of latency under load. Raises `InputError` with the line of what cannot be."""
    columns = ["drive", "region_gib", "pattern", "offered_per_s", "reads_per_s", "writes_per_s"]
    columns += [f"{op}_{q}_us" for op in ("read", "write") for q in ("mean", *QUANTILES)]
    return [
        Load(
            row["drive"],
            number(row, "region_gib", at),
            row["pattern"],
            number(row, "offered_per_s", at),
            number(row, "reads_per_s", at),
            number(row, "writes_per_s", at),
            _quantiles(row, "read", at),
            _quantiles(row, "write", at),
        )
        for at, row in rows(path, columns, wanted)
    ]


def steady(path: Path, wanted: Wanted = any_drive) -> list[Steady]:
    """Read a table of steady writes. Raises `InputError` with the line of what cannot be."""
    columns = ["drive", "region_gib", "pattern", "details", "write_iops_last_third"]
    return [
        Steady(
            row["drive"],
            number(row, "region_gib", at),
            row["pattern"],
            row["details"] or "",
            number(row, "write_iops_last_third", at),
        )
        for at, row in rows(path, columns, wanted)
    ]


def rows(path: Path, columns: list[str], wanted: Wanted = any_drive) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a table whose drive is wanted, each with its file and line.

    Raises `InputError` where columns or rows are missing.
    """
    reader = csv.DictReader(read_text(path).splitlines())
    missing = [column for column in columns if column not in (reader.fieldnames or [])]
    if missing:
        head = ", ".join(reader.fieldnames or []) or "nothing"
        raise InputError(f"{path}, line 1: expected the columns {', '.join(missing)}; found {head}")
    found = [(f"{path}, line {reader.line_num}", row) for row in reader]
    if not found:
        raise InputError(f"{path}: expected at least one row below the header, found none")
    return [(at, row) for at, row in found if wanted(row.get("drive") or row.get("device") or "")]


def number(row: dict[str, str], column: str, at: str) -> float:
    """Return a figure of a row. Raises `InputError` unless it is above 0."""
    try:
        value = float(row[column])
    except (TypeError, ValueError):
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise InputError(f"{at}: {column}: expected a number above 0, found `{row[column] or ''}`")
    return value


def whole(row: dict[str, str], column: str, at: str) -> int:
    """Return a count of a row. Raises `InputError` unless it is a whole number above 0."""
    value = number(row, column, at)
    if value != int(value):
        raise InputError(f"{at}: {column}: expected a whole number, found `{row[column]}`")
    return int(value)


def share(row: dict[str, str], column: str, at: str, whole: float = 1.0) -> float:
    """Return a share of a row. Raises `InputError` unless it is from 0 to `whole`."""
    try:
        value = float(row[column])
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value <= whole:
        raise InputError(f"{at}: {column}: expected from 0 to {whole:g}, found `{row[column] or ''}`")
    return value / whole


def _quantiles(row: dict[str, str], op: str, at: str) -> dict[str, float]:
    """Return the quantiles of an operation."""
    return latencies(row, op, at, QUANTILES, f"{op}_mean_us")


def latencies(
    row: dict[str, str], op: str, at: str, names: Iterable[str], mean_column: str
) -> dict[str, float]:
    """Return some quantiles of an operation, in microseconds.

    Raises `InputError` unless they rise, and the mean is possible.
    """
    found = {name: number(row, f"{op}_{name}_us", at) for name in names}
    for low, high in pairwise(found):
        if found[high] < found[low]:
            raise InputError(
                f"{at}: {op}_{high}_us: expected at least the {found[low]:g} of {op}_{low}_us, "
                f"found {found[high]:g}"
            )
    mean, (last, most) = number(row, mean_column, at), list(found.items())[-1]
    if mean > most * MEAN_SLACK:
        raise HintedError(
            f"{at}: {mean_column}: expected at most the {most:g} of {op}_{last}_us, found {mean:g}",
            "are all columns in microseconds?",
        )
    return found
