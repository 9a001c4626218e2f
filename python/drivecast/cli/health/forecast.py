"""`drivecast health forecast` and `drivecast health fleet`: which drives will be worn out, and when."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.health.option import Forget, Now, Stale, Url, Watch, Within, horizons
from drivecast.cli.health.option import moment as moment_of
from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, progress, writable
from drivecast.errors import HintedError, InputError, NoAnswer

if TYPE_CHECKING:
    import polars as pl

    from drivecast.document.drive_health import Horizons
    from drivecast.document.forecast import DriveForecast, Quarter
    from drivecast.health.history import History

Level = Annotated[float, typer.Option(help="Chance with which an interval is to hold the truth.")]
Page = Annotated[Path | None, typer.Option("-o", "--out", help="Write an HTML page with the figures here.")]
Rows = Annotated[int, typer.Option(min=0, help="Rows of text to show at most; 0 shows all.")]


def forecast(
    history: Url = None,
    drive: Annotated[str | None, typer.Option(help="One drive in full, by its serial number.")] = None,
    by: Annotated[
        str | None,
        typer.Option(help="Only drives whose flash or spare may end by this day, with the chance."),
    ] = None,
    quarter: Annotated[
        bool, typer.Option("--quarter", help="Replacements to expect in each quarter instead.")
    ] = False,
    level: Level = 0.8,
    within: Within = "92d",
    watch: Watch = "184d",
    stale: Stale = None,
    forget: Forget = None,
    as_of: Now = None,
    rows: Rows = 40,
    out: Page = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Forecast when each drive's flash is worn out, its spare used up and its warranty ends; the most urgent first.

    Rates come from the drive's own history since its workload last changed, and from the fleet as a whole. A drive
    with too short a history has no date, and its row states what is missing.

    Example: `drivecast health forecast`, `drivecast health forecast --drive S3EVNX0K --out drive.html`
    """
    if sum((drive is not None, by is not None, quarter)) > 1:
        raise InputError("`--drive`, `--by` and `--quarter` exclude each other; give one of them")
    day = moment_of("--by", by)
    _check(level, out)
    until = horizons(as_of, {"--within": within, "--watch": watch}, stale, forget, level)
    if drive is not None:
        _trajectory(history, drive, until, out, output_format, quiet)
        return
    # After what can be wrong without it: it takes a second.
    from drivecast.document.forecast import DriveEnding, DriveForecast, Endings, Forecast, Quarters
    from drivecast.health.concern import counts
    from drivecast.health.forecast import fleet as of_fleet
    from drivecast.present import forecast as page
    from drivecast.present.drive_words import worded

    head = _head(until)
    table = _table(history, until, quiet)
    if day is not None and not quarter:
        table = of_fleet.ending(table, day.date(), least=(1 - level) / 2)
    quarters = of_fleet.quarters(table, now=until.now, level=level) if quarter or out else []
    listed: Forecast | Endings
    if day is None:
        listed = Forecast(**head, drives=[*map(worded, DriveForecast.rows(table))])
    else:
        listed = Endings(**head, drives=[*map(worded, DriveEnding.rows(table))])
    summary = page.summary(counts(table))
    title = "Replacements by quarter" if quarter else "Drives in service"
    _write(out, title, summary, listed.drives, quarters, quiet)
    if quarter:
        made = Quarters(**head, quarters=quarters)
        emit(made, output_format, text=lambda: page.quarter_lines(quarters, level), rows=quarters)
        return

    def text() -> page.Lines:
        return [*page.lines(listed.drives, rows), "", summary]

    emit(listed, output_format, text=text, rows=listed.drives)


