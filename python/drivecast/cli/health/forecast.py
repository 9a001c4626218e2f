"""`drivecast health forecast` and `drivecast health fleet`: which drives will be worn out, and when."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.health.option import Now, Url, now
from drivecast.cli.health.option import moment as moment_of
from drivecast.cli.verb import Format, OutputFormat, Quiet, emit, note, progress, writable
from drivecast.errors import HintedError, InputError, NoAnswer

if TYPE_CHECKING:
    import polars as pl

    from drivecast.document.forecast import DriveForecast, Quarter
    from drivecast.health.forecast import Batch

Level = Annotated[float, typer.Option(help="Chance with which an interval is to hold the truth.")]
Page = Annotated[Path | None, typer.Option("-o", "--out", help="Write an HTML page with the figures here.")]
Rows = Annotated[int, typer.Option(min=0, help="Rows of text to show at most; 0 shows all.")]


def forecast(
    history: Url = None,
    drive: Annotated[str | None, typer.Option(help="One drive in full, by its serial number.")] = None,
    by: Annotated[
        str | None,
        typer.Option(help="Only drives that may reach an end by this day, with the chance."),
    ] = None,
    quarter: Annotated[
        bool, typer.Option("--quarter", help="Replacements to expect in each quarter instead.")
    ] = False,
    level: Level = 0.8,
    as_of: Now = None,
    rows: Rows = 40,
    out: Page = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Forecast when each drive's flash is worn out and its warranty ends, with intervals; the most urgent first.

    Rates come from the drive's own history since its workload last changed, and from the fleet as a whole. A drive
    with too short a history has no date, and its row states what is missing.

    Example: `drivecast health forecast`, `drivecast health forecast --drive S3EVNX0K --out drive.html`
    """
    if sum((drive is not None, by is not None, quarter)) > 1:
        raise InputError("`--drive`, `--by` and `--quarter` exclude each other; give one of them")
    moment, until = now(as_of), moment_of("--by", by)
    _check(level, out)
    if drive is not None:
        _trajectory(history, drive, level, moment, out, output_format, quiet)
        return
    # After what can be wrong without it: it takes a second.
    from drivecast.document.forecast import DriveEnding, DriveForecast, Endings, Forecast, Quarters
    from drivecast.health.forecast import fleet as of_fleet
    from drivecast.present import forecast as page
    from drivecast.present.forecast_reason import worded

    head = _head(moment, level)
    table = _table(history, level, moment, quiet)
    if until is not None and not quarter:
        table = of_fleet.ending(table, until.date(), least=(1 - level) / 2)
    quarters = of_fleet.quarters(table, now=moment, level=level) if quarter or out else []
    listed: Forecast | Endings
    if until is None:
        listed = Forecast(**head, drives=[*map(worded, DriveForecast.rows(table))])
    else:
        listed = Endings(**head, drives=[*map(worded, DriveEnding.rows(table))])
    summary = page.summary(of_fleet.counts(table))
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
    vanished_days: Annotated[
        int, typer.Option(min=1, help="A drive with no sample for so many days has vanished.")
    ] = 3,
    level: Level = 0.8,
    as_of: Now = None,
    rows: Rows = 10,
    out: Page = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Show a fleet at a glance: drives by status, replacements by quarter, arrays of one age, drives that vanished.

    Example: `drivecast health fleet`, `drivecast health fleet --out fleet.html`
    """
    moment = now(as_of)
    _check(level, out)
    from drivecast.document.forecast import DriveForecast, Fleet
    from drivecast.health.forecast import fleet as of_fleet
    from drivecast.present import forecast as page
    from drivecast.present.forecast_reason import worded

    table = _table(history, level, moment, quiet)
    drives = [*map(worded, DriveForecast.rows(table))]
    found = Fleet(
        **_head(moment, level),
        counts=of_fleet.counts(table),
        quarters=of_fleet.quarters(table, now=moment, level=level),
        groups=of_fleet.groups(table, window_days),
        vanished=of_fleet.vanished(table, now=moment, days=vanished_days),
        first=drives[: rows or None],
    )
    summary = page.summary(found.counts)
    _write(out, "Fleet of drives", summary, drives, found.quarters, quiet)

    def text() -> page.Lines:
        urgent = [drive for drive in drives if drive.status in ("alarm", "soon")]
        warnings = page.warning_lines(found.groups, found.vanished, window_days, rows)
        quarters = page.quarter_lines(found.quarters[:8], level)
        return [summary, "", *quarters, *([""] if warnings else []), *warnings, "", *page.lines(urgent, rows)]

    emit(found, output_format, text=text, rows=found.quarters)


def _table(history: str | None, level: float, now: datetime, quiet: bool) -> "pl.DataFrame":
    from drivecast.health import warranty
    from drivecast.health.forecast import forecast_batches

    with _batches(history, quiet) as (batches, done):
        table = forecast_batches(batches, warranty.ratings, now=now, level=level, done=done)
    if table.is_empty():
        raise NoAnswer(*NO_DRIVES)
    return table


NO_DRIVES = "the history holds no drives", "`drivecast health import --help` describes how to fill it"


@contextmanager
def _batches(history: str | None, quiet: bool) -> "Iterator[tuple[Iterator[Batch], Any]]":
    """The history's batches, and what to call with the number of drives read."""
    from drivecast.health.history import History

    with (
        History.open(history, create=False) as opened,
        progress("forecasting", quiet=quiet) as update,
    ):
        total = max(1, opened.drives().height)
        yield opened.batches(), lambda count: update(0.9 * count / total, f"{count:,} of {total:,} drives")


def _trajectory(
    history: str | None,
    serial: str,
    level: float,
    now: datetime,
    out: Path | None,
    output_format: OutputFormat,
    quiet: bool,
) -> None:
    from drivecast.document.forecast import DriveForecast
    from drivecast.health import warranty
    from drivecast.health.forecast import trajectory_of
    from drivecast.present import forecast as page
    from drivecast.present.forecast_reason import worded

    with _batches(history, quiet) as (batches, done):
        drive = trajectory_of(serial, batches, warranty.ratings, now=now, level=level, done=done)
    if drive is None:
        raise HintedError(
            f"no drive `{serial}` in the history", "`drivecast health forecast` lists the drives"
        )
    found = worded(drive)
    if out is not None:
        from drivecast.present import forecast_page

        figures = forecast_page.of_trajectory(found)
        forecast_page.write(out, f"Drive {serial}", page.trajectory_lines(found), figures, [found])
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

        forecast_page.write(out, title, [summary], forecast_page.of_fleet(quarters), drives)
        note(f"wrote `{out}`", quiet=quiet)


def _head(now: datetime, level: float) -> dict[str, Any]:
    return {"schema_version": 1, "as_of": now.date(), "level": level}


def _check(level: float, out: Path | None) -> None:
    if not 0.01 <= level <= 0.99:
        raise InputError(f"--level {level:g}: expected a share from 0.01 to 0.99, such as 0.8")
    writable(out)
