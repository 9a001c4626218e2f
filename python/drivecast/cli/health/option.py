"""Options that several verbs over a history share."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.document.drive_health import Horizons

Url = Annotated[
    str | None,
    typer.Option(
        envvar="DRIVECAST_HISTORY",
        help="A file, or `postgresql://USER@HOST/DATABASE`; by default `drivecast/health.sqlite3` among the user's "
        "states.",
    ),
]
Now = Annotated[
    str | None,
    typer.Option(
        "--now", help="Judge as of the end of this day, or of a time such as 2026-11-21T12:00 (default: now)."
    ),
]
Serial = Annotated[list[str] | None, typer.Option(help="Only the drive of this serial number. Repeatable.")]
Within = Annotated[
    str, typer.Option(help="Drives that may end within this time are to be replaced: 92d is a quarter.")
]
Watch = Annotated[str, typer.Option(help="Drives that may end within this time are to be watched.")]
Stale = Annotated[
    str | None,
    typer.Option(
        help="A drive whose last sample is older is silent (default: by the rhythm of its host, three times the usual "
        "gap between readings, at least 2d)."
    ),
]
Forget = Annotated[
    str | None,
    typer.Option(
        help="Leave out drives that were not seen for this long: they were taken away (default: 30d, or twice the age "
        "at which a drive is silent)."
    ),
]
Host = Annotated[str | None, typer.Option(help="The machine that all these readings are of.")]
HostFrom = Annotated[
    str | None,
    typer.Option(
        metavar="PATTERN",
        help="The machine from the end of each file's name, such as '{host}/{device}.json' or '{host}/*/*.json', or "
        "from its path by a regular expression with a group `(?P<host>…)`.",
    ),
]
HostLabel = Annotated[
    str | None,
    typer.Option(
        metavar="LABEL",
        help="The label of an exporter's series that names the machine (default: the first of host, hostname, node, "
        "nodename, instance; the port is taken off).",
    ),
]


def moment(name: str, text: str | None) -> datetime | None:
    """A date or time in UTC, of option `name`."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"{name}: expected a date such as 2026-11-21, found `{text}`") from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def now(text: str | None) -> datetime:
    """The time of `--now`, the end of a day that has no time, or the present."""
    found = moment("--now", text)
    if found is None:
        return datetime.now(UTC).replace(microsecond=0)
    return found if "T" in (text or "") or " " in (text or "") else found + timedelta(days=1, seconds=-1)


def span(name: str, text: str) -> timedelta:
    """A length of time such as `90d`, of option `name`."""
    from drivecast.quantity import parse as quantity

    return timedelta(seconds=(quantity.option(name, quantity.time_ns, text) or 0) / 1e9)


def horizons(
    as_of: str | None, spans: dict[str, str], stale: str | None, forget: str | None, level: float = 0.8
) -> "Horizons":
    """The horizons that options state; `spans` are the nearer and the farther, by the names of their options.

    Raises `InputError` where the nearer is farther than the other.
    """
    from drivecast.document.drive_health import Horizons

    act, watch = (span(name, text) for name, text in spans.items())
    if act > watch:
        nearer, farther = spans
        raise InputError(f"{nearer} is the nearer time and cannot exceed {farther}")
    old, gone = (
        None if text is None else span(name, text)
        for name, text in (("--stale", stale), ("--forget", forget))
    )
    return Horizons(now(as_of), act, watch, old, gone, level)
