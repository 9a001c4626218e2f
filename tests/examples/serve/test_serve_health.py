"""Drives in service and bench results of a server: dropped in, judged, compared."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from drivecast.document.drive_health import Report
from drivecast.document.forecast import Fleet, Forecast
from drivecast.document.history import Added, HistorySummary
from drivecast.document.result import Result
from measured_runs import VOLUME, point, written
from served import Served
from smart_reports import ata, attribute

LINE = "random(4KiB, read=0.7, iodepth=4)"

pytest_plugins = ["served_once"]


def reading() -> bytes:
    """A drive that was just read."""
    now = {"local_time": {"time_t": int(time.time()) - 3600, "asctime": ""}}
    return json.dumps(
        ata("INTEL SSDSC2BB480G7", [attribute(233, 0, 20), attribute(241, 10**6)], **now)
    ).encode()


def test_an_empty_history_says_so(server: Served) -> None:
    assert HistorySummary.check(server.ask("GET", "/health")).drives == 0
    for what in ("report", "fleet", "forecast"):
        assert server.refused(409, "GET", f"/health/{what}")["code"] == "answer"


def test_readings_are_stored_and_judged(server: Served) -> None:
    content = reading()
    place = "/health/samples?name=sda.json&host=db1&group=a"
    added = Added.check(server.ask("POST", place, content=content))
    assert (added.samples_new, added.drives_new) == (1, 1)
    assert Added.check(server.ask("POST", place, content=content)).samples_repeated == 1
    assert Report.check(server.ask("GET", "/health/report")).drives_checked == 1
    assert sum(Fleet.check(server.ask("GET", "/health/fleet")).counts.values()) == 1
    (drive,) = Forecast.check(server.ask("GET", "/health/forecast")).drives
    assert (drive.host, drive.group) == ("db1", "a")
    found = server.ask("GET", f"/health/drives/{drive.serial}")
    assert found["serial"] == drive.serial
    assert [point["written_bytes"] for point in found["past"]] == [drive.written_bytes]
    assert server.refused(404, "GET", "/health/drives/none")["code"] == "missing"


@pytest.mark.parametrize("content", [b"hello", b"{}", b"[]", b'{"schema_version": 1}', b"\xff" * 100])
@pytest.mark.parametrize("path", ["/health/samples", "/results"])
def test_what_is_no_reading_or_no_result_is_refused(server: Served, path: str, content: bytes) -> None:
    before = server.ask("GET", "/results")["results"]
    found = server.refused(422, "POST", f"{path}?name=x.json", content=content)
    assert found["code"] == "no-document"
    assert server.ask("GET", "/results")["results"] == before


@pytest.mark.parametrize("query", ["within=x", "within=200d&watch=100d", "as_of=never"])
def test_times_that_are_none_are_refused(server: Served, query: str) -> None:
    assert server.refused(422, "GET", f"/health/report?{query}")["code"] == "input"


def result(tmp_path: Path, line: str | None = LINE, seed: int = 1) -> bytes:
    measured = point(VOLUME, LINE, seed).model_copy(update={"workload": line})
    return written(tmp_path / "result.json", [measured]).read_bytes()


def stored(server: Served, content: bytes) -> dict[str, Any]:
    return server.ask("POST", "/results?name=first.json", 201, content=content)


def test_results_are_compared(server: Served, tmp_path: Path) -> None:
    ours, theirs = stored(server, result(tmp_path)), stored(server, result(tmp_path, seed=2))
    assert (ours["kind"], ours["points"], ours["targets"]) == ("sweep", 1, ["/mnt/disk"])
    assert len(server.ask("GET", "/results")["results"]) == 2
    assert Result.model_validate(server.ask("GET", f"/results/{ours['id']}")).points[0].workload == LINE
    asked = {"measured": ours["id"], "result": theirs["id"]}
    job = server.ask("POST", "/comparisons", 202, json=asked)
    found = server.ended(f"/comparisons/{job['id']}")
    assert found["state"] == "done", found
    document = server.ask("GET", f"/comparisons/{job['id']}/document")
    assert document["outcome"] == found["outcome"]
    assert (document["measured"], document["prediction"]) == ("first", "first")
    assert str(server.data) not in json.dumps(document)
    for place in (f"/comparisons/{job['id']}", f"/results/{ours['id']}"):
        server.ask("DELETE", place, 204)
        server.refused(404, "GET", place)


def test_a_comparison_reads_no_file_of_the_server(server: Served, tmp_path: Path) -> None:
    """A result names what was played, and a design could be a path."""
    hostile = stored(server, result(tmp_path, line="/etc/passwd"))
    asked = {"measured": hostile["id"], "design": "samsung-pm893-480gb"}
    assert "does not have" in server.refused(422, "POST", "/comparisons", json=asked)["reason"]
    mended = {**asked, "workload": "/etc/shadow"}
    assert server.refused(422, "POST", "/comparisons", json=mended)["code"] == "input"
    own = stored(server, result(tmp_path))
    for design in ("/etc/passwd", "result.json", "../result.json"):
        assert server.refused(422, "POST", "/comparisons", json={"measured": own["id"], "design": design})
    both = {"measured": own["id"], "design": "samsung-pm893-480gb", "result": own["id"]}
    server.refused(422, "POST", "/comparisons", json=both)


def test_drives_of_the_catalog_are_listed(server: Served) -> None:
    assert "samsung-pm893-480gb" in {drive["name"] for drive in server.ask("GET", "/drives")["drives"]}
