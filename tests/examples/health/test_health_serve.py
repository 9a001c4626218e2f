"""The exporter: what it tells, that it lasts, and that a real Prometheus reads it, its rules and its dashboard."""

import asyncio
import gzip
import json
import os
import re
import resource
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

import prometheus_server
import waiting
from conftest import PROGRAM, Run
from drivecast.errors import InputError
from drivecast.health import exporter, metrics, serve, shipped
from drivecast.health.exporter import Exporter, Found, StageError
from drivecast.health.history import History
from needs import needs

NOW = datetime.now(UTC).replace(microsecond=0)
OPENMETRICS = "application/openmetrics-text; version=1.0.0"


def drives(**change: list[Any]) -> pl.DataFrame:
    """Two drives: one tells everything, one nothing."""
    columns: dict[str, list[Any]] = {
        "serial": ["full", "mute"],
        "model": ['A "quoted" \\ model\n', None],
        "host": ["db1", None],
        "status": ["watch", None],
        "concerns": [[{"status": "watch", "kind": "new errors"}], None],
        "wear_ratio": [1.3, None],
        "host_written_bytes": [2.0**53, None],
        "power_on_hours": [2.0, None],
        "passed": [False, None],
        "media_end": [date(1970, 1, 3), None],
        "media_end_low": [date(1970, 1, 2), None],
        "written_bytes_per_day": [86_400.0, None],
        "time": [NOW, NOW],
    }
    return pl.DataFrame(columns | change)


def scraped(found: Found, accept: str = OPENMETRICS) -> dict[tuple[str, str | None, str | None], float]:
    """Samples by name, serial and the one other label that a drive's metric may have."""
    made = Exporter(lambda: found, 300)
    made.refresh()
    body, _ = made.body(accept, zipped=False)
    return {
        (sample.name, sample.labels.get("serial"), sample.labels.get("status")): sample.value
        for family in text_string_to_metric_families(body.decode())
        for sample in family.samples
    }


def test_values_in_base_units_and_nothing_that_is_not_told() -> None:
    told = scraped(Found(drives()))
    drive = "drivecast_drive_"
    assert told[f"{drive}wear_ratio", "full", None] == 1.3
    assert told[f"{drive}host_written_bytes_total", "full", None] == 2**53
    assert told[f"{drive}power_on_seconds_total", "full", None] == 7200
    assert told[f"{drive}passed", "full", None] == 0
    assert told[f"{drive}media_end_timestamp_seconds", "full", None] == 2 * 86_400
    assert told[f"{drive}media_end_low_timestamp_seconds", "full", None] == 86_400
    assert told[f"{drive}write_bytes_per_second", "full", None] == 1
    assert told[f"{drive}last_sample_timestamp_seconds", "mute", None] == NOW.timestamp()
    assert [told[f"{drive}status", "full", status] for status in metrics.STATUSES] == [0, 1, 0, 0, 0, 0]
    assert told[f"{drive}concern", "full", "watch"] == 1
    assert {name for name, serial, _ in told if serial == "mute"} == {
        f"{drive}info",
        f"{drive}last_sample_timestamp_seconds",
    }


