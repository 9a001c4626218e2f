"""Traces of a server: dropped in, named, fetched, seen through windows."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from conftest import ROOT
from drivecast.document.profile import Profile
from drivecast.document.served import Entry, HeatWindow, Latencies, Series, Trace
from drivecast.serve import trace_windows
from served import Served, serving, tiny

RECORDING = ROOT / "examples/mariadb-oltp"
IOSTAT = RECORDING / "iostat.json.xz"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("named")
    (folder / "tiny.blktrace").write_bytes(tiny(folder))
    with serving(tmp_path_factory.mktemp("data"), folders={"named": str(folder)}) as found:
        yield found


@pytest.fixture(scope="module")
def trace(server: Served, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A hundred requests, one each 5 ms."""
    return server.upload("tiny.blktrace", tiny(tmp_path_factory.mktemp("tiny")))


def window(server: Served, trace: dict[str, Any], query: str = "") -> Series:
    return Series.model_validate(server.ask("GET", f"/traces/{trace['id']}/series{query}"))


def test_a_dropped_trace_is_read_at_once(server: Served, trace: dict[str, Any]) -> None:
    found = Trace.model_validate(trace)
    assert (found.state, found.kind, found.format, found.requests) == ("done", "trace", "blktrace", 100)
    assert (found.name, found.origin, found.files) == ("tiny", "upload", ["tiny.blktrace"])
    assert trace["id"] in [each["id"] for each in server.ask("GET", "/traces")["traces"]]


def test_its_profile_is_the_document(server: Served, trace: dict[str, Any]) -> None:
    profile = Profile.check(server.ask("GET", f"/traces/{trace['id']}/profile"))
    assert profile.requests == 100
    assert profile.log.files[0].name == "tiny.blktrace"


def test_files_of_processors_are_one_trace(server: Served) -> None:
    files = sorted(RECORDING.glob("*.blktrace.*"))
    assert len(files) == 2
    draft = server.upload(files[0].name, files[0].read_bytes(), more=True)
    assert (draft["state"], draft["name"]) == ("draft", "mariadb-oltp")
    place = f"/traces/{draft['id']}/files/{files[1].name}"
    server.refused(409, "PUT", f"/traces/{draft['id']}/files/{files[0].name}", content=b"x")
    server.ask("PUT", place, content=files[1].read_bytes())
    found = server.ended(f"/traces/{draft['id']}")
    assert (found["state"], found["requests"]) == ("done", 246_646)
    server.refused(409, "PUT", f"/traces/{draft['id']}/files/more", content=b"x")
    server.ask("DELETE", f"/traces/{draft['id']}", 204)
    assert not (server.data / "traces" / draft["id"]).exists()
    server.refused(404, "GET", f"/traces/{draft['id']}")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"dear diary\n" * 100, "no-trace"),
        (b"\x00" * 5000, "no-trace"),
        (b"%PDF-1.7 \xff", "no-trace"),
        (b"", "input"),
    ],
    ids=["text", "zeros", "PDF", "empty"],
)
def test_what_is_no_trace_is_refused_and_not_stored(server: Served, content: bytes, code: str) -> None:
    before = {path.name for path in (server.data / "traces").glob("*")}
    found = server.refused(422, "POST", "/traces?name=diary.txt", content=content)
    assert found["code"] == code
    assert content or "empty" in found["reason"]
    assert {path.name for path in (server.data / "traces").glob("*")} == before


def test_a_trace_in_a_named_folder_stays_there(server: Served) -> None:
    asked = {"folder": "named", "path": "tiny.blktrace"}
    found = server.ask("POST", "/traces/registered", 201, json=asked)
    assert (found["state"], found["place"], found["requests"]) == ("done", "named/tiny.blktrace", 100)
    assert not list((server.data / "traces" / found["id"]).rglob("*.blktrace"))
    entries = [Entry.model_validate(entry) for entry in server.ask("GET", "/folders/named")["entries"]]
    assert [entry.name for entry in entries] == ["tiny.blktrace"]
    missing = server.refused(422, "POST", "/traces/registered", json={**asked, "path": "none"})
    assert "`none`" in missing["reason"]


