"""The reliability of a design as text: chances with intervals, the closed form beside, assumptions."""

from collections.abc import Mapping
from typing import Any

from drivecast.present import terminal
from drivecast.quantity import number

NAME = 36
SECONDS_PER_YEAR = 365 * 86_400.0


def text(found: Mapping[str, Any]) -> str:
    """Return the answer in lines."""
    years = f"{found['years']:g} year{'' if found['years'] == 1 else 's'}"
    closed = found["closed_form"]
    rows = [
        (f"loses data within {years}", _chance(found, "data_loss_probability")),
        ("  drives failed too many", _chance(found, "failure_probability")),
        ("  a sector unreadable in a rebuild", _chance(found, "unreadable_probability")),
        (
            "bytes lost, expected",
            f"{number.size(found['lost_bytes'])} ({found['nomdl']:.2g} of the capacity)",
        ),
        ("has a drive missing", f"{number.significant(100 * found['degraded_fraction'])} % of the time"),
        ("available", _available(found)),
        ("closed form, constant rates", _closed(closed)),
    ]
    lines = [f"  {name:<{NAME}}{figure}" for name, figure in rows]
    sampled = f"  sampled within {100 * found['relative_error']:.1g} %, {found['missions']:,} missions"
    assumed = [
        f"  {row['name']:<{NAME - 14}}{terminal.clean(str(row['value']))}  [{row['provenance']}: {row['source']}]"
        for row in found["assumptions"]
    ]
    return terminal.joined(
        [terminal.clean(str(found["design"])), *lines, sampled, "", "What this rests on", *assumed]
    )


def _chance(found: Mapping[str, Any], name: str) -> str:
    between = number.span(number.probability, found[f"{name}_low"], found[f"{name}_high"])
    return f"{number.probability(found[name])} ({between})"


def _closed(closed: Mapping[str, Any]) -> str:
    chance = number.probability(closed["data_loss_probability"])
    failed = number.probability(closed["failure_probability"])
    return f"{chance}; by failures {failed}, MTTDL {number.significant(closed['mttdl_years'], 3)} years"


def _available(found: Mapping[str, Any]) -> str:
    """An availability, and the time down that it means."""
    down_s, most_s = (
        (1 - found[name]) * found["years"] * SECONDS_PER_YEAR for name in ("availability", "availability_low")
    )
    return f"{100 * found['availability']:.9g} %: {number.duration(down_s)} down ({number.duration(most_s)} at most)"
