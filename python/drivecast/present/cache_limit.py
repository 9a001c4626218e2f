"""What keeps a cache from doing better, in words: the one place where a `Limit` is worded.

A text says what was found, what it means for the load, and what to change, under the cache's own name of the setting.
"""

from collections.abc import Callable

from drivecast.document.cache_status import CacheStatus, Limit, LimitKind
from drivecast.quantity import number

DISKS_LEAST = 0.8
"""Share of what the disks take from which they are what cleaning waits for."""

Words = Callable[[CacheStatus, Limit], str]


def text(status: CacheStatus, limit: Limit) -> str:
    """Return a limit with its figures."""
    return TEXTS[limit.kind](status, limit)


def _share(limit: Limit) -> str:
    return number.percent(limit.share)


def _no_clean_block(status: CacheStatus, limit: Limit) -> str:
    if status.cache == "dm-writecache":
        return f"{_share(limit)} of writes wait until a block is free: write-back is slower than the writes come in"
    return (
        f"no clean block: {_share(limit)} of requests found their set of blocks dirty or busy, and went to the disks; "
        "clean earlier (lower `dirty_thresh_pct`) or give the cache more blocks"
    )


def _sets_conflict(_status: CacheStatus, limit: Limit) -> str:
    return (
        f"sets conflict: {_share(limit)} of requests found no clean block in their set while only "
        f"{number.percent(limit.found)} of the cache is in use; the data map to few of its sets: larger sets, or "
        "another `-d` (disk associativity), spread them"
    )


def _sequential(status: CacheStatus, limit: Limit) -> str:
    also = "" if status.cache == "flashcache" else " (or the cache was congested, or full of dirty data)"
    return (
        f"sequential skip: {_share(limit)} of {_what(status)} went past the cache by `{limit.setting}`{also}"
    )


def _policy(_status: CacheStatus, limit: Limit) -> str:
    return (
        f"passed through: {_share(limit)} of requests went past the cache: sequential (`seq-cutoff`), an I/O class "
        "that is not cached, or no line that could be evicted"
    )


def _all_dirty(status: CacheStatus, limit: Limit) -> str:
    head = f"full of dirty data: {number.percent(limit.found)} of what it holds"
    match status.cache:
        case "bcache":
            return (
                f"buckets in use: {number.percent(limit.found)}; above {number.percent(limit.limit)} bcache caches "
                "nothing more until write-back has freed some"
            )
        case "open-cas":
            waits = "each new line has to be cleaned first, so the host waits for the disks"
            return f"{head}; {waits}; {_cleaner(status, limit)}"
    return f"{head}; nothing can be demoted before it is written back, so no other block is promoted"


def _cleaner(status: CacheStatus, limit: Limit) -> str:
    """Say whether the disks or the cleaning policy are what cleaning waits for."""
    dirty, policy = status.dirty, f"the cleaning policy `{limit.setting}`"
    if not dirty.cleaned_bytes_per_s or not dirty.drain_backing_s or dirty.bytes is None:
        return f"`--backing-rate`, with a second sample, shows whether the disks or {policy} are the limit"
    share = dirty.cleaned_bytes_per_s * dirty.drain_backing_s / dirty.bytes
    if share >= DISKS_LEAST:
        return f"it cleans as much as the disks take, so they are the limit, not {policy}"
    late = f"{policy} starts too late (ALRU waits, ACP does not)"
    return f"it cleans {number.percent(share)} of what the disks take: {late}"


def _threshold(status: CacheStatus, limit: Limit) -> str:
    found, aim = number.percent(limit.found), number.percent(limit.limit)
    if status.cache == "bcache":
        return f"dirty data: {found} of the cache, where it aims at {aim} (`{limit.setting}`): write-back speeds up"
    if status.cache == "dm-writecache":
        return f"in use: {found}, above `{limit.setting}` ({aim}): write-back runs beside the load"
    return (
        f"dirty threshold: {found} of the blocks are dirty, at or above `{limit.setting}` ({aim}): cleaning runs "
        "beside the load at all times"
    )


