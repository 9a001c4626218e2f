"""Counters from Prometheus: a real server with a real node_exporter, and answers that go wrong."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

import prometheus_server
import waiting
from conftest import Run
from drivecast.errors import InputError
from drivecast.source import prometheus
from drivecast.stage import trace
from needs import needs

NOW_S = 1_795_000_000.0
READS = "node_disk_reads_completed_total"


def test_what_a_url_asks_for() -> None:
    query = prometheus.parse(
        "prometheus+http:/db:9090/prom/?device=sda&instance=~db.*&start=-2h&step=30s", NOW_S
    )
    assert (query.base, query.host) == ("http://db:9090/prom", "db:9090")
    assert (query.end_s - query.start_s, query.step_s) == (7200, 30)
    assert query.selector("a") == (
        '{__name__=~"a",instance=~"db.*",device="sda"} or {__name__=~"a",instance=~"db.*",disk="sda"}'
        ' or {__name__=~"a",instance=~"db.*",volume="sda"}'
    )
    iso = prometheus.parse(
        "prometheus+https://db?start=2026-11-20T00:00:00Z&end=2026-11-21T00:00:00+01:00", NOW_S
    )
    assert iso.end_s - iso.start_s == 82_800


@pytest.mark.parametrize(
    ("rest", "place"),
    [
        ("db?devise=sda", "`devise`"),
        ("db?start=yesterday", "start: "),
        ("db?step=fast", "step: "),
        ("db?start=now", "`start`"),
        ("", "`prometheus+http://`"),
    ],
)
def test_urls_that_ask_for_nothing(rest: str, place: str) -> None:
    with pytest.raises(InputError) as refused:
        prometheus.parse(f"prometheus+http://{rest}", NOW_S)
    assert place in str(refused.value)


def test_parts_cover_the_stretch_once() -> None:
    parts = [*prometheus.chunks(0, 250_000, 10)]
    points = [first + 10 * step for first, last in parts for step in range(round((last - first) / 10) + 1)]
    assert points == [10 * step for step in range(25_001)]
    assert max(round((last - first) / 10) + 1 for first, last in parts) == 10_000


class Fake:
    """A server that answers from a list, then as told."""

    def __init__(self, *answers: httpx.Response) -> None:
        self.answers = [*answers]
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def ask(monkeypatch: pytest.MonkeyPatch, folder: Path, *answers: httpx.Response) -> Fake:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    fake = Fake(*answers)
    prometheus.fetch("prometheus+http://db?step=60s", folder, transport=httpx.MockTransport(fake))
    return fake


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (httpx.Response(503, text="overloaded"), "did not answer after 4 tries: status 503: overloaded"),
        (httpx.Response(401), "set DRIVECAST_PROMETHEUS_TOKEN"),
        (
            httpx.Response(200, text='{"status": "success", "data": {"resu'),
            "did not answer as Prometheus does",
        ),
        (httpx.Response(400, json={"status": "error", "error": "too many"}), "says: too many"),
    ],
)
def test_answers_that_go_wrong(
    answer: httpx.Response, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        ask(monkeypatch, tmp_path, answer)


def test_a_server_that_is_busy_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    interval = httpx.Response(
        200, json={"status": "success", "data": {"resultType": "vector", "result": [{"value": [0, "40"]}]}}
    )
    row = {"metric": {"__name__": READS, "device": "sda"}, "values": [[1, "2"]]}
    matrix = httpx.Response(
        200, json={"status": "success", "data": {"resultType": "matrix", "result": [row]}}
    )
    monkeypatch.setenv("DRIVECAST_PROMETHEUS_TOKEN", "secret")
    fake = ask(monkeypatch, tmp_path, httpx.Response(503), interval, httpx.Response(503), matrix)
    assert len(fake.asked) == 4
    assert fake.asked[0].headers["Authorization"] == "Bearer secret"


def half_a_matrix(names: tuple[str, ...]) -> httpx.Response:
    """An answer in which the totals of bytes end halfway, and the server says that a part of it did not answer."""
    rows = [
        {
            "metric": {"__name__": f"node_disk_{name}_total", "device": "sda"},
            "values": [
                [1_795_362_720 + 15 * at, f"{100 * at}"] for at in range(40 if "completed" in name else 20)
            ],
        }
        for name in names
    ]
    data = {"resultType": "matrix", "result": rows}
    return httpx.Response(200, json={"status": "success", "data": data, "warnings": ["a store is away"]})


def fetched(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let the server give these totals."""
    interval = {"resultType": "vector", "result": [{"value": [0, "40"]}]}
    usual = prometheus.fetch

    def fetch(url: object, folder: Path, progress: Any = None) -> Any:
        vector = httpx.Response(200, json={"status": "success", "data": interval})
        return usual(url, folder, progress, transport=httpx.MockTransport(Fake(vector, half_a_matrix(names))))

    monkeypatch.setattr(prometheus, "fetch", fetch)


