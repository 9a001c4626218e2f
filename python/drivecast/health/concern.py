"""What to report about a drive, and how urgent it is: one list for checks, reports and people.

    act       replace it: it is worn out or failing, or may be before the nearer horizon
    watch     before the farther horizon, or something without a date: errors, a warranty that ends
    unknown   it cannot be judged: no recent sample, or not enough of them

Horizons are compared with the early end of a forecast's interval: to order a drive takes time, and half of all drives
end before the middle of theirs.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from drivecast.document.drive_health import Concern, DriveInService, Horizons, Judged, Kind

SPARE_LEAST = 0.1
"""Of its spare blocks; most makers call an NVMe drive failing below it."""

ORDER = ("act", "watch", "unknown")


def judged(drives: Iterable[DriveInService], horizons: Horizons) -> list[Judged]:
    """Return the drives with everything to report about them."""
    return [Judged(drive, concerns(drive, horizons)) for drive in drives]


def rank(found: Judged) -> tuple[bool, datetime, str, str]:
    """Return the place of a drive in a list: what fails now first, then the date of its end, host and serial number."""
    drive = found.drive
    end = drive.earliest_end or datetime.max.replace(tzinfo=UTC)
    return not any(_failing(drive)), end, drive.host or "", drive.serial


def concerns(drive: DriveInService, horizons: Horizons) -> list[Concern]:
    """Return what to report about one drive, the most urgent first; nothing of a drive that is well."""
    found = [*_failing(drive), *_dates(drive, horizons), *_used(drive), *_unknown(drive, horizons)]
    if drive.status == "alarm" and not any(concern.urgency == "act" for concern in found):
        found.insert(0, Concern(urgency="act", kind="alarm"))
    if drive.status == "soon" and not found:
        found.append(Concern(urgency="watch", kind="soon"))
    return sorted(found, key=lambda concern: ORDER.index(concern.urgency))


def _failing(drive: DriveInService) -> Iterator[Concern]:
    """Whatever makes a drive one to replace at once."""
    if drive.passed is False:
        yield Concern(urgency="act", kind="failing")
    if (drive.wear_ratio or 0) >= 1:
        yield Concern(urgency="act", kind="worn")
    if drive.spare_ratio is not None and drive.spare_ratio < SPARE_LEAST:
        yield Concern(urgency="act", kind="spare low")


def _dates(drive: DriveInService, horizons: Horizons) -> Iterator[Concern]:
    """Whatever the forecast dates."""
    now, end = horizons.now, drive.earliest_end
    if end is not None and (drive.wear_ratio or 0) < 1 and end - now <= horizons.watch:
        kind: Kind = "flash ends" if end > now else "flash ended"
        yield Concern(urgency="act" if end - now <= horizons.act else "watch", kind=kind)
    middle = drive.warranty_end
    if middle is not None and middle > now and (drive.warranty_end_low or middle) - now <= horizons.act:
        yield Concern(urgency="watch", kind="warranty ends")


def _used(drive: DriveInService) -> Iterator[Concern]:
    """Errors and writes so far."""
    if drive.errors_recent:
        yield Concern(urgency="watch", kind="new errors")
    written, rated = drive.host_written_bytes, drive.rated_bytes
    if written is not None and rated and written >= rated:
        yield Concern(urgency="watch", kind="rated writes exhausted")


def _unknown(drive: DriveInService, horizons: Horizons) -> Iterator[Concern]:
    """Why a drive cannot be judged."""
    if drive.time is None:
        yield Concern(urgency="unknown", kind="no sample")
    elif horizons.now - drive.time > horizons.stale:
        yield Concern(urgency="unknown", kind="stale")
    elif drive.status == "not enough data":
        yield Concern(urgency="unknown", kind="too young")
