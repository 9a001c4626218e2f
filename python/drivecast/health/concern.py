"""What is to be said of a drive, and how urgent it is: one list for checks, reports and people.

    act       replace it: it is worn out or failing, or may be before the nearer horizon
    watch     before the farther horizon, or something that no date tells: errors, a warranty that ends
    unknown   it cannot be told: no recent sample, or not enough of them

Horizons are held against the early end of a forecast's interval: to order a drive takes time, and half of all drives
end before the middle of theirs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal

Urgency = Literal["act", "watch", "unknown"]

SPARE_LEAST = 0.1
"""Of its spare blocks; most makers call an NVMe drive failing below it."""


@dataclass(frozen=True)
class Horizons:
    """What counts as soon, as later, and as too old to go by."""

    now: datetime
    act: timedelta = timedelta(days=90)
    watch: timedelta = timedelta(days=180)
    stale: timedelta = timedelta(days=2)


@dataclass(frozen=True)
class Concern:
    """One thing to say of a drive, in a few words."""

    urgency: Urgency
    text: str


def moment(value: date | datetime | None) -> datetime | None:
    """A date as its midnight, a time with its zone: UTC where it has none."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        return datetime.combine(value, time(), UTC)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def earliest_end(row: Mapping[str, Any]) -> datetime | None:
    """The early end of the media end's interval; the date itself where there is no interval."""
    return moment(row.get("media_end_low") or row.get("media_end"))


def turn(row: Mapping[str, Any]) -> tuple[bool, str, str, str]:
    """Where a drive stands in a list: what fails now first, then by the date of its end, host and serial number."""
    return not _failing(row), str(earliest_end(row) or "9"), str(row.get("host") or ""), str(row["serial"])


def concerns(row: Mapping[str, Any], horizons: Horizons) -> list[Concern]:
    """Everything to be said of one row of the table, the most urgent first; nothing of a drive that is well."""
    found = [*_failing(row), *_dates(row, horizons), *_used(row), *_unknown(row, horizons)]
    if not any(one.urgency == "act" for one in found) and row.get("status") == "alarm":
        found.insert(0, Concern("act", row.get("why") or "the forecast raises an alarm"))
    if not found and row.get("status") == "soon":
        found.append(Concern("watch", row.get("why") or "the forecast says soon"))
    order = ("act", "watch", "unknown")
    return sorted(found, key=lambda one: order.index(one.urgency))


def _failing(row: Mapping[str, Any]) -> list[Concern]:
    """What the drive says of itself that nobody waits for."""
    found = []
    wear, spare = row.get("wear_ratio"), row.get("spare_ratio")
    if row.get("passed") is False:
        found.append(Concern("act", "says itself that it is failing"))
    if wear is not None and wear >= 1:
        found.append(Concern("act", f"worn to {100 * wear:.0f} % of its rating"))
    if spare is not None and spare < SPARE_LEAST:
        found.append(Concern("act", f"{100 * spare:.0f} % of its spare blocks left"))
    return found


def _used(row: Mapping[str, Any]) -> list[Concern]:
    """What it has been through."""
    found = []
    written, rated = row.get("host_written_bytes"), row.get("rated_bytes")
    if errors := row.get("errors_recent"):
        found.append(Concern("watch", f"{errors:,.0f} new errors in 30 days"))
    if written is not None and rated and written >= rated:
        found.append(Concern("watch", f"has written {100 * written / rated:.0f} % of its rated writes"))
    return found


def _dates(row: Mapping[str, Any], horizons: Horizons) -> list[Concern]:
    """What the forecast says."""
    found = []
    end, worn = earliest_end(row), (row.get("wear_ratio") or 0.0) >= 1
    if end is not None and not worn and end - horizons.now <= horizons.watch:
        middle = moment(row.get("media_end"))
        expected = f", expected {middle:%Y-%m-%d}" if middle and middle != end else ""
        when = "may end" if end > horizons.now else "may have ended"
        urgency: Urgency = "act" if end - horizons.now <= horizons.act else "watch"
        found.append(Concern(urgency, f"flash {when} {end:%Y-%m-%d}{expected}"))
    middle = moment(row.get("warranty_end"))
    end = moment(row.get("warranty_end_low")) or middle
    if (
        middle is not None
        and end is not None
        and middle > horizons.now
        and end - horizons.now <= horizons.act
    ):
        limit = {"writes": " by its writes", "term": " by its term"}.get(
            row.get("warranty_end_limit") or "", ""
        )
        found.append(Concern("watch", f"warranty ends {end:%Y-%m-%d}{limit}"))
    return found


def _unknown(row: Mapping[str, Any], horizons: Horizons) -> list[Concern]:
    """What cannot be told."""
    seen = moment(row.get("time"))
    if seen is None:
        return [Concern("unknown", "no sample")]
    if horizons.now - seen > horizons.stale:
        return [Concern("unknown", f"no sample since {seen:%Y-%m-%d}")]
    if row.get("status") == "not enough data":
        return [Concern("unknown", row.get("why") or "not enough data")]
    return []
