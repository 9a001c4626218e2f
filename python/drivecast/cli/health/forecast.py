"""`drivecast health forecast` and `drivecast health fleet`: which drives will be worn out, and when."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.health.option import Now, Url, now
from drivecast.cli.health.option import moment as moment_of
from drivecast.cli.verb import (
    Format,
    OutputFormat,
    Quiet,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)
from drivecast.errors import InputError, NoAnswer

if TYPE_CHECKING:
    import polars as pl

    from drivecast.health.forecast import Batch

Level = Annotated[float, typer.Option(help="How often intervals are to hold the truth.")]
Page = Annotated[Path | None, typer.Option("-o", "--out", help="Write an HTML page with the figures here.")]
Rows = Annotated[int, typer.Option(min=0, help="Rows of text to show at most; 0 shows all.")]


def forecast(
    history: Url = None,
    drive: Annotated[
        str | None, typer.Option("--drive", help="One drive in full, by its serial number.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Only drives that may reach an end by this day, with the chance."),
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

    Rates come from the drive's own history since its workload last changed, and from what is usual in the fleet. A
    drive with too short a history has no date, and says what is missing.

    Example: `drivecast health forecast`, `drivecast health forecast --drive S3EVNX0K --out drive.html`
    """
    if sum((drive is not None, by is not None, quarter)) > 1:
        raise InputError("`--drive`, `--by` and `--quarter` are three questions; ask one of them")
    moment, until = now(as_of), moment_of("--by", by)
    day = until.date() if until else None
    _check(level, out)
    from drivecast.present import forecast as page  # after what can be wrong without it: it takes a second

    if drive is not None:
        _one(history, drive, level, moment, out, output_format, quiet)
        return
    table = _table(history, level, moment, quiet)
    if quarter:
        _quarters(table, level, moment, out, output_format)
        return
    if day is not None:
        table = _ending(table, day, level)
    if out is not None:
        _write_fleet(out, "Drives in service", table, _counted(table, level, moment))
        note(f"wrote `{out}`", quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            print_json({**_head(moment, level), "drives": page.records(table)})
        case OutputFormat.CSV:
            print_csv(page.records(table))
        case OutputFormat.TEXT:
            _echo([*page.lines(table, rows=rows or table.height), "", _summary(table)])


def fleet(
    history: Url = None,
    window_days: Annotated[
        int,
        typer.Option(
            min=1, help="Days to notice, exchange and rebuild: ends of one array so close are told."
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
    from drivecast.health.forecast import fleet as ask
    from drivecast.present import forecast as page

    table = _table(history, level, moment, quiet)
    counted = _counted(table, level, moment)
    arrays, gone = ask.groups(table, window_days), ask.vanished(table, now=moment, days=vanished_days)
    if out is not None:
        _write_fleet(out, "Fleet of drives", table, counted)
        note(f"wrote `{out}`", quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            parts = {
                "quarters": counted,
                "groups": arrays,
                "vanished": gone,
                "first": table.head(rows or table.height),
            }
            lists = {name: page.records(part) for name, part in parts.items()}
            print_json({**_head(moment, level), "counts": page.counts(table), **lists})
        case OutputFormat.CSV:
            print_csv(page.records(counted))
        case OutputFormat.TEXT:
            _echo([_summary(table), "", *page.quarter_lines(counted.head(8), level)])
            urgent = table.filter(table["status"].is_in(["alarm", "soon"]))
            told = page.warning_lines(arrays, gone, window_days, rows)
            _echo([*([""] if told else []), *told, "", *page.lines(urgent, rows=rows or urgent.height)])


def _table(history: str | None, level: float, now: datetime, quiet: bool) -> "pl.DataFrame":
    from drivecast.health import warranty
    from drivecast.health.forecast import forecast_batches

    with _batches(history, quiet) as (batches, done):
        table = forecast_batches(batches, warranty.ratings, now=now, level=level, done=done)
    if table.is_empty():
        raise NoAnswer(NO_DRIVES)
    return table


NO_DRIVES = "the history holds no drives\nhint: `drivecast health read --help` says how to fill it"


@contextmanager
def _batches(history: str | None, quiet: bool) -> "Iterator[tuple[Iterator[Batch], Any]]":
    """The history's batches, and what hears how far they have come."""
    from drivecast.health.history import History

    with History.open(history, create=False) as kept, progress("forecasting", quiet=quiet) as tell:
        total = max(1, kept.drives().height)
        yield kept.batches(), lambda count: tell(0.9 * count / total, f"{count:,} of {total:,} drives")


def _one(
    history: str | None,
    serial: str,
    level: float,
    now: datetime,
    out: Path | None,
    output_format: OutputFormat,
    quiet: bool,
) -> None:
    import polars as pl

    from drivecast.health import warranty
    from drivecast.health.forecast import trajectory_of
    from drivecast.present import forecast as page

    with _batches(history, quiet) as (batches, done):
        found = trajectory_of(serial, batches, warranty.ratings, now=now, level=level, done=done)
    if found is None:
        raise InputError(
            f"no drive `{serial}` in the history\nhint: `drivecast health forecast` lists the drives"
        )
    if out is not None:
        from drivecast.present import forecast_page

        table = pl.DataFrame([found.drive], infer_schema_length=None)
        lines = page.trajectory_lines(found, level)
        forecast_page.write(out, f"Drive {serial}", lines, forecast_page.of_trajectory(found), table)
        note(f"wrote `{out}`", quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            print_json({**_head(now, level), **page.trajectory_document(found)})
        case OutputFormat.CSV:
            print_csv([page.record(found.drive)])
        case OutputFormat.TEXT:
            _echo(page.trajectory_lines(found, level))


def _quarters(
    table: "pl.DataFrame", level: float, now: datetime, out: Path | None, output_format: OutputFormat
) -> None:
    from drivecast.present import forecast as page

    counted = _counted(table, level, now)
    if out is not None:
        _write_fleet(out, "Replacements by quarter", table, counted)
    match output_format:
        case OutputFormat.JSON:
            print_json({**_head(now, level), "quarters": page.records(counted)})
        case OutputFormat.CSV:
            print_csv(page.records(counted))
        case OutputFormat.TEXT:
            _echo(page.quarter_lines(counted, level))


def _counted(table: "pl.DataFrame", level: float, now: datetime) -> "pl.DataFrame":
    from drivecast.health.forecast import fleet as ask

    return ask.quarters(table, now=now, level=level)


def _ending(table: "pl.DataFrame", day: date, level: float) -> "pl.DataFrame":
    """The drives whose interval reaches back to `day`, with the chance that they have ended by then."""
    from drivecast.health.forecast import fleet as ask

    return ask.ending(table, day, least=(1 - level) / 2)


def _write_fleet(out: Path, title: str, table: "pl.DataFrame", quarters: "pl.DataFrame") -> None:
    from drivecast.present import forecast_page

    forecast_page.write(out, title, [_summary(table)], forecast_page.of_fleet(quarters), table)


def _summary(table: "pl.DataFrame") -> str:
    from drivecast.present import forecast as page

    told = ", ".join(f"{count:,} {status}" for status, count in page.counts(table).items())
    return f"{table.height:,} drives: {told}"


def _head(now: datetime, level: float) -> dict[str, Any]:
    from drivecast.present import forecast as page

    return {"schema_version": page.SCHEMA_VERSION, "as_of": page.plain(now.date()), "level": level}


def _check(level: float, out: Path | None) -> None:
    if not 0.01 <= level <= 0.99:
        raise InputError(f"--level {level:g}: expected a share from 0.01 to 0.99, such as 0.8")
    writable(out)


def _echo(lines: list[str]) -> None:
    from drivecast.present.terminal import joined

    typer.echo(joined(lines))
