"""Drives in service: samples dropped in, and what `drivecast health` says of them. One history for the whole server."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import polars as pl
from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from drivecast.document.drive_health import DriveInService, Horizons, Report
from drivecast.document.forecast import DriveForecast, Fleet, Forecast, Trajectory, Written
from drivecast.document.history import Added, HistorySummary
from drivecast.errors import NoAnswer
from drivecast.files import exists
from drivecast.health import warranty
from drivecast.health.concern import counts, silent_hosts
from drivecast.health.forecast import fleet as of_fleet
from drivecast.health.forecast import trajectory_of
from drivecast.health.history import History
from drivecast.health.in_service import InService, drives_in_service
from drivecast.lock import temporary_folder
from drivecast.present import drive_report
from drivecast.present.drive_words import worded
from drivecast.quantity import parse
from drivecast.serve import limited_reader, uploaded_file
from drivecast.serve.http_error import Refused, missing
from drivecast.serve.services import Here, Services

router = APIRouter(tags=["health"])
GROUP_DAYS = 14
FIRST = 100
PAST_MAX = 2000
"""Points of what a drive wrote: more than a chart has pixels for."""
SCHEMA = 2
"""Of the documents of forecasts."""

Within = Annotated[str, Query(description="Drives that may end within this time are to be replaced.")]
Watch = Annotated[str, Query(description="Drives that may end within this time are to be watched.")]
Day = Annotated[datetime | None, Query(description="Judge as of this time.")]
Label = Annotated[str | None, Query(max_length=200)]


class DriveInFull(Trajectory):
    """A drive with what it has written, with which a chart of it begins: the verb's document leaves that out."""

    past: list[Written]


def horizons(within: str, watch: str, as_of: datetime | None, level: float = 0.8) -> Horizons:
    """What is near and far.

    Raises `InputError` for what is no time, and `Refused` where the nearer is farther.
    """
    act, far = (
        timedelta(seconds=(parse.option(name, parse.time_ns, text) or 0) / 1e9)
        for name, text in (("within", within), ("watch", watch))
    )
    if act > far:
        raise Refused(422, "input", "`within` is the nearer time and cannot exceed `watch`")
    now = as_of or datetime.now(UTC).replace(microsecond=0)
    return Horizons(now if now.tzinfo else now.replace(tzinfo=UTC), act, far, None, None, level)


def _judged(here: Services, until: Horizons) -> pl.DataFrame:
    """All drives, judged.

    Raises `NoAnswer` where there are none.
    """
    if not exists(here.history):
        raise NoAnswer("the history holds no drives", "drop in what `smartctl -x -j` wrote")
    with History.open(here.history, create=False) as opened:
        table = drives_in_service(opened, until)
    if table.is_empty():
        raise NoAnswer(
            "no drive of the history was seen lately", "read the drives again, or name an earlier day"
        )
    return table


@router.get("/health")
def history(here: Here) -> HistorySummary:
    """What the history holds."""
    with History.open(here.history) as opened:
        found = opened.summary(None)
    return found.model_copy(update={"history": Path(found.history).name})


@router.post("/health/samples")
async def samples(
    request: Request,
    here: Here,
    name: Annotated[str, Query(min_length=1, max_length=500)],
    host: Label = None,
    group: Label = None,
) -> Added:
    """Store readings of drives: the JSON of `smartctl -x -j`, or a table of samples."""
    file = uploaded_file.name_of(name)
    with temporary_folder("drivecast-samples-", here.settings.data) as folder:
        await uploaded_file.stored(request.stream(), folder / file, here.incoming)
        given = {"history": here.history, "host": host, "group": group}
        found = await run_in_threadpool(limited_reader.read, here.settings, "samples", folder / file, **given)
    added = Added.model_validate(found)
    if not added.samples_new + added.samples_repeated:
        reason = (added.refused or ["it holds no reading of a drive"])[0]
        raise Refused(422, "no-document", reason.replace(str(folder / file), name))
    shown = [text.replace(str(folder / file), name) for text in added.refused]
    return added.model_copy(update={"history": Path(here.history).name, "refused": shown})


@router.get("/health/report")
def report(here: Here, within: Within = "92d", watch: Watch = "184d", as_of: Day = None) -> Report:
    """Drives to replace and to watch, by when and why, and machines that are silent."""
    until = horizons(within, watch, as_of)
    table = _judged(here, until)
    listed = DriveInService.rows(table.filter(table["status"] != "ok"))
    return drive_report.document(listed, counts(table), silent_hosts(table), until)


@router.get("/health/fleet")
def fleet(here: Here, within: Within = "92d", watch: Watch = "184d", as_of: Day = None) -> Fleet:
    """A fleet at a glance: drives by list, replacements by quarter, arrays of one age."""
    until = horizons(within, watch, as_of)
    table = _judged(here, until)
    return Fleet(
        schema_version=SCHEMA,
        as_of=until.now.date(),
        level=until.level,
        counts=counts(table),
        quarters=of_fleet.quarters(table, now=until.now, level=until.level),
        groups=of_fleet.groups(table, GROUP_DAYS),
        silent_hosts=silent_hosts(table),
        first=[*map(worded, DriveForecast.rows(table.head(FIRST)))],
    )


@router.get("/health/forecast")
def forecast(here: Here, within: Within = "92d", watch: Watch = "184d", as_of: Day = None) -> Forecast:
    """When each drive's flash is worn out, its spare used up and its warranty ends; the most urgent first."""
    until = horizons(within, watch, as_of)
    rows = [*map(worded, DriveForecast.rows(_judged(here, until)))]
    return Forecast(schema_version=SCHEMA, as_of=until.now.date(), level=until.level, drives=rows)


@router.get("/health/drives/{serial}")
def drive(
    here: Here, serial: str, within: Within = "92d", watch: Watch = "184d", as_of: Day = None
) -> DriveInFull:
    """One drive: what it wrote, and what is expected."""
    if not exists(here.history):
        raise missing("drive", serial)
    until = replace(horizons(within, watch, as_of), forget=timedelta(days=365_000))
    with History.open(here.history, create=False) as opened:
        service = InService(opened, until)
        found = trajectory_of(
            serial,
            service.batches(),
            warranty.ratings,
            now=until.now,
            level=until.level,
            complete=service.judged,
        )
    if found is None:
        raise missing("drive", serial)
    step = -(-len(found.past) // PAST_MAX) or 1
    past = [*found.past[::step], *(found.past[-1:] if (len(found.past) - 1) % step else [])]
    return DriveInFull(**{**dict(worded(found)), "past": past})
