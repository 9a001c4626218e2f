"""smartctl_exporter: its text, a scrape, and a real Prometheus that scrapes it."""

import platform
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import prometheus_server
import smart_reports as reports
import waiting
from drivecast.document.record import Record, Unread
from drivecast.health.read import records
from needs import needs


class Exporter(BaseHTTPRequestHandler):
    """Serves what smartctl_exporter would."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(reports.exposition().encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def exporter() -> Iterator[str]:
    needs("loopback")
    server = HTTPServer(("127.0.0.1", 0), Exporter)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def check(found: list[Record | Unread]) -> None:
    assert all(isinstance(entry, Record) for entry in found), found
    drives = {entry.serial: entry for entry in found if isinstance(entry, Record)}
    assert set(drives) == {"N7", "I7", "C7"}
    fine, intel, sas = (drives[serial] for serial in ("N7", "I7", "C7"))
    assert (fine.value("wear_ratio"), fine.value("spare_ratio")) == (0.12, 0.98)
    assert fine.value("host_written_bytes") == 5.12e13
    assert intel.vendor == "intel-dc-sata"
    assert intel.value("wear_ratio") == pytest.approx(0.05)
    assert intel.value("nand_written_bytes") == 1_500_000 * (32 << 20)
    assert (sas.value("host_written_bytes"), sas.value("reallocated_sectors"), sas.value("media_errors")) == (
        1.5e12,
        3,
        1,
    )
    assert all(drive.value("power_on_hours") == 10_000 and drive.passed for drive in drives.values())


def test_a_scrape(exporter: str) -> None:
    found = list(records([f"http://{exporter}/metrics"]))
    check(found)
    assert {entry.host for entry in found if isinstance(entry, Record)} == {platform.node()}


def test_one_that_does_not_answer_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "metrics.prom").write_text(reports.exposition())
    first, *others = records(["http://127.0.0.1:1/metrics", tmp_path])
    assert isinstance(first, Unread)
    assert first.reason.startswith("cannot read `http://127.0.0.1:1/metrics`")
    check(others)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    lines = reports.exposition().splitlines()
    lines[5] = lines[5].replace('"}', "")
    (tmp_path / "metrics.prom").write_text("\n".join(lines))
    (found,) = list(records([tmp_path]))
    assert isinstance(found, Unread)
    assert found.place.endswith("metrics.prom: line 6")


@pytest.fixture(scope="module")
def prometheus(exporter: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that scrapes the exporter each second."""
    job = {"job_name": "smartctl", "scrape_interval": "1s", "static_configs": [{"targets": [exporter]}]}
    with prometheus_server.prometheus(
        tmp_path_factory.mktemp("prometheus"), {"scrape_configs": [job]}
    ) as address:
        waiting.until(lambda: scraped(address) == 3, "the exporter's three drives are scraped")
        yield address


def scraped(address: str) -> int:
    """How many drives the server knows."""
    try:
        answer = httpx.get(f"http://{address}/api/v1/query?query=smartctl_device").json()
        return len(answer["data"]["result"])
    except (httpx.HTTPError, ValueError, KeyError):
        return 0


def test_a_prometheus_server(prometheus: str) -> None:
    found = list(records([f"prometheus+http://{prometheus}"]))
    check(found)
    assert all(
        isinstance(scraped, Record) and abs(scraped.time.timestamp() - time.time()) < 60 for scraped in found
    )
    scraped = list(records([f"prometheus+http://{prometheus}?device=sda"]))
    assert [drive.serial for drive in scraped if isinstance(drive, Record)] == ["I7"]


def test_a_stretch_gives_a_record_a_step(prometheus: str) -> None:
    def asked() -> list[Record | Unread]:
        return list(records([f"prometheus+http://{prometheus}?device=nvme0&start=-3s&step=1s"]))

    waiting.until(lambda: len(asked()) >= 2, "the server has scraped for a second")
    found = asked()
    times = [entry.time for entry in found if isinstance(entry, Record)]
    assert len(times) == len(set(times)) >= 2
    assert times == sorted(times)


def test_a_server_without_such_drives(prometheus: str) -> None:
    (found,) = list(records([f"prometheus+http://{prometheus}?device=nosuch"]))
    assert isinstance(found, Unread)