def fleet(
    history: Url = None,
    window_days: Annotated[
        int,
        typer.Option(
            min=1, help="Days to notice, exchange and rebuild: ends of one array within them are reported."
        ),
    ] = 14,
    level: Level = 0.8,
    within: Within = "92d",
    watch: Watch = "184d",
    stale: Stale = None,
    forget: Forget = None,
    as_of: Now = None,
    rows: Rows = 10,
    out: Page = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Show a fleet at a glance: drives by list, replacements by quarter, arrays of one age, machines that are silent.

    The lists are those of `health report`. A quarter has the drives whose flash or spare is expected to end in it; the
    list of those to replace is longer, since it goes by the early end of each interval.

    Example: `drivecast health fleet`, `drivecast health fleet --out fleet.html`
    """
    _check(level, out)
    until = horizons(as_of, {"--within": within, "--watch": watch}, stale, forget, level)
    from drivecast.document.drive_health import DriveInService
    from drivecast.document.forecast import DriveForecast, Fleet
    from drivecast.health.concern import counts, silent_hosts
    from drivecast.health.forecast import fleet as of_fleet
    from drivecast.present import drive_page, drive_report
    from drivecast.present import forecast as page
    from drivecast.present.drive_words import worded

    table = _table(history, until, quiet)
    found = Fleet(
        **_head(until),
        counts=counts(table),
        quarters=of_fleet.quarters(table, now=until.now, level=level),
        groups=of_fleet.groups(table, window_days),
        silent_hosts=silent_hosts(table),
        first=[*map(worded, DriveForecast.rows(table.head(rows) if rows else table))],
    )
    if out is not None:
        listed = DriveInService.rows(table.filter(table["status"] != "ok"))
        report = drive_report.document(listed, found.counts, found.silent_hosts, until)
        drive_page.write(out, report, found.quarters, found.groups)
        note(f"wrote `{out}`", quiet=quiet)

    def text() -> page.Lines:
        urgent = [drive for drive in found.first if drive.status in ("replace", "watch")]
        warnings = page.warning_lines(found.groups, found.silent_hosts, window_days, rows)
        quarters = page.quarter_lines(found.quarters[:8], level)
        head = [page.summary(found.counts), "", *quarters]
        return [*head, *([""] if warnings else []), *warnings, "", *page.lines(urgent, rows)]

    emit(found, output_format, text=text, rows=found.quarters)


def _table(history: str | None, until: "Horizons", quiet: bool) -> "pl.DataFrame":
    from drivecast.health.history import History
    from drivecast.health.in_service import drives_in_service

    with (
        History.open(history, create=False) as opened,
        progress("forecasting", quiet=quiet) as update,
    ):
        table = drives_in_service(opened, until, _heard(opened, update))
    if table.is_empty():
        raise NoAnswer(*NO_DRIVES)
    return table


NO_DRIVES = "the history holds no drives", "`drivecast health import --help` describes how to fill it"


def _heard(history: "History", update: "Callable[[float, str], None]") -> "Callable[[int], None]":
    """What to call with the number of drives read."""
    total = max(1, history.placed()[0])
    return lambda count: update(0.9 * count / total, f"{count:,} of {total:,} drives")


def _trajectory(
    history: str | None,
    serial: str,
    until: "Horizons",
    out: Path | None,
    output_format: OutputFormat,
    quiet: bool,
) -> None:
    from dataclasses import replace

    from drivecast.document.forecast import DriveForecast
    from drivecast.health import warranty
    from drivecast.health.forecast import trajectory_of
    from drivecast.health.history import History
    from drivecast.health.in_service import InService
    from drivecast.present import forecast as page
    from drivecast.present.drive_words import worded

    for_ever = replace(
        until, forget=timedelta(days=365_000)
    )  # one that was taken away is shown where it is named
    with (
        History.open(history, create=False) as opened,
        progress("forecasting", quiet=quiet) as update,
    ):
        service = InService(opened, for_ever)
        drive = trajectory_of(
            serial,
            service.batches(),
            warranty.ratings,
            now=until.now,
            level=until.level,
            done=_heard(opened, update),
            complete=service.judged,
        )
    if drive is None:
        raise HintedError(
            f"no drive `{serial}` in the history", "`drivecast health forecast` lists the drives"
        )
    found = worded(drive)
    if out is not None:
        from drivecast.present import forecast_page

        forecast_page.write_drive(out, found)
        note(f"wrote `{out}`", quiet=quiet)
    row = DriveForecast.model_validate(dict(found))
    emit(found, output_format, text=lambda: page.trajectory_lines(found), rows=[row])


def _write(
    out: Path | None,
    title: str,
    summary: str,
    drives: "Sequence[DriveForecast]",
    quarters: "Sequence[Quarter]",
    quiet: bool,
) -> None:
    if out is not None:
        from drivecast.present import forecast_page

        forecast_page.write_fleet(out, title, summary, quarters, drives)
        note(f"wrote `{out}`", quiet=quiet)


def _head(until: "Horizons") -> dict[str, Any]:
    return {"schema_version": 2, "as_of": until.now.date(), "level": until.level}


def _check(level: float, out: Path | None) -> None:
    if not 0.01 <= level <= 0.99:
        raise InputError(f"--level {level:g}: expected a share from 0.01 to 0.99, such as 0.8")
    writable(out)
