"""Why a design fits, misses or was not simulated, in words: the one place where a `Miss` is worded."""

from collections.abc import Callable

from drivecast.document.miss import Miss
from drivecast.document.plan import Design, Plan, Volume
from drivecast.present import cache_words
from drivecast.quantity import number

BEST = {
    "cost": "cheapest that fits",
    "read_p99": "fastest reads",
    "write_p99": "fastest writes",
    "life": "longest life",
}
WRITE_CACHE = {
    "on": "disk write cache on",
    "off": "disk write cache off",
    "mixed": "disk write cache on in some disks",
    "volatile": "no power-loss protection: durable writes wait for flash",
}
KNOWN = {
    "measured": "latency measured",
    "platform": "another of its platform measured",
    "sheet-only": "sheet only",
}
NS_WHOLE = 1e8
"""From here on, milliseconds are whole."""


def text(design: Design) -> str:
    """Return the reason for a design's verdict, and what it rests on.

    That is the state of its disks' write cache, and for a design that fits how its latency is known.
    """
    cache = design.outcome.write_cache if design.outcome else None
    yours = "today" if design.today else "yours" if design.yours else ""
    parts = (
        yours,
        _verdict(design),
        *(_tolerated(miss) for miss in design.tolerated),
        *_known(design),
        WRITE_CACHE[cache] if cache else "",
        *(_volume(volume) for volume in design.volumes or ()),
        cache_words.brief(design),
    )
    return "; ".join(part for part in parts if part)


def _tolerated(miss: Miss) -> str:
    whose = f"{miss.volume}: " if miss.volume else ""
    return f"{whose}life {miss.found or 0.0:.2f} of {miss.limit or 0.0:g} years, within tolerance"


def _volume(volume: Volume) -> str:
    """Return what one of several volumes does with its part of the load."""
    p99s = (
        f"p99 {op} {number.latency(span.value)}"
        for op, span in (("read", volume.read_p99_ns), ("write", volume.write_p99_ns))
        if span is not None and span.value is not None
    )
    carries = f"headroom {number.headroom(volume.headroom)}" if volume.headroom is not None else ""
    fits = f"{number.size(volume.usable_bytes)} for {number.size(volume.capacity_needed_bytes)} needed"
    return f"{volume.name} ({volume.selector}): {', '.join(filter(None, (carries, *p99s, fits)))}"


def _known(design: Design) -> tuple[str, ...]:
    if design.miss is not None:
        return ()
    chance = design.latency_chance
    probably = "" if chance is None else f"probably fits ({chance:.0%})"
    return probably, KNOWN[design.latency_known] if design.latency_known else ""


def _verdict(design: Design) -> str:
    if design.miss is not None:
        return "; ".join(miss_text(miss, design.currency) for miss in design.misses)
    tied = ["tied on cost"] if design.tier == 1 and design.rank != 1 else []
    if design.best:
        return ", ".join([*tied, *(BEST[name] for name in design.best)])
    if design.pareto_optimal or tied:
        return ", ".join([*tied, *(["Pareto-optimal"] if design.pareto_optimal else [])])
    return f"dominated by #{design.dominated_by}" if design.dominated_by else ""


def kind(design: Design) -> str:
    """Return a reason without its figures."""
    return _verdict(design) or "no reason given" if design.miss is None else miss_kind(design.miss)


def miss_kind(miss: Miss) -> str:
    """Return a missed requirement without its figures."""
    if miss.kind == "latency":
        head = "too slow" if miss.load is None else "no headroom"
        head = "too slow over the whole log" if miss.over_all else head
        return f"{head}: p99{f' {miss.op}' if miss.op else ''}{', saturated' if miss.saturated else ''}"
    return HEADS[miss.kind]


def reasons(designs: list[Design]) -> list[tuple[str, list[Design]]]:
    """Designs by the kind of their reason, most frequent first."""
    groups: dict[str, list[Design]] = {}
    for design in designs:
        groups.setdefault(kind(design), []).append(design)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def ruled_out(plan: Plan) -> list[tuple[str, int, list[Design]]]:
    """Designs that bounds rule out by the kind of their reason: how many, and those that are listed."""
    listed = dict(reasons([design for design in plan.designs if design.verdict == "pruned"]))
    counts = {kind: len(designs) for kind, designs in listed.items()}
    for group in plan.ruled_out:
        kind = miss_kind(group.miss)
        counts[kind] = counts.get(kind, 0) + group.designs
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(kind, count, listed.get(kind, [])) for kind, count in ordered]


