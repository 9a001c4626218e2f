"""Drives in service as a page: what to pull, from which machine, why and by when, on the first screen."""

from collections.abc import Sequence
from pathlib import Path

from drivecast.document.drive_health import Report
from drivecast.document.forecast import Group, Quarter
from drivecast.files import write_whole
from drivecast.present import drive_words, forecast_page
from drivecast.present.page import filled

ROWS_MAX = 500
"""Of a list; CSV has all."""


def write(path: Path, report: Report, quarters: Sequence[Quarter], groups: Sequence[Group]) -> None:
    """Write the page, whole or not at all."""
    silent = {host.host for host in report.silent_hosts}
    lists = {status: drive_words.listed(report, status) for status in drive_words.TITLES}
    page = filled(
        "drives.html",
        report=report,
        words=drive_words,
        headline=drive_words.headline(report),
        lists=lists,
        alone=[row for row in lists["silent"] if row.host not in silent],
        figures=forecast_page.of_fleet(quarters),
        groups=[group for group in groups if group.at_risk],
        rows_max=ROWS_MAX,
    )
    write_whole(path, page)