def test_promtool_finds_nothing_to_say() -> None:
    made = Exporter(lambda: Found(drives(), ["/dev/sdz"], [StageError("read", "x")]), 300)
    made.refresh()
    command = [needs("promtool"), "check", "metrics"]
    body = made.body("", zipped=False)[0]
    done = subprocess.run(command, input=body, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_serial_number_twice_leaves_the_scrape_whole() -> None:
    told = scraped(Found(drives(serial=["same", "same"])))
    assert told["drivecast_exporter_drives", None, None] == 1
    assert told["drivecast_exporter_duplicate_serials", None, None] == 1


def test_a_look_that_fails_leaves_what_was_known() -> None:
    looks: list[Any] = [
        Found(drives()),
        StageError("history", "locked"),
        ValueError("odd"),
        Found(drives(), ["/dev/sdb"], [StageError("read", "no smartctl")]),
    ]

    def look() -> Found:
        found = looks.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    made = Exporter(look, 300)
    assert made.problem()
    for expected in (None, "history: locked", "forecast: ValueError: odd", "read: no smartctl"):
        made.refresh()
        text = made.body("", zipped=False)[0].decode()
        assert 'drivecast_drive_wear_ratio{serial="full"} 1.3' in text
        assert f"drivecast_exporter_up {0.0 if expected else 1.0}" in text
        assert [str(error) for error in made.last_errors] == ([expected] if expected else [])
    for stage in exporter.STAGES:
        assert f'drivecast_exporter_errors_total{{stage="{stage}"}} 1.0' in text
    assert 'drivecast_place_unreadable{place="/dev/sdb"} 1.0' in text
    # Healthy still: a look succeeded within three intervals.
    assert made.problem() is None
    made.interval_s = -1
    assert made.problem() == "read: no smartctl"


@contextmanager
def serving(made: Exporter) -> Iterator[str]:
    needs("loopback")
    with serve.Server(serve.Address("127.0.0.1", 0), made) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://{server.address}"
        server.shutdown()


def test_formats_are_negotiated_and_paths_answered() -> None:
    made = Exporter(lambda: Found(drives()), 300)
    with serving(made) as url:
        assert httpx.get(f"{url}/healthz").status_code == 503
        assert "drivecast_exporter_up 0.0" in httpx.get(f"{url}/metrics").text
        made.refresh()
        assert (httpx.get(f"{url}/healthz").status_code, httpx.get(f"{url}/healthz").text) == (200, "ok\n")
        plain = httpx.get(f"{url}/metrics", headers={"Accept": "text/plain", "Accept-Encoding": "identity"})
        assert plain.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert "content-encoding" not in plain.headers
        zipped = httpx.get(f"{url}/metrics", headers={"Accept-Encoding": "gzip"})
        assert zipped.headers["content-encoding"] == "gzip"
        assert zipped.text == plain.text
        assert int(zipped.headers["content-length"]) == len(gzip.compress(plain.content, 1, mtime=0))
        modern = httpx.get(f"{url}/metrics", headers={"Accept": OPENMETRICS})
        assert modern.headers["content-type"].startswith(OPENMETRICS)
        assert modern.text.endswith("# EOF\n")
        assert "# UNIT" in modern.text or "# TYPE drivecast_drive_info" not in modern.text
        assert httpx.head(f"{url}/metrics").content == b""
        assert httpx.get(f"{url}/nothing").status_code == 404
        assert "/metrics" in httpx.get(url).text
        assert httpx.post(url).status_code == 501
        for version in range(30):  # what a client asks for is not kept without end
            httpx.get(
                f"{url}/metrics", headers={"Accept": f"application/openmetrics-text; version=1.0.{version}"}
            )
        assert len(made.snapshot._bodies) <= exporter.FORMATS_KEPT


@pytest.mark.parametrize(
    ("text", "host", "port", "loopback"),
    [
        ("127.0.0.1:9633", "127.0.0.1", 9633, True),
        ("[::1]:1", "::1", 1, True),
        (":9633", "0.0.0.0", 9633, False),  # noqa: S104
        ("10.1.2.3:9633", "10.1.2.3", 9633, False),
    ],
)
def test_addresses(text: str, host: str, port: int, loopback: bool) -> None:
    found = serve.Address.parse(text)
    assert (found.host, found.port, found.loopback) == (host, port, loopback)


@pytest.mark.parametrize("text", ["", "9633", "host:", "host:x", "host:70000", "::1:9633"])
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(InputError) as error:
        serve.Address.parse(text)
    assert str(error.value).startswith("--listen: ")


def fleet(url: str, days: int = 120) -> None:
    """A drive that is well, one soon worn out, one past its rating, one that has errors, one too young."""
    kinds = {
        "WELL": (50e9, 0.1, 0.0, days),
        "SOON": (3000e9, 0.5, 0.0, days),
        "PAST": (100e9, 1.3, 0.0, days),
        "ERRS": (10e9, 0.2, 4.0, days),
        "YOUNG": (10e9, 0.0, 0.0, 2),
    }
    rows = []
    for serial, (per_day, wear, errors, length) in kinds.items():
        host = 1e12
        for day in range(length + 1):
            host += per_day * (0.8 + 0.05 * (day % 9))
            rows.append(
                {
                    "serial": serial,
                    "model": "SAMSUNG MZ7L3480HCHQ-00A07",
                    "capacity_bytes": 480_103_981_056,
                    "time": NOW - timedelta(days=length - day, minutes=3),
                    "host_written_bytes": host,
                    "nand_written_bytes": 2 * host,
                    "wear_ratio": round(wear + 2 * host / 1.65e15, 2),
                    "spare_ratio": 1.0,
                    "media_errors": errors * (day == length),
                    "reallocated_sectors": 0.0,
                    "power_on_hours": 24.0 * (day + 20 * (serial != "YOUNG")),
                    "temperature_c": 31.0,
                    "passed": True,
                    "host": f"db-{serial.lower()}",
                    "device": "/dev/sda",
                    "group": "md0",
                }
            )
    with History.open(url) as history:
        assert not history.add_table(pl.DataFrame(rows)).refused


@contextmanager
def started(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """`health serve` as a process, and its address as it says."""
    needs("loopback")
    command = [str(PROGRAM), "health", "serve", "--listen", "127.0.0.1:0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            found = re.search(r"http://[\d.:]+", process.stderr.readline())
            assert found
            yield process, found[0]
        finally:
            process.terminate()
            process.wait(waiting.PATIENCE_S)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_when_told_and_gives_the_port_back(number: signal.Signals, tmp_path: Path) -> None:
    with started("--history", str(tmp_path / "none.db")) as (process, url):
        assert httpx.get(f"{url}/metrics").status_code == 200
        waiting.until(
            lambda: "no history" in httpx.get(f"{url}/healthz").text,
            "a history that is not there is reported, and waited for",
        )
        process.send_signal(number)
        assert process.wait(waiting.PATIENCE_S) == 0
        host, port = url.removeprefix("http://").split(":")
        socket.create_server((host, int(port))).close()


def test_a_port_in_use(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = drivecast("health", "serve", "--listen", f"127.0.0.1:{port}", "--history", tmp_path / "h.db")
        assert run.code == 2
        assert f"127.0.0.1:{port}: " in run.err
        wide = drivecast("health", "serve", "--listen", f":{port}", "--history", tmp_path / "h.db")
        assert "is open to the network" in wide.err


def test_a_look_that_is_stuck_does_not_hold_up_the_end() -> None:
    over = threading.Event()

    def look() -> Found:
        os.kill(os.getpid(), signal.SIGTERM)
        over.wait(60)
        return Found(drives())

    made = Exporter(look, 300)
    ended = serve.run(serve.Address("127.0.0.1", 0), made, ready=lambda _at: None, patience_s=0.1)
    over.set()
    assert not ended


def test_what_went_wrong_is_told_once() -> None:
    told: list[str] = []
    looks = [["a", "b"], ["a", "b"], ["b"], ["a"]]
    made = Exporter(lambda: Found(drives(), notes=looks.pop(0)), 300, told.append)
    for _ in range(4):
        made.refresh()
    assert told == ["a", "b", "a"]


def test_a_history_at_no_address(drivecast: Callable[..., Run]) -> None:
    run = drivecast("health", "serve", "--history", "mysql://x", "--listen", "127.0.0.1:0")
    assert run.code == 2
    assert "`mysql://x`" in run.err


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Prometheus server that scrapes `health serve` over a history, with the shipped rules; its address."""
    folder = tmp_path_factory.mktemp("prometheus")
    fleet(str(folder / "h.db"))
    rules = folder / "drivecast.rules.yml"
    rules.write_text(shipped.text(rules.name))
    with ExitStack() as stack:
        (folder / "half.json").write_text('{"smartctl": {"ver')
        options = ("--history", str(folder / "h.db"), "--interval", "2", "--read", str(folder / "half.json"))
        _, url = stack.enter_context(started(*options))
        waiting.until(lambda: httpx.get(f"{url}/healthz").status_code == 200, "the history is read")
        job = {"job_name": "drivecast", "static_configs": [{"targets": [url.removeprefix("http://")]}]}
        config = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(rules)],
            "scrape_configs": [job],
        }
        address = stack.enter_context(prometheus_server.prometheus(folder, config))
        recorded = "count_over_time(serial:drivecast_errors:increase7d[1m]) > 2"
        waiting.until(lambda: asked(address, recorded), "two scrapes for rates, and the rules after them")
        yield address


def asked(address: str, query: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"http://{address}/api/v1/query", params={"query": query}, timeout=10).json()
    assert answer["status"] == "success", (query, answer)
    return list(answer["data"]["result"])


def test_a_real_prometheus_scrapes_it(prometheus: str) -> None:
    assert asked(prometheus, 'up{job="drivecast"}')[0]["value"][1] == "1"
    found = {row["metric"]["serial"]: row for row in asked(prometheus, "drivecast_drive_info")}
    assert {*found} == {"WELL", "SOON", "PAST", "ERRS", "YOUNG"}
    assert found["SOON"]["metric"]["host"] == "db-soon"
    left = asked(prometheus, 'serial:drivecast_media_left_seconds:low{serial="SOON"} / 86400')
    assert 0 < float(left[0]["value"][1]) < 365
    assert not asked(prometheus, 'drivecast_drive_media_end_timestamp_seconds{serial="YOUNG"}')


def test_the_shipped_rules_are_evaluated_without_errors(prometheus: str) -> None:
    groups = httpx.get(f"http://{prometheus}/api/v1/rules").json()["data"]["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) == 15
    assert {rule["health"] for rule in rules} == {"ok"}, [rule for rule in rules if rule["health"] != "ok"]
    firing = {
        (alert["labels"]["alertname"], alert["labels"].get("serial"))
        for rule in rules
        for alert in rule.get("alerts", ())
    }
    assert {("DriveToReplace", "PAST"), ("DriveToReplace", "SOON"), ("DriveUnreadable", None)} <= firing
    assert not {name for name, serial in firing if serial == "WELL"}
    alerts = [alert for rule in rules for alert in rule.get("alerts", ()) if rule["name"] == "DriveToReplace"]
    summaries = {alert["labels"]["serial"]: alert["annotations"]["summary"] for alert in alerts}
    assert all(word in summaries["PAST"] for word in ("PAST", "SAMSUNG MZ7L3480HCHQ-00A07", "db-past"))
    told = [
        text for rule in rules for alert in rule.get("alerts", ()) for text in alert["annotations"].values()
    ]
    assert told
    assert not [text for text in told if "<error" in text or "<no value>" in text or "%!" in text]


def expressions() -> list[tuple[str, str]]:
    """Every query of the dashboard, its variables as Grafana fills them in where all is chosen."""
    board = json.loads(shipped.text("drivecast.dashboard.json"))
    said = {"$__rate_interval": "1m", "$job": ".*", "$instance": ".*", "$host": ".*", "$model": ".*"}
    found = []
    for panel in board["panels"]:
        for target in panel["targets"]:
            query = target["expr"]
            for word, meaning in said.items():
                query = query.replace(word, meaning)
            assert "$" not in query, query
            found.append((panel["title"], query))
    return found


@pytest.mark.parametrize(("title", "query"), expressions())
def test_every_panel_of_the_dashboard_shows_series(title: str, query: str, prometheus: str) -> None:
    assert asked(prometheus, query), title
    # A zero where nothing is counted must not hide a query that finds nothing at all.
    bare = re.sub(r" or (on \(\) )?vector\(0\)", "", query)
    assert asked(prometheus, re.sub(r" [<>] \d+( \* 86400)?", "", bare)), (title, bare)


def test_the_dashboards_variables_have_values(prometheus: str) -> None:
    board = json.loads(shipped.text("drivecast.dashboard.json"))
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            found = re.fullmatch(r"label_values\((.+), (\w+)\)", variable["query"]["query"])
            assert found
            query = re.sub(r"\$\w+", ".*", found[1])
            assert any(row["metric"].get(found[2]) for row in asked(prometheus, query)), variable["name"]


BURST = 400
"""More than wait in the queue of a socket."""


def test_hundreds_of_scrapes_at_once(tmp_path: Path) -> None:
    fleet(history := f"sqlite:///{tmp_path / 'h.sqlite3'}", days=40)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most[1], most[1]))
    try:
        with started("--history", history) as (_, address):
            waiting.until(lambda: httpx.get(f"{address}/healthz").status_code == 200, "the history is read")
            answers = asyncio.run(_burst(address))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)
    assert len(answers) == BURST
    assert all(b" 200 OK" in head and b"drivecast_drive" in body for head, body in answers)
    assert len({len(body) for _, body in answers}) == 1


async def _burst(address: str) -> list[tuple[bytes, bytes]]:
    """The heads and bodies of so many scrapes, all begun at once; raises `TimeoutError` where any takes longer."""
    host, _, port = address.removeprefix("http://").removesuffix("/metrics").rpartition(":")

    async def scrape() -> tuple[bytes, bytes]:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
        writer.close()
        return head, body

    async with asyncio.timeout(waiting.PATIENCE_S):
        return await asyncio.gather(*(scrape() for _ in range(BURST)))


NONSENSE = [b"GET /metrics HTTP/1.1\r\nX: ", b"\0\xff\r\n\r\n", b"", b"GET /metrics HTTP/1.1\r\n\r\n" * 50]
NONSENSE += [b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\0"]
NONSENSE += [b"POST /metrics HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n"]


def test_clients_that_say_nothing_or_nonsense_keep_no_scrape_waiting() -> None:
    made = Exporter(lambda: Found(drives()), 300)
    made.refresh()
    with ExitStack() as held, serving(made) as url:
        where = httpx.URL(url)
        for said in NONSENSE * 25:
            client = held.enter_context(socket.create_connection((where.host, where.port), timeout=60))
            client.sendall(said)
        for _ in range(20):
            answer = httpx.get(f"{url}/metrics", timeout=60)
            assert (answer.status_code, b"drivecast_drive" in answer.content) == (200, True)
