"""A workload line in place of a log: the rate, sizes and mix of a load that nobody has recorded yet.

Model. The line's requests are counted on drives that take no time, and written as an hour of counters that are the same
every minute. What holds of counters holds of it: addresses are uniform over the data, but for the share of reads and
of writes that the line has in order (`sequential=`), and arrivals are independent of each other. Lines of other
patterns and closed loops, which have no rate, are refused.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from drivecast import _core
from drivecast.catalog import load as load_catalog
from drivecast.document.profile import Profile, SequentialShare
from drivecast.errors import HintedError
from drivecast.files import write_whole
from drivecast.plan.load import Stated, counted
from drivecast.quantity.interval import Interval

PATTERN = "random("
MINUTES = 60
BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
"""Any day: equal lines give equal logs."""
COUNTERS = ("Disk Reads/sec", "Disk Writes/sec", "Disk Read Bytes/sec", "Disk Write Bytes/sec")
NAME_MAX = 200
"""Letters of a line that the plan is called by: files have no longer names."""
NOTE = "a workload line: the same load all the time, over all of the data"


def stated(profile: Profile, in_order: tuple[float, float] | None) -> Profile:
    """The profile of a line's counters with the shares of reads and writes in order that it has; none: of a log."""
    if in_order is None:
        return profile
    reads, writes = in_order
    share = profile.read_fraction or 0.0
    found = Interval.exactly(share * reads + (1 - share) * writes)
    exact = SequentialShare(all=found, read=Interval.exactly(reads), write=Interval.exactly(writes))
    return profile.model_copy(update={"sequential_fraction": found.value, "sequential_share": exact})


def in_order(line: str) -> tuple[float, float]:
    """The shares of the reads and of the writes of a line that begin where the one before ended."""
    reads, writes = _core.Workload.line(line).in_order or (0.0, 0.0)
    return reads, writes


def write_log(line: str, folder: Path, seed: int) -> Path:
    """Write what counters would say of a line, into `folder`.

    Raises `InputError` for a line that is none, has no rate, or whose addresses counters cannot say.
    """
    load = Stated(line)
    if re.search(r"\bfua\s*=", line):
        raise HintedError(
            f"`{line}`: a plan takes durable writes as a rate", "`--fsync-rate 400` in place of `fua=`"
        )
    if not line.lstrip().startswith(PATTERN):
        raise HintedError(
            f"`{line}`: a plan takes the rate, sizes and mix of a `random(…)` line",
            "`drivecast versus` and `drivecast simulate` play any line; or record a trace: `drivecast capture`",
        )
    if load.rate_iops is None:
        raise HintedError(
            f"`{line}`: a closed loop has no rate to plan for", "write `rate=` in it: `rate=4000iops`"
        )
    found = counted(load, load_catalog(), seed)
    each = load.rate_iops / found.requests
    rates = [
        each * amount
        for amount in (
            found.read.requests,
            found.write.requests,
            found.host_read_bytes,
            found.host_written_bytes,
        )
    ]
    heading = ["(PDH-CSV 4.0) (UTC)(0)", *(f"\\\\line\\PhysicalDisk(0)\\{name}" for name in COUNTERS)]
    at = (BEGINS + timedelta(minutes=minute) for minute in range(MINUTES))
    samples = ([f"{time:%m/%d/%Y %H:%M:%S}.000", *(f"{rate:.9g}" for rate in rates)] for time in at)
    path = folder / f"{line.replace('/', '_')[:NAME_MAX]}.csv"
    write_whole(path, "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in (heading, *samples)))
    return path
