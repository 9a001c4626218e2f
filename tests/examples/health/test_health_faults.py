"""A fleet with planted faults: each in its list, and every verb counts the same lists."""

import csv
import io
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from prometheus_client.parser import text_string_to_metric_families

from conftest import Run
from drivecast.document.drive_health import Horizons
from drivecast.health.exporter import Exporter, Found
from drivecast.health.history import History
from drivecast.health.in_service import drives_in_service

sys.path.insert(0, str(Path(__file__).parents[2] / "data"))
import drive_faults as faults

SEED = 4
NOW = ("--now", "2026-03-31T12:00:00")


@pytest.fixture(scope="module")
def fleet() -> faults.Fleet:
    return faults.fleet(SEED, hosts=40)


@pytest.fixture(scope="module")
def history(fleet: faults.Fleet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fleet") / "h.db"
    with History.open(str(path), now=lambda: faults.NOW) as opened:
        assert not opened.add_table(fleet.samples).refused
    return path


@pytest.fixture(scope="module")
def listed(history: Path, drivecast: Callable[..., Run]) -> dict[str, dict[str, str]]:
    """The drives of the report, by serial number."""
    report = drivecast("health", "report", "--history", history, *NOW, "--output-format", "csv")
    return {row["serial"]: row for row in csv.DictReader(io.StringIO(report.out))}


def test_each_fault_is_in_its_list(fleet: faults.Fleet, listed: dict[str, dict[str, str]]) -> None:
    truth = fleet.truth()
    wrong = []
    for serial, expected in fleet.expected().items():
        found = listed[serial]["status"] if serial in listed else "ok"
        seldom = truth[serial].endswith(" grow") or truth[serial].startswith(
            "judges"
        )  # not seen yet, if weekly
        if expected is not None and found != expected and not seldom:
            wrong.append((serial, truth[serial], expected, found))
    assert not wrong
    grown = [drive for drive in fleet.drives if drive.fault.endswith(" grow") and drive.rhythm != "weekly"]
    assert grown
    assert {listed[faults.name(drive)]["status"] for drive in grown} == {"replace"}


def test_a_drive_to_pull_is_named_with_its_host_and_when(
    fleet: faults.Fleet, listed: dict[str, dict[str, str]]
) -> None:
    rows = [row for row in listed.values() if row["status"] == "replace"]
    drives = {faults.name(drive): drive for drive in fleet.drives}
    for row in rows:
        drive = drives[row["serial"]]
        assert (row["host"], row["device"], row["model"]) == (
            faults.host(drive.host),
            drive.device,
            drive.model[0],
        )
        assert "2026-03-31" <= row["by"] <= "2026-07-01"
    falling = [row for row in rows if drives[row["serial"]].fault == "spare 100 to 11 % in 30 days"]
    assert len(falling) == 3
    assert all("10 %" in row["why"] and row["by"] < "2026-04-05" for row in falling)


def test_report_fleet_check_forecast_and_metrics_count_alike(
    history: Path, drivecast: Callable[..., Run], tmp_path: Path
) -> None:
    of = ("--history", history, *NOW, "--output-format", "json")
    counts = drivecast("health", "report", *of, "-o", tmp_path / "report.html").json["counts"]
    assert min(counts[name] for name in ("replace", "watch", "silent", "warranty", "ok")) > 3
    assert drivecast("health", "fleet", *of, "-o", tmp_path / "fleet.html").json["counts"] == counts
    check = drivecast("health", "check", "--all", *of)
    assert (check.code, check.json["counts"]) == (2, counts)
    states = Counter(drive["state"] for drive in check.json["drives"])
    assert (states["CRITICAL"], states["WARNING"], states["UNKNOWN"]) == (
        counts["replace"],
        counts["watch"],
        counts["silent"],
    )
    forecast = drivecast("health", "forecast", *of).json["drives"]
    assert Counter(drive["status"] for drive in forecast) == +Counter(counts)
    with History.open(str(history)) as opened:
        table = drives_in_service(opened, Horizons(faults.NOW))
    assert metrics(table) == counts
    for page in ("report.html", "fleet.html"):
        text = (tmp_path / page).read_text()
        assert f"<h1>Replace {counts['replace']} drives by 2026-07-01" in text
        assert f">Watch {counts['watch']}</a>" in text


def metrics(table: pl.DataFrame) -> dict[str, int]:
    """How many drives a scrape has in each list."""
    exporter = Exporter(lambda: Found(table), 60)
    exporter.refresh()
    body = exporter.body("", zipped=False)[0].decode()
    found: Counter[str] = Counter()
    for family in text_string_to_metric_families(body):
        if family.name == "drivecast_drive_status":
            for sample in family.samples:
                found[sample.labels["status"]] += int(sample.value)
    return dict(found)


def test_silence_follows_the_rhythm_of_the_host(
    fleet: faults.Fleet, history: Path, drivecast: Callable[..., Run]
) -> None:
    of = ("--history", history, *NOW, "--output-format", "json")
    report = drivecast("health", "report", *of).json
    silent = {drive.host: drive.rhythm for drive in fleet.drives if drive.fault == "silent host"}
    assert {row["host"] for row in report["silent_hosts"]} == {faults.host(host) for host in silent}
    assert {*silent.values()} == {"hourly", "daily", "weekly"}
    # A fixed age names every weekly host, or misses the hourly one.
    fixed = drivecast("health", "report", *of, "--stale", "2d").json
    assert fixed["counts"]["silent"] > 2 * report["counts"]["silent"]
    summary = drivecast("health", "history", "--history", history, "--output-format", "json").json
    assert summary["hosts"] == 40
    assert {row["serial"] for row in summary["vanished"]} == {
        row["serial"] for row in report["drives"] if row["status"] == "silent"
    }