def _behind(_status: CacheStatus, limit: Limit) -> str:
    return (
        f"cleaning falls behind: {number.count(limit.limit)} blocks became dirty in the period and "
        f"{number.count(limit.found)} were cleaned"
    )


def _early(_status: CacheStatus, limit: Limit) -> str:
    return (
        f"cleaned early: a block takes {number.significant(limit.found, 3)} writes before it goes to the disks, so "
        f"write-back saves them {number.percent(1 - 1 / (limit.found or 1.0))} of the writes; a higher "
        "`dirty_thresh_pct` lets a block take more, if the load writes the same blocks again"
    )


def _metadata(_status: CacheStatus, limit: Limit) -> str:
    return f"metadata: {_share(limit)} of the writes to the cache drive"


def _misses(status: CacheStatus, limit: Limit) -> str:
    if status.cache == "zfs-arc":
        return f"misses in memory: {_share(limit)} of accesses, with the ARC at its target size (`{limit.setting}`)"
    head = f"misses: {_share(limit)} of {_what(status)}"
    full = "" if limit.found is None else f" with the cache {number.percent(limit.found)} full"
    return f"{head}{full}; a larger cache helps where the load comes back to what was evicted"


def _cold(status: CacheStatus, limit: Limit) -> str:
    used = "" if limit.found is None else f": only {number.percent(limit.found)} of it is in use"
    return f"not full yet{used}; {_share(limit)} of {_what(status)} miss, most of them for the first time"


def _what(status: CacheStatus) -> str:
    match status.cache:
        case "dm-cache":
            return "requests"
        case "zfs-arc":
            return "accesses"
        case "cachelib-navy":
            return "lookups"
    return "reads"


def _fed(_status: CacheStatus, limit: Limit) -> str:
    return (
        f"feed: of what memory evicts and the L2ARC may hold, it holds {number.percent(limit.found)}; "
        f"`{limit.setting}` limits how fast it is written, so the rest goes by"
    )


def _unread(_status: CacheStatus, limit: Limit) -> str:
    return (
        f"written more than read: {number.significant(limit.found, 2)} bytes are read from the cache drive for each "
        f"written to it; `{limit.setting}=1` keeps out what is used once"
    )


TEXTS: dict[LimitKind, Words] = {
    "no-clean-block": _no_clean_block,
    "sets-conflict": _sets_conflict,
    "not-whole-blocks": lambda _status, limit: (
        f"uncached by size or list: {_share(limit)} of requests are not one whole, aligned block (or are of a process "
        "that is not cached), go past the cache and drop what they overlap; align partitions and use requests of the "
        "cache's block size"
    ),
    "sequential": _sequential,
    "size-or-policy": _policy,
    "promotions-stopped": lambda status, limit: (
        f"promotions refused: {_share(limit)} of requests went past a full cache (`{limit.setting}`)"
        + ("" if status.cache == "open-cas" else " and no block was promoted in the period")
    ),
    "all-dirty": _all_dirty,
    "dirty-threshold": _threshold,
    "cleaning-behind": _behind,
    "cleaned-early": _early,
    "metadata-writes": _metadata,
    "metadata-full": lambda _status, limit: (
        f"the metadata device is {number.percent(limit.found)} full; at 100 % the cache turns read-only"
    ),
    "writes-around": lambda _status, limit: (
        f"writes around: {_share(limit)} of written blocks found no free block and went to the disks at once"
    ),
    "fills-unread": _unread,
    "feed": _fed,
    "headers": lambda _status, limit: (
        f"headers of the L2ARC take {_share(limit)} of the memory of the ARC, which caches that much less"
    ),
    "rejected": lambda _status, limit: f"admission: {_share(limit)} of the items offered were rejected",
    "cold": _cold,
    "misses": _misses,
    "errors": lambda _status, limit: (
        "errors of the cache or its devices"
        + ("" if limit.found is None else f": {number.count(limit.found)}")
        + ("" if limit.setting is None else f" (`{limit.setting}`)")
        + "; see the kernel's log before anything else"
    ),
}
