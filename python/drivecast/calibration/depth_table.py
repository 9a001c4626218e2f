"""A table of rates and latencies by queue depth and processes, as fio measured them.

Represented: a row a run of `fio-sata-and-disks.csv`, a closed loop of `numjobs` processes with `iodepth` requests
each: `device`, `array` (the path to it), `rw` (`randread` or `randwrite`), `bs_bytes`, `iodepth`, `numjobs`, then for
`read_` or `write_` the rate `iops`, the mean `lat_mean_us` and the quantiles `p50`, `p95`, `p99`, `p999`; `size_bytes`
of the file, where it is not the whole device. Left out: everything else such a file may hold.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from drivecast.calibration.load_table import Wanted, any_drive, latencies, number, rows, whole
from drivecast.errors import HintedError, InputError

Pattern = Literal["randread", "randwrite"]
QUANTILES = ("p50", "p95", "p99", "p999")
OUTSTANDING_SHARE = (0.5, 1.1)
"""Between which rate times mean latency, over the requests outstanding, must lie: 1 by Little's law, less what a
process needs to submit the next."""


@dataclass(frozen=True)
class Depth:
    """A run: the rate a second, latencies in microseconds by quantile."""

    place: str
    """File and line."""
    device: str
    path: str
    pattern: Pattern
    block_bytes: int
    iodepth: int
    jobs: int
    iops: float
    mean_us: float
    latency_us: dict[str, float]
    file_bytes: float | None

    @property
    def op(self) -> str:
        """The operation: `read` or `write`."""
        return self.pattern.removeprefix("rand")

    @property
    def outstanding(self) -> int:
        """Requests of all processes together."""
        return self.iodepth * self.jobs

    @property
    def name(self) -> str:
        """What files call the run: `randread 4x32` has a depth of 4 in 32 processes."""
        return f"{self.pattern} {self.iodepth}x{self.jobs}"


def depths(path: Path, wanted: Wanted = any_drive) -> list[Depth]:
    """Read a table. Raises `InputError` with the line of what cannot be."""
    columns = ["device", "array", "rw", "bs_bytes", "iodepth", "numjobs"]
    columns += [f"{op}_{what}" for op in ("read", "write") for what in ("iops", "lat_mean_us")]
    columns += [f"{op}_{quantile}_us" for op in ("read", "write") for quantile in QUANTILES]
    return [_depth(row, at) for at, row in rows(path, columns, wanted)]


def _depth(row: dict[str, str], at: str) -> Depth:
    pattern = next((known for known in get_args(Pattern) if known == row["rw"]), None)
    if pattern is None:
        known = " or ".join(f"`{known}`" for known in get_args(Pattern))
        raise InputError(f"{at}: rw: expected {known}, found `{row['rw']}`")
    op = pattern.removeprefix("rand")
    found = Depth(
        place=at,
        device=row["device"],
        path=row["array"],
        pattern=pattern,
        block_bytes=whole(row, "bs_bytes", at),
        iodepth=whole(row, "iodepth", at),
        jobs=whole(row, "numjobs", at),
        iops=number(row, f"{op}_iops", at),
        mean_us=number(row, f"{op}_lat_mean_us", at),
        latency_us=latencies(row, op, at, QUANTILES, f"{op}_lat_mean_us"),
        file_bytes=number(row, "size_bytes", at) if row.get("size_bytes") else None,
    )
    share = found.iops * found.mean_us / 1e6 / found.outstanding
    low, high = OUTSTANDING_SHARE
    if not low <= share <= high:
        raise HintedError(
            f"{at}: {op}_lat_mean_us: expected about {1e6 * found.outstanding / found.iops:g}, "
            f"for {found.outstanding} outstanding at {found.iops:g} a second, found {found.mean_us:g}",
            "is the column in microseconds?",
        )
    return found