def test_half_a_matrix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fetched(monkeypatch, "reads_completed", "writes_completed", "read_bytes", "written_bytes")
    summary = trace.convert(["prometheus+http://db:9090"], tmp_path / "out.parquet")
    assert summary.rows == 19
    told = " ".join(summary.notes)
    assert "20 points" in told
    assert "2026-11-22 15:57:00" in told
    for verb in (trace.profile, trace.samples):
        with pytest.raises(InputError):
            verb(["prometheus+http://db:9090"], trace.Reading(strict=True))


def test_a_total_that_lacks_is_named_and_no_temporary_file(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched(monkeypatch, "reads_completed", "writes_completed", "read_bytes")
    with pytest.raises(InputError) as refused:
        trace.profile(["prometheus+http://db:9090"])
    assert "`sda`" in str(refused.value)
    assert "`prometheus+http://db:9090`" in str(refused.value)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Prometheus server that scrapes a node_exporter every second; its address."""
    folder = tmp_path_factory.mktemp("prometheus")
    exporter = prometheus_server.free_port()
    job = {"job_name": "node", "static_configs": [{"targets": [f"127.0.0.1:{exporter}"]}]}
    command = [
        needs("prometheus-node-exporter"),
        f"--web.listen-address=127.0.0.1:{exporter}",
        "--collector.diskstats.device-exclude=^$",
    ]
    with ExitStack() as stack:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = stack.enter_context(subprocess.Popen(command, **quiet))
        stack.callback(process.terminate)
        config = {"global": {"scrape_interval": "1s"}, "scrape_configs": [job]}
        address = stack.enter_context(prometheus_server.prometheus(folder, config))
        waiting.until(lambda: scrapes(address) >= 4, "Prometheus has scraped node_exporter four times")
        yield address


def scrapes(address: str) -> int:
    try:
        query = {"query": f"max(count_over_time({READS}[1m]))"}
        rows = httpx.get(f"http://{address}/api/v1/query", params=query, timeout=5).json()["data"]["result"]
    except (httpx.HTTPError, ValueError, KeyError):
        return 0
    return int(float(rows[0]["value"][1])) if rows else 0


def test_a_real_server(server: str, tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    out = tmp_path / "log.parquet"
    run = drivecast("convert", f"prometheus+http://{server}?start=-60s&step=1s", "-o", out)
    assert run.code == 0, run.err
    found = drivecast("profile", out, "--output-format", "json").json
    assert found["log"]["format"] == "prometheus"
    assert found["log"]["rows"] >= 3
    # The kernel's own totals bound what was seen of the disk in that time.
    rows = [line.split() for line in Path("/proc/diskstats").read_text().splitlines()]
    totals = {row[2]: int(row[3]) + int(row[7]) for row in rows}
    disk = found["log"]["disk"].split()[0]
    assert 0 <= found["requests"] <= totals[disk]


def test_a_disk_that_the_server_does_not_know(server: str, drivecast: Callable[..., Run]) -> None:
    run = drivecast("profile", f"prometheus+http://{server}?start=-1m&device=no-such-disk")
    assert run.code == 2
    assert "of 127.0.0.1" in run.err


def test_no_server(drivecast: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prometheus.time, "sleep", lambda _seconds: None)
    run = drivecast("profile", f"prometheus+http://127.0.0.1:{prometheus_server.free_port()}")
    assert run.code == 2
    assert "`127.0.0.1:" in run.err


def test_a_name_for_the_report() -> None:
    assert trace.log_name([Path("prometheus+http://db1:9090?device=sda")]) == "db1:9090"
