"""A check for Nagios, Icinga and what speaks like them: one line, figures behind a bar, four exit codes.

    0 OK   1 WARNING   2 CRITICAL   3 UNKNOWN

The line and the figures follow the guidelines for monitoring plug-ins: `'label'=value[unit];warning;critical;minimum`.
Of many drives the worst decides, and CRITICAL and WARNING come before UNKNOWN. A drive too young for a forecast makes a
check of its own serial number UNKNOWN; among others it is told and does not decide, or no fleet were ever OK.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drivecast.health.concern import Concern, Horizons, concerns, earliest_end, moment, turn

STATES = ("OK", "WARNING", "CRITICAL", "UNKNOWN")
_STATE = {"act": "CRITICAL", "watch": "WARNING", "unknown": "UNKNOWN"}
_SEVERITY = ("OK", "UNKNOWN", "WARNING", "CRITICAL")
NAMED_MAX = 3
"""Drives that the line names; pagers cut long lines."""


@dataclass(frozen=True)
class Checked:
    """The outcome of a check."""

    state: str
    text: str
    perfdata: str
    drives: Sequence[dict[str, Any]]
    """Serial, state and reasons of each drive."""

    @property
    def code(self) -> int:
        """The exit code."""
        return STATES.index(self.state)

    def line(self) -> str:
        """What the plug-in prints."""
        return f"DRIVES {self.state} - {self.text}" + (f" | {self.perfdata}" if self.perfdata else "")


def clean(text: str) -> str:
    """Words of a drive as a line of a plug-in may hold them: no bar, no quote, nothing that ends it."""
    return "".join(c if c.isprintable() and c not in "|'=" else "?" for c in text)


def check(rows: Sequence[Mapping[str, Any]], horizons: Horizons, *, named: bool = False) -> Checked:
    """Judge rows of `drives_in_service`; `named` where serial numbers were asked for, so that none may be silent."""
    judged = [(row, concerns(row, horizons)) for row in rows]
    states = [_state(found, row, named=named) for row, found in judged]
    worst = max(states, key=_SEVERITY.index, default="UNKNOWN")
    young = sum(row.get("status") == "not enough data" for row in rows)
    if not named and worst == "OK" and young == len(rows):
        worst = "UNKNOWN"
    text = _text(judged, states, worst) if rows else "no drive in the history"
    if young and not named:
        text += f"; {young} without enough data"
    drives = [
        {"serial": row["serial"], "state": state, "why": "; ".join(one.text for one in found)}
        for (row, found), state in zip(judged, states, strict=True)
    ]
    return Checked(worst, clean(text), _perfdata(rows, states, horizons), drives)


def _state(found: Sequence[Concern], row: Mapping[str, Any], *, named: bool) -> str:
    if not found:
        return "OK"
    state = _STATE[found[0].urgency]
    young = row.get("status") == "not enough data" and found[0].text == (row.get("why") or "not enough data")
    return "OK" if state == "UNKNOWN" and young and not named else state


def _text(
    judged: Sequence[tuple[Mapping[str, Any], Sequence[Concern]]], states: Sequence[str], worst: str
) -> str:
    several = f"{len(judged)} drives" if len(judged) > 1 else "1 drive"
    if worst == "OK":
        return f"{several} well" if len(judged) > 1 else f"{_name(judged[0][0])} is well"
    if worst not in states:
        return several
    bad = [pair for pair, state in zip(judged, states, strict=True) if state == worst]
    bad.sort(key=lambda pair: turn(pair[0]))
    parts = [f"{_name(row)} {found[0].text}" for row, found in bad[:NAMED_MAX]]
    if len(bad) > NAMED_MAX:
        parts.append(f"and {len(bad) - NAMED_MAX} more")
    head = f"{len(bad)} of {several}: " if len(judged) > 1 else ""
    return head + "; ".join(parts)


def _name(row: Mapping[str, Any]) -> str:
    place = " ".join(str(row[key]) for key in ("host", "device") if row.get(key))
    return f"{row['serial']} ({place})" if place else str(row["serial"])


def _perfdata(rows: Sequence[Mapping[str, Any]], states: Sequence[str], horizons: Horizons) -> str:
    warning, critical = horizons.watch.days, horizons.act.days
    ends = [(end - horizons.now).total_seconds() / 86_400 for row in rows if (end := earliest_end(row))]
    wears = [wear for row in rows if (wear := row.get("wear_ratio")) is not None]
    ages = [(horizons.now - seen).total_seconds() for row in rows if (seen := moment(row.get("time")))]
    parts = [f"'drives'={len(rows)};;;0"]
    parts += [f"'{state.lower()}'={states.count(state)};;;0" for state in STATES if len(rows) > 1]
    if ends:  # a range `a:` alerts below a
        parts.append(f"'days_left'={min(ends):.0f};{warning}:;{critical}:")
    if wears:
        parts.append(f"'wear'={100 * max(wears):.6g}%;;100;0")
    if ages:
        parts.append(f"'sample_age'={max(ages):.0f}s;;{horizons.stale.total_seconds():.0f};0")
    return " ".join(parts)
