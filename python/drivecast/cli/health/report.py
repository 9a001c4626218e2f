"""`drivecast health report` and `drivecast health check`: drives that need attention, by mail and by monitoring."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from drivecast.cli.health.option import Forget, Now, Url, now, span
from drivecast.cli.verb import Format, OutputFormat, Quiet, VerbCommand, emit
from drivecast.errors import HintedError, InputError

if TYPE_CHECKING:
    from drivecast.document.drive_health import DriveInService, Horizons

UNKNOWN = 3
WrongUse: type[Exception] = typer.BadParameter.__bases__[0]
"""Every kind of wrong use: the class has moved between modules from one version of typer to the next."""

Serial = Annotated[list[str] | None, typer.Option(help="Only the drive of this serial number. Repeatable.")]


def report(
    serial: Serial = None,
    within: Annotated[
        str, typer.Option(help="Drives that may end within this time are to be replaced.")
    ] = "92d",
    watch: Annotated[
        str, typer.Option(help="Drives that may end within this time are to be watched.")
    ] = "1y",
    stale: Annotated[
        str, typer.Option(help="A drive whose last sample is older than this has no recent data.")
    ] = "2d",
    subject: Annotated[
        bool, typer.Option("--subject", help="Begin with a line `Subject: …`, as sendmail takes it.")
    ] = False,
    history: Url = None,
    forget: Forget = "30d",
    as_of: Now = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Report drives to replace, drives to watch and drives without recent data, as an e-mail.

    Plain text of 72 columns, the order list first: which drives, where they are, and why.

    Example: `drivecast health report --subject | sendmail storage@example.com`
    """
    from drivecast.health.concern import judged, rank
    from drivecast.present import drive_report

    spans = {"--within": within, "--watch": watch, "--stale": stale}
    drives, horizons = _requested(history, serial, as_of, forget, spans)
    made = drive_report.document(sorted(judged(drives, horizons), key=rank), horizons)
    head = f"Subject: {made.subject}\n\n" if subject else ""
    emit(made, output_format, text=lambda: head + drive_report.text(made, horizons), rows=made.drives)


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
    quiet: Quiet = False,
) -> None:
    """Check drives as a plug-in of Nagios, Icinga or Checkmk: one line, figures, an exit code.

    Exit codes are those of plug-ins, not of other verbs: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN (wrong use too).

    Example: `drivecast health check --all --warning 180d --critical 90d`
    """
    from drivecast.health.concern import STATES
    from drivecast.health.concern import check as checked
    from drivecast.present import plugin

    try:
        if bool(serial) == everything:
            raise InputError("give `--serial SERIAL`, or `--all`")
        spans = {"--critical": critical, "--warning": warning, "--stale": stale}
        drives, horizons = _requested(history, serial, as_of, forget, spans)
    except InputError as error:
        _unknown(str(error))
    except Exception as error:  # a monitoring system shows this line, and nobody sees a traceback
        _unknown(f"{type(error).__name__}: {error}")
    made = plugin.document(checked(drives, horizons, named=bool(serial)))
    emit(made, output_format, text=lambda: plugin.line(made), rows=made.drives)
    raise typer.Exit(STATES.index(made.state))


def _requested(
    history: str | None, serials: list[str] | None, as_of: str | None, forget: str, spans: dict[str, str]
) -> "tuple[list[DriveInService], Horizons]":
    """The drives in service that were requested, and the horizons to compare them with."""
    from drivecast.document.drive_health import DriveInService, Horizons
    from drivecast.health.history import History
    from drivecast.health.in_service import drives_in_service

    act, watch, stale = (span(name, text) for name, text in spans.items())
    if act > watch:
        nearer, farther, _ = spans
        raise InputError(f"{nearer} is the nearer time and cannot exceed {farther}")
    horizons = Horizons(now(as_of), act, watch, stale)
    with History.open(history, create=False) as opened:
        table = drives_in_service(opened, now=horizons.now, forget=span("--forget", forget))
        drives = DriveInService.rows(table)
        seen = [] if drives else sorted(opened.drives()["last_seen"].to_list())
    if seen:
        raise HintedError(
            f"none of the {len(seen)} drives of the history was seen within {forget} of {horizons.now:%Y-%m-%d}, the "
            f"last on {seen[-1]:%Y-%m-%d}",
            "read them again, give a longer `--forget`, or a day with `--now`",
        )
    missing = sorted({*(serials or ())} - {drive.serial for drive in drives})
    if missing:
        raise InputError(
            f"no drive {', '.join(f'`{name}`' for name in missing)} was seen recently; `drivecast health history` "
            "lists those that were"
        )
    return [drive for drive in drives if not serials or drive.serial in serials], horizons


def _unknown(reason: str) -> NoReturn:
    """End as a plug-in whose state is unknown."""
    from drivecast.present.plugin import clean

    first, *more = reason.splitlines()
    typer.echo("\n".join([f"DRIVES UNKNOWN - {clean(first)}", *more]))
    raise typer.Exit(UNKNOWN)


class Plugin(VerbCommand):
    """A command whose wrong use is UNKNOWN: exit code 2 would be CRITICAL, and wake somebody."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the command line."""
        try:
            return super().make_context(*args, **kwargs)
        except WrongUse as error:
            sys.stdout.write(f"DRIVES UNKNOWN - {getattr(error, 'message', error)}\n")
            raise SystemExit(UNKNOWN) from None
