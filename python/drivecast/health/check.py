"""The state of drives for Nagios, Icinga and compatible monitoring systems.

    0 OK   1 WARNING   2 CRITICAL   3 UNKNOWN

Of many drives the worst decides, and CRITICAL and WARNING come before UNKNOWN. A drive too young for a forecast makes a
check of its own serial number UNKNOWN; among others it is counted and does not decide, or no fleet were ever OK.
"""

from collections.abc import Sequence
from typing import get_args

from drivecast.document.drive_health import Checked, DriveInService, Horizons, Judged, State, Urgency
from drivecast.health.concern import judged, rank

STATES: tuple[State, ...] = get_args(State)
"""By their exit codes."""
STATE: dict[Urgency, State] = {"act": "CRITICAL", "watch": "WARNING", "unknown": "UNKNOWN"}
SEVERITY: tuple[State, ...] = ("OK", "UNKNOWN", "WARNING", "CRITICAL")


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
    if not found.concerns:
        return "OK"
    first = found.concerns[0]
    if first.kind == "too young" and not named:
        return "OK"
    return STATE[first.urgency]