def test_a_trace_is_fetched(server: Served, tmp_path: Path) -> None:
    content = tiny(tmp_path)

    class Files(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path.startswith("/far.blktrace?") else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files) as files:
        thread = threading.Thread(target=files.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{files.server_port}"
        began = server.ask(
            "POST", "/traces/registered", 201, json={"url": f"{url}/far.blktrace?token=secret"}
        )
        found = server.ended(f"/traces/{began['id']}")
        refused = server.refused(422, "POST", "/traces/registered", json={"url": f"{url}/none"})
        files.shutdown()
        thread.join()
    assert (found["state"], found["requests"], found["name"]) == ("done", 100, "far")
    assert "secret" not in str(found)
    assert refused["code"] == "no-trace"


def test_a_window_has_the_requests_within_it(server: Served, trace: dict[str, Any]) -> None:
    whole = window(server, trace, "?points=10")
    assert len(whole.time_s) == 10
    assert sum(whole.reads_per_s) * whole.step_s + sum(whole.writes_per_s) * whole.step_s == pytest.approx(
        100
    )
    part = window(server, trace, "?from_s=0.1&to_s=0.2&points=4")
    assert (part.from_s, part.to_s, len(part.time_s)) == (0.1, 0.2, 4)
    assert sum(part.reads_per_s + part.writes_per_s) * part.step_s == pytest.approx(20)
    assert {*part.size_bytes_mean} == {4096.0}
    assert all(value == pytest.approx(200_000, rel=0.01) for value in part.latency_ns_q99 if value)
    fine = window(server, trace, "?from_s=0.1&to_s=0.2&points=100000")
    assert len(fine.time_s) == 100_000
    assert fine.latency_ns_q99.count(None) == 100_000 - 20


@pytest.mark.parametrize(
    "query", ["?from_s=5", "?from_s=0.2&to_s=0.1", "?points=0", "?points=100001", "?from_s=-1", "?from_s=nan"]
)
def test_an_empty_window_is_refused(server: Served, trace: dict[str, Any], query: str) -> None:
    assert server.refused(422, "GET", f"/traces/{trace['id']}/series{query}")["code"] == "input"


def test_a_heat_map_counts_each_request_once(server: Served, trace: dict[str, Any]) -> None:
    place = f"/traces/{trace['id']}/heat-map?time_bins=5&address_bins=8"
    whole = HeatWindow.model_validate(server.ask("GET", place))
    assert (len(whole.counts), len(whole.counts[0])) == (5, 8)
    assert sum(map(sum, whole.counts)) == 100
    by_op = [HeatWindow.model_validate(server.ask("GET", f"{place}&op={op}")) for op in ("read", "write")]
    assert sum(sum(map(sum, each.counts)) for each in by_op) == 100
    half = HeatWindow.model_validate(server.ask("GET", f"{place}&to_bytes={whole.to_bytes // 2}"))
    assert sum(map(sum, half.counts)) == sum(sum(row[:4]) for row in whole.counts)


def test_latencies_are_a_distribution(server: Served, trace: dict[str, Any]) -> None:
    found = Latencies.model_validate(server.ask("GET", f"/traces/{trace['id']}/latencies"))
    assert (found.requests, found.shares[-1]) == (100, 1.0)
    assert found.below_ns[0] >= 200_000 * 0.99


def test_counters_have_a_series_and_no_addresses(server: Served) -> None:
    trace = server.upload("iostat.json.xz", IOSTAT.read_bytes())
    assert trace["kind"] == "counters"
    found = window(server, trace, "?points=100000")
    assert (found.source, found.step_s, len(found.time_s)) == ("counters", 1.0, 240)
    assert found.reads_per_s[:2] == [138.0, 151.0]
    coarse = window(server, trace, "?points=50")
    assert sum(coarse.reads_per_s) * coarse.step_s == pytest.approx(sum(found.reads_per_s))
    for what in ("heat-map", "latencies"):
        refused = server.refused(409, "GET", f"/traces/{trace['id']}/{what}")
        assert (refused["code"], "drivecast capture" in refused["hint"]) == ("answer", True)


def test_a_mean_over_reads_and_writes_is_weighted(tmp_path: Path) -> None:
    rows = {
        "time_ns": [10**9],
        "interval_ns": [10**9],
        "reads": [3.0],
        "writes": [1.0],
        "read_bytes": [3000.0],
    }
    latency = {"written_bytes": [5000.0], "read_latency_ns": [100], "write_latency_ns": [500]}
    pl.DataFrame(rows | latency).with_columns(pl.col("time_ns", "interval_ns").cast(pl.UInt64)).write_parquet(
        tmp_path / "a.parquet"
    )
    found = trace_windows.series(trace_windows.table(tmp_path / "a.parquet"), "counters", None, None, 10)
    assert (found.latency_ns_mean, found.size_bytes_mean) == ([200.0], [2000.0])
