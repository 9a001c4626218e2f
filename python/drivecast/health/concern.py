"""What to report about a drive, and how urgent it is: one list for checks, reports and people.

    act       replace it: it is worn out or failing, or may be before the nearer horizon
    watch     before the farther horizon, or something without a date: errors, a warranty that ends
    unknown   it cannot be judged: no recent sample, or not enough of them

Horizons are compared with the early end of a forecast's interval: to order a drive takes time, and half of all drives
end before the middle of theirs.

A check for Nagios, Icinga and compatible monitoring systems has a state, whose place is its exit code:

    0 OK   1 WARNING   2 CRITICAL   3 UNKNOWN

Of many drives the worst decides, and CRITICAL and WARNING come before UNKNOWN. A drive too young for a forecast makes a
check of its own serial number UNKNOWN; among others it is counted and does not decide, or no fleet were ever OK.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import get_args

from drivecast.document.drive_health import (
    Checked,
    Concern,
    DriveInService,
    Horizons,
    Judged,
    Kind,
    State,
    Urgency,
)

SPARE_LEAST = 0.1
"""Of its spare blocks; most makers call an NVMe drive failing below it."""
STATES: tuple[State, ...] = get_args(State)
"""By their exit codes."""
STATE: dict[Urgency, State] = {"act": "CRITICAL", "watch": "WARNING", "unknown": "UNKNOWN"}
"""The most urgent first."""
SEVERITY: tuple[State, ...] = ("OK", "UNKNOWN", "WARNING", "CRITICAL")
FAILING = {"failing", "worn", "spare low"}
"""Whatever makes a drive one to replace at once."""


def judged(drives: Iterable[DriveInService], horizons: Horizons) -> list[Judged]:
    """Return the drives with everything to report about them."""
    return [Judged(drive, concerns(drive, horizons)) for drive in drives]


def rank(found: Judged) -> tuple[bool, datetime, str, str]:
    """Return the place of a drive in a list: what fails now first, then the date of its end, host and serial number."""
    drive = found.drive
    end = drive.earliest_end or datetime.max.replace(tzinfo=UTC)
    failing = any(concern.kind in FAILING for concern in found.concerns)
    return not failing, end, drive.host or "", drive.serial


def concerns(drive: DriveInService, horizons: Horizons) -> list[Concern]:
    """Return what to report about one drive, the most urgent first; nothing of a drive that is well."""
    now, end, middle, never = horizons.now, drive.earliest_end, drive.warranty_end, timedelta.max
    worn = (drive.wear_ratio or 0) >= 1
    flash = end - now if end and not worn else never
    soon: Urgency = "act" if flash <= horizons.act else "watch"
    warranty = (drive.warranty_end_low or middle) - now if middle and middle > now else never
    written, rated = drive.host_written_bytes, drive.rated_bytes
    stale = drive.time is not None and now - drive.time > horizons.stale
    young = drive.time is not None and not stale and drive.status == "not enough data"
    rules: list[tuple[bool, Urgency, Kind]] = [
        (drive.passed is False, "act", "failing"),
        (worn, "act", "worn"),
        (drive.spare_ratio is not None and drive.spare_ratio < SPARE_LEAST, "act", "spare low"),
        (flash <= horizons.watch, soon, "flash ends" if flash > timedelta() else "flash ended"),
        (warranty <= horizons.act, "watch", "warranty ends"),
        (bool(drive.errors_recent), "watch", "new errors"),
        (written is not None and bool(rated) and written >= (rated or 0), "watch", "rated writes exhausted"),
        (drive.time is None, "unknown", "no sample"),
        (stale, "unknown", "stale"),
        (young, "unknown", "too young"),
    ]
    found = [Concern(urgency=urgency, kind=kind) for holds, urgency, kind in rules if holds]
    if drive.status == "alarm" and not any(concern.urgency == "act" for concern in found):
        found.insert(0, Concern(urgency="act", kind="alarm"))
    if drive.status == "soon" and not found:
        found.append(Concern(urgency="watch", kind="soon"))
    return sorted(found, key=lambda concern: [*STATE].index(concern.urgency))


def check(drives: Sequence[DriveInService], horizons: Horizons, *, named: bool = False) -> Checked:
    """Judge drives; `named` where serial numbers were given, so that none may be silent."""
    found = judged(drives, horizons)
    states = [_state(drive, named=named) for drive in found]
    worst: State = max(states, key=SEVERITY.index, default="UNKNOWN")
    young = sum(drive.status == "not enough data" for drive in drives)
    if not named and worst == "OK" and young == len(drives):
        worst = "UNKNOWN"
    bad = [drive for drive, state in zip(found, states, strict=True) if state == worst]
    return Checked(worst, states, found, sorted(bad, key=rank), 0 if named else young, horizons)


def _state(found: Judged, *, named: bool) -> State:
    first = next(iter(found.concerns), None)
    return "OK" if first is None or (first.kind == "too young" and not named) else STATE[first.urgency]