HEADS = {
    "saturated": "too slow: saturated",
    "flash-life": "flash worn out",
    "rated-writes": "endurance exhausted",
    "budget": "over budget",
    "power": "draws too much power",
    "capacity": "too small",
    "data-loss": "loses data too often",
    "failures-tolerated": "tolerates too few drive failures",
    "dearer": "dearer than what fits",
    "rotation": "turns too slowly",
    "link": "links too slow",
    "not-sold": "no longer sold",
    "no-power-loss-protection": "for desktops, without power-loss protection",
    "host-managed": "written zone by zone by the host",
    "trimmed": "partitioned, where free space is trimmed",
    "smaller-fits": "more drives than needed",
    "time": "not tried in time",
    "backup": "does not keep up with the backup",
    "cache-misses": "too few hits in the cache",
}


def miss_text(miss: Miss, currency: str) -> str:
    """Return a missed requirement with its figures, of the volume that it is of."""
    return f"{miss.volume}: {_miss_text(miss, currency)}" if miss.volume else _miss_text(miss, currency)


def _miss_text(miss: Miss, currency: str) -> str:
    if miss.kind == "budget":
        amounts = (number.money(value, currency) for value in (miss.found, miss.limit))
        return f"over budget: {'at least ' if miss.is_bound else ''}{' > '.join(amounts)}"
    if miss.kind == "dearer" and miss.found is not None:
        amounts = (number.money(value, currency) for value in (miss.found, miss.limit))
        return f"{HEADS[miss.kind]}: at least {' > '.join(amounts)}"
    if miss.kind == "dearer":
        return HEADS[miss.kind]
    return TEXTS[miss.kind](miss, miss.found or 0.0, miss.limit or 0.0)


def _loaded(miss: Miss, text: str) -> str:
    if miss.over_all:
        return f"too slow over the whole log: {text}"
    return f"too slow: {text}" if miss.load is None else f"no headroom: {text} at {miss.load:.1f} × the peak"


def _failures(count: float) -> str:
    return f"{count:.0f} drive failure{'' if count == 1 else 's'}"


def _ms(time_ns: float) -> str:
    return f"{time_ns / 1e6:.3g} ms" if time_ns < NS_WHOLE else f"{time_ns / 1e6:,.0f} ms"


def _slow(miss: Miss, found: float, limit: float) -> str:
    if miss.op is None:
        return _loaded(miss, "a limit on p99 is missed")
    late = ", saturated" if miss.saturated else ""
    whose = " by the array's own work alone" if miss.is_bound else ""
    log = f" of {miss.log}" if miss.log else ""
    return _loaded(miss, f"p99 {miss.op}{log} {_ms(found)} > {_ms(limit)}{late}{whose}")


TEXTS: dict[str, Callable[[Miss, float, float], str]] = {
    "latency": _slow,
    "saturated": lambda miss, _found, _limit: _loaded(miss, "requests arrive faster than they are served"),
    "flash-life": lambda _miss, found, limit: f"flash worn out after {found:.1f} of {limit:g} years",
    "rated-writes": lambda miss, found, limit: (
        f"endurance exhausted after {'at most ' if miss.is_bound else ''}{found:.1f} of {limit:g} years"
    ),
    "power": lambda miss, found, limit: (
        f"draws {found:.0f} W{' idle' if miss.is_bound else ''}, {limit:.0f} W allowed"
    ),
    "capacity": lambda _miss, found, limit: (
        f"too small: {number.size(found)} usable, {number.size(limit)} needed"
    ),
    "data-loss": lambda _miss, found, limit: (
        f"data loss {number.probability(found)}, {number.probability(limit)} allowed"
    ),
    "failures-tolerated": lambda _miss, found, limit: f"tolerates {_failures(found)}, {limit:.0f} needed",
    "rotation": lambda _miss, found, _limit: (
        f"turns too slowly: p99 read at least {found / 1e6:.1f} ms even when idle"
    ),
    "link": lambda _miss, found, limit: (
        f"links carry {found / 1e6:,.0f} MB/s, the peak has {limit / 1e6:,.0f} MB/s"
    ),
    "not-sold": lambda _miss, _found, _limit: "no longer sold (`--include-old` considers it)",
    "no-power-loss-protection": lambda _miss, _found, _limit: (
        "no power-loss protection: a commit waits for the flash, or is lost with the power"
        " (`--consumer` considers it)"
    ),
    "host-managed": lambda _miss, _found, _limit: (
        "shingled tracks, which only the host can write, zone by zone"
    ),
    "trimmed": lambda _miss, _found, _limit: "partitioning adds no spare where free space is trimmed",
    "time": lambda _miss, _found, _limit: "not tried in time",
    "smaller-fits": lambda _miss, found, _limit: f"more drives than needed: {found:.0f} fit",
    "backup": lambda _miss, _found, limit: (
        f"does not keep up with the backup of {limit / 1e6:,.0f} MB/s beside the load"
    ),
    "cache-misses": lambda _miss, found, limit: (
        f"too few hits: {number.percent(found)} of the reads would miss the cache, {number.percent(limit)} may"
    ),
}
