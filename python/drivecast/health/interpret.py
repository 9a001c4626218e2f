"""From what a drive reported to figures: the places its rule names, best first, and what speaks against them.

A field whose count means `no value`, or that was reset, is passed over and a note says so; the next is taken.
A count that cannot be is stored as `doubtful` where there is nothing better.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from drivecast.document.record import NAMES, Figure
from drivecast.health.rules import Place, Rule, Timer, scale
from drivecast.health.smart_data import SmartData

SPARE, THRESHOLD = "spare_ratio", "spare_threshold_ratio"
_ALL_ONES = {2.0**bits - 1 for bits in (32, 48, 64)}
"""Counters that hold them were never written, whoever made the drive."""
_RESET = 0.98
"""A timer that ran for a smaller part of the power-on time was reset."""
_POINT = 0.01 + 1e-9
_LOG = re.compile(r"^(nvme_smart_health_information_log|scsi_error_counter_log)\.")


@dataclass
class Interpretation:
    """Figures by name, and what a person has to know of them."""

    figures: dict[str, Figure] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TimerReading:
    """What a drive reports of the workload since its timer was reset."""

    wear_ratio: float
    wear_step: float
    read_ratio: float | None
    minutes: float


def interpret(document: SmartData, rule: Rule) -> Interpretation:
    """Read every figure that the rule has a place for."""
    found = Interpretation(notes=list(rule.notes))
    for name in NAMES:
        figure = _best(name, document, rule, found)
        if figure is not None:
            found.figures[name] = figure
    _take_threshold(document, rule, found)
    return found


def _take_threshold(document: SmartData, rule: Rule, found: Interpretation) -> None:
    """Read the threshold of the attribute that the spare was read from, where no place is named for it."""
    spare = found.figures.get(SPARE)
    if spare is None or THRESHOLD in found.figures:
        return
    for place in rule.figures.get(SPARE, []):
        own = evaluate(place, document) if place.part == "normalized" else None
        if own is not None and own.attribute == spare.attribute:
            figure = evaluate(place.model_copy(update={"part": "threshold"}), document)
            if figure is not None and not figure.reason:
                found.figures[THRESHOLD] = figure
            return


def _best(name: str, document: SmartData, rule: Rule, found: Interpretation) -> Figure | None:
    doubtful: Figure | None = None
    places = rule.figures.get(name, [])
    for number, place in enumerate(places):
        figure = evaluate(place, document)
        if figure is None:
            continue
        if not figure.reason and place.whole_life:
            figure = replace(figure, reason=_not_whole_life(figure, places[number + 1 :], document, rule))
        if not figure.reason:
            unit = scale(place.unit, document.block_bytes)
            if place.stops_at is not None and figure.value == _value(float(place.stops_at), unit, place):
                found.notes.append(f"{figure.attribute} moves no further: it may be more")
            return figure
        found.notes.append(f"{figure.attribute}: {figure.reason}")
        doubtful = doubtful or (None if place.whole_life else replace(figure, trust="doubtful"))
    return doubtful


def _value(count: float, unit: float, place: Place) -> float:
    if place.descends:
        return round((100 - count) * unit, 12)
    # Whole counts times whole units stay exact; a percent does not, so it is rounded to what was meant.
    return count * unit if unit >= 1 else round(count * unit, 12)


def evaluate(place: Place, document: SmartData) -> Figure | None:
    """Return what a place says; nothing where the drive does not report, a `reason` where it cannot be believed."""
    read = _count(place, document)
    if read is None:
        return None
    count, attribute = read
    if place.bits is not None:
        count = float(int(count) % (1 << place.bits))
    unit = scale(place.unit, document.block_bytes)
    reason = next(_against(place, count, document), None)
    value, step = _value(count, unit, place), scale(place.step or place.unit, document.block_bytes)
    if place.pages is not None:
        host, background = (document.attributes.get(page) for page in place.pages)
        if host is None or background is None or not host.raw or background.raw is None:
            return None
        value = float(round(value * (host.raw + background.raw) / host.raw))
        # A page more or less moves the bytes by their share of a page.
        step = max(unit, value / (host.raw + background.raw))
        attribute = f"{attribute} × ({host.id} + {background.id}) / {host.id}"
    return Figure(value, attribute, place.trust, step, reason)


def _against(place: Place, count: float, document: SmartData) -> Iterator[str]:
    """Yield why a count cannot be, the plainest reason first."""
    if place.doubt is not None:
        yield place.doubt
    if place.listed and document.at("in_smartctl_database") is False:
        yield "smartctl's data base does not list this model: what it counts is a guess"
    if count in place.invalid or count in _ALL_ONES:
        yield f"holds {count:.0f}, which means that there is no value"
    if place.descends and not 0 <= count <= 100:
        yield f"holds {count:g}, and counts down from 100"
    if count < 0 and place.unit != "celsius":
        yield f"holds {count:g}, and a count is not negative"
    attribute = document.attributes.get(place.attribute or 0)
    raw, left = (attribute.raw or 0.0, attribute.normalized) if attribute else (0.0, None)
    if place.unless_raw and 0 < raw <= 100 and raw != count:
        yield f"says {count:g}, and its raw value {raw:g}: one of them is not what it seems"
    # Beyond the rated life the normalized value stays at its end.
    if place.mirrored and left is not None and abs(count + left - 100) > 1 and (count < 99 or left > 1):
        yield f"says {count:g} % used, and its normalized value {left:g} % left"
    if place.step is None and not count.is_integer():
        yield f"holds {count:g}, and a count is whole"


def _count(place: Place, document: SmartData) -> tuple[float, str] | None:
    if place.attribute is not None:
        attribute = document.attributes.get(place.attribute)
        if attribute is None or (place.named is not None and attribute.name != place.named):
            return None
        shown = f"{attribute.id} {attribute.name}".strip()
        if place.part == "raw":
            return None if attribute.raw is None else (attribute.raw, shown)
        if place.part == "threshold":
            return None if attribute.threshold is None else (attribute.threshold, f"{shown} (threshold)")
        return None if attribute.normalized is None else (attribute.normalized, f"{shown} (value)")
    if place.statistic is not None:
        count = document.statistics.get(place.statistic)
        return None if count is None else (count, f"{place.statistic} (statistics)")
    paths = [place.field] if isinstance(place.field, str) else place.field or []
    counts = [(path, count) for path in paths if (count := document.number(path)) is not None]
    shown = " + ".join(_LOG.sub("", path) for path, _ in counts)
    return (sum(count for _, count in counts), shown) if counts else None


def timer_minutes(document: SmartData, timer: Timer) -> float | None:
    """Return how long the workload timer has run; nothing where it holds no value."""
    return _timed(document, timer, timer.minutes)


def _timed(document: SmartData, timer: Timer, number: int) -> float | None:
    attribute = document.attributes.get(number)
    raw = attribute.raw if attribute else None
    return None if raw is None or raw == timer.invalid or raw < 0 else raw


def timer_reading(document: SmartData, timer: Timer) -> TimerReading | None:
    """Return what the workload timer reports; nothing before it has run long enough, or where it cannot be."""
    minutes, wear = timer_minutes(document, timer), _timed(document, timer, timer.wear)
    hours = document.number("power_on_time.hours")
    if not minutes or wear is None or (hours is not None and minutes > 60 * (hours + 2)):
        return None
    reads = document.attributes.get(timer.reads)
    shown = reads.raw if reads else None
    step = scale("percent/1024", 1)
    share = shown / 100 if shown is not None and 0 <= shown <= 100 else None
    return TimerReading(wear * step, step, share, minutes)


def _not_whole_life(figure: Figure, coarser: list[Place], document: SmartData, rule: Rule) -> str | None:
    """The reason why a gauge that counts since a reset is not the wear of the whole life; none where it is."""
    minutes = timer_minutes(document, rule.timer) if rule.timer else None
    hours = document.number("power_on_time.hours")
    if minutes is None or not hours:
        return "counts since a reset, and nothing shows when that was"
    if minutes > 60 * (hours + 2):
        return f"its timer says {minutes:.0f} min, more than the {hours:.0f} h of power-on time"
    if minutes < _RESET * 60 * hours:
        ago = minutes / 60
        return f"its timer was reset {ago:.0f} h ago, at {hours - ago:.0f} h of power-on time"
    others = (other for place in coarser if (other := evaluate(place, document)) and not other.reason)
    other = next(others, None)
    if other is None:
        return "no other figure reports the wear, so that it cannot be checked"
    if abs(figure.value - other.value) > _POINT:
        apart = f"{100 * figure.value:.2f} %, and {other.attribute} {100 * other.value:.0f} %"
        return f"reports {apart}: more than a point apart"
    return None
