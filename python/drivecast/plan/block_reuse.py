"""What a log says of caches: how its blocks are met again, and what cached designs play of it.

Model. Of a trace, its requests; of windows, those of a pass, or of as even a part of one as `windows_excerpt` makes,
whose blocks come again as in a trace shorter by as much: hits are fewer than those of the trace. A log of more than
`PLAYED_MAX` requests, or `REFERENCES_MAX` references to blocks, is too long for caches to be filled by all of it before
each run. There cached designs play its busiest stretch, after what came before, up to as many requests: hits are fewer
than after all of it. Counters have no addresses, so nothing is met again, and a backup was made up from its bytes.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from drivecast.caching import reuse
from drivecast.caching.reuse import Reuse
from drivecast.catalog import Catalog
from drivecast.document.plan import NoCaches
from drivecast.errors import HintedError
from drivecast.plan import cache_space, load
from drivecast.plan.backup import Stretch
from drivecast.plan.candidate import Options
from drivecast.plan.load import WHOLE_MAX, Recorded, Replay, Timed
from drivecast.stage import trace

PLAYED_MAX = WHOLE_MAX
REFERENCES_MAX = 10_000_000
"""To blocks: filling a cache takes some microseconds for each."""
_REFUSED: dict[NoCaches, tuple[str, str]] = {
    "counters": ("counters do not say what is met again", "record a trace: `drivecast capture`"),
    "backup": ("what a backup meets again is not known", "`--backup exclude`"),
}


@dataclass(frozen=True)
class BlockReuse:
    """What is known, and what is not."""

    again: Reuse | None = None
    searched: bool = False
    """Whether cached designs are searched for, or judged only where they are named."""
    load: Replay | None = None
    """What cached designs play, where that is a part of the log."""
    why_not: NoCaches | None = None
    """Why nothing can be said, where caches would be considered."""

    def spread(self, to_bytes: int) -> "BlockReuse":
        """The same over all that will be stored."""
        part = None if self.load is None else load.spread(self.load, to_bytes)
        return replace(self, load=part) if isinstance(part, Replay) else self


def of(
    log: Recorded, played: Timed, options: Options, catalog: Catalog, met: Stretch | None = None
) -> BlockReuse:
    """What is known of a log. `met` is a backup to keep up with.

    Raises `InputError` where caches were asked for, and nothing can be said of them.
    """
    if options.caches is False:
        return BlockReuse()
    if options.where == "cloud" or not cache_space.has_disks(catalog, include_old=options.include_old):
        if options.caches:
            raise HintedError(
                "--caches: no disks are among the designs considered", "`drivecast catalog list` has disks"
            )
        return BlockReuse()
    why: NoCaches | None = None
    if not isinstance(played, Replay):
        why = "counters"
    elif met is not None:
        why = "backup"
    if why is not None:
        if options.caches:
            raise HintedError(f"--caches: {_REFUSED[why][0]}", _REFUSED[why][1])
        return BlockReuse(why_not=why)
    if options.whole_log is not None and options.whole_log.passed is not None:
        return BlockReuse(reuse.of_table(options.whole_log.passed), searched=True)
    with reuse.as_table(log.files, log.reading) as file:
        again = reuse.of_table(file)
        part = _part(file, again, log, played) if isinstance(played, Replay) else None
        return BlockReuse(again, searched=True, load=part)


def _part(file: Path, again: Reuse, log: Recorded, whole: Replay) -> Replay | None:
    """The busiest stretch of a long log after what came before it; none of a log that is not long."""
    requests = log.profile.requests
    most = int(min(PLAYED_MAX, REFERENCES_MAX * requests / max(1.0, again.references)))
    if requests <= most:
        return None
    time_ns = pl.col("time_ns")
    table = pl.scan_parquet(file).sort("time_ns")
    first: int = table.select(time_ns.first()).collect().item()
    start_ns = first + round(whole.start_s * 1e9)
    rows = table.filter(time_ns < start_ns + round(whole.length_s * 1e9)).tail(most).collect()
    begin: int = rows["time_ns"][0]
    rows.with_columns(time_ns - begin).write_parquet(part := file.with_name("part.parquet"))
    return replace(
        whole,
        trace=trace.workload([part], trace.AS_IT_IS),
        start_s=max(0, start_ns - begin) / 1e9,
        whole_log=None,
        is_part=True,
    )
