"""Servers that send without end, nothing, or nonsense: a log from them is refused in time, and leaves nothing."""

import contextlib
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from drivecast.errors import InputError
from drivecast.source import download_limit, locate, prometheus
from needs import needs

ROWS = b"128166372003061629,hm,1,Read,383496192,32768,413\n"
READS = {"__name__": "node_disk_reads_completed_total", "device": "sda"}


class Hostile(BaseHTTPRequestHandler):
    """Misbehaves as the first part of the path says; or answers like Prometheus with what the server has."""

    protocol_version = "HTTP/1.1"
    over: threading.Event
    answers: dict[str, Any]

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""

    def _head(self, status: int = 200, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.send_header("Connection", "close")
        self.end_headers()

    def do_GET(self) -> None:
        """Answer."""
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.close_connection = True
        _, how, *_, last = self.path.split("/")
        with contextlib.suppress(OSError):
            if how in SENT:
                self._head(**SENT[how][0])
                self.wfile.write(SENT[how][1])
                while how in ON and not self.over.wait(ON[how][0]):
                    self.wfile.write(ON[how][1])
            elif how in AWAY:
                self._head(302, Location=AWAY[how], Content_Length=0)
            elif how == "silent":
                self.over.wait()
            else:
                content = self.answers.get(last.partition("?")[0], b"")
                self._head(Content_Length=len(content))
                self.wfile.write(content)


Hostile.do_POST = Hostile.do_HEAD = Hostile.do_GET  # type: ignore[attr-defined]
SENT: dict[str, tuple[dict[str, object], bytes]] = {
    "endless": ({}, ROWS),
    "stops": ({"Content_Length": 1000}, ROWS),
    "slow": ({"Content_Length": 1000}, b""),
    "large": ({"Content_Length": 10**18}, ROWS),
    "short": ({"Content_Length": 1000}, ROWS),
}
"""Headers, and what comes behind them."""
ON = {"endless": (0, ROWS * 1000), "stops": (60, b""), "slow": (0.05, b"1")}
"""What then comes, each so many seconds."""
AWAY = {"loop": "/loop/log.csv", "away": "file:///etc/passwd"}
Server = tuple[str, dict[str, bytes]]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Its address without a scheme, and what it answers to queries."""
    needs("loopback")
    handler = type("Handler", (Hostile,), {"over": threading.Event(), "answers": {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        running.daemon_threads = True
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{running.server_port}", handler.answers
        handler.over.set()
        running.shutdown()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The limits of minutes in fractions of a second, and that of size in megabytes.

    A busy machine is as silent and as slow, so either is short only where it is what is tested.
    """
    how = getattr(request.node, "callspec", None) and request.node.callspec.params.get("how")
    monkeypatch.setenv(download_limit.MOST, "5MB")
    monkeypatch.setattr(download_limit, "BYTES_MAX", 5_000_000)
    monkeypatch.setattr(download_limit, "SILENT_S", 0.3 if how in (None, "silent", "stops") else 20.0)
    monkeypatch.setattr(download_limit, "SLOW_S", 0.3 if how in (None, "slow") else 20.0)


REFUSED = {
    "endless": "does not end within 5.0 MB",
    "silent": "the server was silent",
    "stops": "the server was silent",
    "slow": "less than 1 KiB a second",
    "short": "payload",
    "loop": "[Rr]edirect",
    "away": "[Rr]edirect|file",
}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("how", [*REFUSED, "large"])
def test_a_log_is_refused_in_time_and_leaves_nothing(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    reason = REFUSED.get(how, "is larger than 5.0 MB")
    with pytest.raises(InputError, match=reason), locate.located([f"http://{server[0]}/{how}/log.csv"]):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("impatient")
def test_a_list_of_files_has_an_end(server: Server) -> None:
    with pytest.raises(InputError) as refused, locate.located([f"http://{server[0]}/endless/*"]):
        pass
    assert "5.0 MB" in str(refused.value)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("how", REFUSED)
def test_an_answer_is_refused_in_time(server: Server, how: str) -> None:
    import httpx  # noqa: PLC0415

    def ask() -> None:
        with httpx.Client(timeout=download_limit.patience(), follow_redirects=True) as client:
            taken = download_limit.into_memory("it", "less")
            download_limit.answered(client, "GET", f"http://{server[0]}/{how}", taken)

    with pytest.raises((InputError, httpx.HTTPError)):
        ask()


@pytest.mark.usefixtures("impatient")
def test_a_server_that_is_silent_is_not_asked_again(server: Server, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        prometheus.fetch(f"prometheus+http://{server[0]}/silent", tmp_path)
    assert f"`{server[0]}`" in str(refused.value)


def test_the_limit_says_how_to_raise_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(download_limit.MOST, "1kB")
    with pytest.raises(InputError) as large:
        download_limit.onto_disk("it", tmp_path).more(1001)
    assert f"{download_limit.MOST}=200GB" in str(large.value)
    monkeypatch.setenv(download_limit.MOST, "lots")
    with pytest.raises(InputError) as odd:
        download_limit.onto_disk("it", tmp_path)
    assert f"{download_limit.MOST}: " in str(odd.value)
    monkeypatch.delenv(download_limit.MOST)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=3 << 30))
    taken = download_limit.onto_disk("it", tmp_path / "log")
    taken.more(2 << 30)
    with pytest.raises(InputError) as full:
        taken.more(1)
    assert f"`{tmp_path}`" in str(full.value)
    assert "TMPDIR" in str(full.value)


def _answer(rows: object, **more: object) -> bytes:
    return json.dumps({"status": "success", "data": {"result": rows}, **more}).encode()


ODD = {
    "no rows": b'{"status": "success", "data": 5}',
    "rows of numbers": _answer([1, 2]),
    "rows of nothing": _answer([None]),
    "no value": _answer([{"metric": READS}]),
    "an empty value": _answer([{"metric": READS, "value": []}]),
    "a value of text": _answer([{"metric": READS, "value": "xy"}]),
    "no time": _answer([{"metric": READS, "value": [float("nan"), "1"]}]),
    "no end of time": _answer([{"metric": READS, "value": [1e308, "1"]}]),
    "labels in a list": _answer([{"metric": [1], "value": [1, "1"]}]),
    "warnings that are a number": _answer([], warnings=5),
    "deep": b"[" * 100_000,
    "a page": b"<html>",
    "a list": b"[]",
}


@pytest.mark.parametrize(("odd", "stretch"), [*((odd, "") for odd in ODD), ("an empty value", "?start=-2d")])
def test_drives_from_an_odd_prometheus(
    server: Server, drivecast: Callable[..., Any], odd: str, stretch: str
) -> None:
    server[1].update(query=ODD[odd], query_range=ODD[odd])
    done = drivecast("health", "read", f"prometheus+http://{server[0]}{stretch}")
    assert done.code == 2
    assert "Prometheus" in done.err


@pytest.mark.parametrize("odd", [name for name in ODD if "time" not in name and name != "labels in a list"])
def test_counters_from_an_odd_prometheus(server: Server, tmp_path: Path, odd: str) -> None:
    server[1].update(query=ODD[odd], query_range=ODD[odd], series=ODD[odd])
    with pytest.raises(InputError, match="Prometheus"):
        prometheus.fetch(f"prometheus+http://{server[0]}", tmp_path)
