"""CacheLib Navy: its counters by name, as cachebench prints them (`printNvmCounters`) or as a JSON object of numbers.

    == NVM Counters Map ==
    NAME  :  NUMBER            (six digits)

CacheLib has no file of statistics: `getNvmCacheStatsMap` hands a map to the program, and its names are not promised.
These were read at 22 Aug 2026. Of several engine pairs the sums are taken (`navy_bh_logical_written_0`, …).

    written to the drive = navy_device_bytes_written
    written by users = navy_bh_logical_written + navy_bc_logical_written

BigHash (small objects) rewrites a whole bucket for each insertion. Left out: what the drive itself writes again, and
hits in memory. Source: facebook/CacheLib `cachelib/navy`, `cachelib/cachebench/cache/CacheStats.h`.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from drivecast.caching.cache_sample import Meaning, Period, Sample, Source, notable, ratio
from drivecast.document.cache_status import Dirty, Limit, Requests, Traffic, Written
from drivecast.errors import HintedError
from drivecast.quantity.interval import Interval

HOW = 'cachebench prints it with `"printNvmCounters": true` in `cache_config`'
DIGITS = 6
"""Of a number that cachebench prints."""

_LINE = re.compile(r"^(navy_[\w:]+)\s+:\s+(\S+)\s*$")
_PAIR = re.compile(r"_\d+(:\w+)?$")
_NEEDED = ("navy_lookups", "navy_succ_lookups", "navy_device_bytes_written")
_LOGICAL = ("navy_bh_logical_written", "navy_bc_logical_written")
_MORE = (
    "navy_accepted",
    "navy_rejected",
    "navy_inserts",
    "navy_device_bytes_read",
    "navy_io_errors",
    "navy_device_read_errors",
    "navy_device_write_errors",
)
_GAUGES = ("navy_bh_size", "navy_bc_size", "navy_bh_used_size_bytes", "navy_bc_used_size_bytes")


def is_json(text: str) -> bool:
    """Whether a text is a JSON object with Navy's names."""
    return text.lstrip().startswith("{") and '"navy_' in text


def is_map(text: str) -> bool:
    """Whether a text holds the map that cachebench prints."""
    return re.search(r"^navy_[\w:]+\s+:\s+\S+", text, re.M) is not None


def of_json(source: Source) -> Sample:
    """Return the sample in a JSON object."""
    try:
        content = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise HintedError(
            f"{source.at(line)}: no JSON object: {error}", "the file is cut off, or is damaged"
        ) from None
    if not isinstance(content, dict):
        raise HintedError(f"{source.place}: expected a JSON object of numbers", HOW)
    values = {
        name: _number(value, f"{source.place}: {name}")
        for name, value in content.items()
        if name.startswith("navy_")
    }
    return _sample(source, values, rounded=False)


def of_map(source: Source) -> Sample:
    """Return the sample in what cachebench prints: the last map, of the run up to there."""
    begin = source.text.rfind("== NVM Counters Map ==")
    text = source.text[max(begin, 0) :]
    first = source.text.count("\n", 0, max(begin, 0)) + 1
    values: dict[str, float] = {}
    for number, line in enumerate(text.splitlines(), first):
        if found := _LINE.match(line):
            values[found[1]] = _number(found[2], f"{source.at(number)}: {found[1]}")
    return _sample(source, values, rounded=True)


def _number(value: Any, place: str) -> float:
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not (math.isfinite(found) and 0 <= found < 2**64):
        raise HintedError(f"{place}: expected a number from 0 to 2^64, found `{str(value)[:40]}`", HOW)
    return found


def _sample(source: Source, values: dict[str, float], *, rounded: bool) -> Sample:
    wanted = (*_NEEDED, *_LOGICAL, *_MORE, *_GAUGES)
    found: dict[str, float] = {}
    for name, value in values.items():
        plain = name if name in wanted else _PAIR.sub("", name)
        if plain in wanted and (plain == name or plain not in values):
            found[plain] = found.get(plain, 0.0) + value
    missing = [f"`{name}`" for name in _NEEDED if name not in found]
    missing += [] if any(name in found for name in _LOGICAL) else [f"`{_LOGICAL[1]}`"]
    if missing:
        raise HintedError(
            f"{source.place}: Navy's counters without {', '.join(missing)}",
            f"the file is cut off, or of a version whose names differ; {HOW}",
        )
    counters = {name: value for name, value in found.items() if name not in _GAUGES}
    gauges = {name: value for name, value in found.items() if name in _GAUGES}
    size = gauges.get("navy_bh_size", 0.0) + gauges.get("navy_bc_size", 0.0)
    return Sample(
        "cachelib-navy",
        source.place,
        "Navy",
        {"size": f"{size:.0f}"} if size else {},
        counters,
        {**gauges, **({"size": size} if size else {})},
        steps=_steps(counters) if rounded else {},
        rounded="nearest",
    )


def _steps(counters: Mapping[str, float]) -> dict[str, float]:
    """How fine each is printed: smaller whole numbers are exact."""
    return {
        name: 10.0 ** (math.floor(math.log10(value)) - DIGITS + 1)
        for name, value in counters.items()
        if value >= 10.0**DIGITS
    }


def explain(period: Period) -> Meaning:
    """Say what the counters mean."""
    sample, count = period.last, period.count
    used = sum(value for name, value in sample.gauges.items() if name.endswith("used_size_bytes"))
    reads, hits = count("navy_lookups"), count("navy_succ_lookups")
    return Meaning(
        requests=Requests(
            unit="lookups",
            reads=reads,
            writes=period.found("navy_inserts"),
            read_hits=hits,
            read_hit_ratio=ratio(hits, reads),
            reads_per_s=period.per_s(reads),
            writes_per_s=period.per_s(period.found("navy_inserts")),
        ),
        traffic=_traffic(period),
        dirty=Dirty(bytes=0, known="published", missing="no-write-back"),
        size_bytes=None if "size" not in sample.gauges else round(sample.gauges["size"]),
        used_bytes=round(used) if used else None,
        limits=_limits(period),
        notes=sample.notes,
    )


def _sum(*spans: Interval | None) -> Interval:
    known = [span for span in spans if span is not None]
    return Interval(*(sum(getattr(span, end) for span in known) for end in ("low", "value", "high")))


def _traffic(period: Period) -> Traffic:
    written = period.span("navy_device_bytes_written")
    users = _sum(*(period.span(name) for name in _LOGICAL))
    read = period.found("navy_device_bytes_read")
    total = _sum(written)
    return Traffic(
        host_written_bytes=users,
        host_written_known="measured",
        drive_written=[
            Written(
                cause="data",
                bytes=total,
                share=1.0 if total.value else None,
                per_host_write=total.value / users.value if users.value else None,
            )
        ],
        drive_written_bytes=total,
        drive_written_bytes_per_s=period.per_s(total.value),
        drive_read_bytes=read,
    )


def _limits(period: Period) -> tuple[Limit, ...]:
    count = period.count
    offered = count("navy_accepted") + count("navy_rejected")
    errors = count("navy_io_errors") + count("navy_device_read_errors") + count("navy_device_write_errors")
    return notable(
        Limit(kind="rejected", share=ratio(count("navy_rejected"), offered)),
        Limit(
            kind="misses",
            share=ratio(count("navy_lookups") - count("navy_succ_lookups"), count("navy_lookups")),
        ),
        Limit(kind="errors", found=errors) if errors else None,
    )
