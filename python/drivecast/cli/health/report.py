"""`drivecast health report` and `drivecast health check`: drives that need attention, by mail and by monitoring."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from drivecast.cli.health.option import Forget, Now, Serial, Stale, Url, Watch, Within, horizons
from drivecast.cli.verb import Format, OutputFormat, Quiet, VerbCommand, emit, note, progress, writable
from drivecast.errors import HintedError, InputError

if TYPE_CHECKING:
    import polars as pl

    from drivecast.document.drive_health import Horizons

UNKNOWN = 3
WrongUse: type[Exception] = typer.BadParameter.__bases__[0]
"""Every kind of wrong use: the class has moved between modules from one version of typer to the next."""


def report(
    serial: Serial = None,
    within: Within = "92d",
    watch: Watch = "184d",
    stale: Stale = None,
    subject: Annotated[
        bool, typer.Option("--subject", help="Begin with a line `Subject: …`, as sendmail takes it.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write the report as an HTML page here too.")
    ] = None,
    history: Url = None,
    forget: Forget = None,
    as_of: Now = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Report which drives to replace, from which machine, by when and why; which to watch; what is silent.

    Plain text of 72 columns for a mail, the order list first. A warranty that ends is a list of its own and replaces no
    drive. `health fleet`, `health check` and the metrics of `health serve` count the same lists.

    Example: `drivecast health report --subject | sendmail storage@example.com`,
    `drivecast health report -o report.html`
    """
    writable(out)
    until = horizons(as_of, {"--within": within, "--watch": watch}, stale, forget)
    table = _requested(history, serial, until, quiet=quiet)
    # After what can be wrong without it: it takes a second.
    from drivecast.document.drive_health import DriveInService
    from drivecast.health.concern import counts, silent_hosts
    from drivecast.present import drive_report

    listed = DriveInService.rows(table.filter(table["status"] != "ok"))
    made = drive_report.document(listed, counts(table), silent_hosts(table), until)
    if out is not None:
        from drivecast.health.forecast import fleet
        from drivecast.present import drive_page

        quarters = fleet.quarters(table, now=until.now, level=until.level)
        drive_page.write(out, made, quarters, fleet.groups(table))
        note(f"wrote `{out}`", quiet=quiet)
    head = f"Subject: {made.subject}\n\n" if subject else ""
    emit(made, output_format, text=lambda: head + drive_report.text(made), rows=made.drives)


def check(
    serial: Serial = None,
    everything: Annotated[bool, typer.Option("--all", help="Every drive of the history.")] = False,
    warning: Annotated[
        str, typer.Option("--warning", "-w", help="WARNING where a drive may end within this time.")
    ] = "184d",
    critical: Annotated[
        str, typer.Option("--critical", "-c", help="CRITICAL where a drive may end within this time.")
    ] = "92d",
    stale: Stale = None,
    history: Url = None,
    forget: Forget = None,
    as_of: Now = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Check drives as a plug-in of Nagios, Icinga or Checkmk: one line, figures, an exit code.

    Exit codes are those of plug-ins, not of other verbs: 0 OK, 1 WARNING (a drive to watch), 2 CRITICAL (one to
    replace), 3 UNKNOWN (one is silent; wrong use too). CRITICAL are the drives that `health report` lists to be
    replaced, WARNING those to be watched. A warranty that ends is counted, and no state.

    Example: `drivecast health check --all`
    """
    from drivecast.health.concern import STATES
    from drivecast.health.concern import check as checked
    from drivecast.present import plugin

    try:
        if bool(serial) == everything:
            raise InputError("give `--serial SERIAL`, or `--all`")
        until = horizons(as_of, {"--critical": critical, "--warning": warning}, stale, forget)
        table = _requested(history, serial, until, quiet=True)
        made = plugin.document(checked(table, until, named=bool(serial)))
    except InputError as error:
        _unknown(str(error))
    except Exception as error:  # a monitoring system shows this line, and nobody sees a traceback
        _unknown(f"{type(error).__name__}: {error}")
    emit(made, output_format, text=lambda: plugin.line(made), rows=made.drives)
    raise typer.Exit(STATES.index(made.state))


def _requested(
    history: str | None, serials: list[str] | None, until: "Horizons", *, quiet: bool
) -> "pl.DataFrame":
    """The drives in service that were requested, judged, in the order of a list."""
    import polars as pl

    from drivecast.health.history import History
    from drivecast.health.in_service import drives_in_service

    with History.open(history, create=False) as opened, progress("forecasting", quiet=quiet) as update:
        known, _ = opened.placed()
        table = drives_in_service(
            opened, until, lambda count: update(0.9 * count / max(known, 1), f"{count:,} of {known:,} drives")
        )
        seen = [] if table.height else sorted(opened.drives()["last_seen"].to_list())
    if seen:
        raise HintedError(
            f"none of the {len(seen)} drives of the history was seen shortly before {until.now:%Y-%m-%d}, the last on "
            f"{seen[-1]:%Y-%m-%d}",
            "read them again, give a longer `--forget`, or a day with `--now`",
        )
    missing = sorted({*(serials or ())} - {*table["serial"]})
    if missing:
        raise InputError(
            f"no drive {', '.join(f'`{name}`' for name in missing)} was seen recently; `drivecast health history` "
            "lists those that were"
        )
    return table.filter(pl.col("serial").is_in(serials)) if serials else table


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
