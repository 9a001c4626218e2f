"""`drivecast health report` and `drivecast health check`: what is to be done, by mail and by monitoring."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand

from drivecast.cli.health.option import Forget, Now, Url, now, span
from drivecast.cli.verb import Format, OutputFormat, print_csv, print_json
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.health.concern import Horizons

UNKNOWN = 3
WrongUse: type[Exception] = typer.BadParameter.__bases__[0]
"""Every kind of wrong use: the class has moved between modules from one version of typer to the next."""

Serial = Annotated[
    list[str] | None, typer.Option("--serial", help="Only the drive of this serial number. Repeatable.")
]


def report(
    serial: Serial = None,
    within: Annotated[
        str, typer.Option(help="Drives that may end within this time are to be replaced.")
    ] = "92d",
    watch: Annotated[
        str, typer.Option(help="Drives that may end within this time are to be watched.")
    ] = "1y",
    stale: Annotated[str, typer.Option(help="A sample older than this tells nothing of today.")] = "2d",
    subject: Annotated[
        bool, typer.Option("--subject", help="Begin with a line `Subject: …`, as sendmail takes it.")
    ] = False,
    history: Url = None,
    forget: Forget = "30d",
    as_of: Now = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Report drives to replace, to watch, and not known, ready for an e-mail.

    Plain text of 72 columns, the order list first: which drives, where they sit, and why.

    Example: `drivecast health report --subject | sendmail storage@example.com`
    """
    from drivecast.health import report as page

    rows, horizons = _asked(
        history, serial, as_of, forget, (within, watch, stale), names=("--within", "--watch")
    )
    made = page.report(rows, horizons)
    match output_format:
        case OutputFormat.JSON:
            print_json(
                {
                    "schema_version": 1,
                    "at": horizons.now.isoformat(),
                    "subject": page.subject(made),
                    "counts": {
                        "drives": made.drives,
                        "replace": len(made.act),
                        "watch": len(made.watch),
                        "unknown": len(made.unknown),
                        "well": made.well,
                    },
                    "drives": page.rows(made),
                }
            )
        case OutputFormat.CSV:
            print_csv(page.rows(made))
        case OutputFormat.TEXT:
            head = f"Subject: {page.subject(made)}\n\n" if subject else ""
            typer.echo(head + page.text(made), nl=False)


def check(
    serial: Serial = None,
    everything: Annotated[bool, typer.Option("--all", help="Every drive of the history.")] = False,
    warning: Annotated[
        str, typer.Option("--warning", "-w", help="WARNING where a drive may end within this time.")
    ] = "180d",
    critical: Annotated[
        str, typer.Option("--critical", "-c", help="CRITICAL where a drive may end within this time.")
    ] = "90d",
    stale: Annotated[str, typer.Option(help="UNKNOWN where the last sample is older than this.")] = "2d",
    history: Url = None,
    forget: Forget = "30d",
    as_of: Now = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Check drives as a plug-in of Nagios, Icinga or Checkmk: one line, figures, an exit code.

    Exit codes are those of plug-ins, not of other verbs: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN (wrong use too).

    Example: `drivecast health check --all --warning 180d --critical 90d`
    """
    from drivecast.health import check as plugin

    try:
        if bool(serial) == everything:
            raise InputError("say `--serial SERIAL`, or `--all`")
        rows, horizons = _asked(
            history, serial, as_of, forget, (critical, warning, stale), names=("--critical", "--warning")
        )
    except InputError as error:
        _unknown(str(error))
    except Exception as error:  # a monitoring system shows this line, and nobody sees a traceback
        _unknown(f"{type(error).__name__}: {error}")
    made = plugin.check(rows, horizons, named=bool(serial))
    match output_format:
        case OutputFormat.JSON:
            print_json(
                {
                    "schema_version": 1,
                    "state": made.state,
                    "text": made.text,
                    "perfdata": made.perfdata,
                    "drives": [*made.drives],
                }
            )
        case OutputFormat.CSV:
            print_csv(made.drives)
        case OutputFormat.TEXT:
            typer.echo(made.line())
    raise typer.Exit(made.code)


def _asked(
    history: str | None,
    serials: list[str] | None,
    as_of: str | None,
    forget: str,
    spans: tuple[str, str, str],
    *,
    names: tuple[str, str],
) -> "tuple[list[dict[str, Any]], Horizons]":
    """The rows of the standing that are asked for, and what they are held against."""
    from drivecast.health.concern import Horizons
    from drivecast.health.history import History as Kept
    from drivecast.health.in_service import drives_in_service

    act, watch, stale = (span(name, text) for name, text in zip((*names, "--stale"), spans, strict=True))
    if act > watch:
        raise InputError(f"{names[0]} is the nearer time and cannot exceed {names[1]}")
    horizons = Horizons(now(as_of), act, watch, stale)
    with Kept.open(history, create=False) as kept:
        rows = drives_in_service(kept, now=horizons.now, forget=span("--forget", forget)).to_dicts()
        seen = [] if rows else sorted(kept.drives()["last_seen"].to_list())
    if seen:
        raise InputError(
            f"none of the {len(seen)} drives of the history was seen within {forget} of {horizons.now:%Y-%m-%d}, the "
            f"last on {seen[-1]:%Y-%m-%d}\nhint: read them again, or say a longer `--forget`, or a day with `--now`"
        )
    missing = sorted({*(serials or ())} - {row["serial"] for row in rows})
    if missing:
        raise InputError(
            f"no drive {', '.join(f'`{one}`' for one in missing)} was seen of late; `drivecast health history` "
            "lists those that were"
        )
    return [row for row in rows if not serials or row["serial"] in serials], horizons


def _unknown(reason: str) -> NoReturn:
    """End as a plug-in that cannot tell."""
    from drivecast.health.check import clean

    typer.echo(f"DRIVES UNKNOWN - {clean(reason.splitlines()[0])}")
    for line in reason.splitlines()[1:]:
        typer.echo(line)
    raise typer.Exit(UNKNOWN)


class Plugin(TyperCommand):
    """A command whose wrong use is UNKNOWN: exit code 2 would be CRITICAL, and wake somebody."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the command line."""
        try:
            return super().make_context(*args, **kwargs)
        except WrongUse as error:
            sys.stdout.write(f"DRIVES UNKNOWN - {getattr(error, 'message', error)}\n")
            raise SystemExit(UNKNOWN) from None
